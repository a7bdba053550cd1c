//! Slips on the command line: each is answered by what was probably meant, or by what there is.

use crate::common::{Program, RedisServer, ranktop};

#[test]
fn a_word_that_is_almost_a_command_is_named() {
    for (args, meant) in [
        (&["pge", "small"][..], "hint: did you mean 'page'?"),
        (&["rnak", "small", "u:1"], "hint: did you mean 'rank'?"),
        (&["bords", "x", "--format", "json"], "hint: did you mean 'boards'?"),
        (&["help", "pages"], "hint: did you mean 'page'?"),
    ] {
        ranktop(args).run().assert_code(2).assert_err_has(meant);
    }
    // What is no command's neighbour is a board, and two boards are one too many.
    let run = ranktop(&["lb:{spring}", "other"]).run();
    run.assert_code(2).assert_err_has("unexpected argument 'other'");
}

#[test]
fn a_score_without_a_change_names_both_ways() {
    let run = ranktop(&["score", "b", "u:1"]).run();
    run.assert_code(2).assert_err_has("--by <N>").assert_err_has("--set <N>");
}

#[test]
fn a_position_past_the_end_says_how_many_rows_there_are() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "b", "4", "a", "3", "b", "2", "c", "1", "d"]);
    let run = |at: &str| ranktop(&["page", "b", "--at", at, "--url", &server.url()]).run();
    run("4").assert_code(0);
    run("99")
        .assert_code(3)
        .assert_out("")
        .assert_err_has("the board has 4 rows")
        .assert_err_has("the last position is 4");
}

#[test]
fn no_grace_is_none() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "b", "4", "a"]);
    let run = ranktop(&["close", "b", "--grace", "0s", "--url", &server.url()]).run();
    run.assert_code(0).assert_out_has("b: closed at ");
}

#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let script = "\"$1\" --help >/dev/full";
    let program = env!("CARGO_BIN_EXE_ranktop");
    let run = Program::new("sh", &["-c", script, "sh", program]).run();
    run.assert_code(1).assert_err_has("cannot write the help: ");
    let quiet = Program::new("sh", &["-c", "\"$1\" --help | true", "sh", program]).run();
    quiet.assert_clean();
}

#[test]
fn completions_have_no_options_of_a_connection() {
    let help = ranktop(&["completions", "--help"]).run();
    help.assert_code(0);
    assert!(!help.out().contains("--url") && !help.out().contains("--order"), "{help}");
}

#[test]
fn an_option_of_another_command_is_refused_by_name() {
    for (args, what, hint) in [
        (
            &["ties", "b", "--size", "3"][..],
            "'--size' has no effect with 'ranktop ties'",
            "an option of 'ranktop page'",
        ),
        (&["close", "b", "--order", "asc"], "'--order' has no effect with 'ranktop close'", "'ranktop close --help'"),
        (&["b", "--format", "json"], "'--format' has no effect with 'ranktop BOARD'", "'ranktop --help'"),
        (&["demo", "--url", "redis://h"], "'--url' has no effect with 'ranktop demo'", "'ranktop demo --help'"),
        (&["--url", "redis://h", "page", "b"], "'--url' before the command 'page'", "'ranktop page … --url'"),
        (&["--ascii", "page", "b"], "'--ascii' before the command 'page'", "'ranktop page --help'"),
    ] {
        ranktop(args).run().assert_code(2).assert_out("").assert_err_has(what).assert_err_has(hint);
    }
    // What no command has is a slip.
    let run = ranktop(&["page", "b", "--sise", "3"]).run();
    run.assert_code(2).assert_err_has("unexpected argument '--sise'").assert_err_has("'--size'");
}
