//! A link as over an ocean, between a program and whatever it is connected to: each piece comes late by half of the round
//! trip, and one in so many is lost and comes once it has been sent again, with all that was sent behind it. It knows no
//! protocol; what is lost follows from a seed.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

/// How a link is.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// There and back.
    pub round_trip: Duration,
    /// How many of a hundred pieces are lost.
    pub lost_of_100: u64,
    pub seed: u64,
}

/// A slow link on a free port of 127.0.0.1. Connections that stand outlive it.
pub struct SlowLink {
    address: SocketAddr,
}

impl SlowLink {
    /// A link to `host:port`.
    pub fn to(target: &str, link: Link) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, target) = (listener.local_addr().unwrap(), target.to_owned());
        thread::spawn(move || {
            for (number, client) in (0..).zip(listener.incoming()) {
                let (client, server) = (client.unwrap(), TcpStream::connect(&target).unwrap());
                let (client_again, server_again) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                carry(client, server, link, link.seed + 2 * number);
                carry(server_again, client_again, link, link.seed + 2 * number + 1);
            }
        });
        Self { address }
    }

    /// The near end, in the form that ranktop's `--url` takes.
    pub fn url(&self) -> String {
        format!("redis://{}", self.address)
    }
}

/// Carries what comes out of `from` to `to`.
fn carry(mut from: TcpStream, to: TcpStream, link: Link, seed: u64) {
    to.set_nodelay(true).unwrap();
    let (sent, arrivals) = mpsc::channel();
    thread::spawn(move || {
        let mut chance = Chance(seed);
        let mut buffer = vec![0; 1 << 16];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let due = Instant::now() + link.round_trip / 2 + chance.of_a_loss(link);
            if sent.send((due, buffer[..count].to_vec())).is_err() {
                break;
            }
        }
    });
    thread::spawn(move || deliver(&arrivals, to));
}

/// Hands pieces over in their order, none before its time.
fn deliver(arrivals: &Receiver<(Instant, Vec<u8>)>, mut to: TcpStream) {
    // Nobody sends on it: to wait for it is to wait for a moment.
    let (_open, never): (Sender<()>, _) = mpsc::channel();
    for (due, bytes) in arrivals {
        never.recv_timeout(due.saturating_duration_since(Instant::now())).unwrap_err();
        if to.write_all(&bytes).is_err() {
            break;
        }
    }
    to.shutdown(Shutdown::Both).ok();
}

/// `SplitMix64`.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// How much later a piece comes. TCP sends again after 200 ms at the least (RFC 6298, as Linux has it).
    fn of_a_loss(&mut self, link: Link) -> Duration {
        let (is_lost, more) = (self.next() % 100 < link.lost_of_100, self.next() % 400);
        if is_lost { Duration::from_millis(200 + more) } else { Duration::ZERO }
    }
}
