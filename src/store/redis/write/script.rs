//! Running a script that writes to one board: what each of them begins with, and what a command that was refused inside
//! of one is to the outside. What a script does is its own file's concern.

use redis::aio::ConnectionLike;
use redis::{Pipeline, Value};

use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::query::error::StoreError;
use crate::store::redis::write::RedisWriter;
use crate::store::redis::{compact, error, reply};

const EVAL: &str = "EVAL";

/// A script of `text` as it is sent.
pub(in crate::store::redis) fn script(text: &str) -> String {
    format!("{}\n{}", compact(include_str!("../../../../assets/lua/attempt.lua")), compact(text))
}

/// The words of a script's answer, read one after another.
pub(in crate::store::redis) struct Words(std::vec::IntoIter<Value>);

impl Words {
    pub(in crate::store::redis) fn next(&mut self) -> Result<Value, StoreError> {
        self.0.next().ok_or_else(malformed)
    }

    pub(in crate::store::redis) fn text(&mut self) -> Result<String, StoreError> {
        reply::text(self.next()?, EVAL)
    }

    pub(in crate::store::redis) fn count(&mut self) -> Result<u64, StoreError> {
        reply::count(self.next()?, EVAL)
    }

    /// A moment in Unix milliseconds, where there is one: what other writers left in the meta hash may be anything.
    pub(in crate::store::redis) fn moment(&mut self) -> Option<i64> {
        self.text().ok()?.parse().ok()
    }
}

/// The trouble of an answer that is not of its form.
pub(in crate::store::redis) fn malformed() -> StoreError {
    reply::malformed(EVAL)
}

impl RedisWriter {
    /// Runs `script`, which [`script`] made, on the keys of `board`.
    pub(in crate::store::redis) async fn attempt(
        &mut self,
        script: &str,
        board: &Board,
        args: &[&[u8]],
    ) -> Result<Words, StoreError> {
        let mut pipeline = Pipeline::with_capacity(1);
        let command = pipeline.cmd(EVAL).arg(script).arg(3);
        for key in [&board.key, &board.version_key, &board.meta_key] {
            command.arg(key.as_ref());
        }
        for arg in args {
            command.arg(*arg);
        }
        let replies = self.connection.req_packed_commands(&pipeline, 0, 1).await;
        match replies.map_err(|error| self.driver.trouble(&error, self.timeout))?.pop() {
            Some(Value::ServerError(error)) => Err(error::server_trouble(&error, EVAL, &board.key)),
            Some(Value::Array(values)) if is_refusal(&values) => Err(self.refusal(board, values).await?),
            Some(value) => Ok(Words(reply::array(value, EVAL)?.into_iter())),
            None => Err(malformed()),
        }
    }

    /// The trouble that a command inside of a script met.
    async fn refusal(&mut self, board: &Board, values: Vec<Value>) -> Result<StoreError, StoreError> {
        let mut words = Words(values.into_iter());
        words.next()?;
        let (command, key, said) = (words.text()?, words.next()?, words.text()?);
        let key: Key = match key {
            Value::BulkString(bytes) => bytes.into(),
            _ => return Err(malformed()),
        };
        // Releases differ in how they say it.
        if said.contains("The user executing the script can't") {
            return Ok(StoreError::NoPermission { command, key });
        }
        if said.starts_with("WRONGTYPE") && key == board.key {
            let asked = redis::cmd("TYPE").arg(key.as_ref()).query_async(&mut self.connection).await;
            return Ok(StoreError::WrongType { found: asked.unwrap_or_else(|_| "key of another type".to_owned()) });
        }
        let (code, details) = said.split_once(' ').unwrap_or((&said, ""));
        Ok(error::told(code, details, &command, &key))
    }
}

fn is_refusal(values: &[Value]) -> bool {
    matches!(values.first(), Some(Value::BulkString(word)) if word == b"refused")
}
