//! `ranktop audit`: walks a board in every way there is and checks what is promised of paging and of ranks, on boards that
//! may be written meanwhile. It reads in bounded batches and writes nothing; what it finds is a table of checks.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::order::Order;
use crate::board::packed::scoring::{Scoring, ScoringOptions};
use crate::board::version::Version;
use crate::board::window::Window;
use crate::cli::AuditArgs;
use crate::commands::failures::board_text;
use crate::commands::probe::{probe, window};
use crate::commands::{reach, setup};
use crate::exit::{Exit, Failure, forgive_closed_pipe};
use crate::query::page::{PageReply, PageRequest, PageStart};
use crate::store::BoardSource;
use scan::Scan;
use tally::{Check, Tally};
use walk::{Course, Walk};

pub use walk::{Cursors, Pager, Positions, Way};

mod ranks;
mod scan;
mod tally;
mod walk;

/// Rows of the pages that boards are walked in.
const SIZES: [u64; 4] = [1, 7, 50, 1_000];

/// A walk of a whole board ends after so many pages, so that small pages of a large board end at all.
const MOST_PAGES: u64 = 10_000;

/// Pages of a walk from a random place.
const SAMPLE_PAGES: u64 = 3;

/// Rows of a whole board whose ranks are checked one by one.
const RANKED: u64 = 100;

/// How a board is audited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditRequest {
    /// Where the board lives, as messages name it; never with a password.
    pub address: String,
    /// The order that was asked for. `None`: what the board says of itself, else the order of the [`Board`] given.
    pub order: Option<Order>,
    /// How scores and members are packed.
    pub scoring: ScoringOptions,
    /// Walk from so many random places instead of walking the whole board.
    pub sample: Option<u64>,
    /// Rows of the largest read, at least 1.
    pub batch: u64,
    /// The same seed looks at the same places.
    pub seed: u64,
}

/// Audits the board that `arguments` name.
pub async fn audit(arguments: AuditArgs) -> Result<u8, Failure> {
    let AuditArgs { connection, order, which, .. } = &arguments;
    let service = setup::read_service(connection)?.with_shards(which.shards);
    let board = setup::board(arguments.board.clone(), which, order.order)?;
    // Short enough to be typed again.
    let seed = RandomState::new().build_hasher().finish() % 1_000_000;
    let (mut home, address) = reach(&service, &board).await?;
    let request = arguments.request(address, seed);
    audit_by(&mut home, board, &request, &[&Cursors, &Positions], &mut io::stdout().lock()).await
}

/// Audits `board` as it is paged through by `pagers`, and prints what was found to `out`. A check that failed is a
/// failure.
///
/// Costs some ten thousands of reads of at most `batch` rows, and memory for two scans and a walk of the board; with a
/// sample, some fifty reads for each place, and memory for `batch` rows.
pub async fn audit_by<H: BoardSource>(
    home: &mut H,
    mut board: Board,
    request: &AuditRequest,
    pagers: &[&dyn Pager],
    out: &mut impl Write,
) -> Result<u8, Failure> {
    let first = probe(home, &mut board, request.order, &request.address).await?;
    let scoring = request.scoring.of(&board.key, first.meta.score.as_deref());
    let mut reader = Reader { home, board: &board, scoring, address: &request.address, batch: request.batch };
    let mut tally = Tally::default();
    let mut rng = ChaCha8Rng::seed_from_u64(request.seed);
    match request.sample {
        None => {
            whole(&mut reader, pagers, &mut tally).await?;
            for _ in 0..RANKED.min(first.total) {
                ranks::check_row(&mut reader, rng.random_range(1..=first.total), tally.check("ranks of single rows"))
                    .await?;
            }
        }
        Some(places) => {
            for _ in 0..places {
                let position = rng.random_range(1..=first.total);
                around(&mut reader, position, pagers, &mut tally).await?;
                ranks::check_row(&mut reader, position, tally.check("ranks of single rows")).await?;
            }
        }
    }

    let title = format!("{} · {} rows · {} · seed {}", board_text(&board), first.total, board.order, request.seed);
    let written = writeln!(out, "{title}").and_then(|()| tally.write(out)).and_then(|()| out.flush());
    forgive_closed_pipe(written)
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write what was found: {error}")))?;
    match tally.verdict() {
        (_, 0) => Ok(Exit::Done.code()),
        (checks, failed) => Err(Failure::new(
            Exit::Changed,
            format!("board '{}' failed {failed} of {checks} checks", board_text(&board)),
        )),
    }
}

/// Walks the whole board with each pager, each way, in pages of each size; between walks it is scanned again where it
/// changed.
async fn whole<H: BoardSource>(
    reader: &mut Reader<'_, H>,
    pagers: &[&dyn Pager],
    tally: &mut Tally,
) -> Result<(), Failure> {
    let mut before = Scan::read(reader, 1, None, tally.check(SCAN)).await?;
    for size in sizes(reader.batch) {
        for pager in pagers {
            for way in Way::BOTH {
                let course = Course { way, size, begin: None, most: MOST_PAGES };
                let name = name_of(*pager, &course);
                let walk = Walk::take(reader, *pager, &course, &before, tally.check(&name)).await?;
                let after = if before.version.is_some() && before.version == reader.version().await? {
                    None
                } else {
                    Some(Scan::read(reader, 1, None, tally.check(SCAN)).await?)
                };
                walk.judge(*pager, &before, after.as_ref(), reader.board.order, tally.check(&name));
                before = after.unwrap_or(before);
            }
        }
    }
    Ok(())
}

/// Walks a few pages from `position` on, and back to it, likewise.
async fn around<H: BoardSource>(
    reader: &mut Reader<'_, H>,
    position: u64,
    pagers: &[&dyn Pager],
    tally: &mut Tally,
) -> Result<(), Failure> {
    let before = Scan::read(reader, position, Some(reader.batch), tally.check(SCAN)).await?;
    let mut walks = Vec::new();
    for size in sizes((reader.batch / SAMPLE_PAGES).max(1)) {
        for pager in pagers {
            for way in Way::BOTH {
                let begin = match way {
                    Way::Forward => position,
                    Way::Backward => (position + size * (SAMPLE_PAGES - 1)).min(before.total().max(1)),
                };
                let course = Course { way, size, begin: Some(begin), most: SAMPLE_PAGES };
                let name = name_of(*pager, &course);
                walks.push((*pager, Walk::take(reader, *pager, &course, &before, tally.check(&name)).await?, name));
            }
        }
    }
    let after = Scan::read(reader, position, Some(reader.batch), tally.check(SCAN)).await?;
    for (pager, walk, name) in walks {
        walk.judge(pager, &before, Some(&after), reader.board.order, tally.check(&name));
    }
    Ok(())
}

const SCAN: &str = "scans to compare with";

fn name_of(pager: &dyn Pager, course: &Course) -> String {
    let rows = if course.size == 1 { "1 row".into() } else { format!("{} rows", course.size) };
    format!("by {} {}, pages of {rows}", pager.name(), course.way.name())
}

/// The page sizes, none above `most`.
fn sizes(most: u64) -> Vec<u64> {
    let mut sizes: Vec<u64> = SIZES.iter().map(|size| *size.min(&most)).collect();
    sizes.dedup();
    sizes
}

/// Reads one board for all checks.
struct Reader<'a, H> {
    home: &'a mut H,
    board: &'a Board,
    scoring: Scoring,
    address: &'a str,
    batch: u64,
}

impl<H: BoardSource> Reader<'_, H> {
    fn ask(&self, whence: PageStart, size: u64) -> PageRequest {
        PageRequest { scoring: self.scoring.clone(), ..PageRequest::new(whence, size) }
    }

    async fn window(&mut self, whence: PageStart, size: u64) -> Result<Window, Failure> {
        let ask = self.ask(whence, size);
        window(self.home, self.board, &ask, self.address).await
    }

    async fn version(&mut self) -> Result<Option<Version>, Failure> {
        let version = self.home.version(self.board).await;
        version.map_err(|trouble| Failure::unreadable(self.board, self.address, &trouble))
    }

    /// The row of `member` alone; `None` where it is not on the board any more.
    async fn around(&mut self, member: &Member, check: &mut Check) -> Result<Option<Window>, Failure> {
        let ask = self.ask(PageStart::Member(member.clone()), 1);
        match self.home.read(self.board, &ask).await {
            Ok(PageReply::Page(page)) => {
                check.see(&page.window);
                Ok(Some(page.window))
            }
            Ok(_) => Ok(None),
            Err(trouble) => Err(Failure::unreadable(self.board, self.address, &trouble)),
        }
    }
}

impl AuditArgs {
    /// What is wanted of a board at `address`, which holds no password. `seed` is the one to take where none is given.
    pub fn request(self, address: String, seed: u64) -> AuditRequest {
        AuditRequest {
            address,
            scoring: self.packing.scoring(),
            order: self.order.order,
            sample: self.sample,
            batch: self.batch,
            seed: self.seed.unwrap_or(seed),
        }
    }
}
