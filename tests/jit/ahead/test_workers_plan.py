"""The order in which worker processes get kernels, seen by processes that only write down what they are asked."""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from rish_jit import Listed
from rish_jit.ahead import workers
from rish_jit.ahead.workers import Workers

from ..conftest import finish
from .recorder import MODULE, Recorder, Records, define


@pytest.fixture(scope="module")
def employ() -> Iterator[Callable[[Records], None]]:
    """Return a function that replaces worker processes by recorders."""
    with pytest.MonkeyPatch.context() as patch:
        yield lambda records: patch.setattr(workers.subprocess, "Popen", lambda *_, **__: Recorder(records))
    sys.modules.pop(MODULE, None)


@st.composite
def graphs(draw: st.DrawFn) -> list[set[int]]:
    """Return which kernels each kernel calls."""
    count = draw(st.integers(1, 8))
    return [draw(st.sets(st.integers(0, number - 1), max_size=3)) if number else set() for number in range(count)]


def callees(calls: list[set[int]], number: int) -> set[int]:
    """Return the kernels that one calls, directly or through others."""
    return calls[number].union(*(callees(calls, each) for each in calls[number]))


def check_order(calls: list[set[int]], events: list[tuple[str, str]], left: frozenset[int] = frozenset()) -> None:
    """Check that no kernel begins before the last end of its callees. left: those that never end."""
    for number in range(len(calls)):
        first = events.index(("begin", f"k{number}"))
        ended = {name for what, name in events[:first] if what == "end"}
        assert {f"k{each}" for each in callees(calls, number) - left} <= ended


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(graphs(), st.integers(1, 4), st.integers(0, 99))
def test_each_kernel_is_compiled_once_after_its_callees(
    employ: Callable[[Records], None], calls: list[set[int]], count: int, seed: int
) -> None:
    """Each kernel is compiled once, and begins after the ends of all kernels that it calls."""
    chance = random.Random(seed)
    records = Records(pause=lambda: chance.random() * 0.002)
    employ(records)
    with Workers(define(calls), count=count) as crew:
        assert finish(crew)
        assert (crew.done, crew.total, crew.running) == (len(calls), len(calls), [])
    assert set(records.begun().values()) == {1}
    assert len(records.begun()) == len(calls)
    check_order(calls, records.events)


@settings(deadline=None, max_examples=60)
@given(graphs(), st.dictionaries(st.integers(0, 7), st.integers(1, 3), max_size=3), st.integers(1, 4))
def test_kernels_whose_compilers_die_are_tried_twice(
    employ: Callable[[Records], None], calls: list[set[int]], deaths: dict[int, int], extra: int
) -> None:
    """A kernel is tried again after its worker died once, and left after two deaths; all others are compiled."""
    records = Records({f"k{number}": times for number, times in deaths.items()})
    employ(records)
    lost = frozenset(number for number, times in deaths.items() if times > 1 and number < len(calls))
    with Workers(define(calls), count=len(lost) + extra) as crew:
        assert finish(crew)
        assert crew.done == len(calls)
    for number in range(len(calls)):
        assert records.begun()[f"k{number}"] == (2 if deaths.get(number) else 1)
    ended = {name for what, name in records.events if what == "end"}
    assert ended == {f"k{number}" for number in range(len(calls)) if number not in lost}
    check_order(calls, records.events, lost)


def test_one_worker_goes_on_after_a_deadly_kernel(employ: Callable[[Records], None]) -> None:
    """With one worker a kernel that kills it twice is left, and the rest is compiled."""
    records = Records({"k0": 9})
    employ(records)
    with Workers(define([set(), {0}, set()]), count=1) as crew:
        assert finish(crew)
    assert {name for what, name in records.events if what == "end"} == {"k1", "k2"}


def test_a_process_that_dies_with_its_loads_ends_the_work(employ: Callable[[Records], None]) -> None:
    """If no process survives the calls that come first, the work ends, and no kernel is begun."""
    records = Records({"load": 99})
    employ(records)
    with Workers(define([set()] * 6), loads=[("anything", "load", None)], count=2) as crew:
        assert finish(crew)
    assert set(records.begun()) == {"load"}


def refuse(*_: object, **__: object) -> None:
    """Raise the error of a system that starts no more processes."""
    raise OSError("no more processes")


def test_where_no_process_starts_the_work_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system starts no processes, waiting ends, though some kernels call others."""
    monkeypatch.setattr(workers.subprocess, "Popen", refuse)
    with Workers(define([set(), {0}, {1}]), count=2) as crew:
        assert finish(crew)


class SlowToEnd(threading.Thread):
    """A thread that lives on for a while after its function has returned."""

    def run(self) -> None:
        """Run the function, and wait."""
        super().run()
        time.sleep(0.1)


def test_waiting_without_a_limit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waiting without a limit of time ends when the threads end, though they leave kernels uncompiled."""
    monkeypatch.setattr(workers.subprocess, "Popen", refuse)
    with monkeypatch.context() as patch:
        patch.setattr(workers.threading, "Thread", SlowToEnd)
        crew = Workers(define([set()]), count=1)

    def wait() -> None:
        while not crew.wait():
            pass

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(60)
    ended = not waiting.is_alive()
    crew.close()
    assert ended


def test_nothing_to_do_ends_at_once(employ: Callable[[Records], None]) -> None:
    """An empty list, and one of kernels that are gone, is done at once, and no process is started."""
    records = Records()
    employ(records)
    define([])
    for entries in ([], [Listed(f"{MODULE}.gone", "(i8,)")]):
        with Workers(entries) as crew:
            assert crew.wait()
            assert (crew.done, crew.total, crew.running) == (0, 0, [])
        assert workers.compile_ahead(entries) < 60
    assert records.events == []


def test_waiting_ends_when_something_changes(employ: Callable[[Records], None]) -> None:
    """`wait` returns when a kernel is done, long before its time is over; closing hands out no more kernels."""
    go = threading.Semaphore(0)
    records = Records(pause=lambda: 0.0 if go.acquire(timeout=200) else 1.0)
    employ(records)
    crew = Workers(define([set()] * 3), count=1)
    begin = time.monotonic()
    while not records.events:
        crew.wait(0.01)
    assert len(crew.running) == 1
    threading.Timer(0.1, go.release).start()
    while crew.done < 1:
        assert not crew.wait(200)
    threading.Timer(0.1, go.release, [9]).start()
    crew.close()
    assert time.monotonic() - begin < 100
    assert crew.done < 3
