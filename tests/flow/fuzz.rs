//! Any events in any order: nothing panics, one read is in flight, nothing wakes over and over, and the selection is
//! always a row of the page.

use std::time::Duration;

use proptest::prelude::*;
use ranktop::app::event::{Effect, Event, Link, Moment, Mouse};
use ranktop::app::keymap::{BINDINGS, Key, Press};
use ranktop::app::reading::Intent;
use ranktop::app::state::{PageSize, Paging, State};
use ranktop::app::update::update;
use ranktop::app::watch::WatchMode;
use ranktop::board::ask::{Answer, Page};
use ranktop::board::distribution::{Distribution, MOST_BINS};
use ranktop::board::entry::Entry;
use ranktop::board::meta::Meta;
use ranktop::board::order::Order;
use ranktop::board::rank::RankStyle;
use ranktop::board::trouble::Trouble;
use ranktop::board::version::Version;
use ranktop::board::window::Window;

use crate::harness::{Flow, Opening, score};

/// One step of a run. Answers are to the read that is under way, or to one that is long over.
#[derive(Clone, Debug)]
enum Step {
    Key(Press),
    Mouse(Mouse),
    Resize(u16, u16),
    Answer(Result<Answer, Trouble>),
    Stale(u64),
    Poll(Result<Option<Version>, Trouble>),
    Counted(Result<u64, Trouble>),
    Names(bool),
    Pushed,
    Link(Link),
    Paste(String),
    Wait(u64),
}

fn trouble() -> impl Strategy<Value = Trouble> {
    prop_oneof![
        Just(Trouble::Unreachable("x".to_owned())),
        Just(Trouble::Silent(Duration::from_secs(1))),
        Just(Trouble::WrongType { found: "hash".to_owned() }),
        Just(Trouble::NotReady("LOADING".to_owned())),
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

fn answer() -> impl Strategy<Value = Answer> {
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
            better_than_first: above,
            through_last: above + count,
            meta,
            entries,
            ..Window::nothing(Order::Desc)
        };
        Answer::Page(Box::new(Page { window, target, boundary, tracked }))
    });
    prop_oneof![
        6 => page,
        1 => Just(Answer::NotOnBoard),
        1 => Just(Answer::NoFurther),
        1 => (0..9_u8, 1..90_u64)
            .prop_map(|(from, reached)| Answer::Onward { from: score(f64::from(from)), reached }),
    ]
}

fn key() -> impl Strategy<Value = Press> {
    let bound: Vec<Press> = BINDINGS.iter().flat_map(|binding| binding.keys).copied().collect();
    prop_oneof![
        6 => prop::sample::select(bound),
        1 => prop::sample::select(vec![Press::plain(Key::Enter), Press::plain(Key::Backspace), Press::ctrl('u')]),
        1 => prop::char::range(' ', '~').prop_map(|c| Press::plain(Key::Char(c))),
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
        8 => prop::result::maybe_ok_weighted(0.85, answer(), trouble()).prop_map(Step::Answer),
        1 => (0..40_u64).prop_map(Step::Stale),
        2 => prop::result::maybe_ok_weighted(0.8, version, trouble()).prop_map(Step::Poll),
        2 => prop::result::maybe_ok_weighted(0.8, 0..4_u64, trouble()).prop_map(Step::Counted),
        1 => any::<bool>().prop_map(Step::Names),
        1 => Just(Step::Pushed),
        2 => link.prop_map(Step::Link),
        1 => "\\PC{0,9}".prop_map(Step::Paste),
        4 => (0..3_000_u64).prop_map(Step::Wait),
    ]
}

fn opening() -> impl Strategy<Value = Opening> {
    (
        prop::sample::select(vec![WatchMode::Push, WatchMode::Poll, WatchMode::Content]),
        prop_oneof![Just(PageSize::Fit), (1..50_u64).prop_map(PageSize::Rows)],
        prop::sample::select(vec![Paging::Cursor, Paging::Position]),
        prop::sample::select(vec![Intent::First, Intent::Last, Intent::Row(9), Intent::Find("7".into())]),
        any::<bool>(),
    )
        .prop_map(|(mode, page_size, paging, intent, is_order_set)| Opening {
            is_order_set,
            mode,
            page_size,
            paging,
            intent,
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
}

impl Run {
    fn feed(&mut self, event: Event) {
        for effect in update(&mut self.state, event, self.now) {
            match effect {
                Effect::Ask { generation, ask, .. } => {
                    assert_eq!(self.read.replace(generation), None, "one read in flight");
                    assert!(ask.size >= 1 && ask.lead < ask.size, "{ask:?}");
                }
                Effect::Poll(_) => assert!(!std::mem::replace(&mut self.is_polling, true), "one poll in flight"),
                Effect::Distribution { generation, most, .. } => {
                    assert_eq!(self.count.replace(generation), None, "one count in flight");
                    assert!((1..=MOST_BINS).contains(&most));
                }
                Effect::Names(_, members) => {
                    assert!(!std::mem::replace(&mut self.is_naming, true) && !members.is_empty());
                }
                Effect::Find { .. }
                | Effect::List { .. }
                | Effect::Search { .. }
                | Effect::Retry
                | Effect::Copy(_)
                | Effect::Suspend => {}
            }
        }
        if let Some(shown) = &self.state.shown {
            assert!(shown.selected < shown.window.len().max(1));
            assert!(shown.scroll <= shown.selected);
            assert!(shown.selected < shown.scroll + usize::from(self.state.geometry.rows).max(1), "in sight");
        }
        let _ = ranktop::app::health::Health::of(&self.state, self.now);
    }

    /// Turns the clock; each wake brings a later one, unless something was asked.
    fn wait(&mut self, ms: u64) {
        let end = self.now + Duration::from_millis(ms);
        let mut wakes = 0;
        while let Some(at) = self.state.wake(self.now).filter(|at| *at <= end) {
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
            Step::Answer(result) => {
                if let Some(generation) = self.read.take() {
                    self.feed(Event::Answered { generation, result, took });
                }
            }
            Step::Stale(generation) => {
                if self.read != Some(generation) {
                    self.feed(Event::Answered { generation, result: Ok(Answer::NoFurther), took });
                }
            }
            Step::Poll(result) => {
                if std::mem::take(&mut self.is_polling) {
                    let key = self.state.key().cloned().unwrap();
                    self.feed(Event::Polled { key, result, took });
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
                    self.feed(Event::Distributed { generation, result });
                }
            }
            Step::Names(is_good) => {
                if std::mem::take(&mut self.is_naming) {
                    let result = if is_good { Ok(Some(Vec::new())) } else { Err(Trouble::Silent(took)) };
                    let home = self.state.names_home().unwrap();
                    self.feed(Event::Named { home, members: Vec::new(), result });
                }
            }
            Step::Pushed => self.feed(Event::Pushed),
            Step::Link(link) => self.feed(Event::Link(link)),
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
        let mut run = Run { state: flow.state, now: flow.now, read: None, is_polling: false, count: None, is_naming: false };
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
        let mut flow = Flow::open(Opening { pushes, ..opening }, &crate::harness::ladder(count));
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
        flow.set("x", 99_999.0);
        flow.link(Link::Up { pushes });
        flow.wait(Duration::from_secs(60));
        prop_assert!(flow.reads + flow.polls - reads - polls <= 1_250);
    }
}
