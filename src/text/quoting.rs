//! Arguments as people type them for `redis-cli`.

/// A key, a member or another argument as `redis-cli` reads it, on one line; past `longest` bytes it is cut and marked.
pub fn argument(bytes: &[u8], longest: usize) -> String {
    let cut = bytes.get(..longest).unwrap_or(bytes);
    let mark = if cut.len() < bytes.len() { "…" } else { "" };
    let is_plain = !cut.is_empty() && cut.iter().all(|byte| byte.is_ascii_graphic() && !b"\"'\\".contains(byte));
    if is_plain { format!("{}{mark}", cut.escape_ascii()) } else { format!("\"{}\"{mark}", cut.escape_ascii()) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
