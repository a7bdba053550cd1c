//! The viewer over a link of 300 ms on which one piece in twenty is lost: what is pressed costs one round trip, what is on
//! its way is marked, and nothing is sent for nothing.

use std::time::Duration;

use super::harness::{footer, put_many, ranks, wait_selected};
use crate::common::{Key, Link, Proxy, Pty, RedisServer, RoundTrip, SlowLink, boards, ranktop};

const BOARD: &str = super::harness::BOARD;
const LINK: Link = Link { round_trip: Duration::from_millis(300), lost_of_100: 5, seed: 12 };

/// A viewer at the far end of the link from a board of 400, and what passes at the near end of the server.
struct Far {
    pty: Pty,
    proxy: Proxy,
    server: RedisServer,
}

impl Far {
    fn open(watch: &str) -> Self {
        let server = RedisServer::start_tcp();
        put_many(&server, 400);
        let proxy = Proxy::before(&server);
        let link = SlowLink::to(&proxy.address(), LINK);
        // Losses in a row may take longer than the default limit, and so may a busy machine.
        let args =
            ["--watch", watch, "--interval", "100ms", "--timeout", "15s", "--connect-timeout", "15s", "--no-probe"];
        let pty = ranktop(&[BOARD, "--url", &link.url()]).args(&args).pty(100, 24);
        wait_selected(&pty, "p1");
        let far = Self { pty, proxy, server };
        far.proxy.wait("names to be asked for", 0, |trips| {
            trips.iter().any(|trip| trip.commands.ends_with(&["HMGET".to_owned()]) && trip.is_over())
        });
        far
    }

    /// Presses keys until the row of `member` is the first; returns the page reads that it took.
    #[track_caller]
    fn pages(&self, keys: &[Key], member: &str) -> usize {
        let mark = self.proxy.mark();
        for key in keys {
            self.pty.key(*key);
        }
        self.pty.wait_for(member, |screen| ranks(screen).first().is_some_and(|row| row.ends_with(member)));
        self.proxy.since(mark).iter().filter(|trip| is_page(trip)).count()
    }
}

fn is_page(trip: &RoundTrip) -> bool {
    trip.commands.iter().any(|command| ["EVAL_RO", "EVALSHA_RO", "ZREVRANGE"].contains(&command.as_str()))
}

fn turns(watch: &str) -> Far {
    let far = Far::open(watch);
    let rows = far.pty.with_screen(ranks).len();
    for turn in 1..=6 {
        assert_eq!(far.pages(&[Key::PageDown], &format!(" p{}", 1 + turn * rows)), 1, "{watch}: one round trip a turn");
    }
    far.pty.wait_bytes("a mark for what is on its way", "reading …".as_bytes());
    // The first is under way when the others are pressed, and those are read as one.
    let reads = far.pages(&[Key::PageDown; 5], &format!(" p{}", 1 + 11 * rows));
    assert!(reads <= 2, "{watch}: {reads} reads");
    far.pty.wait_for("no mark", |screen| !footer(screen).contains("reading"));
    far
}

#[test]
fn a_turn_is_one_round_trip_where_changes_are_pushed() {
    let far = turns("push");
    // Who changes is seen, and the reader stays.
    let first = far.pty.with_screen(ranks)[0].clone();
    let member = first.split(' ').next_back().unwrap().to_owned();
    boards::put(&far.server, BOARD, &[("u:new", 1e6)]);
    let (rank, _) = first.split_once(' ').unwrap();
    let moved = format!("{} {member}", rank.parse::<u64>().unwrap() + 1);
    far.pty.wait_for(&moved, |screen| ranks(screen).first() == Some(&moved));
}

#[test]
fn nothing_is_sent_for_nothing_where_changes_are_polled() {
    let far = turns("poll");
    let is_look = |trip: &RoundTrip| trip.commands == ["GET"] && trip.is_over();
    // Whatever the turns have left to do is done.
    far.proxy.wait("a look", far.proxy.mark(), |trips| trips.iter().any(is_look));
    let (mark, written) = (far.proxy.mark(), far.pty.bytes_written_by_program());
    let trips = far.proxy.wait("looks", mark, |trips| trips.iter().filter(|trip| is_look(trip)).count() >= 4);
    assert!(trips.iter().all(|trip| trip.commands == ["GET"]), "{trips:#?}");
    assert_eq!(far.pty.bytes_written_by_program(), written, "{}", far.pty.screen());
    // It is asked no more often than that a quarter of the time is spent waiting.
    let apart = trips.last().unwrap().at - trips[0].at;
    assert!(apart >= Duration::from_millis(300 * 3) * u32::try_from(trips.len() - 1).unwrap(), "{apart:?}: {trips:#?}");
    // Leaving waits for nothing.
    far.pty.key(Key::PageDown);
    far.pty.key(Key::Char('q'));
    assert_eq!(far.pty.wait_exit(), 0);
}
