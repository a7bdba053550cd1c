//! How a board can be read here: what the server and the user's rights have been found to allow. A window needs the number
//! of rows and a range of them; everything else can be done without. It knows no server; it is what a source tells of
//! itself.

/// The command that runs a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScriptCommand {
    /// `EVAL_RO`: Redis 7.0 and later.
    EvalRo,
    /// `EVAL`, which is no read-only command.
    Eval,
}

impl ScriptCommand {
    /// As the server calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::EvalRo => "EVAL_RO",
            Self::Eval => "EVAL",
        }
    }

    /// What is tried next; `None`: reading without scripts.
    pub fn below(self) -> Option<Self> {
        match self {
            Self::EvalRo => Some(Self::Eval),
            Self::Eval => None,
        }
    }
}

/// What has been found to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is found out by itself")]
pub struct Capabilities {
    /// How scripts are run, where they are.
    pub scripts: Option<ScriptCommand>,
    /// Scripts run between `MULTI` and `EXEC`.
    pub scripts_in_transactions: bool,
    /// `MULTI` and `EXEC` work.
    pub transactions: bool,
    /// The version can be read.
    pub has_version: bool,
    /// The meta hash can be read.
    pub has_meta: bool,
    /// `PTTL` works.
    pub has_ttl: bool,
    /// `ZCOUNT`, `ZRANK` and `ZSCORE` work.
    pub has_lookups: bool,
}

impl Capabilities {
    /// What is tried first.
    pub const FULL: Self = Self {
        scripts: Some(ScriptCommand::EvalRo),
        scripts_in_transactions: true,
        transactions: true,
        has_version: true,
        has_meta: true,
        has_ttl: true,
        has_lookups: true,
    };

    /// All that works here or there.
    pub fn or(self, other: Self) -> Self {
        Self {
            // The read-only command is the lesser one, and none is greater than any.
            scripts: self.scripts.into_iter().chain(other.scripts).min(),
            scripts_in_transactions: self.scripts_in_transactions || other.scripts_in_transactions,
            transactions: self.transactions || other.transactions,
            has_version: self.has_version || other.has_version,
            has_meta: self.has_meta || other.has_meta,
            has_ttl: self.has_ttl || other.has_ttl,
            has_lookups: self.has_lookups || other.has_lookups,
        }
    }

    /// How pages are read, where that is not the best way, in a few words with what it costs.
    pub fn in_short(&self) -> Option<&'static str> {
        match (self.scripts, self.transactions) {
            (None, true) => Some("no scripts: two trips a page"),
            (None, false) => Some("no scripts, no transactions: two trips a page, unverified without a version"),
            (Some(_), inside) if inside && self.scripts_in_transactions => None,
            (Some(_), _) => Some("no transactions: one longer script a page"),
        }
    }

    /// What is missing, each as a sentence with what it costs; nothing where everything works.
    pub fn missing(&self) -> Vec<&'static str> {
        let strategy = match (self.scripts, self.transactions) {
            (None, true) => Some("no scripts: a page needs a second round trip when a tie continues past its edge"),
            (None, false) => Some(
                "no scripts and no transactions: a page may need two round trips; it is checked by comparing versions, or \
                 marked unverified",
            ),
            (Some(_), false) => Some("no transactions: each page is read by one longer script"),
            (Some(_), true) if !self.scripts_in_transactions => {
                Some("no scripts in transactions: each page is read by one longer script")
            }
            (Some(_), true) => None,
        };
        let eval =
            (self.scripts == Some(ScriptCommand::Eval)).then_some("no EVAL_RO (needs Redis 7.0): using EVAL instead");
        let version =
            (!self.has_version).then_some("no permission to read the version: changes are found by comparing rows");
        let meta =
            (!self.has_meta).then_some("no permission to read the meta hash: title, state and order are unknown");
        let ttl = (!self.has_ttl).then_some("no PTTL: the expiry is unknown; ACL SETUSER <user> +pttl allows it");
        let lookups = (!self.has_lookups).then_some(
            "no ZCOUNT, ZRANK or ZSCORE: ranks and places are searched for among the rows, in up to 7 trips",
        );
        [eval, strategy, version, meta, ttl, lookups].into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_that_is_missing_is_said() {
        let full = Capabilities::FULL;
        assert!(full.missing().is_empty());
        for (capabilities, said) in [
            (Capabilities { scripts: Some(ScriptCommand::Eval), ..full }, "no EVAL_RO"),
            (Capabilities { scripts: None, ..full }, "no scripts:"),
            (Capabilities { scripts_in_transactions: false, ..full }, "no scripts in transactions"),
            (Capabilities { transactions: false, ..full }, "no transactions"),
            (Capabilities { scripts: None, transactions: false, ..full }, "no scripts and no transactions"),
            (Capabilities { has_version: false, ..full }, "version"),
            (Capabilities { has_meta: false, ..full }, "meta hash"),
            (Capabilities { has_ttl: false, ..full }, "+pttl"),
            (Capabilities { has_lookups: false, ..full }, "ZCOUNT"),
        ] {
            let missing = capabilities.missing();
            assert!(missing.len() == 1 && missing[0].contains(said), "{missing:?}");
            assert_eq!(capabilities.or(full), full);
            let changes_strategy = said.starts_with("no scripts") || said.starts_with("no transactions");
            assert_eq!(capabilities.in_short().is_some(), changes_strategy, "{said}");
        }
    }

    #[test]
    fn scripts_are_given_up_step_by_step() {
        assert_eq!(ScriptCommand::EvalRo.below(), Some(ScriptCommand::Eval));
        assert_eq!(ScriptCommand::Eval.below(), None);
        let none = Capabilities { scripts: None, ..Capabilities::FULL };
        let eval = Capabilities { scripts: Some(ScriptCommand::Eval), ..none };
        assert_eq!((none.or(eval), eval.or(none)), (eval, eval));
    }
}
