//! Where a writer puts a member: where it stands, else where the board says that members are placed. Readers need no such
//! rule; a writer that used another one would make every rank wrong.

use super::Parts;
use super::asking::Reader;
use super::stretch::{in_two_parts, malformed};
use crate::board::entry::Member;
use crate::board::sharded::part::{Question, Reply};
use crate::board::sharded::placement::part_of;
use crate::query::error::StoreError;

/// Where a member is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// Into this part.
    Part(u32),
    /// It is in no part, and the board does not say how members are placed.
    Unknown,
}

impl<P: Parts> Reader<'_, P> {
    /// Where `member` is to be written. One trip; every part has to answer.
    pub async fn place(&mut self, member: &Member) -> Result<Placement, StoreError> {
        let answers = self.ask(|_| vec![Question::Score(member.clone())]).await?;
        if let Some(lost) = self.lost().into_iter().next() {
            return Err(StoreError::NotReady(format!("shard {} did not answer: {}", lost.part, lost.why)));
        }
        let mut found: Option<usize> = None;
        for (part, answer) in answers.iter().enumerate() {
            let Some(Reply::Score(score)) = answer.replies.first() else { return Err(malformed()) };
            if score.is_some()
                && let Some(other) = found.replace(part)
            {
                return Err(in_two_parts(member.as_bytes(), other, part));
            }
        }
        let shards = u32::try_from(answers.len()).unwrap_or(u32::MAX);
        let hashed = part_of(member.as_bytes(), shards);
        let is_hashed = answers.iter().any(|answer| answer.said.is_hashed);
        match found.and_then(|part| u32::try_from(part).ok()) {
            Some(part) if is_hashed && part != hashed => Err(StoreError::Other(format!(
                "'{}' is in shard {part}, and by its CRC-32 belongs in shard {hashed}",
                member.as_bytes().escape_ascii()
            ))),
            Some(part) => Ok(Placement::Part(part)),
            None if is_hashed => Ok(Placement::Part(hashed)),
            None => Ok(Placement::Unknown),
        }
    }
}
