//! `ranktop boards`: lists the boards that a server has. It says how far the search is where somebody looks on, and prints
//! nothing of the list before all of it is there.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::os::unix::ffi::OsStringExt;

use indicatif::{ProgressBar, ProgressStyle};

use super::output::ListFormat;
use super::output::boards::Boards;
use super::{setup, warn_of_cut};
use crate::board::foreign::hints::belongs_to;
use crate::board::keys::{Board, Key};
use crate::board::order::Order;
use crate::board::templates::Templates;
use crate::cli::{BoardsArgs, Companions};
use crate::commands::text;
use crate::commands::text::Charset;
use crate::exit::{Exit, Failure, forgive_closed_pipe};
use crate::query::error::StoreError;
use crate::query::listing::{KeySummary, Listed};
use crate::store::BoardSource;
use crate::store::redis::topology::Service;

/// Which boards are wanted, and in which form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardsRequest {
    /// A glob of the server's, which their keys must match; `None`: all of them.
    pub pattern: Option<Vec<u8>>,
    /// Whether sets that only accompany a board are listed too.
    pub is_all: bool,
    /// In which form they are printed.
    pub format: ListFormat,
}

impl BoardsRequest {
    /// The boards that match `pattern`.
    pub fn new(pattern: Option<OsString>, format: ListFormat) -> Self {
        Self { pattern: pattern.map(OsString::into_vec), is_all: false, format }
    }
}

/// Prints the boards that `arguments` want, in the order of their keys.
///
/// Costs one round trip for each thousand keys of the database and one for each hundred boards, and memory for the
/// boards.
pub async fn boards(arguments: BoardsArgs) -> Result<u8, Failure> {
    let service = setup::read_service(&arguments.connection)?;
    let Companions { version_key: version, meta_key: meta } = arguments.companions.clone();
    let templates = Templates { version, meta, ..Templates::default() };
    let color = setup::is_table_coloured(arguments.color.color);
    let request = arguments.request(color);
    let bar = progress();
    let found = search(&service, &request, &templates, &bar).await;
    bar.finish_and_clear();
    let (mut boards, keys, incomplete) = found.map_err(|trouble| {
        let message = format!("cannot list the boards at {service}: {trouble}");
        Failure { hint: trouble.hint().map(str::to_owned), ..Failure::new(Exit::Failed, message) }
    })?;

    if !request.is_all {
        let known: HashSet<Key> = boards.iter().map(|board| board.key.clone()).collect();
        boards.retain(|board| belongs_to(&board.key).is_none_or(|key| !known.contains(&key)));
    }
    // All at once, so that whoever interrupts the command has no part of a list.
    let mut printed = Vec::new();
    let written = Boards { boards: &boards, keys }.write(request.format, &mut printed).and_then(|()| {
        let mut out = io::stdout().lock();
        out.write_all(&printed)?;
        out.flush()
    });
    forgive_closed_pipe(written)
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the boards: {error}")))?;
    if let Some(reason) = incomplete {
        // What there is has been printed.
        let failure = Failure::new(Exit::Failed, reason.to_string());
        return Err(Failure { hint: reason.hint().map(str::to_owned), ..failure });
    }
    if boards.is_empty() {
        // Whether or not somebody reads it, there is nothing to list.
        let _ = writeln!(io::stderr().lock(), "hint: {}", why_none(request.pattern.as_deref()));
    }
    Ok(Exit::Done.code())
}

/// The boards, how many keys the database has where that may be known, and why boards are missing where some are.
async fn search(
    service: &Service,
    request: &BoardsRequest,
    templates: &Templates,
    bar: &ProgressBar,
) -> Result<(Vec<Listed>, Option<u64>, Option<StoreError>), StoreError> {
    bar.set_message("looking for boards");
    // Which node is reached first does not matter: all of them are searched.
    let reached = service.connect(&"".into(), None).await?;
    warn_of_cut(&reached);
    let mut home = reached.home;
    let mut discovery = home.discover(request.pattern.clone()).await?;
    while home.search_on(&mut discovery).await? {
        let (boards, keys) = (discovery.found().len(), discovery.looked_at());
        bar.set_message(format!("looking for boards: {boards} among about {keys} keys"));
        bar.tick();
    }
    let found = discovery.found().iter().cloned();
    let boards: Vec<Board> = found.map(|key| templates.board(key, Order::default())).collect();
    let mut incomplete = discovery.incomplete();
    let mut listed = Vec::with_capacity(boards.len());
    for sight in home.list(&boards).await? {
        match sight {
            KeySummary::Board(board) => listed.push(board),
            // Its node has gone since it was found.
            KeySummary::Unanswered(trouble) => {
                incomplete.get_or_insert_with(|| StoreError::Incomplete(trouble.to_string()));
            }
            KeySummary::NoSortedSet | KeySummary::Nothing => {}
        }
    }
    Ok((listed, discovery.keys(), incomplete))
}

/// Drawn on a terminal only, and gone before the list is printed.
fn progress() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{spinner} {msg}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn why_none(pattern: Option<&[u8]>) -> String {
    match pattern {
        Some(pattern) => format!(
            "no board matches '{}', a glob for the whole key: '*' stands for any text, '\\' takes the next character as it is",
            text::escape(pattern, Charset::Utf8)
        ),
        None => "this database has no board; its number is in the URL".into(),
    }
}

impl BoardsArgs {
    /// Which boards are wanted. `color` is whether a table has colours.
    pub fn request(self, color: bool) -> BoardsRequest {
        BoardsRequest { is_all: self.all, ..BoardsRequest::new(self.pattern, self.format.with(color)) }
    }
}
