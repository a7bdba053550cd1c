//! The one object that says how things look: a style for each thing that has a name, at the depth of colour that the
//! terminal has. It must not know what is drawn where, and nothing else may name a colour.
//!
//! Only what carries a meaning is coloured. All else uses the terminal's own two colours. At every depth, none included,
//! the selection and the banner stand out, and what a colour says is also said by a glyph or a word. What must be read
//! is never only dim: on a projector and on light terminals the attribute is unreadable.
//!
//! The selected row has both of its colours set where the palette is known (24 bit, 256): a slate that suits a dark
//! terminal under the black text of a light one cannot be read. Styles for cells of that row are laid over it, so every
//! named colour is readable on its background too. With sixteen colours each user paints their own, so there, and
//! without colour, the row swaps the terminal's two.

mod contrast;
mod depth;
mod file;
mod glyphs;
mod nearest;
#[cfg(test)]
mod tests;

use ratatui::style::{Color, Modifier, Style};

pub use depth::{ColorChoice, Depth};
pub use file::ThemeFault;
pub use glyphs::Glyphs;

/// How each thing looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The background that the colours are made for, where they are more than the terminal's own. It is not drawn.
    pub background: Option<Color>,
    /// Names and numbers: the terminal's own colours.
    pub text: Style,
    /// Facts, units, what keys do: what is read second.
    pub dim: Style,
    /// Rules and separators, which nobody has to read.
    pub faint: Style,
    /// The heads of columns, headings and labels.
    pub heading: Style,
    /// Ids.
    pub id: Style,
    /// Scores, the board's name: what is read first.
    pub strong: Style,
    /// The one accent.
    pub accent: Style,
    /// Rank 1.
    pub gold: Style,
    /// Rank 2.
    pub silver: Style,
    /// Rank 3.
    pub bronze: Style,
    /// Risen since when movement counts.
    pub up: Style,
    /// Fallen since then.
    pub down: Style,
    /// Not on the page before.
    pub new: Style,
    /// Laid over a score that has just changed.
    pub changed: Style,
    /// The bracket of a tie group, and words about it.
    pub tie: Style,
    /// The banner where rows were repeated or skipped.
    pub banner_warn: Style,
    /// The banner where nothing was.
    pub banner_info: Style,
    /// The data is live.
    pub live: Style,
    /// The page is held.
    pub held: Style,
    /// The data is stale, or the link is lost.
    pub lost: Style,
    /// The selected row; the row's other styles are laid over it.
    pub selected: Style,
    /// A key in the footer, beside what it does in `dim`.
    pub key: Style,
    /// The bars of the rate of writes.
    pub spark: Style,
    /// What is typed after `/` and `:`.
    pub prompt: Style,
}

/// One colour at each depth.
#[derive(Clone, Copy)]
struct Ink {
    rgb: u32,
    index: u8,
    ansi: Color,
}

impl Ink {
    const fn new(rgb: u32, index: u8, ansi: Color) -> Self {
        Self { rgb, index, ansi }
    }

    fn at(self, depth: Depth) -> Option<Color> {
        match depth {
            Depth::True => Some(Color::from_u32(self.rgb)),
            Depth::Indexed256 => Some(Color::Indexed(self.index)),
            // Of sixteen there is no grey that can be read on every terminal: those inks are the terminal's own.
            Depth::Ansi16 => Some(self.ansi).filter(|color| *color != Color::Reset),
            Depth::None => None,
        }
    }

    fn on_terminal(self, depth: Depth) -> Style {
        self.at(depth).map_or_else(Style::new, |color| Style::new().fg(color))
    }
}

/// The colours that a theme names.
struct Palette {
    background: Ink,
    dim: Ink,
    heading: Ink,
    id: Ink,
    accent: Ink,
    gold: Ink,
    silver: Ink,
    bronze: Ink,
    green: Ink,
    red: Ink,
    selected: [Ink; 2],
    warn: [Ink; 2],
    info: [Ink; 2],
}

/// For dark terminals.
const DEFAULT: Palette = Palette {
    background: Ink::new(0x001e_1e1e, 234, Color::Black),
    dim: Ink::new(0x00a8_b3bb, 248, Color::Reset),
    heading: Ink::new(0x007f_b0d8, 110, Color::Cyan),
    id: Ink::new(0x009f_b0c8, 146, Color::Reset),
    accent: Ink::new(0x006c_b8b8, 73, Color::Cyan),
    gold: Ink::new(0x00f2_bd4f, 215, Color::Yellow),
    silver: Ink::new(0x00c3_ccd4, 252, Color::Gray),
    bronze: Ink::new(0x00d8_9a6a, 173, Color::Yellow),
    green: Ink::new(0x008c_c46c, 113, Color::Green),
    red: Ink::new(0x00f0_868c, 210, Color::LightRed),
    selected: [Ink::new(0x00ee_f2f5, 255, Color::White), Ink::new(0x002d_3a44, 236, Color::Black)],
    warn: [Ink::new(0x001a_1a1a, 234, Color::Black), Ink::new(0x00e5_b454, 179, Color::Yellow)],
    info: [Ink::new(0x001a_1a1a, 234, Color::Black), Ink::new(0x008f_b8c0, 109, Color::Cyan)],
};

/// For light terminals.
const LIGHT: Palette = Palette {
    background: Ink::new(0x00ff_ffff, 231, Color::White),
    dim: Ink::new(0x004d_5760, 240, Color::Reset),
    heading: Ink::new(0x001f_4f82, 24, Color::Blue),
    id: Ink::new(0x004a_4f7d, 60, Color::Reset),
    accent: Ink::new(0x0000_686e, 23, Color::Blue),
    gold: Ink::new(0x007a_5800, 94, Color::Yellow),
    silver: Ink::new(0x005a_636b, 240, Color::DarkGray),
    bronze: Ink::new(0x008f_4a1e, 94, Color::Yellow),
    green: Ink::new(0x002c_6b15, 22, Color::Green),
    red: Ink::new(0x00b3_202c, 124, Color::Red),
    selected: [Ink::new(0x0014_181b, 234, Color::Black), Ink::new(0x00d5_e3ee, 254, Color::White)],
    warn: [Ink::new(0x001a_1a1a, 234, Color::Black), Ink::new(0x00f0_b840, 215, Color::Yellow)],
    info: [Ink::new(0x001a_1a1a, 234, Color::Black), Ink::new(0x00a9_d3dc, 152, Color::Cyan)],
};

impl Theme {
    /// The names of the styles, in their order.
    const ROLES: [&str; 24] = [
        "text",
        "dim",
        "faint",
        "heading",
        "id",
        "strong",
        "accent",
        "gold",
        "silver",
        "bronze",
        "up",
        "down",
        "new",
        "changed",
        "tie",
        "banner_warn",
        "banner_info",
        "live",
        "held",
        "lost",
        "selected",
        "key",
        "spark",
        "prompt",
    ];

    /// The style of this name.
    fn role(&mut self, name: &str) -> Option<&mut Style> {
        Some(match name {
            "text" => &mut self.text,
            "dim" => &mut self.dim,
            "faint" => &mut self.faint,
            "heading" => &mut self.heading,
            "id" => &mut self.id,
            "strong" => &mut self.strong,
            "accent" => &mut self.accent,
            "gold" => &mut self.gold,
            "silver" => &mut self.silver,
            "bronze" => &mut self.bronze,
            "up" => &mut self.up,
            "down" => &mut self.down,
            "new" => &mut self.new,
            "changed" => &mut self.changed,
            "tie" => &mut self.tie,
            "banner_warn" => &mut self.banner_warn,
            "banner_info" => &mut self.banner_info,
            "live" => &mut self.live,
            "held" => &mut self.held,
            "lost" => &mut self.lost,
            "selected" => &mut self.selected,
            "key" => &mut self.key,
            "spark" => &mut self.spark,
            "prompt" => &mut self.prompt,
            _ => return None,
        })
    }

    /// The names of the built-in themes, the one for dark terminals first.
    pub const fn names() -> &'static [&'static str] {
        &["default", "light", "mono"]
    }

    /// The built-in theme `name` at `depth`; none where there is no such name. `mono` has no colour at any depth.
    pub fn named(name: &str, depth: Depth) -> Option<Self> {
        match name {
            "default" => Some(Self::new(&DEFAULT, depth)),
            "light" => Some(Self::new(&LIGHT, depth)),
            "mono" => Some(Self::new(&DEFAULT, Depth::None)),
            _ => None,
        }
    }

    fn new(palette: &Palette, depth: Depth) -> Self {
        let ink = |ink: Ink| ink.on_terminal(depth);
        let bold = |style: Style| style.add_modifier(Modifier::BOLD);
        let plain = Style::new();
        // Without colour weight says what is left to say: which words are states, and where the podium is.
        let bold_if_plain = |style: Style| {
            if depth == Depth::None { bold(style) } else { style }
        };
        Self {
            text: plain,
            background: match depth {
                Depth::True | Depth::Indexed256 => palette.background.at(depth),
                Depth::Ansi16 | Depth::None => None,
            },
            dim: ink(palette.dim),
            faint: plain.add_modifier(Modifier::DIM),
            heading: bold_if_plain(ink(palette.heading)),
            id: ink(palette.id),
            strong: bold(plain),
            accent: bold_if_plain(ink(palette.accent)),
            gold: bold(ink(palette.gold)),
            silver: bold(ink(palette.silver)),
            bronze: bold(ink(palette.bronze)),
            up: ink(palette.green),
            down: ink(palette.red),
            new: ink(palette.accent),
            changed: ink(palette.accent).add_modifier(Modifier::UNDERLINED),
            tie: ink(palette.accent),
            banner_warn: banner(palette.warn, depth, Modifier::BOLD),
            banner_info: banner(palette.info, depth, Modifier::empty()),
            live: ink(palette.green),
            held: bold_if_plain(ink(palette.gold)),
            lost: bold(ink(palette.red)),
            selected: match depth {
                Depth::True | Depth::Indexed256 => on(palette.selected, depth),
                Depth::Ansi16 | Depth::None => plain.add_modifier(Modifier::REVERSED),
            },
            key: plain,
            spark: ink(palette.accent),
            prompt: bold(ink(palette.accent)),
        }
    }
}

/// The first ink on the second.
fn on([front, back]: [Ink; 2], depth: Depth) -> Style {
    let style = front.on_terminal(depth);
    back.at(depth).map_or(style, |color| style.bg(color))
}

/// Both colours are set, so that neither depends on the terminal's own. Of sixteen colours bold black is grey on many
/// terminals, so weight is left out there.
fn banner(inks: [Ink; 2], depth: Depth, weight: Modifier) -> Style {
    match depth {
        Depth::True | Depth::Indexed256 => on(inks, depth).add_modifier(weight),
        Depth::Ansi16 => on(inks, depth),
        Depth::None => Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD),
    }
}
