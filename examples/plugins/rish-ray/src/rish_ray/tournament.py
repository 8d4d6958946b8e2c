"""Matches of autopilots: each plays against each other one, on both sides of the same seeds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import UsageError

from .jobs import Job
from .ratings import elo

SIDES = ("player 1", "player 2")


def matches(autopilots: Sequence[str], rounds: int, changes: Sequence[str] = ()) -> list[Job]:
    """Return the jobs of all matches: each pair plays the seeds 0 to `rounds` - 1, each seed twice with sides changed.

    autopilots: the paths of their files, which are called by their names without the suffix. Raises UsageError for
    fewer than two, and for two of the same name.
    """
    names = [Path(path).stem for path in autopilots]
    if len(names) < 2 or len(set(names)) < len(names):
        raise UsageError("a tournament needs at least two autopilots, in files of different names")
    jobs: list[Job] = []
    for first, second in itertools.combinations(autopilots, 2):
        for seed, pair in itertools.product(range(rounds), ((first, second), (second, first))):
            labels = {"seed": seed, **dict(zip(SIDES, (Path(path).stem for path in pair), strict=True))}
            jobs.append(Job(seed, tuple(changes), pair, labels))
    return jobs


def standings(rows: Sequence[Mapping[str, Any]], score: tuple[str, str]) -> list[dict[str, Any]]:
    """Return a row for each autopilot, the best first: matches, wins, draws, losses, elo.

    rows: of the matches. score: the columns with the points of player 1 and 2. A match with an error, or without both
    scores, does not count.
    """
    names = sorted({row[side] for row in rows for side in SIDES})
    place = {name: k for k, name in enumerate(names)}
    wins, draws = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for row in rows:
        mine, other = (row[column] for column in score)
        if row["end"] == "error" or mine is None or other is None:
            continue
        first, second = (place[row[side]] for side in SIDES)
        if mine == other:
            draws[first, second] += 1
            draws[second, first] += 1
        else:
            winner, loser = (first, second) if mine > other else (second, first)
            wins[winner, loser] += 1
    ratings = elo(wins + draws / 2)
    table: list[dict[str, Any]] = []
    for name, k in place.items():
        won, drawn, lost = (int(each.sum()) for each in (wins[k], draws[k], wins[:, k]))
        table.append(
            {"autopilot": name, "matches": won + drawn + lost, "wins": won, "draws": drawn, "losses": lost,
             "elo": round(float(ratings[k]))}
        )  # fmt: skip
    return sorted(table, key=lambda row: (-row["elo"], row["autopilot"]))
