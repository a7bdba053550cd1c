//! Typing, pasting and copying.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use vt100::Screen;

use super::harness::{BOARD, example, footer, numbered, poll, wait_selected};
use crate::common::{Key, ranktop};

/// As a terminal sends pasted text.
fn pasted(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~")
}

#[test]
fn pasted_text_is_no_keys_at_the_table() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "u:1000");
    pty.send(pasted("jj\nq\r:3\r\x03 "));
    pty.send("?");
    pty.wait_text("down one row; at the bottom, the next page");
    pty.send("?");
    wait_selected(&pty, "u:1000");
    assert!(pty.screen().contains("● live"));
}

#[test]
fn what_is_no_key_does_nothing() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "u:1000");
    // Function keys, mouse and focus reports, keys with Alt, bytes that are no text, a position nobody asked for.
    for noise in
        ["\x1b[15~", "\x1bOP", "\x1b[<0;10;10M", "\x1b[M !!", "\x1b[I", "\x1b[O", "\x1bq", "\x1bj", "\x1b[3;7R"]
    {
        pty.send(noise);
    }
    pty.send(b"\xff\xfe\x80\x00\x1c\x1d\x1e\x1f");
    pty.send("жЖ漢\u{1f600}\t");
    pty.send("?");
    pty.wait_text("down one row; at the bottom, the next page");
    pty.send("?");
    wait_selected(&pty, "u:1000");
}

#[test]
fn pasted_text_is_one_line_of_a_prompt() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "u:1000");
    pty.send("/");
    pty.wait_text("an id or a part of a name");
    assert!(!pty.with_screen(Screen::hide_cursor), "there is a cursor to type at");
    pty.send(pasted("u:\n10\r\n03"));
    pty.wait_for("the pasted line", |screen| footer(screen).starts_with("/u:1003"));
    pty.send("\r");
    wait_selected(&pty, "u:1003");
    assert!(pty.with_screen(Screen::hide_cursor));
    // More than any buffer between here and there holds at once.
    pty.send("/");
    pty.send(pasted(&format!("{}end", "x\n".repeat(1_500))));
    pty.wait_for("the end of the pasted line", |screen| footer(screen).contains("xend"));
    pty.send("\x15");
    pty.wait_for("an empty line", |screen| footer(screen).starts_with("/ an id or a part of a name"));
    pty.key(Key::Esc);
    pty.wait_for("the footer", |screen| footer(screen).starts_with("1–4 of 4"));
}

#[test]
fn prompts_go_where_they_are_told() {
    let server = numbered(300, 1);
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "p1");
    for (typed, member) in [
        (":250", "p250"),
        (":-50", "p200"),
        (":+3", "p203"),
        (":50%", "p150"),
        (":=2980", "p3"),
        (":=1.5", "p300"),
        ("/p77", "p77"),
    ] {
        pty.send(typed);
        pty.wait_for(typed, |screen| footer(screen).starts_with(typed));
        pty.key(Key::Enter);
        wait_selected(&pty, member);
    }
    pty.send("/P77\r");
    pty.wait_text("nothing on this board matches");
    pty.send(":x\r");
    pty.wait_text("cannot go to 'x'");
    wait_selected(&pty, "p77");
    // What is typed into a prompt is no command.
    pty.send("/qrg");
    pty.wait_for("a line", |screen| footer(screen).starts_with("/qrg"));
    pty.key(Key::Ctrl('c'));
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn a_line_is_edited_where_the_cursor_is() {
    let server = numbered(300, 1);
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "p1");
    // Backspace in both forms, arrows, Home, End, Delete, a word back, a word away.
    for (typed, line) in [
        (":13\x08", ":1"),
        ("23\x7f", ":12"),
        ("\x1b[D5", ":152"),
        ("\x1b[H\x1b[3~", ":52"),
        ("\x1bOF0\x1b[7~\x1b[3~", ":20"),
        ("\x1b[F 3", ":20 3"),
        ("\x17", ":20"),
        ("\x1bb\x1b[3;5~", ":"),
        ("25", ":25"),
    ] {
        pty.send(typed);
        pty.wait_for(line, |screen| footer(screen).starts_with(&format!("{line} ")));
    }
    pty.key(Key::Enter);
    wait_selected(&pty, "p25");
}

#[test]
fn answers_to_other_programs_are_no_keys_and_no_text() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "u:1000");
    let answers = [
        "\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\",
        "\x1b]11;rgb:jjqq/1e1e/1e1e\x07",
        "\x1bP>|jq 3.3a\x1b\\",
        "\x1b_Gi=31;OKq\x1b\\",
        "\x1b^q\r\x1b\\",
        "\x1bX:3\rq\x1b\\",
        "\x1b[?62;22c",
        "\x1b[12;40R",
        "\x1b[?2004;1$y",
    ];
    for place in ["", "/u"] {
        pty.send(place);
        for answer in answers {
            // In one piece, and cut into two at a place that moves from one to the next.
            pty.send(answer);
            let (begin, end) = answer.split_at(1 + answer.len() % 5);
            pty.send(begin);
            pty.send(end);
        }
        // A lone lead byte of UTF-8 swallows nothing.
        pty.send(b"\xc3");
        pty.send("?");
        if place.is_empty() {
            pty.wait_text("down one row; at the bottom, the next page");
            pty.send("?");
            wait_selected(&pty, "u:1000");
        } else {
            pty.wait_for("what was typed and no more", |screen| footer(screen).starts_with("/u? "));
        }
    }
}

#[test]
fn somebody_is_found_by_a_part_of_the_name() {
    let server = example();
    server.cmd(&["HSET", "lb:{spring}:names", "u:1001", "Katherine Johnson"]);
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "u:1000");
    pty.send("/johnson\r");
    wait_selected(&pty, "u:1001");
    pty.send("/u:10\r");
    wait_selected(&pty, "u:1000");
    pty.send("nn");
    wait_selected(&pty, "u:1001");
    pty.send("N");
    wait_selected(&pty, "u:1002");
}

#[test]
fn the_copied_cursor_is_one_for_the_command_line() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "u:1000");
    pty.send("jY");
    pty.wait_text("cursor sent to the terminal's clipboard");
    let lead = b"\x1b]52;c;";
    pty.wait_bytes("the words for the clipboard", lead);
    let bytes = pty.bytes();
    let from = bytes.windows(lead.len()).position(|window| window == lead).unwrap() + lead.len();
    let length = bytes[from..].iter().position(|byte| *byte == 7).unwrap();
    let cursor = String::from_utf8(STANDARD.decode(&bytes[from..from + length]).unwrap()).unwrap();
    let url = server.url();
    let run = ranktop(&["page", BOARD, "--url", &url, "--after", &cursor, "--format", "json"]).run();
    run.assert_clean();
    let page = run.json();
    assert_eq!((&page["start"], &page["rows"][0]["member"]), (&3.into(), &"u:1001".into()));
    assert!(page["drift"].is_null(), "{page}");
    assert!(!pty.screen().contains(&cursor[..12]), "it is no part of the screen");
}

#[test]
fn a_lone_escape_closes_and_never_quits() {
    let server = example();
    let pty = poll(&server).pty(80, 24);
    wait_selected(&pty, "u:1000");
    for open in ["?", "i", "/x", ":1"] {
        pty.send(open);
        pty.wait_for("what was opened", |screen| !footer(screen).ends_with("q quit"));
        pty.key(Key::Esc);
        pty.wait_for("the table", |screen| footer(screen).ends_with("q quit"));
    }
    assert!(pty.screen().contains("● live"));
}
