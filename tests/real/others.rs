//! Boards that others wrote: those of libraries beside the libraries' own answers, names that nobody pointed to, packed scores,
//! and what must never come to the screen.

use serde_json::Value as Json;

use crate::common::{RedisServer, ranktop};

/// What `tests/libraries/record.py` and `record.js` have recorded: boards, and the libraries' own answers for every row.
const RECORDED: [&str; 2] =
    [include_str!("../cases/leaderboard-py.json"), include_str!("../cases/leaderboard-js.json")];

fn page(server: &RedisServer, board: &str, more: &[&str]) -> Json {
    let url = server.url();
    let args = [&["page", board, "--url", &url, "--size", "1000", "--format", "json"], more].concat();
    let run = ranktop(&args).run();
    run.assert_clean();
    run.json()
}

#[test]
fn every_row_of_a_library_has_the_rank_that_the_library_gives_it() {
    let server = RedisServer::start();
    let mut compared = 0;
    for recorded in RECORDED {
        let recorded: Json = serde_json::from_str(recorded).unwrap();
        for board in recorded["boards"].as_array().unwrap() {
            let (key, rows) = (board["board"].as_str().unwrap(), board["rows"].as_array().unwrap());
            for row in rows {
                let member = row["member"].as_str().unwrap();
                server.cmd(&["ZADD", key, &row["score"].to_string(), member]);
                let data = format!("{{\"name\": \"Name of {member}\", \"country\": \"XX\"}}");
                server.cmd(&["HSET", &format!("{key}:member_data"), member, &data]);
            }
            let options = ["order", "rank_style"].map(|option| board[option].as_str().unwrap());
            let page = page(&server, key, &["--order", options[0], "--rank-style", options[1]]);
            let mine = page["rows"].as_array().unwrap();
            assert_eq!(mine.len(), rows.len(), "{key}");
            for (mine, theirs) in mine.iter().zip(rows) {
                assert_eq!((&mine["member"], &mine["rank"]), (&theirs["member"], &theirs["rank"]), "{key}");
                assert_eq!(mine["score"].as_f64(), theirs["score"].as_f64(), "{key}");
                assert_eq!(mine["name"], format!("Name of {}", theirs["member"].as_str().unwrap()), "{key}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 600);
}

#[test]
fn names_are_found_where_others_keep_them_and_only_where_they_may_be_looked_for() {
    let server = RedisServer::start();
    for (score, member) in [("3", "a"), ("2", "b"), ("1", "c")] {
        for board in ["ctf:leaderboard", "lb:scores:x", "plain"] {
            server.cmd(&["ZADD", board, score, member]);
        }
        server.cmd(&["HSET", &format!("ctf:team:{member}"), "teamName", &format!("Team {member}"), "token", "hidden"]);
        server.cmd(&[
            "HSET",
            "lb:results:x",
            member,
            &format!("{{\"user\": {{\"name\": \"Deep {member}\"}}, \"name\": \"Flat\"}}"),
        ]);
    }
    let names = |board: &str, more: &[&str]| {
        let page = page(&server, board, more);
        page["rows"].as_array().unwrap().iter().map(|row| row["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("ctf:leaderboard", &[]), ["Team a", "Team b", "Team c"]);
    assert_eq!(names("lb:scores:x", &[]), ["Flat", "Flat", "Flat"]);
    assert_eq!(
        names("lb:scores:x", &["--names-key", "<key/scores/results>#user.name"]),
        ["Deep a", "Deep b", "Deep c"]
    );
    assert_eq!(
        names("plain", &["--name-of", "hash:ctf:team:<member>#teamName+nothing"]),
        ["Team a", "Team b", "Team c"]
    );
    assert_eq!(names("ctf:leaderboard", &["--no-probe"]), [Json::Null, Json::Null, Json::Null]);
    assert_eq!(names("plain", &[]), [Json::Null, Json::Null, Json::Null]);
}

#[test]
fn a_member_that_is_called_like_a_key_does_not_show_what_is_in_it() {
    let server = RedisServer::start();
    for secret in ["hunter2", "\"hunter2\"", "{\"password\": \"hunter2\"}"] {
        server.cmd(&["FLUSHALL"]);
        server.cmd(&["SET", "session:root", secret]);
        server.cmd(&["ZADD", "board", "3", "session:root", "2", "other"]);
        let shown = page(&server, "board", &[]).to_string();
        assert!(shown.contains("session:root") && !shown.contains("hunter2"), "{shown}");
        let pty = ranktop(&["board", "--url", &server.url()]).pty(120, 30);
        pty.wait_text("session:root");
        pty.send("i");
        pty.wait_text("no names found");
        assert!(!pty.screen().contains("hunter2"), "{}", pty.screen());
        pty.send("q");
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
    }
}

#[test]
fn somebody_who_may_read_the_board_alone_leaves_one_line_in_the_log_of_refusals() {
    let server = RedisServer::start();
    server.cmd(&["ZADD", "board", "3", "a", "2", "b"]);
    server.cmd(&["HSET", "user:a", "name", "Ada"]);
    server.cmd(&["ACL", "SETUSER", "viewer", "on", ">secret", "~board", "~board:version", "~board:meta", "+@all"]);
    server.cmd(&["ACL", "LOG", "RESET"]);
    let args = ["page", "board", "--url", &server.url(), "--user", "viewer", "--format", "json"];
    let run = ranktop(&args).env("RANKTOP_PASSWORD", "secret").run();
    run.assert_code(0);
    assert_eq!(run.json()["rows"][0]["name"], Json::Null);
    let log = server.cmd(&["ACL", "LOG"]);
    let text = format!("{log:?}");
    assert!(text.contains("board:names") && !text.contains("user:a") && !text.contains("member_data"), "{text}");
}

#[test]
fn packed_scores_are_ranked_by_their_lead_in_every_command() {
    let server = RedisServer::start();
    // Points and Unix seconds; the earlier of those who are level stands first.
    let rows = [("a", 1500_u64, 1_791_590_400_u64), ("b", 1500, 1_791_590_460), ("c", 1400, 1_791_590_000)];
    for (member, points, time) in rows {
        let score = points * 10_000_000_000 + (9_999_999_999 - time);
        server.cmd(&["ZADD", "board", &score.to_string(), member]);
    }
    let spec = ["--score", "points,time:10=9999999999-s"];
    let page = page(&server, "board", &spec);
    let told = |row: &Json| (row["rank"].as_u64().unwrap(), row["tied"].as_u64().unwrap(), row["parts"].clone());
    let rows: Vec<_> = page["rows"].as_array().unwrap().iter().map(told).collect();
    let parts = |points: u64, time: &str| serde_json::json!({"points": points, "time": time});
    assert_eq!(rows[0], (1, 2, parts(1500, "2026-10-10T00:00:00Z")));
    assert_eq!(rows[1], (1, 2, parts(1500, "2026-10-10T00:01:00Z")));
    assert_eq!(rows[2], (3, 1, parts(1400, "2026-10-09T23:53:20Z")));

    let url = server.url();
    let run = |args: &[&str]| ranktop(&[args, &["--url", &url], &spec[..]].concat()).run();
    let ties = run(&["ties", "board", "--format", "json"]).json();
    assert_eq!(ties["groups"][0]["size"], 2);
    assert_eq!(ties["groups"][0]["parts"], serde_json::json!({"points": 1500}));
    let rank = run(&["rank", "board", "c", "--format", "json"]).json();
    assert_eq!((rank[0]["rank"].as_u64(), rank[0]["better"].as_u64()), (Some(3), Some(2)));
    run(&["audit", "board"]).assert_code(0);
    run(&["export", "board", "--live", "--format", "ndjson"])
        .assert_code(0)
        .assert_out_has("\"parts\":{\"points\":1500");
    run(&["page", "board", "--rank-parts", "all", "--format", "json"]).assert_out_has("\"rank\":2");
    let table = run(&["page", "board"]);
    table.assert_out_has("POINTS").assert_out_has("ranks 1 2 2 4 on points, earlier first");

    server.cmd(&["HSET", "board:meta", "score", spec[1]]);
    let said = ranktop(&["page", "board", "--url", &url, "--format", "json"]).run().json();
    assert_eq!(said["rows"][2]["rank"], 3, "what the board says of itself");
    let wrong = ranktop(&["page", "board", "--url", &url, "--score", "points,time:x"]).run();
    wrong.assert_code(2);
    assert!(wrong.err().contains("a width belongs here") && wrong.err().contains('^'), "{wrong}");
}

#[test]
fn a_form_that_the_scores_fit_is_suggested_and_taken_with_enter() {
    let server = RedisServer::start();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    for row in 0..12_u64 {
        let score = (20 - row / 3) * 10_000_000_000 + (9_999_999_999 - (now - row * 4_321));
        server.cmd(&["ZADD", "board", &score.to_string(), &format!("player:{row}")]);
    }
    let pty = ranktop(&["board", "--url", &server.url()]).pty(140, 30);
    pty.wait_text("scores look like points,time:10=9999999999-s");
    assert!(!pty.screen().contains("POINTS"), "{}", pty.screen());
    pty.send("\r");
    pty.wait_text("POINTS");
    pty.wait_text("ranks 1 2 2 4 on points, earlier first");
    pty.send("j");
    pty.wait_text("tie of 3 at 20");
    pty.send(":=18\r");
    pty.wait_text("tie of 3 at 18");
    pty.send("i");
    pty.wait_text("parts");
    pty.send("q");
    pty.send("d");
    pty.wait_text("points of 12 players");
    pty.wait_for("bins by points", |screen| {
        let text = screen.contents();
        text.contains("reach 20 ") && !text.contains("0,000,000")
    });
    pty.send("q");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);

    let pty = ranktop(&["board", "--url", &server.url()]).pty(140, 30);
    pty.wait_text("scores look like");
    pty.send("\x1b");
    pty.wait_for("the suggestion is gone", |screen| !screen.contents().contains("scores look like"));
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn side_sets_go_with_their_board() {
    let server = RedisServer::start();
    for key in ["highscores", "highscores:ties", "alone:ttl"] {
        server.cmd(&["ZADD", key, "7", "7"]);
    }
    let url = server.url();
    let listed = |more: &[&str]| {
        let boards = ranktop(&[&["boards", "--url", &url, "--format", "json"], more].concat()).run().json();
        let told = |board: &Json| (board["board"].as_str().unwrap().to_owned(), board["belongs_to"].clone());
        boards.as_array().unwrap().iter().map(told).collect::<Vec<_>>()
    };
    let alone = [("alone:ttl".to_owned(), Json::Null), ("highscores".to_owned(), Json::Null)];
    assert_eq!(listed(&[]), alone);
    assert_eq!(listed(&["--all"])[2], ("highscores:ties".to_owned(), "highscores".into()));
}

#[test]
fn an_id_stands_for_its_member() {
    let server = RedisServer::start();
    for (member, score) in [("3209000000:ada", "3"), ("3208000000:alan", "2"), ("3207000000:grace", "1")] {
        server.cmd(&["ZADD", "board", score, member]);
        server.cmd(&["ZADD", "plain", score, &format!("score:{}", &member[11..])]);
    }
    let rank = |board: &str, id: &str, spec: &str| {
        let args = ["rank", board, id, "--member", spec, "--format", "json", "--url", &server.url()];
        ranktop(&args).run().json()[0].clone()
    };
    let time = "time:10=5000000000-s \":\" id";
    let alan = rank("board", "alan", time);
    assert_eq!((&alan["member"], &alan["rank"]), (&"3208000000:alan".into(), &2.into()));
    assert_eq!(rank("board", "3208000000:alan", time)["rank"], 2);
    assert_eq!(rank("board", "lan", time)["error"], "not on this board");
    assert_eq!(rank("plain", "grace", "\"score:\" id")["rank"], 3);
    let pty = ranktop(&["board", "--url", &server.url(), "--member", time]).pty(120, 30);
    pty.wait_text("ada");
    pty.send("/alan\r");
    pty.send("i");
    pty.wait_text("why rank 2");
    pty.send("q");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}

#[test]
fn all_that_is_stored_beside_a_board_is_shown_of_the_selected_member() {
    let server = RedisServer::start();
    for (score, member) in [("3", "a"), ("2", "b"), ("1", "c")] {
        server.cmd(&["ZADD", "highscores", score, member]);
        let data = format!("{{\"username\": \"user_{member}\", \"clan\": {{\"name\": \"Blue {member}\\u001b[2J\"}}}}");
        server.cmd(&["HSET", "highscores:member_data", member, &data]);
        server.cmd(&["SET", &format!("user:{member}"), "{\"name\": \"N\", \"password\": \"hunter2\"}"]);
        server.cmd(&["ZADD", "other", score, member]);
    }
    let pty = ranktop(&["highscores", "--url", &server.url()]).pty(120, 34);
    pty.wait_text("user_a");
    pty.send("i");
    pty.wait_text("clan: {\"name\":\"Blue a");
    pty.send("q");
    pty.send("j");
    pty.send("i");
    pty.wait_text("Blue b");
    pty.send("q");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    // Through a member only the name of a string comes to the screen.
    let pty = ranktop(&["other", "--url", &server.url()]).pty(120, 34);
    pty.wait_text(" N ");
    pty.send("i");
    pty.wait_text("names from the JSON");
    assert!(!pty.screen().contains("hunter2"), "{}", pty.screen());
    pty.send("q");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
}
