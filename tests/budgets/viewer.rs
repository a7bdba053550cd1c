//! The viewer that is measured, and the boards it looks at. What is a budget is not its concern.

use std::time::Instant;

use redis::Value;

use crate::common::{Proxy, Pty, RedisServer, RoundTrip, ranktop};

/// The board that every test looks at.
pub(crate) const BOARD: &str = "lb:{budget}:now";
/// The rows of a page in a terminal of [`SIZE`].
pub(crate) const ROWS: usize = 33;
/// Columns and lines.
const SIZE: (u16, u16) = (120, 40);

/// A server with a board of `members`, the highest score first: member 1 has `from`, and each `run` members that
/// follow each other share a score. Members and scores are of one length each.
pub(crate) fn board(members: u64, from: u64, run: u64) -> RedisServer {
    let server = RedisServer::start_tcp();
    let (key, version) = (BOARD, format!("{BOARD}:version"));
    let fill = "for i = 1, ARGV[1] do \
        redis.call('zadd', KEYS[1], ARGV[2] - 10 * math.floor((i - 1) / ARGV[3]), string.format('player:%07d', i)) end";
    let numbers = [members, from, run].map(|number| number.to_string());
    server.cmd(&["EVAL", fill, "1", key, &numbers[0], &numbers[1], &numbers[2]]);
    server.cmd(&["SET", &version, "1000"]);
    server
}

/// Gives one member a score, and the board a new version.
pub(crate) fn score(server: &RedisServer, number: u64, score: u64) {
    let mut write = redis::pipe();
    write.atomic().cmd("ZADD").arg(BOARD).arg(score).arg(member(number));
    write.cmd("INCR").arg(format!("{BOARD}:version"));
    write.query::<Value>(&mut server.client()).unwrap();
}

pub(crate) fn member(number: u64) -> String {
    format!("player:{number:07}")
}

/// A viewer whose first page is there and whose names have been asked for.
pub(crate) struct Viewer {
    pub(crate) proxy: Proxy,
    pub(crate) pty: Pty,
    opened: Instant,
}

impl Viewer {
    /// Opens a viewer on the board of `server`, which looks every 100 ms in the mode `watch`.
    pub(crate) fn open(server: &RedisServer, watch: &str) -> Self {
        Self::open_at(server, watch, "100ms")
    }

    /// The same with another interval.
    pub(crate) fn open_at(server: &RedisServer, watch: &str, interval: &str) -> Self {
        let proxy = Proxy::before(server);
        let url = proxy.url();
        let opened = Instant::now();
        let pty = ranktop(&[BOARD, "--url", &url, "--interval", interval, "--watch", watch, "--no-probe"])
            .pty(SIZE.0, SIZE.1);
        pty.wait_text(&format!("1–{ROWS} of "));
        // The table comes together with the names.
        pty.wait_text("player:");
        proxy.wait("names to be asked for", 0, |trips| trips.iter().any(|trip| is_names(trip) && trip.is_over()));
        Self { proxy, pty, opened }
    }

    /// Waits until the board has been looked at so often since `mark`, and returns all that was asked.
    #[track_caller]
    pub(crate) fn looks(&self, mark: usize, count: usize) -> Vec<RoundTrip> {
        self.proxy.wait("the next looks at the board", mark, |trips| polls(trips).count() >= count)
    }

    /// Does `act` and waits until the screen shows `text`; returns the one page read that it took, and how many bytes
    /// the terminal got.
    #[track_caller]
    pub(crate) fn page_read(&self, text: &str, act: impl FnOnce()) -> (RoundTrip, u64) {
        let (mark, written) = (self.proxy.mark(), self.pty.bytes_written_by_program());
        act();
        self.pty.wait_text(text);
        // What is shown may have been followed by more.
        let trips = self.looks(self.proxy.mark(), 2);
        assert!(trips.iter().all(is_poll), "nothing follows a page: {trips:#?}");
        let trips = self.proxy.since(mark);
        let mut pages = trips.iter().filter(|trip| !is_poll(trip) && !is_names(trip));
        let page = pages.next().unwrap_or_else(|| panic!("a page is read: {trips:#?}")).clone();
        assert_eq!(pages.count(), 0, "one round trip is enough: {trips:#?}");
        self.assert_few_names();
        (page, self.pty.bytes_written_by_program() - written)
    }

    /// A board without names is asked for them once in ten seconds, however many of its members come into view.
    #[track_caller]
    fn assert_few_names(&self) {
        let asked = self.proxy.since(0).iter().filter(|trip| is_names(trip)).count();
        assert!(asked as u64 <= 1 + self.opened.elapsed().as_secs() / 10, "names were asked for {asked} times");
    }
}

/// A look at the version and nothing else.
pub(crate) fn is_poll(trip: &RoundTrip) -> bool {
    trip.commands == ["GET"]
}

/// A page, in a transaction or by a script.
pub(crate) fn is_page(trip: &RoundTrip) -> bool {
    trip.commands.iter().any(|command| ["EVAL_RO", "EVALSHA_RO", "ZREVRANGE"].contains(&command.as_str()))
}

pub(crate) fn is_names(trip: &RoundTrip) -> bool {
    trip.commands == ["EXISTS", "HMGET"]
}

pub(crate) fn polls(trips: &[RoundTrip]) -> impl Iterator<Item = &RoundTrip> {
    trips.iter().filter(|trip| is_poll(trip) && trip.is_over())
}
