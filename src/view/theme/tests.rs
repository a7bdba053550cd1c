//! Every theme at every depth, and what of it can be read on what.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use super::*;
use crate::view::text::{Charset, columns};

const DEPTHS: [Depth; 4] = [Depth::True, Depth::Indexed256, Depth::Ansi16, Depth::None];

fn theme(name: &str, depth: Depth) -> Theme {
    Theme::named(name, depth).expect("a built-in theme")
}

/// Taken apart without `..`, so that a new style is tested from its first day.
fn styles(theme: &Theme) -> Vec<(&'static str, Style)> {
    let Theme {
        text,
        dim,
        strong,
        accent,
        gold,
        silver,
        bronze,
        up,
        down,
        new,
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
        ("strong", strong),
        ("accent", accent),
        ("gold", gold),
        ("silver", silver),
        ("bronze", bronze),
        ("up", up),
        ("down", down),
        ("new", new),
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

fn rgb(color: Color) -> [u8; 3] {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    match color {
        Color::Rgb(red, green, blue) => [red, green, blue],
        Color::Indexed(index @ 16..=231) => {
            let cube = usize::from(index - 16);
            [STEPS[cube / 36], STEPS[cube / 6 % 6], STEPS[cube % 6]]
        }
        Color::Indexed(index @ 232..) => [8 + 10 * (index - 232); 3],
        other => panic!("{other:?} is not the same on every terminal"),
    }
}

/// Relative luminance as WCAG 2 defines it.
fn luminance(color: Color) -> f64 {
    let linear = rgb(color).map(|channel| {
        let share = f64::from(channel) / 255.0;
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

fn contrast(one: Color, other: Color) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn contrast_is_the_one_of_the_definition() {
    assert!((contrast(Color::Rgb(0, 0, 0), Color::Rgb(255, 255, 255)) - 21.0).abs() < 1e-9);
    assert!((contrast(Color::Rgb(118, 118, 118), Color::Rgb(255, 255, 255)) - 4.54).abs() < 0.01);
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
    for (name, terminal) in [("default", Color::Rgb(0x1e, 0x1e, 0x1e)), ("light", Color::Rgb(255, 255, 255))] {
        for depth in [Depth::True, Depth::Indexed256] {
            let theme = theme(name, depth);
            let row = theme.selected.bg.expect("a background");
            for (what, style) in styles(&theme) {
                let Some(front) = style.fg else { continue };
                for back in style.bg.map_or(vec![terminal, row], |own| vec![own]) {
                    let ratio = contrast(front, back);
                    assert!(ratio >= 4.5, "{name} {depth:?} {what}: {ratio:.2} on {back:?}");
                }
            }
            assert!(contrast(row, terminal) > 1.1, "{name} {depth:?}: the row does not stand out");
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
