//! What was sent and what came back, in words: the commands of a pipeline as `redis-cli` would take them, and replies
//! in short. Bounded, whatever a board holds.

use redis::{Arg, Cmd, Pipeline, Value};

use crate::board::evidence::{Exchange, argument};

/// Bytes of one argument that are told.
const ARGUMENT: usize = 48;
/// Arguments of one command that are told.
const ARGUMENTS: usize = 24;
/// Values of one reply that are told one by one: those of the script for pages, which has the most.
const LISTED: usize = 13;
/// Exchanges of one read that are kept; the searches without scripts take the most.
pub(super) const MOST: usize = 40;

/// Each command of `pipeline` with its reply. In a transaction that is the reply inside `EXEC`.
pub(super) fn exchanges(pipeline: &Pipeline, replies: &[Value]) -> Vec<Exchange> {
    let executed = match replies.last() {
        Some(Value::Array(results)) if results.len() + 2 == replies.len() => Some(results),
        _ => None,
    };
    pipeline
        .cmd_iter()
        .zip(replies)
        .enumerate()
        .map(|(at, (command, reply))| {
            let inside = executed.and_then(|results| results.get(at.checked_sub(1)?));
            // What EXEC answers has been told by then, command by command.
            let is_told = executed.is_some() && inside.is_none();
            Exchange { command: told(command), reply: answered(inside.unwrap_or(reply), !is_told) }
        })
        .collect()
}

fn told(command: &Cmd) -> String {
    let is_script = matches!(command.args_iter().next(), Some(Arg::Simple(b"EVAL" | b"EVAL_RO")));
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

fn answered(reply: &Value, is_outermost: bool) -> String {
    match reply {
        Value::Nil => "nothing".to_owned(),
        Value::Int(number) => number.to_string(),
        Value::Double(number) => number.to_string(),
        Value::BulkString(bytes) => argument(bytes, ARGUMENT),
        Value::SimpleString(text) => text.clone(),
        Value::Okay => "OK".to_owned(),
        Value::ServerError(error) => format!("{} {}", error.code(), error.details().unwrap_or_default()),
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
