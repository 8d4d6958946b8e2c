"""What a game with a plugin leaves in the process: nothing open, nothing that grows, nothing that is changed."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path

from ..checked_plugin import Subject
from ..clause import Finding, clause
from ..module_state import kept_sizes
from ..process_state import Surroundings, changed_python, changed_variables, generators, left_behind, look_around
from ..trial_run import frames, prepare

_RUNS = ("C21",)
_TICKS = 8
_GAMES = 3
"""The games that are played one after another; the first one may fill caches."""


@clause("C31", "It leaves nothing open when a game ends", needs=_RUNS)
def check_shutdown(subject: Subject) -> Iterator[Finding]:
    """After `rish_shutdown` the threads, open files, sockets, processes and temporary files that began with the games
    are gone.
    """
    for game in subject.games:
        _play(subject, game)
        before = look_around(_temporary(subject))
        app = _play(subject, game)
        app.close()
        del app
        findings = _leftover_findings(subject, before) or (
            [] if subject.before is None else _leftover_findings(subject, subject.before)
        )
        yield from findings
        if findings:
            return


def _leftover_findings(subject: Subject, before: Surroundings) -> list[Finding]:
    """Return a finding for each thing that was not there before; the system's source of random bits is Python's own."""
    leftovers = [what for what in left_behind(before, look_around(_temporary(subject))) if "/dev/urandom" not in what]
    hint = "Close it in rish_shutdown, or in a `with` block"
    return [Finding(f"{what} is left after the game has ended", subject.place, hint) for what in leftovers]


def _temporary(subject: Subject) -> Path:
    return subject.scratch / "tmp"


def _play(subject: Subject, game: Path):
    with subject.playing(game) as app:
        prepare(app)
        for _ in frames(app, _TICKS):
            pass
    return app


@clause("C32", "It keeps nothing of a game that has ended", needs=_RUNS)
def check_leaks(subject: Subject) -> Iterator[Finding]:
    """The same game is played three times. What the modules of the package keep does not grow from the second to the
    third, and the World of a game that has ended can be forgotten.
    """
    for game in subject.games:
        sizes: list[dict[str, int]] = []
        worlds: list[weakref.ref] = []
        for _ in range(_GAMES):
            worlds.append(weakref.ref(_play(subject, game).world))
            gc.collect()
            sizes.append(kept_sizes(subject))
        grown = {
            path: size
            for path, size in sizes[-1].items()
            if 0 < sizes[0].get(path, size) < sizes[1].get(path, 0) < size
        }
        for path, size in list(grown.items())[:4]:
            what = f"{path} grows with each game: {sizes[0][path]}, {sizes[1][path]}, {size} items"
            yield Finding(what, _place(subject, path), "Keep it in a @resource of the World, or limit the cache")
        alive = sum(world() is not None for world in worlds)
        if alive > 1:
            yield Finding(f"{alive} of {_GAMES} Worlds are still referenced after their games", subject.place, _FORGET)


_FORGET = "Do not keep the App, the World, entities' views or columns in a module"


def _place(subject: Subject, path: str):
    modules = [name for name in subject.loaded if path.startswith(f"{name}.") or f" {name}." in path]
    file = sys.modules[max(modules, key=len)].__file__ if modules else None
    return file or subject.place


@clause("C33", "It leaves Python as it found it", needs=_RUNS)
def check_python(subject: Subject) -> Iterator[Finding]:
    """After the games nothing of Python itself has changed: functions of the standard library, numpy and Rish, the
    environment, the working folder, handlers of signals, and others. Its ticks use no global generator of random
    numbers.
    """
    for game in subject.games:
        yield from _drawn(subject, game)
    after = look_around(_temporary(subject))
    names = [] if subject.before is None else changed_python(subject.before, after)
    changed = set() if subject.before is None else changed_variables(subject.before, after)
    for name in [*names, *sorted(f"the variable {each} of the environment" for each in changed & subject.variables)]:
        yield Finding(f"it changed {name}", subject.place, "Put it back in rish_shutdown, or do without")


def _drawn(subject: Subject, game: Path) -> Iterator[Finding]:
    """Yield a finding for each global generator of random numbers that the ticks of a game use."""
    with subject.playing(game) as app:
        prepare(app)
        app.frame()
        before = generators()
        for _ in frames(app, _TICKS):
            pass
        after = generators()
    for name in before:
        if before[name] != after[name]:
            what = f"it takes random numbers from the global generator of {name}"
            yield Finding(what, subject.place, 'Use world.random("name"), whose state is part of the World')
