//! What is set when the viewer opens, by options, the environment, the settings file.

use crate::app::polling::schedule::Watch;
use crate::app::queue::Intent;
use crate::board::keys::Key;
use crate::board::movement::MoveSince;
use crate::board::order::Order;
use crate::board::packed::scoring::ScoringOptions;
use crate::board::period::Zone;
use crate::board::rank::RankStyle;
use crate::board::templates::Templates;

/// The most rows a page may have.
pub const LARGEST_PAGE: u64 = 1_000;

/// How many rows a page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageSize {
    /// As many as the table has lines.
    Fit,
    /// So many; the table scrolls inside the page.
    Rows(u64),
}

/// How pages are turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paging {
    /// From the last row read.
    Cursor,
    /// From a row number.
    Position,
}

/// What a command that opens the same place is made of.
#[derive(Clone, Debug)]
pub struct Sharing {
    /// The options that lead to the same server and keys, as a shell reads them, each with a space before it. No secrets.
    pub options: String,
    /// An argument as a shell reads it.
    pub quote: fn(&[u8]) -> String,
}

/// What is set when the viewer opens.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The board's key; `None` where one is to be chosen.
    pub key: Option<Key>,
    /// Where boards are, and what goes with them.
    pub templates: Templates,
    /// The zone in which periods are cut.
    pub zone: Zone,
    /// The server, as the header names it.
    pub server: String,
    /// Nobody has checked that it is that server.
    pub is_server_unverified: bool,
    /// The order, where it was set, so that a board's own wish does not count.
    pub order: Option<Order>,
    /// The rank style, where it was set.
    pub style: Option<RankStyle>,
    /// How scores and members are packed.
    pub scoring: ScoringOptions,
    /// Whether names are looked for where nobody has named their location.
    pub is_probing: bool,
    /// How changes are noticed, and how often.
    pub watch: Watch,
    /// How many rows a page has.
    pub page_size: PageSize,
    /// How pages are turned.
    pub paging: Paging,
    /// Since when movement counts.
    pub move_since: MoveSince,
    /// Whether a score that has just changed is marked.
    pub is_marking: bool,
    /// Where to begin.
    pub opening: Intent,
    /// How a key is shown, in a list of which the reader picks by what is seen.
    pub text: fn(&[u8]) -> String,
    /// How the place can be handed on.
    pub sharing: Sharing,
}
