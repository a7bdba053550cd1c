"""Writes boards with the PyPI library `leaderboard` and records its own answers: for every row its rank, score and place.

    python3 -m venv v && v/bin/pip install leaderboard==3.7.3 'redis<3'
    v/bin/python tests/libraries/record.py PORT > tests/cases/leaderboard-py.json

PORT is that of an empty Redis. A test writes the same rows and compares ranktop's answers with the recorded ones.
"""

import json
import random
import sys

import redis
from leaderboard.competition_ranking_leaderboard import CompetitionRankingLeaderboard
from leaderboard.leaderboard import Leaderboard
from leaderboard.tie_ranking_leaderboard import TieRankingLeaderboard

KINDS = {"ordinal": Leaderboard, "dense": TieRankingLeaderboard, "competition": CompetitionRankingLeaderboard}
connection = redis.Redis(port=int(sys.argv[1]))
boards = []
for style, library in KINDS.items():
    for order in ("desc", "asc"):
        numbers = random.Random(style + order)
        name = "py_%s_%s" % (style, order)
        board = library(name, connection=connection, order=order)
        for player in range(60):
            data = json.dumps({"name": "Player %d" % player, "country": "XX"})
            board.rank_member("player_%d" % player, numbers.randint(-3, 20), data)
        rows = [row for page in range(1, board.total_pages() + 1) for row in board.leaders(page)]
        text = lambda value: value.decode() if isinstance(value, bytes) else value
        rows = [{"member": text(row["member"]), "rank": row["rank"], "score": row["score"]} for row in rows]
        keys = sorted(text(key) for key in connection.keys(name + "*"))
        boards.append({"board": name, "order": order, "rank_style": style, "keys": keys, "rows": rows})
print(json.dumps({"about": "leaderboard 3.7.3 of PyPI, and its own answers", "boards": boards}))
