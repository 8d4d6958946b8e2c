"""The list of checks, and what a run of one of them found."""

from __future__ import annotations

import random
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

MAX_EXAMPLES = 5
"""The number of failures of a check that are described."""

Try = Callable[[random.Random], float | None]
"""One try with its own random numbers. Returns a measure of it, None for its seconds; raises if it fails."""


@dataclass(frozen=True)
class Check:
    """A check. quick, whole: the numbers of tries. unit: of the measure. begin: yields the function that tries."""

    name: str
    promise: str
    quick: int
    whole: int
    unit: str
    begin: Callable[[], Iterator[Try]]


@dataclass
class Finding:
    """What a check found. worst: the greatest measure. failed: the seeds of the tries that failed, with the reason."""

    name: str
    promise: str
    tries: int = 0
    failures: int = 0
    worst: float = 0.0
    unit: str = "s"
    failed: dict[int, str] = field(default_factory=dict[int, str])

    def plain(self) -> dict[str, Any]:
        """Return the finding as data for JSON."""
        return asdict(self)


REGISTRY: dict[str, Check] = {}


def check(name: str, *, quick: int, whole: int, unit: str = "s") -> Callable[[Any], Any]:
    """Register a generator that prepares something once and yields the function that tries. Its docstring: the promise.

    quick, whole: the numbers of tries in a quick and in a whole run. unit: of what a try returns.
    """

    def register(begin: Callable[[], Iterator[Try]]) -> Callable[[], Iterator[Try]]:
        assert name not in REGISTRY, name
        REGISTRY[name] = Check(name, (begin.__doc__ or "").split("\n")[0], quick, whole, unit, begin)
        return begin

    return register


def run(one: Check, tries: int, seed: int = 0) -> Finding:
    """Run a check. seed: of the first try; the others follow it, so that a failed one can be repeated alone."""
    finding = Finding(one.name, one.promise, unit=one.unit)
    prepared = one.begin()
    attempt = next(prepared)
    for number in range(seed, seed + tries):
        start = time.perf_counter()
        finding.tries += 1
        try:
            measure = attempt(random.Random(number))
        except Exception as error:
            finding.failures += 1
            if len(finding.failed) < MAX_EXAMPLES:
                finding.failed[number] = "".join(traceback.format_exception_only(error)).strip()
            continue
        finding.worst = max(finding.worst, time.perf_counter() - start if measure is None else measure)
    prepared.close()  # type: ignore[attr-defined]
    return finding
