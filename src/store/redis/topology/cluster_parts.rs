//! The parts of a board on the nodes of a Cluster: one pipeline for each node, and all nodes at once. A node that does not
//! answer keeps nobody from the parts on the others, and is left alone for a while.

use std::collections::HashMap;

use futures_util::future::join_all;
use tokio::time::Instant;

use super::Address;
use super::cluster_source::{ClusterSource, LOOK_UPS, REST};
use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::board::sharded::part::Answer;
use crate::board::version::Version;
use crate::query::error::StoreError;
use crate::store::redis::RedisSource;
use crate::store::redis::parts::Asked;

impl ClusterSource {
    /// Another number once a node was lost or the slots were looked up anew.
    pub(super) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Asks all of these parts, each at its node; the answers in their order.
    pub(super) async fn ask_parts(
        &mut self,
        parts: &[Asked<'_>],
    ) -> Result<Vec<Result<Answer, StoreError>>, StoreError> {
        let keys: Vec<&Key> = parts.iter().map(|(board, _)| &board.key).collect();
        self.at_once(&keys, async |source: &mut RedisSource, indexes: &[usize]| {
            let some: Vec<Asked<'_>> = indexes.iter().map(|at| parts[*at]).collect();
            source.ask_parts(&some).await
        })
        .await
    }

    /// The versions of all these parts.
    pub(super) async fn versions(&mut self, parts: &[Board]) -> Result<Vec<Option<Version>>, StoreError> {
        let keys: Vec<&Key> = parts.iter().map(|board| &board.version_key).collect();
        let versions = self
            .at_once(&keys, async |source: &mut RedisSource, indexes: &[usize]| {
                let some: Vec<Board> = indexes.iter().map(|at| parts[*at].clone()).collect();
                Ok(source.versions(&some).await?.into_iter().map(Ok).collect())
            })
            .await?;
        // A node that is lost tells no version; the next read tells why.
        Ok(versions.into_iter().map(Result::unwrap_or_default).collect())
    }

    /// Does `ask` at the node of each key with the indexes of the keys there, at all nodes at once; the results in the order
    /// of the keys.
    async fn at_once<T>(
        &mut self,
        keys: &[&Key],
        ask: impl AsyncFn(&mut RedisSource, &[usize]) -> Result<Vec<Result<T, StoreError>>, StoreError>,
    ) -> Result<Vec<Result<T, StoreError>>, StoreError> {
        let mut results: Vec<Option<Result<T, StoreError>>> = keys.iter().map(|_| None).collect();
        for look_up in 0..=LOOK_UPS {
            let mut by_node: HashMap<Address, Vec<usize>> = HashMap::new();
            for at in (0..keys.len()).filter(|at| results[*at].is_none()) {
                by_node.entry(self.primary_of(keys[at])?).or_default().push(at);
            }
            let mut reached = Vec::with_capacity(by_node.len());
            for (primary, indexes) in by_node {
                match self.part_node(&primary).await {
                    Ok(()) => reached.extend(self.nodes.remove(&primary).map(|node| (primary, node, indexes))),
                    Err(error) => fail(&mut results, &indexes, &error),
                }
            }
            let asked = reached.into_iter().map(|(primary, mut node, indexes)| {
                let ask = &ask;
                async move {
                    let answered = ask(&mut node.home, &indexes).await;
                    (primary, node, indexes, answered)
                }
            });
            let mut moved = None;
            for (primary, node, indexes, answered) in join_all(asked).await {
                match answered {
                    Ok(answers) => {
                        self.nodes.insert(primary, node);
                        for (at, answer) in indexes.into_iter().zip(answers) {
                            match answer {
                                Err(error) if error.is_moved() => moved = Some(error),
                                answer => results[at] = Some(answer),
                            }
                        }
                    }
                    Err(error) if error.is_moved() => moved = Some(error),
                    Err(error) => {
                        let error = self.lose_part(&primary, error);
                        fail(&mut results, &indexes, &error);
                    }
                }
            }
            match moved {
                None => break,
                Some(error) if look_up == LOOK_UPS => return Err(error),
                Some(_) => self.look_up().await?,
            }
        }
        let lost = || StoreError::NotReady("the node of a shard did not answer".to_owned());
        Ok(results.into_iter().map(|result| result.unwrap_or_else(|| Err(lost()))).collect())
    }

    /// Sees to it that the node of this primary is connected, unless it is left alone.
    async fn part_node(&mut self, primary: &Address) -> Result<(), StoreError> {
        if let Some(until) = self.rests.get(primary) {
            if Instant::now() < *until {
                return Err(StoreError::NotReady(format!("the node {primary} does not answer")));
            }
            // By now another may be the primary: what the next trip asks it will know.
            self.rests.clear();
            self.look_up().await?;
        }
        match self.node(primary).await {
            Ok(_) => Ok(()),
            Err(error) => Err(self.lose_part(primary, error)),
        }
    }

    async fn look_up(&mut self) -> Result<(), StoreError> {
        self.epoch += 1;
        self.map = self.cluster.map().await?;
        let map = &self.map;
        self.nodes.retain(|primary, _| map.shards.iter().any(|shard| shard.primary == *primary));
        Ok(())
    }

    /// Leaves a node alone for a while.
    fn lose_part(&mut self, primary: &Address, error: StoreError) -> StoreError {
        self.epoch += 1;
        self.nodes.remove(primary);
        if !error.is_passing() {
            return error;
        }
        self.rests.insert(primary.clone(), Instant::now() + REST);
        StoreError::NotReady(format!("the node {primary}: {error}"))
    }
}

fn fail<T>(results: &mut [Option<Result<T, StoreError>>], indexes: &[usize], error: &StoreError) {
    for at in indexes {
        results[*at] = Some(Err(error.clone()));
    }
}
