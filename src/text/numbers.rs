//! Numbers as people read them: digits in groups. How a score becomes digits in the first place is not its business.

use std::time::Duration;

/// A time as people write it: `7 days`, `2 months 29 days`, `1h 30m`, `500ms`.
pub fn duration(time: Duration) -> String {
    let parts = humantime::format_duration(time).to_string();
    let spaced = parts.split(' ').map(|part| match part.find(|c: char| !c.is_ascii_digit()) {
        // Units that are words stand apart from their number.
        Some(at) if part.len() - at > 2 => format!("{} {}", &part[..at], &part[at..]),
        _ => part.to_owned(),
    });
    spaced.collect::<Vec<_>>().join(" ")
}

/// A count as people read it: `12,345`.
pub fn count(count: u64) -> String {
    group_digits(&count.to_string(), ',')
}

/// `number` with `separator` between each three digits before the decimal point. What is not a plain decimal (an
/// exponent, `inf`, a word) comes back as it is; so do the digits of the fraction.
pub fn group_digits(number: &str, separator: char) -> String {
    let digits = number.trim_start_matches(['+', '-']);
    let sign = &number[..number.len() - digits.len()];
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if sign.len() > 1 || !all_digits(whole) || !fraction.is_none_or(all_digits) {
        return number.to_owned();
    }
    let mut grouped = sign.to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    if let Some(fraction) = fraction {
        grouped.push('.');
        grouped.push_str(fraction);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_people_do() {
        for (ms, text) in [
            (500, "500ms"),
            (2_000, "2s"),
            (5_400_000, "1h 30m"),
            (604_800_000, "7 days"),
            (86_400_000, "1 day"),
            (7_776_000_000, "2 months 29 days 2h 52m 48s"),
        ] {
            assert_eq!(duration(Duration::from_millis(ms)), text);
        }
    }
}
