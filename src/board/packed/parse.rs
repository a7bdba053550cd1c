//! Reading the notation of packed scores:
//!
//! ```text
//! SPEC = LEAD { ("," | ".") PART } [ "@" OFFSET ]
//! LEAD = NAME [ UNIT ]
//! PART = NAME ":" WIDTH [ "b" ] [ "-" | "=" MAX "-" ] [ UNIT ]
//! UNIT = "s" | "ms" | "us" | "s~" | "ms~" | "us~" | "/" NUMBER
//! ```
//!
//! Spaces may stand between any two of these.

use std::str::FromStr;

use super::examples::EXAMPLES;
use super::scan::Scanner;
use super::{Part, Spec, Stored, Tick, Unit, Width};

pub use super::scan::SpecError;

/// Every whole number up to here is a double.
const EXACT: u64 = 1 << 53;

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut scanner = Scanner::new(text, &EXAMPLES);
        scanner.skip_spaces();
        let lead = scanner.name()?;
        let unit = unit(&mut scanner)?;
        let mut spec = Self { lead, unit, parts: Vec::new(), offset: 0 };
        loop {
            scanner.skip_spaces();
            let from = scanner.at();
            let is_fraction = scanner.take(".");
            if !is_fraction && !scanner.take(",") {
                break;
            }
            scanner.skip_spaces();
            let name = scanner.at();
            let part = part(&mut scanner, is_fraction)?;
            if let Some(what) = misfit(&spec, &part) {
                let at = if what == TWICE { name } else { from };
                return Err(scanner.wrong_at(at, what));
            }
            spec.parts.push(part);
        }
        if scanner.take("@") {
            scanner.skip_spaces();
            let from = scanner.at();
            let sign = if scanner.take("-") { -1 } else { 1 };
            spec.offset = sign * scanner.number()?;
            if spec.offset.unsigned_abs() > EXACT {
                return Err(scanner.wrong_at(from, "an offset is at most 2^53, for larger numbers are no exact scores"));
            }
            scanner.skip_spaces();
        }
        if !scanner.rest().is_empty() {
            return Err(scanner.wrong("',' or '.' and a part, '@' and an offset, or the end belongs here"));
        }
        Ok(spec)
    }
}

const TWICE: &str = "this name is taken: parts are told apart by their names";

/// Why a part cannot follow those before it.
fn misfit(spec: &Spec, part: &Part) -> Option<&'static str> {
    let product = |is_fraction: bool| {
        let of_kind = spec.parts.iter().chain([part]).filter(|part| part.is_fraction == is_fraction);
        of_kind.fold(1_u64, |product, part| product.saturating_mul(part.width.size()))
    };
    let is_subtracted = |part: &Part| part.stored == Stored::Subtracted;
    if spec.names().any(|name| name == part.name) {
        Some(TWICE)
    } else if !part.is_fraction && spec.parts.iter().any(|part| part.is_fraction) {
        Some("a part of the whole number cannot come after one of the fraction")
    } else if product(false) > EXACT || product(true) > EXACT {
        Some("this part has no room: a score holds 53 bits, which is 15 digits")
    } else if spec.parts.first().is_some_and(|first| is_subtracted(first) != is_subtracted(part)) {
        Some("either all parts are subtracted with '-' or none is")
    } else {
        None
    }
}

fn part(scanner: &mut Scanner<'_>, is_fraction: bool) -> Result<Part, SpecError> {
    let name = scanner.name()?;
    scanner.skip_spaces();
    if !scanner.take(":") {
        return Err(scanner.wrong("':' and a width belong here, such as ':10' for digits or ':26b' for bits"));
    }
    scanner.skip_spaces();
    let width = width(scanner)?;
    scanner.skip_spaces();
    let stored = stored(scanner)?;
    Ok(Part { name, is_fraction, width, stored, unit: unit(scanner)? })
}

/// A number of digits, or of bits with a `b`.
pub(super) fn width(scanner: &mut Scanner<'_>) -> Result<Width, SpecError> {
    let from = scanner.at();
    let digits = scanner.take_while(|sign| sign.is_ascii_digit());
    if digits.is_empty() {
        return Err(scanner.wrong_at(from, "a width belongs here: digits, such as 10, or bits, such as 26b"));
    }
    let (most, is_bits) = if scanner.take("b") { (53, true) } else { (15, false) };
    let size = digits.parse().ok().filter(|size| (1..=most).contains(size));
    let size = size.ok_or_else(|| scanner.wrong_at(from, "a part is 1 to 15 digits or 1 to 53 bits wide"))?;
    Ok(if is_bits { Width::Bits(size) } else { Width::Digits(size) })
}

/// `-`, or `=`, a number and `-`, or neither.
pub(super) fn stored(scanner: &mut Scanner<'_>) -> Result<Stored, SpecError> {
    if scanner.take("-") {
        return Ok(Stored::Subtracted);
    }
    if !scanner.take("=") {
        return Ok(Stored::Bare);
    }
    scanner.skip_spaces();
    let max = scanner.number()?;
    scanner.skip_spaces();
    if !scanner.take("-") {
        return Err(scanner.wrong("'-' belongs here: '=MAX-' says that MAX minus the value is stored"));
    }
    Ok(Stored::From(max))
}

/// How a number is to be read; plain where nothing is said.
pub(super) fn unit(scanner: &mut Scanner<'_>) -> Result<Unit, SpecError> {
    scanner.skip_spaces();
    if scanner.take("/") {
        scanner.skip_spaces();
        let from = scanner.at();
        let scale = scanner.number()?;
        let wrong = || scanner.wrong_at(from, "a scale is a power of ten, from 10 to 1000000000");
        let scale = u32::try_from(scale).ok().filter(|scale| is_power_of_ten(*scale)).ok_or_else(wrong)?;
        return Ok(Unit::Scale(scale));
    }
    let from = scanner.at();
    let word = scanner.take_while(char::is_alphanumeric);
    let tick = match word {
        "" => return Ok(Unit::Plain),
        "s" => Tick::Second,
        "ms" => Tick::Millisecond,
        "us" => Tick::Microsecond,
        _ => {
            return Err(scanner.wrong_at(
                from,
                "a unit belongs here: s, ms or us for moments, s~, ms~ or us~ for durations, /100 for a scale",
            ));
        }
    };
    Ok(if scanner.take("~") { Unit::Duration(tick) } else { Unit::Moment(tick) })
}

fn is_power_of_ten(scale: u32) -> bool {
    (1..=9).any(|power| 10_u32.pow(power) == scale)
}
