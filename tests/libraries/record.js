// Writes boards with the npm libraries `redis-rank` and `leaderboard-promise` and records their own answers: for every row its
// rank, score and place.
//
//     npm install redis-rank@2.2.3 leaderboard-promise@1.1.0 ioredis
//     node tests/libraries/record.js PORT > tests/cases/leaderboard-js.json
//
// PORT is that of an empty Redis. A test writes the same rows and compares ranktop's answers with the recorded ones.

const Redis = require("ioredis");
const { Leaderboard, PeriodicLeaderboard } = require("redis-rank");
const Plain = require("leaderboard-promise");

const port = Number(process.argv[2]);
// Numbers that are the same on every run.
let seed = 7;
const number = (most) => (seed = (seed * 48271) % 2147483647) % most;

async function main() {
  const client = new Redis(port);
  const boards = [];
  for (const [sortPolicy, order] of [["high-to-low", "desc"], ["low-to-high", "asc"]]) {
    const board = new Leaderboard(client, `js_rank_${order}`, { sortPolicy, updatePolicy: "replace" });
    await board.update(Array.from({ length: 60 }, (_, player) => ({ id: `player_${player}`, value: number(24) - 3 })));
    const rows = (await board.list(1, 60)).map(({ id, score, rank }) => ({ member: id, rank, score }));
    boards.push({ board: `js_rank_${order}`, order, rank_style: "ordinal", rows });
  }
  for (const [reverse, order] of [[false, "desc"], [true, "asc"]]) {
    const board = new Plain(`js_plain_${order}`, { reverse, pageSize: 60 }, { port });
    for (let player = 0; player < 60; player++) await board.add(`player_${player}`, number(24) - 3);
    const listed = await board.list(0);
    const rows = [];
    for (const row of listed) rows.push({ member: row.member, rank: (await board.rank(row.member)) + 1, score: Number(row.score) });
    boards.push({ board: `js_plain_${order}`, order, rank_style: "ordinal", rows });
    board.redis.quit();
  }
  const periods = [];
  for (const cycle of ["yearly", "monthly", "weekly", "daily", "hourly", "minute"]) {
    const board = new PeriodicLeaderboard(client, "js_period", {
      cycle, leaderboardOptions: { sortPolicy: "high-to-low", updatePolicy: "replace" },
    });
    for (const moment of ["2026-06-30T23:59:30Z", "2026-12-31T12:00:00Z", "2028-02-29T00:00:00Z"]) {
      periods.push({ moment, key: "js_period:" + board.getKey(new Date(moment)) });
    }
  }
  client.quit();
  console.log(JSON.stringify({ about: "redis-rank 2.2.3 and leaderboard-promise 1.1.0 of npm, and their own answers", boards, periods }));
}
main();
