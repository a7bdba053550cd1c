//! Exports: all rows as 'page' has them, from one moment or said not to be, and no half of a file.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use ranktop::board::cursor::Cursor;
use serde_json::Value;

use super::{changes, fill, run};
use crate::common::{Program, RedisServer, ranktop, signal, wait_until};

/// So many rows that the program cannot have written them all before somebody reads them.
const MANY: u32 = 60_000;

/// So many rows that writing them takes long enough for a test to step in.
const PLENTY: u32 = 300_000;

fn close(server: &RedisServer, key: &str) {
    server.cmd(&["HSET", &format!("{key}:meta"), "state", "closed"]);
}

/// All rows as lines of JSON, page by page.
fn rows_by_page(server: &RedisServer, key: &str) -> Vec<Value> {
    let mut rows = Vec::new();
    let mut after: Option<String> = None;
    loop {
        let mut args = vec!["page", key, "--size", "1000", "--format", "json"];
        args.extend(after.iter().flat_map(|cursor| ["--after", cursor]));
        let mut page = run(server, &args).json();
        rows.append(page["rows"].as_array_mut().unwrap());
        match page["next"].as_str() {
            Some(next) => after = Some(next.to_owned()),
            None => return rows,
        }
    }
}

#[test]
fn rows_are_those_of_the_pages() {
    let server = RedisServer::start();
    // All scores equal, one tie group larger than a page, many small ones, infinities and zeros; exactly one page.
    for (key, rows, score) in [
        ("equal", 2_500, "7"),
        ("group", 2_500, "(i > 300 and i < 1700) and 5 or i"),
        ("small", 2_001, "math.floor(i / 3) - 300"),
        ("odd", 40, "({'inf', '-inf', 0, '-0', 0.1, '1e300'})[i % 6 + 1]"),
        ("page", 1_000, "i"),
    ] {
        fill(&server, key, rows, score);
        close(&server, key);
        server.cmd(&["ZADD", key, "7", "\u{1b}[2J=1+1", "7", "\u{43b}\u{451}"]);
        server.cmd(&[&b"ZADD"[..], key.as_bytes(), b"7", b"\xff\x00"]);
        server.cmd(&["HSET", &format!("{key}:names"), "m:000002", "Ada, \"Countess\"", "m:000003", "-1"]);
        let before = changes(&server);
        let exported = run(&server, &["export", key, "--format", "ndjson"]);
        exported.assert_code(0);
        let lines: Vec<Value> = exported.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines.len(), rows as usize + 3);
        assert_eq!(lines, rows_by_page(&server, key), "{key}");
        assert_eq!(changes(&server), before, "reading writes nothing");

        let csv = run(&server, &["export", key, "--rank-style", "modified", "--order", "asc"]);
        let page = run(
            &server,
            &["page", key, "--rank-style", "modified", "--order", "asc", "--size", "1000", "--format", "csv"],
        );
        assert!(csv.out().starts_with(page.out()), "{key}");
        let raw = run(&server, &["export", key, "--raw"]);
        assert!(raw.out().contains(r",\x1b[2J=1+1,") && csv.out().contains("\"Ada, \"\"Countess\"\"\""), "{key}");
        assert!(csv.out().contains(",'-1,") && raw.out().contains(",-1,"), "{key}");
    }
}

#[test]
fn the_last_line_says_what_was_written() {
    let server = RedisServer::start();
    fill(&server, "b", 2_500, "i % 9");
    let copy = run(&server, &["freeze", "b"]).out().trim().to_owned();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    fs::write(&file, "what was there before").unwrap();
    let args = ["export", &copy, "-o", file.to_str().unwrap()];
    let refused = run(&server, &args);
    refused.assert_code(2).assert_err_has("exists").assert_err_has("--force");
    assert_eq!(fs::read_to_string(&file).unwrap(), "what was there before");
    let exported = run(&server, &[&args[..], &["--force"]].concat());
    exported.assert_code(0).assert_out("");
    let piped = run(&server, &["export", &copy]);
    assert_eq!(fs::read(&file).unwrap(), piped.stdout);
    let summed = Program::new("sha256sum", &[file.to_str().unwrap()]).run();
    let digest = summed.out().split(' ').next().unwrap();
    let line = format!("2500 rows, version 41, sha256 {digest}\n");
    assert_eq!((exported.err(), piped.err()), (line.as_str(), line.as_str()));
    assert_eq!(files(folder.path()), ["rows.csv"]);
}

#[test]
fn a_live_board_is_refused_unless_asked_for() {
    let server = RedisServer::start();
    fill(&server, "b", 10, "i");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f");
    let refused = run(&server, &["export", "b", "-o", file.to_str().unwrap()]);
    refused.assert_code(4).assert_err_has("is not frozen").assert_err_has("--live");
    assert!(files(folder.path()).is_empty());
    run(&server, &["export", "b", "--live"]).assert_code(0).assert_err_has("10 rows, version 41");
    run(&server, &["export", "nobody"]).assert_code(3);
    // A key of a copy's shape that is written goes by what it is at.
    server.cmd(&["COPY", "b", "b:frozen:40"]);
    server.cmd(&["COPY", "b:version", "b:frozen:40:version"]);
    run(&server, &["export", "b:frozen:40"]).assert_code(4);
    run(&server, &["export", "b", "--format", "ndjson", "--raw"]).assert_code(2).assert_err_has("CSV only");
}

#[test]
fn it_goes_on_after_a_cursor() {
    let server = RedisServer::start();
    fill(&server, "b", 2_500, "i % 9");
    close(&server, "b");
    let page = run(&server, &["page", "b", "--size", "700", "--format", "json"]).json();
    let next = page["next"].as_str().unwrap();
    let whole = run(&server, &["export", "b"]);
    let rest = run(&server, &["export", "b", "--after", next]);
    rest.assert_code(0).assert_err_has("1800 rows, version 41");
    let expected: Vec<_> = whole.out().lines().skip(1 + 700).collect();
    assert_eq!(rest.out().lines().collect::<Vec<_>>(), expected);

    run(&server, &["export", "b", "--after", "x"]).assert_code(2);
    run(&server, &["export", "b", "--after", next, "--order", "asc"]).assert_code(2).assert_err_has("--order desc");
    server.cmd(&["INCR", "b:version"]);
    run(&server, &["export", "b", "--after", next]).assert_code(4).assert_err_has("from version 41 to version 42");
    let live = run(&server, &["export", "b", "--live", "--after", next]);
    live.assert_code(4).assert_err_has("1800 rows, version 41 to version 42").assert_err_has("changed once");
    assert_eq!(live.stdout, rest.stdout);
}

/// An export to a pipe that has begun, and waits for somebody to read on.
struct Begun {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Begun {
    fn start(server: &RedisServer, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ranktop"))
            .arg("export")
            .args(args)
            .env("RANKTOP_URL", server.url())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::with_capacity(1, child.stdout.take().unwrap());
        out.fill_buf().unwrap();
        Self { child, out }
    }

    /// Reads the rest: the rows, the exit code, what was said.
    fn finish(mut self) -> (String, Option<i32>, String) {
        let (mut rows, mut said) = (String::new(), String::new());
        BufReader::new(&mut self.out).read_to_string(&mut rows).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (rows, self.child.wait().unwrap().code(), said)
    }
}

/// Members with their lines: their rank, score and tie.
fn by_member(csv: &str) -> HashMap<&str, Vec<&str>> {
    let mut rows: HashMap<&str, Vec<&str>> = HashMap::new();
    for line in csv.lines().skip(1) {
        rows.entry(line.split(',').nth(2).unwrap()).or_default().push(line);
    }
    rows
}

#[test]
fn whoever_stays_is_written_once_while_others_come_move_and_go() {
    let server = RedisServer::start();
    fill(&server, "b", MANY, "math.floor(i / 4)");
    let begun = Begun::start(&server, &["b", "--live"]);
    // Newcomers above, members moved up and down, and every row a page may have ended with deleted.
    server.cmd(&[
        "EVAL",
        "for i = 1, 500 do redis.call('zadd', KEYS[1], 1e9 + i, 'new:' .. i) end
         local rows = redis.call('zrevrange', KEYS[1], 0, -1)
         for i = 1, #rows do
           if i % 100 <= 1 then redis.call('zrem', KEYS[1], rows[i])
           elseif i % 100 == 50 then redis.call('zincrby', KEYS[1], i % 200 == 50 and 1e6 or -1e6, rows[i]) end
         end
         redis.call('incr', KEYS[1] .. ':version')",
        "1",
        "b",
    ]);
    let (csv, code, said) = begun.finish();
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("version 41 to version 42, sha256") && said.contains("changed once"), "{said}");
    let written = by_member(&csv);
    let rows: Vec<(String, f64)> =
        redis::cmd("ZRANGE").arg("b").arg(0).arg(-1).arg("WITHSCORES").query(&mut server.client()).unwrap();
    let stayed = rows.iter().filter(|(member, score)| {
        let number: Option<f64> = member.strip_prefix("m:").map(|number| number.parse().unwrap());
        number.is_some_and(|number| (number / 4.0).floor().total_cmp(score).is_eq())
    });
    let mut count = 0;
    for (member, _) in stayed {
        assert_eq!(written[member.as_str()].len(), 1, "{member}");
        count += 1;
    }
    assert!(count > 50_000 && count < MANY, "{count}");
}

#[test]
fn a_closed_board_that_is_written_all_the_same_ends_its_export() {
    let server = RedisServer::start();
    fill(&server, "b", MANY, "i");
    close(&server, "b");
    let begun = Begun::start(&server, &["b"]);
    server.cmd(&["ZADD", "b", "1e9", "late"]);
    let (_, code, said) = begun.finish();
    assert_eq!(code, Some(4));
    assert!(said.contains("was changed while it was exported, though not its version"), "{said}");
    assert!(!said.contains("sha256"), "{said}");
}

#[test]
fn a_lost_server_leaves_whole_rows_and_the_way_to_go_on() {
    let mut server = RedisServer::start();
    fill(&server, "b", MANY, "i");
    close(&server, "b");
    let begun = Begun::start(&server, &["b"]);
    server.kill();
    let (csv, code, said) = begun.finish();
    assert_eq!(code, Some(1), "{said}");
    let last = csv.lines().last().unwrap();
    let written = csv.lines().count() - 1;
    assert!(csv.ends_with('\n') && written % 1_000 == 0 && written < MANY as usize);
    let hint = said.lines().last().unwrap();
    assert!(hint.starts_with(&format!("hint: {written} rows are written; go on with --after ")), "{said}");
    let cursor = Cursor::decode(hint.rsplit(' ').next().unwrap()).unwrap();
    assert!(last.starts_with(&format!("{written},{written},")), "{last}");
    assert_eq!(cursor.place.member.as_bytes(), last.split(',').nth(2).unwrap().as_bytes());
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// Starts an export to a file in `folder`, and returns once some of it is written.
fn writing(server: &RedisServer, folder: &Path) -> Child {
    let child = Command::new(env!("CARGO_BIN_EXE_ranktop"))
        .args(["export", "b", "--live", "-o", "rows.csv"])
        .env("RANKTOP_URL", server.url())
        .current_dir(folder)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("the first rows in the folder", || {
        fs::read_dir(folder).unwrap().any(|entry| entry.unwrap().metadata().is_ok_and(|file| file.len() > 0))
    });
    assert!(!folder.join("rows.csv").exists(), "a file is there only once it is whole");
    child
}

#[test]
fn an_export_that_is_interrupted_leaves_no_half_file() {
    let mut server = RedisServer::start();
    fill(&server, "b", PLENTY, "i");
    let folder = tempfile::tempdir().unwrap();
    let child = writing(&server, folder.path());
    assert!(signal(child.id(), "TERM"));
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(143));
    assert!(files(folder.path()).is_empty());

    let child = writing(&server, folder.path());
    server.kill();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot read board 'b'"));
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_terminal_sees_how_far_it_is_and_a_pipe_does_not() {
    let server = RedisServer::start();
    fill(&server, "b", PLENTY, "i");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    let args = ["export", "b", "--live", "-o", file.to_str().unwrap()];
    let pty = ranktop(&args).env("RANKTOP_URL", server.url()).pty(100, 5);
    pty.wait_text("of 300,000 rows");
    assert_eq!(pty.wait_exit(), 0);
    assert!(pty.screen().starts_with("300000 rows, version 41, sha256 "), "{}", pty.screen());
}

#[test]
fn closed_pipes_end_quietly_and_full_disks_do_not() {
    let server = RedisServer::start();
    fill(&server, "b", MANY, "i");
    let sh = |script: &str| {
        let script = script.replace("ranktop", env!("CARGO_BIN_EXE_ranktop"));
        Program::new("sh", &["-c", &script]).env("RANKTOP_URL", server.url()).run()
    };
    let head = sh("{ ranktop export b --live; echo $? >&2; } | head -1");
    head.assert_out("position,rank,member,name,score,tied\r\n");
    assert_eq!(head.err(), "0\n");
    for full in ["ranktop export b --live >/dev/full", "ranktop export b --live -o /dev/full"] {
        sh(full).assert_code(1).assert_err_has("No space left on device");
    }
    assert!(fs::metadata("/dev/full").is_ok_and(|device| !device.is_file()), "the device is still there");
}
