//! Names in their three homes: always one round trip, one answer for each member that was asked for.

use redis::{Pipeline, Value};

use crate::board::entry::Member;
use crate::board::foreign::name_path::NamePath;
use crate::board::keys::Key;
use crate::board::names::{Name, NamesLocation};
use crate::board::template::MemberTemplate;
use crate::query::error::StoreError;
use crate::store::redis::{RedisSource, error, reply};

/// No more of a string with JSON is read.
const LARGEST_VALUE: usize = 64 * 1024;

impl RedisSource {
    pub(super) async fn read_names(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        // A multi-get without fields is an error.
        if members.is_empty() {
            return Ok(Some(Vec::new()));
        }
        if let NamesLocation::FieldsEach(template, path) = home {
            return self.read_fields(template, path, members).await.map(Some);
        }
        let is_json = matches!(home, NamesLocation::Json(..));
        let (asked, home) = (home, home.stored());
        let mut pipeline = Pipeline::new();
        match home {
            NamesLocation::Hash(key) => {
                pipeline.cmd("EXISTS").arg(key.as_ref());
                let command = pipeline.cmd("HMGET").arg(key.as_ref());
                for member in members {
                    command.arg(member.as_bytes());
                }
            }
            NamesLocation::HashEach(template, field) => {
                for member in members {
                    pipeline.cmd("HGET").arg(template.of(member.as_bytes()).as_ref()).arg(field);
                }
            }
            // Not one MGET: a key of another type must not take the other names along, nor may a Cluster's slots.
            NamesLocation::StringEach(template) if is_json => {
                for member in members {
                    let key = template.of(member.as_bytes());
                    pipeline.cmd("GETRANGE").arg(key.as_ref()).arg(0).arg(LARGEST_VALUE - 1);
                }
            }
            NamesLocation::StringEach(template) => {
                for member in members {
                    pipeline.cmd("GET").arg(template.of(member.as_bytes()).as_ref());
                }
            }
            // These two are no plain place to store a value.
            NamesLocation::FieldsEach(..) | NamesLocation::Json(..) => return Ok(None),
        }
        let mut replies = self.send(&pipeline).await?;
        let (command, key) = match home {
            NamesLocation::Hash(key) => ("HMGET", key.clone()),
            NamesLocation::HashEach(template, _) => ("HGET", template.of(members[0].as_bytes())),
            NamesLocation::StringEach(template) => ("GET", template.of(members[0].as_bytes())),
            NamesLocation::FieldsEach(..) | NamesLocation::Json(..) => return Ok(None),
        };
        let values = match home {
            NamesLocation::Hash(_) => match replies.pop() {
                // Names only decorate: whoever refuses them in whatever words is read without them.
                Some(Value::ServerError(error)) if error::is_refusal(&error) => {
                    return Err(StoreError::NoPermission { command: command.to_owned(), key });
                }
                Some(Value::ServerError(error)) => return Err(self.refuse(&error, command, &key).await),
                // Where the hash is not there, or may not be asked for, HMGET says so of each member.
                Some(_) if matches!(replies.first(), Some(Value::Int(0))) => return Ok(None),
                Some(value) => reply::array(value, command)?,
                None => return Err(reply::malformed(command)),
            },
            _ => replies,
        };
        if values.len() != members.len() {
            return Err(reply::malformed(command));
        }
        let names = values.into_iter().map(|value| {
            let value = name(value, command, &key)?;
            Ok(value.and_then(|value| asked.name_in(value)))
        });
        names.collect::<Result<_, _>>().map(Some)
    }

    /// Names out of fields of a hash for each member.
    async fn read_fields(
        &mut self,
        template: &MemberTemplate,
        path: &NamePath,
        members: &[Member],
    ) -> Result<Vec<Option<Name>>, StoreError> {
        const HMGET: &str = "HMGET";
        let fields = path.hash_fields();
        let mut pipeline = Pipeline::with_capacity(members.len());
        for member in members {
            pipeline.cmd(HMGET).arg(template.of(member.as_bytes()).as_ref()).arg(&fields);
        }
        let replies = self.send(&pipeline).await?;
        let names = replies.into_iter().zip(members).map(|(value, member)| match value {
            Value::ServerError(error) if error::is_wrong_type(&error) => Ok(None),
            value => {
                let key = template.of(member.as_bytes());
                if let Value::ServerError(error) = value {
                    return Err(error::server_trouble(&error, HMGET, &key));
                }
                let values = reply::array(value, HMGET)?.into_iter();
                let values =
                    values.map(|value| name(value, HMGET, &key).map(|value| value.map(|value| value.to_vec())));
                let values: Vec<_> = values.collect::<Result<_, StoreError>>()?;
                Ok(path.of_fields(&values).map(Name::from))
            }
        });
        names.collect()
    }
}

/// One name. A member whose key is of another type has no name; a user without the right to one has it to none.
fn name(value: Value, command: &str, key: &Key) -> Result<Option<Name>, StoreError> {
    match value {
        Value::ServerError(error) if error::is_wrong_type(&error) => Ok(None),
        Value::ServerError(error) => Err(error::server_trouble(&error, command, key)),
        Value::Nil => Ok(None),
        Value::BulkString(bytes) => Ok(Some(bytes.into())),
        Value::SimpleString(text) => Ok(Some(text.into_bytes().into())),
        _ => Err(reply::malformed(command)),
    }
}
