//! Any events in any order: nothing panics, one read is in flight, nothing wakes over and over, and the selection is
//! always a row of the page.

use std::time::Duration;

use proptest::prelude::*;
use ranktop::app::event::{Effect, Event, Link, Moment, Mouse};
use ranktop::app::keymap::{BINDINGS, Key as Pressed, Press};
use ranktop::app::overlay::Overlay;
use ranktop::app::polling::schedule::WatchMode;
use ranktop::app::queue::Intent;
use ranktop::app::settings::{PageSize, Paging};
use ranktop::app::state::State;
use ranktop::app::update::update;
use ranktop::board::distribution::{Distribution, MOST_BINS};
use ranktop::board::entry::Entry;
use ranktop::board::keys::Key;
use ranktop::board::meta::Meta;
use ranktop::board::order::Order;
use ranktop::board::rank::RankStyle;
use ranktop::board::version::Version;
use ranktop::board::window::Window;
use ranktop::query::error::StoreError;
use ranktop::query::listing::{Found, KeySummary, Listed};
use ranktop::query::page::{Page, PageReply};
use ranktop::query::reply::Reply;
use ranktop::query::request::{ListPurpose, Request};

use super::harness::{Flow, Opening, change_to, score};

/// One step of a run. Answers are to the read that is under way, or to one that is long over.
#[derive(Clone, Debug)]
enum Step {
    Key(Press),
    Mouse(Mouse),
    Resize(u16, u16),
    PageReply(Result<PageReply, StoreError>),
    Stale(u64),
    Poll(Result<Option<Version>, StoreError>),
    Counted(Result<u64, StoreError>),
    Names(bool),
    Listed(Result<Vec<KeySummary>, StoreError>),
    StaleList(u64),
    Clock(i64),
    /// A step of the search ends: with boards of these numbers, and whether it was the last.
    Found(Result<(Vec<u8>, bool), StoreError>),
    /// A look at boards ends: each is there or not.
    Looked(Result<bool, StoreError>),
    Pushed,
    Link(Link),
    Paste(String),
    Wait(u64),
}

fn trouble() -> impl Strategy<Value = StoreError> {
    prop_oneof![
        Just(StoreError::Unreachable("x".to_owned())),
        Just(StoreError::Timeout(Duration::from_secs(1))),
        Just(StoreError::WrongType { found: "hash".to_owned() }),
        Just(StoreError::NotReady("LOADING".to_owned())),
    ]
}

fn version() -> impl Strategy<Value = Option<Version>> {
    prop::option::of(prop_oneof![
        (0..4_u8).prop_map(|number| Version::from(number.to_string().as_str())),
        Just(Version::from("9223372036854775807")),
        Just(Version::from("-9223372036854775808")),
        Just(Version::from(vec![0xff])),
    ])
}

fn meta() -> impl Strategy<Value = Meta> {
    let order = prop::option::weighted(0.1, prop_oneof![Just(Order::Desc), Just(Order::Asc)]);
    let style = prop::option::weighted(0.1, prop_oneof![Just(RankStyle::Dense), Just(RankStyle::Modified)]);
    let state = prop::option::weighted(0.2, Just(ranktop::board::meta::State::Closed));
    (order, style, state).prop_map(|(order, rank_style, state)| Meta { order, rank_style, state, ..Meta::default() })
}

fn answer() -> impl Strategy<Value = PageReply> {
    let page = (
        (prop::collection::btree_map(0..30_u8, 0..9_u8, 0..12), 0..40_u64, 0..40_u64, any::<bool>()),
        (version(), meta(), prop::option::of(0..90_u64), prop::option::of(0..90_u64), prop::option::of(1..90_u64)),
    );
    let page = page.prop_map(|((rows, above, below, verified), (version, meta, boundary, tracked, target))| {
        let mut entries: Vec<Entry> = rows
            .into_iter()
            .map(|(member, value)| Entry::new(member.to_string().as_str(), score(f64::from(value))))
            .collect();
        entries.sort_by(|a, b| Order::Desc.compare(a, b));
        let count = entries.len() as u64;
        let window = Window {
            start: above + 1,
            total: above + count + below,
            version,
            verified,
            parts: None,
            better_than_first: above,
            through_last: above + count,
            meta,
            entries,
            ..Window::nothing(Order::Desc)
        };
        PageReply::Page(Box::new(Page { window, target, boundary, tracked }))
    });
    prop_oneof![
        6 => page,
        1 => Just(PageReply::NotOnBoard),
        1 => Just(PageReply::NoFurther),
        1 => (0..9_u8, 1..90_u64)
            .prop_map(|(from, reached)| PageReply::Onward { from: score(f64::from(from)), reached }),
    ]
}

fn sight() -> impl Strategy<Value = KeySummary> {
    let total = prop_oneof![Just(None), (1..99_u64).prop_map(Some)];
    let board = (total, version()).prop_map(|(total, version)| {
        KeySummary::Board(Listed { key: "x".into(), total, version, state: None, ttl: None })
    });
    prop_oneof![20 => Just(KeySummary::Nothing), 1 => Just(KeySummary::NoSortedSet), 2 => board]
}

/// Around the end of 2026-W41, and far off.
fn clock() -> impl Strategy<Value = i64> {
    prop_oneof![4 => 1_791_762_000_000..1_791_766_000_000_i64, 1 => any::<i64>()]
}

fn key() -> impl Strategy<Value = Press> {
    let bound: Vec<Press> = BINDINGS.iter().flat_map(|binding| binding.keys).copied().collect();
    prop_oneof![
        6 => prop::sample::select(bound),
        1 => prop::sample::select(vec![Press::plain(Pressed::Enter), Press::plain(Pressed::Backspace), Press::ctrl('u')]),
        1 => Just(Press::plain(Pressed::Char('b'))),
        1 => prop::char::range(' ', '~').prop_map(|c| Press::plain(Pressed::Char(c))),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let link = prop_oneof![
        1 => Just(Link::Connecting),
        3 => any::<bool>().prop_map(|pushes| Link::Up { pushes }),
        1 => (trouble(), 0..9_000_u64)
            .prop_map(|(reason, ms)| Link::Down { reason, retry_at: Duration::from_millis(ms) }),
    ];
    let version = version().boxed();
    prop_oneof![
        8 => key().prop_map(Step::Key),
        1 => any::<bool>().prop_map(|down| Step::Mouse(Mouse::Wheel { down })),
        1 => prop_oneof![0..60_u16, any::<u16>()].prop_map(|line| Step::Mouse(Mouse::Click { line })),
        1 => (0..300_u16, 0..60_u16).prop_map(|(columns, lines)| Step::Resize(columns, lines)),
        1 => Just(Step::Resize(0, 0)),
        8 => prop::result::maybe_ok_weighted(0.85, answer(), trouble()).prop_map(Step::PageReply),
        1 => (0..40_u64).prop_map(Step::Stale),
        2 => prop::result::maybe_ok_weighted(0.8, version, trouble()).prop_map(Step::Poll),
        2 => prop::result::maybe_ok_weighted(0.8, 0..4_u64, trouble()).prop_map(Step::Counted),
        1 => any::<bool>().prop_map(Step::Names),
        3 => prop::result::maybe_ok_weighted(0.85, prop::collection::vec(sight(), 0..70), trouble()).prop_map(Step::Listed),
        1 => any::<u64>().prop_map(Step::StaleList),
        1 => clock().prop_map(Step::Clock),
        3 => prop::result::maybe_ok_weighted(0.8, (prop::collection::vec(0..60_u8, 0..9), any::<bool>()), trouble())
            .prop_map(Step::Found),
        3 => prop::result::maybe_ok_weighted(0.8, any::<bool>(), trouble()).prop_map(Step::Looked),
        1 => Just(Step::Pushed),
        2 => link.prop_map(Step::Link),
        1 => "\\PC{0,9}".prop_map(Step::Paste),
        4 => (0..3_000_u64).prop_map(Step::Wait),
    ]
}

fn opening() -> impl Strategy<Value = Opening> {
    (
        prop::sample::select(vec!["b", "x:2026-W41", "x:2026-10-11", "x:9999-12-31", "x:0000-01"]),
        prop::sample::select(vec![WatchMode::Push, WatchMode::Poll, WatchMode::Content]),
        prop_oneof![Just(PageSize::Fit), (1..50_u64).prop_map(PageSize::Rows)],
        prop::sample::select(vec![Paging::Cursor, Paging::Position]),
        prop::sample::select(vec![Intent::First, Intent::Last, Intent::Row(9), Intent::Find("7".into())]),
        any::<bool>(),
        prop::bool::weighted(0.8),
    )
        .prop_map(|(key, mode, page_size, paging, intent, is_order_set, is_named)| Opening {
            key,
            is_order_set,
            mode,
            page_size,
            paging,
            intent,
            is_named,
            ..Opening::default()
        })
}

/// A viewer whose effects are only counted.
struct Run {
    state: State,
    now: Moment,
    /// The generation of the read that is under way.
    read: Option<u64>,
    is_polling: bool,
    /// The generation of the count that is under way.
    count: Option<u64>,
    is_naming: bool,
    /// The generation of the look at other boards that is under way.
    list: Option<u64>,
    /// The generation of the step of the search that is under way.
    step: Option<u64>,
    /// The look at boards that is under way, and how many they are.
    look: Option<(u64, usize)>,
}

impl Run {
    fn feed(&mut self, event: Event) {
        let board = self.state.key().cloned();
        let effects = update(&mut self.state, event, self.now);
        if self.state.key() != board.as_ref() {
            // What was asked of the board before is not waited for.
            (self.is_polling, self.is_naming) = (false, false);
        }
        for effect in effects {
            match effect {
                Effect::Send(Request::Page { generation, page, .. }) => {
                    assert_eq!(self.read.replace(generation), None, "one read in flight");
                    assert!(page.size >= 1 && page.lead < page.size, "{page:?}");
                }
                Effect::Send(Request::Version(_)) => {
                    assert!(!std::mem::replace(&mut self.is_polling, true), "one poll in flight");
                }
                Effect::Send(Request::Distribution { generation, binning, .. }) => {
                    assert_eq!(self.count.replace(generation), None, "one count in flight");
                    assert!((1..=MOST_BINS).contains(&binning.most));
                }
                Effect::Send(Request::Names(_, members)) => {
                    assert!(!std::mem::replace(&mut self.is_naming, true) && !members.is_empty());
                }
                Effect::Send(Request::List { purpose: ListPurpose::Periods, generation, boards }) => {
                    assert_eq!(self.list.replace(generation), None, "one look in flight");
                    assert!((1..=60).contains(&boards.len()));
                }
                Effect::Send(Request::Search { generation, .. }) => {
                    assert_eq!(self.step.replace(generation), None, "one step of a search in flight");
                }
                Effect::Send(Request::List { generation, boards, .. }) => {
                    assert!((1..=100).contains(&boards.len()), "{} boards", boards.len());
                    assert_eq!(self.look.replace((generation, boards.len())), None, "one look in flight");
                }
                Effect::Send(Request::Find { .. } | Request::Probe(_))
                | Effect::Retry
                | Effect::Copy(_)
                | Effect::Suspend => {}
            }
        }
        if let Some(shown) = &self.state.session.shown {
            assert!(shown.selected < shown.window.len().max(1));
            assert!(shown.scroll <= shown.selected);
            assert!(shown.selected < shown.scroll + usize::from(self.state.geometry.rows).max(1), "in sight");
        }
        assert!(self.state.session.board.is_some() || self.state.overlay == Some(Overlay::Boards), "an empty screen");
        let list = &self.state.picker.list;
        assert_eq!(list.selected().is_some(), list.rows() > 0);
        for lines in [1, 2, 7, 100] {
            let sight = list.in_sight(lines);
            assert!(list.rows() == 0 || sight.contains(&list.selected_row()), "{sight:?}");
            assert_eq!(sight.len(), lines.min(list.rows()), "no line is left empty");
        }
        let _ = ranktop::app::health::Health::of(&self.state, self.now);
    }

    /// Turns the clock; each wake brings a later one, unless something was asked.
    fn wait(&mut self, ms: u64) {
        let end = self.now + Duration::from_millis(ms);
        let mut wakes = 0;
        while let Some(at) = ranktop::app::wake::next(&self.state, self.now).filter(|at| *at <= end) {
            wakes += 1;
            assert!(wakes < 40, "woken over and over at {at:?}: {:?}", self.state);
            self.now = self.now.max(at);
            self.feed(Event::Woken);
        }
        self.now = end;
    }

    fn take(&mut self, step: Step) {
        let took = Duration::from_millis(1);
        match step {
            Step::Key(press) => self.feed(Event::Key(press)),
            Step::Mouse(mouse) => self.feed(Event::Mouse(mouse)),
            Step::Resize(columns, lines) => self.feed(Event::Resized { columns, lines }),
            Step::PageReply(result) => {
                if let Some(generation) = self.read.take() {
                    self.feed(Event::Reply(Reply::Page { generation, result, took }));
                }
            }
            Step::Stale(generation) => {
                if self.read != Some(generation) {
                    self.feed(Event::Reply(Reply::Page { generation, result: Ok(PageReply::NoFurther), took }));
                }
            }
            Step::Poll(result) => {
                if std::mem::take(&mut self.is_polling) {
                    let key = self.state.key().cloned().unwrap_or_else(|| "b".into());
                    self.feed(Event::Reply(Reply::Version { key, result, took }));
                }
            }
            Step::Counted(result) => {
                if let Some(generation) = self.count.take() {
                    let result = result.map(|version| Distribution {
                        order: Order::Desc,
                        version: Some(version.to_string().as_str().into()),
                        verified: version > 0,
                        total: version,
                        bins: Vec::new(),
                        marks: Vec::new(),
                    });
                    self.feed(Event::Reply(Reply::Distribution { generation, result }));
                }
            }
            Step::Names(is_good) => {
                if std::mem::take(&mut self.is_naming) {
                    let result = if is_good { Ok(Some(Vec::new())) } else { Err(StoreError::Timeout(took)) };
                    let location = self.state.names_home().unwrap();
                    self.feed(Event::Reply(Reply::Names { location, members: Vec::new(), result }));
                }
            }
            Step::Listed(result) => {
                if let Some(generation) = self.list.take() {
                    self.feed(Event::Reply(Reply::List { purpose: ListPurpose::Periods, generation, result }));
                }
            }
            Step::StaleList(generation) => {
                if self.list != Some(generation) {
                    self.feed(Event::Reply(Reply::List {
                        purpose: ListPurpose::Periods,
                        generation,
                        result: Ok(Vec::new()),
                    }));
                }
            }
            Step::Clock(unix_ms) => self.feed(Event::Clock(unix_ms)),
            Step::Found(result) => {
                if let Some(generation) = self.step.take() {
                    let key = |number: u8| Key::from(format!("lb:{{g{}}}:2026-W{}", number % 7, 10 + number).as_str());
                    let result = result.map(|(keys, is_over)| Found {
                        keys: keys.into_iter().map(key).collect(),
                        looked_at: 1_000,
                        of: None,
                        is_over,
                        incomplete: None,
                    });
                    self.feed(Event::Reply(Reply::Search { generation, result }));
                }
            }
            Step::Looked(result) => {
                if let Some((generation, count)) = self.look.take() {
                    let sight = |is_there| if is_there { KeySummary::NoSortedSet } else { KeySummary::Nothing };
                    self.feed(Event::Reply(Reply::List {
                        purpose: ListPurpose::Picker,
                        generation,
                        result: result.map(|is_there| vec![sight(is_there); count]),
                    }));
                }
            }
            Step::Pushed => self.feed(Event::Pushed),
            Step::Link(link) => {
                let change = change_to(link, self.now);
                self.feed(Event::Reply(Reply::Link(change)));
            }
            Step::Paste(text) => self.feed(Event::Paste(text)),
            Step::Wait(ms) => self.wait(ms),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_events_in_any_order(opening in opening(), steps in prop::collection::vec(step(), 1..120)) {
        let flow = Flow::closed(opening, &[]);
        let state = flow.state;
        let mut run = Run { state, now: flow.now, read: None, is_polling: false, is_naming: false, list: None, count: None, step: None, look: None };
        run.take(Step::Link(Link::Up { pushes: false }));
        for step in steps {
            run.take(step);
        }
        run.wait(10_000);
    }

    /// Only woken, and answered by a board: in every state that keys, troubles and links lead to, a minute costs a
    /// bounded number of wakes (`Flow::wait` counts them) and of reads.
    #[test]
    fn no_state_is_busy(
        opening in opening(), keys in prop::collection::vec(key(), 0..12), pushes: bool, is_told: bool, count in 0..40_u32,
        meets in prop::option::of(trouble()), is_cut: bool,
    ) {
        let mut flow = Flow::open(Opening { pushes, ..opening }, &super::harness::ladder(count));
        for key in keys {
            flow.feed(Event::Key(key));
        }
        flow.trouble = meets;
        if is_told {
            flow.feed(Event::Pushed);
        }
        if is_cut {
            flow.cut();
        }
        let (reads, polls) = (flow.reads, flow.polls);
        flow.wait(Duration::from_secs(60));
        prop_assert!(flow.reads + flow.polls - reads - polls <= 620, "{} reads", flow.reads - reads);
        if flow.state.session.board.is_some() {
            flow.set("x", 99_999.0);
        }
        flow.link(Link::Up { pushes });
        flow.wait(Duration::from_secs(60));
        prop_assert!(flow.reads + flow.polls - reads - polls <= 1_250);
    }
}
