//! The fuzzers' properties on every input of their corpus, with stable Rust.

#[path = "../../fuzz/properties.rs"]
mod properties;

use std::fs;
use std::path::Path;

/// Runs `property` on every file of this corpus, and says which file it was that broke it.
fn hold(corpus: &str, at_least: usize, property: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(corpus);
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(files.len() >= at_least, "{} files", files.len());
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let held = std::panic::catch_unwind(|| property(&bytes));
        assert!(held.is_ok(), "{} does not hold", file.display());
    }
}

#[test]
fn no_control_leaves_the_escape() {
    hold("escape", 60, properties::escape);
}

#[test]
fn cursors_come_back_or_are_refused() {
    hold("cursor", 40, properties::cursor);
}

#[test]
fn answers_of_terminals_are_no_keys() {
    hold("input", 40, properties::input);
}

#[test]
fn keys_are_read_as_they_are_rendered() {
    hold("template", 40, properties::template);
}
