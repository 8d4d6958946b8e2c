"""`rish tournament GAME`: let autopilots play against each other in a game for two players."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from rish_cli import split_names, whole_number
from rish_core import UsageError, say

from ..jobs import read_columns, read_settings
from ..running import sweep
from ..tournament import matches, standings
from .options import add_pool_options, add_world_options, progress, tell, trial_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the game, the autopilots, and how a match is decided."""
    add_world_options(parser, ticks=3600)
    parser.add_argument(
        "--autopilots", required=True, metavar="FILES", help="files with play(world, player): a.py,b.py,..."
    )
    parser.add_argument("--score", required=True, metavar="A,B", help="expressions for the points of player 1 and 2")
    parser.add_argument(
        "--rounds",
        type=whole_number,
        default=10,
        metavar="N",
        help="seeds that each pair plays on both sides, 10 where not given",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="KEY=VALUE",
        help="a value of the manifest, in all matches",
    )
    parser.add_argument(
        "--to", type=Path, default=Path("tournament.csv"), metavar="FILE",
        help="the table of all matches, .csv or .parquet; tournament.csv where not given",
    )  # fmt: skip
    add_pool_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the matches and print the standings; return 0, or 1 if a match failed."""
    score = read_columns(arguments.score)
    if len(score) != 2:
        raise UsageError(f"--score {arguments.score}: expected two expressions, those of player 1 and player 2")
    settings = read_settings(arguments.settings)
    if any(len(values) > 1 for values in settings.values()):
        raise UsageError("--set: all matches of a tournament have the same values")
    changes = [f"{key}={value}" for key, (value,) in settings.items()]
    paths = [str(Path(path).resolve()) for path in split_names(arguments.autopilots)]
    jobs = matches(paths, max(1, arguments.rounds), changes)
    trial = replace(trial_of(arguments), columns=score)
    with progress() as show:
        report = sweep(
            trial, jobs, arguments.to, workers=arguments.workers, pool=arguments.pool, resume=arguments.resume,
            show=show,
        )  # fmt: skip
    code = tell(report, arguments.to)
    say(f"{'':20} matches   wins  draws losses    elo")
    for row in standings(report.rows, (score[0], score[1])):
        numbers = " ".join(f"{row[key]:6}" for key in ("wins", "draws", "losses", "elo"))
        say(f"{row['autopilot']:20} {row['matches']:7} {numbers}")
    return code
