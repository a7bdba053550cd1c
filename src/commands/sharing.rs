//! The options of a command that opens the same board on the same server, to be handed on. No password is ever among them.

use super::setup;
use crate::board::packed::RankParts;
use crate::board::template::{DEFAULT_META, DEFAULT_NAMES, DEFAULT_VERSION};
use crate::cli::{Companions, ReadConnection, ReadFrom, Reading};
use crate::text::quoting::shell;

/// The options, as a shell reads them, each with a space before it.
pub(super) fn options(connection: &ReadConnection, reading: &Reading) -> String {
    let mut words = Vec::new();
    let ReadConnection { connection, read_from } = connection;
    let urls = setup::urls(connection);
    if urls != [setup::DEFAULT_ADDRESS] {
        words.extend(urls.iter().flat_map(|url| ["-u".to_owned(), without_login(url)]));
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
    let files =
        [("--tls-ca", &connection.tls_ca), ("--tls-cert", &connection.tls_cert), ("--tls-key", &connection.tls_key)];
    for (option, file) in files {
        if let Some(file) = file {
            words.extend([option.to_owned(), file.to_string_lossy().into_owned()]);
        }
    }
    if connection.tls_insecure {
        words.push("--tls-insecure".to_owned());
    }
    let shards = reading.which.shards.map(|shards| shards.to_string());
    let parts = (reading.packing.rank_parts != RankParts::default()).then(|| reading.packing.rank_parts.to_string());
    let options = [
        ("--shards", shards),
        ("--score", reading.packing.score.as_ref().map(ToString::to_string)),
        ("--rank-parts", parts),
        ("--member", reading.naming.member_spec.as_ref().map(ToString::to_string)),
        ("--name-of", reading.naming.names.name_of.as_ref().map(ToString::to_string)),
    ];
    for (option, value) in options {
        words.extend(value.into_iter().flat_map(|value| [option.to_owned(), value]));
    }
    let Companions { version_key, meta_key } = &reading.which.companions;
    let templates = [
        ("--version-key", version_key.to_string(), DEFAULT_VERSION),
        ("--meta-key", meta_key.to_string(), DEFAULT_META),
        ("--names-key", reading.naming.names.names_key.to_string(), DEFAULT_NAMES),
    ];
    for (option, value, default) in templates {
        // Another way to the names takes the place of their key.
        if value != default && !(option == "--names-key" && reading.naming.names.name_of.is_some()) {
            words.extend([option.to_owned(), value]);
        }
    }
    words.iter().flat_map(|word| [" ".to_owned(), shell(word.as_bytes())]).collect()
}

/// The URL without the user and the password in it. What may be a part of a password is left out.
fn without_login(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return String::new() };
    let place = if scheme == "unix" { rest } else { rest.rsplit_once('@').map_or(rest, |(_, place)| place) };
    let (place, parameters) = place.split_once('?').unwrap_or((place, ""));
    let is_public = |pair: &&str| ["db=", "protocol="].iter().any(|name| pair.starts_with(name));
    let parameters: Vec<&str> = parameters.split('&').filter(is_public).collect();
    let sign = if parameters.is_empty() { "" } else { "?" };
    format!("{scheme}://{place}{sign}{}", parameters.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    use crate::cli::Cli;

    #[test]
    fn what_leads_to_the_same_page_is_handed_on() {
        for (line, wanted) in [
            ("ranktop b -u redis://127.0.0.1:6379", ""),
            ("ranktop b -u redis://ops:s3cret@h --user ops --password-file f", " -u redis://h"),
            (
                "ranktop b -u redis://h --score points,time:10=9999999999-s --rank-parts all",
                " -u redis://h --score points,time:10=9999999999-s --rank-parts all",
            ),
            (
                "ranktop b -u redis://h --name-of hash:user:<member>:name",
                " -u redis://h --name-of 'hash:user:<member>:name'",
            ),
            ("ranktop b -u redis://h --names-key k --version-key v", " -u redis://h --version-key v --names-key k"),
            (
                "ranktop b -u rediss://h --tls-ca ca.pem --tls-cert c.pem --tls-key k.pem",
                " -u rediss://h --tls-ca ca.pem --tls-cert c.pem --tls-key k.pem",
            ),
            ("ranktop b -u rediss://h --tls-insecure --shards 4", " -u rediss://h --tls-insecure --shards 4"),
        ] {
            let cli = Cli::try_parse_from(line.split(' ')).unwrap();
            assert_eq!(options(&cli.watch.connection, &cli.watch.reading), wanted, "{line}");
        }
    }

    #[test]
    fn logins_are_left_out() {
        for (url, shown) in [
            ("redis://127.0.0.1:6379", "redis://127.0.0.1:6379"),
            ("rediss://ops:s%40cret@host:6380/2", "rediss://host:6380/2"),
            ("redis://:p@ss@host", "redis://host"),
            ("redis://:p/a?s@s@host:1/3?protocol=resp3", "redis://host:1/3?protocol=resp3"),
            ("unix:///run/a@b.sock?db=2&user=ops&pass=s3cret", "unix:///run/a@b.sock?db=2"),
            ("unix:///run/redis.sock", "unix:///run/redis.sock"),
        ] {
            assert_eq!(without_login(url), shown);
        }
    }
}
