//! Playing on a board over many sorted sets: each change goes to the part of its member, placed by CRC-32 as the board says
//! of itself, and the version of each part counts the members that changed.

use super::super::shards::PartWriters;
use super::super::write_report::unanswered;
use super::WHAT;
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::board::sharded::placement::part_of;
use crate::board::sharded::vector::version_of;
use crate::board::version::Version;
use crate::exit::Failure;
use crate::store::Change;
use crate::store::redis::topology::Service;
use crate::store::redis::write::change::Changing;
use crate::store::sharded::board::part_names;

/// The parts that are written to.
pub(super) struct Parts<'a> {
    writers: PartWriters<'a>,
    address: &'a str,
    shards: u32,
    /// The version that each was last written at.
    versions: Vec<Option<Version>>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(service: &'a Service, address: &'a str, board: &'a Board, shards: u32) -> Self {
        Self { writers: PartWriters::new(service, board, WHAT), address, shards, versions: vec![None; shards as usize] }
    }

    /// Says in the meta hash of each part which part it is, and by which rules it is written. The parts must not be there
    /// yet.
    pub(super) async fn open(&mut self, fields: &[Change]) -> Result<Changing, Failure> {
        for part in 0..self.shards {
            let own = [
                Change::Meta("shard", part.to_string().into_bytes()),
                Change::Meta("shards", self.shards.to_string().into_bytes()),
                Change::Meta("shard-hash", b"crc32".to_vec()),
                Change::Meta("version", b"members".to_vec()),
            ];
            let changes: Vec<Change> = own.iter().chain(fields).cloned().collect();
            match self.change(part, None, &changes, true).await? {
                Changing::Written { .. } => {}
                refused => return Ok(refused),
            }
        }
        Ok(self.written(false))
    }

    /// Makes the changes, those of one part as one moment; a change of nothing counts the version of the first part up.
    pub(super) async fn write(&mut self, names: &NamesLocation, changes: &[Change]) -> Result<Changing, Failure> {
        let mut by_part: Vec<Vec<Change>> = vec![Vec::new(); self.shards as usize];
        for change in changes {
            let part = match change {
                Change::Score(member, _) | Change::Leave(member) | Change::Name(member, _) => self.part_of(member),
                Change::Meta(..) => 0,
            };
            if let Some(some) = by_part.get_mut(part as usize) {
                some.push(change.clone());
            }
        }
        let mut is_late = false;
        for (part, some) in (0..self.shards).zip(by_part) {
            if some.is_empty() && !(changes.is_empty() && part == 0) {
                continue;
            }
            match self.change(part, Some(names), &some, false).await? {
                Changing::Written { is_late: late, .. } => is_late |= late,
                refused => return Ok(refused),
            }
        }
        Ok(self.written(is_late))
    }

    fn part_of(&self, member: &Member) -> u32 {
        part_of(member.as_bytes(), self.shards)
    }

    async fn change(
        &mut self,
        part: u32,
        names: Option<&NamesLocation>,
        changes: &[Change],
        is_opening: bool,
    ) -> Result<Changing, Failure> {
        let (board, writer) = self.writers.part(part).await?;
        let names = names.map_or_else(|| NamesLocation::Hash(board.meta_key.clone()), |names| part_names(names, part));
        let changing = writer.change(&board, &names, changes, is_opening).await;
        let changing = changing.map_err(|error| unanswered(WHAT, &board, self.address, &error))?;
        if let Changing::Written { version, .. } = &changing
            && let Some(slot) = self.versions.get_mut(part as usize)
        {
            *slot = Some(version.clone());
        }
        Ok(changing)
    }

    fn written(&self, is_late: bool) -> Changing {
        let version = version_of(&self.versions).unwrap_or_else(|| "0".into());
        Changing::Written { version, is_late }
    }
}
