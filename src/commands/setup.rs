//! From arguments and the environment to what a command works with: a server, a board, a look.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, IsTerminal};
use std::str::FromStr;

use super::exit::{Exit, Failure};
use super::game;
use crate::board::ask::Board;
use crate::board::names::NamesHome;
use crate::board::template::TemplateError;
use crate::board::templates::{NamesTemplate, Templates};
use crate::cli::{Color, Connection, Reading, Watching};
use crate::config::Kind;
use crate::store::redis::connect::Target;
use crate::store::redis::tls::{Tls, TlsFiles};
use crate::view::Look;
use crate::view::text::Charset;
use crate::view::theme::{ColorChoice, Depth, Theme};

/// Where a server is looked for when nothing says where it is.
const DEFAULT_ADDRESS: &str = "redis://127.0.0.1:6379";

/// The server that `connection` and the environment name.
pub fn target(connection: &Connection) -> Result<Target, Failure> {
    let address = connection.url.clone().or_else(|| text_of("RANKTOP_URL")).or_else(|| text_of("REDIS_URL"));
    let address = address.as_deref().unwrap_or(DEFAULT_ADDRESS);
    let mut target = Target::new(address, connection.connect_timeout, connection.timeout).map_err(|error| {
        Failure::new(Exit::Usage, error.to_string()).with_hint(
            "in a password write %23 %25 %2F %3A %3F %40 for # % / : ? @; RANKTOP_PASSWORD and --password-file take it \
             as it is",
        )
    })?;
    if let Some((option, files)) = tls_files(connection) {
        if !target.is_tls() {
            return Err(Failure::new(Exit::Usage, format!("'{option}' is of use to rediss:// only"))
                .with_hint("write rediss:// in the URL for TLS, or leave the option out"));
        }
        let tls = Tls::load(&files).map_err(|error| {
            Failure::new(Exit::Usage, error.to_string())
                .with_hint("a file in PEM has parts that begin with a line such as '-----BEGIN CERTIFICATE-----'")
        })?;
        target = target.with_tls(tls);
    }
    if let Some(user) = &connection.user {
        target = target.with_user(user);
    }
    // What was asked for by an option comes first, then what the address says, then the environment.
    if let Some(password) = asked_password(connection)? {
        target = target.with_password(&password);
    } else if let Some(password) = text_of("RANKTOP_PASSWORD")
        && !target.has_password()
    {
        target = target.with_password(&password);
    }
    Ok(target)
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

/// The board that is named by its key or by its game, and the home of its names, as `reading` says.
pub fn board(given: Option<OsString>, reading: &Reading) -> Result<(Board, NamesHome), Failure> {
    let key = game::key(given, &reading.which)?.ok_or_else(no_board)?;
    let templates = templates(reading)?;
    let names = templates.names(&key);
    Ok((templates.board(key, reading.order.unwrap_or_default()), names))
}

/// What is said where the arguments name no board.
pub fn no_board() -> Failure {
    Failure::new(Exit::Usage, "no board was named").with_hint(
        "name the key of a sorted set, or a game with --game: 'ranktop boards' lists the boards; or try 'ranktop demo'; \
         '--help' lists what there is",
    )
}

/// Where boards are, and what goes with them, as `reading` says.
pub fn templates(reading: &Reading) -> Result<Templates, Failure> {
    Ok(Templates {
        board: reading.which.board_key.clone(),
        version: wanted("--version-key", &reading.version_key)?,
        meta: wanted("--meta-key", &reading.meta_key)?,
        names: match &reading.name_of {
            Some(home) => NamesTemplate::Fixed(home.clone()),
            None => NamesTemplate::Hash(wanted("--names-key", &reading.names_key)?),
        },
    })
}

fn wanted<T: FromStr<Err = TemplateError>>(option: &str, template: &str) -> Result<T, Failure> {
    T::from_str(template).map_err(|error| {
        let text = error.to_string();
        let (what, hint) = text.split_once('\n').unwrap_or((&text, "write <board> or <base> in it"));
        Failure::new(Exit::Usage, format!("{option}: {what}")).with_hint(hint)
    })
}

/// How the viewer looks on this terminal.
pub fn look(reading: &Reading, watching: &Watching) -> Result<Look, Failure> {
    let depth = depth(reading.color);
    let theme = theme(watching.theme.as_deref().unwrap_or("default"), depth)?;
    let charset = if watching.ascii || !is_unicode() { Charset::Ascii } else { Charset::Utf8 };
    Ok(Look { theme, charset, zone: reading.which.tz.time_zone() })
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
