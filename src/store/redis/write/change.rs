//! Changing many scores by one script, so that all of them, the version and the board's state are of one moment. When and
//! why they change, and what is said about it to people, is not its concern.

use std::sync::LazyLock;

use redis::aio::ConnectionLike;
use redis::{Pipeline, Value};

use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::board::names::NamesLocation;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::store::Change;
use crate::store::redis::write::RedisWriter;
use crate::store::redis::write::script::{malformed, script};
use crate::store::redis::{error, reply};

static CHANGE: LazyLock<String> = LazyLock::new(|| script(include_str!("../../../../assets/lua/change.lua")));

/// What became of changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changing {
    /// They are made.
    Written {
        /// The version that counts them, as one.
        version: Version,
        /// The board is closing, and took them within the time of grace.
        is_late: bool,
    },
    /// Nothing was written to the board: it is there, with so many rows, and should not be.
    There(u64),
    /// Nothing was written to the board: it is closed, since this moment in Unix milliseconds where it says so.
    Closed(Option<i64>),
    /// Nothing was written to the board: it is closing, and took late scores until this moment only, where it took any.
    Over(Option<i64>),
}

impl RedisWriter {
    /// Makes all of `changes` to the board as one moment, those that leave last, and counts the version up once; or none of
    /// it. At most 2000 changes of a kind. With `is_opening` the board must not be there yet.
    ///
    /// Unlike [`write`](crate::store::Writer::write) it asks whether the board takes scores, and keeps names and fields of
    /// the meta hash that are there already. Names are no part of a board, and are written just before it.
    ///
    /// O(changes * log n), one round trip, and another one where there are names. Where no answer came, whether it was
    /// written is not known.
    pub async fn change(
        &mut self,
        board: &Board,
        names: &NamesLocation,
        changes: &[Change],
        is_opening: bool,
    ) -> Result<Changing, StoreError> {
        self.name(names, changes).await?;
        let texts: Vec<(String, &[u8])> = changes
            .iter()
            .filter_map(|change| match change {
                // The text of a score parses back to the very same double.
                Change::Score(member, score) => Some((score.to_string(), member.as_bytes())),
                _ => None,
            })
            .collect();
        let leavers: Vec<&[u8]> = changes
            .iter()
            .filter_map(|change| match change {
                Change::Leave(member) => Some(member.as_bytes()),
                _ => None,
            })
            .collect();
        let fields: Vec<[&[u8]; 2]> = changes
            .iter()
            .filter_map(|change| match change {
                Change::Meta(field, value) => Some([field.as_bytes(), value.as_slice()]),
                _ => None,
            })
            .collect();
        let counts = [texts.len(), leavers.len(), fields.len()].map(|count| count.to_string());
        let mut args: Vec<&[u8]> = vec![if is_opening { b"new" } else { b"" }];
        args.extend(counts.iter().map(String::as_bytes));
        args.extend(texts.iter().flat_map(|(score, member)| [score.as_bytes(), *member]));
        args.extend(&leavers);
        args.extend(fields.iter().flatten());
        let mut words = self.attempt(&CHANGE, board, &args).await?;
        Ok(match words.text()?.as_str() {
            "written" => Changing::Written {
                version: reply::version(words.next()?)?.ok_or_else(malformed)?,
                is_late: words.count()? == 1,
            },
            "there" => Changing::There(words.count()?),
            "closed" => Changing::Closed(words.moment()),
            "over" => Changing::Over(words.moment()),
            _ => return Err(malformed()),
        })
    }

    /// Gives names to those among `changes` who have none yet.
    async fn name(&mut self, names: &NamesLocation, changes: &[Change]) -> Result<(), StoreError> {
        let mut pipeline = Pipeline::new();
        let mut keys: Vec<Key> = Vec::new();
        for change in changes {
            let Change::Name(member, name) = change else { continue };
            let member = member.as_bytes();
            let key = match names {
                NamesLocation::Hash(key) => key.clone(),
                NamesLocation::HashEach(key, _) | NamesLocation::StringEach(key) => key.of(member),
                // What others keep in a form of their own is not written to.
                NamesLocation::FieldsEach(..) | NamesLocation::Json(..) => continue,
            };
            match names {
                NamesLocation::Hash(_) => pipeline.cmd("HSETNX").arg(key.as_ref()).arg(member).arg(&**name),
                NamesLocation::HashEach(_, field) => pipeline.cmd("HSETNX").arg(key.as_ref()).arg(field).arg(&**name),
                NamesLocation::StringEach(_) => pipeline.cmd("SET").arg(key.as_ref()).arg(&**name).arg("NX"),
                NamesLocation::FieldsEach(..) | NamesLocation::Json(..) => continue,
            };
            keys.push(key);
        }
        if pipeline.is_empty() {
            return Ok(());
        }
        let command = if matches!(names, NamesLocation::StringEach(_)) { "SET" } else { "HSETNX" };
        let replies = self.connection.req_packed_commands(&pipeline, 0, pipeline.len()).await;
        for (reply, key) in replies.map_err(|error| error::trouble(&error, self.timeout))?.iter().zip(&keys) {
            let Value::ServerError(error) = reply else { continue };
            return Err(match error::server_trouble(error, command, key) {
                StoreError::Other(said) => {
                    StoreError::Other(format!("{command} on '{}': {said}", key.as_ref().escape_ascii()))
                }
                trouble => trouble,
            });
        }
        Ok(())
    }
}
