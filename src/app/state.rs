//! Everything the viewer knows. It is changed by `update` alone and drawn by `view`; it holds no styles and no sockets.

use std::time::Duration;

use crate::app::clock::Clock;
use crate::app::countdown;
use crate::app::countdown::Terms;
use crate::app::distribution;
use crate::app::distribution::Overview;
use crate::app::event::{Link, Moment};
use crate::app::find::Find;
use crate::app::geometry::Geometry;
use crate::app::health::Health;
use crate::app::names::Names;
use crate::app::packing::Packing;
use crate::app::page::Shown;
use crate::app::page::history::History;
use crate::app::periods::Periods;
use crate::app::periods::list::Browse;
use crate::app::picker;
use crate::app::picker::Picker;
use crate::app::polling::schedule::{BETWEEN_READS, Watch, WatchMode};
use crate::app::presses;
use crate::app::presses::Presses;
use crate::app::probing::Probing;
use crate::app::prompt::Prompt;
use crate::app::queue::{Intent, Reading};
use crate::app::rate::Rate;
use crate::app::rollover;
use crate::app::rollover::Rollover;
use crate::app::trace::Trace;
use crate::board::drift::Drift;
use crate::board::entry::Member;
use crate::board::keys::Board;
use crate::board::keys::Key;
use crate::board::names::NamesLocation;
use crate::board::order::Order;
use crate::board::packed::scoring::ScoringOptions;
use crate::board::period::Zone;
use crate::board::rank::RankStyle;
use crate::board::templates::Templates;
use crate::board::version::Version;
use crate::query::capabilities::Capabilities;
use crate::query::error::StoreError;
use crate::query::page::DENSE_BOUND;
use crate::query::round_trip::CommandReply;
use crate::query::server::Role;

/// The most rows a page may have.
pub const LARGEST_PAGE: u64 = 1_000;
/// A size of the terminal counts once it has stood so long: a storm of resizes costs one read.
pub const SETTLE: Duration = Duration::from_millis(40);

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

/// What stands in the banner's line until it is answered or the page is turned again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Banner {
    /// The board changed between two pages.
    Changed {
        /// From which version to which, and where the edge of the page that was left stood and stands.
        drift: Drift,
        /// How many rows have come into what was read already; negative where rows have left it.
        shift: i64,
        /// Whether the page was turned towards the end of the board.
        is_forward: bool,
    },
    /// The board has no version key, so that changes between pages are seen by the rows alone. Said once.
    Unversioned,
}

/// What is open above the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// The keys; scrolled by so many lines.
    Help(u16),
    /// Why the selected row has its rank.
    Inspector,
    /// The periods of the board.
    Periods(Browse),
    /// How the scores of the whole board are spread.
    Distribution,
    /// What is sent to the server.
    Trace,
    /// A line that is being typed.
    Prompt(Prompt),
    /// The boards of this server.
    Boards,
}

/// The selected member has left the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Departed {
    /// Who.
    pub member: Member,
    /// Where it stands now; `None` while that is not known.
    pub whereabouts: Option<Whereabouts>,
}

/// Where a member that left the page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// At this position.
    At(u64),
    /// Not on the board.
    Gone,
}

/// A search for tie groups that has not found one yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Towards the end of the board.
    pub forward: bool,
    /// The position it has come to.
    pub reached: u64,
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
    /// Where to begin.
    pub opening: Intent,
    /// How a key is shown, in a list of which the reader picks by what is seen.
    pub text: fn(&[u8]) -> String,
    /// How the place can be handed on.
    pub sharing: Sharing,
}

/// Everything the viewer knows.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own; no two exclude each other")]
pub struct State {
    /// Which board, in which order; `None` until one is chosen.
    pub board: Option<Board>,
    /// Where boards are, and what goes with them.
    pub templates: Templates,
    /// The zone in which periods are cut.
    pub zone: Zone,
    /// The calendar's clock.
    pub clock: Clock,
    /// What the calendar makes of the board.
    pub rollover: Rollover,
    /// Neighbouring periods that are being looked for.
    pub periods: Periods,
    /// When the key of the board expires, where it does.
    pub expires_at: Option<Moment>,
    /// The server, as the header names it.
    pub server: String,
    /// What the server is to others that have the board too.
    pub role: Role,
    /// What was said last about how the board is read there.
    pub place_notice: Option<&'static str>,
    /// Nobody has checked that it is that server.
    pub is_server_unverified: bool,
    /// The order, where it was set, so that a board's own wish does not count.
    pub order: Option<Order>,
    /// Whether the rank style was set, likewise.
    pub is_style_set: bool,
    /// In which style ranks are shown.
    pub style: RankStyle,
    /// How scores are read.
    pub packing: Packing,
    /// The search for names that nobody named.
    pub probing: Probing,
    /// How many rows a page has.
    pub page_size: PageSize,
    /// How pages are turned.
    pub paging: Paging,
    /// How the screen is shared out.
    pub geometry: Geometry,
    /// The size that the terminal has taken on and that has not stood long enough.
    pub settling: Option<Moment>,
    /// The connection.
    pub link: Link,
    /// What works with this server and this user, once it is known.
    pub access: Option<Capabilities>,
    /// Why there was no connection the last time there was none.
    pub reason: Option<StoreError>,
    /// Why the last read failed, if it did.
    pub trouble: Option<StoreError>,
    /// When the last good answer came.
    pub fresh_at: Option<Moment>,
    /// How long the last page read took.
    pub latency: Option<Duration>,
    /// What is read where no page has come yet.
    pub opening: Intent,
    /// What the last page read asked and was answered.
    pub evidence: Vec<CommandReply>,
    /// What was sent of late.
    pub trace: Trace,
    /// The page on the screen; its last good state when the board is gone.
    pub shown: Option<Shown>,
    /// The board is not there.
    pub is_missing: bool,
    /// The page is kept as it is.
    pub is_held: bool,
    /// The version that was seen last, by whatever read.
    pub seen_version: Option<Version>,
    /// The version went back, from this number to that one: writes were lost, or the key was reset. Until it is past the
    /// former number, or the reader reads again.
    pub version_fell: Option<(i64, i64)>,
    /// Who is followed as it moves.
    pub follow: Option<Member>,
    /// The selected member has left the page.
    pub departed: Option<Departed>,
    /// What stands in the banner's line.
    pub banner: Option<Banner>,
    /// Whether it has been said that the board has no version.
    pub is_unversioned_said: bool,
    /// A word in the footer, until the next key.
    pub notice: Option<String>,
    /// What is open above the table; the boards, as long as none is chosen.
    pub overlay: Option<Overlay>,
    /// The boards of this server.
    pub picker: Picker,
    /// A search for tie groups under way.
    pub search: Option<Search>,
    /// What is looked for in ids and names.
    pub find: Find,
    /// How the scores of the whole board are spread, while that is open.
    pub distribution: Overview,
    /// The names that are known.
    pub names: Names,
    /// How fast the version moves.
    pub rate: Rate,
    /// How the place can be handed on.
    pub sharing: Sharing,
    /// What is being read.
    pub reading: Reading,
    /// The key presses whose turn has not come.
    pub presses: Presses,
    /// Where the reader was before jumps.
    pub history: History,
    /// When to look.
    pub watch: Watch,
    /// The screen is not what the state is.
    pub is_dirty: bool,
    /// The second of the age that is on the screen, where one is.
    pub shown_second: Option<u64>,
    /// The time left that is on the screen.
    pub shown_terms: Terms,
    /// The reader wants to leave.
    pub has_quit: bool,
}

impl State {
    /// A viewer that has read nothing yet, on a screen of this size.
    pub fn new(settings: Settings, columns: u16, lines: u16) -> Self {
        let mut reading = Reading::default();
        reading.want(settings.opening.clone());
        let order = settings.order.unwrap_or_default();
        let rollover = Rollover::of(settings.key.as_ref(), &settings.templates.board, &settings.zone);
        Self {
            rollover,
            periods: Periods::default(),
            expires_at: None,
            shown_terms: Terms::default(),
            overlay: settings.key.is_none().then_some(Overlay::Boards),
            picker: Picker::new(settings.text),
            board: settings.key.map(|key| settings.templates.board(key, order)),
            templates: settings.templates,
            zone: settings.zone,
            clock: Clock::default(),
            server: settings.server,
            role: Role::default(),
            place_notice: None,
            is_server_unverified: settings.is_server_unverified,
            order: settings.order,
            is_style_set: settings.style.is_some(),
            style: settings.style.unwrap_or_default(),
            names: Names::of(settings.scoring.member.clone()),
            packing: Packing::new(settings.scoring),
            probing: Probing::new(settings.is_probing),
            page_size: settings.page_size,
            paging: settings.paging,
            geometry: Geometry::of(columns, lines),
            settling: None,
            link: Link::Connecting,
            access: None,
            reason: None,
            trouble: None,
            fresh_at: None,
            latency: None,
            evidence: Vec::new(),
            trace: Trace::default(),
            opening: settings.opening,
            shown: None,
            is_missing: false,
            is_held: false,
            seen_version: None,
            version_fell: None,
            follow: None,
            departed: None,
            banner: None,
            is_unversioned_said: false,
            notice: None,
            search: None,
            find: Find::default(),
            distribution: Overview::default(),
            rate: Rate::default(),
            sharing: settings.sharing,
            reading,
            presses: Presses::default(),
            history: History::default(),
            watch: settings.watch,
            is_dirty: true,
            shown_second: None,
            has_quit: false,
        }
    }

    /// Opens the board `key` in the place of the one that is shown, from its top. What was learned of the other one is
    /// forgotten, and what is under way for it comes to nothing; how boards are looked at stays.
    pub fn open(&mut self, key: Key) {
        let names = self.names_home();
        if names != Some(self.templates.names(&key)) {
            self.names = Names::of(self.packing.options.member.clone());
        }
        self.rollover = Rollover::of(Some(&key), &self.templates.board, &self.zone);
        self.periods.stop(None);
        self.expires_at = None;
        self.packing.open(&key);
        self.board = Some(self.templates.board(key, self.order.unwrap_or_default()));
        if !self.is_style_set {
            self.style = RankStyle::default();
        }
        self.reading.cancel();
        self.version_fell = None;
        self.presses = Presses::default();
        self.history = History::default();
        self.find.stop();
        self.opening = Intent::First;
        self.reading.want(Intent::First);
        self.watch = Watch::new(self.watch.mode, self.watch.interval).with_spread(self.watch.spread);
        self.rate = Rate::default();
        (self.shown, self.trouble, self.seen_version) = (None, None, None);
        (self.follow, self.departed, self.search) = (None, None, None);
        (self.banner, self.notice, self.overlay) = (None, None, None);
        (self.is_missing, self.is_held, self.is_unversioned_said) = (false, false, false);
        self.evidence = Vec::new();
        self.is_dirty = true;
    }

    /// What the server or the user's rights do not allow, each as a sentence with what follows from it.
    pub fn missing(&self) -> Vec<&'static str> {
        let is_polled = matches!(self.link, Link::Up { pushes: false }) && self.watch.mode == WatchMode::Push;
        let polled = is_polled.then_some("the server does not push changes: the version is polled at every interval");
        let unnamed = self.names.is_refused().then_some("no permission to read the names: ids are shown instead");
        self.access.iter().flat_map(Capabilities::missing).chain(polled).chain(unnamed).collect()
    }

    /// The key of the board, once one is chosen.
    pub fn key(&self) -> Option<&Key> {
        self.board.as_ref().map(|board| &board.key)
    }

    /// Where the names of the members of the board are.
    pub fn names_home(&self) -> Option<NamesLocation> {
        let key = self.key()?;
        Some(self.probing.found(key).unwrap_or_else(|| self.templates.names(key)))
    }

    /// True where the banner's line says something.
    pub fn has_banner(&self) -> bool {
        self.banner.is_some() || self.rollover.offered().is_some() || !self.packing.suggestion.is_empty()
    }

    /// How many rows a page has on this screen.
    pub fn page_rows(&self) -> u64 {
        match self.page_size {
            PageSize::Fit => u64::from(self.geometry.rows).clamp(1, LARGEST_PAGE),
            PageSize::Rows(rows) => rows.clamp(1, LARGEST_PAGE),
        }
    }

    /// True where distinct better scores have to be counted.
    pub fn wants_dense(&self) -> bool {
        self.style == RankStyle::Dense
    }

    /// Why a rank is shown as `-`, where one is.
    pub fn uncounted_reason(&self) -> Option<String> {
        let uncounted = self.wants_dense() && self.shown.as_ref()?.window.distinct_better.is_none();
        uncounted.then(|| format!("dense ranks stop after {DENSE_BOUND} distinct scores"))
    }

    /// True where the page on the screen is kept as it is: it is held, and there is something to hold.
    pub fn keeps_page(&self) -> bool {
        self.is_held && self.shown.as_ref().is_some_and(|shown| !shown.window.is_empty())
    }

    /// When the page is to be read for a change that was told, if one was. Where reads fail, the timetable decides.
    pub fn told_due(&self, now: Moment) -> Option<Moment> {
        let is_awaited = self.watch.is_told && self.shown.is_some() && !self.keeps_page() && self.trouble.is_none();
        is_awaited.then(|| self.watch.last_read.map_or(now, |last| last + self.watch.between_reads()))
    }

    /// True where the server tells of changes, and is listened to.
    pub fn is_told(&self) -> bool {
        matches!(self.link, Link::Up { pushes: true }) && self.watch.mode == WatchMode::Push
    }

    /// How often the board is read or looked at, where the server is too slow for what was set.
    pub fn slowed_to(&self) -> Option<Duration> {
        let wanted = if self.is_told() { BETWEEN_READS } else { self.watch.interval };
        let every = self.watch.pace.every(wanted);
        (every > wanted).then_some(every)
    }

    /// The next moment at which [`crate::app::event::Event::Woken`] is wanted, if any.
    pub fn wake(&self, now: Moment) -> Option<Moment> {
        let is_up = matches!(self.link, Link::Up { .. });
        let can_look = is_up && self.board.is_some() && !self.reading.is_busy() && !self.watch.is_polling;
        let look = can_look.then_some(self.watch.next_look);
        let told = self.told_due(now).filter(|_| can_look);
        let whole = self.watch.whole_due().filter(|_| can_look && !self.keeps_page());
        let settled = self.settling.map(|since| since + SETTLE);
        // The second that follows the one that is counted now.
        let second = self.health_second(now).map(|second| Duration::from_secs(second) + self.second_offset(now));
        let entries = self.shown.iter().flat_map(|shown| &shown.window.entries);
        let names = self.names.due(entries.map(|entry| &entry.member)).filter(|_| is_up);
        let others = [
            rollover::wake(self),
            countdown::wake(self),
            picker::wake(self),
            distribution::due(self, now),
            names,
            presses::deadline(self),
        ];
        [look, told, whole, settled, second].into_iter().chain(others).flatten().min()
    }

    /// The second of what the header counts, where it counts anything: it turns with the seconds of that age, so the
    /// count begins one second early.
    pub fn health_second(&self, now: Moment) -> Option<u64> {
        // A page that never came has no age, and a try that is under way is not counted down to.
        let is_counted = match self.link {
            Link::Down { retry_at, .. } => self.fresh_at.is_some() || now < retry_at,
            _ => self.fresh_at.is_some(),
        };
        let second = (now + Duration::from_secs(1)).saturating_sub(self.second_offset(now)).as_secs();
        (is_counted && Health::of(self, now).ticks()).then_some(second)
    }

    /// Ages count from the last good answer, so their seconds turn with it.
    fn second_offset(&self, now: Moment) -> Duration {
        let origin = match &self.link {
            Link::Down { retry_at, .. } if self.fresh_at.is_none() => *retry_at,
            _ => self.fresh_at.unwrap_or(now),
        };
        Duration::from_nanos(u64::from(origin.subsec_nanos()))
    }
}
