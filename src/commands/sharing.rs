//! The options of a command that opens the same board on the same server, to be handed on. No password is ever among them.

use crate::board::template::{DEFAULT_META, DEFAULT_NAMES, DEFAULT_VERSION};
use crate::cli::{Companions, ReadConnection, ReadFrom, Reading};
use crate::text::quoting::shell;

/// The options, as a shell reads them, each with a space before it.
pub(super) fn options(connection: &ReadConnection, reading: &Reading) -> String {
    let mut words = Vec::new();
    let ReadConnection { connection, read_from } = connection;
    for url in &connection.url {
        words.extend(["-u".to_owned(), without_login(url)]);
    }
    if connection.cluster {
        words.push("--cluster".to_owned());
    }
    if let Some(name) = &connection.sentinel {
        words.extend(["--sentinel".to_owned(), name.clone()]);
    }
    if *read_from == ReadFrom::Replica {
        words.extend(["--read-from".to_owned(), "replica".to_owned()]);
    }
    let Companions { version_key, meta_key } = &reading.which.companions;
    let templates = [
        ("--version-key", version_key.to_string(), DEFAULT_VERSION),
        ("--meta-key", meta_key.to_string(), DEFAULT_META),
        ("--names-key", reading.naming.names.names_key.to_string(), DEFAULT_NAMES),
    ];
    for (option, value, default) in templates {
        if value != default {
            words.extend([option.to_owned(), value]);
        }
    }
    words.iter().flat_map(|word| [" ".to_owned(), shell(word.as_bytes())]).collect()
}

/// The URL without the user and the password in it.
fn without_login(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find('/').unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}://{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logins_are_left_out() {
        for (url, shown) in [
            ("redis://127.0.0.1:6379", "redis://127.0.0.1:6379"),
            ("rediss://ops:s%40cret@host:6380/2", "rediss://host:6380/2"),
            ("redis://:p@ss@host", "redis://host"),
            ("unix:///run/redis.sock", "unix:///run/redis.sock"),
        ] {
            assert_eq!(without_login(url), shown);
        }
    }
}
