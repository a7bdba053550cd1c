//! What the viewer has to go through for each fault, and the table of what came of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use super::stage::{Seen, Stage, header, put};
use crate::common::{Key, Pty, text, wait_until};

/// Faults that are played at the same time: they wait more than they work.
const AT_ONCE: usize = 4;
/// Page keys that are pressed while nothing comes.
const KEYS: usize = 30;
/// Looks at the screen from one `r` to the next.
const ASK_EVERY: u32 = 40;
/// The interval of the viewer.
const INTERVAL_MS: u128 = 100;
/// Reads of pages that may follow at once when it is over, whatever was pressed: the one that waited, the one of the new
/// connection, the one for the change, and what each of them makes known.
const READS_AFTER: usize = 9;

/// A fault: how it begins and ends, and what is said of it meanwhile.
pub(crate) struct Fault {
    pub(crate) name: &'static str,
    /// Settings of the server.
    pub(crate) settings: &'static [&'static str],
    /// Whether the viewer logs in as a user of its own.
    pub(crate) has_login: bool,
    pub(crate) begin: fn(&mut Stage),
    pub(crate) end: fn(&mut Stage),
    /// One of these stands in the header while it lasts; none: the fault has no length, or is got round.
    pub(crate) says: &'static [&'static str],
}

impl Fault {
    pub(crate) const fn new(
        name: &'static str,
        says: &'static [&'static str],
        begin: fn(&mut Stage),
        end: fn(&mut Stage),
    ) -> Self {
        Self { name, settings: &[], has_login: false, begin, end, says }
    }

    pub(crate) const fn of_user(self) -> Self {
        Self { has_login: true, ..self }
    }

    pub(crate) const fn on(self, settings: &'static [&'static str]) -> Self {
        Self { settings, ..self }
    }
}

/// Plays every fault in both modes and prints what came of each.
pub(crate) fn play(faults: &[Fault]) {
    let cases: Vec<(&Fault, &'static str)> =
        faults.iter().flat_map(|fault| ["poll", "push"].map(|mode| (fault, mode))).collect();
    let next = Mutex::new(cases.iter().enumerate());
    let lines = Mutex::new(vec![String::new(); cases.len()]);
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some((at, (fault, mode))) = next.lock().unwrap().next() else { return };
                    let played = catch_unwind(AssertUnwindSafe(|| endure(fault, mode)));
                    let line = played.unwrap_or_else(|_| {
                        failed.lock().unwrap().push(format!("{} ({mode})", fault.name));
                        "FAILED | | | ".to_owned()
                    });
                    lines.lock().unwrap()[at] = format!("| {} | {mode} | {line} |", fault.name);
                }
            });
        }
    });
    println!("| fault | watch | said meanwhile | right again after | reads after |\n|---|---|---|---|---|");
    println!("{}", lines.into_inner().unwrap().join("\n"));
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "failed: {}", failed.join(", "));
}

fn endure(fault: &Fault, mode: &'static str) -> String {
    let mut stage = Stage::new(mode, fault.has_login, fault.settings);
    let pty = stage.viewer().pty(160, 24);
    let leaver = stage.viewer().pty(160, 24);
    for one in [&pty, &leaver] {
        one.wait_for("the first page", |screen| Seen::of(screen).rows.len() == 17 && Seen::of(screen).is_live);
    }
    let before = pty.with_screen(Seen::of);
    (fault.begin)(&mut stage);
    let said = wait_said(&pty, fault.says);
    if !fault.says.is_empty() {
        let kept = pty.with_screen(Seen::of);
        assert!(!kept.is_live, "{}: {}", fault.name, pty.screen());
        assert_eq!(kept.rows, before.rows, "{}: the last good page stays", fault.name);
    }
    keys_live(&pty);
    leaver.key(Key::Char('q'));
    assert_eq!(leaver.wait_exit(), 0, "{}: q quits in the midst of it", fault.name);
    assert!(leaver.is_as_found());
    for _ in 0..KEYS {
        pty.key(Key::PageDown);
    }
    keys_live(&pty);

    (fault.end)(&mut stage);
    let (mark, over) = (stage.proxy.mark(), Instant::now());
    put(&stage.server, &[("p07", 1000.0), ("p08", 999.0)]);
    wait_until(&format!("{} ({mode}) to be over", fault.name), || {
        let is_right = stage.is_right(&pty);
        assert!(is_right || over.elapsed() < crate::common::DEADLINE / 2, "{}\n{}", fault.name, pty.screen());
        is_right
    });
    let (took, beats) = (format!("{:.1} s", over.elapsed().as_secs_f64()), over.elapsed().as_millis() / INTERVAL_MS);
    let reads = stage
        .proxy
        .since(mark)
        .iter()
        .filter(|name| ["EXEC", "EVAL_RO", "EVALSHA_RO"].contains(&name.as_str()))
        .count();
    // Scripts inside of transactions count twice. Where the version may not be read, each beat reads the page.
    assert!(
        reads <= 2 * (READS_AFTER + usize::try_from(beats).unwrap()),
        "{}: {reads} reads: {:?}",
        fault.name,
        stage.proxy.since(mark)
    );
    pty.key(Key::Char('q'));
    assert_eq!(pty.wait_exit(), 0);
    format!("{said} | {took} | {reads}")
}

/// Waits until the header says one of these, and returns the words. A viewer that is told of changes asks nothing until a
/// key does, and what was pressed before the fault had begun asked too early.
fn wait_said(pty: &Pty, says: &[&str]) -> String {
    if says.is_empty() {
        return "nothing".to_owned();
    }
    let has = |line: &str| says.iter().any(|words| line.contains(words));
    let mut asked = 0;
    wait_until(&format!("{says:?}"), || {
        if asked % ASK_EVERY == 0 {
            pty.key(Key::Char('r'));
        }
        asked += 1;
        has(&pty.with_screen(header))
    });
    let line = pty.with_screen(header);
    let words = line.split('●').nth(1).unwrap_or_default();
    let words = words.split("  ").find(|part| !part.trim().is_empty()).unwrap_or_default().trim();
    words.replace('|', "/")
}

/// Keys and sizes change the screen.
fn keys_live(pty: &Pty) {
    pty.key(Key::Char('?'));
    pty.wait_text("down one row; at the bottom, the next page");
    pty.resize(150, 22);
    pty.key(Key::Char('?'));
    pty.wait_for("help to be closed on the new size", |screen| {
        !text(screen).contains("row down;") && text(screen).lines().last().is_some_and(|line| line.ends_with("q quit"))
    });
    pty.resize(160, 24);
    pty.key(Key::Char('s'));
    // The header says it: the footer may have an answer to an earlier key by then.
    pty.wait_text("ranks 1 3 3 4");
    pty.send("ssss");
    pty.wait_text("ranks 1 2 2 4");
}
