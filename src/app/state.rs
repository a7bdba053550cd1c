//! Everything the viewer knows. It is changed by `update` alone and drawn by `view`; it holds no styles and no sockets.

use std::time::Duration;

use crate::app::clock::Clock;
use crate::app::countdown::Terms;
use crate::app::distribution::Overview;
use crate::app::event::{Link, Moment};
use crate::app::find::Find;
use crate::app::geometry::Geometry;
use crate::app::moves::Moves;
use crate::app::names::Names;
use crate::app::overlay::Overlay;
use crate::app::packing::Packing;
use crate::app::page::Shown;
use crate::app::periods::Periods;
use crate::app::picker::Picker;
use crate::app::polling::schedule::{BETWEEN_READS, Watch, WatchMode};
use crate::app::probing::Probing;
use crate::app::queue::{Intent, Reading};
use crate::app::rollover::Rollover;
use crate::app::session::Session;
use crate::app::settings::{LARGEST_PAGE, PageSize, Paging, Settings, Sharing};
use crate::app::trace::Trace;
use crate::board::keys::Key;
use crate::board::names::NamesLocation;
use crate::board::order::Order;
use crate::board::period::Zone;
use crate::board::rank::RankStyle;
use crate::board::templates::Templates;
use crate::query::capabilities::Capabilities;
use crate::query::error::StoreError;
use crate::query::page::DENSE_BOUND;
use crate::query::server::Role;

/// Everything the viewer knows.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own; no two exclude each other")]
pub struct State {
    /// The board that is open, and what is read of it.
    pub session: Session,
    /// Where boards are, and what goes with them.
    pub templates: Templates,
    /// The zone in which periods are cut.
    pub zone: Zone,
    /// The calendar's clock.
    pub clock: Clock,
    /// Neighbouring periods that are being looked for.
    pub periods: Periods,
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
    /// When the last good answer came.
    pub fresh_at: Option<Moment>,
    /// How long the last page read took.
    pub latency: Option<Duration>,
    /// What was sent of late.
    pub trace: Trace,
    /// A word in the footer, until the next key.
    pub notice: Option<String>,
    /// What is open above the table; the boards, as long as none is chosen.
    pub overlay: Option<Overlay>,
    /// The boards of this server.
    pub picker: Picker,
    /// What is looked for in ids and names.
    pub find: Find,
    /// How the scores of the whole board are spread, while that is open.
    pub distribution: Overview,
    /// The names that are known.
    pub names: Names,
    /// How the place can be handed on.
    pub sharing: Sharing,
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
        let order = settings.order.unwrap_or_default();
        let rollover = Rollover::of(settings.key.as_ref(), &settings.templates.board, &settings.zone);
        let packing = Packing::new(settings.scoring, settings.key.as_ref());
        let board = settings.key.map(|key| settings.templates.board(key, order));
        let moves = Moves::new(settings.move_since, settings.is_marking);
        let overlay = board.is_none().then_some(Overlay::Boards);
        Self {
            session: Session::new(board, rollover, settings.opening, settings.watch, moves, Reading::default()),
            periods: Periods::default(),
            shown_terms: Terms::default(),
            overlay,
            picker: Picker::new(settings.text),
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
            names: Names::of(packing.scoring.member().cloned()),
            packing,
            probing: Probing::new(settings.is_probing),
            page_size: settings.page_size,
            paging: settings.paging,
            geometry: Geometry::of(columns, lines),
            settling: None,
            link: Link::Connecting,
            access: None,
            reason: None,
            fresh_at: None,
            latency: None,
            trace: Trace::default(),
            notice: None,
            find: Find::default(),
            distribution: Overview::default(),
            sharing: settings.sharing,
            is_dirty: true,
            shown_second: None,
            has_quit: false,
        }
    }

    /// Opens the board `key` in the place of the one that is shown, from its top. How boards are watched stays.
    pub fn open(&mut self, key: Key) {
        let names = self.names_home();
        let member = self.packing.options.member(&key);
        if names != Some(self.templates.names(&key)) || self.packing.scoring.member() != member.as_ref() {
            self.names = Names::of(member);
        }
        self.periods.stop(None);
        self.packing.open(&key);
        self.find.stop();
        if !self.is_style_set {
            self.style = RankStyle::default();
        }
        let rollover = Rollover::of(Some(&key), &self.templates.board, &self.zone);
        let board = self.templates.board(key, self.order.unwrap_or_default());
        let watch = Watch::new(self.session.watch.mode, self.session.watch.interval);
        let watch = watch.with_spread(self.session.watch.spread);
        let reading = std::mem::take(&mut self.session.reading);
        let moves = self.session.moves.of_another();
        self.session = Session::new(Some(board), rollover, Intent::First, watch, moves, reading);
        (self.notice, self.overlay) = (None, None);
        self.is_dirty = true;
    }

    /// What the server or the user's rights do not allow, each as a sentence with what follows from it.
    pub fn missing(&self) -> Vec<&'static str> {
        let is_polled = matches!(self.link, Link::Up { pushes: false }) && self.session.watch.mode == WatchMode::Push;
        let polled = is_polled.then_some("the server does not push changes: the version is polled at every interval");
        let unnamed = self.names.is_refused().then_some("no permission to read the names: ids are shown instead");
        self.access.iter().flat_map(Capabilities::missing).chain(polled).chain(unnamed).collect()
    }

    /// The key of the board, once one is chosen.
    pub fn key(&self) -> Option<&Key> {
        self.session.board.as_ref().map(|board| &board.key)
    }

    /// Where the names of the members of the board are.
    pub fn names_home(&self) -> Option<NamesLocation> {
        let key = self.key()?;
        Some(self.probing.found(key).unwrap_or_else(|| self.templates.names(key)))
    }

    /// True where the banner's line says something.
    pub fn has_banner(&self) -> bool {
        self.session.banner.is_some()
            || self.session.rollover.offered().is_some()
            || !self.packing.suggestion.is_empty()
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
        let uncounted = self.wants_dense() && self.session.shown.as_ref()?.window.distinct_better.is_none();
        uncounted.then(|| format!("dense ranks stop after {DENSE_BOUND} distinct scores"))
    }

    /// The page to draw; `None` while there is none, or the first one waits for its names.
    pub fn drawn_page(&self) -> Option<&Shown> {
        self.session.shown.as_ref().filter(|_| self.session.draws_at.is_none())
    }

    /// True where the page on the screen is kept as it is: it is held, and there is something to hold.
    pub fn keeps_page(&self) -> bool {
        self.session.is_held && self.session.shown.as_ref().is_some_and(|shown| !shown.window.is_empty())
    }

    /// When the page is to be read for a change that was told, if one was. Where reads fail, the timetable decides.
    pub fn told_due(&self, now: Moment) -> Option<Moment> {
        let is_awaited = self.session.watch.is_told
            && self.session.shown.is_some()
            && !self.keeps_page()
            && self.session.trouble.is_none();
        is_awaited.then(|| self.session.watch.last_read.map_or(now, |last| last + self.session.watch.between_reads()))
    }

    /// True where the server tells of changes, and is listened to.
    pub fn is_told(&self) -> bool {
        matches!(self.link, Link::Up { pushes: true }) && self.session.watch.mode == WatchMode::Push
    }

    /// How often the board is read or looked at, where the server is too slow for what was set.
    pub fn slowed_to(&self) -> Option<Duration> {
        let wanted = if self.is_told() { BETWEEN_READS } else { self.session.watch.interval };
        let every = self.session.watch.pace.every(wanted);
        (every > wanted).then_some(every)
    }
}
