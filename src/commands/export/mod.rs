//! `ranktop export`: writes every row of a frozen board, or on demand of one that is written meanwhile, by cursor pages and
//! in constant memory. It says of which version the rows are, and stops where a frozen board turns out not to be.

use crate::cli::RowsFormatName;
use std::collections::VecDeque;
use std::io::{self, IsTerminal, Write};
use std::pin::pin;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::board::cursor::Cursor;
use crate::board::entry::Entry;
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::names::Name;
use crate::board::names::NamesLocation;
use crate::board::order::Order;
use crate::board::packed::scoring::ScoringOptions;
use crate::board::rank::RankStyle;
use crate::board::window::Window;
use crate::cli::{ExportArgs, Reading};
use crate::commands::failures::board_text;
use crate::commands::output::{RowsFormat, Sheet};
use crate::commands::pages::{Names, Naming, Pages, Source};
use crate::commands::probe::{is_frozen, probe};
use crate::commands::probing;
use crate::commands::{reach, setup};
use crate::exit::{Exit, Failure, warn};
use crate::query::page::PageStart;
use crate::store::BoardSource;
use crate::term::signals::{Asked, Signals, stop_process};
use consistency::Moments;
use sink::{Sink, unwritten};

mod consistency;
mod sink;

/// What is to be written of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportRequest {
    /// Where the board lives, as messages name it; never with a password.
    pub address: String,
    /// In which form the rows are written.
    pub format: RowsFormat,
    /// The order that was asked for. `None`: what the board says of itself, else the order of the [`Board`] given.
    pub order: Option<Order>,
    /// The rank style that was asked for. `None`: what the board says of itself, else the default.
    pub rank_style: Option<RankStyle>,
    /// How scores and members are packed.
    pub scoring: ScoringOptions,
    /// Whether a board that is not frozen is taken.
    pub is_live: bool,
    /// Go on after this cursor, in its text form.
    pub after: Option<String>,
}

/// Exports the board that `arguments` name to a file or to standard output.
pub async fn export(arguments: ExportArgs) -> Result<u8, Failure> {
    let Reading { ranking, naming, which, .. } = &arguments.reading;
    let service = setup::read_service(&arguments.connection)?.with_shards(which.shards);
    let (board, names) = setup::board_with_names(arguments.board.clone(), which, ranking.order(), &naming.names)?;
    let is_probing = naming.is_probing();
    let (path, force) = (arguments.output.clone(), arguments.force);
    // Two for pages and two for names, so that one is read while another is taken in.
    let (mut home, address) = reach(&service, &board).await?;
    let request = arguments.request(address);
    let beside = async || {
        let reached = service.connect(&board.key, None).await;
        reached.map(|reached| reached.home).map_err(|trouble| Failure::unreadable(&board, &request.address, &trouble))
    };
    let (mut beside, mut third, mut fourth) = (beside().await?, beside().await?, beside().await?);
    let opening = Opening::look(&mut home, board.clone(), &request).await?;
    let names = opening.names(&mut home, names, is_probing).await;
    let sink = Sink::open(path.as_deref(), force)?;

    let is_shown = io::stderr().is_terminal() && (path.is_some() || !io::stdout().is_terminal());
    let bar = if is_shown { progress(opening.expected) } else { ProgressBar::hidden() };
    let is_beside = sink.is_beside();
    let pages = Pages::new(&opening.source, [&mut home, &mut beside]);
    let names = Names::new(&opening.source, [&mut third, &mut fourth], &names);
    let after = opening.after.as_ref().map(|cursor| cursor.place.clone());
    let export = Export::new(&opening, &request);
    let work = pin!(finish(export, after, pages, names, sink, &bar));
    // What nothing is left of may be ended by a signal as any program is.
    if is_beside { unless_signalled(work).await } else { work.await }
}

/// Writes everything, and says what was written.
async fn finish<H: BoardSource>(
    mut export: Export<'_>,
    after: Option<Entry>,
    mut pages: Pages<'_, H>,
    mut names: Names<'_, H>,
    mut sink: Sink,
    bar: &ProgressBar,
) -> Result<u8, Failure> {
    let written = export.write(after, &mut pages, &mut names, &mut sink, bar).await;
    bar.finish_and_clear();
    let mut err = io::stderr().lock();
    if let Some(trouble) = names.trouble {
        // Whether or not somebody reads the warning, the rows are what was asked for.
        let _ =
            warn(&mut err, &format!("names of board '{}' are left out: {trouble}", board_text(&export.source.board)));
    }
    let closed_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    match written {
        Ok(()) => {}
        Err(Stop::Unwritten(error)) if closed_pipe(&error) => return Ok(Exit::Done.code()),
        Err(Stop::Unwritten(error)) => return Err(unwritten(sink.name(), &error)),
        Err(Stop::Failed(failure)) if sink.is_beside() || sink.flush().is_err() => return Err(failure),
        Err(Stop::Failed(failure)) => return Err(export.with_way_on(failure)),
    }
    let name = sink.name().to_owned();
    match sink.finish() {
        Ok(digest) => {
            let moments = &export.moments;
            let _ = writeln!(err, "{}, {}, sha256 {digest}", rows(export.rows), moments.told());
            moments.verdict()?;
            if moments.unverified > 0 {
                let message =
                    format!("{} pages are not verified: their parts may be of different moments", moments.unverified);
                let _ = warn(&mut err, &message);
            }
            Ok(Exit::Done.code())
        }
        Err(error) if closed_pipe(&error) => Ok(Exit::Done.code()),
        Err(error) => Err(unwritten(&name, &error)),
    }
}

/// Does `work` unless a signal ends it, which drops it; a stop is obeyed and gone on from.
async fn unless_signalled(mut work: impl Future<Output = Result<u8, Failure>> + Unpin) -> Result<u8, Failure> {
    let failed = |error: io::Error| Failure::new(Exit::Failed, format!("cannot listen for signals: {error}"));
    let mut signals = Signals::listen().map_err(failed)?;
    loop {
        tokio::select! {
            biased;
            asked = signals.next() => match asked {
                Asked::End(code) => return Ok(code),
                Asked::Stop => stop_process().map_err(failed)?,
            },
            done = &mut work => return done,
        }
    }
}

fn progress(rows: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(rows), ProgressDrawTarget::stderr_with_hz(10));
    match ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} rows  {per_sec}  {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Why not everything was written.
enum Stop {
    /// The rows could not be read, or are not to be written.
    Failed(Failure),
    /// The rows could not be written.
    Unwritten(io::Error),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unwritten(error)
    }
}

/// An export under way.
struct Export<'a> {
    source: &'a Source,
    format: RowsFormat,
    moments: Moments<'a>,
    /// How many rows are written.
    rows: u64,
    /// The last of them.
    written: Option<Cursor>,
}

/// What is read, where to go on, and how many rows there are to be written.
struct Opening {
    source: Source,
    after: Option<Cursor>,
    expected: u64,
    /// Those on its first rows.
    members: Vec<Member>,
}

impl Opening {
    /// Where names are: where they were found, if they are not at `named`.
    async fn names<H: BoardSource>(&self, home: &mut H, named: NamesLocation, is_probing: bool) -> NamesLocation {
        let scoring = &self.source.scoring;
        let members: Vec<Member> = self.members.iter().map(|member| scoring.id_of(member)).collect();
        // A server logs what it refuses: after a refusal nothing more is tried.
        let is_in_vain = match home.names(&named, &members).await {
            Ok(found) => found.is_none_or(|found| found.iter().all(Option::is_none)),
            Err(_) => false,
        };
        if !is_probing || !is_in_vain {
            return named;
        }
        probing::found(home, &self.source.board.key, &named, &members).await.unwrap_or(named)
    }

    /// Looks at the board, and refuses what is not to be exported before anything is written.
    async fn look<H: BoardSource>(home: &mut H, mut board: Board, request: &ExportRequest) -> Result<Self, Failure> {
        let after =
            request.after.as_deref().map(Cursor::decode).transpose().map_err(|error| Failure::of_cursor(&error))?;
        let first = probe(home, &mut board, request.order, &request.address).await?;
        if let Some(cursor) = &after {
            cursor.check(&board).map_err(|error| Failure::of_cursor(&error))?;
        }
        if !request.is_live && !is_frozen(&board, &first) {
            let message =
                format!("board '{}' is not frozen: its pages may be of different moments", board_text(&board));
            return Err(Failure::new(Exit::Changed, message)
                .with_hint("export the copy that 'ranktop freeze' makes, or take it as it is with --live"));
        }
        let above = after.as_ref().and_then(|cursor| cursor.position).unwrap_or(0);
        let style = request.rank_style.or(first.meta.rank_style).unwrap_or_default();
        let scoring = request.scoring.of(&board.key, first.meta.score.as_deref());
        let source = Source { board, address: request.address.clone(), style, scoring };
        let members = first.entries.iter().map(|entry| entry.member.clone()).collect();
        Ok(Self { source, after, expected: first.total.saturating_sub(above), members })
    }
}

impl<'a> Export<'a> {
    fn new(opening: &'a Opening, request: &ExportRequest) -> Self {
        let source = &opening.source;
        let moments = Moments::new(&source.board, request.is_live, opening.after.as_ref());
        Self { source, format: request.format, moments, rows: 0, written: None }
    }

    /// Writes all rows. One read for each page, and one for its names; the server reads on while a page is written.
    async fn write<H: BoardSource>(
        &mut self,
        after: Option<Entry>,
        pages: &mut Pages<'_, H>,
        names: &mut Names<'_, H>,
        out: &mut impl Write,
        bar: &ProgressBar,
    ) -> Result<(), Stop> {
        let whence = match after {
            None => {
                self.format.write_header(out)?;
                PageStart::Position(1)
            }
            Some(place) => PageStart::After(place),
        };
        let mut page = pages.first(whence).await?;
        // Names come with the page after the next, behind which the server answers them.
        let mut waiting: VecDeque<(Window, Naming<'_, H>)> = VecDeque::new();
        loop {
            self.moments.see(&page)?;
            pages.send_ahead(&page);
            let naming = names.send(&page);
            let following = pages.after(&page).await;
            waiting.push_back((page, naming));
            while waiting.len() > usize::from(following.is_some()) {
                let Some((page, naming)) = waiting.pop_front() else { break };
                let found = names.arrived(naming).await?;
                self.put(&page, &found, out)?;
                bar.inc(page.len() as u64);
            }
            match following {
                Some(read) => page = read?,
                None => return Ok(()),
            }
        }
    }

    fn put(&mut self, page: &Window, names: &[Option<Name>], out: &mut impl Write) -> io::Result<()> {
        let sheet = Sheet { board: &self.source.board, window: page, names, style: self.source.style, drift: None };
        sheet.write_rows(self.format, out)?;
        self.rows += page.len() as u64;
        if let Some(place) = page.entries.last() {
            self.written = Some(Cursor {
                board: self.source.board.key.clone(),
                direction: page.order,
                place: place.clone(),
                version: page.version.clone(),
                position: Some(page.end()),
            });
        }
        Ok(())
    }

    /// The failure with the way to go on from the rows that were written before it.
    fn with_way_on(&self, failure: Failure) -> Failure {
        match &self.written {
            Some(cursor) if failure.exit == Exit::Failed => {
                failure.with_hint(format!("{} are written; go on with --after {}", rows(self.rows), cursor.encode()))
            }
            _ => failure,
        }
    }
}

fn rows(rows: u64) -> String {
    if rows == 1 { "1 row".into() } else { format!("{rows} rows") }
}

impl ExportArgs {
    /// The rows that are wanted of a board at `address`, which holds no password.
    pub fn request(self, address: String) -> ExportRequest {
        ExportRequest {
            address,
            scoring: self.reading.scoring(),
            format: match self.format {
                RowsFormatName::Csv => RowsFormat::Csv { raw: self.raw },
                RowsFormatName::Ndjson => RowsFormat::Ndjson,
            },
            order: self.reading.ranking.order(),
            rank_style: self.reading.ranking.rank_style,
            is_live: self.live,
            after: self.after,
        }
    }
}
