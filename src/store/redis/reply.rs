//! From replies to the words of the board. A reply that is not of its form is trouble, never a row or a version.

use redis::{FromRedisValue, ServerError, Value};

use crate::board::entry::Entry;
use crate::board::meta::Meta;
use crate::board::score::Score;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::store::redis::error;

/// The trouble of a reply that is not of its form.
pub(super) fn malformed(command: &str) -> StoreError {
    StoreError::Protocol(format!("the reply to {command} is not of its form"))
}

fn decode<T: FromRedisValue>(value: Value, command: &str) -> Result<T, StoreError> {
    T::from_redis_value(bulk(value)).map_err(|_| malformed(command))
}

/// The same with bulk strings in the place of other kinds of text: proxies send text in whichever kind they like.
fn bulk(value: Value) -> Value {
    match value {
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Value::BulkString(text.into_bytes()),
        Value::Okay => Value::BulkString(b"OK".to_vec()),
        Value::Array(values) => Value::Array(values.into_iter().map(bulk).collect()),
        other => other,
    }
}

/// A version, or none where the key is missing.
pub(super) fn version(value: Value) -> Result<Option<Version>, StoreError> {
    let value = match value {
        Value::Int(number) => Value::BulkString(number.to_string().into_bytes()),
        other => other,
    };
    Ok(decode::<Option<Vec<u8>>>(value, "GET")?.map(Version::from))
}

/// True where an error says that a companion is as good as not there: it is of another type, or may not be read. Any
/// other error says nothing about it.
pub(super) fn is_absence(error: &ServerError) -> bool {
    error::is_wrong_type(error) || error::is_refusal(error)
}

/// A version inside a transaction or script: what is no string holds no version.
pub(super) fn version_or_none(value: Value) -> Result<Option<Version>, StoreError> {
    match value {
        Value::ServerError(error) if is_absence(&error) => Ok(None),
        value => version(value),
    }
}

/// The meta hash, likewise.
pub(super) fn meta(value: Value) -> Result<Meta, StoreError> {
    match value {
        Value::Nil => Ok(Meta::default()),
        Value::ServerError(error) if is_absence(&error) => Ok(Meta::default()),
        value => Ok(Meta::from_values(&decode::<Vec<Option<Vec<u8>>>>(value, "HMGET")?)),
    }
}

/// Rows with scores: pairs in RESP3, a flat list in RESP2.
pub(super) fn rows(value: Value) -> Result<Vec<Entry>, StoreError> {
    let pairs: Vec<(Vec<u8>, f64)> = decode(value, "ZRANGE")?;
    pairs
        .into_iter()
        .map(|(member, score)| Some(Entry::new(member, Score::new(score)?)))
        .collect::<Option<_>>()
        .ok_or_else(|| malformed("ZRANGE"))
}

/// A whole number.
pub(super) fn number(value: Value, command: &str) -> Result<i64, StoreError> {
    decode(value, command)
}

/// A number of rows, which is not negative.
pub(super) fn count(value: Value, command: &str) -> Result<u64, StoreError> {
    decode(value, command)
}

/// A number of rows or an index, where there is one.
pub(super) fn maybe_count(value: Value, command: &str) -> Result<Option<u64>, StoreError> {
    decode(value, command)
}

/// A score as text or double, where there is one.
pub(super) fn maybe_score(value: Value) -> Result<Option<Score>, StoreError> {
    let value: Option<f64> = decode(value, "ZSCORE")?;
    value.map(|value| Score::new(value).ok_or_else(|| malformed("ZSCORE"))).transpose()
}

/// Where a scan goes on, and the keys that it came by.
pub(super) fn scanned(value: Value) -> Result<(Vec<u8>, Vec<Vec<u8>>), StoreError> {
    decode(value, "SCAN")
}

/// The elements of an array.
pub(super) fn array(value: Value, command: &str) -> Result<Vec<Value>, StoreError> {
    match value {
        Value::Array(values) => Ok(values),
        _ => Err(malformed(command)),
    }
}

/// Text.
pub(super) fn text(value: Value, command: &str) -> Result<String, StoreError> {
    decode(value, command)
}
