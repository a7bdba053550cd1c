//! The command line as people type it.

use std::ffi::OsString;
use std::time::Duration;

use super::read::command;
use super::*;
use crate::board::entry::Member;
use crate::board::order::Order;
use crate::board::rank::RankStyle;
use crate::board::template::DEFAULT_NAMES;
use crate::commands::output::{Format, ListFormat, RowsFormat};
use crate::commands::page::{PageOptions, Start};
use crate::commands::reader::ReadOptions;
use crate::commands::setup::CHECKS;
use crate::exit::Exit;
use crate::exit::Failure;
use crate::simulation::Settings;
use crate::store::redis::write::score::Step;
use std::os::unix::ffi::OsStringExt;

fn read(line: &str) -> Cli {
    match Cli::read(line.split(' '), &CHECKS) {
        Ok(cli) => cli,
        Err(stop) => panic!("{line}: {stop:?}"),
    }
}

fn wrong(line: &str) -> Failure {
    match Cli::read(line.split(' '), &CHECKS) {
        Err(Stop::Wrong(failure)) => failure,
        other => panic!("{line}: {other:?}"),
    }
}

fn wishes(ranking: Ranking) -> ReadOptions {
    ReadOptions {
        address: "h:1".into(),
        order: ranking.order(),
        rank_style: ranking.rank_style,
        scoring: crate::board::packed::scoring::ScoringOptions::default(),
        is_probing: false,
    }
}

fn page_args(line: &str) -> PageArgs {
    let Some(Command::Page(arguments)) = read(line).command else { panic!("{line}") };
    arguments
}

fn page(line: &str) -> PageOptions {
    let arguments = page_args(line);
    let ranking = arguments.reading.ranking;
    arguments.request(wishes(ranking), false)
}

#[test]
fn clap_finds_no_fault() {
    command(&[]).debug_assert();
}

#[test]
fn no_two_commands_are_described_alike() {
    let root = command(&[]);
    let about = |command: &clap::Command| command.get_about().map(ToString::to_string);
    let described: Vec<_> = [&root].into_iter().chain(root.get_subcommands()).map(about).collect();
    let distinct: std::collections::BTreeSet<_> = described.iter().flatten().collect();
    assert_eq!(distinct.len(), described.len(), "{described:?}");
}

#[test]
fn everything_has_help() {
    fn check(command: &clap::Command) {
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.len() >= 10, "'{}' of '{}' has no help", argument.get_id(), command.get_name());
            assert!(!help.ends_with('.'), "{help}");
        }
        for subcommand in command.get_subcommands() {
            assert!(subcommand.get_about().is_some(), "'{}' has no help", subcommand.get_name());
            check(subcommand);
        }
    }
    let command = command(&[]);
    assert!(command.get_subcommands().count() >= 2);
    check(&command);
    let Err(Stop::Help(help)) = Cli::read(["ranktop", "page", "--help"], &CHECKS) else { panic!() };
    let text = help.to_string();
    for shown in ["--around <MEMBER>", "[default: 20]", "[default: 2s]", "--expect-version"] {
        assert!(text.contains(shown), "{shown}\n{text}");
    }
    assert!(!text.contains("--interval"), "options of watching are not the page's");
    let Err(Stop::Help(help)) = Cli::read(["ranktop", "demo", "-h"], &CHECKS) else { panic!() };
    let text = help.to_string();
    assert!(text.contains("--seed") && text.contains("--tz") && text.contains("--theme"), "{text}");
    for useless in ["--url", "--user", "--ask-password", "--timeout", "--names-key", "--name-of"] {
        assert!(!text.contains(useless), "{useless}\n{text}");
    }
}

#[test]
fn watching_is_what_is_done_without_a_command() {
    let cli = read("ranktop lb:{spring} --interval 2s --page-size 40 --watch poll --find -7 --ascii --theme x");
    assert_eq!(cli.watch.board, Some("lb:{spring}".into()));
    assert!(cli.command.is_none());
    let WatchArgs { watching, opening, .. } = cli.watch;
    assert_eq!(watching.interval, Duration::from_secs(2));
    assert_eq!(watching.page_size, PageSize::Rows(40));
    assert_eq!(watching.watch, WatchMode::Poll);
    assert_eq!(opening.find, Some("-7".into()));
    assert!(!watching.no_mouse && read("ranktop x --no-mouse").watch.watching.no_mouse);
    assert!(read("ranktop").watch.board.is_none());
    assert_eq!(read("ranktop").watch.watching.interval, Duration::from_millis(500));
}

#[test]
fn a_board_named_like_a_command_is_watched_after_dashes() {
    for name in ["page", "demo", "help", "--weird"] {
        for line in [format!("ranktop -- {name}"), format!("ranktop --at 3 -- {name}")] {
            let cli = read(&line);
            assert!(cli.command.is_none(), "{line}");
            assert_eq!(cli.watch.board, Some(name.into()), "{line}");
        }
    }
    assert_eq!(read("ranktop demos").watch.board, Some("demos".into()));
    let Some(Command::Page(page)) = read("ranktop page -- page").command else { panic!() };
    assert_eq!(page.board, Some("page".into()));
}

#[test]
fn boards_and_members_are_bytes() {
    let raw = OsString::from_vec(b"\xff\xfe".to_vec());
    let arguments: [OsString; 5] = ["ranktop".into(), "page".into(), raw.clone(), "--around".into(), raw.clone()];
    let Ok(Cli { command: Some(Command::Page(page)), .. }) = Cli::read(arguments, &CHECKS) else { panic!() };
    assert_eq!(page.board, Some(raw));
    let ranking = page.reading.ranking;
    let request = page.request(wishes(ranking), false);
    assert_eq!(request.start, Start::Around(Member::from(b"\xff\xfe".as_slice())));
}

#[test]
fn how_to_reach_and_read_a_board_stands_after_the_command() {
    let page = page_args("ranktop page b --url redis://a --order asc --rank-style dense");
    assert_eq!(page.connection.connection.url, ["redis://a"]);
    let Reading { ranking, naming, .. } = &page.reading;
    assert_eq!((ranking.order(), ranking.rank_style), (Some(Order::Asc), Some(RankStyle::Dense)));
    assert_eq!(page.connection.connection.connect_timeout, Duration::from_secs(2));
    assert_eq!(naming.names.names_key.to_string(), DEFAULT_NAMES);
    assert!(naming.is_probing());
    let page = page_args("ranktop page b --timeout 3s --name-of hash:user:<member>:name");
    assert_eq!(page.connection.connection.timeout, Duration::from_secs(3));
    assert!(page.reading.naming.names.name_of.is_some() && !page.reading.naming.is_probing());
    assert!(!page_args("ranktop page b --names-key n").reading.naming.is_probing());
    assert!(!page_args("ranktop page b --no-probe").reading.naming.is_probing());
    let ReadConnection { connection: many, read_from } =
        page_args("ranktop page b -u redis://a -u redis://b,x --sentinel s --read-from replica").connection;
    assert_eq!(
        (many.url, many.sentinel.as_deref(), many.cluster),
        (vec!["redis://a".into(), "redis://b,x".into()], Some("s"), false)
    );
    assert_eq!((read_from, read("ranktop b").watch.connection.read_from), (ReadFrom::Replica, ReadFrom::Primary));
}

/// What holds of the clap command line as a whole.
#[test]
fn no_option_is_global() {
    fn check(command: &clap::Command) {
        for argument in command.get_arguments() {
            assert!(!argument.is_global_set(), "'{}' of '{}'", argument.get_id(), command.get_name());
        }
        command.get_subcommands().for_each(check);
    }
    check(&command(&[]));
}

/// The options of each command, in groups: nothing that it would not use.
#[test]
fn each_command_has_the_options_that_it_uses() {
    let root = command(&[]);
    let has = |name: &str, option: &str| {
        let command = root.find_subcommand(name).unwrap();
        command.get_arguments().any(|arg| arg.get_long() == Some(option))
    };
    let all = ["page", "rank", "ties", "boards", "export", "score", "close", "freeze", "audit", "simulate", "demo"];
    for (option, users) in [
        ("url", &["page", "rank", "ties", "boards", "export", "score", "close", "freeze", "audit", "simulate"][..]),
        ("read-from", &["page", "rank", "ties", "boards", "export", "audit"]),
        ("order", &["page", "rank", "ties", "export", "score", "audit", "demo"]),
        ("rank-style", &["page", "rank", "ties", "export", "demo"]),
        ("rank-parts", &["page", "rank", "ties", "export", "audit"]),
        ("member", &["page", "rank", "export"]),
        ("names-key", &["page", "rank", "export", "simulate"]),
        ("no-probe", &["page", "rank", "export"]),
        ("version-key", &["page", "rank", "ties", "boards", "export", "score", "close", "freeze", "audit", "simulate"]),
        ("game", &["page", "rank", "ties", "export", "score", "close", "freeze", "audit", "simulate"]),
        ("shards", &["page", "rank", "ties", "export", "score", "close", "freeze", "audit", "simulate"]),
        ("tz", &["page", "rank", "ties", "export", "score", "close", "freeze", "audit", "simulate", "demo"]),
        ("color", &["page", "rank", "ties", "boards", "demo"]),
        ("interval", &["demo"]),
        ("log-file", &all),
    ] {
        for name in all {
            assert_eq!(has(name, option), users.contains(&name), "{name} --{option}");
        }
        assert!(!has("completions", option), "--{option}");
    }
}

#[test]
fn pages() {
    let request = page("ranktop page b");
    assert_eq!((request.start, request.size, request.expect_version), (Start::At(1), 20, None));
    assert_eq!(request.format, Format::Table { color: false });
    assert_eq!(page("ranktop page b --at 7 --size 1000").start, Start::At(7));
    assert_eq!(page("ranktop page b --after eyJ9").start, Start::After("eyJ9".into()));
    assert_eq!(page("ranktop page b --before eyJ9").start, Start::Before("eyJ9".into()));
    assert_eq!(page("ranktop page b --around --raw").start, Start::Around("--raw".into()));
    assert_eq!(page("ranktop page b --expect-version 41").expect_version, Some("41".into()));
    assert_eq!(page("ranktop page b --format json").format, Format::Json);
    assert_eq!(page("ranktop page b --format csv --raw").format, Format::Csv { raw: true });
}

#[test]
fn members_are_any_bytes() {
    let line = ["rank", "b", "", "u:1", "--around", "3", "--format", "json", "--", "-7", "--at"];
    let arguments: Vec<OsString> =
        ["ranktop"].into_iter().chain(line).map(OsString::from).chain([OsString::from_vec(b"\xff".into())]).collect();
    let Ok(Cli { command: Some(Command::Rank(rank)), .. }) = Cli::read(arguments, &CHECKS) else { panic!() };
    let ranking = rank.reading.ranking;
    let request = rank.request(wishes(ranking), false);
    let members: [&[u8]; 5] = [b"", b"u:1", b"-7", b"--at", b"\xff"];
    assert_eq!(request.members, members.map(Member::from));
    assert_eq!((request.around, request.format), (Some(3), ListFormat::Json));
}

#[test]
fn a_game_stands_in_the_place_of_a_board() {
    let which = |line: &str| match read(line) {
        Cli { command: Some(Command::Page(page)), .. } => (page.reading.which, page.board),
        Cli { command: Some(Command::Close(close)), .. } => (close.which, close.board),
        Cli { command: Some(Command::Ties(ties)), .. } => (ties.which, ties.board),
        Cli { command: None, watch, .. } => (watch.reading.which, watch.board),
        other => panic!("{line}: {other:?}"),
    };
    for line in ["ranktop --game g", "ranktop page --game g", "ranktop close --game g"] {
        let (which, board) = which(line);
        assert_eq!((which.game, board), (Some("g".into()), None), "{line}");
    }
    let (which, _) = which("ranktop ties --game g --period day --tz europe/berlin --board-key <game>/<period>");
    assert_eq!(which.period, Some(PeriodChoice::Current(crate::board::period::PeriodKind::Day)));
    let (tz, key) = (which.calendar.tz.to_string(), which.calendar.board_key.to_string());
    assert_eq!((tz.as_str(), key.as_str()), ("Europe/Berlin", "<game>/<period>"));
    // What stands first is then a member.
    for line in ["ranktop rank --game g a b", "ranktop rank a --game g b"] {
        let cli = read(line);
        let Some(Command::Rank(rank)) = cli.command else { panic!("{line}") };
        assert_eq!((rank.board.clone(), rank.members.clone()), (None, vec!["a".into(), "b".into()]), "{line}");
    }
    let Some(Command::Score(score)) = read("ranktop score --game g a --by 1").command else { panic!() };
    assert_eq!((score.board.clone(), score.member()), (None, "a".into()));
    let Some(Command::Score(score)) = read("ranktop score --game g --by 1 -- -7").command else { panic!() };
    assert_eq!(score.member(), "-7".into());
}

#[test]
fn ties() {
    let request = |line: &str| {
        let Some(Command::Ties(ties)) = read(line).command else { panic!("{line}") };
        let ranking = ties.ranking;
        ties.request(wishes(ranking), true)
    };
    let plain = request("ranktop ties b");
    assert_eq!((plain.at, plain.limit, plain.format), (1, 20, ListFormat::Table { color: true }));
    let other = request("ranktop ties b --at 7 --limit 1000 --format json --order asc --rank-style dense");
    assert_eq!((other.at, other.limit, other.format), (7, 1000, ListFormat::Json));
    assert_eq!((other.wishes.order, other.wishes.rank_style), (Some(Order::Asc), Some(RankStyle::Dense)));
}

#[test]
fn boards_that_are_named_like_commands() {
    for name in ["page", "rank", "ties", "boards", "demo"] {
        let cli = read(&format!("ranktop -- {name}"));
        assert!(cli.command.is_none());
        assert_eq!(cli.watch.board, Some(name.into()));
    }
}

#[test]
fn whole_boards() {
    let Some(Command::Freeze(freeze)) = read("ranktop freeze b").command else { panic!() };
    assert_eq!(freeze.retain, Duration::from_secs(7 * 24 * 60 * 60));

    let cli = read("ranktop export b -o f --live --after eyJ9 --raw --order asc --rank-style dense");
    let Some(Command::Export(export)) = cli.command else { panic!() };
    assert_eq!(export.output.as_deref(), Some(std::path::Path::new("f")));
    let request = export.request("h:1".into());
    assert_eq!((request.format, request.is_live), (RowsFormat::Csv { raw: true }, true));
    assert_eq!((request.order, request.rank_style), (Some(Order::Asc), Some(RankStyle::Dense)));
    assert_eq!(request.after.as_deref(), Some("eyJ9"));

    let audit = |line: &str| {
        let cli = read(line);
        let Some(Command::Audit(audit)) = cli.command else { panic!("{line}") };
        let request = audit.request("h:1".into(), 77);
        (request.sample, request.batch, request.seed)
    };
    assert_eq!(audit("ranktop audit b"), (None, 1_000, 77));
    assert_eq!(audit("ranktop audit b --sample 9 --batch 50 --seed 3"), (Some(9), 50, 3));
}

#[test]
fn writing() {
    let score = |line: &str| {
        let Some(Command::Score(score)) = read(line).command else { panic!("{line}") };
        (score.member(), score.dry_run, score.step())
    };
    let number = |number: f64| crate::board::score::Score::new(number).unwrap();
    assert_eq!(score("ranktop score b m --by -1.5"), ("m".into(), false, Step::By(number(-1.5))));
    assert_eq!(score("ranktop score b --set 7 --dry-run -- -m"), ("-m".into(), true, Step::Set(number(7.0))));
    let close = |line: &str| {
        let Some(Command::Close(close)) = read(line).command else { panic!("{line}") };
        (close.grace.map(|time| time.as_secs()), close.retain.map(|time| time.as_secs()), close.dry_run)
    };
    assert_eq!(close("ranktop close b"), (None, None, false));
    assert_eq!(close("ranktop close b --grace 10m --retain 1d --dry-run"), (Some(600), Some(86_400), true));
}

#[test]
fn simulations() {
    let simulate = |line: &str| {
        let Some(Command::Simulate(simulate)) = read(line).command else { panic!("{line}") };
        (simulate.contest.settings(40), simulate.playing.map(|time| time.as_secs()), simulate.into_existing)
    };
    let plain = Settings { seed: 7, players: 40, rate: 20.0, ties: 0.3 };
    assert_eq!(simulate("ranktop simulate b"), (plain, None, false));
    let other = Settings { seed: 1, players: 2, rate: 0.1, ties: 1.0 };
    let line = "ranktop simulate b --seed 1 --players 2 --rate 0.1 --ties 1 --for 10m --into-existing";
    assert_eq!(simulate(line), (other, Some(600), true));
}

#[test]
fn demos() {
    let Some(Command::Demo(demo)) = read("ranktop demo --embedded --seed 3 --ties 0 --theme x").command else {
        panic!()
    };
    assert!(demo.embedded);
    assert_eq!((demo.contest.seed, demo.contest.players, demo.contest.ties), (3, None, 0.0));
    assert_eq!(demo.watching.theme.as_deref(), Some("x"));
    let Some(Command::Demo(demo)) = read("ranktop demo --rank-style dense --at 3 --color never").command else {
        panic!()
    };
    assert_eq!(
        (demo.ranking.rank_style, demo.opening.at, demo.color.color),
        (Some(RankStyle::Dense), Some(3), Color::Never)
    );
}

fn is_wrong(line: &str, word: &str) {
    let failure = wrong(line);
    assert_eq!(failure.exit, Exit::Usage, "{line}");
    let mut out = Vec::new();
    crate::exit::report(&mut out, &failure).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.contains(word), "{line}\n{text}");
    assert_eq!(text.lines().count(), 2, "{line}\n{text}");
    assert!(text.starts_with("error: ") && text.contains("\nhint: "), "{line}\n{text}");
    assert!(!text.contains("error: error"), "{line}\n{text}");
}

#[test]
fn wrong_usage_is_one_line_with_a_hint() {
    for (line, word) in [
        ("ranktop page", "BOARD"),
        ("ranktop page b --size 0", "--size"),
        ("ranktop page b --size 1001", "1001"),
        ("ranktop page b --at 0", "--at"),
        ("ranktop page b --at 1 --after x", "cannot be used with"),
        ("ranktop page b --after x --before y", "cannot be used with"),
        ("ranktop page b --around x --at 1", "cannot be used with"),
        ("ranktop page b --order up", "there are desc and asc"),
        ("ranktop page b --rank-style olympic", "no rank style"),
        ("ranktop page b --format xml", "xml"),
        ("ranktop page b --frmat json", "--frmat"),
        ("ranktop page b --raw", "CSV only"),
        ("ranktop simulate", "BOARD"),
        ("ranktop simulate b --for 5", "90s"),
        ("ranktop simulate b --players 0", "--players"),
        ("ranktop simulate b --order asc", "'--order' has no effect with 'ranktop simulate'"),
        ("ranktop freeze", "BOARD"),
        ("ranktop freeze b --retain 7", "7d"),
        ("ranktop freeze b --retain 11y", "between 1s and 10y"),
        ("ranktop export b --format json", "csv"),
        ("ranktop export b --format ndjson --raw", "CSV only"),
        ("ranktop export b --size 5", "it is an option of 'ranktop page'"),
        ("ranktop score b m", "--by"),
        ("ranktop score b --by 1", "MEMBER"),
        ("ranktop score b m --by 1 --set 1", "cannot be used with"),
        ("ranktop score b m --by nan", "finite number"),
        ("ranktop score b m --set 1e309", "finite number"),
        ("ranktop score b m --set inf", "finite number"),
        ("ranktop score b m --set x", "finite number"),
        ("ranktop score b m --by 1 --rank-style dense", "no effect with 'ranktop score'"),
        ("ranktop close b --grace 32d", "between 0s and 31d"),
        ("ranktop close b --retain 0s", "between 1s and 10y"),
        ("ranktop close b --order asc", "no effect with 'ranktop close'"),
        ("ranktop audit b --sample 0", "--sample"),
        ("ranktop audit b --batch 1001", "1001"),
        ("ranktop audit b --rank-style dense", "no effect with 'ranktop audit'"),
        ("ranktop page b --name-of x --names-key y", "home of names"),
        ("ranktop page b --name-of string:<member> --names-key y", "cannot be used with"),
        ("ranktop page b --interval 1s", "'--interval' has no effect with 'ranktop page'"),
        ("ranktop b --size 3", "'--size' has no effect with 'ranktop BOARD'"),
        ("ranktop ties b --size=3", "it is an option of 'ranktop page'"),
        ("ranktop ties b -o x", "it is an option of 'ranktop export'"),
        ("ranktop ties b --names-key x", "'--names-key' has no effect with 'ranktop ties'"),
        ("ranktop export b --color never", "no effect with 'ranktop export'"),
        ("ranktop page b c", "'c'"),
        ("ranktop rank", "BOARD"),
        ("ranktop rank b", "MEMBER"),
        ("ranktop rank b m --around 0", "--around"),
        ("ranktop rank b m --around 500", "499"),
        ("ranktop rank b m --format csv", "csv"),
        ("ranktop rank b -7", "'-7'"),
        ("ranktop a rank b m", "before the command 'rank'"),
        ("ranktop ties", "BOARD"),
        ("ranktop ties b --at 0", "--at"),
        ("ranktop ties b --limit 0", "--limit"),
        ("ranktop ties b --limit 1001", "1000"),
        ("ranktop ties b --format csv", "csv"),
        ("ranktop ties b c", "'c'"),
        ("ranktop boards --format csv", "csv"),
        ("ranktop boards a b", "'b'"),
        ("ranktop boards --order asc", "no effect with 'ranktop boards'"),
        ("ranktop boards --names-key x", "'--names-key' has no effect"),
        ("ranktop page b --cluster --sentinel s", "cannot be used with"),
        ("ranktop page b --read-from master", "replica"),
        ("ranktop score b m --by 1 --read-from replica", "'--read-from' has no effect with 'ranktop score'"),
        ("ranktop close b --read-from primary", "'--read-from' has no effect with 'ranktop close'"),
        ("ranktop freeze b --read-from replica", "'--read-from' has no effect with 'ranktop freeze'"),
        ("ranktop --read-from replica freeze b", "'--read-from' before the command 'freeze'"),
        ("ranktop -u redis://a page b", "options stand after the command: 'ranktop page … --url'"),
        ("ranktop demo --cluster", "'--cluster' has no effect with 'ranktop demo'"),
        ("ranktop demo --sentinel s", "'--sentinel' has no effect with 'ranktop demo'"),
        ("ranktop a b", "'b'"),
        ("ranktop a page b", "before the command 'page'"),
        ("ranktop --at 3 page b", "'--at' before the command 'page'"),
        ("ranktop --ascii demo", "'--ascii' before the command 'demo'"),
        ("ranktop --no-mouse page b", "'--no-mouse' before the command 'page'"),
        ("ranktop demo --url redis://a", "'--url' has no effect with 'ranktop demo'"),
        ("ranktop --user a demo", "'--user' before the command 'demo'"),
        ("ranktop demo --timeout 1s", "'--timeout' has no effect with 'ranktop demo'"),
        ("ranktop completions bash --order asc", "'--order' has no effect with 'ranktop completions'"),
        ("ranktop completions bash --config x", "'--config' has no effect with 'ranktop completions'"),
        ("ranktop config --game x", "'--game' has no effect with 'ranktop config'"),
        ("ranktop demo --names-key a", "'--names-key' has no effect with 'ranktop demo'"),
        ("ranktop demo --ties 2", "from 0 to 1"),
        ("ranktop --interval 5", "500ms"),
        ("ranktop --at 3 --find x", "cannot be used with"),
        ("ranktop --ask-password --password-file x", "cannot be used with"),
        ("ranktop --tls-cert x", "--tls-key"),
        ("ranktop --tls-key x", "--tls-cert"),
        ("ranktop --tls-ca x --tls-insecure", "cannot be used with"),
        ("ranktop demo --tls-insecure", "'--tls-insecure' has no effect with 'ranktop demo'"),
    ] {
        is_wrong(line, word);
    }
}

#[test]
fn wrong_games_and_periods_are_one_line_with_a_hint() {
    for (line, word) in [
        ("ranktop boards --game g", "'--game' has no effect with 'ranktop boards'"),
        ("ranktop boards --tz UTC", "'--tz' has no effect with 'ranktop boards'"),
        ("ranktop boards --board-key <game>", "'--board-key' has no effect with 'ranktop boards'"),
        ("ranktop demo --game g", "'--game' has no effect with 'ranktop demo'"),
        ("ranktop demo --period week", "'--period' has no effect with 'ranktop demo'"),
        ("ranktop demo --board-key <game>", "'--board-key' has no effect with 'ranktop demo'"),
        ("ranktop b --game g", "cannot be used with BOARD 'b'"),
        ("ranktop page b --game g", "cannot be used with BOARD 'b'"),
        ("ranktop ties b --game g", "cannot be used with BOARD 'b'"),
        ("ranktop export b --game g", "cannot be used with BOARD 'b'"),
        ("ranktop audit b --game g", "cannot be used with BOARD 'b'"),
        ("ranktop close b --game g", "cannot be used with BOARD 'b'"),
        ("ranktop freeze b --game g", "cannot be used with BOARD 'b'"),
        ("ranktop simulate b --game g", "cannot be used with BOARD 'b'"),
        ("ranktop rank --game g", "not provided: <MEMBER>"),
        ("ranktop score --game g --by 1", "not provided: <MEMBER>"),
        ("ranktop score --game g b m --by 1", "'m'"),
        ("ranktop score --by 1", "not provided: <BOARD> <MEMBER>"),
        ("ranktop --period week", "'--period' without '--game'"),
        ("ranktop page b --period week", "'--period' without '--game'"),
        ("ranktop --game g --period 2026-W54", "'2026-W54' is not a period"),
        ("ranktop page --game g --period weekly", "week, day, month, last, last-day, last-month and none"),
        ("ranktop diff", "not provided: <BOARD> <OTHER>"),
        ("ranktop diff b", "not provided: <OTHER>"),
        ("ranktop diff b --to week", "'--to' without '--game'"),
        ("ranktop diff --game g", "--period last --to week"),
        ("ranktop diff --game g c --to week", "'--to' beside OTHER"),
        ("ranktop diff --game g b c", "cannot be used with BOARD 'b'"),
        ("ranktop diff b c d", "'d'"),
        ("ranktop diff b c --top 0", "--top"),
        ("ranktop diff b c --raw", "CSV only"),
        ("ranktop diff --game g --to yesterday", "last-month and none"),
        ("ranktop b --tz Mars/Olympus", "zones have names such as UTC"),
        ("ranktop b --board-key lb:<period>", "no placeholder '<game>'"),
    ] {
        is_wrong(line, word);
    }
}

#[test]
fn a_near_miss_is_named() {
    assert!(wrong("ranktop page b --sise 3").hint.unwrap().contains("--size"));
    let hint = wrong("ranktop page").hint.unwrap();
    assert!(hint.starts_with("ranktop page") && hint.contains("ranktop -- BOARD"), "{hint}");
    let odd = wrong("ranktop page b x\n\ny\n");
    assert_eq!(odd.message, "unexpected argument 'x y ' found");
}

#[test]
fn passwords_are_not_repeated() {
    for line in ["ranktop page b redis://me:se@cr:t@host", "ranktop page b --size redis://me:secr:t@host"] {
        let failure = wrong(line);
        let text = format!("{failure:?}");
        assert!(!text.contains("cr:t") && text.contains("redis://***@host"), "{text}");
    }
    let failure = wrong("ranktop page b unix:///run/redis.sock?user=me&pass=secr:t");
    assert!(format!("{failure:?}").contains("unix:///run/redis.sock?***"), "{failure:?}");
}
