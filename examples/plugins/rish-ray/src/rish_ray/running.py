"""Plays jobs by a pool, keeps each outcome in a journal, and writes the table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rish_core import UsageError

from .jobs import Job, Outcome, Trial
from .journal import Journal, head_of
from .pools import Died, open_pool
from .table import check_table, rows_of, write_table


@dataclass(frozen=True)
class Report:
    """What a sweep did.

    rows: of the table. played: the worlds of this run; the others were in the journal. ticks: of the worlds of this
    run. seconds: that they took, without the start of the pool. pool: its name. workers: how many. memory: the most
    that a process of a worker used, in bytes; 0: unknown.
    """

    rows: list[dict[str, Any]]
    played: int
    ticks: int
    seconds: float
    pool: str
    workers: int
    memory: int

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The rows of worlds that raised, or whose process died."""
        return [row for row in self.rows if row["end"] == "error"]


def sweep(
    trial: Trial, jobs: Sequence[Job], to: Path | str, *, workers: int | None = None, pool: str | None = None,
    resume: bool = False, show: Callable[[int, int], object] = lambda done, total: None,
) -> Report:  # fmt: skip
    """Play all jobs and write the table `to`; return what was done.

    The table has the same bytes for every pool and number of workers. Until all worlds have ended, their rows are in
    the file `to` + `.part`. workers, pool: see `open_pool`. resume: go on with the rows of an interrupted run, if there
    are any. show: called with the number of worlds that have ended, and that of all. Raises UsageError for mistakes in
    the arguments, WorkFailed for those in the manifest, the changes and the expressions.
    """
    to, jobs = Path(to), list(jobs)
    if not jobs:
        raise UsageError("there is no world to play")
    check_table(to)
    with Journal(to, head_of(trial, jobs), resume=resume) as journal:
        left = [number for number in range(len(jobs)) if number not in journal.outcomes]
        with open_pool(partial(_player, trial), workers, pool) as opened:
            begin = time.perf_counter()
            for number, result in opened.results([jobs[number] for number in left]):
                journal.add(left[number], _outcome(result, trial))
                show(len(journal.outcomes), len(jobs))
            seconds = time.perf_counter() - begin
        rows = rows_of(trial, jobs, journal.outcomes)
        write_table(to, rows)
        journal.remove()
    ticks = sum(journal.outcomes[number].ticks for number in left)
    memory = max(outcome.memory for outcome in journal.outcomes.values())
    return Report(rows, len(left), ticks, seconds, opened.name, opened.workers, memory)


def _player(trial: Trial) -> Callable[[Job], Outcome]:
    from .player import Player  # its imports take half a second, which only a worker needs

    return Player(trial)


def _outcome(result: Outcome | Died, trial: Trial) -> Outcome:
    if isinstance(result, Died):
        error = f"its process died {result.tries} times"
        return Outcome(0, "", "error", error, (None,) * len(trial.columns))
    return result
