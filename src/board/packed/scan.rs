//! Reading a notation sign by sign, with the column at hand for whoever has to refuse it.

use super::examples::{Example, nearest};
use super::number::{Number, literal};

/// A notation that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}\n  {}\n  {}^\nthe nearest example: {example}", text.replace(char::is_control, " "), " ".repeat(column - 1))]
pub struct SpecError {
    /// What is wrong.
    pub what: String,
    /// The notation as it was given.
    pub text: String,
    /// Where it is wrong: a character, from 1.
    pub column: usize,
    /// An example that is much like it.
    pub example: &'static str,
}

pub(super) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    examples: &'static [Example],
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, examples: &'static [Example]) -> Self {
        Self { text, at: 0, examples }
    }

    /// Where reading has come to, in bytes.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Goes past `token`, where it is next.
    pub(super) fn take(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        if is_next {
            self.at += token.len();
        }
        is_next
    }

    /// Goes past the signs that fit.
    pub(super) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|sign| !fits(sign)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A name: letters, digits and `_`, with no digit first.
    pub(super) fn name(&mut self) -> Result<String, SpecError> {
        let from = self.at;
        let name = self.take_while(|sign| sign.is_alphanumeric() || sign == '_');
        if name.is_empty() || name.starts_with(|sign: char| sign.is_numeric()) {
            return Err(self.wrong_at(from, "a name belongs here: letters, digits and '_'"));
        }
        Ok(name.to_owned())
    }

    /// A whole number: digits, `1e13` or `2^53`.
    pub(super) fn number(&mut self) -> Result<i64, SpecError> {
        let from = self.at;
        let Number { value, length } = literal(self.rest())
            .ok_or_else(|| self.wrong_at(from, "a whole number belongs here, such as 9999999999, 1e13 or 2^32"))?;
        self.at += length;
        value.ok_or_else(|| self.wrong_at(from, "this number is too large: at most 2^62"))
    }

    pub(super) fn wrong(&self, what: &str) -> SpecError {
        self.wrong_at(self.at, what)
    }

    pub(super) fn wrong_at(&self, at: usize, what: &str) -> SpecError {
        SpecError {
            what: what.to_owned(),
            text: self.text.to_owned(),
            column: self.text[..at].chars().count() + 1,
            example: nearest(self.text, self.examples),
        }
    }
}
