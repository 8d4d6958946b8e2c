"""`rish sweep GAME`: play many worlds with other seeds and settings, and write one table."""

from __future__ import annotations

import argparse
from pathlib import Path

from rish_core import say

from ..jobs import product, read_seeds, read_settings
from ..running import sweep
from .options import add_pool_options, add_world_options, progress, tell, trial_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the game, the seeds and settings, and the table."""
    add_world_options(parser, ticks=3600)
    parser.add_argument(
        "--seeds", default="1", metavar="N", help="the seeds 0 to N-1, or FIRST-LAST; 0 where not given"
    )
    parser.add_argument(
        "--set", action="append", default=[], dest="settings", metavar="KEY=A,B,C",
        help="play all seeds with each of these values of the manifest; several options: with each combination",
    )  # fmt: skip
    parser.add_argument(
        "--autopilot",
        metavar="FILE",
        help="a file with play(world, player); without it no input is sent, and a game with an autopilot plays itself",
    )
    parser.add_argument("--columns", default="", metavar="LIST", help="expressions for the table, as in 'score, lives'")
    parser.add_argument(
        "--to",
        type=Path,
        default=Path("sweep.csv"),
        metavar="FILE",
        help="the table, .csv or .parquet; sweep.csv where not given",
    )
    add_pool_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the worlds; return 0, or 1 if a world failed."""
    autopilots = [str(Path(arguments.autopilot).resolve())] if arguments.autopilot else []
    jobs = product(read_seeds(arguments.seeds), read_settings(arguments.settings), autopilots)
    try:
        with progress() as show:
            report = sweep(
                trial_of(arguments), jobs, arguments.to, workers=arguments.workers, pool=arguments.pool,
                resume=arguments.resume, show=show,
            )  # fmt: skip
    except KeyboardInterrupt:
        say("rish: the rows of the worlds that have ended are kept; --resume goes on with them", error=True)
        raise
    return tell(report, arguments.to)
