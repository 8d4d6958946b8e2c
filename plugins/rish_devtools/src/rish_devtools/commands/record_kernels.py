"""`rish record-kernels GAME...`: write the lists by which kernels are compiled before a game runs (`kernels.txt`).

Every feature of the games (`rish_warm_up`, samples of what is drawn) is run, and then every scene for a while, where
the games play themselves. The kernels that are called are added to the lists beside the packages and the games.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import rish_jit
from rish_cli import show_progress, whole_number
from rish_core import say
from rish_core.manifest import tell_progress
from rish_core.plugin import GAME
from rish_ecs import RishError

from ..kernel_lists.lists import GameLists, unlisted
from ..kernel_lists.recorder import Recording, Task, open_drawing, record

FRAMES = 1200
"""Twenty seconds of a game, in which most autopilots begin a match."""
_BACKENDS = ("", "null")
"""Those that need neither a window nor a graphics card: `software` if the game draws, and `null`."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the games, the backend, the length of the runs, and `--check`."""
    parser.add_argument("games", nargs="+", metavar="GAME", help="games whose features and play are recorded")
    parser.add_argument("--backend", default="", help="the backend that draws (default: software, then null)")
    parser.add_argument(
        "--frames", type=whole_number, default=FRAMES, metavar="N",
        help="frames to play in each scene (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true", help="write nothing; name what is called and not listed, and exit with 1"
    )


def run(arguments: argparse.Namespace) -> int:
    """Record the games and write the lists, or check them; return the exit code."""
    if not rish_jit.can_compile():
        hint = f"{rish_jit.how_to_get_numba()}, and unset RISH_NO_JIT"
        raise RishError("kernels can't be recorded without numba", hint=hint)
    backends = [arguments.backend] if arguments.backend else _BACKENDS
    tasks = {game: [Task(game, backend, arguments.frames) for backend in backends] for game in arguments.games}
    if arguments.check:
        return _check(tasks)
    alone: set[tuple[str, str]] = set()
    for runs in tasks.values():
        for line in _update(runs, alone):
            say(line)
    return 0


def _check(tasks: dict[str, list[Task]]) -> int:
    """Name the kernels that the games call and that are not listed; return the exit code."""
    count = 0
    for game, runs in tasks.items():
        uses = [use for recording in _recorded(runs) for use in recording.uses]
        with open_drawing(game, runs[0].backend) as app:
            gaps = {(use.kernel, use.types): use for use in unlisted(app, uses)}
        count += len(gaps)
        for gap in gaps.values():
            say(f"{game}: {gap}")
    if count:
        say(f"{count} kernels are not listed. To add them: rish record-kernels {' '.join(tasks)}")
    else:
        say("all kernels that are called are listed")
    return 1 if count else 0


def _update(runs: list[Task], alone: set[tuple[str, str]]) -> Iterator[str]:
    """Add what a game calls to the lists; yield a line for each list that has changed, and each entry that is gone.

    alone: the features that were run alone with other games, to which those of this game are added.
    """
    first = runs[0]
    recordings = _recorded(runs)
    features = {name for recording in recordings for name in recording.features} - alone
    alone |= {name for name in features if name[0] != GAME}
    recordings += _recorded([Task(first.game, first.backend, feature=name) for name in sorted(features)])
    with open_drawing(first.game, first.backend) as app:
        with show_progress():  # compiled kernels tell which others they call
            app.kernels.compile_all(lambda done, total: tell_progress("preparing kernels:", done, total) is None)
        lists = GameLists(app)
        lists.add(use for recording in recordings for use in recording.uses)
        for each in lists.dropped:
            yield f"{each.kernel} {each.types} can't be compiled any more"
        yield from lists.write()


def _recorded(tasks: list[Task]) -> list[Recording]:
    """Run tasks, as many at a time as there are cores."""
    with ThreadPoolExecutor(rish_jit.cores()) as pool:
        return list(pool.map(record, tasks))
