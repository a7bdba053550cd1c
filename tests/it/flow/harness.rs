//! Drives the viewer: presses keys, turns the clock, writes to a board, and answers what the viewer asks: at once, late,
//! with a trouble or never.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::FutureExt;
use ranktop::app::event::{Effect, Event, Link, Moment};
use ranktop::app::geometry::Geometry;
use ranktop::app::health::Health;
use ranktop::app::keymap::{Key, Press};
use ranktop::app::page::banner::Banner;
use ranktop::app::polling::schedule::{Watch, WatchMode};
use ranktop::app::queue::Intent;
use ranktop::app::settings::{PageSize, Paging, Settings, Sharing};
use ranktop::app::state::State;
use ranktop::app::update::update;
use ranktop::board::drift::Drift;
use ranktop::board::entry::{Entry, Member};
use ranktop::board::keys::Board;
use ranktop::board::order::Order;
use ranktop::board::period::Zone;
use ranktop::board::score::Score;
use ranktop::board::templates::Templates;
use ranktop::board::version::Version;
use ranktop::query::error::StoreError;
use ranktop::query::page::{PageReply, PageRequest};
use ranktop::query::reply::{LinkChange, Reply};
use ranktop::query::request::{ListPurpose, Request};
use ranktop::store::BoardSource;
use ranktop::store::find;
use ranktop::store::memory::{Boards, MemorySource};
use ranktop::text::{Charset, escape};

/// Looks at boards that are numbered from here on are for the list of boards, the others for the periods.
pub(crate) const INTERVAL: Duration = Duration::from_millis(500);

/// What the viewer is opened with.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    pub(crate) key: &'static str,
    pub(crate) zone: &'static str,
    pub(crate) order: Order,
    pub(crate) is_order_set: bool,
    pub(crate) mode: WatchMode,
    pub(crate) pushes: bool,
    pub(crate) page_size: PageSize,
    pub(crate) paging: Paging,
    pub(crate) table: u16,
    pub(crate) intent: Intent,
    /// A board is named.
    pub(crate) is_named: bool,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            key: "b",
            zone: "UTC",
            order: Order::Desc,
            is_order_set: true,
            mode: WatchMode::Poll,
            pushes: false,
            page_size: PageSize::Fit,
            paging: Paging::Cursor,
            table: 10,
            intent: Intent::First,
            is_named: true,
        }
    }
}

/// A read that the viewer has sent, with what the board answered at that moment.
pub(crate) struct Sent {
    pub(crate) generation: u64,
    pub(crate) ask: PageRequest,
    answer: PageReply,
}

pub(crate) struct Flow {
    pub(crate) state: State,
    pub(crate) home: MemorySource,
    pub(crate) now: Moment,
    /// Reads are answered when the test says so.
    pub(crate) is_slow: bool,
    /// Reads and polls meet this.
    pub(crate) trouble: Option<StoreError>,
    /// Names do not come.
    pub(crate) are_names_slow: bool,
    /// So many steps of a search for names are answered.
    pub(crate) answered_probes: usize,
    /// Steps of a search for names that were asked for.
    pub(crate) probes: usize,
    /// Names meet this.
    pub(crate) names_trouble: Option<StoreError>,
    /// Reads that are not answered yet.
    pub(crate) under_way: VecDeque<Sent>,
    pub(crate) reads: usize,
    pub(crate) polls: usize,
    pub(crate) name_reads: usize,
    /// How often the scores of the board were counted.
    pub(crate) counts: usize,
    /// Counts meet this.
    pub(crate) count_trouble: Option<StoreError>,
    /// What they brought, where that is not told yet.
    pub(crate) counted: VecDeque<Event>,
    /// Steps of looking for a text that were asked for.
    pub(crate) finds: usize,
    /// What they brought, where that is not told yet.
    pub(crate) found: VecDeque<Event>,
    pub(crate) wakes: usize,
    /// Looks at other boards are answered when the test says so.
    pub(crate) is_list_slow: bool,
    /// The look at other boards that is not answered yet.
    pub(crate) list: Option<(u64, Vec<Board>)>,
    pub(crate) lists: usize,
    /// What was asked for the list of boards and is not answered yet.
    pub(crate) listing: Vec<Effect>,
    pub(crate) searches: usize,
    pub(crate) looks: usize,
    pub(crate) others: Vec<Effect>,
}

pub(crate) fn score(value: f64) -> Score {
    Score::new(value).unwrap()
}

pub(crate) fn entries(rows: &[(&str, f64)]) -> Vec<Entry> {
    rows.iter().map(|(member, value)| Entry::new(*member, score(*value))).collect()
}

/// `count` members without ties: `m001` at the top.
pub(crate) fn ladder(count: u32) -> Vec<Entry> {
    (1..=count).map(|at| Entry::new(format!("m{at:03}").as_str(), score(10_000.0 - 10.0 * f64::from(at)))).collect()
}

/// How many lines a terminal has whose table has `rows`.
pub(crate) fn lines(rows: u16) -> u16 {
    (0..500).find(|lines| Geometry::of(80, *lines).rows == rows).unwrap()
}

impl Flow {
    /// A viewer before there is a connection.
    pub(crate) fn closed(opening: Opening, rows: &[Entry]) -> Self {
        let board = Templates::default().board(opening.key.into(), opening.order);
        let home = MemorySource::default();
        home.write(|boards| {
            boards.fill(&board, rows.iter().cloned());
            boards.increment_version(&board);
        });
        let settings = Settings {
            key: opening.is_named.then(|| board.key.clone()),
            templates: Templates::default(),
            zone: opening.zone.parse::<Zone>().unwrap(),
            server: "here".to_owned(),
            is_server_unverified: false,
            order: opening.is_order_set.then_some(opening.order),
            style: None,
            watch: Watch::new(opening.mode, INTERVAL),
            page_size: opening.page_size,
            paging: opening.paging,
            opening: opening.intent,
            text: |key| escape(key, Charset::Utf8),
            sharing: Sharing { options: String::new(), quote: ranktop::text::quoting::shell },
            scoring: ranktop::board::packed::scoring::ScoringOptions::default(),
            move_since: ranktop::board::movement::MoveSince::Span(std::time::Duration::from_secs(60)),
            is_marking: true,
            is_probing: true,
        };
        Self {
            state: State::new(settings, 80, lines(opening.table)),
            home,
            now: Duration::from_millis(3),
            is_slow: false,
            trouble: None,
            are_names_slow: false,
            answered_probes: usize::MAX,
            probes: 0,
            names_trouble: None,
            under_way: VecDeque::new(),
            reads: 0,
            polls: 0,
            name_reads: 0,
            counts: 0,
            count_trouble: None,
            counted: VecDeque::new(),
            finds: 0,
            found: VecDeque::new(),
            wakes: 0,
            is_list_slow: false,
            list: None,
            lists: 0,
            listing: Vec::new(),
            searches: 0,
            looks: 0,
            others: Vec::new(),
        }
    }

    /// A viewer that is connected and shows its first page.
    pub(crate) fn open(opening: Opening, rows: &[Entry]) -> Self {
        let pushes = opening.pushes;
        let mut flow = Self::closed(opening, rows);
        flow.link(Link::Up { pushes });
        flow
    }

    /// A viewer with a table of `table` lines on a board of `rows`.
    pub(crate) fn of(table: u16, rows: &[Entry]) -> Self {
        Self::open(Opening { table, ..Opening::default() }, rows)
    }

    /// Feeds an event and everything that follows from it at this moment.
    pub(crate) fn feed(&mut self, event: Event) {
        let mut events = VecDeque::from([event]);
        let mut count = 0;
        while let Some(event) = events.pop_front() {
            count += 1;
            assert!(count < 50, "one event leads to ever more: {event:?}");
            for effect in update(&mut self.state, event, self.now) {
                match effect {
                    Effect::Send(Request::Page { generation, board, page }) => {
                        self.reads += 1;
                        let answer = self.home.read(&board, &page).now_or_never().unwrap().unwrap();
                        self.under_way.push_back(Sent { generation, ask: page, answer });
                        assert_eq!(self.under_way.len(), 1, "one read in flight");
                        if !self.is_slow {
                            events.push_back(self.answered());
                        }
                    }
                    Effect::Send(Request::Version(board)) => {
                        self.polls += 1;
                        let version = self.home.version(&board).now_or_never().unwrap();
                        let result = self.trouble.clone().map_or(version, Err);
                        events.push_back(Event::Reply(Reply::Version { key: board.key, result, took: Duration::ZERO }));
                    }
                    Effect::Send(Request::Names(..)) if self.are_names_slow => {}
                    Effect::Send(Request::Names(location, members)) => {
                        self.name_reads += 1;
                        let result = self.names_trouble.clone().map_or(Ok(Some(vec![None; members.len()])), Err);
                        events.push_back(Event::Reply(Reply::Names { location, members, result }));
                    }
                    Effect::Send(Request::List { purpose: ListPurpose::Periods, generation, boards }) => {
                        self.lists += 1;
                        assert_eq!(self.list.replace((generation, boards)), None, "one look in flight");
                        if !self.is_list_slow {
                            events.push_back(self.listed());
                        }
                    }
                    Effect::Send(Request::Distribution { generation, board, binning }) => {
                        self.counts += 1;
                        let read = self.home.distribution(&board, binning).now_or_never().unwrap();
                        let result = self.count_trouble.clone().map_or(read, Err);
                        let event = Event::Reply(Reply::Distribution { generation, result });
                        let told = if self.is_slow { &mut self.counted } else { &mut events };
                        told.push_back(event);
                        assert!(self.counted.len() <= 1, "one count in flight");
                    }
                    Effect::Send(Request::Probe(commands)) => {
                        self.probes += 1;
                        let replies = vec![ranktop::board::foreign::probe::ProbeReply::Failed; commands.len()];
                        if self.probes <= self.answered_probes {
                            events.push_back(Event::Reply(Reply::Probe(Ok(replies))));
                        }
                    }
                    Effect::Send(Request::Find { generation, find }) => {
                        self.finds += 1;
                        let step = find::step(&mut self.home, &find).now_or_never().unwrap();
                        let result = self.trouble.clone().map_or(step, Err);
                        let event = Event::Reply(Reply::Find { generation, result });
                        if self.is_slow { self.found.push_back(event) } else { events.push_back(event) }
                    }
                    effect @ Effect::Send(Request::Search { .. } | Request::List { .. }) => {
                        let is_search = |effect: &Effect| matches!(effect, Effect::Send(Request::Search { .. }));
                        let is_one = |other: &Effect| is_search(other) != is_search(&effect);
                        assert!(self.listing.iter().all(is_one), "one question of a kind in flight");
                        *(if is_search(&effect) { &mut self.searches } else { &mut self.looks }) += 1;
                        if self.is_list_slow {
                            self.listing.push(effect);
                        } else {
                            events.push_back(self.catalogued(&effect));
                        }
                    }
                    other => self.others.push(other),
                }
            }
        }
    }

    /// What the boards in memory answer to a question for the list.
    pub(crate) fn catalogued(&mut self, effect: &Effect) -> Event {
        let trouble = self.trouble.clone();
        match effect {
            Effect::Send(Request::Search { generation, is_new }) => {
                let found = self.home.search(*is_new).now_or_never().unwrap();
                Event::Reply(Reply::Search { generation: *generation, result: trouble.map_or(found, Err) })
            }
            Effect::Send(Request::List { purpose, generation, boards }) => {
                assert!((1..=100).contains(&boards.len()), "{} boards in one question", boards.len());
                let sights = self.home.list(boards).now_or_never().unwrap();
                Event::Reply(Reply::List {
                    purpose: *purpose,
                    generation: *generation,
                    result: trouble.map_or(sights, Err),
                })
            }
            other => unreachable!("no question for the list: {other:?}"),
        }
    }

    fn answered(&mut self) -> Event {
        let sent = self.under_way.pop_front().unwrap();
        let result = self.trouble.clone().map_or(Ok(sent.answer), Err);
        Event::Reply(Reply::Page { generation: sent.generation, result, took: Duration::from_millis(1) })
    }

    fn listed(&mut self) -> Event {
        let (generation, boards) = self.list.take().unwrap();
        let sights = self.home.list(&boards).now_or_never().unwrap();
        Event::Reply(Reply::List {
            purpose: ListPurpose::Periods,
            generation,
            result: self.trouble.clone().map_or(sights, Err),
        })
    }

    /// The answer to the look at other boards that is under way arrives.
    pub(crate) fn deliver_list(&mut self) {
        let event = self.listed();
        self.feed(event);
    }

    /// The answer to the read that is under way arrives.
    pub(crate) fn deliver(&mut self) {
        let event = self.answered();
        self.feed(event);
    }

    pub(crate) fn link(&mut self, link: Link) {
        let change = change_to(link, self.now);
        self.feed(Event::Reply(Reply::Link(change)));
    }

    /// Loses the connection; the next try is in 2 s.
    pub(crate) fn cut(&mut self) {
        self.link(Link::Down { reason: unreachable(), retry_at: self.now + Duration::from_secs(2) });
    }

    pub(crate) fn press(&mut self, key: &str) {
        self.feed(Event::Key(press(key)));
    }

    pub(crate) fn type_in(&mut self, text: &str) {
        for c in text.chars() {
            self.feed(Event::Key(Press::plain(Key::Char(c))));
        }
        self.press("Enter");
    }

    pub(crate) fn resize(&mut self, table: u16) {
        self.feed(Event::Resized { columns: 80, lines: lines(table) });
    }

    /// Turns the clock, waking the viewer whenever it wants to be.
    pub(crate) fn wait(&mut self, time: Duration) {
        let end = self.now + time;
        let limit = self.wakes + 50 + 40 * usize::try_from(time.as_secs()).unwrap();
        while let Some(at) = ranktop::app::wake::next(&self.state, self.now).filter(|at| *at <= end) {
            self.now = self.now.max(at);
            self.wakes += 1;
            assert!(self.wakes < limit, "woken over and over at {at:?}");
            self.feed(Event::Woken);
        }
        self.now = end;
    }

    pub(crate) fn wait_ms(&mut self, ms: u64) {
        self.wait(Duration::from_millis(ms));
    }

    pub(crate) fn board(&self) -> Board {
        self.state.session.board.clone().unwrap()
    }

    /// Writes without the version.
    pub(crate) fn write_quietly<T>(&self, changes: impl FnOnce(&mut Boards, &Board) -> T) -> T {
        let board = self.board();
        self.home.write(|boards| changes(boards, &board))
    }

    /// Writes as a writer should.
    pub(crate) fn write(&self, changes: impl FnOnce(&mut Boards, &Board)) {
        self.write_quietly(|boards, board| {
            changes(boards, board);
            boards.increment_version(board);
        });
    }

    pub(crate) fn set(&self, member: &str, value: f64) {
        self.write(|boards, board| boards.score(board, member.into(), score(value)));
    }

    pub(crate) fn remove(&self, member: &str) {
        self.write(|boards, board| boards.remove(board, &member.into()));
    }

    pub(crate) fn no_version(&self) {
        self.write_quietly(|boards, board| boards.set_version(board, None));
    }

    pub(crate) fn rows(&self) -> Vec<Entry> {
        self.state.session.shown.as_ref().map_or_else(Vec::new, |shown| shown.window.entries.clone())
    }

    pub(crate) fn first(&self) -> u64 {
        self.state.session.shown.as_ref().unwrap().window.start
    }

    /// Position of the selected row.
    pub(crate) fn at(&self) -> u64 {
        let shown = self.state.session.shown.as_ref().unwrap();
        shown.window.position(shown.selected)
    }

    pub(crate) fn selected(&self) -> String {
        let entry = self.state.session.shown.as_ref().unwrap().selected_entry().unwrap();
        String::from_utf8(entry.member.as_bytes().to_vec()).unwrap()
    }

    /// Where the selected row stands in the table: line, and lines of the table.
    pub(crate) fn is_in_sight(&self) -> bool {
        let shown = self.state.session.shown.as_ref().unwrap();
        (shown.scroll..shown.scroll + usize::from(self.state.geometry.rows).max(1)).contains(&shown.selected)
    }

    pub(crate) fn notice(&self) -> &str {
        self.state.notice.as_deref().unwrap_or("")
    }

    pub(crate) fn health(&self) -> Health {
        Health::of(&self.state, self.now)
    }

    /// The banner: versions, boundary before and after.
    pub(crate) fn drift(&self) -> Option<(Option<String>, Option<String>, u64, u64)> {
        match &self.state.session.banner {
            Some(Banner::Changed { drift: Drift { from_version, to_version, boundary_from, boundary_to }, .. }) => {
                Some((text(from_version.as_ref()), text(to_version.as_ref()), boundary_from.unwrap(), *boundary_to))
            }
            _ => None,
        }
    }

    /// The boundary of the banner, before and after, where its versions are numbers.
    pub(crate) fn moved(&self) -> Option<(u64, u64)> {
        self.drift().map(|(_, _, from, to)| (from, to))
    }

    /// True where something has to be drawn since this was asked last.
    pub(crate) fn drawn(&mut self) -> bool {
        std::mem::take(&mut self.state.is_dirty)
    }

    pub(crate) fn follows(&self) -> Option<Member> {
        self.state.session.follow.clone()
    }
}

fn text(version: Option<&Version>) -> Option<String> {
    version.map(|version| String::from_utf8(version.as_bytes().to_vec()).unwrap())
}

pub(crate) fn unreachable() -> StoreError {
    StoreError::Unreachable("nobody there".to_owned())
}

pub(crate) fn press(key: &str) -> Press {
    let named = match key {
        "PgDn" => Key::PageDown,
        "PgUp" => Key::PageUp,
        "Home" => Key::Home,
        "End" => Key::End,
        "Enter" => Key::Enter,
        "Esc" => Key::Esc,
        "Space" => Key::Char(' '),
        "Backspace" => Key::Backspace,
        "Up" => Key::Up,
        "Down" => Key::Down,
        "Left" => Key::Left,
        "Right" => Key::Right,
        _ if key.starts_with("C-") => return Press::ctrl(key.chars().nth(2).unwrap()),
        _ => Key::Char(key.chars().next().unwrap()),
    };
    Press::plain(named)
}

/// The news after which the connection is `link`.
pub(crate) fn change_to(link: Link, now: Moment) -> LinkChange {
    match link {
        Link::Connecting => LinkChange::Connecting,
        Link::Up { pushes } => LinkChange::Up { pushes },
        Link::Down { reason, retry_at } => LinkChange::Down { reason, retry_in: retry_at.saturating_sub(now) },
    }
}
