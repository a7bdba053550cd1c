//! A panic in a task or a thread that nobody waits for: the terminal is given back and the viewer ends, rather than going
//! on to draw on a terminal that is not its own any more.
//!
//! The viewer is run by this very program, once more and in a pseudo-terminal, with a connection whose task panics.

use std::env;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use ranktop::app::polling::schedule::{Watch, WatchMode};
use ranktop::app::queue::Intent;
use ranktop::app::settings::{PageSize, Paging, Settings, Sharing};
use ranktop::app::state::State;
use ranktop::board::period::Zone;
use ranktop::board::templates::Templates;
use ranktop::query::error::StoreError;
use ranktop::run::run;
use ranktop::store::memory::MemorySource;
use ranktop::store::worker::Connector;
use ranktop::text::{Charset, escape};
use ranktop::view::Appearance;
use ranktop::view::theme::{Depth, Theme};
use tokio::sync::Notify;

use crate::common::Program;

/// Set where this program is to be the viewer: whether a task or a thread panics.
const AS_VIEWER: &str = "RANKTOP_TEST_AS_VIEWER";

/// Leads to an empty board, and starts something beside it that falls over.
struct Stumbling(String);

impl Connector for Stumbling {
    type Source = MemorySource;

    async fn connect(&self, _: &Arc<Notify>) -> Result<(MemorySource, bool), StoreError> {
        if self.0 == "task" {
            tokio::spawn(async { panic!("the task stumbled") });
        } else {
            std::thread::spawn(|| panic!("the thread stumbled"));
        }
        Ok((MemorySource::default(), false))
    }
}

fn view(what: String) -> ! {
    let settings = Settings {
        key: Some("b".into()),
        templates: Templates::default(),
        zone: Zone::utc(),
        server: "nowhere".to_owned(),
        is_server_unverified: false,
        order: None,
        text: |key| escape(key, Charset::Utf8),
        sharing: Sharing { options: String::new(), quote: ranktop::text::quoting::shell },
        scoring: ranktop::board::packed::scoring::ScoringOptions::default(),
        move_since: ranktop::board::movement::MoveSince::Span(std::time::Duration::from_secs(60)),
        is_marking: true,
        is_probing: true,
        style: None,
        watch: Watch::new(WatchMode::Poll, Duration::from_secs(1)),
        page_size: PageSize::Fit,
        paging: Paging::Cursor,
        opening: Intent::First,
    };
    let look = Appearance {
        theme: Theme::named("default", Depth::None).unwrap(),
        charset: Charset::Utf8,
        zone: TimeZone::UTC,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ended = runtime.block_on(run(Stumbling(what), State::new(settings, 80, 24), look, true));
    println!("it ended so: {ended:?}");
    std::process::exit(0);
}

#[test]
fn a_panic_that_nobody_waits_for_ends_the_viewer() {
    if let Ok(what) = env::var(AS_VIEWER) {
        view(what);
    }
    let this = env::current_exe().unwrap();
    let name = "panics::a_panic_that_nobody_waits_for_ends_the_viewer";
    for what in ["task", "thread"] {
        let program = Program::new(this.to_str().unwrap(), &["--exact", name, "--nocapture"]).env(AS_VIEWER, what);
        let pty = program.pty(120, 30);
        assert_eq!(pty.wait_exit(), 0);
        assert!(pty.is_as_found());
        let screen = pty.screen();
        assert!(screen.contains(&format!("the {what} stumbled")), "{screen}");
        assert!(screen.contains("it ended so: Err(a background task panicked"), "{screen}");
        pty.with_screen(|screen| {
            assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
            assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        });
    }
}
