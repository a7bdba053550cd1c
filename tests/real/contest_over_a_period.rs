//! A contest over the end of its week, in a zone whose clocks go back on that very Sunday: it is played, watched, rolled
//! over, closed with a time of grace and browsed, by a clock that the test sets for the server and for every command.

use crate::common::{Clock, Key, Program, Pty, RedisServer, Run, ranktop, text};

struct Contest {
    clock: Clock,
    server: RedisServer,
}

impl Contest {
    /// Where the clock shows this moment.
    fn at(moment: &str) -> Self {
        let clock = Clock::at(moment);
        let server = RedisServer::start_in(&clock.environment());
        Self { clock, server }
    }

    /// A command on the contest's boards, in Berlin.
    fn program(&self, words: &[&str]) -> Program {
        let url = self.server.url();
        let program = ranktop(words).args(&["--game", "cup", "--tz", "Europe/Berlin", "--url", &url]);
        self.clock.environment().iter().fold(program, |program, (name, value)| program.env(name, value))
    }

    fn run(&self, words: &[&str]) -> Run {
        self.program(words).run()
    }

    fn play(&self) {
        let run = self.run(&["simulate", "--players", "40", "--rate", "200", "--for", "1s"]);
        run.assert_code(0);
    }

    fn meta(&self, week: &str, field: &str) -> String {
        let key = format!("lb:{{cup}}:{week}:meta");
        redis::cmd("HGET").arg(key).arg(field).query(&mut self.server.client()).unwrap()
    }
}

fn line(pty: &Pty, index: usize) -> String {
    pty.screen().lines().nth(index).unwrap_or_default().to_owned()
}

#[test]
fn a_contest_over_the_end_of_a_week_on_which_clocks_go_back() {
    let contest = Contest::at("2026-10-25T22:30:00Z");
    contest.play();
    assert_eq!(contest.server.cmd(&["EXISTS", "lb:{cup}:2026-W43"]), redis::Value::Int(1));

    // Watched while the week ends.
    let viewer = contest.program(&["--watch", "poll", "--interval", "100ms"]).pty(120, 30);
    viewer.wait_text("open, ends Sun 23:59 Europe/Berlin (");
    viewer.key(Key::End);
    viewer.wait_text("18–40 of 40");
    assert!(!viewer.screen().contains("has begun"), "{}", viewer.screen());
    contest.clock.set("2026-10-25T22:59:55Z");
    viewer.wait_text("Europe/Berlin (3 s)");
    viewer.wait_text("Period 2026-W44 has begun");
    viewer.wait_text("] open it");
    let screen = viewer.screen();
    assert!(screen.contains("lb:{cup}:2026-W43") && screen.contains("18–40 of 40"), "nobody is moved\n{screen}");
    viewer.wait_text("open, ended Sun 2026-10-25 23:59 Europe/Berlin");

    // In Berlin it is the new week, whatever it is elsewhere.
    viewer.key(Key::Char(']'));
    viewer.wait_text("There is no board 'lb:{cup}:2026-W44' yet.");
    contest.play();
    viewer.wait_text("open, ends Sun 23:59 Europe/Berlin (6d 23h)");
    assert!(!viewer.screen().contains("has begun"), "{}", viewer.screen());

    // The old one is closed, and takes what comes late for an hour.
    let late = ["score", "--period", "2026-W43", "u:late", "--by", "5"];
    let close = contest.run(&["close", "--period", "2026-W43", "--grace", "1h", "--retain", "90d"]);
    close.assert_clean().assert_out_has("closing, takes late scores until 2026-10-26T01:0").assert_out_has("+01:00");
    contest.run(&late).assert_clean().assert_out_has("new -> 5").assert_out_has(", late");
    contest.run(&["rank", "--period", "2026-W43", "u:late"]).assert_clean().assert_out_has("u:late");
    viewer.key(Key::Char('['));
    viewer.wait_text("closing, late scores until Mon 01:0");
    contest.clock.set("2026-10-26T00:30:00Z");
    let refused = contest.run(&late);
    refused.assert_code(4).assert_err_has("is closing: it took late scores until 2026-10-26T01:0");
    contest.run(&["close", "--period", "2026-W43"]).assert_clean().assert_out_has("closed at 2026-10-26T01:30:");
    contest.run(&late).assert_code(4).assert_err_has("is closed since 2026-10-26T01:30:");
    assert_eq!(
        (contest.meta("2026-W43", "state").as_str(), contest.meta("2026-W43", "late").as_str()),
        ("closed", "1")
    );
    let page = contest.run(&["page", "--period", "2026-W43", "--around", "u:late", "--format", "json"]);
    assert_eq!(page.assert_clean().json()["state"], "closed");
    assert!(page.out().contains(r#""member":"u:late","name":null,"score":5,"#), "{page}");

    // And it is browsed as closed, with the time that it is kept.
    viewer.wait_text("● closed");
    viewer.wait_text("closed since Mon 2026-10-26 01:30 Europe/Berlin · expires in 89d 23h");
    viewer.key(Key::Char(']'));
    viewer.wait_text("● live");
    viewer.key(Key::Char('p'));
    viewer.wait_for("both weeks", |screen| {
        let screen = text(screen);
        let row =
            |week: &str| screen.lines().skip(1).find(|line| line.trim_start().starts_with(week)).map(str::to_owned);
        row("2026-W44").is_some_and(|row| row.contains("current · open") && row.contains("never"))
            && row("2026-W43").is_some_and(|row| row.contains(" closed ") && row.contains("89d 23h"))
    });
    viewer.key(Key::Down);
    viewer.key(Key::Enter);
    viewer.wait_text("● closed");
    assert!(line(&viewer, 0).contains("lb:{cup}:2026-W43"), "{}", viewer.screen());
    viewer.key(Key::Char('q'));
    assert_eq!(viewer.wait_exit(), 0);
}

#[test]
fn a_day_of_25_hours_has_one_board() {
    let contest = Contest::at("2026-10-24T21:59:30Z");
    for (moment, day) in [
        ("2026-10-24T21:59:30Z", "2026-10-24"),
        ("2026-10-24T22:00:30Z", "2026-10-25"),
        ("2026-10-25T22:59:30Z", "2026-10-25"),
        ("2026-10-25T23:00:30Z", "2026-10-26"),
    ] {
        contest.clock.set(moment);
        let run = contest.run(&["score", "--period", "day", "u:1", "--by", "1"]);
        run.assert_clean();
        let runs = redis::Value::Int(1);
        assert_eq!(contest.server.cmd(&["EXISTS", &format!("lb:{{cup}}:{day}")]), runs, "{moment}: {run}");
    }
    contest.run(&["page", "--period", "2026-10-25"]).assert_clean();
    let run = contest.run(&["rank", "--period", "2026-10-25", "u:1", "--format", "json"]);
    assert_eq!(run.assert_clean().json()[0]["score"], 2, "the hour that comes twice is in it twice");
}
