//! What a command that writes would do, as commands that redis-cli takes: one a line, each word quoted where it must be.
//! It sends nothing.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use crate::exit::{Exit, Failure, forgive_closed_pipe};

/// Prints `commands`, and to standard error that they were not sent.
pub(super) fn print(commands: &[&[&[u8]]], what_else: &str) -> Result<u8, Failure> {
    let text: String = commands.iter().map(|words| line(words) + "\n").collect();
    // The commands are what was asked for; a remark that cannot be made changes nothing about them.
    let _ = writeln!(io::stderr().lock(), "dry run: nothing was sent; {what_else}");
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    forgive_closed_pipe(written)
        .map_err(|error| Failure::new(Exit::Failed, format!("cannot write the commands: {error}")))?;
    Ok(Exit::Done.code())
}

fn line(words: &[&[u8]]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A word by the quoting rules of redis-cli, in ASCII.
fn quoted(word: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+.,:;/@%<>(){}[]".contains(byte);
    if !word.is_empty() && word.iter().all(is_plain) {
        return word.iter().copied().map(char::from).collect();
    }
    let mut text = String::from('"');
    for &byte in word {
        match byte {
            b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
            b' '..=b'~' => text.push(char::from(byte)),
            // Writing to a text cannot fail.
            _ => _ = write!(text, "\\x{byte:02x}"),
        }
    }
    text.push('"');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_redis_cli_reads_them() {
        for (word, shown) in [
            (&b"lb:{spring}:2026-W41"[..], "lb:{spring}:2026-W41"),
            (b"", r#""""#),
            (b"a b", r#""a b""#),
            (br#"a"\'"#, r#""a\"\\'""#),
            (b"\xff\0\n", r#""\xff\x00\x0a""#),
            ("ё".as_bytes(), r#""\xd1\x91""#),
        ] {
            assert_eq!(quoted(word), shown);
        }
        assert_eq!(line(&[b"ZADD", b"b", b"1", b"it's"]), r#"ZADD b 1 "it's""#);
    }
}
