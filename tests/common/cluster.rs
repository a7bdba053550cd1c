//! A Redis Cluster of three primaries with a replica each, made by hand: every node is a process of its own, gone with the
//! guard. What moves, and what fails, a test decides.

use redis::{RedisResult, Value};

use super::{RedisServer, wait_until};

const PRIMARIES: usize = 3;
const SLOTS: u32 = 16_384;

/// A cluster of three shards.
pub struct Cluster {
    /// The primaries of the three thirds of the slots, then their replicas in the same order.
    pub nodes: Vec<RedisServer>,
}

impl Cluster {
    /// A cluster in which no node takes over: on a busy machine one may be silent for longer than the limit.
    pub fn start_patient() -> Self {
        let cluster = Self::start();
        for index in 0..cluster.nodes.len() {
            cluster.cmd(index, &["CONFIG", "SET", "cluster-node-timeout", "60000"]);
        }
        cluster
    }

    /// All slots are served, and every replica is linked.
    pub fn start() -> Self {
        let args = [
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            "1000",
            // No replica goes to another primary.
            "--cluster-migration-barrier",
            "100",
            "--cluster-require-full-coverage",
            "no",
            "--repl-diskless-sync-delay",
            "0",
            "--repl-ping-replica-period",
            "1",
        ];
        let cluster = Self { nodes: (0..2 * PRIMARIES).map(|_| RedisServer::start_tcp_with(&args)).collect() };
        for index in 0..PRIMARIES {
            let (first, last) = range(index);
            cluster.cmd(index, &["CLUSTER", "SET-CONFIG-EPOCH", &(index + 1).to_string()]);
            // One by one: ranges came with Redis 7.0.
            let slots: Vec<String> = (first..=last).map(|slot| slot.to_string()).collect();
            let words: Vec<&str> =
                ["CLUSTER", "ADDSLOTS"].into_iter().chain(slots.iter().map(String::as_str)).collect();
            cluster.cmd(index, &words);
        }
        for index in 1..cluster.nodes.len() {
            let port = cluster.nodes[index].tcp_port().to_string();
            cluster.cmd(0, &["CLUSTER", "MEET", "127.0.0.1", &port]);
        }
        let ids: Vec<String> = (0..cluster.nodes.len()).map(|index| cluster.id(index)).collect();
        // Until two nodes have shaken hands, one counts for the other under a name that is made up.
        wait_until("the nodes to know each other by their ids", || {
            (0..cluster.nodes.len()).all(|index| {
                let known: String = redis::from_redis_value(cluster.cmd(index, &["CLUSTER", "NODES"])).unwrap();
                ids.iter().all(|id| known.contains(id.as_str()))
            })
        });
        for index in PRIMARIES..cluster.nodes.len() {
            let primary = cluster.id(index - PRIMARIES);
            cluster.cmd(index, &["CLUSTER", "REPLICATE", &primary]);
        }
        wait_until("the cluster to serve all slots with a replica each", || {
            (0..cluster.nodes.len()).all(|index| {
                cluster.info(index).contains("cluster_state:ok") && {
                    let slots: Vec<Value> = redis::from_redis_value(cluster.cmd(index, &["CLUSTER", "SLOTS"])).unwrap();
                    // First and last slot, the primary and its replica.
                    slots.len() == PRIMARIES
                        && slots.iter().all(|slot| matches!(slot, Value::Array(parts) if parts.len() == 4))
                }
            })
        });
        cluster
    }

    /// The options with which ranktop finds the nodes.
    pub fn args(&self) -> Vec<String> {
        let seeds = self.nodes.iter().take(2).map(RedisServer::tcp_url);
        seeds.flat_map(|url| ["--url".to_owned(), url]).chain(["--cluster".to_owned()]).collect()
    }

    /// Sends a command to a node.
    #[track_caller]
    pub fn cmd(&self, index: usize, words: &[&str]) -> Value {
        self.nodes[index].cmd(words)
    }

    /// Sends a command to whichever primary holds the key, which is its second word.
    #[track_caller]
    pub fn at(&self, words: &[&str]) -> Value {
        self.try_at(words).unwrap_or_else(|error| panic!("{words:?}: {error}"))
    }

    /// [`Cluster::at`] where an error is what the test is after.
    pub fn try_at(&self, words: &[&str]) -> RedisResult<Value> {
        self.nodes[self.holder(words[1])].try_cmd(words)
    }

    /// The index of the node that holds a key, by the word of the first node.
    pub fn holder(&self, key: impl AsRef<[u8]>) -> usize {
        let slot = self.slot(key);
        let Value::Array(ranges) = self.cmd(0, &["CLUSTER", "SLOTS"]) else { panic!("no slots") };
        let port = ranges.iter().map(first_node).find(|(first, last, _)| (*first..=*last).contains(&slot)).unwrap().2;
        self.nodes.iter().position(|node| node.tcp_port() == port).unwrap()
    }

    /// The slot of a key.
    pub fn slot(&self, key: impl AsRef<[u8]>) -> u16 {
        redis::from_redis_value(self.nodes[0].cmd(&[b"CLUSTER".as_slice(), b"KEYSLOT", key.as_ref()])).unwrap()
    }

    /// The name of a node within the cluster.
    pub fn id(&self, index: usize) -> String {
        redis::from_redis_value(self.cmd(index, &["CLUSTER", "MYID"])).unwrap()
    }

    fn info(&self, index: usize) -> String {
        redis::from_redis_value(self.cmd(index, &["CLUSTER", "INFO"])).unwrap()
    }

    /// Says that the slot is being moved from one primary to another.
    pub fn begin_move(&self, slot: u16, from: usize, to: usize) {
        let slot = slot.to_string();
        self.cmd(to, &["CLUSTER", "SETSLOT", &slot, "IMPORTING", &self.id(from)]);
        self.cmd(from, &["CLUSTER", "SETSLOT", &slot, "MIGRATING", &self.id(to)]);
    }

    /// Moves all keys of the slot.
    pub fn move_keys(&self, slot: u16, from: usize, to: usize) {
        let keys: Vec<String> =
            redis::from_redis_value(self.cmd(from, &["CLUSTER", "GETKEYSINSLOT", &slot.to_string(), "100"])).unwrap();
        let port = self.nodes[to].tcp_port().to_string();
        for key in keys {
            self.cmd(from, &["MIGRATE", "127.0.0.1", &port, &key, "0", "5000"]);
        }
    }

    /// Says that the slot is the other primary's now.
    pub fn end_move(&self, slot: u16, from: usize, to: usize) {
        let id = self.id(to);
        for node in [to, from] {
            self.cmd(node, &["CLUSTER", "SETSLOT", &slot.to_string(), "NODE", &id]);
        }
    }
}

/// First and last slot of the primary of this index.
fn range(index: usize) -> (u32, u32) {
    let at = |index: usize| SLOTS * u32::try_from(index).unwrap() / u32::try_from(PRIMARIES).unwrap();
    (at(index), at(index + 1) - 1)
}

/// First and last slot of a range, and the port of its primary.
fn first_node(range: &Value) -> (u16, u16, u16) {
    let number = |value: &Value| redis::from_redis_value(value.clone()).unwrap();
    match range {
        Value::Array(parts) => match &parts[..] {
            [first, last, Value::Array(primary), ..] => (number(first), number(last), number(&primary[1])),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}
