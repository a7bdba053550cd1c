//! No two files of a folder import each other, nor by way of others: each can be read after those that it builds on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::names::Names;
use super::{collect, module_of};

/// Folders of which this holds. The others have circles yet.
const FOLDERS: [&str; 2] = ["app", "query"];

type Module = Vec<String>;

#[test]
fn no_files_import_each_other() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for folder in FOLDERS {
        let mut files = Vec::new();
        collect(&src.join(folder), &mut files);
        assert!(!files.is_empty(), "'{folder}' was not read");
        let sources = files.iter().map(|file| {
            let name = file.strip_prefix(&src).unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(file).unwrap())
        });
        assert_eq!(circle(sources), [""; 0], "in '{folder}'");
    }
}

#[test]
fn circles_are_found_and_chains_are_not() {
    let of = |sources: &[(&str, &str)]| {
        circle(sources.iter().map(|(file, source)| ((*file).to_owned(), (*source).to_owned())))
    };
    let chain = [
        ("app/mod.rs", "pub mod a; pub mod b;"),
        ("app/a.rs", "use crate::app::b::B; use crate::board::x;"),
        ("app/b.rs", "#[cfg(test)] mod tests { use crate::app::a::A; }"),
        ("app/c/mod.rs", "pub mod d; use d::D;"),
        ("app/c/d.rs", "use crate::app::a::A;"),
    ];
    assert_eq!(of(&chain), [""; 0]);
    for (file, source) in [
        ("app/b.rs", "use super::a::A;"),
        ("app/b.rs", "fn f() { crate::app::c::d::g() }"),
        ("app/c/d.rs", "use super::D;"),
    ] {
        let with_a_circle = chain.map(|(name, text)| (name, if name == file { source } else { text }));
        assert_ne!(of(&with_a_circle), [""; 0], "{file}: {source}");
    }
}

/// The files that are in a circle, or lead into one; none where there is no circle.
fn circle(sources: impl Iterator<Item = (String, String)>) -> Vec<String> {
    let sources: Vec<(Module, String)> = sources.map(|(file, source)| (module_of(&file), source)).collect();
    let modules: BTreeSet<Module> = sources.iter().map(|(module, _)| module.clone()).collect();
    let file_of =
        |path: &[String]| (1..=path.len()).rev().map(|len| path[..len].to_vec()).find(|at| modules.contains(at));
    let is_tests = |module: &Module| module.iter().any(|part| part == "tests");
    let mut left: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, source) in sources.iter().filter(|(module, _)| !is_tests(module)) {
        let names = Names::of(module, source).unwrap();
        let outward = names.outward().filter(|path| path[0] == "crate").map(|path| path[1..].to_vec());
        let inward = names.inward().map(|path| module.iter().chain(path).cloned().collect());
        let used = outward.chain(inward).filter_map(|path: Module| file_of(&path)).filter(|used| used != module);
        left.insert(module.clone(), used.collect());
    }
    // What builds on nothing that is left is taken away, until only circles and what leads into them are left.
    loop {
        let ground: Vec<Module> = left
            .iter()
            .filter(|(_, used)| used.iter().all(|used| !left.contains_key(used)))
            .map(|(at, _)| at.clone())
            .collect();
        if ground.is_empty() {
            return left.keys().map(|module| module.join("::")).collect();
        }
        left.retain(|module, _| !ground.contains(module));
    }
}
