//! Looking for names where nobody has named their location, for commands that print rows: once for each of them.

use crate::board::entry::Member;
use crate::board::foreign::probe::{NameSearch, Outcome};
use crate::board::keys::Key;
use crate::board::names::NamesLocation;
use crate::store::BoardSource;

/// Where the names of these members, who are on the board `key`, were found; none where they were not. At most three round
/// trips. Whatever goes wrong on the way, the rows are what was asked for.
pub(super) async fn found<H: BoardSource>(
    home: &mut H,
    key: &Key,
    location: &NamesLocation,
    members: &[Member],
) -> Option<NamesLocation> {
    let NamesLocation::Hash(names) = location else { return None };
    let mut search = NameSearch::new(key.clone(), names.clone(), members, false);
    loop {
        let commands = search.next_step();
        if commands.is_empty() {
            break;
        }
        search.take(home.probe(&commands).await.ok()?);
    }
    match search.outcome() {
        Outcome::Found(found) => NamesLocation::found(found),
        _ => None,
    }
}
