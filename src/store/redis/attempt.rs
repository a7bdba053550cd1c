//! Running a script that writes to one board: what each of them begins with, and what a command that was refused inside
//! of one is to the outside. What a script does is its own file's concern.

use redis::aio::ConnectionLike;
use redis::{Pipeline, Value};

use super::write::RedisWriter;
use super::{compact, decode, error};
use crate::board::ask::Board;
use crate::board::keys::Key;
use crate::board::trouble::Trouble;

const EVAL: &str = "EVAL";

/// A script of `text` as it is sent.
pub(super) fn script(text: &str) -> String {
    format!("{}\n{}", compact(include_str!("../../../assets/lua/attempt.lua")), compact(text))
}

/// The words of a script's answer, read one after another.
pub(super) struct Words(std::vec::IntoIter<Value>);

impl Words {
    pub(super) fn next(&mut self) -> Result<Value, Trouble> {
        self.0.next().ok_or_else(malformed)
    }

    pub(super) fn text(&mut self) -> Result<String, Trouble> {
        decode::text(self.next()?, EVAL)
    }

    pub(super) fn count(&mut self) -> Result<u64, Trouble> {
        decode::count(self.next()?, EVAL)
    }

    /// A moment in Unix milliseconds, where there is one: what other writers left in the meta hash may be anything.
    pub(super) fn moment(&mut self) -> Option<i64> {
        self.text().ok()?.parse().ok()
    }
}

/// The trouble of an answer that is not of its form.
pub(super) fn malformed() -> Trouble {
    decode::malformed(EVAL)
}

impl RedisWriter {
    /// Runs `script`, which [`script`] made, on the keys of `board`.
    pub(super) async fn attempt(&mut self, script: &str, board: &Board, args: &[&[u8]]) -> Result<Words, Trouble> {
        let mut pipeline = Pipeline::with_capacity(1);
        let command = pipeline.cmd(EVAL).arg(script).arg(3);
        for key in [&board.key, &board.version_key, &board.meta_key] {
            command.arg(key.as_ref());
        }
        for arg in args {
            command.arg(*arg);
        }
        let replies = self.connection.req_packed_commands(&pipeline, 0, 1).await;
        match replies.map_err(|error| error::trouble(&error, self.timeout))?.pop() {
            Some(Value::ServerError(error)) => Err(error::server_trouble(&error, EVAL, &board.key)),
            Some(Value::Array(values)) if is_refusal(&values) => Err(self.refusal(board, values).await?),
            Some(value) => Ok(Words(decode::array(value, EVAL)?.into_iter())),
            None => Err(malformed()),
        }
    }

    /// The trouble that a command inside of a script met.
    async fn refusal(&mut self, board: &Board, values: Vec<Value>) -> Result<Trouble, Trouble> {
        let mut words = Words(values.into_iter());
        words.next()?;
        let (command, key, said) = (words.text()?, words.next()?, words.text()?);
        let key: Key = match key {
            Value::BulkString(bytes) => bytes.into(),
            _ => return Err(malformed()),
        };
        // Releases differ in how they say it.
        let is_right = said.starts_with("NOPERM") || said.contains("The user executing the script can't");
        if is_right {
            return Ok(Trouble::Refused { command, key });
        }
        if said.starts_with("WRONGTYPE") && key == board.key {
            let asked = redis::cmd("TYPE").arg(key.as_ref()).query_async(&mut self.connection).await;
            return Ok(Trouble::WrongType { found: asked.unwrap_or_else(|_| "key of another type".to_owned()) });
        }
        if said.starts_with("READONLY") {
            return Ok(Trouble::ReadOnly(said));
        }
        Ok(Trouble::Server(format!("{command} on '{}': {said}", key.as_ref().escape_ascii())))
    }
}

fn is_refusal(values: &[Value]) -> bool {
    matches!(values.first(), Some(Value::BulkString(word)) if word == b"refused")
}
