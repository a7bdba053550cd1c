//! How many colours the terminal has, told from what the environment says. It reads no environment itself.

/// Whether the user wants colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorChoice {
    /// Where the terminal has it and `NO_COLOR` does not forbid it.
    #[default]
    Auto,
    /// Sixteen colours at the least; what is asked for on the command line outweighs `NO_COLOR`.
    Always,
    /// None.
    Never,
}

/// Steps of colour, from most to least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// 24 bit.
    True,
    /// The 256 of xterm, of which all but the first sixteen are the same everywhere.
    Indexed256,
    /// Sixteen, as the user's terminal paints them.
    Ansi16,
    /// None: weight, dim and reverse only.
    None,
}

impl Depth {
    /// The depth that these values of the environment allow. `no_color` counts where it is set and not empty
    /// (no-color.org); without a known `term` there is no colour, unless `colorterm` says so.
    pub fn detect(color: ColorChoice, no_color: Option<&str>, term: Option<&str>, colorterm: Option<&str>) -> Self {
        let forbidden = no_color.is_some_and(|value| !value.is_empty());
        match (color, of_terminal(term.unwrap_or(""), colorterm.unwrap_or(""))) {
            (ColorChoice::Never, _) => Self::None,
            (ColorChoice::Auto, _) if forbidden => Self::None,
            (ColorChoice::Always, Self::None) => Self::Ansi16,
            (_, depth) => depth,
        }
    }
}

fn of_terminal(term: &str, colorterm: &str) -> Depth {
    let is_mono = term.starts_with("vt") || term.ends_with("-m") || term.ends_with("-mono");
    if term == "dumb" || is_mono {
        return Depth::None;
    }
    // GNU screen hands on the COLORTERM of the terminal around it, and misreads 24-bit sequences itself.
    let is_screen = term == "screen" || term.starts_with("screen-") || term.starts_with("screen.");
    if !is_screen && matches!(colorterm, "truecolor" | "24bit") || term.ends_with("-direct") {
        return Depth::True;
    }
    if term.contains("256color") {
        return Depth::Indexed256;
    }
    if term.is_empty() && colorterm.is_empty() { Depth::None } else { Depth::Ansi16 }
}
