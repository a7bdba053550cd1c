//! The slots of a Redis Cluster: which one a key has, and which shard serves it. It asks nobody.

use crc::{CRC_16_XMODEM, Crc};
use redis::Value;

use crate::board::keys::{Key, hash_tag};
use crate::query::error::StoreError;
use crate::store::redis::reply;
use crate::store::redis::topology::Address;

/// Slots of every cluster.
const SLOTS: u16 = 16_384;

/// The checksum that slots are made of (redis.io/docs/reference/cluster-spec, "Key distribution model").
const CRC: Crc<u16> = Crc::<u16>::new(&CRC_16_XMODEM);

/// The slot of `key`: of its hash tag where it has one.
pub(super) fn slot(key: &Key) -> u16 {
    CRC.checksum(hash_tag(key).unwrap_or_else(|| key.as_ref())) % SLOTS
}

/// The servers that share some slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shard {
    pub(super) primary: Address,
    /// Those that the cluster holds for sound.
    pub(super) replicas: Vec<Address>,
}

impl Shard {
    /// False where the cluster does not know it yet.
    pub(super) fn has_address(&self) -> bool {
        self.primary.port != 0
    }
}

/// Which shard serves which slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SlotMap {
    /// First and last slot, and the index of the shard.
    ranges: Vec<(u16, u16, usize)>,
    pub(super) shards: Vec<Shard>,
}

impl SlotMap {
    /// Reads the answer to `CLUSTER SLOTS`. A node that has no address of its own in it is at `host`, where the answer came
    /// from.
    pub(super) fn read(value: Value, host: Option<&str>) -> Result<Self, StoreError> {
        let mut map = Self::default();
        for range in reply::array(value, COMMAND)? {
            let mut parts = reply::array(range, COMMAND)?.into_iter();
            let mut number = || {
                let number = parts.next().map(|number| reply::number(number, COMMAND)).transpose()?;
                number.and_then(|number| u16::try_from(number).ok()).ok_or_else(malformed)
            };
            let (first, last) = (number()?, number()?);
            let nodes: Result<Vec<_>, _> = parts.map(|node| address(node, host)).collect();
            let mut nodes = nodes?.into_iter();
            let primary = nodes.next().ok_or_else(malformed)?;
            let shard = map.shards.iter().position(|shard| shard.primary == primary).unwrap_or_else(|| {
                map.shards.push(Shard { primary, replicas: nodes.filter(|node| node.port != 0).collect() });
                map.shards.len() - 1
            });
            map.ranges.push((first, last, shard));
        }
        Ok(map)
    }

    /// The shard that serves `key`.
    pub(super) fn shard_of(&self, key: &Key) -> Result<&Shard, StoreError> {
        let shard = self.shard_at(slot(key))?;
        if shard.has_address() { Ok(shard) } else { Err(StoreError::NotReady(NO_ADDRESS.to_owned())) }
    }

    fn shard_at(&self, slot: u16) -> Result<&Shard, StoreError> {
        let found = self.ranges.iter().find(|(first, last, _)| (first..=last).contains(&&slot));
        let none = || StoreError::NotReady(format!("no node of the cluster serves slot {slot}"));
        found.and_then(|(.., shard)| self.shards.get(*shard)).ok_or_else(none)
    }
}

const COMMAND: &str = "CLUSTER SLOTS";

/// What is said of a node that has just joined, or is failing over: its port is 0 until it is known.
pub(super) const NO_ADDRESS: &str = "the cluster does not know that node's address yet";

fn malformed() -> StoreError {
    reply::malformed(COMMAND)
}

fn address(node: Value, host: Option<&str>) -> Result<Address, StoreError> {
    let mut parts = reply::array(node, COMMAND)?.into_iter();
    let named = match parts.next() {
        Some(Value::Nil) | None => String::new(),
        Some(value) => reply::text(value, COMMAND)?,
    };
    let port = reply::number(parts.next().unwrap_or_default(), COMMAND)?;
    // A node that does not know its own name, or is not to tell it, says nothing or a question mark.
    let host = if named.is_empty() || named == "?" { host.unwrap_or_default().to_owned() } else { named };
    Ok(Address { host, port: u16::try_from(port).map_err(|_| malformed())? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `CLUSTER KEYSLOT` of Redis 7.0.15 answers.
    #[test]
    fn slots_are_those_of_redis() {
        for (key, wanted) in [
            ("", 0),
            ("foo", 12_182),
            ("123456789", 12_739),
            ("{foo}bar", 12_182),
            ("foo{}{bar}", 8_363),
            ("foo{{bar}}zap", 4_015),
            ("{bar", 4_015),
            ("foo{bar}{zap}", 5_061),
        ] {
            assert_eq!(slot(&key.into()), wanted, "{key}");
        }
    }

    #[test]
    fn a_map_is_read_and_unknown_hosts_are_where_the_answer_came_from() {
        let node = |host: Value, port| Value::Array(vec![host, Value::Int(port), Value::BulkString(b"id".to_vec())]);
        let text = |text: &str| Value::BulkString(text.into());
        let range =
            |first, last, nodes: Vec<Value>| Value::Array([vec![Value::Int(first), Value::Int(last)], nodes].concat());
        let map = SlotMap::read(
            Value::Array(vec![
                range(0, 8_000, vec![node(text("10.0.0.1"), 1), node(text("10.0.0.2"), 2)]),
                range(8_001, 12_182, vec![node(Value::Nil, 3)]),
                range(12_183, 16_000, vec![node(text("10.0.0.1"), 1), node(text("10.0.0.2"), 2)]),
            ]),
            Some("seed"),
        )
        .unwrap();
        let at = |host: &str, port| Address { host: host.to_owned(), port };
        assert_eq!(map.shards.len(), 2);
        assert_eq!(map.shards[0], Shard { primary: at("10.0.0.1", 1), replicas: vec![at("10.0.0.2", 2)] });
        assert_eq!(map.shard_of(&"foo".into()).unwrap().primary, at("seed", 3));
        assert_eq!(map.shard_of(&"123456789".into()), Ok(&map.shards[0]));
        let joining = SlotMap::read(
            Value::Array(vec![
                range(0, 12_181, vec![node(text("10.0.0.1"), 1)]),
                range(12_182, 16_383, vec![node(text(""), 0)]),
            ]),
            Some("seed"),
        )
        .unwrap();
        let unknown = joining.shard_of(&"foo".into()).unwrap_err();
        assert!(unknown.to_string().contains("does not know that node's address yet"), "{unknown}");
        assert_eq!(joining.shard_of(&"foo{bar}{zap}".into()).unwrap().primary, at("10.0.0.1", 1), "others serve");
        let outside = map
            .shard_of(&"{16}".into())
            .err()
            .or_else(|| (0..9_999).find_map(|number| map.shard_of(&number.to_string().as_str().into()).err()));
        assert!(matches!(outside, Some(StoreError::NotReady(_))), "{outside:?}");
        assert!(SlotMap::read(Value::Nil, None).is_err());
        assert!(SlotMap::read(Value::Array(vec![range(0, 70_000, Vec::new())]), None).is_err());
    }
}
