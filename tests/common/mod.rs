//! What the integration tests share: a real `redis-server` per test, the built program with and without a terminal, and
//! what a terminal would show. It knows nothing of how ranktop works inside.

#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "each test binary compiles this module anew and uses a part of it"
)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test harness reports by panicking")]

mod authority;
pub mod boards;
mod clock;
mod cluster;
mod fault_proxy;
mod front_end;
pub mod oracle;
mod peer;
mod program;
mod proxy;
mod pty;
mod screen;
mod sentinel;
mod server;
mod slow_link;

pub use authority::{Authority, Identity, Validity};
pub use clock::Clock;
pub use cluster::Cluster;
pub use fault_proxy::{Fault, FaultProxy, Place};
pub use front_end::{FrontEnd, Handling};
pub use peer::Peer;
pub use program::{Program, Run, ranktop};
pub use proxy::{Proxy, RoundTrip};
pub use pty::{Key, Pty};
pub use screen::{styled, text};
pub use sentinel::SentinelSet;
pub use server::RedisServer;
pub use slow_link::{Link, SlowLink};

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long any wait lasts before the test fails. Only a failing test ever waits this long.
pub const DEADLINE: Duration = Duration::from_secs(20);

/// The lines of README about Sentinel, Cluster and replicas that begin with `begin`.
pub fn readme_of_services(begin: &str) -> Vec<&'static str> {
    let readme = include_str!("../../README.md");
    let section = readme.split("\n## ").find(|section| section.starts_with("Sentinel, Cluster, replicas\n")).unwrap();
    section.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| line.starts_with(begin)).collect()
}

/// How often [`wait_until`] asks where nothing sends a signal.
const POLL: Duration = Duration::from_millis(5);

/// Waits for something that cannot announce itself (another process's state). Panics with `what` after [`DEADLINE`].
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !is_so() {
        assert!(Instant::now() < deadline, "waited {DEADLINE:?} in vain for {what}");
        thread::sleep(POLL);
    }
}

/// Sends the signal named `name` (`TERM`, `STOP`, …) to a process. False where there is no such process.
pub fn signal(pid: u32, name: &str) -> bool {
    kill(name, &pid.to_string())
}

/// Sends the signal to every process of the group that `leader` leads.
fn signal_group(leader: u32, name: &str) -> bool {
    kill(name, &format!("-{leader}"))
}

fn kill(name: &str, target: &str) -> bool {
    Command::new("kill")
        .args(["-s", name, "--", target])
        .stderr(Stdio::null())
        .status()
        .expect("cannot run 'kill': install the Debian package 'procps'")
        .success()
}

/// The state of a process as `ps` writes it (`S`, `R`, `T`, …), `None` where there is no such process.
pub fn process_state(pid: u32) -> Option<char> {
    let output = Command::new("ps")
        .args(["-o", "state=", "-p", &pid.to_string()])
        .output()
        .expect("cannot run 'ps': install the Debian package 'procps'");
    String::from_utf8_lossy(&output.stdout).trim().chars().next()
}
