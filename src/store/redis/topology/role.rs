//! What a server says it is: primary or replica, how far from its primary, and which replicas it has. What follows from it
//! is not its concern.

use redis::{Pipeline, Value};

use crate::query::error::StoreError;
use crate::query::server::Lag;
use crate::store::redis::topology::Address;
use crate::store::redis::{RedisSource, error, reply};

/// What a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Primary,
    Replica,
    /// The user may not ask.
    Unknown,
}

/// What a server says of its replication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Replication {
    pub(super) side: Side,
    /// Of a replica.
    pub(super) lag: Lag,
    /// Of a primary: those that keep up with it.
    pub(super) replicas: Vec<Address>,
}

/// What the server is. One round trip; before Redis 6.0, two.
///
/// `HELLO` without arguments tells it, and may always be asked (redis.io/commands/hello; the rights of a user do not count
/// for it); `ROLE` tells it before that, and may be refused.
pub(super) async fn side(home: &mut RedisSource) -> Result<Side, StoreError> {
    for command in ["HELLO", "ROLE"] {
        let mut pipeline = Pipeline::with_capacity(1);
        pipeline.cmd(command);
        match home.send(&pipeline).await?.pop() {
            Some(Value::ServerError(error)) if error::is_not_to_be_had(&error) => {}
            Some(Value::ServerError(error)) => return Err(error::server_trouble(&error, command, &"".into())),
            Some(value) => return Ok(said(&value)),
            None => return Err(reply::malformed(command)),
        }
    }
    Ok(Side::Unknown)
}

/// What the answer to `HELLO` or to `ROLE` says.
fn said(value: &Value) -> Side {
    let role = match value {
        // ROLE begins with the word itself.
        Value::Array(words) if matches!(words.get(1), Some(Value::Int(_))) || words.len() == 5 => words.first(),
        _ => None,
    };
    let word = |value: &Value| match value {
        Value::BulkString(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Value::SimpleString(text) => text.clone(),
        _ => String::new(),
    };
    let role = role.map(word).or_else(|| {
        let mut fields = value.as_map_iter()?;
        fields.find(|(name, _)| word(name) == "role").map(|(_, value)| word(value))
    });
    match role.as_deref() {
        Some("master") => Side::Primary,
        Some("replica" | "slave") => Side::Replica,
        _ => Side::Unknown,
    }
}

/// What the server says of its replication; `None` where the user may not ask. One round trip.
pub(super) async fn replication(home: &mut RedisSource) -> Result<Option<Replication>, StoreError> {
    const INFO: &str = "INFO";
    let mut pipeline = Pipeline::with_capacity(1);
    pipeline.cmd(INFO).arg("replication");
    match home.send(&pipeline).await?.pop() {
        Some(Value::ServerError(error)) if error::is_not_to_be_had(&error) => Ok(None),
        Some(Value::ServerError(error)) => Err(error::server_trouble(&error, INFO, &"".into())),
        Some(value) => Ok(Some(told(&reply::text(value, INFO)?))),
        None => Err(reply::malformed(INFO)),
    }
}

fn told(info: &str) -> Replication {
    let mut replication = Replication { side: Side::Unknown, lag: Lag::Unknown, replicas: Vec::new() };
    let (mut is_up, mut heard, mut down_since) = (None, None, None);
    for (name, value) in info.lines().filter_map(|line| line.trim_end().split_once(':')) {
        match name {
            "role" if value == "master" => replication.side = Side::Primary,
            "role" if value == "slave" => replication.side = Side::Replica,
            "master_link_status" => is_up = Some(value == "up"),
            // Both are -1 where they are not known.
            "master_last_io_seconds_ago" => heard = value.parse().ok(),
            "master_link_down_since_seconds" => down_since = value.parse().ok(),
            _ => {
                let number = name.strip_prefix("slave").and_then(|number| number.parse::<u32>().ok());
                replication.replicas.extend(number.and_then(|_| online(value)));
            }
        }
    }
    replication.lag = match (is_up, heard) {
        (Some(false), _) => Lag::Cut(down_since),
        (Some(true), Some(seconds)) => Lag::Heard(seconds),
        _ => Lag::Unknown,
    };
    replication
}

/// The address in `ip=127.0.0.1,port=7001,state=online,…`.
fn online(value: &str) -> Option<Address> {
    let field = |wanted| value.split(',').filter_map(|part| part.split_once('=')).find(|(name, _)| *name == wanted);
    let (_, host) = field("ip")?;
    let (_, state) = field("state")?;
    let port = field("port")?.1.parse().ok()?;
    (state == "online").then(|| Address { host: host.to_owned(), port })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Value {
        Value::BulkString(text.into())
    }

    #[test]
    fn every_form_in_which_a_role_is_told() {
        let role =
            |role: &str| vec![text("server"), text("redis"), text("id"), Value::Int(7), text("role"), text(role)];
        assert_eq!(said(&Value::Array(role("master"))), Side::Primary);
        assert_eq!(said(&Value::Array(role("replica"))), Side::Replica);
        let pairs = [(text("proto"), Value::Int(3)), (text("role"), text("replica"))];
        assert_eq!(said(&Value::Map(pairs.to_vec())), Side::Replica);
        let primary = [text("master"), Value::Int(0), Value::Array(Vec::new())];
        assert_eq!(said(&Value::Array(primary.to_vec())), Side::Primary);
        let replica = [text("slave"), text("::1"), Value::Int(7), text("connected"), Value::Int(1)];
        assert_eq!(said(&Value::Array(replica.to_vec())), Side::Replica);
        // A sentinel has no role.
        assert_eq!(said(&Value::Array(vec![text("mode"), text("sentinel")])), Side::Unknown);
        assert_eq!(said(&Value::Nil), Side::Unknown);
    }

    #[test]
    fn what_info_says_of_replication() {
        let primary = told(
            "# Replication\r\nrole:master\r\nconnected_slaves:3\r\n\
             slave0:ip=::1,port=7001,state=online,offset=1,lag=0\r\n\
             slave1:ip=127.0.0.1,port=7002,state=wait_bgsave,offset=0,lag=0\r\nslave_read_only:1\r\n",
        );
        assert_eq!(primary.side, Side::Primary);
        assert_eq!(primary.replicas, [Address { host: "::1".to_owned(), port: 7001 }]);
        let lag = |lines: &str| {
            let found = told(&format!("role:slave\r\n{lines}"));
            assert_eq!(found.side, Side::Replica);
            found.lag
        };
        assert_eq!(lag("master_link_status:up\r\nmaster_last_io_seconds_ago:4\r\n"), Lag::Heard(4));
        let cut = "master_link_status:down\r\nmaster_last_io_seconds_ago:-1\r\nmaster_link_down_since_seconds:9\r\n";
        assert_eq!(lag(cut), Lag::Cut(Some(9)));
        assert_eq!(lag("master_link_status:down\r\nmaster_link_down_since_seconds:-1\r\n"), Lag::Cut(None));
        assert_eq!(lag(""), Lag::Unknown);
    }
}
