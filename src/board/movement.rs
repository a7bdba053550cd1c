//! Movement: where the members of a page stood at the last read.

use std::collections::HashMap;

use super::entry::Member;
use super::window::Window;

/// How a member's position changed since the read before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Movement {
    /// It stands higher, by so many positions.
    Up(u64),
    /// It stands lower, by so many positions.
    Down(u64),
    /// It was not on this page at the read before.
    New,
}

/// The movement of each member of `now` that moved; members that kept their position are left out. Somebody who was
/// not in `before` is new only where both windows begin at the same position and `before` reached as far: elsewhere
/// nobody's former position is known. O(rows).
pub fn movements(before: &Window, now: &Window) -> HashMap<Member, Movement> {
    let stood: HashMap<&Member, u64> =
        before.entries.iter().enumerate().map(|(index, entry)| (&entry.member, before.position(index))).collect();
    let was_shown = |position| before.start == now.start && (position <= before.end() || before.is_last());
    let mut moved = HashMap::new();
    for (index, entry) in now.entries.iter().enumerate() {
        let position = now.position(index);
        let movement = match stood.get(&entry.member) {
            Some(&old) if old > position => Movement::Up(old - position),
            Some(&old) if old < position => Movement::Down(position - old),
            None if was_shown(position) => Movement::New,
            _ => continue,
        };
        moved.insert(entry.member.clone(), movement);
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::entry::Entry;
    use crate::board::order::Order;
    use crate::board::score::Score;

    fn window(start: u64, total: u64, members: &[&str]) -> Window {
        let score = Score::new(1.0).unwrap();
        Window {
            start,
            total,
            entries: members.iter().map(|member| Entry::new(*member, score)).collect(),
            ..Window::nothing(Order::Desc)
        }
    }

    #[test]
    fn up_down_new_and_unmoved() {
        let moved = movements(&window(1, 9, &["a", "b", "c"]), &window(1, 9, &["b", "a", "x"]));
        assert_eq!(moved.get(&"b".into()), Some(&Movement::Up(1)));
        assert_eq!(moved.get(&"a".into()), Some(&Movement::Down(1)));
        assert_eq!(moved.get(&"x".into()), Some(&Movement::New));
        assert!(movements(&window(1, 9, &["a"]), &window(1, 9, &["a"])).is_empty());
    }

    #[test]
    fn on_another_page_nobody_is_new_but_those_who_came_along_have_moved() {
        let moved = movements(&window(1, 9, &["a", "b"]), &window(3, 9, &["b", "x"]));
        assert_eq!(moved.get(&"b".into()), Some(&Movement::Down(1)));
        assert_eq!(moved.len(), 1);
    }

    #[test]
    fn a_page_that_grew_shows_nobody_as_new_unless_the_board_grew() {
        assert!(movements(&window(1, 9, &["a"]), &window(1, 9, &["a", "b"])).is_empty());
        assert_eq!(movements(&window(1, 1, &["a"]), &window(1, 2, &["a", "b"])).len(), 1);
    }
}
