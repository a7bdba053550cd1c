//! What holds where arguments, environment, file and defaults disagree.

use std::path::Path;
use std::time::Duration;

use clap::CommandFactory;

use super::*;
use crate::board::order::Order;
use crate::board::rank::RankStyle;
use crate::cli::read::command;
use crate::cli::{Cli, Color, Command as Subcommand, PageSize, Stop};
use crate::commands::setup::CHECKS;
use crate::config::{boards, parse};

const EXAMPLE: &str = include_str!("../../../assets/config.example.toml");

/// Options that are no lasting settings: what is looked for is another thing each time, and so is being asked, and how
/// much there is to be told; and where the file is cannot stand in it.
const NOT_LASTING: [&str; 10] =
    ["after", "before", "shards", "ask-password", "at", "find", "config", "verbose", "game", "period"];

fn settle(line: &str, file: &str, variables: &[(&str, &str)]) -> Result<Cli, Failure> {
    let read = |_: Option<&Path>| {
        let path = PathBuf::from("f.toml");
        match parse(file, str::to_owned).and_then(|entries| Ok((entries, boards(file)?))) {
            Ok((entries, boards)) => Ok(Some(File { path, entries, boards })),
            Err(fault) => Err(refusal(&FileError::Faulty { path, fault })),
        }
    };
    let variable = |name: &str| variables.iter().find(|(of, _)| *of == name).map(|(_, text)| OsString::from(*text));
    let arguments: Vec<_> = line.split(' ').map(OsString::from).collect();
    match Cli::settle(&arguments, read, variable, &CHECKS) {
        Ok(cli) => Ok(cli),
        Err(Stop::Wrong(failure)) => Err(failure),
        Err(Stop::Help(help)) => panic!("{help}"),
    }
}

fn settled(line: &str, file: &str, variables: &[(&str, &str)]) -> Cli {
    settle(line, file, variables).unwrap_or_else(|failure| panic!("{line}\n{file}\n{failure:?}"))
}

fn of(cli: &Cli, key: &str) -> (String, Origin) {
    let setting = cli.settings.iter().find(|setting| setting.name() == key).unwrap();
    (setting.text(), setting.origin.clone())
}

fn line(line: usize) -> Origin {
    Origin::File { path: "f.toml".into(), line }
}

#[test]
fn every_option_is_a_setting_or_is_known_to_be_none() {
    let root = command(&[]);
    let none = ["help", "version"];
    let options = root.get_arguments().filter_map(Arg::get_long).filter(|option| !none.contains(option));
    let options: Vec<_> = options.collect();
    for option in &options {
        let is_setting = SETTINGS.iter().any(|setting| setting.key == *option);
        assert_ne!(is_setting, NOT_LASTING.contains(option), "--{option}: add it to SETTINGS, or say here why not");
    }
    for setting in SETTINGS {
        assert!(options.contains(&setting.key), "'{}' is no option", setting.key);
        let config = root.find_subcommand("config").unwrap();
        assert!(option(config, setting).is_some(), "'{}' is not shown by 'ranktop config'", setting.key);
    }
}

#[test]
fn settings_of_some_boards_stand_between_arguments_and_those_of_all() {
    let file = "score = 'all,x:2'\n[boards.'ctf:*']\nscore = 'points,time:13=1e13-ms'\nmember = 'id \":\" x:2'\n";
    let cli = settled("ranktop b", file, &[]);
    let name = "boards.\"ctf:*\".score";
    assert_eq!(of(&cli, name), ("points,time:13=1e13-ms".to_owned(), line(3)));
    let spec = |cli: &Cli, key: &str| cli.watch.reading.scoring().of(&key.into(), None).spec().map(ToString::to_string);
    assert_eq!(spec(&cli, "ctf:x").as_deref(), Some("points,time:13=1e13-ms"));
    assert_eq!(spec(&cli, "x").as_deref(), Some("all,x:2"));
    let cli = settled("ranktop b --score p", file, &[]);
    assert_eq!(spec(&cli, "ctf:x").as_deref(), Some("p"));
    assert!(cli.watch.reading.scoring().member(&"ctf:x".into()).is_some());
    assert!(!cli.settings.iter().any(|one| one.name() == name));
    let fault = settle("ranktop page b", "\n[boards.x]\nscore = 'p,t'\n", &[]).unwrap_err();
    assert!(fault.message.contains("'f.toml', line 3: 'score' cannot be 'p,t': "), "{fault:?}");
}

#[test]
fn kinds_are_those_of_the_options() {
    let command = Cli::command();
    for setting in SETTINGS {
        let arg = option(&command, setting).unwrap();
        assert_eq!(setting.kind == Kind::Flag, !arg.get_action().takes_values(), "{}", setting.key);
        let has_default = !arg.get_default_values().is_empty() || setting.kind == Kind::Flag;
        assert_eq!(has_default, setting.unset.is_empty(), "{}", setting.key);
    }
}

#[test]
fn the_example_says_the_defaults() {
    let text: String = EXAMPLE
        .lines()
        .map(|line| line.strip_prefix("# ").filter(|rest| rest.contains(" = ")).unwrap_or(""))
        .fold(String::new(), |text, line| text + line + "\n");
    let entries = parse(&text, str::to_owned).unwrap();
    assert_eq!(entries.len(), SETTINGS.len());
    let plain = settled("ranktop b", "", &[]);
    let command = command(&[]);
    for (entry, setting) in entries.iter().zip(SETTINGS) {
        assert_eq!(entry.setting, setting, "the example has the settings in their order");
        check(option(&command, setting).unwrap(), entry, &CHECKS).unwrap();
        let (value, origin) = of(&plain, setting.key);
        assert_eq!(origin, Origin::Default);
        if setting.unset.is_empty() || ["url", "theme"].contains(&setting.key) {
            assert_eq!(entry.values, [value], "{}", setting.key);
        } else {
            let above = EXAMPLE.split(&format!("# {} = ", setting.key)).next().unwrap();
            let above = above.rsplit("\n\n").next().unwrap().replace("\n# ", " ");
            assert!(above.contains(&format!("Default: {}.", setting.unset)), "{above}");
        }
    }
    assert!(parse(EXAMPLE, str::to_owned).unwrap().is_empty(), "as it stands it sets nothing");
}

#[test]
fn the_file_takes_the_place_of_defaults() {
    let file = "url = 'redis://:pw@h'\nuser = 'u'\nconnect-timeout = '3s'\ntimeout = '4s'\norder = 'asc'\n\
                rank-style = 'dense'\nversion-key = 'v'\nname-of = 'string:<member>'\ncolor = 'never'\n\
                interval = '7s'\npage-size = 40\ntheme = 'light'\nascii = true";
    let cli = settled("ranktop b", file, &[]);
    let (connection, reading, watching) = (&cli.watch.connection.connection, &cli.watch.reading, &cli.watch.watching);
    assert_eq!(connection.url, ["redis://:pw@h"]);
    assert_eq!((connection.connect_timeout, connection.timeout), (seconds(3), seconds(4)));
    assert_eq!((reading.ranking.order(), reading.ranking.rank_style), (Some(Order::Asc), Some(RankStyle::Dense)));
    assert_eq!(reading.which.companions.version_key.to_string(), "v");
    assert!(reading.naming.names.name_of.is_some() && watching.ascii && cli.watch.color.color == Color::Never);
    assert_eq!((watching.interval, watching.page_size), (seconds(7), PageSize::Rows(40)));
    assert_eq!(of(&cli, "url"), ("redis://***@h".to_owned(), line(1)));
    assert_eq!(of(&cli, "order"), ("asc".to_owned(), line(5)));
    assert_eq!(of(&cli, "ascii"), ("true".to_owned(), line(13)));
    assert_eq!(of(&cli, "paging"), ("cursor".to_owned(), Origin::Default));
    let Some(Subcommand::Page(page)) = settled("ranktop page b", file, &[]).command else { panic!() };
    assert_eq!((timeout(&page), page.reading.ranking.order()), (seconds(4), Some(Order::Asc)));
    let Some(Subcommand::Score(score)) = settled("ranktop score b m --by 1", file, &[]).command else { panic!() };
    assert_eq!((score.connection.timeout, score.order.order), (seconds(4), Some(Order::Asc)));
    // A command heeds the settings that it uses, and those alone.
    let boards = settled("ranktop boards", file, &[]);
    assert!(boards.settings.iter().all(|setting| !["order", "interval"].contains(&setting.setting.key)));
    let Some(Subcommand::Boards(boards)) = boards.command else { panic!() };
    assert_eq!((boards.connection.connection.timeout, boards.color.color), (seconds(4), Color::Never));
    let Some(Subcommand::Demo(demo)) = settled("ranktop demo", file, &[]).command else { panic!() };
    assert_eq!((demo.watching.interval, demo.watching.ascii), (seconds(7), true));
}

fn timeout(page: &crate::cli::PageArgs) -> Duration {
    page.connection.connection.timeout
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn flags_outweigh_the_environment_and_that_outweighs_the_file() {
    let (file, environment) = ("url = 'redis://f'\ntimeout = '4s'", [("RANKTOP_URL", "redis://e")]);
    for (arguments, variables, value, origin) in [
        ("ranktop b -u redis://a", &environment[..], "redis://a", Origin::Flag),
        ("ranktop page b -u redis://a", &environment, "redis://a", Origin::Flag),
        ("ranktop b", &environment, "redis://e", Origin::Environment("RANKTOP_URL")),
        ("ranktop b", &[("REDIS_URL", "redis://e")], "redis://e", Origin::Environment("REDIS_URL")),
        ("ranktop b", &[("REDIS_URL", "redis://r"), environment[0]], "redis://e", Origin::Environment("RANKTOP_URL")),
        ("ranktop b", &[("RANKTOP_URL", "")], "redis://f", line(1)),
    ] {
        let cli = settled(arguments, file, variables);
        assert_eq!(of(&cli, "url"), (value.to_owned(), origin.clone()), "{arguments} {variables:?}");
        // The environment is looked at where a server is needed.
        let url = if matches!(origin, Origin::Environment(_)) { vec![] } else { vec![value] };
        let connection = match cli.command {
            Some(Subcommand::Page(page)) => page.connection,
            _ => cli.watch.connection,
        };
        assert_eq!(connection.connection.url, url, "{arguments} {variables:?}");
    }
    let connection = settled("ranktop b --timeout 5s", file, &[]).watch.connection.connection;
    assert_eq!(connection.timeout, seconds(5));
    let Some(Subcommand::Page(page)) = settled("ranktop page b --timeout 5s", file, &[]).command else { panic!() };
    assert_eq!(timeout(&page), seconds(5));
    let cli = settled("ranktop b", "color = 'always'", &[("NO_COLOR", "1")]);
    assert_eq!((cli.watch.color.color, of(&cli, "color").0.as_str()), (Color::Auto, "never"));
    let cli = settled("ranktop b --color always", "color = 'never'", &[("NO_COLOR", "1")]);
    assert_eq!((cli.watch.color.color, of(&cli, "color").0.as_str()), (Color::Always, "always"));
}

#[test]
fn an_option_outweighs_what_it_excludes_in_the_file() {
    let cli = settled("ranktop page b --names-key n", "name-of = 'string:<member>'", &[]);
    let Some(Subcommand::Page(page)) = &cli.command else { panic!() };
    assert!(page.reading.naming.names.name_of.is_none());
    assert_eq!(of(&cli, "name-of").1, Origin::Default);
    let cli = settled("ranktop b --name-of string:<member>", "names-key = 'n'", &[]);
    assert!(cli.watch.reading.naming.names.name_of.is_some());
    assert_eq!(of(&cli, "names-key"), ("<base>:names".to_owned(), Origin::Default));
    let cli = settled("ranktop b --ask-password", "password-file = 'p'", &[]);
    let connection = &cli.watch.connection.connection;
    assert!(connection.password_file.is_none() && connection.ask_password);
    let failure = settle("ranktop b", "names-key = 'n'\nname-of = 'string:<member>'", &[]).unwrap_err();
    assert!(failure.message.contains("line 2: 'name-of' cannot stand beside 'names-key' of line 1"), "{failure:?}");
}

#[test]
fn lists_are_for_options_that_may_be_repeated() {
    let entries = parse("url = ['redis://a', 'redis://b']", str::to_owned).unwrap();
    let arg = Arg::new("url").long("url");
    assert!(check(&arg.clone().action(ArgAction::Append), &entries[0], &CHECKS).is_ok());
    assert!(check(&arg.action(ArgAction::Set), &entries[0], &CHECKS).is_err());
}

#[test]
fn what_the_parsers_refuse_is_refused_with_its_line() {
    for (file, what, hint) in [
        ("\n\norder = 'up'", "'f.toml', line 3: 'order' cannot be 'up': ", "--order"),
        ("interval = '5'", "'interval' cannot be '5': write a duration such as 500ms or 2s", "--interval"),
        ("timeout = '2d'", "it must be between 10ms and 1d", "--timeout"),
        ("watch = 'often'", "there are auto, push, poll, content", "--watch"),
        ("page-size = 0", "'page-size' cannot be '0': there are fit and 1 to 1000", "--page-size"),
        ("page-size = '-1'", "there are fit and 1 to 1000", "--page-size"),
        ("rank-style = ''", "'rank-style' cannot be ''", "--rank-style"),
        ("name-of = 'x'", "'name-of' cannot be 'x'", ""),
        ("version-key = '<x>'", "unknown placeholder '<x>'", "allowed here: <board>"),
        ("names-key = '<base'", "placeholder without '>'", "allowed here"),
        ("url = 'http://s3cret@h'", "'url': the address", "--url"),
        ("url = 's3cret'", "'url': the address", "--url"),
        ("intervall = '1s'", "there is no setting 'intervall'", "did you mean 'interval'?"),
    ] {
        let failure = settle("ranktop page b", file, &[]).unwrap_err();
        assert_eq!(failure.exit, Exit::Usage);
        let given = failure.hint.unwrap_or_default();
        assert!(failure.message.contains(what) && given.contains(hint), "{file}: {} {given}", failure.message);
        assert!(!failure.message.contains("s3cret") && !failure.message.contains('\n'), "{file}: {}", failure.message);
        // A value that an option outweighs is no less wrong.
        assert!(settle("ranktop page b --timeout 5s --order asc", file, &[]).is_err(), "{file}");
        // Nothing of it concerns a shell.
        assert!(settle("ranktop completions bash", file, &[]).is_ok(), "{file}");
    }
}

#[test]
fn addresses_are_shown_without_what_may_be_a_password() {
    for (address, shown) in [
        ("redis://127.0.0.1:6379", "redis://127.0.0.1:6379"),
        ("redis://h:7000/2", "redis://h:7000/2"),
        ("redis://u:pw@h/2", "redis://***@h/2"),
        ("redis://:pw@h", "redis://***@h"),
        ("redis://u:p%40w@h", "redis://***@h"),
        ("unix:///run/r.sock?user=u&pass=pw", "unix:///run/r.sock?***"),
        ("redis://h/0?pass=pw", "redis://h/0?***"),
        ("redis:/:pw@h", "***"),
        ("http://pw@h", "***"),
        ("pw", "***"),
    ] {
        assert_eq!(without_login(address, &CHECKS), shown, "{address}");
    }
}

#[test]
fn arguments_are_told_without_passwords() {
    for (line, told) in [
        ("ranktop b", "board=b"),
        ("ranktop page b -u redis://me:pw@h --order asc --size 3", "page board=b size=3 url=redis://***@h order=asc"),
        ("ranktop page b --after redis://me:pw@h -u pw", "page board=b after=redis://***@h url=***"),
        ("ranktop score b m --by -1 --dry-run", "score board=b member=m by=-1 dry_run=true"),
        ("ranktop b\n --find \u{1b}", "board=b\\n find=\\e"),
    ] {
        let mut words: Vec<_> = told.split(' ').collect();
        words.sort_unstable();
        let given = settled(line, "", &[]).given;
        let mut found: Vec<_> = given.split(' ').collect();
        found.sort_unstable();
        assert_eq!(found, words, "{line}");
    }
}

#[test]
fn a_login_that_outweighs_the_file_is_not_mixed_with_the_file_s() {
    let file = "url = 'redis://f'\nuser = 'u'\npassword-file = 'p'";
    for (line, variables, user, has_password_file) in [
        ("ranktop b", &[][..], Some("u"), true),
        ("ranktop b -u redis://h", &[], Some("u"), true),
        ("ranktop b -u redis://me:pw@h", &[], None, false),
        ("ranktop b -u unix:///s?pass=pw", &[], None, false),
        ("ranktop b", &[("RANKTOP_URL", "redis://:pw@h")], None, false),
        ("ranktop b -u redis://h", &[("RANKTOP_URL", "redis://:pw@h")], Some("u"), true),
        ("ranktop b -u redis://me:pw@h --user me", &[], Some("me"), false),
        ("ranktop b", &[("RANKTOP_PASSWORD", "pw")], Some("u"), false),
        ("ranktop b --password-file q", &[("RANKTOP_PASSWORD", "pw")], Some("u"), true),
    ] {
        let cli = settled(line, file, variables);
        let connection = &cli.watch.connection.connection;
        assert_eq!(connection.user.as_deref(), user, "{line} {variables:?}");
        assert_eq!(connection.password_file.is_some(), has_password_file, "{line} {variables:?}");
        assert!(cli.settings.iter().all(|setting| !setting.text().contains("pw")), "{:?}", cli.settings);
    }
}
