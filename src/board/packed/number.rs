//! Whole numbers as the notation writes them: `9999999999`, `1e13`, `2^53`.

/// The largest number that is read.
const MOST: i64 = 1 << 62;

pub(super) struct Number {
    /// None where it is too large.
    pub(super) value: Option<i64>,
    /// How many bytes it took.
    pub(super) length: usize,
}

/// The number that a text begins with. An `e` or `^` with no digit after it is not part of it.
pub(super) fn literal(text: &str) -> Option<Number> {
    let digits = |text: &str| text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
    let mantissa = digits(text);
    if mantissa == 0 {
        return None;
    }
    let mut value = text[..mantissa].parse::<i64>().ok();
    let mut length = mantissa;
    if let Some(sign @ ('e' | '^')) = text[mantissa..].chars().next() {
        let exponent = digits(&text[mantissa + 1..]);
        if exponent > 0 {
            length = mantissa + 1 + exponent;
            let power = text[mantissa + 1..length].parse::<u32>().ok();
            value = value.zip(power).and_then(|(value, power)| match sign {
                'e' => value.checked_mul(10_i64.checked_pow(power)?),
                _ => value.checked_pow(power),
            });
        }
    }
    Some(Number { value: value.filter(|value| *value <= MOST), length })
}

/// The shortest of the ways to write a number that is not negative.
pub(super) fn text(value: i64) -> String {
    let plain = value.to_string();
    let zeros = plain.len() - plain.trim_end_matches('0').len();
    if zeros >= 5 && zeros + 1 == plain.len() && plain.starts_with('1') {
        return format!("1e{zeros}");
    }
    if value >= 1 << 16 && value.count_ones() == 1 {
        return format!("2^{}", value.trailing_zeros());
    }
    plain
}
