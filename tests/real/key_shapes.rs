//! Keys and their templates: what is rendered is read back, whatever bytes games, versions and members are made of.

use proptest::prelude::*;
use ranktop::board::board_template::{BoardKeyError, BoardTemplate};
use ranktop::board::keys::{Key, base_of, frozen_key, frozen_of, hash_tag, is_companion, split_period};
use ranktop::board::period::Period;
use ranktop::board::template::{
    CompanionTemplate, DEFAULT_BOARD, DEFAULT_META, DEFAULT_NAMES, DEFAULT_VERSION, MemberTemplate, TemplateError,
};

fn key(text: &str) -> Key {
    text.into()
}

fn board(text: &str) -> BoardTemplate {
    text.parse().unwrap()
}

fn companion(text: &str) -> CompanionTemplate {
    text.parse().unwrap()
}

fn week() -> Period {
    "2026-W41".parse().unwrap()
}

#[test]
fn default_keys() {
    let of = board(DEFAULT_BOARD).key(b"spring", Some(&week())).unwrap();
    assert_eq!(of, key("lb:{spring}:2026-W41"));
    assert_eq!(companion(DEFAULT_VERSION).of(&of), key("lb:{spring}:2026-W41:version"));
    assert_eq!(companion(DEFAULT_META).of(&of), key("lb:{spring}:2026-W41:meta"));
    assert_eq!(companion(DEFAULT_NAMES).of(&of), key("lb:{spring}:names"));
    assert_eq!(board(DEFAULT_BOARD).key(b"spring", None).unwrap(), key("lb:{spring}"));
}

#[test]
fn default_companions_are_known_by_their_shape() {
    for template in [DEFAULT_VERSION, DEFAULT_META, DEFAULT_NAMES] {
        for of in ["lb:{spring}:2026-W41", "lb:{spring}", "plain", "lb:{g}:2026-W41:frozen:41"] {
            assert!(!is_companion(&key(of)), "{of}");
            assert!(is_companion(&companion(template).of(&key(of))), "{template} of {of}");
        }
    }
    for of in ["", "names", ":names", "lb:{names}", "x:version:2026-W41", "x:versions", "x:META"] {
        assert!(!is_companion(&key(of)), "{of}");
    }
}

#[test]
fn boards_are_read_from_the_right() {
    let cases = [
        (DEFAULT_BOARD, "lb:{x:y}:2026-W41", Some(("x:y", Some("2026-W41")))),
        (DEFAULT_BOARD, "lb:{x}:2026-10-09", Some(("x", Some("2026-10-09")))),
        (DEFAULT_BOARD, "lb:{x}:2026-10", Some(("x", Some("2026-10")))),
        (DEFAULT_BOARD, "lb:{x}", Some(("x", None))),
        (DEFAULT_BOARD, "lb:{a}:2026-W40}:2026-W41", Some(("a}:2026-W40", Some("2026-W41")))),
        (DEFAULT_BOARD, "lb:{x}:2025-W53", None),
        (DEFAULT_BOARD, "lb:{x}:2026-W41:version", None),
        (DEFAULT_BOARD, "lb:{x}:names", None),
        (DEFAULT_BOARD, "lb:{}:2026-W41", None),
        (DEFAULT_BOARD, "lb:{}x}:2026-W41", None),
        (DEFAULT_BOARD, "lb:{x", None),
        (DEFAULT_BOARD, "", None),
        ("lb:<game>:<period>", "lb:x:y:2026-W41", Some(("x:y", Some("2026-W41")))),
        ("lb:<game>:<period>", "lb:x:y:z", Some(("x:y:z", None))),
        ("lb:<game>:<period>", "lb:2026-W40:2026-W41", Some(("2026-W40", Some("2026-W41")))),
        ("<period>:lb:<game>", "2026-10-09:lb:x", Some(("x", Some("2026-10-09")))),
        ("<period>:lb:<game>", "lb:x", Some(("x", None))),
        ("<game><period>", "x2026-10-09", Some(("x", Some("2026-10-09")))),
        ("<period><game>", "2026-10-09", Some(("-09", Some("2026-10")))),
        ("lb:<period>:<game>:all", "lb:2026-10:2026-11:all", Some(("2026-11", Some("2026-10")))),
        ("lb:<game>", "lb:x:2026-W41", Some(("x:2026-W41", None))),
        ("a<game>a", "a", None),
    ];
    for (template, text, expected) in cases {
        let expected =
            expected.map(|(game, period)| (game.as_bytes().to_vec(), period.map(|text| text.parse().unwrap())));
        assert_eq!(board(template).read(&key(text)), expected, "{template} {text}");
    }
}

#[test]
fn without_a_period_its_colon_goes() {
    for (template, expected) in [
        ("lb:{<game>}:<period>", "lb:{g}"),
        ("lb:<period>:{<game>}", "lb:{g}"),
        ("<period>:{<game>}", "{g}"),
        ("{<game>}:<period>:top", "{g}:top"),
        ("{<game>}/<period>", "{g}/"),
        ("{<game>}", "{g}"),
    ] {
        assert_eq!(board(template).key(b"g", None).unwrap(), key(expected), "{template}");
    }
}

#[test]
fn games_without_a_hash_tag_are_refused() {
    for game in ["", "}", "}x"] {
        assert_eq!(board(DEFAULT_BOARD).key(game.as_bytes(), Some(&week())), Err(BoardKeyError::Game), "{game}");
    }
    let error = board("lb:{<game>}").key(b"x", Some(&week())).unwrap_err();
    assert_eq!(error.to_string(), "no placeholder '<period>' in 'lb:{<game>}', so there is no board of 2026-W41");
}

#[test]
fn templates_that_cannot_be_used() {
    let message = |error: TemplateError| error.to_string();
    assert_eq!(
        board_error("lb:{<gmae>}"),
        TemplateError::Unknown { template: "lb:{<gmae>}".into(), name: "gmae".into(), allowed: vec!["game", "period"] }
    );
    assert_eq!(
        message(board_error("lb:{<gmae>}")),
        "unknown placeholder '<gmae>' in 'lb:{<gmae>}'\nallowed here: <game>, <period>"
    );
    assert_eq!(
        message(board_error("lb:{<game>}:<board>\x1b")),
        "unknown placeholder '<board>' in 'lb:{<game>}:<board>\\u{1b}'\nallowed here: <game>, <period>"
    );
    assert_eq!(
        message(board_error("lb:<game")),
        "placeholder without '>' in 'lb:<game'\nallowed here: <game>, <period>"
    );
    assert_eq!(message(board_error("<game>:<game>")), "placeholder '<game>' twice in '<game>:<game>'");
    assert_eq!(message(board_error("lb:<period>")), "no placeholder '<game>' in 'lb:<period>'");
    assert_eq!(
        message("<game>:version".parse::<CompanionTemplate>().unwrap_err()),
        "unknown placeholder '<game>' in '<game>:version'\nallowed here: <board>, <base>"
    );
    assert_eq!(message("user".parse::<MemberTemplate>().unwrap_err()), "no placeholder '<member>' in 'user'");
    assert_eq!(
        message("<>".parse::<MemberTemplate>().unwrap_err()),
        "unknown placeholder '<>' in '<>'\nallowed here: <member>"
    );
}

fn board_error(text: &str) -> TemplateError {
    text.parse::<BoardTemplate>().unwrap_err()
}

#[test]
fn templates_are_written_as_they_were_given() {
    for text in [DEFAULT_BOARD, "<period>a<game>b"] {
        assert_eq!(board(text).to_string(), text);
    }
    for text in [DEFAULT_VERSION, "{<base>}:v:<board>", "v"] {
        assert_eq!(companion(text).to_string(), text);
    }
    assert_eq!("user:<member>".parse::<MemberTemplate>().unwrap().to_string(), "user:<member>");
}

#[test]
fn companions_by_other_templates() {
    let of = key("lb:{g}:2026-W41");
    assert_eq!(companion("{<base>}:v:<board>").of(&of), key("{lb:{g}}:v:lb:{g}:2026-W41"));
    assert_eq!(companion("v>").of(&of), key("v>"));
    let user: MemberTemplate = "user:<member>:x".parse().unwrap();
    assert_eq!(user.of(b"\xff<member>"), Key::from(b"user:\xff<member>:x".as_slice()));
}

#[test]
fn bases() {
    for (of, base) in [
        ("lb:{g}:2026-W41", "lb:{g}"),
        ("lb:{g}:2026-W41:frozen:41", "lb:{g}"),
        ("lb:{g}:2026-W41:frozen:2026-10", "lb:{g}"),
        ("lb:{g}:2026-W41:frozen:a:b", "lb:{g}"),
        ("lb:{g}:2026-W41:frozen:41:frozen:7", "lb:{g}"),
        ("lb:{x:frozen:y}:2026-W41", "lb:{x:frozen:y}"),
        ("lb:{x:frozen:y}:2026-W41:frozen:41", "lb:{x:frozen:y}"),
        ("lb:{g}:2026-W54", "lb:{g}:2026-W54"),
        ("lb:{g}:2026-10:2026-W41", "lb:{g}:2026-10"),
        ("plain", "plain"),
        ("2026-W41", "2026-W41"),
        (":2026-W41", ":2026-W41"),
        (":frozen:41", ":frozen:41"),
        ("", ""),
    ] {
        assert_eq!(base_of(&key(of)), key(base), "{of}");
    }
    assert_eq!(split_period(b"lb:{g}:2026-W41"), (b"lb:{g}".as_slice(), Some(week())));
    assert_eq!(split_period(b"lb:{g}:"), (b"lb:{g}:".as_slice(), None));
}

#[test]
fn hash_tags() {
    for (of, tag) in [
        ("lb:{spring}:2026-W41", Some("spring")),
        ("{user1000}.following", Some("user1000")),
        ("foo{}{bar}", None),
        ("foo{{bar}}zap", Some("{bar")),
        ("foo{bar}{zap}", Some("bar")),
        ("}foo{bar}", Some("bar")),
        ("foo{bar", None),
        ("foo}bar{", None),
        ("", None),
    ] {
        assert_eq!(hash_tag(&key(of)), tag.map(str::as_bytes), "{of}");
    }
}

#[test]
fn keys_are_shown_escaped() {
    assert_eq!(format!("{:?}", Key::from(b"a\x1b[2J\xff\"".to_vec())), r#""a\x1b[2J\xff\"""#);
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let text = "([{}:<>a]|frozen|:frozen:|2026-W41|2026-10-09|2026-10){0,6}".prop_map(String::into_bytes);
    prop_oneof![text, prop::collection::vec(any::<u8>(), 0..12)]
}

fn any_period() -> impl Strategy<Value = Period> {
    prop::sample::select(vec!["2026-W41", "2026-W53", "2026-10-09", "2026-10"]).prop_map(|text| text.parse().unwrap())
}

proptest! {
    #[test]
    fn dated_boards_are_read_back(game in bytes(), period in any_period(), template in prop::sample::select(vec![DEFAULT_BOARD, "<game>:<period>", "<period>/{<game>}", "<game><period>"])) {
        let template = board(template);
        if let Ok(of) = template.key(&game, Some(&period)) {
            prop_assert_eq!(template.read(&of), Some((game, Some(period))));
        } else {
            let without_tag = game.first().is_none_or(|&byte| byte == b'}');
            prop_assert!(without_tag);
        }
    }

    /// What is read gives the very key, whatever the key.
    #[test]
    fn what_is_read_is_rendered_back(front in bytes(), of in bytes(), template in prop::sample::select(vec![DEFAULT_BOARD, "lb:<game>:<period>", "<period>:<game>", "<game>", "a<game>"])) {
        for of in [of.clone(), [b"lb:".as_slice(), &of].concat(), [&front, b":".as_slice(), &of].concat()] {
            let of = Key::from(of);
            if let Some((game, period)) = board(template).read(&of) {
                prop_assert_eq!(board(template).key(&game, period.as_ref()), Ok(of));
            }
        }
    }

    /// Versions are numbers: others write names and periods in their place.
    #[test]
    fn frozen_copies_name_their_board(of in bytes(), version in "[0-9]{0,12}") {
        let (of, version) = (Key::from(of), version.into_bytes());
        let copy = frozen_key(&of, &version);
        let after_brace = of.as_ref().iter().skip_while(|&&byte| byte != b'{');
        let left_open = after_brace.clone().next().is_some() && !after_brace.clone().any(|&byte| byte == b'}');
        if of.as_ref().is_empty() || left_open {
            return Ok(());
        }
        prop_assert_eq!(frozen_of(&copy), Some((of.clone(), version)));
        prop_assert_eq!(base_of(&copy), base_of(&of));
    }

    /// All keys of a game share its slot.
    #[test]
    fn companions_have_their_boards_hash_tag(game in bytes(), period in any_period(), version in bytes()) {
        let Ok(of) = board(DEFAULT_BOARD).key(&game, Some(&period)) else { return Ok(()) };
        let tag = hash_tag(&of);
        prop_assert!(tag.is_some());
        let copy = frozen_key(&of, &version);
        prop_assert_eq!(hash_tag(&copy), tag);
        for template in [DEFAULT_VERSION, DEFAULT_META, DEFAULT_NAMES] {
            let companion = companion(template).of(&of);
            prop_assert_eq!(hash_tag(&companion), tag);
        }
    }
}
