//! The words of a key: what stands between its colons and other marks. It knows no meaning of any word.

/// True for what is part of a word.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

/// The words of a key, with where each begins.
fn words(key: &[u8]) -> impl DoubleEndedIterator<Item = (usize, &[u8])> {
    let mut words = Vec::new();
    let mut from = 0;
    while from < key.len() {
        let length = key[from..].iter().take_while(|byte| is_of_word(**byte)).count();
        if length > 0 {
            words.push((from, &key[from..from + length]));
        }
        from += length + 1;
    }
    words.into_iter()
}

/// The key with the last word that is `word` replaced; none where it has no such word.
pub fn replace_word(key: &[u8], word: &[u8], by: &[u8]) -> Option<Vec<u8>> {
    let (at, _) = words(key).rfind(|(_, found)| *found == word)?;
    Some([&key[..at], by, &key[at + word.len()..]].concat())
}

/// The first word of a key; empty where it begins with a mark.
pub fn first_word(key: &[u8]) -> &[u8] {
    words(key).next().filter(|(at, _)| *at == 0).map_or(&[], |(_, word)| word)
}

/// Whether one of the words of a key is one of these, whatever the letter case.
pub fn has_word(key: &[u8], of: &[&str]) -> bool {
    words(key).any(|(_, word)| of.iter().any(|one| word.eq_ignore_ascii_case(one.as_bytes())))
}

/// The key without what follows its last colon; none where that is nothing or all.
pub fn parent(key: &[u8]) -> Option<&[u8]> {
    let colon = key.iter().rposition(|&byte| byte == b':')?;
    (colon > 0).then(|| &key[..colon])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_replaced_whole_and_the_last_of_them() {
        for (key, wanted) in [
            (
                "monkeytype:dailyleaderboard:scores:english:time:15:17",
                Some("monkeytype:dailyleaderboard:results:english:time:15:17"),
            ),
            ("scores", Some("results")),
            ("scores:a:scores", Some("scores:a:results")),
            ("high_scores", Some("high_results")),
            ("highscores", None),
            ("", None),
            (":::", None),
        ] {
            let replaced = replace_word(key.as_bytes(), b"scores", b"results");
            assert_eq!(replaced.as_deref(), wanted.map(str::as_bytes), "{key}");
        }
    }

    #[test]
    fn first_words_and_parents() {
        for (key, word, above) in [
            ("ctf:leaderboard", "ctf", Some("ctf")),
            ("REDIS_LEADERBOARD", "REDIS", None),
            ("{x}:y:z", "", Some("{x}:y")),
            (":x", "", None),
            ("", "", None),
        ] {
            assert_eq!(first_word(key.as_bytes()), word.as_bytes(), "{key}");
            assert_eq!(parent(key.as_bytes()), above.map(str::as_bytes), "{key}");
        }
        assert!(has_word(b"challenge:7:Fastest", &["fastest"]) && !has_word(b"timeline:x", &["time"]));
    }
}
