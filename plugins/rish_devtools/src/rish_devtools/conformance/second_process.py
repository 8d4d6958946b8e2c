"""The second process of a plugin: it has run nothing before, and its surroundings are different.

It restores a snapshot and goes on from there; then it runs the same game from the beginning. It writes the hashes of
the states to the file `hashes.json`.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

from rish_core import Snapshot
from rish_ecs import add_engine

from .checked_plugin import Subject
from .trial_run import play, prepare

_LATER = 86400 * 100 + 3600 * 7 + 60 * 13 + 31
"""Seconds by which the clock of this process is ahead."""


def main(text: str) -> None:
    """Run the game of a request. text: JSON, as written by the clause that starts this process."""
    request = json.loads(text)
    _shift_clock()
    add_engine("rish_devtools")
    sys.path[:] = request["path"]
    folder, game = Path(request["cwd"]), Path(request["game"])
    subject = Subject(request["plugin"], folder, request["seed"])
    subject.dependencies.begin()
    saved = Snapshot.from_bytes((folder / "saved").read_bytes())
    with subject.open(game) as app:
        prepare(app)
        app.world.restore(saved)
        restored = play(app)
    with subject.open(game) as app:
        prepare(app)
        begun = play(app)
    hashes = {"restored": asdict(restored), "begun": asdict(begun)}
    (folder / "hashes.json").write_text(json.dumps(hashes), encoding="utf-8", newline="\n")


def _shift_clock() -> None:
    """Make this process run at another time of the day, the week and the year."""
    seconds, nanoseconds = time.time, time.time_ns
    time.time = lambda: seconds() + _LATER
    time.time_ns = lambda: nanoseconds() + _LATER * 10**9


if __name__ == "__main__":
    main(sys.argv[1])
