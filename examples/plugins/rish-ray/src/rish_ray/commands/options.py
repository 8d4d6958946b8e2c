"""What the commands share: options, the line of progress, and the sentences at the end."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rish_cli import is_packed, show_progress, split_names, whole_number
from rish_core import UsageError, read_manifest, say

from ..jobs import Trial, read_columns
from ..pools import POOLS
from ..running import Report

_WIDTH = 30


def add_world_options(parser: argparse.ArgumentParser, *, ticks: int) -> None:
    """Add the game, and what all its worlds have in common. ticks: the default of `--ticks`."""
    parser.add_argument("game", metavar="GAME", help="a game's folder, or its game.yaml")
    parser.add_argument("--until", metavar="EXPRESSION", help="end a world when this is true, as in 'score > 50'")
    parser.add_argument(
        "--ticks", type=whole_number, default=ticks, metavar="N", help=f"and after N ticks; {ticks} where not given"
    )
    parser.add_argument(
        "--optional", default="", metavar="PLUGINS", help="run these optional plugins of the manifest too: a,b"
    )


def add_pool_options(parser: argparse.ArgumentParser) -> None:
    """Add where the worlds are played, and `--resume`."""
    parser.add_argument(
        "--workers", type=whole_number, metavar="N", help="processes; one for each processor where not given"
    )
    parser.add_argument(
        "--pool", choices=POOLS, help="processes of this machine, or Ray: the default if it is installed"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the rows of an interrupted run")


def trial_of(arguments: argparse.Namespace) -> Trial:
    """Return what the worlds of the arguments have in common. Raises UsageError, ManifestError for the game."""
    game = Path(arguments.game)
    if is_packed(game):
        raise UsageError("many worlds need a folder", where=str(game), hint=f"Write it: rish unpack {game} FOLDER")
    read_manifest(game).require()  # mistakes are reported before any process starts
    if not arguments.ticks:
        raise UsageError("--ticks 0: a world plays at least one tick")
    columns = read_columns(getattr(arguments, "columns", ""))
    return Trial(str(game.resolve()), arguments.until, arguments.ticks, columns, tuple(split_names(arguments.optional)))


@contextmanager
def progress() -> Iterator[Callable[[int, int], None]]:
    """A context manager that shows a bar on the terminal; yields `show(done, total)`."""
    begin, first = time.perf_counter(), 0
    with show_progress() as line:

        def show(done: int, total: int) -> None:
            nonlocal first
            first = first or done
            seconds = time.perf_counter() - begin
            left = seconds / max(1, done - first + 1) * (total - done)
            reached = _WIDTH * done // total
            bar = "━" * reached + "─" * (_WIDTH - reached)
            line(f"{done:,} of {total:,} worlds {bar} {left:,.0f} s left")

        yield show


def tell(report: Report, to: Path) -> int:
    """Print what was done, and the errors of worlds; return the exit code."""
    speed = report.ticks / max(report.seconds, 1e-9)
    memory = f", at most {report.memory / 2**20:,.0f} MiB for each" if report.memory else ""
    say(
        f"{to}: {len(report.rows):,} worlds, {report.played:,} of them played now: {report.ticks:,} ticks in "
        f"{report.seconds:,.1f} s ({speed:,.0f} a second) by {report.workers} workers ({report.pool}){memory}"
    )
    for error in dict.fromkeys(row["error"] for row in report.failed):
        count = sum(row["error"] == error for row in report.failed)
        say(f"rish: {count:,} worlds failed: {error}", error=True)
    return 1 if report.failed else 0
