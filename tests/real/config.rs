//! The built program's lasting settings: where their file is looked for, what outweighs what, what is said of a file that
//! cannot be used, and what `ranktop config`, `ranktop completions` and `ranktop man` print.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{Program, RedisServer, ranktop, text};
use serde_json::{Value, json};

/// Writes `text` where a program looks for its settings, or to another file of its home.
fn put(program: &Program, file: &str, text: &str) -> PathBuf {
    let path = program.home().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

const USUAL: &str = "config/ranktop/config.toml";

/// `ranktop config` in JSON, with options of its own.
fn config(args: &[&str]) -> Program {
    ranktop(&["config", "--format", "json"]).args(args)
}

/// What `ranktop config` says of one setting.
#[track_caller]
fn setting(program: Program, key: &str) -> Value {
    let run = program.run();
    run.assert_clean();
    let all = run.json();
    all.as_array().unwrap().iter().find(|setting| setting["setting"] == key).unwrap().clone()
}

#[test]
fn the_file_is_found_where_it_is_named() {
    let timeout = |program: Program| {
        let said = setting(program, "timeout");
        let file = said["file"].as_str().map(|file| Path::new(file).file_name().unwrap().to_str().unwrap().to_owned());
        (said["value"].as_str().unwrap().to_owned(), file)
    };
    let found = |value: &str, file: &str| (value.to_owned(), Some(file.to_owned()));
    assert_eq!(timeout(config(&[])), ("1s".to_owned(), None));

    let program = config(&[]);
    put(&program, USUAL, "timeout = '2s'");
    assert_eq!(timeout(program), found("2s", "config.toml"));

    let program = config(&[]).without_env("XDG_CONFIG_HOME");
    put(&program, ".config/ranktop/config.toml", "timeout = '3s'");
    assert_eq!(timeout(program), found("3s", "config.toml"));

    let program = config(&[]);
    put(&program, USUAL, "timeout = '2s'");
    let other = put(&program, "other.toml", "timeout = '4s'");
    assert_eq!(timeout(program.env("RANKTOP_CONFIG", &other)), found("4s", "other.toml"));

    let program = config(&[]);
    let other = put(&program, "other.toml", "timeout = '4s'");
    let third = put(&program, "third.toml", "timeout = '5s'");
    let program = program.env("RANKTOP_CONFIG", &other).arg("--config").arg(&third);
    assert_eq!(timeout(program), found("5s", "third.toml"));

    let program = config(&["--config", "/dev/null"]);
    put(&program, USUAL, "timeout = '2s'");
    assert_eq!(timeout(program), ("1s".to_owned(), None));
}

#[test]
fn a_file_that_cannot_be_used_is_wrong_usage() {
    for (text, what, hint) in [
        ("\nordr = 'asc'", "line 2: there is no setting 'ordr'", "did you mean 'order'?"),
        ("order = 'up'", "line 1: 'order' cannot be 'up'", "--order"),
        ("ascii = 1", "line 1: 'ascii' must be true or false, and this is a number", "ascii = true"),
        ("password = 's3cret'", "line 1: 'password' may not stand in a file of settings", "password-file"),
        ("url = 'redis:s3cret'", "line 1: 'url': the address", "--url"),
        ("theme = 'drak'", "line 1: 'theme' cannot be 'drak': there is no theme of this name", "default, light, mono"),
        ("\u{1b}[2J = 1", "line 1: it is no TOML", "interval"),
        ("\"\\u001b[2J\" = 1", r"there is no setting '\e[2J'", "there are"),
    ] {
        for args in [&["page", "b"][..], &["boards"], &["config"], &["demo"], &["b"]] {
            let program = ranktop(args);
            let path = put(&program, USUAL, text);
            let run = program.run();
            run.assert_code(2).assert_out("").assert_err_has(what).assert_err_has(hint);
            run.assert_err_has(&format!("error: '{}', ", path.display()));
            assert_eq!(run.err().lines().count(), 2, "{run}");
            assert!(!run.err().contains("s3cret") && !run.err().contains('\u{1b}'), "{run}");
        }
    }
    let named: [fn(Program) -> Program; 2] =
        [|program| program.args(&["--config", "absent.toml"]), |program| program.env("RANKTOP_CONFIG", "absent.toml")];
    for name in named {
        name(ranktop(&["config"])).run().assert_code(2).assert_err_has("cannot read the settings in 'absent.toml'");
    }
    let program = ranktop(&["config"]);
    fs::create_dir_all(program.home().join(USUAL)).unwrap();
    program.run().assert_code(2).assert_err_has("cannot read the settings in");
    let program = ranktop(&["config"]);
    fs::create_dir_all(program.home().join("config/ranktop")).unwrap();
    fs::write(program.home().join(USUAL), b"user = '\xff'").unwrap();
    program.run().assert_code(2).assert_err_has("cannot read the settings in");
}

/// A board whose meta hash asks for low scores first and dense ranks.
fn server() -> RedisServer {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "b", "10", "low", "20", "x", "20", "y", "30", "high"]);
    server.cmd(&["HSET", "b:meta", "order", "asc", "rank", "dense"]);
    server
}

#[test]
fn how_scores_of_some_boards_are_packed_stands_in_the_file() {
    let server = RedisServer::start();
    for key in ["ctf:a", "other"] {
        server.cmd(&["ZADD", key, "3000", "m", "2999", "n", "2998", "o"]);
    }
    let file = "[boards.'ctf:*']\nscore = 'points,time:3'\n";
    let program = |args: &[&str]| {
        let program = ranktop(args).env("RANKTOP_URL", server.url());
        put(&program, USUAL, file);
        program
    };
    for (board, tied) in [("ctf:a", 2), ("other", 1)] {
        let run = program(&["page", board, "--format", "json"]).run();
        run.assert_clean();
        assert_eq!(run.json()["rows"][2]["tied"], tied, "{board}");
        let run = program(&["audit", board]).run();
        run.assert_code(0);
    }
    program(&["config"]).run().assert_out_has("boards.\"ctf:*\".score");
    let pty = program(&["ctf:a"]).pty(100, 20);
    pty.wait_text("POINTS");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    let wrong = ranktop(&["page", "b"]);
    put(&wrong, USUAL, "\n[boards.b]\nscore = 'points,time'\n");
    wrong
        .run()
        .assert_code(2)
        .assert_err_has("line 3: 'score' cannot be 'points,time': ':' and a width")
        .assert_err_has("column 12");
}

#[test]
fn order_and_style_of_the_file_stand_between_flags_and_the_board() {
    let server = server();
    let page = |file: &str, args: &[&str]| {
        let program = ranktop(&["page", "b", "--format", "json"]).args(args).env("RANKTOP_URL", server.url());
        put(&program, USUAL, file);
        let run = program.run();
        run.assert_clean();
        let page = run.json();
        (page["order"].as_str().unwrap().to_owned(), page["rank_style"].as_str().unwrap().to_owned())
    };
    let both = |order: &str, style: &str| (order.to_owned(), style.to_owned());
    assert_eq!(page("", &[]), both("asc", "dense"));
    assert_eq!(page("order = 'desc'", &[]), both("desc", "dense"));
    assert_eq!(page("rank-style = 'modified'", &[]), both("asc", "modified"));
    let file = "order = 'desc'\nrank-style = 'modified'";
    assert_eq!(page(file, &[]), both("desc", "modified"));
    assert_eq!(page(file, &["--order", "asc", "--rank-style", "ordinal"]), both("asc", "ordinal"));
    // The same on the screen.
    let program = ranktop(&["b", "--url", &server.url()]);
    put(&program, USUAL, file);
    let pty = program.pty(100, 20);
    pty.wait_for("the file's order and style", |screen| {
        let screen = text(screen);
        screen.contains("high first") && screen.contains("ranks 1 3 3 4")
    });
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn a_server_user_and_password_of_the_file_are_used() {
    let server = server();
    server.cmd(&["ACL", "SETUSER", "viewer", "on", ">s3cret", "~*", "+@read", "+@connection"]);
    let program = ranktop(&["page", "b", "--format", "json"]);
    let file = format!("url = '{}'\nuser = 'viewer'\npassword-file = 'pw'", server.url());
    put(&program, USUAL, &file);
    // Beside the file of settings, not where the program was started.
    put(&program, "config/ranktop/pw", "s3cret\n");
    let run = program.run();
    run.assert_clean();
    assert_eq!(run.json()["total"], 4);
    // The environment outweighs it.
    let program = ranktop(&["page", "b"]).env("REDIS_URL", "redis://127.0.0.1:1");
    put(&program, USUAL, &file);
    put(&program, "config/ranktop/pw", "s3cret\n");
    program.run().assert_code(1).assert_err_has("127.0.0.1:1");
}

#[test]
fn ascii_and_page_size_of_the_file_are_on_the_screen() {
    let server = server();
    let program = ranktop(&["b", "--url", &server.url()]);
    put(&program, USUAL, "ascii = true\npage-size = 2\ncolor = 'never'");
    let pty = program.pty(100, 20);
    pty.wait_text("1-2 of 4");
    pty.wait_text("* live");
    assert!(pty.bytes().is_ascii());
}

#[test]
fn settings_are_printed_with_where_they_come_from() {
    let program = ranktop(&["config", "--timeout", "5s"]).env("RANKTOP_URL", "redis://me:s3cret@h:7000/2");
    let program = program.env("RANKTOP_PASSWORD", "s3cret").env("NO_COLOR", "1");
    let path = put(&program, USUAL, "# mine\ninterval = '2s'\nurl = 'redis://other'");
    let run = program.run();
    run.assert_clean();
    let line = |key: &str| {
        let line = run.out().lines().find(|line| line.split_whitespace().next() == Some(key)).unwrap();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("SETTING"), "SETTING VALUE FROM");
    assert_eq!(line("url"), "url redis://***@h:7000/2 environment RANKTOP_URL");
    assert_eq!(line("timeout"), "timeout 5s flag");
    assert_eq!(line("interval"), format!("interval 2s file {}, line 2", path.display()));
    assert_eq!(line("color"), "color never environment NO_COLOR");
    assert_eq!(line("paging"), "paging cursor default");
    assert_eq!(line("order"), "order what the board says, else desc default");
    assert!(!run.to_string().contains("s3cret"), "{run}");

    let program = config(&["-u", "redis://:s3cret@h"]);
    assert_eq!(
        setting(program, "url"),
        json!({"setting": "url", "value": ["redis://***@h"], "from": "flag", "variable": null, "file": null, "line": null})
    );
}

#[test]
fn values_have_their_types_in_json() {
    let value = |args: &[&str], file: &str, key: &str| {
        let program = config(args);
        put(&program, USUAL, file);
        setting(program, key)["value"].clone()
    };
    assert_eq!(value(&[], "", "order"), Value::Null);
    assert_eq!(value(&[], "", "ascii"), json!(false));
    assert_eq!(value(&[], "ascii = true", "ascii"), json!(true));
    assert_eq!(value(&[], "page-size = 20", "page-size"), json!(20));
    assert_eq!(value(&[], "", "page-size"), json!("fit"));
    assert_eq!(value(&["-u", "redis://a", "-u", "redis://b"], "", "url"), json!(["redis://a", "redis://b"]));
}

#[test]
fn the_man_page_has_the_options_of_what_it_is_of() {
    let page = ranktop(&["man"]).run();
    page.assert_clean();
    for text in [".TH ranktop 1", ".SH SYNOPSIS", "rank\\-style", "ranktop\\-page(1)"] {
        page.assert_out_has(text);
    }
    let page = ranktop(&["man", "close"]).run();
    page.assert_clean();
    for text in [".TH ranktop-close 1", "\\-\\-grace", "\\-\\-log\\-file"] {
        page.assert_out_has(text);
    }
    ranktop(&["man", "clsoe"]).run().assert_code(2).assert_err_has("did you mean 'close'?");
    ranktop(&["man", "zzz"]).run().assert_code(2).assert_err_has("'ranktop --help' lists the commands");
    ranktop(&["man", "--order", "asc"]).run().assert_code(2).assert_err_has("no effect with 'ranktop man'");
}

#[test]
fn every_shell_gets_its_completions() {
    for (shell, word) in [
        ("bash", "complete -F _ranktop"),
        ("zsh", "#compdef ranktop"),
        ("fish", "complete -c ranktop"),
        ("elvish", "edit:completion"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let run = ranktop(&["completions", shell]).run();
        run.assert_clean();
        for word in [word, "rank-style", "freeze"] {
            run.assert_out_has(word);
        }
    }
    let script = ranktop(&["completions", "bash"]).run();
    let checked = Program::new("bash", &["-n"]).stdin(&script.stdout).run();
    checked.assert_clean();
    ranktop(&["completions", "tcsh"]).run().assert_code(2).assert_err_has("tcsh");
    ranktop(&["completions"]).run().assert_code(2).assert_err_has("SHELL");
    ranktop(&["completions", "bash", "--order", "asc"])
        .run()
        .assert_code(2)
        .assert_err_has("no effect with 'ranktop completions'");
    ranktop(&["completions", "bash", "--config", "x"])
        .run()
        .assert_code(2)
        .assert_err_has("no effect with 'ranktop completions'");
}

#[test]
fn what_the_file_says_of_tls_is_for_servers_that_speak_it() {
    let server = server();
    let program = |args: &[&str]| {
        let program = ranktop(&["b", "--url", &server.url()]).args(args);
        put(&program, USUAL, "tls-insecure = true");
        program
    };
    let pty = program(&[]).pty(100, 20);
    pty.wait_text("1–4 of 4");
    assert!(!pty.screen().contains("TLS not verified"), "{}", pty.screen());
    let pty = program(&["--tls-insecure"]).pty(100, 20);
    assert_eq!(pty.wait_exit(), 2);
    assert!(pty.screen().contains("'--tls-insecure' is of use to rediss:// only"), "{}", pty.screen());
}

#[test]
fn a_theme_of_a_file_is_on_the_screen() {
    let server = server();
    let watch = |file: &str, args: &[&str]| {
        let program = ranktop(&["b", "--url", &server.url()]).args(args);
        put(&program, USUAL, file);
        put(&program, "config/ranktop/my.toml", "[selected]\nfg = '#010203'\nbg = '#fdfeff'");
        program
    };
    let own = vt100::Color::Rgb(0xfd, 0xfe, 0xff);
    let is_own =
        |screen: &vt100::Screen| (0..20).any(|line| screen.cell(line, 8).is_some_and(|cell| cell.bgcolor() == own));
    // Beside the file of settings, not where the program was started.
    let pty = watch("theme = 'my.toml'", &[]).pty(100, 20);
    pty.wait_for("the theme's colour under the selected row", is_own);
    let program = watch("", &["--theme"]);
    let path = program.home().join("config/ranktop/my.toml");
    let pty = program.arg(path).pty(100, 20);
    pty.wait_for("the theme's colour under the selected row", is_own);
    let pty = watch("theme = 'my.toml'", &["--theme", "light"]).pty(100, 20);
    pty.wait_text("1–4 of 4");
    assert!(!pty.with_screen(is_own));
    for (theme, what) in [
        ("no/such.toml", "error: cannot read the theme 'no/such.toml': "),
        ("drak", "error: there is no theme 'drak'"),
        ("Cargo.toml", "error: 'Cargo.toml', line 1: there is no role 'package'"),
    ] {
        let pty = watch("", &["--theme", theme]).pty(100, 20);
        assert_eq!(pty.wait_exit(), 2, "{theme}");
        assert!(pty.screen().contains(what) && pty.screen().contains("hint: there are"), "{}", pty.screen());
    }
}
