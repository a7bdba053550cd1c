//! What was sent and what came back, in words: the commands of a pipeline as `redis-cli` would take them, and replies
//! in short. Bounded, whatever a board holds.

use std::time::Duration;

use redis::{Arg, Cmd, Pipeline, Value};

use crate::query::error::StoreError;
use crate::query::round_trip::{CommandReply, RoundTrip};
use crate::text::quoting::argument;

/// Bytes of one argument that are told.
const ARGUMENT: usize = 48;
/// Arguments of one command that are told.
const ARGUMENTS: usize = 24;
/// Values of one reply that are told one by one: those of the script for pages, which has the most.
const LISTED: usize = 13;
/// Trips of one question that are kept; the searches without scripts take the most.
pub(super) const MOST: usize = 40;
/// Characters of a server's words that are told.
const SAID: usize = 200;
/// Commands of one trip that are told.
const COMMANDS: usize = 40;

/// The trip that `pipeline` made, in `took`, with `got` bytes coming meanwhile.
pub(super) fn trip(
    pipeline: &Pipeline,
    replies: &Result<Vec<Value>, StoreError>,
    took: Duration,
    got: u64,
) -> RoundTrip {
    let exchanges = match replies {
        Ok(replies) => exchanges(pipeline, replies),
        Err(trouble) => {
            let unanswered = |command: &Cmd| CommandReply { command: told(command), reply: said(&trouble.to_string()) };
            pipeline.cmd_iter().take(COMMANDS).map(unanswered).collect()
        }
    };
    let sent = pipeline.get_packed_pipeline().len() as u64;
    RoundTrip { exchanges, commands: pipeline.len(), took, sent, got }
}

/// Each command of `pipeline` with its reply. In a transaction that is the reply inside `EXEC`.
fn exchanges(pipeline: &Pipeline, replies: &[Value]) -> Vec<CommandReply> {
    let executed = match replies.last() {
        Some(Value::Array(results)) if results.len() + 2 == replies.len() => Some(results),
        _ => None,
    };
    pipeline
        .cmd_iter()
        .zip(replies)
        .take(COMMANDS)
        .enumerate()
        .map(|(at, (command, reply))| {
            let inside = executed.and_then(|results| results.get(at.checked_sub(1)?));
            // What EXEC answers has been told by then, command by command.
            let is_told = executed.is_some() && inside.is_none();
            CommandReply { command: told(command), reply: answered(inside.unwrap_or(reply), !is_told) }
        })
        .collect()
}

fn told(command: &Cmd) -> String {
    let is_script =
        matches!(command.args_iter().next(), Some(Arg::Simple(b"EVAL" | b"EVAL_RO" | b"EVALSHA" | b"EVALSHA_RO")));
    let mut words: Vec<String> = command
        .args_iter()
        .take(ARGUMENTS)
        .enumerate()
        .map(|(at, word)| match word {
            Arg::Simple(_) if is_script && at == 1 => "<script>".to_owned(),
            Arg::Simple(bytes) => argument(bytes, ARGUMENT),
            _ => "0".to_owned(),
        })
        .collect();
    if command.args_iter().len() > ARGUMENTS {
        words.push("…".to_owned());
    }
    words.join(" ")
}

/// A server's words in printable ASCII, and not all of them where they are very many.
fn said(text: &str) -> String {
    let mut words = String::new();
    for c in text.chars().take(SAID) {
        if c == ' ' || c.is_ascii_graphic() { words.push(c) } else { words.extend(c.escape_default()) }
    }
    words
}

fn answered(reply: &Value, is_outermost: bool) -> String {
    match reply {
        Value::Nil => "nothing".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::BulkString(bytes) => argument(bytes, ARGUMENT),
        Value::SimpleString(text) => said(text),
        Value::Okay => "OK".to_owned(),
        Value::ServerError(error) => said(&format!("{} {}", error.code(), error.details().unwrap_or_default())),
        // What a script counted is told; the rows that came with it are on the screen.
        Value::Array(values) if values.len() <= LISTED && is_outermost => {
            let values: Vec<String> = values.iter().map(|value| answered(value, false)).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Array(values) => format!("{} values", values.len()),
        _ => "a value".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_a_transaction_have_the_replies_inside_it() {
        let mut pipeline = redis::pipe();
        pipeline.cmd("MULTI");
        pipeline.cmd("ZCARD").arg("b").cmd("EVAL_RO").arg("return\n1").arg(1).arg("b\n");
        pipeline.cmd("EXEC");
        let queued = || Value::SimpleString("QUEUED".to_owned());
        let results = Value::Array(vec![Value::Int(4), Value::Array(vec![Value::Int(0), Value::Int(3)])]);
        let found = exchanges(&pipeline, &[Value::Okay, queued(), queued(), results]);
        let texts: Vec<String> = found.iter().map(|it| format!("{} → {}", it.command, it.reply)).collect();
        assert_eq!(texts, ["MULTI → OK", "ZCARD b → 4", r#"EVAL_RO <script> 1 "b\n" → [0, 3]"#, "EXEC → 2 values"]);
    }

    #[test]
    fn what_a_script_counted_is_told_and_its_rows_are_counted() {
        let mut pipeline = redis::pipe();
        pipeline.cmd("EVAL_RO").arg("return 1");
        let rows = Value::Array(vec![Value::Int(1); 54]);
        let reply = Value::Array(vec![Value::BulkString(b"page".to_vec()), Value::Int(44_990), Value::Nil, rows]);
        assert_eq!(exchanges(&pipeline, &[reply])[0].reply, "[page, 44990, nothing, 54 values]");
    }

    #[test]
    fn words_of_a_server_are_told_in_printable_ascii() {
        let mut pipeline = redis::pipe();
        pipeline.cmd("GET").arg("v");
        let found = exchanges(&pipeline, &[Value::SimpleString("a\x1b[2J\u{202e}é\n".repeat(500))]);
        assert!(found[0].reply.starts_with(r"a\u{1b}[2J\u{202e}\u{e9}\na"), "{}", found[0].reply);
        assert!(found[0].reply.len() < 3_000);
    }

    #[test]
    fn is_bounded_whatever_the_board_holds() {
        let mut pipeline = redis::pipe();
        let command = pipeline.cmd("HMGET");
        for _ in 0..1_000 {
            command.arg(vec![0xff_u8; 100_000]);
        }
        let found = exchanges(&pipeline, &[Value::Array(vec![Value::BulkString(vec![7; 1 << 20]); 8])]);
        assert!(found[0].command.len() < 8_000 && found[0].reply.len() < 3_000);
    }
}
