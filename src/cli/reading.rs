//! The arguments that say how a board is read: its order, its ranks, its names. Each command flattens those it uses.

use clap::Args;

use super::board_arg::Which;
use super::values::Color;
use crate::board::names::NamesLocation;
use crate::board::order::Order;
use crate::board::packed::member::MemberSpec;
use crate::board::packed::scoring::{BoardScoring, ScoringOptions};
use crate::board::packed::{RankParts, Spec};
use crate::board::rank::RankStyle;
use crate::board::template::DEFAULT_NAMES;
use crate::board::templates::{NamesTemplate, Templates};

/// All of it, for the commands that show rows with ranks and names.
#[derive(Debug, Args)]
pub struct Reading {
    /// Order and ranks.
    #[command(flatten)]
    pub ranking: Ranking,
    /// How scores are packed.
    #[command(flatten)]
    pub packing: Packing,
    /// Names.
    #[command(flatten)]
    pub naming: Naming,
    /// Which game's board.
    #[command(flatten)]
    pub which: Which,
}

impl Reading {
    /// How scores and members are packed.
    pub fn scoring(&self) -> ScoringOptions {
        ScoringOptions { member: self.naming.member_spec.clone().map(Into::into), ..self.packing.scoring() }
    }
}

/// Which end of the board is the top.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct OrderArg {
    /// Which end is the top: desc (high score first) or asc (low first) [default: what the board says, else desc]
    #[arg(long, value_name = "ORDER")]
    pub order: Option<Order>,
}

/// In which order rows are read, and how they are ranked.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct Ranking {
    /// The order.
    #[command(flatten)]
    pub order: OrderArg,
    /// How equal scores share ranks, on 30 20 20 10: competition 1 2 2 4, modified 1 3 3 4, dense 1 2 2 3, ordinal
    /// 1 2 3 4, fractional 1 2.5 2.5 4 [default: what the board says, else competition]
    #[arg(long, value_name = "STYLE")]
    pub rank_style: Option<RankStyle>,
}

impl Ranking {
    /// The order that was asked for.
    pub fn order(self) -> Option<Order> {
        self.order.order
    }
}

/// How scores are packed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct Packing {
    /// How a score is packed, such as points,time:10=9999999999-s: a lead, then parts in lower digits (,) or in the fraction
    /// (.); docs/packed-scores.md has the notation by examples [default: what the board says, else as it is]
    #[arg(long, value_name = "SPEC")]
    pub score: Option<Spec>,
    /// How many leading parts of a packed score count for ranks and ties: 1 or more, or all
    #[arg(long, value_name = "N", default_value_t)]
    pub rank_parts: RankParts,
    /// What the file of settings says of some boards, less what an argument says of all.
    #[arg(skip)]
    pub boards: Vec<BoardScoring>,
}

impl Packing {
    /// How scores are packed; members are as they are.
    pub fn scoring(&self) -> ScoringOptions {
        ScoringOptions {
            boards: self.boards.clone().into(),
            spec: self.score.clone(),
            parts: self.rank_parts,
            member: None,
        }
    }
}

/// Where names are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
#[allow(rustdoc::invalid_html_tags, reason = "help shows <member> as it is written in templates")]
pub struct NamesArgs {
    /// Where the hash of names is; <base> is the board's key without its period, <key/scores/users> the key with one word
    /// replaced; a path after # finds the name in JSON, as in '<board>:users#name'
    #[arg(long, value_name = "TEMPLATE", default_value = DEFAULT_NAMES)]
    pub names_key: NamesTemplate,
    /// Where names are, if each member has its own key: hash:user:<member>:name or string:user:<member>; with a path,
    /// string:user:<member>#user.name or hash:user:<member>#firstName+lastName
    #[arg(long, value_name = "WHERE", conflicts_with = "names_key")]
    pub name_of: Option<NamesLocation>,
}

impl NamesArgs {
    /// Where the names of all boards are.
    pub fn template(&self) -> NamesTemplate {
        self.name_of.clone().map_or_else(|| self.names_key.clone(), NamesTemplate::Fixed)
    }
}

/// Which name belongs to a member.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct Naming {
    /// How a member is packed, such as 'time:10=5000000000-s ":" id': the id goes by itself for names and searches
    #[arg(long = "member", value_name = "SPEC")]
    pub member_spec: Option<MemberSpec>,
    /// Where names are.
    #[command(flatten)]
    pub names: NamesArgs,
    /// Look for names only where they were named; else a few likely keys are looked at where there are none
    #[arg(long)]
    pub no_probe: bool,
}

impl Naming {
    /// Whether names are looked for where they usually are not.
    pub fn is_probing(&self) -> bool {
        !self.no_probe && self.names.template() == Templates::default().names
    }
}

/// Whether there are colours.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct ColorArg {
    /// When to use colours
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub color: Color,
}
