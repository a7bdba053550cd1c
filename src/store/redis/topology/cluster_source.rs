//! The boards of a Redis Cluster: each question goes over a plain connection to the node that holds the key's slot. A board
//! lies in one slot; what belongs to it but lies elsewhere is read there, and the window says so.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use redis::{Cmd, Pipeline, Value};
use tokio::time::Instant;

use crate::board::distribution::{Binning, Distribution};
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::board::meta::Meta;
use crate::board::names::{Name, NamesLocation};
use crate::board::version::Version;
use crate::query::capabilities::Capabilities;
use crate::query::error::StoreError;
use crate::query::listing::KeySummary;
use crate::query::page::{PageReply, PageRequest};
use crate::query::round_trip::RoundTrip;
use crate::query::server::Role;
use crate::store::redis::scan::{BATCH, Discovery, questions, sight};
use crate::store::redis::topology::cluster::Cluster;
use crate::store::redis::topology::monitor::{Monitor, Probe, Watched};
use crate::store::redis::topology::slots::{Shard, SlotMap, slot};
use crate::store::redis::topology::{Address, AnySource, NodeConnection, OnInvalidate, Reached};
use crate::store::redis::{RedisSource, reply};
use crate::store::sharded::board::{is_sharded, part_key};

/// What is said of a board whose companions are read apart from it.
const APART: &str = "the version or the meta hash is in another slot than the board, and so not of its moment";

/// A node that was lost, and holds something beside the board, is left alone for so long: what is asked of it meanwhile
/// holds up nothing.
pub(super) const REST: Duration = Duration::from_secs(5);

/// So often the slots are looked up anew for one list of boards.
pub(super) const LOOK_UPS: u32 = 3;

/// Boards on the nodes of a cluster.
pub(super) struct ClusterSource {
    pub(super) cluster: Rc<Cluster>,
    pub(super) map: SlotMap,
    /// By the primary of their shard.
    pub(super) nodes: HashMap<Address, NodeConnection>,
    /// Those that were lost, until when they are left alone.
    pub(super) rests: HashMap<Address, Instant>,
    /// Counted up whenever a part of a board may be asked over another connection than before.
    pub(super) epoch: u64,
    told: Option<OnInvalidate>,
    /// What was said of the node of the first board: that it tells of changes by itself.
    pushes: bool,
    watched: Rc<Watched>,
    /// The primary of the board that was read last.
    current: Address,
    keeps_trips: bool,
    /// A node has not answered since the slots were looked up.
    has_lost: bool,
}

/// Connects to the node that holds the board of key `key`.
pub(super) async fn connect(
    cluster: &Rc<Cluster>,
    key: &Key,
    told: Option<OnInvalidate>,
) -> Result<Reached, StoreError> {
    let map = cluster.map().await?;
    let (primary, key, node) = if key.as_ref().is_empty() {
        let (primary, node) = reach_any(cluster, &map, told.as_ref()).await?;
        (primary, key.clone(), node)
    } else if is_sharded(key) {
        first_node(cluster, &map, key, told.as_ref()).await?
    } else {
        let shard = map.shard_of(key)?;
        let node = cluster.reach(shard, told.as_ref()).await;
        (shard.primary.clone(), key.clone(), node.map_err(|trouble| lost(&shard.primary, key, trouble))?)
    };
    let pushes = node.pushes;
    // Without a board there is no slot that a node could lose.
    let probe = if key.as_ref().is_empty() { Probe::Nothing } else { probe(&node) };
    let watched = Watched::new(node.server.clone(), probe, node.home.share_connection(), key);
    let watched = Rc::new(watched);
    let monitor = Monitor::new(watched.clone(), None);
    let home = ClusterSource {
        cluster: cluster.clone(),
        map,
        nodes: HashMap::from([(primary.clone(), node)]),
        rests: HashMap::new(),
        epoch: 0,
        told,
        pushes,
        watched,
        current: primary,
        keeps_trips: false,
        has_lost: false,
    };
    Ok(Reached { home: AnySource::cluster(home), pushes, monitor })
}

/// Connects to a node that answers, where it does not matter which: the node of the first slots, else another.
async fn reach_any(
    cluster: &Cluster,
    map: &SlotMap,
    told: Option<&OnInvalidate>,
) -> Result<(Address, NodeConnection), StoreError> {
    let mut reason = None;
    for shard in &map.shards {
        match cluster.reach(shard, told).await {
            Ok(node) => return Ok((shard.primary.clone(), node)),
            Err(trouble) if is_loss(&trouble) => reason = reason.or(Some(trouble)),
            Err(trouble) => return Err(trouble),
        }
    }
    Err(reason.unwrap_or_else(|| StoreError::NotReady("no node of the cluster serves any slot".to_owned())))
}

/// True where a node is away, rather than unwilling.
fn is_loss(trouble: &StoreError) -> bool {
    matches!(trouble, StoreError::Unreachable(_) | StoreError::Timeout(_) | StoreError::NoServer(_))
}

/// What is wrong with the node of `key`, whose primary is this one: where it is away, that, by its slot.
pub(super) fn lost(primary: &Address, key: &Key, trouble: StoreError) -> StoreError {
    if !is_loss(&trouble) {
        return trouble;
    }
    StoreError::NodeLost { node: primary.to_string(), slot: slot(key), why: why(primary, &trouble) }
}

/// Why the node of this primary does not answer; its address is said beside it.
fn why(primary: &Address, trouble: &StoreError) -> String {
    let said = match trouble {
        StoreError::Unreachable(said) => said.clone(),
        other => other.to_string(),
    };
    said.strip_prefix(&format!("{primary}: ")).unwrap_or(&said).to_owned()
}

/// A node of a board over many sorted sets that can be reached, with the key of a part that it holds.
async fn first_node(
    cluster: &Cluster,
    map: &SlotMap,
    key: &Key,
    told: Option<&OnInvalidate>,
) -> Result<(Address, Key, NodeConnection), StoreError> {
    const MANY: u32 = 256;
    let mut tried: Vec<&Shard> = Vec::new();
    let mut reason = None;
    for key in (0..MANY).map(|part| part_key(key, part)) {
        let shard = map.shard_of(&key)?;
        if tried.contains(&shard) {
            continue;
        }
        tried.push(shard);
        match cluster.reach(shard, told).await {
            Ok(node) => return Ok((shard.primary.clone(), key, node)),
            Err(trouble) => reason = reason.or(Some(trouble)),
        }
    }
    Err(reason.unwrap_or_else(|| StoreError::NoServer("the cluster has no nodes".to_owned())))
}

fn probe(node: &NodeConnection) -> Probe {
    if matches!(node.server.role, Role::Replica(_)) { Probe::Replica } else { Probe::Slot }
}

impl ClusterSource {
    pub(super) fn keep_trips(mut self) -> Self {
        self.keeps_trips = true;
        self.nodes = self
            .nodes
            .into_iter()
            .map(|(shard, node)| (shard, NodeConnection { home: node.home.keep_trips(), ..node }))
            .collect();
        self
    }

    /// The primary of the shard that serves `key`: nodes go by it, whichever node of the shard is read.
    pub(super) fn primary_of(&self, key: &Key) -> Result<Address, StoreError> {
        self.map.shard_of(key).map(|shard| shard.primary.clone())
    }

    /// The node of the shard of this primary, connected where it was not yet.
    pub(super) async fn node(&mut self, primary: &Address) -> Result<&mut NodeConnection, StoreError> {
        let gone = || StoreError::Moved(format!("{primary} is no primary any more"));
        if !self.nodes.contains_key(primary) {
            let shard = self.map.shards.iter().find(|shard| shard.primary == *primary).ok_or_else(gone)?;
            let mut node = self.cluster.reach(shard, self.told.as_ref()).await?;
            if self.keeps_trips {
                node.home = node.home.keep_trips();
            }
            self.nodes.insert(primary.clone(), node);
        }
        self.nodes.get_mut(primary).ok_or_else(gone)
    }

    /// The node that holds the board of key `key`; it is the one that is watched over from now on.
    async fn owner(&mut self, key: &Key) -> Result<&mut NodeConnection, StoreError> {
        let primary = self.primary_of(key)?;
        let (pushes, is_seated, watched) = (self.pushes, self.current == primary, self.watched.clone());
        let node = self.node(&primary).await.map_err(|trouble| lost(&primary, key, trouble))?;
        // Whoever asks relies on being told: where that is not so, the connection is to be made anew, for this board.
        let is_mute = pushes && !node.pushes;
        if is_mute || !is_seated || watched.key() != *key {
            watched.set(node.server.clone(), probe(node), node.home.share_connection(), key.clone());
        }
        if is_mute {
            return Err(StoreError::Moved(format!("{} does not tell of changes", node.server.server)));
        }
        self.current = primary.clone();
        self.node(&primary).await
    }

    /// The node of `key`, which holds something beside the board. What keeps it from answering does not end the connection
    /// to the board.
    async fn share_connection(&mut self, key: &Key) -> Result<&mut RedisSource, StoreError> {
        let mut primary = self.primary_of(key)?;
        if let Some(until) = self.rests.get(&primary) {
            if Instant::now() < *until {
                return Err(StoreError::NotReady(format!(
                    "the node {primary}, which holds what belongs to the board, is lost"
                )));
            }
            // By now another may be the primary.
            self.rests.clear();
            self.map = self.cluster.map().await.map_err(|trouble| apart(&primary, trouble))?;
            primary = self.primary_of(key)?;
        }
        if let Err(trouble) = self.node(&primary).await {
            return Err(self.lose(&primary, trouble));
        }
        Ok(&mut self.node(&primary).await?.home)
    }

    /// Makes of trouble with the node of `key` what it is to the board.
    fn part(&mut self, key: &Key, trouble: StoreError) -> StoreError {
        match self.primary_of(key) {
            Ok(primary) => self.lose(&primary, trouble),
            Err(_) => trouble,
        }
    }

    /// Leaves a node alone for a while where that is lost, unless the board is there.
    fn lose(&mut self, primary: &Address, trouble: StoreError) -> StoreError {
        if *primary == self.current {
            return trouble;
        }
        if matches!(trouble, StoreError::Unreachable(_) | StoreError::Timeout(_)) {
            self.nodes.remove(primary);
            self.rests.insert(primary.clone(), Instant::now() + REST);
        }
        apart(primary, trouble)
    }

    async fn version_apart(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        let read = self.share_connection(&board.version_key).await?.version(board).await;
        read.map_err(|trouble| self.part(&board.version_key, trouble))
    }

    async fn meta_apart(&mut self, board: &Board) -> Result<Meta, StoreError> {
        let read = self.share_connection(&board.meta_key).await?.read_meta(&board.meta_key).await;
        read.map_err(|trouble| self.part(&board.meta_key, trouble))
    }

    async fn names_by_node(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
        key_of: impl Fn(&Member) -> Key,
    ) -> Result<Vec<Option<Name>>, StoreError> {
        let mut by_shard: HashMap<Address, Vec<usize>> = HashMap::new();
        for (index, member) in members.iter().enumerate() {
            by_shard.entry(self.primary_of(&key_of(member))?).or_default().push(index);
        }
        let mut names = vec![None; members.len()];
        for indexes in by_shard.into_values() {
            let some: Vec<Member> = indexes.iter().map(|index| members[*index].clone()).collect();
            let key = key_of(&some[0]);
            let read = self.share_connection(&key).await?.names(home, &some).await;
            let found = read.map_err(|trouble| self.part(&key, trouble))?.unwrap_or_default();
            for (index, name) in indexes.into_iter().zip(found) {
                names[index] = name;
            }
        }
        Ok(names)
    }

    /// Begins to search the boards of all shards whose nodes answer.
    pub(super) async fn discover(&mut self, pattern: Option<Vec<u8>>) -> Result<Discovery, StoreError> {
        let mut all = Discovery::nowhere(pattern.clone());
        if std::mem::take(&mut self.has_lost) {
            // By now another may be the primary.
            self.map = self.cluster.map().await?;
        }
        let primaries: Vec<_> = self.map.shards.iter().map(|shard| shard.primary.clone()).collect();
        let mut reason = None;
        for primary in primaries {
            match self.discover_part(&primary, pattern.clone()).await {
                Ok(part) => all.join(&primary, part),
                Err(trouble) if is_loss(&trouble) => {
                    self.drop_node(&primary);
                    all.lose(&primary, &why(&primary, &trouble));
                    reason = Some(trouble);
                }
                Err(trouble) => return Err(trouble),
            }
        }
        match reason {
            Some(trouble) if !all.has_somewhere() => Err(trouble),
            _ => Ok(all),
        }
    }

    async fn discover_part(&mut self, primary: &Address, pattern: Option<Vec<u8>>) -> Result<Discovery, StoreError> {
        self.node(primary).await?.home.discover(pattern).await
    }

    /// Forgets a connection that brings nothing any more.
    fn drop_node(&mut self, primary: &Address) {
        self.has_lost = true;
        if *primary != self.current {
            self.nodes.remove(primary);
        }
    }

    /// Searches on by one step at one of the nodes.
    pub(super) async fn search_on(&mut self, discovery: &mut Discovery) -> Result<bool, StoreError> {
        let Some(primary) = discovery.primary() else { return Ok(false) };
        match self.search_part(&primary, discovery).await {
            Err(trouble) if is_loss(&trouble) && primary != self.current => {
                self.drop_node(&primary);
                discovery.lose(&primary, &why(&primary, &trouble));
                Ok(discovery.has_somewhere())
            }
            searched => searched,
        }
    }

    async fn search_part(&mut self, primary: &Address, discovery: &mut Discovery) -> Result<bool, StoreError> {
        self.node(primary).await?.home.search_on(discovery).await
    }

    /// What there is at the keys of `boards`, in their order. One round trip to each node for each hundred boards.
    pub(super) async fn look_at(&mut self, boards: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        let mut sights = Vec::with_capacity(boards.len());
        for batch in boards.chunks(BATCH) {
            let mut look_ups = 0;
            let batch = loop {
                match self.look_at_batch(batch).await {
                    Err(moved) if moved.is_moved() && look_ups < LOOK_UPS => {
                        look_ups += 1;
                        self.map = self.cluster.map().await?;
                        self.nodes.clear();
                    }
                    other => break other?,
                }
            };
            sights.extend(batch);
        }
        Ok(sights)
    }

    async fn look_at_batch(&mut self, boards: &[Board]) -> Result<Vec<KeySummary>, StoreError> {
        let commands = boards.iter().flat_map(questions).collect();
        let mut replies = self.ask_each(commands).await?.into_iter();
        let mut sights = Vec::with_capacity(boards.len());
        for board in boards {
            let mut next = || replies.next().ok_or_else(|| reply::malformed("ZCARD"));
            let (total, ttl, version, meta) = (next()?, next()?, next()?, next()?);
            sights.push(match total.and_then(|total| Ok((total, ttl?))) {
                // What is beside the board may be on a node that is away.
                Ok((total, ttl)) => {
                    sight(&board.key, [total, ttl, version.unwrap_or_default(), meta.unwrap_or_default()])?
                }
                Err(trouble) => KeySummary::Unanswered(trouble),
            });
        }
        match sights.first() {
            // Nothing can be told of any of them.
            Some(KeySummary::Unanswered(trouble)) if sights.iter().all(is_unanswered) => Err(trouble.clone()),
            _ => Ok(sights),
        }
    }

    /// How the scores of a board are spread. A version that is in another slot is none of the moment.
    pub(super) async fn distribution(&mut self, board: &Board, binning: Binning) -> Result<Distribution, StoreError> {
        let has_version = slot(&board.version_key) == slot(&board.key);
        let home = &mut self.owner(&board.key).await?.home;
        home.without((has_version, true), async |home| home.read_distribution(board, binning).await).await
    }

    /// Sends each command to the node of its key, one pipeline to each node; the replies in the order of the commands, and
    /// why there is none where a node is away.
    async fn ask_each(&mut self, commands: Vec<(Key, Cmd)>) -> Result<Vec<Result<Value, StoreError>>, StoreError> {
        let mut by_shard: HashMap<Address, (Pipeline, Vec<(usize, Key)>)> = HashMap::new();
        let mut replies = vec![Ok(Value::Nil); commands.len()];
        for (index, (key, command)) in commands.into_iter().enumerate() {
            let primary = match self.primary_of(&key) {
                Ok(primary) => primary,
                Err(unserved) => {
                    replies[index] = Err(unserved);
                    continue;
                }
            };
            let (pipeline, asked) = by_shard.entry(primary).or_default();
            pipeline.add_command(command);
            asked.push((index, key));
        }
        for (primary, (pipeline, asked)) in by_shard {
            match self.send_part(&primary, &pipeline).await {
                Ok(answered) => {
                    for ((index, _), reply) in asked.into_iter().zip(answered) {
                        replies[index] = Ok(reply);
                    }
                }
                Err(trouble) if is_loss(&trouble) && primary != self.current => {
                    self.drop_node(&primary);
                    for (index, key) in asked {
                        replies[index] = Err(lost(&primary, &key, trouble.clone()));
                    }
                }
                Err(trouble) => return Err(trouble),
            }
        }
        Ok(replies)
    }

    async fn send_part(&mut self, primary: &Address, pipeline: &Pipeline) -> Result<Vec<Value>, StoreError> {
        self.node(primary).await?.home.send(pipeline).await
    }
}

fn is_unanswered(sight: &KeySummary) -> bool {
    matches!(sight, KeySummary::Unanswered(_))
}

/// An error with what is beside a board: it passes, and the board can be read meanwhile.
fn apart(primary: &Address, trouble: StoreError) -> StoreError {
    match trouble {
        lost @ (StoreError::Unreachable(_) | StoreError::Timeout(_)) => {
            StoreError::NotReady(format!("the node {primary}, which holds what belongs to the board: {lost}"))
        }
        other => other,
    }
}

impl ClusterSource {
    pub(super) async fn read(&mut self, board: &Board, ask: &PageRequest) -> Result<PageReply, StoreError> {
        let own = slot(&board.key);
        let (has_version, has_meta) = (slot(&board.version_key) == own, slot(&board.meta_key) == own);
        self.owner(&board.key).await?;
        // Before the rows: a change in between is then found by the next look, as a version that is another one.
        let version = if has_version { None } else { self.version_apart(board).await? };
        let home = &mut self.owner(&board.key).await?.home;
        let mut answer = home.without((has_version, has_meta), async |home| home.read(board, ask).await).await?;
        let meta = if has_meta { Meta::default() } else { self.meta_apart(board).await? };
        // What is not there cannot be of another moment.
        let is_apart = version.is_some() || meta != Meta::default();
        if let PageReply::Page(page) = &mut answer {
            let window = &mut page.window;
            if !has_version {
                window.version = version;
            }
            if !has_meta {
                window.meta = meta;
            }
            window.verified &= !is_apart;
        }
        self.watched.note(is_apart.then_some(APART));
        Ok(answer)
    }

    pub(super) fn access(&self) -> Option<Capabilities> {
        self.nodes.get(&self.current).and_then(|node| node.home.access())
    }

    pub(super) fn trips(&mut self) -> Vec<RoundTrip> {
        self.nodes.values_mut().flat_map(|node| node.home.trips()).collect()
    }

    pub(super) async fn version(&mut self, board: &Board) -> Result<Option<Version>, StoreError> {
        if slot(&board.version_key) == slot(&board.key) {
            self.owner(&board.key).await?.home.version(board).await
        } else {
            self.version_apart(board).await
        }
    }

    pub(super) async fn names(
        &mut self,
        home: &NamesLocation,
        members: &[Member],
    ) -> Result<Option<Vec<Option<Name>>>, StoreError> {
        match home.stored() {
            NamesLocation::Hash(key) => {
                let read = self.share_connection(key).await?.names(home, members).await;
                read.map_err(|trouble| self.part(key, trouble))
            }
            NamesLocation::HashEach(template, _)
            | NamesLocation::StringEach(template)
            | NamesLocation::FieldsEach(template, _) => {
                let key_of = |member: &Member| template.of(member.as_bytes());
                self.names_by_node(home, members, key_of).await.map(Some)
            }
            // A path into a path is none.
            NamesLocation::Json(..) => Ok(None),
        }
    }
}
