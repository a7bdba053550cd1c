//! Who may import whom, held to the table in the crate's documentation. It reads tokens, so comments and texts do not
//! count, and groups, renames, `self` and `super` are seen through. Test modules are excused: a test may stand anywhere.

mod circles;
mod names;

use std::fs;
use std::path::{Path, PathBuf};

use names::Names;

/// The table: a layer, and what of the crate it may name besides itself. Modules that are not listed may name all.
const MAY_IMPORT: [(&str, &[&[&str]]); 11] = [
    ("text", &[]),
    ("board", &[]),
    ("query", &[&["board"]]),
    ("exit", &[&["text"]]),
    ("simulation", &[&["board"]]),
    ("cli", &[&["board"], &["config"], &["exit"], &["simulation"], &["text"]]),
    ("app", &[&["board"], &["query"]]),
    ("store", &[&["board"], &["query"], &["text"]]),
    ("view", &[&["board"], &["query"], &["text"], &["app"]]),
    ("term", &[&["app", "event"], &["app", "keymap"]]),
    ("config", &[&["board"], &["app", "keymap"]]),
];

/// What `view` may not name though it may name `app`: it reads the state and never changes it.
const READ_ONLY: [(&str, &[&str]); 1] = [("view", &["app", "update"])];

/// Crates that one folder alone may name.
const OWNERS: [(&[&str], &[&str]); 3] =
    [(&["redis"], &["store", "redis"]), (&["crossterm"], &["term"]), (&["ratatui", "crossterm"], &["term"])];

/// What a layer may not name anywhere in a path: whole crates first, then the clock.
const BANNED: [(&str, &[&[&str]]); 3] = [
    ("board", &[&["tokio"], &["redis"], &["ratatui"], &["crossterm"], &["Instant"], &["SystemTime"]]),
    ("app", &[&["tokio"], &["ratatui"], &["Instant", "now"], &["SystemTime", "now"]]),
    ("store", &[&["ratatui"]]),
];

#[test]
fn every_arrow_is_in_the_table() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    collect(&src, &mut files);
    for known in ["lib.rs", "main.rs", "board/mod.rs"] {
        assert!(files.contains(&src.join(known)), "'{known}' was not read");
    }
    let findings: Vec<_> = files
        .iter()
        .flat_map(|file| {
            let name = file.strip_prefix(&src).unwrap().to_str().unwrap();
            check(name, &fs::read_to_string(file).unwrap())
        })
        .collect();
    assert!(findings.is_empty(), "\n{}", findings.join("\n"));
}

#[test]
fn forbidden_arrows_are_found() {
    for (file, line) in [
        ("board/rank.rs", "use crate::store::Store;"),
        ("board/rank.rs", "use crate::{board::tie, app::State};"),
        ("board/mod.rs", "use super::app;"),
        ("board/mod.rs", "mod inner { use super::super::app::State; }"),
        ("board/rank.rs", "use std::time::{Duration, Instant};"),
        ("board/rank.rs", "fn now() -> u8 { std::time::SystemTime::now() }"),
        ("board/rank.rs", "async fn f() { tokio::time::sleep(d).await }"),
        ("board/rank.rs", "use ::redis as r;"),
        ("app/update.rs", "fn f() { crate::view::draw() }"),
        ("app/update.rs", "fn f() { g!(x, crate::config::Settings) }"),
        ("app/update.rs", "use std::time::Instant; fn f() { Instant::now(); }"),
        ("app/update.rs", "use ratatui::text::Line;"),
        ("app.rs", "use tokio;"),
        ("store/embedded.rs", "use redis::Value;"),
        ("store/embedded.rs", "use crate::app::Event;"),
        ("store/redisish.rs", "use redis::Value;"),
        ("commands/page.rs", "extern crate redis;"),
        ("run.rs", "use ratatui::crossterm::event;"),
        ("run.rs", "use ratatui::{crossterm as c, Frame};"),
        ("view/table.rs", "use crossterm::style::Color;"),
        ("view/table.rs", "use crate::app::update;"),
        ("view/table.rs", "type A = <B as crate::term::C>::D;"),
        ("term/input.rs", "use crate::app::State;"),
        ("term/input.rs", "use crate::app::{event::Event, State};"),
        ("term/input.rs", "use crate::app;"),
        ("term/input.rs", "use crate::board::Window;"),
        ("config/mod.rs", "pub(crate) use crate::app::event::Event;"),
        ("config/mod.rs", "use crate::*;"),
        ("config/mod.rs", "use crate::r#store;"),
        ("view/mod.rs", "#[cfg(test)] mod tests { use super::*; } use crate::store;"),
        ("view/mod.rs", "#[cfg(test)] use a::b; use crate::store;"),
    ] {
        let findings = check(file, line);
        assert_eq!(findings.len(), 1, "{file}: {line}\n{findings:?}");
    }
}

#[test]
fn permitted_arrows_are_not_found() {
    for (file, line) in [
        ("board/rank.rs", "use crate::board::tie; use super::order; use self::inner::X;"),
        ("board/rank.rs", "// use crate::store;\n/* tokio::x */ /// crate::app::X\nfn f() {}"),
        ("board/rank.rs", "fn f(redis: u8) -> &str { \"crate::store::X redis::Y\" }"),
        ("board/rank.rs", "#[cfg(test)] mod tests { use crate::store::X; use tokio::test; }"),
        ("board/tests.rs", "use crate::store::X;"),
        ("board/mod.rs", "pub(crate) mod x; pub(super) fn f() {} pub(in crate::board) fn g() {}"),
        ("app/update.rs", "use std::time::Instant; use crate::board::Window;"),
        ("store/mod.rs", "pub mod redis; pub use redis::Link; fn f() { redis::connect() }"),
        ("store/redis/link.rs", "use redis::Value; use crate::board::Window; use super::error;"),
        ("store/redis.rs", "use redis::Value;"),
        ("view/table.rs", "use crate::{app::State, board::{self, Rank}}; use ratatui::Frame;"),
        ("term/input.rs", "use crate::app::event::{Event, Key}; use crossterm::event as ct;"),
        ("config/mod.rs", "use crate::app::keymap::Keymap; use crate::board;"),
        ("run.rs", "use crate::{app, board, store, view, term, config, commands};"),
        ("main.rs", "fn main() { ranktop::run::start() }"),
    ] {
        assert_eq!(check(file, line), [""; 0], "{file}: {line}");
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The forbidden paths of one file, which is named by its place under `src`.
fn check(file: &str, source: &str) -> Vec<String> {
    let home = module_of(file);
    if home.iter().any(|module| module == "tests") {
        return Vec::new();
    }
    let names = Names::of(&home, source).unwrap_or_else(|error| panic!("{file}: {error}"));
    names
        .outward()
        .filter_map(|path| {
            let why = objection(&home, path)?;
            Some(format!("src/{file}: '{}': {why}", path.join("::")))
        })
        .collect()
}

/// `store/redis/link.rs` is `[store, redis, link]`; `lib.rs`, `main.rs` and `mod.rs` add nothing.
fn module_of(file: &str) -> Vec<String> {
    let mut parts: Vec<_> = file.trim_end_matches(".rs").split('/').collect();
    if matches!(parts.last(), Some(&("mod" | "lib" | "main"))) {
        parts.pop();
    }
    parts.into_iter().map(str::to_owned).collect()
}

fn objection(home: &[String], path: &[String]) -> Option<String> {
    let starts = |path: &[String], with: &[&str]| {
        path.len() >= with.len() && path.iter().zip(with).all(|(have, want)| have == want)
    };
    let layer = home.first().map_or("", String::as_str);
    let banned = BANNED.iter().filter(|(name, _)| *name == layer);
    for banned in banned.flat_map(|(_, banned)| *banned) {
        if path.windows(banned.len()).any(|part| part == *banned) {
            return Some(format!("'{layer}' may not know '{}'", banned.join("::")));
        }
    }
    for (owned, owner) in OWNERS {
        if starts(path, owned) && !starts(home, owner) {
            return Some(format!("only '{}' may name it", owner.join("::")));
        }
    }
    let (root, target) = path.split_first()?;
    if root != "crate" || target.is_empty() || starts(target, &[layer]) {
        return None;
    }
    let (_, allowed) = MAY_IMPORT.iter().find(|(name, _)| *name == layer)?;
    let is_read_only = READ_ONLY.iter().any(|(name, part)| *name == layer && starts(target, part));
    let is_allowed = allowed.iter().any(|allowed| starts(target, allowed));
    (is_read_only || !is_allowed).then(|| format!("'{layer}' may not import it"))
}
