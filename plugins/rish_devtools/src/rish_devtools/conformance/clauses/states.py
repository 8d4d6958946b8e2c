"""The states of a game with a plugin: the same in every process, after a restore, and however it is drawn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rish_ecs import place_of

from ..checked_plugin import Subject
from ..clause import Finding, clause
from ..module_state import suspects
from ..trial_run import SAVED, Trial, play, prepare

_RUNS = ("C21",)
_SEED = "1905"
"""The seed of the hashes of texts in the other process, which decides the order of sets."""
_PASSED = ("PATH", "SYSTEMROOT", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "RISH_CACHE_DIR", "NUMBA_CACHE_DIR", "PYTHONPATH")
"""The variables of the environment that the other process gets; all others are missing there or different."""


@clause("C26", "A snapshot goes on as the game itself did", needs=_RUNS)
def check_snapshots(subject: Subject) -> Iterator[Finding]:
    """A snapshot from the middle of a game is restored at its end, and in a new process that has run nothing before.
    Both must go on through the same states as the game did.
    """
    for game in subject.games:
        reference = _reference(subject, game)
        saved = reference.saved
        assert saved is not None
        with subject.playing(game) as app:
            prepare(app)
            play(app)
            app.world.restore(saved)
            again = play(app)
        where = "restored at the end of the game, "
        difference = reference.differs(again)
        if difference is None:
            where, difference = (
                "continued in a new process, ",
                reference.differs(_other_process(subject, game)["restored"]),
            )
        if difference is not None:
            yield _difference(subject, f"{where}a snapshot goes on differently", difference)


@clause("C27", "The same seed gives the same states in every process", needs=_RUNS)
def check_deterministic(subject: Subject) -> Iterator[Finding]:
    """The games run a second time in a new process with another order of sets, other variables of the environment,
    another working folder, another time of the year and kernels as plain Python. All states must have the same hashes.
    """
    for game in subject.games:
        difference = _reference(subject, game).differs(_other_process(subject, game)["begun"])
        if difference is not None:
            yield _difference(subject, "a second process gives other states", difference)


@clause("C28", "Frames and drawing never change the state", needs=_RUNS)
def check_drawing(subject: Subject) -> Iterator[Finding]:
    """The games run once in whole frames and once in ticks alone, without the stages that draw, and must go through the
    same states.
    """
    for game in subject.games:
        with subject.playing(game) as app:
            prepare(app)
            unseen = play(app, whole=False)
        difference = _reference(subject, game).differs(unseen)
        if difference is not None:
            yield _difference(
                subject, "without frames and drawing the game has other states", difference, searched=False
            )


def _reference(subject: Subject, game: Path) -> Trial:
    """Return the run with which all others are compared; it is made once."""
    if game not in subject.trials:
        with subject.playing(game) as app:
            prepare(app)
            subject.trials[game] = play(app, save=SAVED)
    return subject.trials[game]


def _difference(subject: Subject, what: str, difference: tuple[int, list[str]], *, searched: bool = True) -> Finding:
    tick, parts = difference
    kinds = {**subject.registry.components, **subject.registry.resources, **subject.registry.tables}
    whole = {*parts, *(part.rpartition(".")[0] for part in parts)}
    named = [kind for key, kind in kinds.items() if key in whole or kind.name in whole]
    own_kinds = [kind for kind in named if subject.owns_class(kind.cls)] or named
    place = place_of(own_kinds[0].cls) if own_kinds else subject.place
    suspect_names = suspects(subject) if searched else []
    hint = f"State that is not in the World may be in {', '.join(suspect_names[:4])}" if suspect_names else _HINT
    return Finding(f"{what}: at tick {tick} in {', '.join(parts[:5])}", place, hint)


_HINT = "Look for sets, clocks, variables of modules, and what is drawn at random outside of world.random"


# The other process


def _other_process(subject: Subject, game: Path) -> dict[str, Trial]:
    """Run a game in a new process: the snapshot of the reference first, then from the beginning."""
    if game not in subject.others:
        folder = subject.scratch / f"other{subject.games.index(game)}"
        folder.mkdir(exist_ok=True)
        saved = _reference(subject, game).saved
        assert saved is not None
        (folder / "saved").write_bytes(saved.to_bytes())
        request = {
            "plugin": subject.name,
            "game": str(game),
            "seed": subject.seed,
            "path": sys.path,
            "cwd": str(folder),
        }
        environment = {name: os.environ[name] for name in _PASSED if name in os.environ}
        environment |= {
            "PYTHONHASHSEED": _SEED,
            "HOME": str(folder),
            "TMPDIR": str(folder),
            "LANG": "C",
            "TZ": "Asia/Tokyo",
            "RISH_NO_JIT": "1",
        }
        command = [sys.executable, "-m", "rish_devtools.conformance.second_process", json.dumps(request)]
        # no pipe: processes that the plugin starts would keep it open
        with (folder / "errors").open("w", encoding="utf-8", newline="\n") as errors:
            quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": errors}
            done = subprocess.run(command, cwd=folder, env=environment, check=False, **quiet)
        if done.returncode != 0:
            said = (folder / "errors").read_text(encoding="utf-8", errors="replace").strip()[-300:]
            raise RuntimeError(f"a second process ended with exit code {done.returncode}: {said}")
        hashes: dict[str, Any] = json.loads((folder / "hashes.json").read_text(encoding="utf-8"))
        subject.others[game] = {name: _trial(each) for name, each in hashes.items()}
    return subject.others[game]


def _trial(plain: dict[str, Any]) -> Trial:
    hashes = {int(tick): value for tick, value in plain["hashes"].items()}
    return Trial(hashes, {int(tick): value for tick, value in plain["parts"].items()})
