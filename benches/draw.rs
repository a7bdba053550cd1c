//! What a frame costs, from the state to the bytes for the terminal: one on which nothing has changed, one on which one
//! score has, and a page that was turned. How many bytes it may be is held by a test.

mod common;

use std::time::Duration;

use divan::{Bencher, black_box};
use futures_util::FutureExt;
use jiff::tz::TimeZone;
use ranktop::app::event::{Effect, Event, Moment};
use ranktop::app::polling::schedule::{Watch, WatchMode};
use ranktop::app::queue::Intent;
use ranktop::app::settings::{PageSize, Paging, Settings};
use ranktop::app::state::State;
use ranktop::app::update::update;
use ranktop::board::templates::Templates;
use ranktop::query::reply::{LinkChange, Reply};
use ranktop::query::request::Request;
use ranktop::store::BoardSource;
use ranktop::store::memory::MemorySource;
use ranktop::term::backend::CompactBackend;
use ranktop::text::{Charset, escape};
use ranktop::view::theme::{Depth, Theme};
use ranktop::view::{Appearance, draw};
use ratatui::Terminal;

fn main() {
    divan::main();
}

/// Columns and lines.
const SIZE: (u16, u16) = (120, 40);
const NOW: Moment = Duration::from_secs(1);

/// A viewer that shows the page from row `position` on of the board in `home`.
fn live(home: &MemorySource, position: u64) -> State {
    let settings = Settings {
        scoring: ranktop::board::packed::scoring::ScoringOptions::default(),
        move_since: ranktop::board::movement::MoveSince::Span(std::time::Duration::from_secs(60)),
        is_marking: true,
        is_probing: false,
        key: Some(common::board().key),
        zone: ranktop::board::period::Zone::utc(),
        templates: Templates::default(),
        server: "127.0.0.1:6379".to_owned(),
        is_server_unverified: false,
        order: None,
        style: None,
        watch: Watch::new(WatchMode::Push, Duration::from_millis(500)),
        page_size: PageSize::Fit,
        paging: Paging::Cursor,
        opening: Intent::Row(position),
        text: |key| escape(key, Charset::Utf8),
        sharing: ranktop::app::settings::Sharing { options: String::new(), quote: ranktop::text::quoting::shell },
    };
    let mut state = State::new(settings, SIZE.0, SIZE.1);
    for effect in update(&mut state, Event::Reply(Reply::Link(LinkChange::Up { pushes: true })), NOW) {
        let Effect::Send(Request::Page { generation, board, page }) = effect else { continue };
        // A board in memory answers without waiting.
        if let Some(result) = home.clone().read(&board, &page).now_or_never() {
            update(&mut state, Event::Reply(Reply::Page { generation, result, took: Duration::from_micros(310) }), NOW);
        }
    }
    assert!(state.session.shown.is_some(), "there is a page to draw");
    state
}

/// A home of some thousand rows, a third of them tied.
fn home() -> MemorySource {
    common::home(&common::entries(5_000, 3))
}

/// Draws one state after the other, over and over.
fn measure(bencher: Bencher, states: &[State]) {
    let Some(theme) = Theme::named("default", Depth::True) else { return };
    let look = Appearance { theme, charset: Charset::Utf8, zone: TimeZone::UTC };
    let Ok(mut terminal) = Terminal::new(CompactBackend::new(SIZE.0, SIZE.1));
    let mut turn = states.iter().cycle();
    let mut frame = || {
        let Some(state) = turn.next() else { return };
        let Ok(_) = terminal.draw(|frame| draw(frame, black_box(state), &look, NOW));
        black_box(terminal.backend_mut().bytes()).clear();
    };
    // The first frame is of everything.
    frame();
    bencher.bench_local(frame);
}

#[divan::bench]
fn nothing_changed(bencher: Bencher) {
    measure(bencher, &[live(&home(), 1)]);
}

#[divan::bench]
fn one_score_changed(bencher: Bencher) {
    let (home, entries) = (home(), common::entries(5_000, 3));
    let before = live(&home, 1);
    home.write(|boards| {
        // Onto the score of the rows above, so that it climbs no further.
        boards.score(&common::board(), entries[20].member.clone(), entries[17].score);
        boards.increment_version(&common::board());
    });
    measure(bencher, &[before, live(&home, 1)]);
}

#[divan::bench]
fn page_turned(bencher: Bencher) {
    let home = home();
    measure(bencher, &[live(&home, 1), live(&home, 2_000)]);
}
