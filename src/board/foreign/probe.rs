//! Where names may be that nobody named: which keys are tried, in which order, and what counts as found. At most three round
//! trips and 21 commands, each O(1).
//!
//! Two rules keep this harmless. A server logs what it refuses, so after the first refusal nothing more is tried. And members
//! are chosen by others: one that is called like some secret's key must not bring that key's text to the screen, so through
//! a member only named fields of hashes and of JSON are ever shown, never a bare string.

use super::name_path::NamePath;
use super::words::{first_word, parent, replace_word};
use crate::board::entry::Member;
use crate::board::keys::Key;

/// So many bytes of a string are looked at.
pub const BOUND: usize = 4_096;
/// So many members are asked about.
const MEMBERS: usize = 3;

/// One command of a probe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeCommand {
    /// `HMGET`.
    Fields(Key, Vec<Vec<u8>>),
    /// `GETRANGE` from the first byte on, [`BOUND`] of them.
    Start(Key),
}

/// What one command brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeReply {
    /// The values of the fields, or the one text.
    Values(Vec<Option<Vec<u8>>>),
    /// The key is of another type.
    WrongType,
    /// The user may not read the key, or not use the command.
    Refused,
    /// Any other error: as good as nothing.
    Failed,
}

/// Where names were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// In a hash beside the board: member -> name or JSON.
    Beside(Key),
    /// In fields of a hash for each member, whose key is the member between these two.
    Hashes(Pattern),
    /// In JSON strings, likewise.
    Strings(Pattern),
}

/// The key of a member: the member after a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(pub Vec<u8>);

impl Pattern {
    /// The key of `member`.
    pub fn of(&self, member: &[u8]) -> Key {
        [self.0.as_slice(), member].concat().into()
    }
}

/// How the search stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is more to try.
    Searching,
    /// Names were found.
    Found(Found),
    /// All has been tried in vain.
    Nothing,
    /// The server refused something, so that nothing more is tried.
    Refused,
}

/// A search for names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameSearch {
    board: Key,
    names: Key,
    members: Vec<Member>,
    step: u8,
    /// What was tried, in order: for whoever asks.
    tried: Vec<String>,
    sent: Vec<(ProbeCommand, Candidate)>,
    of_strings: Option<Pattern>,
    outcome: Outcome,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Candidate {
    Beside(Key),
    Of(Pattern),
}

impl NameSearch {
    /// A search for the names of the board `board`, whose first members are these. `names` is the key where names are looked
    /// for anyhow; where that was refused, there is nothing to try.
    pub fn new(board: Key, names: Key, members: &[Member], was_refused: bool) -> Self {
        let members: Vec<_> =
            members.iter().filter(|member| !member.as_bytes().is_empty()).take(MEMBERS).cloned().collect();
        let outcome = match (was_refused, members.is_empty()) {
            (true, _) => Outcome::Refused,
            (_, true) => Outcome::Nothing,
            _ => Outcome::Searching,
        };
        Self { board, names, members, step: 0, tried: Vec::new(), sent: Vec::new(), of_strings: None, outcome }
    }

    /// How it stands.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// What was tried, in order: a line for each round trip.
    pub fn tried(&self) -> &[String] {
        &self.tried
    }

    /// The commands of the next round trip, to be sent as one pipeline; none where the search is over.
    pub fn next_step(&mut self) -> Vec<ProbeCommand> {
        if self.outcome != Outcome::Searching {
            return Vec::new();
        }
        self.step += 1;
        let sent = match self.step {
            1 => self.beside(),
            2 => self.of_member(),
            _ => self
                .of_strings
                .iter()
                .map(|pattern| (ProbeCommand::Start(self.key_of(pattern)), Candidate::Of(pattern.clone())))
                .collect(),
        };
        if sent.is_empty() && self.step < 3 {
            return self.next_step();
        }
        if sent.is_empty() {
            self.outcome = Outcome::Nothing;
        } else {
            self.tried.push(told(&sent));
        }
        self.sent = sent;
        self.sent.iter().map(|(command, _)| command.clone()).collect()
    }

    /// Takes in the replies to the commands of [`NameSearch::next_step`], in their order.
    pub fn take(&mut self, replies: Vec<ProbeReply>) {
        let sent = std::mem::take(&mut self.sent);
        if self.outcome != Outcome::Searching {
            return;
        }
        if replies.contains(&ProbeReply::Refused) {
            self.outcome = Outcome::Refused;
            return;
        }
        let wanted = self.members.len().min(2);
        for ((command, candidate), reply) in sent.into_iter().zip(replies) {
            let is_string = matches!(command, ProbeCommand::Start(_));
            match (candidate, reply) {
                (Candidate::Beside(key), ProbeReply::Values(values)) => {
                    let values: Vec<_> = values.into_iter().flatten().collect();
                    if values.len() >= wanted && values.iter().all(|value| is_worth(value)) {
                        self.outcome = Outcome::Found(Found::Beside(key));
                        return;
                    }
                }
                (Candidate::Of(pattern), ProbeReply::Values(values)) if is_string => {
                    let value = values.into_iter().flatten().next().unwrap_or_default();
                    if NamePath::Known.of(&value).is_some() {
                        self.outcome = Outcome::Found(Found::Strings(pattern));
                        return;
                    }
                }
                (Candidate::Of(pattern), ProbeReply::Values(values))
                    if NamePath::Known.of_fields(&values).is_some() =>
                {
                    self.outcome = Outcome::Found(Found::Hashes(pattern));
                    return;
                }
                (Candidate::Of(pattern), ProbeReply::WrongType) if self.of_strings.is_none() => {
                    self.of_strings = Some(pattern);
                }
                _ => {}
            }
        }
        if self.step >= 3 {
            self.outcome = Outcome::Nothing;
        }
    }

    /// Hashes beside the board.
    fn beside(&self) -> Vec<(ProbeCommand, Candidate)> {
        let board = self.board.as_ref();
        let with = |suffix: &[u8]| Some([board, suffix].concat());
        let keys = [
            Some(self.names.as_ref().to_vec()),
            with(b":member_data"),
            Some(b"member_data".to_vec()),
            replace_word(board, b"scores", b"results"),
            replace_word(board, b"scores", b"users"),
            replace_word(board, b"scores", b"names"),
            parent(board).map(|parent| [parent, b":users"].concat()),
            with(b":users"),
            Some(b"user:profiles".to_vec()),
        ];
        let fields: Vec<Vec<u8>> = self.members.iter().map(|member| member.as_bytes().to_vec()).collect();
        let mut sent: Vec<(ProbeCommand, Candidate)> = Vec::new();
        for key in keys.into_iter().flatten().map(Key::from) {
            let candidate = Candidate::Beside(key.clone());
            if !sent.iter().any(|(_, other)| *other == candidate) {
                sent.push((ProbeCommand::Fields(key, fields.clone()), candidate));
            }
        }
        sent
    }

    /// Keys of the first member.
    fn of_member(&self) -> Vec<(ProbeCommand, Candidate)> {
        let board = self.board.as_ref();
        let word = first_word(board);
        let after_word = |text: &[u8]| Some([word, text].concat()).filter(|_| !word.is_empty());
        let prefixes = [
            Some(Vec::new()),
            Some(b"user:".to_vec()),
            Some(b"users:".to_vec()),
            Some(b"player:".to_vec()),
            Some(b"team:".to_vec()),
            Some([board, b":"].concat()),
            Some(b"leaderboard:".to_vec()),
            after_word(b":"),
            after_word(b":team:"),
            after_word(b":user:"),
            Some(b"player:meta:".to_vec()),
        ];
        let fields: Vec<Vec<u8>> = NamePath::Known.hash_fields().into_iter().map(String::into_bytes).collect();
        let mut sent: Vec<(ProbeCommand, Candidate)> = Vec::new();
        for pattern in prefixes.into_iter().flatten().map(Pattern) {
            let key = self.key_of(&pattern);
            let candidate = Candidate::Of(pattern);
            if key != self.board && !sent.iter().any(|(_, other)| *other == candidate) {
                sent.push((ProbeCommand::Fields(key, fields.clone()), candidate));
            }
        }
        sent
    }

    fn key_of(&self, pattern: &Pattern) -> Key {
        pattern.of(self.members.first().map_or(&b""[..], Member::as_bytes))
    }
}

/// True for what is a name, has one in it, or is at least an object that may be looked at.
fn is_worth(value: &[u8]) -> bool {
    NamePath::KnownOrText.of(value).is_some()
        || matches!(serde_json::from_slice(value), Ok(serde_json::Value::Object(_)))
}

fn told(sent: &[(ProbeCommand, Candidate)]) -> String {
    let keys: Vec<String> = sent
        .iter()
        .map(|(command, _)| match command {
            ProbeCommand::Fields(key, _) | ProbeCommand::Start(key) => key.as_ref().escape_ascii().to_string(),
        })
        .collect();
    let command = match sent.first() {
        Some((ProbeCommand::Start(_), _)) => "GETRANGE",
        _ => "HMGET",
    };
    format!("{command} {}", keys.join(", "))
}

impl Found {
    /// Which rule won, for people.
    pub fn told(&self) -> String {
        match self {
            Self::Beside(key) => format!("names from the hash {}", key.as_ref().escape_ascii()),
            Self::Hashes(pattern) => {
                format!("names from the hash {}<member>, its name field", pattern.0.escape_ascii())
            }
            Self::Strings(pattern) => format!("names from the JSON in {}<member>", pattern.0.escape_ascii()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// What a server has, as far as a probe can see it.
    #[derive(Default)]
    struct Server {
        hashes: HashMap<&'static str, Vec<(&'static str, &'static str)>>,
        strings: HashMap<&'static str, &'static str>,
        /// Only keys that begin like this may be read.
        allowed: Option<&'static str>,
    }

    impl Server {
        fn reply(&self, command: &ProbeCommand) -> ProbeReply {
            let (ProbeCommand::Fields(key, _) | ProbeCommand::Start(key)) = command;
            let key = std::str::from_utf8(key.as_ref()).unwrap();
            if self.allowed.is_some_and(|allowed| !key.starts_with(allowed)) {
                return ProbeReply::Refused;
            }
            match command {
                ProbeCommand::Fields(_, fields) => {
                    if self.strings.contains_key(key) {
                        return ProbeReply::WrongType;
                    }
                    let hash = self.hashes.get(key);
                    let value = |field: &Vec<u8>| {
                        hash?
                            .iter()
                            .find(|(name, _)| name.as_bytes() == field)
                            .map(|(_, value)| value.as_bytes().to_vec())
                    };
                    ProbeReply::Values(fields.iter().map(value).collect())
                }
                ProbeCommand::Start(_) => {
                    ProbeReply::Values(vec![self.strings.get(key).map(|text| text.as_bytes().to_vec())])
                }
            }
        }

        /// The outcome of a search, how many round trips and how many commands it took.
        fn search(&self, board: &str, members: &[&str]) -> (Outcome, usize, usize) {
            let members: Vec<Member> = members.iter().map(|member| (*member).into()).collect();
            let mut search = NameSearch::new(board.into(), format!("{board}:names").as_str().into(), &members, false);
            let (mut trips, mut commands) = (0, 0);
            loop {
                let next = search.next_step();
                if next.is_empty() {
                    break;
                }
                (trips, commands) = (trips + 1, commands + next.len());
                search.take(next.iter().map(|command| self.reply(command)).collect());
            }
            assert_eq!(search.tried().len(), trips);
            assert_ne!(*search.outcome(), Outcome::Searching);
            (search.outcome().clone(), trips, commands)
        }
    }

    fn found(outcome: &Outcome) -> String {
        match outcome {
            Outcome::Found(found) => found.told(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn homes_of_names_that_are_in_use() {
        let json = r#"{"name": "Player 2", "country": "DE"}"#;
        for (board, key, fields, wanted) in [
            (
                "highscores",
                "highscores:member_data",
                vec![("m1", json), ("m2", json)],
                "names from the hash highscores:member_data",
            ),
            ("highscores", "member_data", vec![("m1", "Ada"), ("m2", "Grace")], "names from the hash member_data"),
            ("a:scores:en:1", "a:results:en:1", vec![("m1", json), ("m2", json)], "names from the hash a:results:en:1"),
            (
                "leaderboard:scores",
                "leaderboard:users",
                vec![("m1", "Ada"), ("m3", "Grace")],
                "names from the hash leaderboard:users",
            ),
            ("2026-01-01", "user:profiles", vec![("m1", "Ada"), ("m2", "Grace")], "names from the hash user:profiles"),
            (
                "contest",
                "contest:member_data",
                vec![("m1", r#"{"solved": 3}"#), ("m2", r#"{"solved": 2}"#)],
                "names from the hash contest:member_data",
            ),
            (
                "REDIS_LEADERBOARD",
                "leaderboard:m1",
                vec![("company", "Apple")],
                "names from the hash leaderboard:<member>, its name field",
            ),
            ("REDIS_LEADERBOARD", "m1", vec![("company", "Apple")], "names from the hash <member>, its name field"),
            (
                "ctf:leaderboard",
                "ctf:team:m1",
                vec![("teamName", "x")],
                "names from the hash ctf:team:<member>, its name field",
            ),
            (
                "leaderboard:averageRating",
                "leaderboard:averageRating:m1",
                vec![("firstName", "Ada")],
                "names from the hash leaderboard:averageRating:<member>, its name field",
            ),
            ("x", "x:member_data", vec![("m1", "Ada")], "Nothing"),
            ("x", "x:member_data", vec![("m1", "1"), ("m2", "2")], "Nothing"),
            ("x", "user:m1", vec![("password", "p")], "Nothing"),
        ] {
            let server = Server { hashes: HashMap::from([(key, fields)]), ..Server::default() };
            let (outcome, trips, commands) = server.search(board, &["m1", "m2", "m3", "m4"]);
            assert_eq!(found(&outcome), wanted, "{board} {key}");
            assert!(trips <= 3 && commands <= 21, "{trips} {commands}");
        }
    }

    #[test]
    fn json_strings_are_found_through_a_member_and_bare_ones_never() {
        let with = |key, text| Server { strings: HashMap::from([(key, text)]), ..Server::default() };
        let (outcome, trips, commands) = with("user:m1", r#"{"name": "Ada", "mail": "x"}"#).search("x", &["m1"]);
        assert_eq!(found(&outcome), "names from the JSON in user:<member>");
        assert!(trips == 3 && commands <= 21);
        for secret in ["hunter2", "\"hunter2\"", "[\"hunter2\"]", r#"{"password": "hunter2"}"#] {
            let (outcome, ..) = with("api:token", secret).search("x", &["api:token", "b"]);
            assert_eq!(outcome, Outcome::Nothing, "{secret}");
        }
    }

    #[test]
    fn nothing_is_tried_after_a_refusal() {
        let server = Server { allowed: Some("x"), ..Server::default() };
        assert_eq!(server.search("x", &["m1", "m2"]).0, Outcome::Refused);
        assert_eq!(server.search("x", &["m1", "m2"]).1, 1);
        let mut search = NameSearch::new("x".into(), "x:names".into(), &["m1".into()], true);
        assert!(search.next_step().is_empty() && *search.outcome() == Outcome::Refused);
    }

    #[test]
    fn a_board_of_nobody_has_nothing_to_try() {
        assert_eq!(Server::default().search("x", &[]), (Outcome::Nothing, 0, 0));
        assert_eq!(Server::default().search("x", &[""]), (Outcome::Nothing, 0, 0));
        let (outcome, trips, commands) = Server::default().search("a:scores", &["m1", "m2", "m3"]);
        assert_eq!((outcome, trips), (Outcome::Nothing, 2));
        assert!(commands <= 20);
    }
}
