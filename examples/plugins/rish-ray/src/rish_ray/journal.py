"""The rows of an unfinished table: a file of JSON lines, which grows by a line with each world that has ended.

The first line says what the worlds play. A line that was cut off when the process was killed is left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Any, Self

from rish_core import UsageError
from rish_system import source_files

from .jobs import Job, Outcome, Trial


class Journal:
    """The outcomes by number of their job, kept in a file beside the table.

    head: what the worlds play. resume: take the outcomes of an interrupted run from the file. Raises UsageError if
    the file is there and `resume` is not set, or if its worlds play something else.
    """

    def __init__(self, table: Path, head: Mapping[str, Any], *, resume: bool) -> None:
        self.path = table.with_name(f"{table.name}.part")
        self.outcomes: dict[int, Outcome] = {}
        head_line = json.dumps(head, sort_keys=True)
        lines = self.path.read_bytes().split(b"\n")[:-1] if self.path.exists() else []
        lines = lines if len(lines) > 1 else []  # without a row there is nothing to go on with
        if lines and not resume:
            raise UsageError(
                f"it has {len(lines) - 1:,} rows of an interrupted run", where=str(self.path),
                hint="--resume goes on with them; delete the file to begin anew",
            )  # fmt: skip
        if lines and lines[0].decode(errors="replace") != head_line:
            what = ", ".join(_different(lines[0], head))
            raise UsageError(
                f"the interrupted run differs in: {what}", where=str(self.path),
                hint="Give the same game and options, or delete the file to begin anew",
            )  # fmt: skip
        for line in lines[1:]:
            number, ticks, state, end, error, values, memory = json.loads(line)
            self.outcomes[number] = Outcome(ticks, state, end, error, tuple(values), memory)
        # lines that are whole are written again, because the last one may be cut off
        self._file = self.path.open("wb")
        self._file.writelines(each + b"\n" for each in lines or [head_line.encode()])
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file; without a row, as after a mistake in an option, delete it."""
        self._file.close()
        if not self.outcomes:
            self.path.unlink(missing_ok=True)

    def add(self, number: int, outcome: Outcome) -> None:
        """Write the outcome of a job; it is in the file when this returns, also if the process is killed."""
        self.outcomes[number] = outcome
        self._file.write(json.dumps([number, *astuple(outcome)]).encode() + b"\n")
        self._file.flush()

    def remove(self) -> None:
        """Delete the file."""
        self._file.close()
        self.path.unlink()


def head_of(trial: Trial, jobs: list[Job]) -> dict[str, Any]:
    """Return what makes the rows of a run: the trial, digests of the jobs, of the game's files and of autopilots."""
    game = Path(trial.game)
    folder = game if game.is_dir() else game.parent
    files = [folder / name for name in source_files(folder)]
    autopilots = sorted({path for job in jobs for path in job.autopilots})
    return {
        **asdict(trial),
        "jobs": hashlib.sha256(repr([(job.seed, job.changes, job.autopilots) for job in jobs]).encode()).hexdigest(),
        "files of the game": _digest([*files, game] if game.is_file() else files),
        "files of autopilots": _digest([Path(path) for path in autopilots]),
    }


def _digest(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        if path.is_file():
            digest.update(f"{path.name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _different(line: bytes, head: Mapping[str, Any]) -> list[str]:
    try:
        former: Any = json.loads(line)
        new = json.loads(json.dumps(head))
        return [key for key in new if former.get(key) != new[key]] or ["everything"]
    except (ValueError, AttributeError):
        return ["everything"]
