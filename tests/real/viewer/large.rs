//! A board of a million members: what a key press costs does not follow from the size of the board or of its ties.

use super::harness::{BOARD, assert_only_reads, calls, calls_of, footer, reset_calls, selected, wait_selected, watch};
use crate::common::{Key, RedisServer};

/// 50 without ties, half a million at 1,000,000, ten without ties, two at 900,000, the others without ties.
const FILL: &str = "
local at, step = 0, 1000
local function score(i)
  if i <= 50 then return 2000000 - i end
  if i <= 500050 then return 1000000 end
  if i == 500061 or i == 500062 then return 900000 end
  if i < 500061 then return 900050 - (i - 500050) end
  return 1000000 - i
end
while at < 1000000 do
  local args = {}
  for i = at + 1, at + step do
    args[#args + 1] = score(i)
    args[#args + 1] = string.format('u:%07d', i)
  end
  redis.call('ZADD', KEYS[1], unpack(args))
  at = at + step
end
return redis.call('INCR', KEYS[1] .. ':version')";

#[test]
fn one_key_press_steps_over_half_a_million_equals() {
    let server = RedisServer::start();
    server.cmd(&["EVAL", FILL, "1", BOARD]);
    // Nothing is looked at but what keys ask for.
    let pty = watch(&server, &["--watch", "poll", "--interval", "1h"]).pty(120, 24);
    pty.wait_text("1,000,000 players");
    let most = |server: &RedisServer| {
        let calls = calls(server);
        let all: u64 = calls.values().sum();
        assert!(all <= 40, "{calls:?}");
        assert_only_reads(server);
        reset_calls(server);
    };

    reset_calls(&server);
    pty.key(Key::Right);
    pty.wait_text("tie of 500,000 at 1,000,000, rank 51, 1 of 500,000");
    wait_selected(&pty, "51");
    most(&server);
    pty.key(Key::Right);
    pty.wait_text("tie of 2 at 900,000, rank 500,061, 1 of 2");
    wait_selected(&pty, "500,061");
    most(&server);
    pty.key(Key::Left);
    pty.wait_text("tie of 500,000 at 1,000,000, rank 51, 1 of 500,000");
    wait_selected(&pty, "51");
    most(&server);

    pty.send(":500000\r");
    wait_selected(&pty, "500,000");
    most(&server);
    pty.key(Key::End);
    pty.wait_for("the last page", |screen| footer(screen).contains("–1,000,000 of 1,000,000"));
    most(&server);
    pty.key(Key::PageUp);
    pty.wait_for("the page before", |screen| footer(screen).contains("–999,983 of 1,000,000"));
    most(&server);
    pty.send("/u:0400000\r");
    wait_selected(&pty, "u:0400000");
    assert!(pty.with_screen(selected).unwrap().contains("51"));
    most(&server);
    assert_eq!(calls_of(&server, "zadd"), 0);
}
