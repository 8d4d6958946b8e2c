"""The form of every benchmark: cases, engines that run them, and interleaved rounds.

A benchmark is a module of this folder with a list `CASES`. A case is one piece of work. For each of its engines it
names a function that prepares that work and returns a `Task`. The engine `rish` is Rish itself, run as the product runs
(a real World, a Schedule, an App, the `rish` command); the others are its peers::

    CASES = [
        Case("move_100k", "µs", {"rish": "_ecs_rish:move", "numba": "_ecs_bare:move"}, limits={"numba": 1.5}),
    ]

Noise on a shared machine comes in waves of seconds. So a case is measured in many short rounds, the engines take turns
within each round (in an order that is reversed from one round to the next), and the result is the median of the rounds'
ratios: a wave slows both sides of a round alike. Every engine has a process of its own, which sleeps while the others
work, so that the garbage collector, heap or imports of one do not disturb another.
"""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ._worker import Worker

OURS = "rish"
LIMIT = "limit"
"""The peer of a case with an absolute limit: `case:limit` is the measured value ÷ the limit."""

PER_SECOND = {"s": 1.0, "ms": 1e3, "µs": 1e6, "ns": 1e9}
PER_BASE = {**PER_SECOND, "mm": 1e3, "times": 1.0, "ticks": 1.0, "%": 100.0, "kB": 1e-3}
"""By unit: the number of units per second, per meter, per unit, or per byte."""


@dataclass
class Case:
    """One piece of work and the engines that do it.

    unit: of the values: s, ms, µs or ns; mm, times, ticks, % or kB for reported figures; or "×" for `work` (seconds of
    game time) ÷ the time taken. engines: `module:function` by name, the module in the benchmark's own folder; only the
    process of that engine imports it, and if the import fails the engine is absent. limits: the largest allowed ratio
    Rish ÷ peer, by peer. limit: the largest allowed value for Rish, in `unit`; for "×" the lowest speed.
    full: only a full run includes it.
    """

    name: str
    unit: str
    engines: dict[str, str]
    limits: dict[str, float] = field(default_factory=dict[str, float])
    limit: float | None = None
    work: float = 0.0
    full: bool = False

    @property
    def limited(self) -> bool:
        """True if `--quick` runs the case."""
        return not self.full and (bool(self.limits) or self.limit is not None)

    def value(self, seconds: float) -> float:
        """Return a time or a figure in the unit of this case."""
        return self.work / seconds if self.unit == "×" else seconds * PER_BASE[self.unit]

    def allowed(self) -> float:
        """Return the limit in seconds, meters or as a plain number."""
        assert self.limit is not None
        return self.work / self.limit if self.unit == "×" else self.limit / PER_BASE[self.unit]

    def chosen(self, quick: bool) -> list[str]:
        """Return the engines that take part: all, or in a quick run Rish and those with a limit."""
        return [name for name in self.engines if not quick or name == OURS or name in self.limits]

    def keys(self, quick: bool) -> dict[str, float | None]:
        """Return the keys of this case in `ratios`, with the limit of each."""
        keys: dict[str, float | None] = {
            f"{self.name}:{name}": self.limits.get(name) for name in self.chosen(quick) if name != OURS
        }
        if self.limit is not None:
            keys[f"{self.name}:{LIMIT}"] = 1.0
        return keys


@dataclass(frozen=True)
class Plan:
    """How much to measure: the maximum of rounds, seconds of work per round and engine, seconds per case.

    min_rounds: rounds even if they take longer; once the complete benchmark has taken `seconds`, one is enough. A quick
    run has no more than these for figures, which are medians already.
    """

    quick: bool = False
    rounds: int = 41
    round_seconds: float = 0.02
    case_seconds: float = 15.0
    min_rounds: int = 5
    seconds: float = 600.0

    def enough(self, rounds: int, case_seconds: float, seconds: float) -> bool:
        """Return True if a case with this many rounds, in this many seconds, needs no more."""
        minimum = 1 if seconds > self.seconds else self.min_rounds
        return rounds >= minimum and case_seconds > self.case_seconds


FULL = Plan()
QUICK = Plan(quick=True, rounds=21, round_seconds=0.01, case_seconds=2.0, min_rounds=3, seconds=20.0)


@dataclass
class Row:
    """The result of one engine for one case: the median of its rounds and their quartiles, in `unit`.

    cpu: for cases measured by wall-clock time, the median processor time of the processes that were started, in `unit`;
    far below `value` if the machine was busy with other work.
    """

    case: str
    engine: str
    value: float
    unit: str
    low: float
    high: float
    clock: str
    rounds: int
    cpu: float | None = None


@dataclass
class Results:
    """All that was measured; ratios and limits have the same keys.

    A ratio is None if one side is missing. absent: the reason by engine. failed: the message by `case:engine`. begin:
    wall-clock time when measuring began.
    """

    name: str
    quick: bool
    rows: list[Row] = field(default_factory=list[Row])
    ratios: dict[str, float | None] = field(default_factory=dict[str, "float | None"])
    limits: dict[str, float | None] = field(default_factory=dict[str, "float | None"])
    absent: dict[str, str] = field(default_factory=dict[str, str])
    failed: dict[str, str] = field(default_factory=dict[str, str])
    begin: float = field(default_factory=time.perf_counter)

    def met(self, key: str) -> bool | None:
        """Return True if a ratio keeps its limit; None if it has no limit or was not measured."""
        ratio, limit = self.ratios[key], self.limits[key]
        return None if ratio is None or limit is None else ratio <= limit


Ready = dict[str, tuple[Worker, int, str]]
"""By engine: its process, the number of runs per round, and the clock."""

Times = dict[str, list[tuple[float, float]]]
"""By engine, for each round: the seconds per run, and the processor time of the processes that it started."""

Progress = Callable[[str, int, int], object]
"""A function that is called with the starting case, its index, and the number of cases."""


def load_cases(module: str) -> list[Case]:
    """Return the cases of a benchmark, by the dotted name of its module."""
    return importlib.import_module(module).CASES


def notes_of(module: str, results: Results) -> str:
    """Return a benchmark's notes below its table, made by its function `notes(results)`; empty if it has none."""
    notes = getattr(importlib.import_module(module), "notes", None)
    return f"\n{notes(results)}" if notes is not None else ""


def run_benchmark(
    module: str, plan: Plan = FULL, *, only: Sequence[str] = (), progress: Progress | None = None
) -> Results:
    """Measure a benchmark and return its results.

    only: the names of the cases to run; all if empty. progress: called at the start of each case.
    """
    cases = [case for case in load_cases(module) if case.limited or not plan.quick]
    cases = [case for case in cases if not only or case.name in only]
    results = Results(module.rpartition(".")[2], plan.quick)
    workers: dict[str, Worker] = {}
    try:
        for number, case in enumerate(cases):
            if progress is not None:
                progress(case.name, number, len(cases))
            _measure_case(module, case, plan, workers, results)
    finally:
        for worker in workers.values():
            worker.close()
    return results


def _measure_case(module: str, case: Case, plan: Plan, workers: dict[str, Worker], results: Results) -> None:
    """Prepare all engines of a case, let them take turns, and store the results."""
    ready: Ready = {}
    for engine in case.chosen(plan.quick):
        worker = workers.get(engine)
        if worker is None or not worker.alive:
            worker = workers[engine] = Worker(module, engine)
        reply = worker.ask(do="prepare", case=case.name, seconds=plan.round_seconds)
        if "calls" in reply:
            ready[engine] = worker, reply["calls"], reply["clock"]
        else:
            _note_missing(case, engine, reply, results)
    times = _take_turns(case, ready, plan, results)
    for worker, _, _ in ready.values():
        worker.ask(do="finish")
    for engine, rounds in times.items():
        results.rows.append(_row(case, engine, rounds, ready[engine][2]))
    results.limits |= case.keys(plan.quick)
    results.ratios |= {key: _ratio(case, key, times) for key in case.keys(plan.quick)}


def _take_turns(case: Case, ready: Ready, plan: Plan, results: Results) -> Times:
    """Return the rounds of each engine; an engine that fails in a round drops out."""
    times: Times = {engine: [] for engine in ready}
    begin = time.perf_counter()
    has_figures = all(clock == "told" for _, _, clock in ready.values())
    for turn in range(plan.min_rounds if plan.quick and has_figures else plan.rounds):
        now = time.perf_counter()
        if plan.enough(turn, now - begin, now - results.begin):
            break
        for engine in list(times)[:: 1 if turn % 2 == 0 else -1]:
            worker, calls, _ = ready[engine]
            reply = worker.ask(do="round", calls=calls)
            if "seconds" in reply:
                times[engine].append((max(reply["seconds"], 1e-9), reply["cpu"]))
            else:
                _note_missing(case, engine, reply, results)
                del times[engine]
    return times


def _note_missing(case: Case, engine: str, reply: dict[str, Any], results: Results) -> None:
    if "absent" in reply:
        results.absent[engine] = reply["absent"]
    else:
        results.failed[f"{case.name}:{engine}"] = reply["error"]


def _row(case: Case, engine: str, rounds: list[tuple[float, float]], clock: str) -> Row:
    seconds = [seconds for seconds, _ in rounds]
    single = len(seconds) == 1
    low, middle, high = seconds * 3 if single else statistics.quantiles(seconds, n=4, method="inclusive")
    low, high = sorted((case.value(low), case.value(high)))
    cpu = case.value(statistics.median(cpu for _, cpu in rounds)) if clock == "wall" else None
    return Row(case.name, engine, case.value(middle), case.unit, low, high, clock, len(rounds), cpu)


def _ratio(case: Case, key: str, times: Times) -> float | None:
    """Return the ratio Rish ÷ peer (or ÷ the limit): the median over the rounds."""
    peer = key.rpartition(":")[2]
    ours = [seconds for seconds, _ in times.get(OURS, ())]
    if peer == LIMIT:
        return statistics.median(ours) / case.allowed() if ours else None
    theirs = [seconds for seconds, _ in times.get(peer, ())]
    if not ours or not theirs:
        return None
    return statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
