//! `ranktop diff`: compares two boards, or two moments of one: who entered, who left, whose score changed, who moved in
//! rank. It reads each of them once, by pages, and says whether each was of one moment.

mod matching;
mod sorter;
#[cfg(test)]
mod tests;
mod walk;

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::board::diff::Pair;
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::{Name, NamesLocation};
use crate::board::order::Order;
use crate::board::packed::scoring::{Scoring, ScoringOptions};
use crate::board::rank::RankStyle;
use crate::board::window::Window;
use crate::cli::{DiffArgs, FormatName, Reading, Which};
use crate::commands::consistency::Moments;
use crate::commands::failures::board_text;
use crate::commands::output::Format;
use crate::commands::output::diff::{Report, Row, Seen};
use crate::commands::pages::{Pages, Source};
use crate::commands::probe::probe;
use crate::commands::{probing, reach, setup};
use crate::exit::{Exit, Failure, forgive_closed_pipe, warn};
use crate::query::error::StoreError;
use crate::store::BoardSource;
use matching::{Found, unkept};
use walk::Walk;

/// So many rows of a table are printed unless more are asked for: it is for people.
const ROWS_OF_TABLE: u64 = 100;

/// Names are read for so many rows at a time, and so many are printed at once.
const ROWS_AT_ONCE: usize = 1_000;

/// How two boards are to be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct DiffOptions {
    /// The order that was asked for. `None`: what the boards say of themselves, else the order of the [`Board`] given.
    pub order: Option<Order>,
    /// The rank style that was asked for. `None`: what the boards say of themselves, else the default.
    pub rank_style: Option<RankStyle>,
    /// How scores and members are packed.
    pub scoring: ScoringOptions,
    /// Whether names are looked for where nobody has named their location.
    pub is_probing: bool,
    /// Only rows with this rank or a better one are compared.
    pub top: Option<u64>,
    /// At most so many rows are printed; all are counted.
    pub limit: Option<u64>,
    /// In which form they are printed.
    pub format: Format,
}

/// One of the two boards, and where it lives: two connections, so that the server reads one page while another is taken in.
pub struct Side<H> {
    pub board: Board,
    pub names: NamesLocation,
    /// As messages name it; never with a password.
    pub address: String,
    pub homes: [H; 2],
}

/// Compares the boards that `arguments` name.
pub async fn diff(arguments: DiffArgs) -> Result<u8, Failure> {
    let service = setup::read_service(&arguments.connection)?.with_shards(arguments.reading.which.shards);
    let [from, to] = arguments.boards()?;
    let options = arguments.options()?;
    let side = async |(board, names): (Board, NamesLocation)| {
        let (first, address) = reach(&service, &board).await?;
        let second = service.connect(&board.key, None).await;
        let second = second.map_err(|trouble| Failure::unreadable(&board, &address, &trouble))?.home;
        Ok::<_, Failure>(Side { board, names, address, homes: [first, second] })
    };
    let (mut from, mut to) = (side(from).await?, side(to).await?);
    let bar = if io::stderr().is_terminal() { progress() } else { ProgressBar::hidden() };
    let mut out = BufWriter::new(io::stdout().lock());
    compare([&mut from, &mut to], &options, &bar, &mut out, &mut io::stderr()).await
}

fn progress() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10));
    match ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} rows  {per_sec}  {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Compares two boards and prints what differs to `out`; the exit code. `err` gets what is said about names that are left
/// out and about boards that changed meanwhile.
pub async fn compare<H: BoardSource>(
    [from, to]: [&mut Side<H>; 2],
    options: &DiffOptions,
    bar: &ProgressBar,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<u8, Failure> {
    let (first, second) = (look(from, options).await?, look(to, options).await?);
    let order = common_order(from, to)?;
    let said = second.meta.rank_style.or(first.meta.rank_style);
    let style = options.rank_style.or(said).unwrap_or_default();
    let sources = [source(from, &first, options), source(to, &second, options)];
    let expected = |window: &Window| options.top.map_or(window.total, |top| top.min(window.total));
    bar.set_length(expected(&first) + expected(&second));

    let (found, moments) = {
        let [a, b] = &mut from.homes;
        let mut down_from = Walk::new(Pages::new(&sources[0], [a, b]), style, options.top, bar);
        let [a, b] = &mut to.homes;
        let mut down_to = Walk::new(Pages::new(&sources[1], [a, b]), style, options.top, bar);
        let found = matching::compare(&mut down_from, &mut down_to, order, style).await;
        bar.finish_and_clear();
        (found?, [down_from.moments, down_to.moments])
    };

    let [first, second] = [&first, &second].map(members);
    let [from_scoring, to_scoring] = sources.map(|source| source.scoring);
    let mut names = [
        Names::new(from, from_scoring, first, options.is_probing).await,
        Names::new(to, to_scoring, second, options.is_probing).await,
    ];
    for (names, moments) in names.iter().zip(&moments) {
        if let Some(warning) = moments.warning() {
            let board = board_text(&names.side.board);
            // Whether or not somebody reads the warning, the report says it, too.
            let _ = warn(err, &format!("board '{board}': {warning}"));
        }
    }
    let seen = |at: usize| Seen::new(names[at].side.board.key.clone(), &moments[at]);
    let report = Report {
        from: seen(0),
        to: seen(1),
        order,
        style,
        top: options.top,
        counts: found.counts,
        format: options.format,
    };
    let is_different = found.counts.different() > 0 || moments.iter().any(Moments::differ);
    print(&report, found, &mut names, options, out, err).await?;
    Ok(if is_different { Exit::Changed.code() } else { Exit::Done.code() })
}

/// A first look at a board: whether it is there, and how it wants to be read.
async fn look<H: BoardSource>(side: &mut Side<H>, options: &DiffOptions) -> Result<Window, Failure> {
    probe(&mut side.homes[0], &mut side.board, options.order, &side.address).await
}

/// Boards of different orders have no common one to walk in, and what is better on one is worse on the other.
fn common_order<H>(from: &Side<H>, to: &Side<H>) -> Result<Order, Failure> {
    if from.board.order == to.board.order {
        return Ok(from.board.order);
    }
    let text = |side: &Side<H>| format!("'{}' says {}", board_text(&side.board), side.board.order);
    Err(Failure::new(Exit::Usage, format!("the boards are in different orders: {}, {}", text(from), text(to)))
        .with_hint("say in which one both are to be read: '--order desc' or '--order asc'"))
}

/// Distinct scores are counted on the way, so that no page need count them.
fn source<H>(side: &Side<H>, first: &Window, options: &DiffOptions) -> Source {
    let scoring = options.scoring.of(&side.board.key, first.meta.score.as_deref());
    let address = side.address.clone();
    Source { board: side.board.clone(), address, style: RankStyle::default(), scoring }
}

fn members(window: &Window) -> Vec<Member> {
    window.entries.iter().map(|entry| entry.member.clone()).collect()
}

/// Prints everything that differs, or as much as was asked for.
async fn print<H: BoardSource>(
    report: &Report,
    mut found: Found,
    names: &mut [Names<'_, H>; 2],
    options: &DiffOptions,
    out: &mut impl Write,
    err: &mut impl Write,
) -> Result<(), Failure> {
    let default = if matches!(options.format, Format::Table { .. }) { ROWS_OF_TABLE } else { u64::MAX };
    let limit = options.limit.unwrap_or(default).min(found.counts.different());
    let mut written = forgiven(report.start(out))?;
    let mut told = 0;
    while written && told < limit {
        let mut pairs = Vec::new();
        while pairs.len() < ROWS_AT_ONCE && told + (pairs.len() as u64) < limit {
            match found.pairs.next().map_err(|error| unkept(&error))? {
                Some(pair) => pairs.push(pair),
                None => break,
            }
        }
        let rows = named(pairs, names, err).await?;
        written = forgiven(report.rows(&rows, told == 0, out))?;
        told += rows.len() as u64;
    }
    if written {
        forgiven(report.end(found.counts.different() - told, out))?;
    }
    Ok(())
}

/// False where whoever reads has read enough.
fn forgiven(written: io::Result<()>) -> Result<bool, Failure> {
    let is_written = written.is_ok();
    forgive_closed_pipe(written)
        .map(|()| is_written)
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the differences: {error}")))
}

/// The pairs with their names: those of the second board, but for who left it.
async fn named<H: BoardSource>(
    pairs: Vec<Pair>,
    names: &mut [Names<'_, H>; 2],
    err: &mut impl Write,
) -> Result<Vec<Row>, Failure> {
    let of = |is_left: bool| pairs.iter().filter(move |pair| pair.to.is_none() == is_left).map(|pair| &pair.member);
    let mut found = [names[0].of(of(true), err).await?.into_iter(), names[1].of(of(false), err).await?.into_iter()];
    let rows = pairs.into_iter().map(|pair| {
        let name = found[usize::from(pair.to.is_some())].next().flatten();
        Row { pair, name }
    });
    Ok(rows.collect())
}

/// The names of one board's members, until it turns out that they may not be read.
struct Names<'a, H> {
    side: &'a mut Side<H>,
    at: NamesLocation,
    scoring: Scoring,
    is_refused: bool,
}

impl<'a, H: BoardSource> Names<'a, H> {
    /// Names are where they were named, else where those of `members` are found.
    async fn new(side: &'a mut Side<H>, scoring: Scoring, members: Vec<Member>, is_probing: bool) -> Self {
        let mut at = side.names.clone();
        let ids: Vec<Member> = members.iter().map(|member| scoring.id_of(member)).collect();
        let home = &mut side.homes[0];
        if is_probing
            && let Ok(named) = home.names(&at, &ids).await
            && named.is_none_or(|names| names.iter().all(Option::is_none))
            && let Some(found) = probing::found(home, &side.board.key, &at, &ids).await
        {
            at = found;
        }
        Self { side, at, scoring, is_refused: false }
    }

    async fn of(
        &mut self,
        members: impl Iterator<Item = &Member>,
        err: &mut impl Write,
    ) -> Result<Vec<Option<Name>>, Failure> {
        let ids: Vec<Member> = members.map(|member| self.scoring.id_of(member)).collect();
        if self.is_refused || ids.is_empty() {
            return Ok(vec![None; ids.len()]);
        }
        match self.side.homes[0].names(&self.at, &ids).await {
            Ok(names) => Ok(names.unwrap_or_else(|| vec![None; ids.len()])),
            Err(trouble @ (StoreError::NoPermission { .. } | StoreError::WrongType { .. })) => {
                self.is_refused = true;
                let board = board_text(&self.side.board);
                // Whether or not somebody reads the warning, the rows are what was asked for.
                let _ = warn(err, &format!("names of board '{board}' are left out: {trouble}"));
                Ok(vec![None; ids.len()])
            }
            Err(trouble) => Err(Failure::unreadable(&self.side.board, &self.side.address, &trouble)),
        }
    }
}

impl DiffArgs {
    /// The two boards.
    fn boards(&self) -> Result<[(Board, NamesLocation); 2], Failure> {
        let Reading { ranking, naming, which, .. } = &self.reading;
        let board = |given: &Option<OsString>, which: &Which| {
            setup::board_with_names(given.clone(), which, ranking.order(), &naming.names)
        };
        let second = match &self.other {
            Some(_) => Which { game: None, period: None, ..which.clone() },
            None => Which { period: self.to, ..which.clone() },
        };
        Ok([board(&self.board, which)?, board(&self.other, &second)?])
    }

    /// How they are to be compared.
    fn options(&self) -> Result<DiffOptions, Failure> {
        Ok(DiffOptions {
            order: self.reading.ranking.order(),
            rank_style: self.reading.ranking.rank_style,
            scoring: setup::scoring(self.reading.scoring())?,
            is_probing: self.reading.naming.is_probing(),
            top: self.top,
            limit: self.limit,
            format: match self.format {
                FormatName::Table => Format::Table { color: setup::is_table_coloured(self.color.color) },
                FormatName::Json => Format::Json,
                FormatName::Csv => Format::Csv { raw: self.raw },
            },
        })
    }
}
