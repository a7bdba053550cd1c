//! The settings there are, one line each. A setting is named as the option whose default it replaces.

/// A setting.
#[derive(Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name: the option's, without dashes.
    pub key: &'static str,
    /// What may stand in the file.
    pub kind: Kind,
    /// What of the environment outweighs the file, in this order.
    pub variables: &'static [Variable],
    /// What holds where nothing sets it and the option has no default of its own.
    pub unset: &'static str,
}

/// What may stand for a setting in the file. How a text must look, the option's parser says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// The address of a server: a text, or a list of them where the option may be repeated. It may hold a password.
    Address,
    /// A text or a whole number.
    TextOrNumber,
    /// The path of a file.
    Path,
    /// A name, or the path of a file, which has a slash or a dot.
    NameOrPath,
    /// `true` or `false`.
    Flag,
}

/// A variable of the environment, which counts where it is set and not empty.
#[derive(Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it says; `None`: its own text.
    pub says: Option<&'static str>,
}

/// All settings, in the order in which they are shown.
pub const SETTINGS: &[Setting] = &[
    setting("url", Kind::Address, "redis://127.0.0.1:6379").or(&[said("RANKTOP_URL"), said("REDIS_URL")]),
    setting("cluster", Kind::Flag, ""),
    setting("sentinel", Kind::Text, "no sentinels"),
    setting("read-from", Kind::Text, ""),
    setting("user", Kind::Text, "the one in the URL"),
    setting("password-file", Kind::Path, "the password in the URL, else RANKTOP_PASSWORD")
        .or(&[Variable { name: "RANKTOP_PASSWORD", says: Some("the password in RANKTOP_PASSWORD") }]),
    setting("tls-ca", Kind::Path, "the CAs that the system trusts"),
    setting("tls-cert", Kind::Path, "no client certificate"),
    setting("tls-key", Kind::Path, "no client certificate"),
    setting("tls-insecure", Kind::Flag, ""),
    setting("connect-timeout", Kind::Text, ""),
    setting("timeout", Kind::Text, ""),
    setting("order", Kind::Text, "what the board says, else desc"),
    setting("rank-style", Kind::Text, "what the board says, else competition"),
    setting("score", Kind::Text, "what the board says, else plain scores"),
    setting("rank-parts", Kind::TextOrNumber, ""),
    setting("member", Kind::Text, "members are ids"),
    setting("version-key", Kind::Text, ""),
    setting("meta-key", Kind::Text, ""),
    setting("names-key", Kind::Text, ""),
    setting("name-of", Kind::Text, "names-key"),
    setting("no-probe", Kind::Flag, ""),
    setting("tz", Kind::Text, ""),
    setting("board-key", Kind::Text, ""),
    setting("color", Kind::Text, "").or(&[Variable { name: "NO_COLOR", says: Some("never") }]),
    setting("interval", Kind::Text, ""),
    setting("watch", Kind::Text, ""),
    setting("page-size", Kind::TextOrNumber, ""),
    setting("paging", Kind::Text, ""),
    setting("move-since", Kind::Text, ""),
    setting("theme", Kind::NameOrPath, "default"),
    setting("ascii", Kind::Flag, ""),
    setting("no-mouse", Kind::Flag, ""),
    setting("no-motion", Kind::Flag, ""),
    setting("log-file", Kind::Path, "no log"),
];

const fn setting(key: &'static str, kind: Kind, unset: &'static str) -> Setting {
    Setting { key, kind, variables: &[], unset }
}

const fn said(name: &'static str) -> Variable {
    Variable { name, says: None }
}

impl Setting {
    const fn or(self, variables: &'static [Variable]) -> Self {
        Self { variables, ..self }
    }
}

impl Kind {
    /// Whether `text` is a path, for a setting of this kind.
    pub fn is_path(self, text: &str) -> bool {
        match self {
            Self::Path => true,
            Self::NameOrPath => text.contains(['/', '.']),
            Self::Text | Self::Address | Self::TextOrNumber | Self::Flag => false,
        }
    }
}
