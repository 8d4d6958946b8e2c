"""Calls that do not return are named and stopped; the looks of the thread are made by hand here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest

from rish_reload import CallWatch


class Stop(BaseException):
    """Stops a call."""


class Watch(CallWatch):
    """Watches calls of one function, and notes what it tells."""

    stop = Stop

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.code, self.told = function.__code__, []

    def is_call(self, frame: FrameType) -> bool:
        """Return True for a frame of the function."""
        return frame.f_code is self.code

    def tell(self, frame: FrameType, call: FrameType, seconds: float, *, stopped: bool) -> None:
        """Note the seconds."""
        self.told.append((seconds, stopped))


def outer(look: Callable[[], object]) -> None:
    """A watched call that calls another one."""
    inner(look)


def inner(look: Callable[[], object]) -> None:
    """Call the function that looks, so that the frames of the calls are on the stack."""
    look()


@pytest.fixture
def watches() -> Iterator[tuple[Watch, Watch]]:
    """A watch of `outer` and one of `inner`, whose threads do not look for seconds."""
    made = Watch(outer), Watch(inner)
    yield made
    for watch in made:
        watch.close()


def test_only_time_in_which_the_thread_looks_counts(watches: tuple[Watch, Watch]) -> None:
    """A process that was suspended for an hour during a call does not make it a call of an hour."""
    watch, _ = watches
    watch.start(40, 0)  # a look every 10 seconds

    def look() -> None:
        for now in (100, 110, 3700, 3710):
            watch.look(now)

    with watch:
        outer(look)
        assert watch.told == []
        outer(lambda: [watch.look(now) for now in (4000, 4010, 4020, 4030, 4040, 4050)])
    assert watch.told == [(40, False)]


def test_a_call_is_left_to_the_watch_of_a_call_inside(watches: tuple[Watch, Watch]) -> None:
    """A watch names a call, but does not stop it while another watch stops calls inside of it."""
    coarse, fine = watches
    coarse.start(40, 40)
    fine.start(0, 1000)
    with coarse, fine:
        outer(lambda: [coarse.look(now) for now in range(0, 100, 10)])
    assert coarse.told == [(40, False)]
    fine.close()
    with pytest.raises(Stop), coarse:
        outer(lambda: [coarse.look(now) for now in range(100, 150, 10)] and threading.Event().wait(0.01))
    assert coarse.told[1:] == [(40, False), (40, True)]
