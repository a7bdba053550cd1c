//! Which key does what: one table, from which the help screen and the footer are made as well.

use std::fmt;

/// A key as it was pressed, in words of no terminal library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Press {
    /// Which key.
    pub key: Key,
    /// Whether Ctrl was held.
    pub ctrl: bool,
}

impl Press {
    /// A key without Ctrl.
    pub const fn plain(key: Key) -> Self {
        Self { key, ctrl: false }
    }

    /// A character with Ctrl.
    pub const fn ctrl(c: char) -> Self {
        Self { key: Key::Char(c), ctrl: true }
    }
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Key {
    Char(char),
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Home,
    End,
    Enter,
    Esc,
    Backspace,
    Delete,
}

impl fmt::Display for Press {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("Ctrl-")?;
        }
        match self.key {
            Key::Char(' ') => f.write_str("Space"),
            Key::Char(c) if self.ctrl => write!(f, "{}", c.to_ascii_uppercase()),
            Key::Char(c) => write!(f, "{c}"),
            Key::Up => f.write_str("↑"),
            Key::Down => f.write_str("↓"),
            Key::Left => f.write_str("←"),
            Key::Right => f.write_str("→"),
            Key::PageUp => f.write_str("PgUp"),
            Key::PageDown => f.write_str("PgDn"),
            Key::Home => f.write_str("Home"),
            Key::End => f.write_str("End"),
            Key::Enter => f.write_str("Enter"),
            Key::Esc => f.write_str("Esc"),
            Key::Backspace => f.write_str("Backspace"),
            Key::Delete => f.write_str("Delete"),
        }
    }
}

/// What a key does at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each has its words in the table of bindings")]
pub enum Action {
    RowDown,
    RowUp,
    PageDown,
    PageUp,
    First,
    Last,
    NextTie,
    PreviousTie,
    NextScore,
    PreviousScore,
    GoTo,
    Find,
    FindNext,
    FindPrevious,
    Back,
    Follow,
    Hold,
    Refresh,
    Style,
    Paging,
    Faster,
    Slower,
    CopyCommand,
    CopyCursor,
    PreviousPeriod,
    NextPeriod,
    Periods,
    Inspect,
    Boards,
    Distribution,
    Trace,
    Help,
    Close,
    Suspend,
    Quit,
}

/// A heading of the help screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Move,
    Find,
    Read,
    LookDeeper,
    Boards,
    View,
}

impl Group {
    /// In the order of the help screen.
    pub const ALL: [Self; 6] = [Self::Move, Self::Find, Self::Read, Self::LookDeeper, Self::Boards, Self::View];

    pub const fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Find => "Find",
            Self::Read => "Read",
            Self::LookDeeper => "Look deeper",
            Self::Boards => "Boards",
            Self::View => "View",
        }
    }
}

impl Action {
    /// Under which heading the help screen lists it.
    pub const fn group(self) -> Group {
        match self {
            Self::RowDown
            | Self::RowUp
            | Self::PageDown
            | Self::PageUp
            | Self::First
            | Self::Last
            | Self::NextTie
            | Self::PreviousTie
            | Self::NextScore
            | Self::PreviousScore => Group::Move,
            Self::GoTo | Self::Find | Self::FindNext | Self::FindPrevious | Self::Back | Self::Follow => Group::Find,
            Self::Hold
            | Self::Refresh
            | Self::Paging
            | Self::Faster
            | Self::Slower
            | Self::CopyCommand
            | Self::CopyCursor => Group::Read,
            Self::Inspect | Self::Distribution | Self::Trace => Group::LookDeeper,
            Self::Boards | Self::PreviousPeriod | Self::NextPeriod | Self::Periods => Group::Boards,
            Self::Style | Self::Help | Self::Close | Self::Suspend | Self::Quit => Group::View,
        }
    }
}

/// One line of the keymap.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// What it does.
    pub action: Action,
    /// The keys, the one to show first.
    pub keys: &'static [Press],
    /// What the help screen says.
    pub help: &'static str,
    /// What the footer says, where it names the key at all.
    pub short: Option<&'static str>,
}

const fn key(key: Key) -> Press {
    Press::plain(key)
}

const fn char(c: char) -> Press {
    Press::plain(Key::Char(c))
}

/// The live keymap, in the order in which the help screen lists it.
pub const BINDINGS: &[Binding] = &[
    bind(Action::RowUp, &[key(Key::Up), char('k')], "up one row; at the top, the previous page", None),
    bind(Action::RowDown, &[key(Key::Down), char('j')], "down one row; at the bottom, the next page", Some("row")),
    bind(Action::PageUp, &[key(Key::PageUp), Press::ctrl('b')], "previous page, before the first row shown", None),
    bind(
        Action::PageDown,
        &[key(Key::PageDown), Press::ctrl('f')],
        "next page, after the last row shown",
        Some("page"),
    ),
    bind(Action::First, &[key(Key::Home), char('g')], "first page", None),
    bind(Action::Last, &[key(Key::End), char('G')], "last page", None),
    bind(Action::PreviousTie, &[key(Key::Left), char('h')], "previous tie group, however far away", None),
    bind(Action::NextTie, &[key(Key::Right), char('l')], "next tie group, however far away", Some("tie")),
    bind(Action::PreviousScore, &[char('{')], "previous distinct score", None),
    bind(Action::NextScore, &[char('}')], "next distinct score", None),
    bind(Action::Find, &[char('/')], "find a member by id, or part of id or name", Some("find")),
    bind(Action::FindNext, &[char('n')], "next match, below the selected row", None),
    bind(Action::FindPrevious, &[char('N')], "previous match, above the selected row", None),
    bind(Action::GoTo, &[char(':')], "go to 120, +50, -50, 50% or score =980", None),
    bind(Action::Back, &[key(Key::Backspace), Press::ctrl('o')], "back from a jump or a find", None),
    bind(Action::Follow, &[key(Key::Enter)], "follow the member as it moves, or stop", None),
    bind(Action::Hold, &[char(' ')], "hold the page, or resume", Some("hold")),
    bind(Action::Refresh, &[char('r')], "refresh, and count changes from here", None),
    bind(Action::Inspect, &[char('i')], "explain this rank, with its commands", None),
    bind(Action::Boards, &[char('b')], "boards of this server; type to filter", Some("boards")),
    bind(Action::Distribution, &[char('d')], "distribution of the scores", None),
    bind(Action::Trace, &[char('t')], "trace of commands, with time and size", None),
    bind(Action::Style, &[char('s')], "next rank style: 1224, 1334, 1223, 1234, …", None),
    bind(Action::Paging, &[char('m')], "page by cursor or by position", None),
    bind(Action::CopyCommand, &[char('y')], "copy a command that opens this place", None),
    bind(Action::CopyCursor, &[char('Y')], "copy the cursor after the selected row", None),
    bind(Action::PreviousPeriod, &[char('[')], "previous period that has a board", None),
    bind(Action::NextPeriod, &[char(']')], "next period that has a board", None),
    bind(Action::Periods, &[char('p')], "list of the periods that have a board", None),
    bind(Action::Faster, &[char('+'), char('=')], "poll more often", None),
    bind(Action::Slower, &[char('-')], "poll less often", None),
    bind(Action::Help, &[char('?')], "this help", Some("help")),
    bind(Action::Close, &[key(Key::Esc)], "close what is open, or dismiss the banner", None),
    bind(Action::Suspend, &[Press::ctrl('z')], "suspend to the shell; fg resumes", None),
    bind(Action::Quit, &[char('q'), Press::ctrl('c')], "quit", Some("quit")),
];

const fn bind(action: Action, keys: &'static [Press], help: &'static str, short: Option<&'static str>) -> Binding {
    Binding { action, keys, help, short }
}

/// What `press` does at the table.
pub fn resolve(press: Press) -> Option<Action> {
    BINDINGS.iter().find(|binding| binding.keys.contains(&press)).map(|binding| binding.action)
}

/// The line of the keymap for `action`.
pub fn binding(action: Action) -> Option<&'static Binding> {
    BINDINGS.iter().find(|binding| binding.action == action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_key_is_bound_twice_and_no_action_listed_twice() {
        let keys: Vec<Press> = BINDINGS.iter().flat_map(|binding| binding.keys).copied().collect();
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len());
        let actions: HashSet<Action> = BINDINGS.iter().map(|binding| binding.action).collect();
        assert_eq!(actions.len(), BINDINGS.len());
    }

    #[test]
    fn every_binding_resolves_and_reads_well() {
        for binding in BINDINGS {
            for press in binding.keys {
                assert_eq!(resolve(*press), Some(binding.action));
            }
            assert!(!binding.keys.is_empty() && !binding.help.is_empty());
        }
        assert_eq!(resolve(Press::plain(Key::Char('c'))), None);
        assert_eq!(Press::ctrl('c').to_string(), "Ctrl-C");
    }
}
