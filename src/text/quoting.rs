//! Arguments as people type them for `redis-cli`.

/// A key, a member or another argument as `redis-cli` reads it, on one line; past `longest` bytes it is cut and marked.
pub fn argument(bytes: &[u8], longest: usize) -> String {
    let cut = bytes.get(..longest).unwrap_or(bytes);
    let mark = if cut.len() < bytes.len() { "…" } else { "" };
    let is_plain = !cut.is_empty() && cut.iter().all(|byte| byte.is_ascii_graphic() && !b"\"'\\".contains(byte));
    if is_plain { format!("{}{mark}", cut.escape_ascii()) } else { format!("\"{}\"{mark}", cut.escape_ascii()) }
}

/// An argument as a POSIX shell reads it. Bytes that are not UTF-8, and controls, stand in the form `$'…'` of bash, zsh and
/// ksh.
pub fn shell(bytes: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(byte);
    match std::str::from_utf8(bytes) {
        Ok(text) if !bytes.is_empty() && bytes.iter().all(is_plain) => text.to_owned(),
        Ok(text) if !text.chars().any(char::is_control) => format!("'{}'", text.replace('\'', r"'\''")),
        _ => format!("$'{}'", bytes.escape_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        for (bytes, quoted) in [
            (&b"lb:scores"[..], "lb:scores"),
            (b"lb:{spring}:2026-W41", "'lb:{spring}:2026-W41'"),
            (b"it's", r"'it'\''s'"),
            (b"", "''"),
            (b"a\n\xff", r"$'a\n\xff'"),
            ("ß".as_bytes(), "'ß'"),
        ] {
            assert_eq!(shell(bytes), quoted);
        }
    }

    #[test]
    fn plain_arguments_stand_as_they_are_and_others_are_quoted_and_cut() {
        for (bytes, shown) in [
            (&b"lb:{s}"[..], "lb:{s}"),
            (b"", r#""""#),
            (b"a b", r#""a b""#),
            (b"\xff\n", r#""\xff\n""#),
            (b"12345678", "12345678"),
            (b"123456789", "12345678…"),
        ] {
            assert_eq!(argument(bytes, 8), shown);
        }
    }
}
