//! Where a fault is played: a server with a board, the proxy before it, and the viewer before that.

use std::sync::Mutex;

use redis::Connection;
use serde_json::Value;
use vt100::Screen;

use crate::common::{FaultProxy, Program, Pty, RedisServer, boards, ranktop, text};

/// The board of every stage.
pub(crate) const BOARD: &str = "lb:{fault}:2026-W41";
/// How long an answer may take; the interval is a third of it.
const TIMEOUT: &str = "300ms";
const USER: &str = "reader:secret@";

/// A server with sixty rows on its board, each tied with another, and what is before it.
pub(crate) struct Stage {
    pub(crate) server: RedisServer,
    pub(crate) proxy: FaultProxy,
    /// A connection that stands, for what has to be undone where no new one can be made.
    pub(crate) admin: Mutex<Connection>,
    /// How the viewer logs in.
    login: &'static str,
    mode: &'static str,
}

impl Stage {
    /// A stage whose viewer looks at the board in this mode, and logs in as somebody of its own where it `has_login`.
    pub(crate) fn new(mode: &'static str, has_login: bool, settings: &[&str]) -> Self {
        let server = RedisServer::start_tcp_with(settings);
        let proxy = FaultProxy::before(&server);
        let admin = Mutex::new(server.client());
        let stage = Self { server, proxy, admin, login: if has_login { USER } else { "" }, mode };
        stage.set_up();
        stage
    }

    /// What a server that was started anew has lost.
    pub(crate) fn set_up(&self) {
        self.server.cmd(&["ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@all"]);
        let rows: Vec<(String, f64)> = (0..60).map(|row| (format!("p{row:02}"), f64::from(row / 2))).collect();
        let rows: Vec<(&str, f64)> = rows.iter().map(|(member, score)| (member.as_str(), *score)).collect();
        put(&self.server, &rows);
    }

    /// Runs commands over the connection that stands.
    pub(crate) fn say(&self, commands: &[&[&str]]) {
        let mut pipeline = redis::pipe();
        for words in commands {
            pipeline.cmd(words[0]).arg(&words[1..]);
        }
        pipeline.query::<()>(&mut self.admin.lock().unwrap()).unwrap();
    }

    /// The viewer.
    pub(crate) fn viewer(&self) -> Program {
        ranktop(&[BOARD, "--url", &self.proxy.url(self.login), "--watch", self.mode, "--interval", "100ms"]).args(&[
            "--timeout",
            TIMEOUT,
            "--connect-timeout",
            TIMEOUT,
        ])
    }

    /// True where the screen is live and shows what a fresh `ranktop page` prints of those positions.
    pub(crate) fn is_right(&self, pty: &Pty) -> bool {
        let seen = pty.with_screen(Seen::of);
        // While the footer tells something long, it has no room for the range.
        if !seen.is_live || seen.rows.is_empty() || seen.start == 0 {
            return false;
        }
        let fresh = self.fresh(seen.start, seen.rows.len());
        // Nobody else writes: what was right before the program ran is right after it.
        seen.version == fresh.version && seen.rows == fresh.rows && seen.total == fresh.total
    }

    /// What `ranktop page` prints.
    fn fresh(&self, start: u64, size: usize) -> Seen {
        let url = self.server.url();
        let (start_text, size) = (start.to_string(), size.to_string());
        let run =
            ranktop(&["page", BOARD, "--url", &url, "--at", &start_text, "--size", &size, "--format", "json"]).run();
        run.assert_clean();
        let page = run.json();
        let row = |row: &Value| format!("{} {} {}", row["rank"], row["member"].as_str().unwrap(), row["score"]);
        Seen {
            is_live: true,
            version: page["version"].as_str().map(str::to_owned),
            start,
            total: page["total"].as_u64().unwrap(),
            rows: page["rows"].as_array().unwrap().iter().map(row).collect(),
        }
    }
}

/// What a screen shows of a board.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) is_live: bool,
    pub(crate) version: Option<String>,
    pub(crate) start: u64,
    pub(crate) total: u64,
    /// Each `rank member score`.
    pub(crate) rows: Vec<String>,
}

impl Seen {
    pub(crate) fn of(screen: &Screen) -> Self {
        let text = text(screen);
        let head = header(screen);
        let words = |line: &str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
        let is_version = |word: &&str| word.strip_prefix('v').is_some_and(|rest| rest.parse::<u64>().is_ok());
        let row = |line: &str| {
            let words: Vec<String> = words(line).into_iter().filter(|word| !"┌│└┆".contains(word.as_str())).collect();
            let member = words.iter().position(|word| word.starts_with('p') && word[1..].parse::<u32>().is_ok())?;
            (member > 0).then(|| format!("{} {} {}", words[0], words[member], words[member + 1].replace(',', "")))
        };
        let number = |word: &str| word.parse().unwrap_or(0);
        let footer = words(text.lines().last().unwrap_or_default());
        let start = footer.first().and_then(|range| range.split('–').next()).map_or(0, number);
        Self {
            is_live: head.contains("● live"),
            version: head.split_whitespace().find(is_version).map(|word| word[1..].to_owned()),
            start,
            total: footer.get(2).map_or(0, |word| number(word)),
            rows: text.lines().skip(1).filter_map(row).collect(),
        }
    }
}

/// The first line of the screen.
pub(crate) fn header(screen: &Screen) -> String {
    text(screen).lines().next().unwrap_or_default().to_owned()
}

/// Sets scores and the version in one transaction, as every writer does.
pub(crate) fn put(server: &RedisServer, rows: &[(&str, f64)]) {
    boards::put(server, BOARD, rows);
}
