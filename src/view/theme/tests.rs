//! Every theme at every depth, and what of it can be read on what.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use super::*;
use crate::text::{Charset, columns};

const DEPTHS: [Depth; 4] = [Depth::True, Depth::Indexed256, Depth::Ansi16, Depth::None];

fn theme(name: &str, depth: Depth) -> Theme {
    Theme::named(name, depth).expect("a built-in theme")
}

/// Taken apart without `..`, so that a new style is tested from its first day.
fn styles(theme: &Theme) -> Vec<(&'static str, Style)> {
    let Theme {
        background: _,
        text,
        dim,
        faint,
        heading,
        id,
        strong,
        accent,
        gold,
        silver,
        bronze,
        up,
        down,
        new,
        changed,
        tie,
        banner_warn,
        banner_info,
        live,
        held,
        lost,
        selected,
        key,
        spark,
        prompt,
    } = *theme;
    vec![
        ("text", text),
        ("dim", dim),
        ("faint", faint),
        ("heading", heading),
        ("id", id),
        ("strong", strong),
        ("accent", accent),
        ("gold", gold),
        ("silver", silver),
        ("bronze", bronze),
        ("up", up),
        ("down", down),
        ("new", new),
        ("changed", changed),
        ("tie", tie),
        ("banner_warn", banner_warn),
        ("banner_info", banner_info),
        ("live", live),
        ("held", held),
        ("lost", lost),
        ("selected", selected),
        ("key", key),
        ("spark", spark),
        ("prompt", prompt),
    ]
}

fn ratio(one: Color, other: Color) -> f64 {
    contrast::contrast(one, other).unwrap_or_else(|| panic!("{one:?} or {other:?} is not the same on every terminal"))
}

#[test]
fn no_colour_means_none_and_mono_has_none() {
    for name in Theme::names() {
        for (what, style) in styles(&theme(name, Depth::None)) {
            assert_eq!((style.fg, style.bg), (None, None), "{name} {what}");
        }
    }
    for depth in DEPTHS {
        assert_eq!(theme("mono", depth), theme("default", Depth::None));
    }
}

#[test]
fn each_depth_keeps_to_its_colours() {
    for name in ["default", "light"] {
        for depth in DEPTHS {
            let colours: Vec<Color> =
                styles(&theme(name, depth)).iter().flat_map(|(_, style)| [style.fg, style.bg]).flatten().collect();
            assert_eq!(colours.is_empty(), depth == Depth::None, "{name} {depth:?}");
            for colour in colours {
                let kept = match depth {
                    Depth::True => matches!(colour, Color::Rgb(..)),
                    Depth::Indexed256 => matches!(colour, Color::Indexed(16..)),
                    Depth::Ansi16 => !matches!(colour, Color::Rgb(..) | Color::Indexed(_) | Color::Reset),
                    Depth::None => false,
                };
                assert!(kept, "{name} {depth:?} {colour:?}");
            }
        }
    }
}

#[test]
fn all_can_be_read_on_the_terminal_and_on_the_selected_row() {
    for name in ["default", "light"] {
        for depth in [Depth::True, Depth::Indexed256] {
            let theme = theme(name, depth);
            let terminal = theme.background.expect("a stated background");
            let row = theme.selected.bg.expect("a background");
            for (what, style) in styles(&theme) {
                let Some(front) = style.fg else { continue };
                for back in style.bg.map_or(vec![terminal, row], |own| vec![own]) {
                    let ratio = ratio(front, back);
                    assert!(ratio >= 4.5, "{name} {depth:?} {what}: {ratio:.2} on {back:?}");
                }
            }
            assert!(ratio(row, terminal) > 1.1, "{name} {depth:?}: the row does not stand out");
        }
    }
}

#[test]
fn what_has_a_background_has_both_colours() {
    for name in Theme::names() {
        for depth in DEPTHS {
            for (what, style) in styles(&theme(name, depth)) {
                assert!(style.bg.is_none() || style.fg.is_some(), "{name} {depth:?} {what}");
            }
        }
    }
}

#[test]
fn selection_and_banners_stand_out_at_every_depth() {
    for name in Theme::names() {
        for depth in DEPTHS {
            let theme = theme(name, depth);
            for style in [theme.selected, theme.banner_warn, theme.banner_info] {
                assert!(style.bg.is_some() || style.add_modifier.contains(Modifier::REVERSED), "{name} {depth:?}");
            }
            assert_ne!(theme.selected, theme.banner_warn, "{name} {depth:?}");
        }
    }
    let mono = theme("mono", Depth::True);
    assert_eq!(mono.selected, Style::new().add_modifier(Modifier::REVERSED));
    assert_eq!(mono.banner_warn, Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD));
}

#[test]
fn names_are_those_that_are_known() {
    for name in Theme::names() {
        assert!(Theme::named(name, Depth::True).is_some(), "{name}");
    }
    assert_eq!(Theme::named("Default", Depth::True), None);
    assert_eq!(Theme::named("", Depth::True), None);
}

#[test]
fn depth_follows_the_environment() {
    use ColorChoice::{Always, Auto, Never};
    for (color, no_color, term, colorterm, expected) in [
        (Auto, None, Some("xterm-256color"), Some("truecolor"), Depth::True),
        (Auto, None, Some("xterm-256color"), Some("24bit"), Depth::True),
        (Auto, None, Some("xterm-256color"), Some("yes"), Depth::Indexed256),
        (Auto, None, Some("xterm-256color"), None, Depth::Indexed256),
        (Auto, None, Some("xterm-direct"), None, Depth::True),
        (Auto, None, Some("tmux-256color"), Some("truecolor"), Depth::True),
        (Auto, None, Some("screen-256color"), Some("truecolor"), Depth::Indexed256),
        (Auto, None, Some("screen"), Some("truecolor"), Depth::Ansi16),
        (Auto, None, Some("xterm"), None, Depth::Ansi16),
        (Auto, None, Some("linux"), None, Depth::Ansi16),
        (Auto, None, Some("vt100"), None, Depth::None),
        (Auto, None, Some("xterm-mono"), None, Depth::None),
        (Auto, None, Some("dumb"), Some("truecolor"), Depth::None),
        (Auto, None, None, None, Depth::None),
        (Auto, None, Some(""), None, Depth::None),
        (Auto, None, None, Some("truecolor"), Depth::True),
        (Auto, Some("1"), Some("xterm-256color"), Some("truecolor"), Depth::None),
        (Auto, Some("0"), Some("xterm"), None, Depth::None),
        (Auto, Some(""), Some("xterm"), None, Depth::Ansi16),
        (Always, Some("1"), Some("xterm-256color"), None, Depth::Indexed256),
        (Always, None, Some("dumb"), None, Depth::Ansi16),
        (Always, None, None, None, Depth::Ansi16),
        (Always, None, Some("xterm"), Some("truecolor"), Depth::True),
        (Never, None, Some("xterm-256color"), Some("truecolor"), Depth::None),
        (Never, Some(""), Some("xterm-direct"), None, Depth::None),
    ] {
        let depth = Depth::detect(color, no_color, term, colorterm);
        assert_eq!(depth, expected, "{color:?} NO_COLOR={no_color:?} TERM={term:?} COLORTERM={colorterm:?}");
    }
}

#[test]
fn glyphs_take_the_columns_they_say() {
    for charset in [Charset::Utf8, Charset::Ascii] {
        let Glyphs {
            tie_top,
            tie_middle,
            tie_bottom,
            tie_past_edge,
            up,
            down,
            dot,
            dash,
            ellipsis,
            middle_dot,
            arrow_right,
            arrow_left,
            arrow_up,
            arrow_down,
            spark,
            bar,
        } = *Glyphs::of(charset);
        let single = [
            tie_top,
            tie_middle,
            tie_bottom,
            tie_past_edge,
            up,
            down,
            dot,
            dash,
            ellipsis,
            middle_dot,
            arrow_up,
            arrow_down,
        ];
        for glyph in single.into_iter().chain(spark).chain(bar.iter().copied()) {
            assert_eq!(columns(glyph), 1, "{glyph}");
            assert_eq!(glyph.is_ascii(), charset == Charset::Ascii, "{glyph}");
        }
        assert_eq!(columns(arrow_right), columns(arrow_left));
        assert_eq!(arrow_right.is_ascii() && arrow_left.is_ascii(), charset == Charset::Ascii);
        assert_eq!(ellipsis, charset.ellipsis().to_string());
        for (index, bar) in spark.iter().enumerate() {
            assert!(!spark[..index].contains(bar), "{bar} stands for two heights");
        }
        let ties = [tie_top, tie_middle, tie_bottom, tie_past_edge];
        assert!(ties.iter().enumerate().all(|(index, tie)| !ties[..index].contains(tie)));
    }
}

const EXAMPLE: &str = include_str!("../../../assets/themes/dusk.toml");

fn from_text(text: &str, depth: Depth) -> Theme {
    Theme::from_text(text, depth).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

#[test]
fn every_role_can_be_set() {
    let names: Vec<_> = styles(&theme("default", Depth::True)).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, Theme::ROLES);
    for name in names {
        let changed = from_text(&format!("{name} = '#010203'"), Depth::True);
        for ((role, style), (_, base)) in styles(&changed).into_iter().zip(styles(&theme("default", Depth::True))) {
            let expected = if role == name { base.fg(Color::Rgb(1, 2, 3)) } else { base };
            assert_eq!(style, expected, "{name} {role}");
        }
    }
}

#[test]
fn an_empty_file_is_its_base() {
    for depth in DEPTHS {
        assert_eq!(from_text("", depth), theme("default", depth));
        for name in Theme::names() {
            assert_eq!(from_text(&format!("base = '{name}'"), depth), theme(name, depth));
        }
    }
}

#[test]
fn colours_step_down_with_the_terminal() {
    for (colour, at) in [
        ("'#f2bd4f'", [Color::Rgb(0xf2, 0xbd, 0x4f), Color::Indexed(215), Color::Yellow]),
        ("196", [Color::Indexed(196), Color::Indexed(196), Color::LightRed]),
        ("0xc4", [Color::Indexed(196), Color::Indexed(196), Color::LightRed]),
        ("1", [Color::Indexed(1), Color::Indexed(1), Color::Red]),
        ("'dark-gray'", [Color::DarkGray, Color::DarkGray, Color::DarkGray]),
    ] {
        for (depth, expected) in DEPTHS.into_iter().zip(at) {
            assert_eq!(from_text(&format!("up = {colour}"), depth).up, Style::new().fg(expected), "{colour} {depth:?}");
        }
        let none = from_text(&format!("up = {colour}\nheld = {colour}"), Depth::None);
        assert_eq!(none, theme("default", Depth::None), "{colour}");
    }
}

#[test]
fn modifiers_are_those_said_or_the_base_s() {
    let bold = from_text("gold = { fg = 1 }", Depth::True).gold;
    assert_eq!(bold, Style::new().fg(Color::Indexed(1)).add_modifier(Modifier::BOLD));
    let plain = from_text("gold = { modifiers = [] }", Depth::True).gold;
    assert_eq!(plain, Style { add_modifier: Modifier::empty(), ..theme("default", Depth::True).gold });
    let both = from_text("text = { modifiers = ['italic', 'underlined'] }", Depth::None).text;
    assert_eq!(both, Style::new().add_modifier(Modifier::ITALIC | Modifier::UNDERLINED));
}

#[test]
fn selection_and_banners_of_a_file_do_not_vanish() {
    let text = "selected = { fg = '#101010', bg = '#111111', modifiers = [] }\n\
                banner_warn = { fg = '#101010', bg = '#111111', modifiers = [] }";
    for depth in DEPTHS {
        let theme = from_text(text, depth);
        for style in [theme.selected, theme.banner_warn] {
            let stands_out = style.bg.is_some() && style.bg != style.fg;
            assert!(stands_out || style.add_modifier.contains(Modifier::REVERSED), "{depth:?} {style:?}");
        }
    }
}

#[test]
fn the_example_is_as_readable_as_the_built_in_ones() {
    assert_ne!(from_text(EXAMPLE, Depth::True), theme("default", Depth::True));
    for depth in [Depth::True, Depth::Indexed256] {
        let theme = from_text(EXAMPLE, depth);
        let row = theme.selected.bg.expect("a background");
        for (what, style) in styles(&theme) {
            let Some(front) = style.fg else { continue };
            for back in style.bg.map_or(vec![theme.background.expect("a stated background"), row], |own| vec![own]) {
                let ratio = ratio(front, back);
                assert!(ratio >= 4.5, "{depth:?} {what}: {ratio:.2} on {back:?}");
            }
        }
    }
    for role in Theme::ROLES {
        assert!(EXAMPLE.contains(&format!("{role} = ")), "{role} is not in the example");
    }
}

#[test]
fn faults_of_a_file_have_their_line() {
    for (text, line, what, hint) in [
        ("\nacent = 'red'", 2, "there is no role 'acent'", "base, background, text, dim"),
        ("up = 'reddish'", 1, "there is no colour 'reddish'", "light-red"),
        ("up = '#12345'", 1, "there is no colour '#12345'", "#rrggbb"),
        ("up = '#+12345'", 1, "there is no colour '#+12345'", "#rrggbb"),
        ("up = 256", 1, "there is no colour '256'", "0 to 255"),
        ("up = -1", 1, "there is no colour '-1'", "0 to 255"),
        ("up = true", 1, "a colour is a text or a number", "0 to 255"),
        ("\n\nup = { fg = 1, bk = 2 }", 3, "a role has no 'bk'", "fg, bg, modifiers"),
        ("background = '#ffffff'\nup = '#eeeeee'", 2, "'up' has a contrast of 1.2 to 1", "darker"),
        ("background = '#ffffff'\nup = { fg = '#000000', bg = '#111111' }", 2, "'up' has a contrast", "darker"),
        ("up = { bg = 2 }", 1, "a 'bg' needs a 'fg'", "any"),
        ("up = { modifiers = 'bold' }", 1, "'modifiers' must be a list", "bold, dim"),
        ("up = { modifiers = [\n'blink'] }", 2, "there is no modifier 'blink'", "bold, dim"),
        ("base = 'dark'", 1, "there is none 'dark'", "default, light, mono"),
        ("base = 3", 1, "'base' must be a built-in theme", "default, light, mono"),
        ("up = red", 1, "not valid TOML", "as in"),
    ] {
        for depth in DEPTHS {
            let fault = Theme::from_text(text, depth).expect_err(text);
            assert_eq!(fault.line, line, "{text}");
            assert!(fault.what.contains(what) && fault.hint.contains(hint), "{text}: {fault:?}");
            assert!(!fault.what.contains('\n'), "{fault:?}");
        }
    }
}

#[test]
fn only_rules_and_separators_are_dim() {
    for name in Theme::names() {
        for depth in DEPTHS {
            for (what, style) in styles(&theme(name, depth)) {
                assert!(what == "faint" || !style.add_modifier.contains(Modifier::DIM), "{name} {depth:?} {what}");
            }
        }
    }
}
