//! The command line as people type it.

use super::read::command;
use super::*;
use crate::board::entry::Member;
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

fn wishes(reading: &Reading) -> ReadOptions {
    ReadOptions {
        address: "h:1".into(),
        order: reading.order,
        rank_style: reading.rank_style,
        scoring: reading.scoring(),
        is_probing: false,
    }
}

fn page(line: &str) -> PageOptions {
    let cli = read(line);
    let Some(Command::Page(arguments)) = cli.command else { panic!("{line}") };
    arguments.request(wishes(&cli.reading), false)
}

#[test]
fn clap_finds_no_fault() {
    command(&[]).debug_assert();
}

#[test]
fn everything_has_help() {
    fn check(command: &clap::Command) {
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.len() > 10, "'{}' of '{}' has no help", argument.get_id(), command.get_name());
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
    assert!(text.contains("--seed") && text.contains("--timeout") && text.contains("--theme"), "{text}");
    for useless in ["--url", "--user", "--ask-password", "--names-key", "--name-of"] {
        assert!(!text.contains(useless), "{useless}\n{text}");
    }
}

#[test]
fn watching_is_what_is_done_without_a_command() {
    let cli = read("ranktop lb:{spring} --interval 2s --page-size 40 --watch poll --find -7 --ascii --theme x");
    assert_eq!(cli.board, Some("lb:{spring}".into()));
    assert!(cli.command.is_none());
    assert_eq!(cli.watching.interval, Duration::from_secs(2));
    assert_eq!(cli.watching.page_size, PageSize::Rows(40));
    assert_eq!(cli.watching.watch, WatchMode::Poll);
    assert_eq!(cli.watching.find, Some("-7".into()));
    assert!(!cli.watching.no_mouse && read("ranktop x --no-mouse").watching.no_mouse);
    assert!(read("ranktop").board.is_none());
    assert_eq!(read("ranktop").watching.interval, Duration::from_millis(500));
}

#[test]
fn a_board_named_like_a_command_is_watched_after_dashes() {
    for name in ["page", "demo", "help", "--weird"] {
        for line in [format!("ranktop -- {name}"), format!("ranktop --at 3 -- {name}")] {
            let cli = read(&line);
            assert!(cli.command.is_none(), "{line}");
            assert_eq!(cli.board, Some(name.into()), "{line}");
        }
    }
    assert_eq!(read("ranktop demos").board, Some("demos".into()));
    let Some(Command::Page(page)) = read("ranktop page -- page").command else { panic!() };
    assert_eq!(page.board, Some("page".into()));
}

#[test]
fn boards_and_members_are_bytes() {
    let raw = OsString::from_vec(b"\xff\xfe".to_vec());
    let arguments: [OsString; 5] = ["ranktop".into(), "page".into(), raw.clone(), "--around".into(), raw.clone()];
    let Ok(Cli { command: Some(Command::Page(page)), reading, .. }) = Cli::read(arguments, &CHECKS) else { panic!() };
    assert_eq!(page.board, Some(raw));
    let request = page.request(wishes(&reading), false);
    assert_eq!(request.start, Start::Around(Member::from(b"\xff\xfe".as_slice())));
}

#[test]
fn shared_options_stand_before_or_after_the_command() {
    for line in [
        "ranktop -u redis://a --order asc --rank-style dense page b",
        "ranktop page b --url redis://a --order asc --rank-style dense",
    ] {
        let cli = read(line);
        assert_eq!(cli.connection.url, ["redis://a"], "{line}");
        assert_eq!((cli.reading.order, cli.reading.rank_style), (Some(Order::Asc), Some(RankStyle::Dense)), "{line}");
        assert_eq!(cli.connection.connect_timeout, Duration::from_secs(2));
        assert_eq!(cli.reading.names_key, "<base>:names");
    }
    assert_eq!(read("ranktop page b --timeout 3s").connection.timeout, Duration::from_secs(3));
    let many = read("ranktop -u redis://a -u redis://b,x --sentinel s --read-from replica page b").connection;
    assert_eq!(
        (many.url, many.sentinel.as_deref(), many.cluster),
        (vec!["redis://a".into(), "redis://b,x".into()], Some("s"), false)
    );
    assert_eq!((many.read_from, read("ranktop b").connection.read_from), (ReadFrom::Replica, ReadFrom::Primary));
    assert!(read("ranktop page b --name-of hash:user:<member>:name").reading.name_of.is_some());
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
    let Ok(Cli { command: Some(Command::Rank(rank)), reading, .. }) = Cli::read(arguments, &CHECKS) else { panic!() };
    let request = rank.request(wishes(&reading), false);
    let members: [&[u8]; 5] = [b"", b"u:1", b"-7", b"--at", b"\xff"];
    assert_eq!(request.members, members.map(Member::from));
    assert_eq!((request.around, request.format), (Some(3), ListFormat::Json));
}

#[test]
fn a_game_stands_in_the_place_of_a_board() {
    for line in ["ranktop --game g", "ranktop page --game g", "ranktop --game g page", "ranktop close --game g"] {
        let cli = read(line);
        assert_eq!((cli.reading.which.game, cli.board), (Some("g".into()), None), "{line}");
    }
    let which = read("ranktop ties --game g --period day --tz europe/berlin --board-key <game>/<period>").reading.which;
    assert_eq!(which.period, Some(PeriodChoice::Current(crate::board::period::PeriodKind::Day)));
    assert_eq!((which.tz.to_string(), which.board_key.to_string()), ("Europe/Berlin".into(), "<game>/<period>".into()));
    // What stands first is then a member.
    for line in ["ranktop rank --game g a b", "ranktop rank a --game g b", "ranktop --game g rank a b"] {
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
        let cli = read(line);
        let Some(Command::Ties(ties)) = cli.command else { panic!("{line}") };
        ties.request(wishes(&cli.reading), true)
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
        assert_eq!(cli.board, Some(name.into()));
    }
}

#[test]
fn whole_boards() {
    let Some(Command::Freeze(freeze)) = read("ranktop freeze b").command else { panic!() };
    assert_eq!(freeze.retain, Duration::from_secs(7 * 24 * 60 * 60));

    let cli = read("ranktop export b -o f --live --after eyJ9 --raw --order asc --rank-style dense");
    let Some(Command::Export(export)) = cli.command else { panic!() };
    assert_eq!(export.output.as_deref(), Some(std::path::Path::new("f")));
    let request = export.request(&cli.reading, "h:1".into());
    assert_eq!((request.format, request.is_live), (RowsFormat::Csv { raw: true }, true));
    assert_eq!((request.order, request.rank_style), (Some(Order::Asc), Some(RankStyle::Dense)));
    assert_eq!(request.after.as_deref(), Some("eyJ9"));

    let audit = |line: &str| {
        let cli = read(line);
        let Some(Command::Audit(audit)) = cli.command else { panic!("{line}") };
        let request = audit.request(&cli.reading, "h:1".into(), 77);
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
    read("ranktop demo --timeout 5s --rank-style dense --color never");
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
        ("ranktop simulate b --order asc", "of no use to 'simulate'"),
        ("ranktop freeze", "BOARD"),
        ("ranktop freeze b --retain 7", "7d"),
        ("ranktop freeze b --retain 11y", "between 1s and 10y"),
        ("ranktop export b --format json", "csv"),
        ("ranktop export b --format ndjson --raw", "CSV only"),
        ("ranktop export b --size 5", "--size"),
        ("ranktop score b m", "--by"),
        ("ranktop score b --by 1", "MEMBER"),
        ("ranktop score b m --by 1 --set 1", "cannot be used with"),
        ("ranktop score b m --by nan", "finite number"),
        ("ranktop score b m --set 1e309", "finite number"),
        ("ranktop score b m --set inf", "finite number"),
        ("ranktop score b m --set x", "finite number"),
        ("ranktop score b m --by 1 --rank-style dense", "no use to 'score'"),
        ("ranktop close b --grace 32d", "between 0s and 31d"),
        ("ranktop close b --retain 0s", "between 1s and 10y"),
        ("ranktop close b --order asc", "no use to 'close'"),
        ("ranktop audit b --sample 0", "--sample"),
        ("ranktop audit b --batch 1001", "1001"),
        ("ranktop audit b --rank-style dense", "no use to an audit"),
        ("ranktop page b --name-of x --names-key y", "home of names"),
        ("ranktop page b --name-of string:<member> --names-key y", "cannot be used with"),
        ("ranktop page b --interval 1s", "--interval"),
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
        ("ranktop boards --order asc", "no use to a list of boards"),
        ("ranktop boards --names-key x", "'--names-key' is of no use"),
        ("ranktop page b --cluster --sentinel s", "cannot be used with"),
        ("ranktop page b --read-from master", "replica"),
        ("ranktop score b m --by 1 --read-from replica", "'--read-from' is of no use to 'score'"),
        ("ranktop close b --read-from primary", "'--read-from' is of no use to 'close'"),
        ("ranktop --read-from replica freeze b", "'--read-from' is of no use to 'freeze'"),
        ("ranktop demo --cluster", "'--cluster' is of no use to a demo"),
        ("ranktop demo --sentinel s", "'--sentinel' is of no use to a demo"),
        ("ranktop a b", "'b'"),
        ("ranktop a page b", "before the command 'page'"),
        ("ranktop --at 3 page b", "'--at' before the command 'page'"),
        ("ranktop --ascii demo", "'--ascii' before the command 'demo'"),
        ("ranktop --no-mouse page b", "'--no-mouse' before the command 'page'"),
        ("ranktop demo --url redis://a", "'--url' is of no use to a demo"),
        ("ranktop --user a demo", "'--user' is of no use to a demo"),
        ("ranktop demo --names-key a", "'--names-key' is of no use to a demo"),
        ("ranktop demo --ties 2", "from 0 to 1"),
        ("ranktop --interval 5", "500ms"),
        ("ranktop --at 3 --find x", "cannot be used with"),
        ("ranktop --ask-password --password-file x", "cannot be used with"),
        ("ranktop --tls-cert x", "--tls-key"),
        ("ranktop --tls-key x", "--tls-cert"),
        ("ranktop --tls-ca x --tls-insecure", "cannot be used with"),
        ("ranktop demo --tls-insecure", "'--tls-insecure' is of no use to a demo"),
    ] {
        is_wrong(line, word);
    }
}

#[test]
fn wrong_games_and_periods_are_one_line_with_a_hint() {
    for (line, word) in [
        ("ranktop boards --game g", "'--game' is of no use to a list"),
        ("ranktop boards --tz UTC", "'--tz' is of no use to a list"),
        ("ranktop boards --board-key <game>", "'--board-key' is of no use to a list"),
        ("ranktop demo --game g", "'--game' is of no use to a demo"),
        ("ranktop demo --period week", "'--period' is of no use to a demo"),
        ("ranktop demo --board-key <game>", "'--board-key' is of no use to a demo"),
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
        ("ranktop page --game g --period weekly", "week, day, month and none"),
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
