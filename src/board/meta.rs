//! What a board says of itself: the meta hash, and how long its key will live.

use std::sync::Arc;

use super::order::Order;
use super::packed::Spec;
use super::rank::RankStyle;

/// The life of a period: whether scores are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Scores are taken.
    Open,
    /// Closing, within the grace window for late scores.
    Closing,
    /// No score is taken any more.
    Closed,
}

impl State {
    /// The word that the meta hash and JSON use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closing => "closing",
            Self::Closed => "closed",
        }
    }
}

/// The fields of the meta hash; each is `None` where it is missing or not of its form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// Whether scores are taken.
    pub state: Option<State>,
    /// When the board closes, Unix ms.
    pub closes_at: Option<i64>,
    /// When it was closed, Unix ms.
    pub closed_at: Option<i64>,
    /// What people call the board: raw bytes, to be escaped before they are drawn.
    pub title: Option<Arc<[u8]>>,
    /// In which order the board wants to be read.
    pub order: Option<Order>,
    /// In which style its ranks are announced.
    pub rank_style: Option<RankStyle>,
    /// How its scores are packed.
    pub score: Option<Arc<Spec>>,
}

impl Meta {
    /// The fields in the order in which [`Meta::from_values`] wants their values.
    pub const FIELDS: [&'static str; 7] = ["state", "closes_at", "closed_at", "title", "order", "rank", "score"];

    /// Reads the values of [`Meta::FIELDS`]; what is missing or malformed stays `None`, for all of it is optional.
    pub fn from_values(values: &[Option<Vec<u8>>]) -> Self {
        let bytes = |at: usize| values.get(at).and_then(Option::as_ref);
        let text = |at| bytes(at).and_then(|value| std::str::from_utf8(value).ok());
        Self {
            state: match text(0) {
                Some("open") => Some(State::Open),
                Some("closing") => Some(State::Closing),
                Some("closed") => Some(State::Closed),
                _ => None,
            },
            closes_at: text(1).and_then(|value| value.parse().ok()),
            closed_at: text(2).and_then(|value| value.parse().ok()),
            title: bytes(3).filter(|value| !value.is_empty()).map(|value| value.as_slice().into()),
            order: text(4).and_then(|value| value.parse().ok()),
            rank_style: text(5).and_then(|value| value.parse().ok()),
            score: text(6).and_then(|value| value.parse().ok()).map(Arc::new),
        }
    }
}

/// How long the board's key will live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ttl {
    /// There is no such key.
    NoKey,
    /// The server does not tell.
    Unknown,
    /// It never expires.
    Forever,
    /// It expires after so many milliseconds, as of the moment of the read.
    Milliseconds(u64),
}

impl Ttl {
    /// From the answer to `PTTL`: -2 where there is no key, -1 where it never expires.
    pub fn from_pttl(answer: i64) -> Self {
        match answer {
            -1 => Self::Forever,
            -2 => Self::NoKey,
            other => u64::try_from(other).map_or(Self::Unknown, Self::Milliseconds),
        }
    }

    /// The milliseconds, where the key expires.
    pub fn milliseconds(self) -> Option<u64> {
        match self {
            Self::Milliseconds(ms) => Some(ms),
            _ => None,
        }
    }
}
