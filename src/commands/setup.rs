//! From arguments and the environment to what a command works with: a server, a board, a look.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal};
use std::rc::Rc;
use std::time::Duration;

use crate::board::keys::Board;
use crate::board::names::NamesLocation;
use crate::board::order::Order;
use crate::board::packed::scoring::ScoringOptions;
use crate::board::period::Zone;
use crate::board::templates::Templates;
use crate::cli;
use crate::cli::{Color, Companions, Connection, NamesArgs, ReadConnection, Watching, Which};
use crate::commands::board_key;
use crate::config::Kind;
use crate::exit::{Exit, Failure};
use crate::store::redis::connect::{Target, WrongAddress};
use crate::store::redis::tls::{Tls, TlsFiles};
use crate::store::redis::topology::{Address, Dial, ReadFrom, Service};
use crate::text::Charset;
use crate::view::Appearance;
use crate::view::theme::{ColorChoice, Depth, Theme};

/// What is known here of values on the command line and in the settings file.
pub const CHECKS: cli::Checks = cli::Checks { url: check_url, themes: Theme::names() };

fn check_url(text: &str) -> Result<(), String> {
    Target::new(text, Duration::ZERO, Duration::ZERO).map(drop).map_err(|error| error.to_string())
}

/// Where a server is looked for when nothing says where it is.
pub(super) const DEFAULT_ADDRESS: &str = "redis://127.0.0.1:6379";

/// The service that `connection` and the environment name, for commands that read.
pub fn read_service(connection: &ReadConnection) -> Result<Service, Failure> {
    service_from(
        &connection.connection,
        match connection.read_from {
            cli::ReadFrom::Primary => ReadFrom::Primary,
            cli::ReadFrom::Replica => ReadFrom::Replica,
        },
    )
}

/// The service that `connection` and the environment name, for commands that write: its primary.
pub fn service(connection: &Connection) -> Result<Service, Failure> {
    service_from(connection, ReadFrom::Primary)
}

fn service_from(connection: &Connection, read_from: ReadFrom) -> Result<Service, Failure> {
    let urls = urls(connection);
    let options = Options::of(connection)?;
    let wrong = |error: WrongAddress| {
        Failure::new(Exit::Usage, error.to_string()).with_hint(
            "in a password write %23 %25 %2F %3A %3F %40 for # % / : ? @; RANKTOP_PASSWORD and --password-file take it \
             as it is",
        )
    };
    if let Some(name) = &connection.sentinel {
        // The logins are the sentinels'. They have no databases: the number is that of the servers.
        let sentinels: Result<Vec<_>, _> = urls.iter().map(|url| options.target(url)).collect();
        let sentinels = sentinels.map_err(wrong)?;
        options.heed_tls(&sentinels)?;
        let database = sentinels.iter().map(Target::database).find(|number| *number != 0).unwrap_or_default();
        let sentinels = sentinels.into_iter().map(|target| target.with_database(0)).collect();
        let scheme = scheme(&urls[0]);
        let dial = dial(move |address| {
            let target = options.target(&at(&scheme, address))?;
            Ok(options.logged_in(target).with_database(database))
        });
        return Ok(Service::sentinel(name.clone(), sentinels, dial, read_from));
    }
    let targets: Result<Vec<_>, _> =
        urls.iter().map(|url| options.target(url).map(|target| options.logged_in(target))).collect();
    let targets = targets.map_err(wrong)?;
    options.heed_tls(&targets)?;
    if connection.cluster && targets.iter().any(|target| target.database() != 0) {
        return Err(Failure::new(Exit::Usage, "a Redis Cluster has no database but 0")
            .with_hint("leave the number at the end of the URL out"));
    }
    // A server that others tell of takes the login that the first of the URLs has.
    let (first, begin) = (urls[0].clone(), targets[0].clone());
    let dial = dial(move |address| options.target(&beside(&first, address)).map(|target| options.logged_in(target)));
    match targets.len() {
        _ if connection.cluster => Ok(Service::cluster(targets, dial, read_from)),
        1 => Ok(Service::server_or_replica(begin, dial, read_from)),
        several => Err(Failure::new(Exit::Usage, format!("{several} URLs, and there is one server to read from"))
            .with_hint("several are for --sentinel NAME and for --cluster; else give one")),
    }
}

/// True where nobody checks that a server is the one that is meant, though TLS is spoken.
pub fn is_unverified(connection: &Connection) -> bool {
    connection.tls_insecure && urls(connection).iter().any(|url| scheme(url) == "rediss")
}

/// The URLs that were given, at least one.
pub(super) fn urls(connection: &Connection) -> Vec<String> {
    if !connection.url.is_empty() {
        return connection.url.clone();
    }
    let said = text_of("RANKTOP_URL").or_else(|| text_of("REDIS_URL")).unwrap_or_else(|| DEFAULT_ADDRESS.to_owned());
    let urls = split_urls(&said);
    if urls.is_empty() { vec![DEFAULT_ADDRESS.to_owned()] } else { urls }
}

/// The URLs in a text, separated by blanks or commas. Either may stand in a password or a path, so that only what begins
/// another URL separates.
fn split_urls(text: &str) -> Vec<String> {
    let is_separator = |c: char| c == ',' || c.is_whitespace();
    let mut urls: Vec<String> = Vec::new();
    for part in text.split_inclusive(is_separator) {
        let scheme = part.split_once("://").map(|(scheme, _)| scheme);
        let begins = scheme.is_some_and(|scheme| !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphabetic()));
        match urls.last_mut() {
            Some(last) if !begins => last.push_str(part),
            _ => urls.push(part.to_owned()),
        }
    }
    let trimmed = urls.iter().map(|url| url.trim_matches(is_separator).to_owned());
    trimmed.filter(|url| !url.is_empty()).collect()
}

/// What is before the address in `url`; that of TCP where it is a socket's.
fn scheme(url: &str) -> String {
    url.split_once("://")
        .map(|(scheme, _)| scheme)
        .filter(|scheme| scheme.starts_with("redis"))
        .unwrap_or("redis")
        .into()
}

/// The URL of a server at `address`.
fn at(scheme: &str, address: &Address) -> String {
    format!("{scheme}://{address}")
}

/// The URL of a server at `address` with all else as in `url`.
fn beside(url: &str, address: &Address) -> String {
    let whole = at(&scheme(url), address);
    let Some((_, rest)) = url.split_once("://").filter(|(scheme, _)| scheme.starts_with("redis")) else { return whole };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let login = authority.rsplit_once('@').map(|(login, _)| format!("{login}@")).unwrap_or_default();
    format!("{}://{login}{address}{path}", scheme(url))
}

fn dial(make: impl Fn(&Address) -> Result<Target, WrongAddress> + 'static) -> Dial {
    Rc::new(make)
}

/// What the targets of one command have in common.
struct Options {
    connect_timeout: Duration,
    timeout: Duration,
    user: Option<String>,
    /// Asked for by an option: it comes before what a URL says.
    password: Option<String>,
    /// From the environment: it comes after that.
    default_password: Option<String>,
    /// For addresses that ask for TLS, with the option that says so.
    tls: Option<(&'static str, Tls)>,
    is_tls_given: bool,
}

impl Options {
    fn of(connection: &Connection) -> Result<Self, Failure> {
        Ok(Self {
            connect_timeout: connection.connect_timeout,
            timeout: connection.timeout,
            user: connection.user.clone(),
            password: asked_password(connection)?,
            default_password: text_of("RANKTOP_PASSWORD"),
            tls: tls_files(connection).map(|(option, files)| Ok((option, loaded(&files)?))).transpose()?,
            is_tls_given: connection.tls_given.0,
        })
    }

    /// The target at `url`, with the login in it and no other.
    fn target(&self, url: &str) -> Result<Target, WrongAddress> {
        let target = Target::new(url, self.connect_timeout, self.timeout)?;
        Ok(match &self.tls {
            Some((_, tls)) => target.with_tls(tls.clone()),
            None => target,
        })
    }

    /// Refuses what is said of TLS where none of the addresses asks for it.
    fn heed_tls(&self, targets: &[Target]) -> Result<(), Failure> {
        match self.tls {
            Some((option, _)) if self.is_tls_given && !targets.iter().any(Target::is_tls) => {
                Err(Failure::new(Exit::Usage, format!("'{option}' is of use to rediss:// only"))
                    .with_hint("write rediss:// in the URL for TLS, or leave the option out"))
            }
            _ => Ok(()),
        }
    }

    /// With the login that was given beside the URL.
    fn logged_in(&self, mut target: Target) -> Target {
        if let Some(user) = &self.user {
            target = target.with_user(user);
        }
        let default = self.default_password.as_ref().filter(|_| !target.has_password());
        match self.password.as_ref().or(default) {
            Some(password) => target.with_password(password),
            None => target,
        }
    }
}

/// What is said of TLS, and the first option that says it; `None` where none does.
fn tls_files(connection: &Connection) -> Option<(&'static str, TlsFiles)> {
    let Connection { tls_ca, tls_cert, tls_key, tls_insecure, .. } = connection;
    let given = [
        (tls_ca.is_some(), "--tls-ca"),
        (tls_cert.is_some(), "--tls-cert"),
        (tls_key.is_some(), "--tls-key"),
        (*tls_insecure, "--tls-insecure"),
    ];
    let (_, option) = given.into_iter().find(|(is_given, _)| *is_given)?;
    let identity = tls_cert.clone().zip(tls_key.clone());
    Some((option, TlsFiles { ca: tls_ca.clone(), identity, is_insecure: *tls_insecure }))
}

fn loaded(files: &TlsFiles) -> Result<Tls, Failure> {
    Tls::load(files).map_err(|error| {
        Failure::new(Exit::Usage, error.to_string())
            .with_hint("a file in PEM has parts that begin with a line such as '-----BEGIN CERTIFICATE-----'")
    })
}

fn asked_password(connection: &Connection) -> Result<Option<String>, Failure> {
    if let Some(path) = &connection.password_file {
        let text = fs::read_to_string(path).map_err(|error| {
            Failure::new(Exit::Usage, format!("cannot read the password from '{}': {error}", path.display()))
        })?;
        return Ok(Some(text.lines().next().unwrap_or_default().to_owned()));
    }
    if connection.ask_password {
        let asked = rpassword::prompt_password("Password: ");
        return asked
            .map(Some)
            .map_err(|error| Failure::new(Exit::Usage, format!("cannot ask for the password: {error}")));
    }
    Ok(None)
}

/// An environment variable that is set and not empty.
fn text_of(name: &str) -> Option<String> {
    env::var(name).ok().filter(|text| !text.is_empty())
}

/// The board that is named by its key or by its game.
pub fn board(given: Option<OsString>, which: &Which, order: Option<Order>) -> Result<Board, Failure> {
    let key = board_key::key(given, which)?.ok_or_else(no_board)?;
    Ok(templates(which, None).board(key, order.unwrap_or_default()))
}

/// The same, and where its names are.
pub fn board_with_names(
    given: Option<OsString>,
    which: &Which,
    order: Option<Order>,
    names: &NamesArgs,
) -> Result<(Board, NamesLocation), Failure> {
    let board = board(given, which, order)?;
    let names = templates(which, Some(names)).names(&board.key);
    Ok((board, names))
}

/// How scores and members are packed, once the parts to rank on are known to be there.
pub fn scoring(options: ScoringOptions) -> Result<ScoringOptions, Failure> {
    options.check().map_err(|error| {
        let text = error.to_string();
        let (what, hint) = text.split_once('\n').unwrap_or((&text, ""));
        Failure::new(Exit::Usage, format!("--rank-parts: {what}")).with_hint(hint)
    })?;
    Ok(options)
}

/// What is said where the arguments name no board.
pub fn no_board() -> Failure {
    Failure::new(Exit::Usage, "no board was named").with_hint(
        "name the key of a sorted set, or a game with --game: 'ranktop boards' lists the boards; or try 'ranktop demo'; \
         '--help' lists what there is",
    )
}

/// Where boards are, and what goes with them.
pub fn templates(which: &Which, names: Option<&NamesArgs>) -> Templates {
    let Companions { version_key, meta_key } = which.companions.clone();
    Templates {
        board: which.calendar.board_key.clone(),
        version: version_key,
        meta: meta_key,
        names: names.map_or_else(|| Templates::default().names, NamesArgs::template),
    }
}

/// How the viewer looks on this terminal.
pub fn look(watching: &Watching, color: Color, zone: &Zone) -> Result<Appearance, Failure> {
    let depth = depth(color);
    let theme = theme(watching.theme.as_deref().unwrap_or("default"), depth)?;
    let charset = if watching.ascii || !is_unicode() { Charset::Ascii } else { Charset::Utf8 };
    Ok(Appearance { theme, charset, zone: zone.time_zone() })
}

/// The built-in theme `name`, else the one in the file of this name.
fn theme(name: &str, depth: Depth) -> Result<Theme, Failure> {
    if let Some(theme) = Theme::named(name, depth) {
        return Ok(theme);
    }
    let text = fs::read_to_string(name).map_err(|error| {
        let known = format!("there are {}, or name a file", Theme::names().join(", "));
        let message = if Kind::NameOrPath.is_path(name) {
            format!("cannot read the theme '{name}': {error}")
        } else {
            format!("there is no theme '{name}'")
        };
        Failure::new(Exit::Usage, message).with_hint(known)
    })?;
    Theme::from_text(&text, depth)
        .map_err(|fault| Failure::new(Exit::Usage, format!("'{name}', {fault}")).with_hint(fault.hint))
}

/// How many colours there are to use.
fn depth(color: Color) -> Depth {
    let choice = match color {
        Color::Auto => ColorChoice::Auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    let (no_color, term, colorterm) = (text_of("NO_COLOR"), text_of("TERM"), text_of("COLORTERM"));
    Depth::detect(choice, no_color.as_deref(), term.as_deref(), colorterm.as_deref())
}

/// Whether a table on standard output has colours.
pub fn is_table_coloured(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => io::stdout().is_terminal() && depth(color) != Depth::None,
    }
}

/// Whether the locale says that text is UTF-8. Where it says nothing at all, as over some ssh connections and in
/// containers, it is taken for UTF-8.
fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(text_of);
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_may_hold_several_urls() {
        let split = |text: &str| split_urls(text);
        assert_eq!(split("redis://a:1"), ["redis://a:1"]);
        assert_eq!(split(" redis://a:1, rediss://b:2\tunix:///c,\n"), ["redis://a:1", "rediss://b:2", "unix:///c"]);
        assert_eq!(split("redis://a,redis://b"), ["redis://a", "redis://b"]);
        // A comma in a password and a blank in a path are no separators.
        assert_eq!(split("redis://:x,y@a redis://b"), ["redis://:x,y@a", "redis://b"]);
        assert_eq!(split("unix:///run/my redis,s"), ["unix:///run/my redis,s"]);
        assert_eq!(split(" , "), [""; 0]);
        assert_eq!(split("nonsense"), ["nonsense"]);
    }

    #[test]
    fn another_server_is_reached_as_the_first() {
        let address = Address { host: "10.0.0.2".to_owned(), port: 7 };
        for (url, wanted) in [
            ("redis://a", "redis://10.0.0.2:7"),
            ("rediss://me:p%40ss@a:1/3#insecure", "rediss://me:p%40ss@10.0.0.2:7/3#insecure"),
            ("redis://[::1]:6379/?protocol=resp3", "redis://10.0.0.2:7/?protocol=resp3"),
            ("unix:///run/redis.sock?db=1", "redis://10.0.0.2:7"),
        ] {
            assert_eq!(beside(url, &address), wanted);
        }
        assert_eq!(at("rediss", &Address { host: "::1".to_owned(), port: 7 }), "rediss://[::1]:7");
    }
}
