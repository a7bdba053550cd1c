//! The arguments of the commands that are about the program itself: what is set, and what a shell completes.

use clap::Args;
use clap_complete::Shell;

use crate::cli::ListFormatName;
use crate::cli::read::command;

/// `ranktop config`.
#[derive(Debug, Args)]
pub struct ConfigArgs {
    /// In which form they are printed
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = ListFormatName::Table)]
    pub format: ListFormatName,
}

/// `ranktop completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_name = "SHELL", value_enum)]
    pub shell: Shell,
}

impl CompletionsArgs {
    /// The shell's script, which completes every command and option there is.
    pub fn script(&self) -> Vec<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command(&[]), "ranktop", &mut script);
        script
    }
}
