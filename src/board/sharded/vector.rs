//! The versions of all parts as one version: compared for equality as a whole, shown as their sum. Two vectors with one sum
//! are two versions.

use super::super::version::Version;

/// What such a version begins with, and nobody's counter does.
pub const SIGN: &str = "Σ";
/// Between two parts.
const COMMA: u8 = b',';
/// In place of a part without a version.
const NONE: u8 = b'-';

/// The version of a board whose parts have these; `None` where none has one.
pub fn version_of(parts: &[Option<Version>]) -> Option<Version> {
    if parts.iter().all(Option::is_none) {
        return None;
    }
    let mut bytes = SIGN.as_bytes().to_vec();
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            bytes.push(COMMA);
        }
        match part {
            None => bytes.push(NONE),
            Some(version) => escape(version.as_bytes(), &mut bytes),
        }
    }
    Some(Version::from(bytes))
}

/// Each part's version as text, with what no counter has escaped; `None` where `version` is that of one sorted set.
pub fn parts_of(version: &Version) -> Option<Vec<Option<String>>> {
    let rest = version.as_bytes().strip_prefix(SIGN.as_bytes())?;
    let text = |part: &[u8]| (part != [NONE]).then(|| String::from_utf8_lossy(part).into_owned());
    Some(rest.split(|byte| *byte == COMMA).map(text).collect())
}

/// The sum of the parts' counters, with nothing for a part without one; `None` where one is no number.
pub fn sum(version: &Version) -> Option<i64> {
    parts_of(version)?.into_iter().flatten().try_fold(0_i64, |sum, part| sum.checked_add(part.parse().ok()?))
}

/// Letters and digits as they are, and all else so that no part can be taken for two.
fn escape(bytes: &[u8], out: &mut Vec<u8>) {
    let is_number = std::str::from_utf8(bytes).is_ok_and(|text| text.parse::<i64>().is_ok());
    for byte in bytes {
        if is_number || byte.is_ascii_alphanumeric() {
            out.push(*byte);
        } else {
            out.extend(format!("%{byte:02x}").as_bytes());
        }
    }
    if bytes.is_empty() {
        out.push(b'%');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_one_version_and_its_sum_is_a_number() {
        let of =
            |parts: &[Option<&str>]| version_of(&parts.iter().map(|part| part.map(Version::from)).collect::<Vec<_>>());
        let version = of(&[Some("41"), None, Some("-1")]).unwrap();
        assert_eq!(version, "Σ41,-,-1".into());
        assert_eq!(sum(&version), Some(40));
        assert_eq!(parts_of(&version).unwrap(), [Some("41".to_owned()), None, Some("-1".to_owned())]);
        assert_ne!(of(&[Some("1"), Some("2")]), of(&[Some("2"), Some("1")]), "compared as vectors");
        assert_ne!(of(&[Some(""), None]), of(&[None, Some("")]));
        let opaque = of(&[Some("a,b"), Some("-")]).unwrap();
        assert_eq!((opaque.as_bytes(), sum(&opaque)), ("Σa%2cb,%2d".as_bytes(), None));
        assert_eq!((of(&[None, None]), parts_of(&"41".into()), sum(&"41".into())), (None, None, None));
    }
}
