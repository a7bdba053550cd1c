//! A theme as people write it: the roles that are to look different from a built-in theme's, in TOML. It is given the
//! text and reads no file.
//!
//! ```toml
//! base = "light"                       # roles not given here look as in this theme; "default" unless given
//! background = "#fafafa"               # what the colours are checked against; not drawn
//! accent = "#3b6ea8"                   # a colour: RGB in hex, an index into the 256, or a name of the sixteen
//! gold = { fg = 136, modifiers = ["bold"] }
//! selected = { fg = "white", bg = "blue" }
//! ```
//!
//! A colour steps down with the terminal's depth to the nearest one that is there. Modifiers that are not said are the
//! base's. With sixteen colours and without, the selected row swaps the terminal's two, whatever the file says of its
//! colours, and a pair that would become one colour is the base's instead: neither may vanish.

use ratatui::style::{Color, Modifier, Style};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::contrast::{NEEDED, contrast};
use super::{Depth, Theme, nearest};

/// What is wrong with a theme.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct ThemeFault {
    /// On which line, from 1.
    pub line: usize,
    /// What, in one line.
    pub what: String,
    /// What there is instead.
    pub hint: String,
}

/// The sixteen colours by their names, in the order of their numbers (ECMA-48, and its bright ones by aixterm).
const NAMES: [(&str, Color); 16] = [
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("gray", Color::Gray),
    ("dark-gray", Color::DarkGray),
    ("light-red", Color::LightRed),
    ("light-green", Color::LightGreen),
    ("light-yellow", Color::LightYellow),
    ("light-blue", Color::LightBlue),
    ("light-magenta", Color::LightMagenta),
    ("light-cyan", Color::LightCyan),
    ("white", Color::White),
];

const MODIFIERS: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
];

/// What a file says of one role.
#[derive(Default)]
struct Wish {
    fg: Option<Color>,
    bg: Option<Color>,
    modifiers: Option<Modifier>,
}

/// A fault without its line, which stands at this place of the text.
struct Fault {
    at: usize,
    what: String,
    hint: String,
}

impl Theme {
    /// The theme that `text` describes, at `depth`.
    pub fn from_text(text: &str, depth: Depth) -> Result<Self, ThemeFault> {
        read(text, depth).map_err(|fault| ThemeFault {
            line: text.bytes().take(fault.at).filter(|byte| *byte == b'\n').count() + 1,
            what: fault.what,
            hint: fault.hint,
        })
    }
}

fn read(text: &str, depth: Depth) -> Result<Theme, Fault> {
    let table = DeTable::parse(text).map_err(|error| Fault {
        at: error.span().map_or(0, |span| span.start),
        what: format!("not valid TOML: {}", error.message()),
        hint: "a role is written as in: accent = \"#6cb8b8\"".to_owned(),
    })?;
    let mut theme = base(table.get_ref(), depth)?;
    let background = table.get_ref().get("background").map(colour).transpose()?;
    if background.is_some() {
        theme.background = background;
    }
    // From the top down, so that the first fault is the one that is told.
    let is_role = |name: &str| !matches!(name, "base" | "background");
    let mut said: Vec<_> = table.get_ref().iter().filter(|(key, _)| is_role(key.get_ref())).collect();
    said.sort_by_key(|(key, _)| key.span().start);
    for (key, value) in said {
        let name: &str = key.get_ref();
        let Some(role) = theme.role(name) else {
            let hint = format!("there are base, background, {}", Theme::ROLES.join(", "));
            return Err(Fault { at: key.span().start, what: format!("there is no role '{name}'"), hint });
        };
        let wish = wish(value)?;
        check(name, &wish, background).map_err(|what| Fault {
            at: key.span().start,
            what,
            hint: "take a lighter or a darker colour, or leave 'background' out".to_owned(),
        })?;
        *role = styled(*role, &wish, depth, name == "selected");
    }
    Ok(theme)
}

fn base(table: &DeTable<'_>, depth: Depth) -> Result<Theme, Fault> {
    let names = || format!("there are {}", Theme::names().join(", "));
    let said = table.get("base");
    let name = match said.map(Spanned::get_ref) {
        None => "default",
        Some(DeValue::String(name)) => name,
        Some(_) => "",
    };
    Theme::named(name, depth).ok_or_else(|| Fault {
        at: said.map_or(0, |value| value.span().start),
        what: format!("'base' must be a built-in theme, and there is none '{name}'"),
        hint: names(),
    })
}

/// Whether a role can be read on its own background, else on the one that the file states.
fn check(name: &str, wish: &Wish, background: Option<Color>) -> Result<(), String> {
    let on = wish.bg.or(background);
    match wish.fg.zip(on).and_then(|(fg, bg)| contrast(fg, bg)) {
        Some(ratio) if background.is_some() && ratio < NEEDED => {
            Err(format!("'{name}' has a contrast of {ratio:.1} to 1 to its background; text needs {NEEDED}"))
        }
        _ => Ok(()),
    }
}

fn wish(value: &Spanned<DeValue<'_>>) -> Result<Wish, Fault> {
    let DeValue::Table(table) = value.get_ref() else {
        return Ok(Wish { fg: Some(colour(value)?), ..Wish::default() });
    };
    let mut wish = Wish::default();
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "fg" => wish.fg = Some(colour(value)?),
            "bg" => wish.bg = Some(colour(value)?),
            "modifiers" => wish.modifiers = Some(modifiers(value)?),
            other => {
                return Err(Fault {
                    at: key.span().start,
                    what: format!("a role has no '{other}'"),
                    hint: "there are fg, bg, modifiers".to_owned(),
                });
            }
        }
    }
    if wish.bg.is_some() && wish.fg.is_none() {
        return Err(Fault {
            at: value.span().start,
            what: "a 'bg' needs a 'fg' that can be read on it".to_owned(),
            hint: "the terminal's own colour of text may be any".to_owned(),
        });
    }
    Ok(wish)
}

fn colour(value: &Spanned<DeValue<'_>>) -> Result<Color, Fault> {
    let (colour, said) = match value.get_ref() {
        DeValue::String(text) => {
            let hex =
                text.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let rgb = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).map(Color::from_u32);
            let named = NAMES.iter().find(|(name, _)| name == text).map(|(_, colour)| *colour);
            (rgb.or(named), text.as_ref().to_owned())
        }
        DeValue::Integer(number) => {
            let index = u8::from_str_radix(number.as_str(), number.radix()).ok();
            (index.map(Color::Indexed), number.as_str().to_owned())
        }
        _ => (None, String::new()),
    };
    colour.ok_or_else(|| Fault {
        at: value.span().start,
        what: if said.is_empty() {
            "a colour is a text or a number".to_owned()
        } else {
            format!("there is no colour '{said}'")
        },
        hint: format!(
            "write \"#rrggbb\", a number from 0 to 255, or one of {}",
            NAMES.map(|(name, _)| name).join(", ")
        ),
    })
}

fn modifiers(value: &Spanned<DeValue<'_>>) -> Result<Modifier, Fault> {
    let fault = |at: usize, what: String| {
        let hint = format!("there are {}", MODIFIERS.map(|(name, _)| name).join(", "));
        Err(Fault { at, what, hint })
    };
    let DeValue::Array(list) = value.get_ref() else {
        return fault(value.span().start, "'modifiers' must be a list of names".to_owned());
    };
    let mut all = Modifier::empty();
    for one in list {
        let name = match one.get_ref() {
            DeValue::String(name) => name.as_ref(),
            _ => "",
        };
        match MODIFIERS.iter().find(|(known, _)| *known == name) {
            Some((_, modifier)) => all |= *modifier,
            None => return fault(one.span().start, format!("there is no modifier '{name}'")),
        }
    }
    Ok(all)
}

/// `base` with what is wished, as far as `depth` has it.
fn styled(base: Style, wish: &Wish, depth: Depth, is_selection: bool) -> Style {
    let mut style = base;
    let has_colours = match depth {
        Depth::True | Depth::Indexed256 => true,
        Depth::Ansi16 => !is_selection,
        Depth::None => false,
    };
    if has_colours && let Some(fg) = wish.fg.map(|colour| step_down(colour, depth)) {
        let bg = wish.bg.map(|colour| step_down(colour, depth));
        if bg != Some(fg) {
            (style.fg, style.bg) = (Some(fg), bg.or(base.bg));
        }
    }
    if let Some(modifiers) = wish.modifiers {
        // What stands out without colours must go on doing so.
        let kept = if has_colours { Modifier::empty() } else { base.add_modifier & Modifier::REVERSED };
        style.add_modifier = modifiers | kept;
    }
    style
}

fn step_down(colour: Color, depth: Depth) -> Color {
    match (depth, colour) {
        (Depth::Indexed256, Color::Rgb(..)) => Color::Indexed(nearest::indexed(colour)),
        (Depth::Ansi16, Color::Rgb(..) | Color::Indexed(_)) => NAMES[nearest::ansi(colour)].1,
        _ => colour,
    }
}
