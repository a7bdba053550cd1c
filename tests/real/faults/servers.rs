//! Servers that are stopped, busy, full, emptied, restarted, turned into replicas, or that take rights away.

use std::thread;

use super::scenario::{Fault, play};
use super::stage::Stage;
use crate::common::wait_until;

const SILENT: &[&str] = &["no answer within 300ms", "no answer to the login within 300ms"];
const DEBUG: &[&str] = &["--enable-debug-command", "yes"];

fn over(_: &mut Stage) {}

/// Runs a command that keeps the server busy, over a connection of its own.
fn in_background(stage: &Stage, words: &'static [&'static str]) {
    let mut client = stage.server.client();
    // It is ended by the test, with an error.
    thread::spawn(move || redis::cmd(words[0]).arg(&words[1..]).query::<redis::Value>(&mut client).ok());
}

/// Waits until the server runs commands again.
fn wait_back(stage: &mut Stage) {
    wait_until("the server to be back", || {
        redis::cmd("GET").arg("x").query::<redis::Value>(&mut stage.server.client()).is_ok()
    });
}

#[test]
fn the_process() {
    play(&[
        Fault::new(
            "restarted, its data lost",
            &["reconnecting"],
            |stage| stage.server.kill(),
            |stage| {
                stage.server.restart();
                stage.set_up();
            },
        ),
        Fault::new(
            "restarted, its data kept",
            &["reconnecting"],
            |stage| {
                stage.say(&[&["SAVE"]]);
                stage.server.kill();
            },
            |stage| stage.server.restart(),
        ),
        Fault::new("stopped (SIGSTOP)", SILENT, |stage| stage.server.stop(), |stage| stage.server.cont()),
        Fault::new(
            "CLIENT PAUSE",
            SILENT,
            // It pauses whoever would end it, too.
            |stage| stage.say(&[&["CLIENT", "PAUSE", "4000", "ALL"]]),
            wait_back,
        ),
        Fault::new("DEBUG SLEEP", SILENT, |stage| in_background(stage, &["DEBUG", "SLEEP", "2.5"]), wait_back)
            .on(DEBUG),
        Fault::new(
            "CLIENT KILL",
            &[],
            |stage| stage.say(&[&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]]),
            over,
        ),
        Fault::new("SCRIPT FLUSH", &[], |stage| stage.say(&[&["SCRIPT", "FLUSH"]]), over),
        Fault::new(
            "no room for clients",
            &["max number of clients", "reconnecting"],
            |stage| {
                stage.say(&[&["CONFIG", "SET", "maxclients", "1"]]);
                stage.say(&[&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]]);
            },
            |stage| stage.say(&[&["CONFIG", "SET", "maxclients", "100"]]),
        ),
    ]);
}

#[test]
fn the_state() {
    play(&[
        Fault::new(
            "loading (LOADING)",
            &["the server is loading its data"],
            |stage| {
                let mut pipeline = redis::pipe();
                for number in 0..3_000 {
                    pipeline.cmd("SET").arg(format!("filler:{number}")).arg(number);
                }
                pipeline.query::<()>(&mut stage.server.client()).unwrap();
                stage.say(&[
                    &["CONFIG", "SET", "key-load-delay", "800"],
                    &["CONFIG", "SET", "loading-process-events-interval-bytes", "1024"],
                ]);
                in_background(stage, &["DEBUG", "RELOAD"]);
            },
            wait_back,
        )
        .on(DEBUG),
        Fault::new(
            "a script that does not end (BUSY)",
            &["the server is busy running a script"],
            |stage| {
                stage.say(&[&["CONFIG", "SET", "busy-reply-threshold", "20"]]);
                in_background(stage, &["EVAL", "while true do end", "0"]);
            },
            |stage| {
                let mut client = stage.server.client();
                wait_until("the script to be ended", || {
                    let killed = redis::cmd("SCRIPT").arg("KILL").query::<redis::Value>(&mut client);
                    killed.is_err_and(|error| error.code() == Some("NOTBUSY"))
                });
            },
        ),
        Fault::new(
            "a replica without its primary (MASTERDOWN)",
            &["the replica has lost its primary"],
            |stage| {
                stage.say(&[&["CONFIG", "SET", "replica-serve-stale-data", "no"], &["REPLICAOF", "127.0.0.1", "1"]]);
            },
            |stage| stage.say(&[&["REPLICAOF", "NO", "ONE"]]),
        ),
        Fault::new(
            "a replica that takes no writes (READONLY)",
            &[],
            |stage| stage.say(&[&["REPLICAOF", "127.0.0.1", "1"]]),
            |stage| stage.say(&[&["REPLICAOF", "NO", "ONE"]]),
        ),
        Fault::new(
            "memory full (OOM)",
            &[],
            |stage| stage.say(&[&["CONFIG", "SET", "maxmemory", "1"]]),
            |stage| stage.say(&[&["CONFIG", "SET", "maxmemory", "0"]]),
        ),
    ]);
}

#[test]
fn the_rights() {
    play(&[
        Fault::new(
            "a password set meanwhile (NOAUTH)",
            &["login refused"],
            |stage| {
                stage.say(&[
                    &["CONFIG", "SET", "requirepass", "secret"],
                    &["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"],
                ]);
            },
            |stage| stage.say(&[&["CONFIG", "SET", "requirepass", ""]]),
        ),
        Fault::new(
            "another password (WRONGPASS)",
            &["login refused"],
            |stage| {
                stage.say(&[
                    &["ACL", "SETUSER", "reader", "resetpass", ">other"],
                    &["CLIENT", "KILL", "USER", "reader"],
                ]);
            },
            |stage| stage.say(&[&["ACL", "SETUSER", "reader", ">secret"]]),
        )
        .of_user(),
        Fault::new(
            "the user off",
            &["login refused"],
            |stage| stage.say(&[&["ACL", "SETUSER", "reader", "off"], &["CLIENT", "KILL", "USER", "reader"]]),
            |stage| stage.say(&[&["ACL", "SETUSER", "reader", "on"]]),
        )
        .of_user(),
        Fault::new(
            "the user gone",
            &["login refused"],
            |stage| stage.say(&[&["ACL", "DELUSER", "reader"]]),
            |stage| stage.say(&[&["ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@all"]]),
        )
        .of_user(),
        Fault::new(
            "no rights at all (NOPERM)",
            &["the user may not run"],
            |stage| stage.say(&[&["ACL", "SETUSER", "reader", "-@all"]]),
            |stage| stage.say(&[&["ACL", "SETUSER", "reader", "+@all"]]),
        )
        .of_user(),
        Fault::new(
            "no right to the board (NOPERM)",
            &["the user may not run"],
            |stage| stage.say(&[&["ACL", "SETUSER", "reader", "resetkeys", "~other"]]),
            |stage| stage.say(&[&["ACL", "SETUSER", "reader", "~*"]]),
        )
        .of_user(),
        Fault::new(
            "no right to scripts, the version, the meta hash (NOPERM)",
            &[],
            |stage| {
                stage.say(&[&["ACL", "SETUSER", "reader", "resetkeys", "~lb:{fault}:2026-W41", "-@scripting"]]);
            },
            |stage| stage.say(&[&["ACL", "SETUSER", "reader", "~*", "+@scripting"]]),
        )
        .of_user(),
    ]);
}
