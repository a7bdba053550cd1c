//! The words by which a server says why it will not run a command: what each means, what can be done about it, and
//! whether it passes by itself. What else stands in a reply is not its concern.

/// The first word of a refusal, where it is one that is known. Those of a wrong login, a missing right and a wrong type
/// are troubles of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each has its sentence in the table")]
pub enum ServerErrorCode {
    Loading,
    MasterDown,
    Busy,
    ClusterDown,
    TryAgain,
    Clients,
    NoReplicas,
    OutOfMemory,
    ReadOnly,
    Misconf,
    CrossSlot,
    Moved,
    Asking,
    ExecAbort,
    UnknownCommand,
}

/// What is known of a word.
struct Meaning {
    word: ServerErrorCode,
    /// As the server writes it.
    code: &'static str,
    /// What follows the code, where the code alone does not tell.
    start: &'static str,
    /// What is the matter.
    sentence: &'static str,
    /// What the operator can do.
    hint: &'static str,
    is_passing: bool,
}

const fn meaning(
    word: ServerErrorCode,
    code: &'static str,
    is_passing: bool,
    sentence: &'static str,
    hint: &'static str,
) -> Meaning {
    Meaning { word, code, start: "", sentence, hint, is_passing }
}

/// The codes are those of Redis 7.0 (`server.c`, `shared` objects) and of Redis Cluster's specification.
const MEANINGS: [Meaning; 15] = [
    meaning(
        ServerErrorCode::Loading,
        "LOADING",
        true,
        "the server is loading its data after a restart",
        "wait until it has loaded; 'INFO persistence' shows the progress",
    ),
    meaning(
        ServerErrorCode::MasterDown,
        "MASTERDOWN",
        true,
        "the replica has lost its primary and refuses to serve stale data",
        "connect to the primary, or check why the replica cannot connect",
    ),
    meaning(
        ServerErrorCode::Busy,
        "BUSY",
        true,
        "the server is busy running a script",
        "SCRIPT KILL stops a script that has not written anything, FUNCTION KILL a function",
    ),
    meaning(
        ServerErrorCode::ClusterDown,
        "CLUSTERDOWN",
        true,
        "the cluster is down",
        "a cluster works again once every slot has a primary; see CLUSTER INFO",
    ),
    meaning(
        ServerErrorCode::TryAgain,
        "TRYAGAIN",
        true,
        "the board's slot is moving to another node",
        "wait until the slot has moved",
    ),
    Meaning {
        word: ServerErrorCode::Clients,
        code: "ERR",
        start: "max number of clients",
        sentence: "the server's client limit is reached",
        hint: "disconnect other clients, or raise 'maxclients'",
        is_passing: true,
    },
    meaning(
        ServerErrorCode::NoReplicas,
        "NOREPLICAS",
        true,
        "the server refuses writes because too few replicas are connected",
        "check the replicas; 'min-replicas-to-write' sets how many are needed",
    ),
    meaning(
        ServerErrorCode::OutOfMemory,
        "OOM",
        true,
        "the server is out of memory",
        "free memory on the server, or raise 'maxmemory'",
    ),
    meaning(
        ServerErrorCode::ReadOnly,
        "READONLY",
        false,
        "the server is a read-only replica",
        "give the primary with --url, or let --sentinel or --cluster find it",
    ),
    meaning(
        ServerErrorCode::Misconf,
        "MISCONF",
        false,
        "the server refuses writes because it cannot save to disk",
        "see the server's log: the disk may be full or the directory not writable",
    ),
    meaning(
        ServerErrorCode::CrossSlot,
        "CROSSSLOT",
        false,
        "the board's keys are in different slots of the cluster",
        "a hash tag keeps a board's keys in one slot, as in 'lb:{spring}:2026-W41'; see --version-key and --meta-key",
    ),
    meaning(
        ServerErrorCode::Moved,
        "MOVED",
        false,
        "the board is on another node of the cluster",
        "use --cluster to find the node, or give its address from CLUSTER SLOTS",
    ),
    meaning(
        ServerErrorCode::Asking,
        "ASK",
        false,
        "the board is moving to another node of the cluster",
        "try again once the slot has moved; --cluster then finds the node",
    ),
    meaning(
        ServerErrorCode::ExecAbort,
        "EXECABORT",
        false,
        "the server aborted the transaction",
        "README lists the permissions that a reader needs",
    ),
    Meaning {
        word: ServerErrorCode::UnknownCommand,
        code: "ERR",
        start: "unknown command",
        sentence: "the server does not know this command",
        hint: "ranktop needs Redis 5.0 or later, or a compatible server, with no command renamed",
        is_passing: false,
    },
];

impl ServerErrorCode {
    /// Every word that is known.
    pub fn all() -> impl Iterator<Item = Self> {
        MEANINGS.iter().map(|meaning| meaning.word)
    }

    /// The word of a reply that begins with `code` and goes on with `details`, where it is one of these.
    pub fn read(code: &str, details: &str) -> Option<Self> {
        MEANINGS.iter().find(|known| known.code == code && details.starts_with(known.start)).map(|known| known.word)
    }

    /// As the server writes it.
    pub fn code(self) -> &'static str {
        self.meaning().code
    }

    /// What is the matter, in lower case, without a stop.
    pub fn sentence(self) -> &'static str {
        self.meaning().sentence
    }

    /// What the operator can do about it.
    pub fn hint(self) -> &'static str {
        self.meaning().hint
    }

    /// True where it may pass without anybody doing anything about it.
    pub fn is_passing(self) -> bool {
        self.meaning().is_passing
    }

    fn meaning(self) -> &'static Meaning {
        // Declared in the order of the table.
        &MEANINGS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_stands_in_its_place_and_is_read_back() {
        for (at, known) in MEANINGS.iter().enumerate() {
            assert_eq!(known.word as usize, at, "{}", known.code);
            assert_eq!(ServerErrorCode::read(known.code, known.start), Some(known.word));
            assert_eq!((known.word.code(), known.word.sentence()), (known.code, known.sentence));
        }
        assert_eq!(ServerErrorCode::read("ERR", "syntax error"), None);
        assert_eq!(ServerErrorCode::read("WHATEVER", ""), None);
    }

    #[test]
    fn texts_are_in_the_house_style() {
        for word in ServerErrorCode::all() {
            for text in [word.sentence(), word.hint()] {
                assert!(!text.ends_with('.') && !text.contains('\n') && !text.contains("  "), "{text}");
                assert!(text.chars().count() < 130, "{text}");
            }
            assert!(word.sentence().starts_with(char::is_lowercase), "{}", word.sentence());
        }
    }
}
