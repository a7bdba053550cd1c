//! The log: a file to which entries are appended, one a line, and never the screen. Whatever is in an entry is escaped,
//! and only ranktop's own entries are taken: what libraries would log is not known to be free of passwords.

use std::fmt::{self, Write as _};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::panic;

use jiff::Timestamp;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Subscriber, error, info};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::cli::{Cli, Origin};
use crate::exit::{Exit, Failure, one_line};

/// Opens the log that `cli` names, if it names one, and says in it what was started. Panics go there too from now on.
pub fn begin(cli: &Cli) -> Result<(), Failure> {
    let Some(path) = &cli.general.log_file else { return Ok(()) };
    let cannot = |error: &dyn fmt::Display| {
        Failure::new(Exit::Usage, format!("cannot log to '{}': {error}", path.display()))
            .with_hint("--log-file names a file that can be written, in a folder that is there")
    };
    // What is watched, and where, is nobody else's business.
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path).map_err(|error| cannot(&error))?;
    let level = match cli.general.verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let own = Targets::new().with_target(env!("CARGO_PKG_NAME"), level);
    let subscriber = tracing_subscriber::registry().with(Entries { file }.with_filter(own));
    tracing::subscriber::set_global_default(subscriber).map_err(|error| cannot(&error))?;
    log_panics();
    info!(version = env!("CARGO_PKG_VERSION"), pid = std::process::id(), arguments = %cli.given, "starts");
    for setting in cli.settings.iter().filter(|setting| setting.origin != Origin::Default) {
        info!(from = ?setting.origin, "setting {} is {}", setting.setting.key, setting.text());
    }
    Ok(())
}

/// Panics are told in the log before whoever else is told of them.
fn log_panics() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        error!("panic: {panic}");
        report(panic);
    }));
}

/// Says in the log how the program ends.
pub fn end(end: &Result<u8, Failure>) {
    match end {
        Ok(code) => info!(code, "ends"),
        Err(failure) => error!(code = failure.exit.code(), "ends: {}", failure.message),
    }
}

/// Writes entries to a file.
struct Entries {
    file: File,
}

impl<S: Subscriber> Layer<S> for Entries {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let line = line(Timestamp::now(), event);
        // One write, so that entries of several programs do not mix. Where the disk is full, watching goes on.
        let _ = (&self.file).write_all(line.as_bytes());
    }
}

fn line(now: Timestamp, event: &Event<'_>) -> String {
    let mut words = Words::default();
    event.record(&mut words);
    let text = one_line(&format!("{}{}", words.message, words.fields));
    format!("{now:.6} {:5} {text}\n", event.metadata().level())
}

/// An entry's message, and its fields behind it.
#[derive(Default)]
struct Words {
    message: String,
    fields: String,
}

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// What comes of `act` in a log of this level.
    fn logged(level: LevelFilter, act: impl FnOnce()) -> String {
        let mut file = tempfile::tempfile().unwrap();
        let own = Targets::new().with_target("ranktop", level);
        let entries = Entries { file: file.try_clone().unwrap() };
        tracing::subscriber::with_default(tracing_subscriber::registry().with(entries.with_filter(own)), || {
            // A failing act must not keep its log from being read.
            let _ = catch_unwind(AssertUnwindSafe(act));
        });
        let mut text = String::new();
        std::io::Seek::rewind(&mut file).unwrap();
        file.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn whatever_is_in_it_an_entry_is_one_line() {
        let text = logged(LevelFilter::WARN, || {
            error!(key = "a\nb", other = %"\u{1b}[2J\u{202e}", "said: {}", "x\r\ny \\n");
        });
        let (time, rest) = text.split_once(' ').unwrap();
        assert!(time.parse::<Timestamp>().is_ok(), "{text}");
        assert_eq!(rest, "ERROR said: x\\r\\ny \\n key=\"a\\nb\" other=\\e[2J\\u{202e}\n");
    }

    #[test]
    fn panics_are_logged() {
        let text = logged(LevelFilter::WARN, || {
            log_panics();
            panic!("out\nof cheese");
        });
        assert!(text.contains("ERROR panic: panicked at src/commands/log.rs:"), "{text}");
        assert!(text.ends_with(":\\nout\\nof cheese\n") && text.lines().count() == 1, "{text}");
    }

    #[test]
    fn only_own_entries_of_the_level_are_taken() {
        let text = logged(LevelFilter::INFO, || {
            info!("mine");
            tracing::debug!("too small");
            tracing::error!(target: "redis", "not mine");
        });
        assert!(text.ends_with("INFO  mine\n") && text.lines().count() == 1, "{text}");
    }
}
