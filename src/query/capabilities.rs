//! How a board can be read here: what the server's release and the user's rights have been found to allow. It knows no
//! server; it is what a home tells of itself.

/// The ways of reading a page, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReadStrategy {
    /// `EVAL_RO` inside a transaction: Redis 7.0 and later.
    ReadOnlyScripts,
    /// `EVAL` inside a transaction: before 7.0.
    Scripts,
    /// A transaction without scripts.
    Transactions,
    /// A plain pipeline, checked by the version at both ends.
    Pipelines,
}

impl ReadStrategy {
    /// The next step down; the last one stays.
    pub fn below(self) -> Self {
        match self {
            Self::ReadOnlyScripts => Self::Scripts,
            Self::Scripts => Self::Transactions,
            _ => Self::Pipelines,
        }
    }
}

/// What has been found to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// How pages are read.
    pub means: ReadStrategy,
    /// The user may read the version.
    pub has_version: bool,
    /// The user may read the meta hash.
    pub has_meta: bool,
}

impl Capabilities {
    /// What is tried first.
    pub const FULL: Self = Self { means: ReadStrategy::ReadOnlyScripts, has_version: true, has_meta: true };

    /// What is missing, each as a sentence with what follows from it; nothing where everything works.
    pub fn missing(&self) -> Vec<&'static str> {
        let means = match self.means {
            ReadStrategy::ReadOnlyScripts => None,
            ReadStrategy::Scripts => Some("no EVAL_RO (needs Redis 7.0): using EVAL instead"),
            ReadStrategy::Transactions => {
                Some("no scripts: a page needs a second round trip when a tie continues past its edge")
            }
            ReadStrategy::Pipelines => {
                Some("no transactions: a page is checked by comparing versions, or marked unverified")
            }
        };
        let version =
            (!self.has_version).then_some("no permission to read the version: changes are found by comparing rows");
        let meta =
            (!self.has_meta).then_some("no permission to read the meta hash: title, state and order are unknown");
        [means, version, meta].into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thing_that_is_missing_is_said() {
        assert!(Capabilities::FULL.missing().is_empty());
        let mut means = ReadStrategy::ReadOnlyScripts;
        for said in ["EVAL_RO", "no scripts", "no transactions", "no transactions"] {
            means = means.below();
            let missing = Capabilities { means, ..Capabilities::FULL }.missing();
            assert!(missing.len() == 1 && missing[0].contains(said), "{missing:?}");
        }
        assert_eq!(Capabilities { means, has_version: false, has_meta: false }.missing().len(), 3);
    }
}
