//! Poor terminals: none at all, without colours, without anything but ASCII.

use std::iter;

use vt100::{Color, Screen};

use super::harness::{example, put, selected, wait_selected, watch};
use crate::common::{Key, Program, text};

#[test]
fn without_a_terminal_there_is_a_hint() {
    let server = example();
    let run = watch(&server, &[]).run();
    run.assert_code(2).assert_out("").assert_err_has("error: watching needs a terminal");
    run.assert_err_has("'ranktop page BOARD' prints a page");
    crate::common::ranktop(&["demo", "--embedded"]).run().assert_code(2).assert_out("");
    // One end is not enough.
    for redirected in ["</dev/null", ">/dev/null"] {
        let line = format!("'{}' {} --url {} {redirected}", env!("CARGO_BIN_EXE_ranktop"), "board", server.url());
        let pty = Program::new("sh", &["-c", &line]).pty(80, 24);
        assert_eq!(pty.wait_exit(), 2, "{redirected}");
        assert!(pty.screen().contains("error: watching needs a terminal"), "{}", pty.screen());
    }
}

/// The colours of all cells.
fn colours(screen: &Screen) -> Vec<Color> {
    let (lines, columns) = screen.size();
    let cells = (0..lines).flat_map(|line| iter::repeat(line).zip(0..columns));
    let cells = cells.filter_map(|(line, column)| screen.cell(line, column));
    cells.flat_map(|cell| [cell.fgcolor(), cell.bgcolor()]).filter(|colour| *colour != Color::Default).collect()
}

#[test]
fn without_colours_the_selection_is_reversed() {
    let server = example();
    let program = || watch(&server, &["--interval", "100ms"]);
    let programs: [(&str, Program); 3] = [
        ("NO_COLOR", program().env("NO_COLOR", "1")),
        ("dumb", program().env("TERM", "dumb").without_env("COLORTERM")),
        ("never", program().args(&["--color", "never"])),
    ];
    for (name, program) in programs {
        let pty = program.pty(80, 24);
        wait_selected(&pty, "u:1000");
        pty.send("j");
        wait_selected(&pty, "u:1002");
        pty.with_screen(|screen| {
            assert_eq!(colours(screen), [], "{name}");
            let line = (0..24).find(|line| screen.cell(*line, 8).is_some_and(vt100::Cell::inverse)).unwrap();
            assert!(screen.rows(0, 80).nth(line.into()).unwrap().contains("u:1002"), "{name}");
        });
    }
    let pty = program().pty(80, 24);
    wait_selected(&pty, "u:1000");
    assert!(!pty.with_screen(colours).is_empty(), "with colours there are some");
}

#[test]
fn ascii_alone_is_drawn_where_that_is_all_there_is() {
    type Change = fn(Program) -> Program;
    let changes: [Change; 3] = [
        |program| program.args(&["--ascii"]),
        |program| program.env("LC_ALL", "C"),
        |program| program.env("LANG", "POSIX"),
    ];
    for change in changes {
        let server = example();
        server.cmd(&["HSET", "lb:{spring}:names", "u:1000", "Ада \u{1b}[31m", "u:1001", "华"]);
        server.cmd(&["HSET", "lb:{spring}:2026-W41:meta", "title", "Čup · ✓"]);
        let pty = change(watch(&server, &["--interval", "100ms"])).pty(120, 40);
        wait_selected(&pty, "u:1000");
        pty.wait_text(r"Ada \e[31m");
        pty.send("j");
        wait_selected(&pty, "u:1002");
        put(&server, &[("u:1003", 2000.0)]);
        pty.wait_text("2,000");
        for open in ["?", "i"] {
            pty.send(open);
            pty.wait_text("Esc close");
            pty.send(open);
            pty.wait_for("the table", |screen| !text(screen).contains("Esc close"));
        }
        pty.send("/é");
        pty.wait_text(r"/\u{e9}");
        pty.send("\x15\x7f");
        pty.key(Key::PageDown);
        pty.wait_text("this is the last page");
        assert!(pty.with_screen(selected).is_some());
        let bytes = pty.bytes();
        assert!(bytes.is_ascii(), "{:?}", String::from_utf8_lossy(&bytes).chars().find(|c| !c.is_ascii()));
    }
}
