//! Writing the notation: a text that reads as the same again.

use std::fmt;

use super::{Part, Spec, Stored, Unit, Width, number};

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lead)?;
        // A unit of letters would run into the name.
        if matches!(self.unit, Unit::Moment(_) | Unit::Duration(_)) {
            f.write_str(" ")?;
        }
        write!(f, "{}", self.unit)?;
        for part in &self.parts {
            write!(f, "{}{part}", if part.is_fraction { '.' } else { ',' })?;
        }
        if self.offset != 0 {
            let sign = if self.offset < 0 { "-" } else { "" };
            write!(f, "@{sign}{}", number::text(self.offset.abs()))?;
        }
        Ok(())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.width)?;
        match self.stored {
            Stored::Bare => {}
            Stored::Subtracted => f.write_str("-")?,
            Stored::From(max) => write!(f, "={}-", number::text(max))?,
        }
        let is_word = matches!(self.unit, Unit::Moment(_) | Unit::Duration(_));
        if is_word && matches!((self.width, self.stored), (Width::Bits(_), Stored::Bare)) {
            f.write_str(" ")?;
        }
        write!(f, "{}", self.unit)
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Digits(digits) => write!(f, "{digits}"),
            Self::Bits(bits) => write!(f, "{bits}b"),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain => Ok(()),
            Self::Scale(scale) => write!(f, "/{scale}"),
            Self::Moment(tick) => f.write_str(tick.name()),
            Self::Duration(tick) => write!(f, "{}~", tick.name()),
        }
    }
}
