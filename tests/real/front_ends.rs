//! Front ends that refuse what can be done without, each in a way of its own, before a real server: what is read through
//! them is what the server has, and what is done without is said.

use std::time::Duration;

use ranktop::board::entry::Entry;
use ranktop::board::keys::Board;
use ranktop::board::meta::Ttl;
use ranktop::board::order::Order;
use ranktop::board::score::Score;
use ranktop::query::capabilities::{Capabilities, ScriptCommand};
use ranktop::query::page::{Page, PageReply, PageRequest, PageStart};
use ranktop::store::redis::connect::Target;

use crate::common::{FrontEnd, Handling, RedisServer, ranktop};

const BOARD: &str = "lb:{front}:now";
const LIMIT: Duration = Duration::from_secs(10);

fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test)
}

fn board() -> Board {
    let companion = |kind: &str| format!("{BOARD}:{kind}").as_str().into();
    Board { key: BOARD.into(), order: Order::Desc, version_key: companion("version"), meta_key: companion("meta") }
}

/// A board of 60 in ties of three, in version 7 and open.
fn filled() -> RedisServer {
    let server = RedisServer::start_tcp();
    let mut pipeline = redis::pipe();
    for number in 0..60 {
        pipeline.cmd("ZADD").arg(BOARD).arg(number / 3).arg(format!("m{number:02}"));
    }
    pipeline.cmd("SET").arg(format!("{BOARD}:version")).arg(7);
    pipeline.cmd("HSET").arg(format!("{BOARD}:meta")).arg("state").arg("open");
    pipeline.exec(&mut server.client()).unwrap();
    server
}

/// One question of each kind: a position, places where somebody stands and where nobody does, ties, a dense rank.
fn asks() -> Vec<PageRequest> {
    let entry = |member: &str, score: f64| Entry::new(member, Score::new(score).unwrap());
    let starts = [
        PageStart::Position(2),
        PageStart::Position(31),
        PageStart::Last,
        PageStart::After(entry("m40", 13.0)),
        PageStart::Before(entry("m13x", 4.0)),
        PageStart::NextTie(Score::new(9.0).unwrap()),
        PageStart::PreviousTie(Score::new(9.0).unwrap()),
    ];
    let mut asks: Vec<_> = starts.into_iter().map(|start| PageRequest::new(start, 5)).collect();
    asks.push(PageRequest { dense: true, ..PageRequest::new(PageStart::Position(20), 5) });
    asks
}

/// What is read at `url`, what is said to be missing, and whether changes are pushed.
async fn read(url: &str) -> (Vec<Page>, Capabilities, bool) {
    let connected = Target::new(url, LIMIT, LIMIT).unwrap().connect(Some(|| ())).await.unwrap();
    let mut source = connected.home;
    let mut pages = Vec::new();
    for ask in asks() {
        match source.read(&board(), &ask).await {
            Ok(PageReply::Page(page)) => pages.push(*page),
            other => panic!("{ask:?}: {other:?}"),
        }
    }
    (pages, source.access().unwrap(), connected.pushes)
}

/// Reads through a front end, as the server itself has it but for what is `lost`; returns what is done without.
#[track_caller]
fn holds(server: &RedisServer, front: &FrontEnd, lost: impl Fn(&mut Page)) -> (Capabilities, bool) {
    run(async {
        let (mut expected, ..) = read(&server.tcp_url()).await;
        let (pages, capabilities, pushes) = read(&front.url()).await;
        for (page, expected) in pages.iter().zip(&mut expected) {
            lost(expected);
            assert_eq!(page, expected);
        }
        (capabilities, pushes)
    })
}

fn nothing(_: &mut Page) {}

/// What `page` prints through a front end.
fn printed(front: &FrontEnd) -> String {
    let run = ranktop(&["page", BOARD, "--url", &front.url(), "--format", "json", "--size", "3"]).run();
    run.assert_clean();
    let page = run.json();
    assert_eq!(page["rows"][0]["member"], "m59", "{page}");
    assert_eq!(page["rows"][2]["tied"], 3, "{page}");
    let run = ranktop(&["boards", "--url", &front.url()]).run();
    run.assert_clean();
    assert!(run.out().contains(BOARD), "{}", run.out());
    page.to_string()
}

#[test]
fn refusals_in_any_words_are_done_without() {
    let server = filled();
    for said in [
        "unsupported command 'multi'",
        "ERR command eval_ro not support for your account",
        "ERR This command is disabled. See https://example.com/limits for the list.",
        "NOPERM no",
        "WHATEVER",
        "ERR",
    ] {
        let multi = FrontEnd::refusing(&server, &["MULTI"], said);
        let (capabilities, pushes) = holds(&server, &multi, nothing);
        let expected = Capabilities { transactions: false, ..Capabilities::FULL };
        assert_eq!(
            (capabilities, pushes),
            (Capabilities { scripts: capabilities.scripts, ..expected }, true),
            "{said}"
        );
        // Once per connection.
        assert_eq!(multi.count("MULTI"), 1, "{said}");
        printed(&multi);

        let scripts = FrontEnd::refusing(&server, &["EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO"], said);
        let (capabilities, _) = holds(&server, &scripts, nothing);
        assert_eq!(capabilities, Capabilities { scripts: None, ..Capabilities::FULL }, "{said}");
        printed(&scripts);

        let read_only = FrontEnd::refusing(&server, &["EVAL_RO", "EVALSHA_RO"], said);
        let (capabilities, _) = holds(&server, &read_only, nothing);
        assert_eq!(capabilities, Capabilities { scripts: Some(ScriptCommand::Eval), ..Capabilities::FULL }, "{said}");

        let both = FrontEnd::refusing(&server, &["MULTI", "EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO"], said);
        let (capabilities, _) = holds(&server, &both, nothing);
        assert_eq!(capabilities, Capabilities { scripts: None, transactions: false, ..Capabilities::FULL }, "{said}");
        printed(&both);
    }
}

#[test]
fn all_but_a_short_list_may_be_refused() {
    let server = filled();
    let few = |words: &[String], _: bool| match words[0].as_str() {
        "ZCARD" | "ZREVRANGE" => Handling::Pass,
        _ => Handling::refuse("unsupported command"),
    };
    let front = FrontEnd::before(&server, few);
    let (capabilities, pushes) = holds(&server, &front, |page| {
        page.window.verified = false;
        page.window.version = None;
        page.window.meta = ranktop::board::meta::Meta::default();
        page.window.ttl = Ttl::Unknown;
    });
    assert!(!pushes && !capabilities.has_ttl && !capabilities.has_lookups && !capabilities.has_version);
    assert!(capabilities.missing().iter().any(|said| said.contains("+pttl")));
    let run = ranktop(&["page", BOARD, "--url", &front.url(), "--format", "json"]).run();
    run.assert_code(0).assert_err_has("names of board");
    assert_eq!(run.json()["verified"], false);
}

#[test]
fn scripts_may_be_refused_in_transactions_alone() {
    let server = filled();
    let front = FrontEnd::before(&server, |words, is_inside| {
        if is_inside && words[0].starts_with("EVAL") {
            Handling::refuse("ERR scripts cannot be used in transactions, see the documentation")
        } else {
            Handling::Pass
        }
    });
    let (capabilities, _) = holds(&server, &front, nothing);
    let expected = Capabilities { scripts_in_transactions: false, ..Capabilities::FULL };
    assert_eq!(capabilities, Capabilities { scripts: capabilities.scripts, ..expected });
    assert!(capabilities.scripts.is_some());
    printed(&front);
}

#[test]
fn what_the_server_hangs_up_at_is_done_without() {
    let server = filled();
    for (name, expected) in [
        ("HELLO", Capabilities::FULL),
        ("CLIENT", Capabilities::FULL),
        ("MULTI", Capabilities { transactions: false, ..Capabilities::FULL }),
    ] {
        let front =
            FrontEnd::before(&server, move |words, _| if words[0] == name { Handling::Close } else { Handling::Pass });
        let (capabilities, pushes) = holds(&server, &front, nothing);
        assert_eq!(capabilities, Capabilities { scripts: capabilities.scripts, ..expected }, "{name}");
        assert_eq!(pushes, name == "MULTI", "{name}");
        printed(&front);
    }
    // At everything: then what it says, or does not say, is told, and TLS is advised only as long as it said nothing.
    let front = FrontEnd::before(&server, |_, _| Handling::Close);
    let run = ranktop(&["page", BOARD, "--url", &front.url()]).run();
    assert!(run.err().contains("rediss://"), "{}", run.err());
    let front =
        FrontEnd::before(&server, |words, _| if words[0] == "HELLO" { Handling::Pass } else { Handling::Close });
    let error = run_error(&front);
    assert!(!error.contains("rediss://") && error.contains("it closed the connection"), "{error}");
}

/// The error of a viewer's connection or first read.
fn run_error(front: &FrontEnd) -> String {
    run(async {
        let target = Target::new(&front.url(), LIMIT, LIMIT).unwrap();
        let mut source = match target.connect(Some(|| ())).await {
            Ok(connected) => connected.home,
            Err(error) => return error.to_string(),
        };
        source.read(&board(), &PageRequest::new(PageStart::Position(1), 5)).await.unwrap_err().to_string()
    })
}

#[test]
fn a_newer_protocol_that_is_granted_and_not_spoken_is_not_believed() {
    let server = filled();
    let front = FrontEnd::before(&server, |words, _| match words[0].as_str() {
        "HELLO" => Handling::InOlderProtocol,
        "CLIENT" => Handling::Reply("+OK\r\n".to_owned()),
        _ => Handling::Pass,
    });
    let (_, pushes) = holds(&server, &front, nothing);
    assert!(!pushes);
    assert_eq!(front.count("CLIENT"), 0);
}

#[test]
fn text_comes_in_whichever_kind() {
    let server = filled();
    let front = FrontEnd::before(&server, |words, _| match words[0].as_str() {
        "GET" => Handling::AsSimpleString,
        _ => Handling::Pass,
    });
    holds(&server, &front, nothing);
    let printed = printed(&front);
    assert!(printed.contains(r#""version":"7""#), "{printed}");
}

#[test]
fn an_error_that_ends_the_connection_is_told_in_the_servers_words() {
    let server = filled();
    for said in [
        "DENIED Redis is running in protected mode because protected mode is enabled and no password is set. 1) Do this. \
         2) Or that.",
        "ERR max number of clients reached",
        "nobody knows these words",
    ] {
        let front = FrontEnd::before(&server, move |_, _| Handling::ReplyAndClose(format!("-{said}\r\n")));
        for words in [&["page", BOARD][..], &["boards"]] {
            let run = ranktop(&[words, &["--url", &front.url()]].concat()).run();
            run.assert_err_has(said);
            assert!(!run.err().contains("rediss://"), "{words:?}: {}", run.err());
        }
        let error = run_error(&front);
        assert!(error.contains(said), "{error}");
        let pty = ranktop(&[BOARD, "--url", &front.url()]).pty(250, 24);
        pty.wait_text(said);
    }
}

#[test]
fn an_old_server_is_refused_before_anything_is_written() {
    let server = filled();
    for release in ["3.2.13", "4.0.14"] {
        let front = FrontEnd::before(&server, move |words, _| match words[0].as_str() {
            "INFO" => {
                let text = format!("# Server\r\nredis_version:{release}\r\n");
                Handling::Reply(format!("${}\r\n{text}\r\n", text.len()))
            }
            _ => Handling::Pass,
        });
        for words in
            [&["score", BOARD, "m00", "--by", "1"][..], &["close", BOARD], &["freeze", BOARD], &["simulate", "other"]]
        {
            let run = ranktop(&[words, &["--url", &front.url()]].concat()).run();
            let expected = format!("needs Redis 5.0 or later; this is {release}");
            assert!(run.err().lines().next().unwrap_or_default().contains(&expected), "{words:?}: {}", run.err());
        }
        assert!(front.seen().iter().all(|(_, name)| name != "EVAL"), "{:?}", front.seen());
    }
}

#[test]
fn freezing_says_what_it_needs() {
    let server = filled();
    let old = |words: &[String], _: bool| match words[0].as_str() {
        "INFO" => Handling::Reply("$22\r\nredis_version:6.0.16\r\n\r\n".to_owned()),
        _ => Handling::Pass,
    };
    let silent = |words: &[String], _: bool| match words[0].as_str() {
        "INFO" => Handling::refuse("ERR no"),
        "EVAL" => Handling::refuse(
            "ERR Error running script (call to f_5ca1ab1e): @user_script:31: @user_script: 31: Unknown Redis command \
             called from Lua script",
        ),
        _ => Handling::Pass,
    };
    for front in [FrontEnd::before(&server, old), FrontEnd::before(&server, silent)] {
        let run = ranktop(&["freeze", BOARD, "--url", &front.url()]).run();
        let line = run.err().lines().next().unwrap_or_default();
        assert!(line.contains("freeze needs Redis 6.2 or later") && !line.contains("script"), "{}", run.err());
    }
}
