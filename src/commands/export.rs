//! `ranktop export`: writes every row of a frozen board, or on demand of one that is written meanwhile, by cursor pages and
//! in constant memory. It says of which version the rows are, and stops where a frozen board turns out not to be.

use std::io::{self, IsTerminal, Write};
use std::pin::pin;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::exit::{Exit, Failure, board_text, warn};
use super::output::{RowsFormat, Sheet};
use super::probe::{is_frozen, probe, window};
use super::setup;
use super::text::{self, Charset};
use crate::board::ask::{Ask, Board, Whence};
use crate::board::cursor::{Cursor, CursorError};
use crate::board::entry::{Entry, Member};
use crate::board::names::{Name, NamesHome};
use crate::board::order::Order;
use crate::board::rank::RankStyle;
use crate::board::trouble::Trouble;
use crate::board::version::Version;
use crate::board::window::Window;
use crate::cli::{Connection, ExportArgs, Reading};
use crate::store::Home;
use crate::term::signals::{Asked, Signals, stop_process};
use sink::{Sink, unwritten};

mod sink;

/// Rows of one read.
const PAGE: u64 = 1_000;

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
    /// Whether a board that is not frozen is taken.
    pub is_live: bool,
    /// Go on after this cursor, in its text form.
    pub after: Option<String>,
}

/// Exports the board that `arguments` name to a file or to standard output.
pub async fn export(arguments: ExportArgs, connection: &Connection, reading: &Reading) -> Result<u8, Failure> {
    let target = setup::target(connection)?;
    let (board, names) = setup::board(arguments.board.clone(), reading)?;
    let path = arguments.output.clone();
    let request = arguments.request(reading, target.to_string());
    let connect = async || {
        let connected = target.connect(None::<fn()>).await;
        connected
            .map(|connected| connected.home)
            .map_err(|trouble| Failure::unreadable(&board, &request.address, &trouble))
    };
    // Names come over a connection of their own, while the next page is on its way.
    let (mut home, mut beside) = (connect().await?, connect().await?);
    let mut export = Export::open(&mut home, board.clone(), &request).await?;
    let sink = Sink::open(path.as_deref())?;

    let is_shown = io::stderr().is_terminal() && (path.is_some() || !io::stdout().is_terminal());
    let bar = if is_shown { progress(&export) } else { ProgressBar::hidden() };
    let is_beside = sink.is_beside();
    let names = Names { home: &mut beside, at: &names, trouble: None };
    let work = pin!(finish(&mut export, &mut home, names, sink, &bar));
    // What nothing is left of may be ended by a signal as any program is.
    if is_beside { unless_signalled(work).await } else { work.await }
}

/// Writes everything, and says what was written.
async fn finish<H: Home>(
    export: &mut Export<'_>,
    home: &mut H,
    mut names: Names<'_, H>,
    mut sink: Sink,
    bar: &ProgressBar,
) -> Result<u8, Failure> {
    let written = export.write(home, &mut names, &mut sink, bar).await;
    bar.finish_and_clear();
    let mut err = io::stderr().lock();
    if let Some(trouble) = names.trouble {
        // Whether or not somebody reads the warning, the rows are what was asked for.
        let _ = warn(&mut err, &format!("names of board '{}' are left out: {trouble}", board_text(&export.board)));
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
            let _ = writeln!(err, "{}, sha256 {digest}", export.told());
            export.verdict()
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

fn progress(export: &Export<'_>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(export.expected), ProgressDrawTarget::stderr_with_hz(10));
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
    /// In the order of its rows.
    board: Board,
    request: &'a ExportRequest,
    style: RankStyle,
    after: Option<Cursor>,
    /// How many rows there were at first to be written.
    expected: u64,
    rows: u64,
    /// The page that was written last.
    last: Option<Edge>,
    /// The version of the first row.
    from: Option<Version>,
    /// How often a page showed that the board had changed since the one before.
    changes: u64,
    unverified: u64,
}

/// What has to be the same, and go on, from one page to the next.
struct Edge {
    version: Option<Version>,
    total: Option<u64>,
    end: Option<u64>,
    place: Entry,
}

impl<'a> Export<'a> {
    /// Looks at the board, and refuses what is not to be exported before anything is written.
    async fn open<H: Home>(home: &mut H, mut board: Board, request: &'a ExportRequest) -> Result<Self, Failure> {
        let after = request.after.as_deref().map(Cursor::decode).transpose().map_err(|error| refused(&error))?;
        let first = probe(home, &mut board, request.order, &request.address).await?;
        if let Some(cursor) = &after {
            cursor.check(&board).map_err(|error| refused(&error))?;
        }
        if !request.is_live && !is_frozen(&board, &first) {
            let message =
                format!("board '{}' is not frozen: its pages may be of different moments", board_text(&board));
            return Err(Failure::new(Exit::Changed, message)
                .with_hint("export the copy that 'ranktop freeze' makes, or take it as it is with --live"));
        }
        let above = after.as_ref().and_then(|cursor| cursor.position).unwrap_or(0);
        Ok(Self {
            style: request.rank_style.or(first.meta.rank_style).unwrap_or_default(),
            expected: first.total.saturating_sub(above),
            board,
            request,
            after,
            rows: 0,
            last: None,
            from: None,
            changes: 0,
            unverified: 0,
        })
    }

    /// Writes all rows. One read for each page, and one for its names; the next page is on its way while one is written.
    async fn write<H: Home>(
        &mut self,
        home: &mut H,
        names: &mut Names<'_, H>,
        out: &mut impl Write,
        bar: &ProgressBar,
    ) -> Result<(), Stop> {
        let whence = match self.after.take() {
            None => {
                self.request.format.write_header(out)?;
                Whence::Position(1)
            }
            Some(cursor) => {
                let whence = Whence::After(cursor.place.clone());
                // Its boundary is the one it was made at; without a version nobody knows of which moment that was.
                let end = cursor.position.filter(|_| cursor.version.is_some());
                self.from.clone_from(&cursor.version);
                if cursor.version.is_some() {
                    self.last = Some(Edge { version: cursor.version, total: None, end, place: cursor.place });
                }
                whence
            }
        };
        let mut page = self.read(home, whence, PAGE).await?;
        loop {
            self.check(&page)?;
            let (written, following) = tokio::join!(
                biased;
                // First, for the server answers in the order in which it is asked, and rows take it longer than names.
                self.put(&page, names, out),
                self.following(home, &page),
            );
            written?;
            self.count(&page);
            bar.inc(page.len() as u64);
            match following {
                Some(read) => page = read?,
                None => return Ok(()),
            }
        }
    }

    /// The page strictly after the last row of `page`, unless that is the last one.
    ///
    /// Where that row still stands at its position, whatever follows it there follows it in board order, and rows by
    /// position are the cheaper ones for a server. Where it does not, its place is looked for.
    async fn following<H: Home>(&self, home: &mut H, page: &Window) -> Option<Result<Window, Failure>> {
        let last = page.entries.last().filter(|_| !page.is_last())?;
        let guessed = self.read(home, Whence::Position(page.end()), PAGE + 1).await;
        match guessed {
            Ok(rows) if rows.entries.first() == Some(last) && rows.verified => {
                if let Some(following) = rows.without_first() {
                    return Some(Ok(following));
                }
            }
            Ok(_) => {}
            Err(failure) => return Some(Err(failure)),
        }
        Some(self.read(home, Whence::After(last.clone()), PAGE).await)
    }

    async fn read<H: Home>(&self, home: &mut H, whence: Whence, size: u64) -> Result<Window, Failure> {
        let ask = Ask { dense: self.style == RankStyle::Dense, ..Ask::new(whence, size) };
        window(home, &self.board, &ask, &self.request.address).await
    }

    async fn put<H: Home>(&self, page: &Window, names: &mut Names<'_, H>, out: &mut impl Write) -> Result<(), Stop> {
        let names = names.of(&self.board, page, &self.request.address).await?;
        let sheet = Sheet { board: &self.board, window: page, names: &names, style: self.style, drift: None };
        Ok(sheet.write_rows(self.request.format, out)?)
    }

    /// Compares a page with the one before. A change ends the export of a frozen board.
    fn check(&mut self, page: &Window) -> Result<(), Failure> {
        let has_changed = self.last.as_ref().is_some_and(|last| {
            last.version != page.version
                || last.total.is_some_and(|total| total != page.total)
                || last.end.is_some_and(|end| end != page.above())
        });
        self.changes += u64::from(has_changed);
        self.unverified += u64::from(!page.verified);
        if self.request.is_live || (!has_changed && is_frozen(&self.board, page)) {
            return Ok(());
        }
        let board = board_text(&self.board);
        let (from, to) = (self.last.as_ref().and_then(|last| last.version.as_ref()), page.version.as_ref());
        Err(Failure::new(
            Exit::Changed,
            if page.is_missing() {
                format!("frozen board '{board}' was deleted while it was exported")
            } else if from == to {
                format!("frozen board '{board}' was changed while it was exported, though not its version")
            } else {
                format!("frozen board '{board}' changed from {} to {}", version_text(from), version_text(to))
            },
        )
        .with_hint("whoever writes to it keeps to no protocol; export a copy of your own, made by 'ranktop freeze'"))
    }

    fn count(&mut self, page: &Window) {
        if self.rows == 0 && self.from.is_none() {
            self.from.clone_from(&page.version);
        }
        self.rows += page.len() as u64;
        if let Some(place) = page.entries.last() {
            self.last = Some(Edge {
                version: page.version.clone(),
                total: Some(page.total),
                end: Some(page.end()),
                place: place.clone(),
            });
        }
    }

    /// What was written: how many rows, of which version.
    fn told(&self) -> String {
        let rows = if self.rows == 1 { "1 row".into() } else { format!("{} rows", self.rows) };
        let to = self.last.as_ref().map_or(self.from.as_ref(), |last| last.version.as_ref());
        if self.from.as_ref() == to {
            return format!("{rows}, {}", version_text(to));
        }
        format!("{rows}, {} to {}", version_text(self.from.as_ref()), version_text(to))
    }

    /// Whether the rows are what they were promised to be.
    fn verdict(&self) -> Result<u8, Failure> {
        let board = board_text(&self.board);
        if self.changes > 0 {
            let times = if self.changes == 1 { "once".into() } else { format!("{} times", self.changes) };
            let message =
                format!("board '{board}' changed {times} while it was exported: its rows are of several moments");
            return Err(Failure::new(Exit::Changed, message).with_hint("export the copy that 'ranktop freeze' makes"));
        }
        if self.unverified > 0 {
            let message =
                format!("{} pages are not verified: their parts may be of different moments", self.unverified);
            let _ = warn(&mut io::stderr().lock(), &message);
        }
        Ok(Exit::Done.code())
    }

    /// The failure with the way to go on from the rows that were written before it.
    fn with_way_on(&self, failure: Failure) -> Failure {
        match &self.last {
            Some(last) if failure.exit == Exit::Failed && self.rows > 0 => {
                let cursor = Cursor {
                    board: self.board.key.clone(),
                    direction: self.board.order,
                    place: last.place.clone(),
                    version: last.version.clone(),
                    position: last.end,
                };
                failure.with_hint(format!("{} rows are written; go on with --after {}", self.rows, cursor.encode()))
            }
            _ => failure,
        }
    }
}

/// Reads names, until it turns out that they may not be read.
struct Names<'a, H> {
    home: &'a mut H,
    at: &'a NamesHome,
    trouble: Option<Trouble>,
}

impl<H: Home> Names<'_, H> {
    async fn of(&mut self, board: &Board, page: &Window, address: &str) -> Result<Vec<Option<Name>>, Failure> {
        if self.trouble.is_some() || page.is_empty() {
            return Ok(Vec::new());
        }
        let members: Vec<Member> = page.entries.iter().map(|entry| entry.member.clone()).collect();
        match self.home.names(self.at, &members).await {
            Ok(names) => Ok(names.unwrap_or_default()),
            Err(trouble @ (Trouble::Refused { .. } | Trouble::WrongType { .. })) => {
                self.trouble = Some(trouble);
                Ok(Vec::new())
            }
            Err(trouble) => Err(Failure::unreadable(board, address, &trouble)),
        }
    }
}

fn refused(error: &CursorError) -> Failure {
    let failure = Failure::new(Exit::Usage, error.to_string());
    match error {
        CursorError::Direction { cursor, .. } => {
            failure.with_hint(format!("read the board in the cursor's order with --order {cursor}"))
        }
        _ => failure.with_hint("a cursor is what 'ranktop page' calls next or prev"),
    }
}

fn version_text(version: Option<&Version>) -> String {
    match version {
        Some(version) => format!("version {}", text::escape(version.as_bytes(), Charset::Utf8)),
        None => "no version".into(),
    }
}
