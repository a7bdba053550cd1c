//! The word that was probably meant by one that is not known.

/// The one of `known` that is nearest to `word` by edit distance, unless none is near: a third of its letters may be
/// wrong. The cost is the product of the lengths, for each known word.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase().replace('_', "-");
    let distances = known.into_iter().map(|known| (strsim::damerau_levenshtein(&word, known), known));
    let near = distances.filter(|(distance, known)| *distance <= known.chars().count().max(3) / 3);
    near.min_by_key(|(distance, _)| *distance).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_strangers_are_not() {
        let known = ["order", "interval", "page-size", "rank-style"];
        for (word, meant) in [
            ("ordr", Some("order")),
            ("odrer", Some("order")),
            ("Interval", Some("interval")),
            ("page_size", Some("page-size")),
            ("rankstyle", Some("rank-style")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
    }
}
