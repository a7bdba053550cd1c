//! Looking for names that nobody named: one pipeline of small reads. What counts as found, the search itself knows.

use redis::{Pipeline, Value};

use crate::board::foreign::probe::{BOUND, ProbeCommand, ProbeReply};
use crate::query::error::StoreError;
use crate::store::redis::{RedisSource, error};

impl RedisSource {
    /// Sends the commands of one step. One round trip.
    pub(super) async fn send_probe(&mut self, commands: &[ProbeCommand]) -> Result<Vec<ProbeReply>, StoreError> {
        let mut pipeline = Pipeline::with_capacity(commands.len());
        for command in commands {
            match command {
                ProbeCommand::Fields(key, fields) => pipeline.cmd("HMGET").arg(key.as_ref()).arg(fields),
                ProbeCommand::Start(key) => pipeline.cmd("GETRANGE").arg(key.as_ref()).arg(0).arg(BOUND - 1),
            };
        }
        Ok(self.send(&pipeline).await?.into_iter().map(reply).collect())
    }
}

fn reply(value: Value) -> ProbeReply {
    let bytes = |value| match value {
        Value::BulkString(bytes) => Some(bytes),
        _ => None,
    };
    match value {
        Value::ServerError(error) if error::is_wrong_type(&error) => ProbeReply::WrongType,
        Value::ServerError(error) if error::is_not_to_be_had(&error) => ProbeReply::Refused,
        Value::Array(values) => ProbeReply::Values(values.into_iter().map(bytes).collect()),
        Value::BulkString(text) => ProbeReply::Values(vec![Some(text)]),
        _ => ProbeReply::Failed,
    }
}
