"""Kernels that are compiled before they are called, in this process or in another one."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time

import pytest

from rish_jit.ahead.precompiled import Ready, worth_preparing

from ..conftest import ADD, Workshop, needs_numba


@needs_numba
def test_now_prepares_them_and_waits() -> None:
    """`now` prepares the kernels once and waits for them."""
    calls: list[str] = []
    ready = Ready(lambda: calls.append(threading.current_thread().name))
    assert ready.now()
    assert ready.now()
    assert ready()
    assert calls == [threading.current_thread().name]


def ask_until_ready(ready: Ready) -> bool:
    """Ask again and again, as a game does in each frame, for up to a minute; return the last answer."""
    end = time.monotonic() + 60
    while not ready() and time.monotonic() < end:
        time.sleep(0.005)
    return ready()


@needs_numba
def test_a_local_function_is_called_by_the_process_that_asks() -> None:
    """A local function is not called at the first question; later it is called once, by the thread that asks."""
    calls: list[str] = []
    ready = Ready(lambda: calls.append(threading.current_thread().name))
    assert not ready()
    assert calls == []
    assert ask_until_ready(ready)
    assert calls == [threading.current_thread().name]


WARM_UP = ADD.format(1) + "def warm_up():\n    add(1), add(1.5)\n"


@needs_numba
@pytest.mark.slow
def test_kernels_of_a_module_are_compiled_in_another_process(workshop: Workshop) -> None:
    """Kernels that a function of a module calls are compiled by another process; this one only loads them."""
    ready = Ready(workshop.start(WARM_UP).warm_up)
    assert not ready()
    assert not ready.ready
    assert ask_until_ready(ready)
    assert ready.ready
    assert len(workshop.used) == 2
    assert workshop.compiled == []


@needs_numba
@pytest.mark.slow
def test_a_process_that_fails_leaves_the_kernels_to_this_one(
    workshop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    """If the other process dies or raises an error, the reason is logged, and this process compiles the kernels."""
    dies = "import os\nif os.getpid() != {}:\n    {}\n" + WARM_UP
    for how, reason in (("os._exit(1)", "parts.warm_up"), ("raise KeyError('lost')", "lost")):
        ready = Ready(workshop.start(dies.format(os.getpid(), how)).warm_up)
        caplog.clear()
        with caplog.at_level(logging.INFO, "rish.jit"):
            assert not ready()
            assert ask_until_ready(ready)
        assert reason in caplog.text


def test_few_rows_ask_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With fewer rows than the limit nothing is prepared; kernels that are ready are used for any number of rows."""
    monkeypatch.setattr("rish_jit.ahead.precompiled.available", lambda: True)
    calls: list[int] = []
    ready = Ready(lambda: calls.append(1))
    assert not ready.serve(9, 10)
    assert not ready.ready
    assert calls == []
    assert ready.now()
    assert ready.serve(9, 10)


@needs_numba
def test_kernels_that_fail_are_never_ready(caplog: pytest.LogCaptureFixture) -> None:
    """Kernels whose preparation fails are never ready, and the reason is logged."""

    def warm_up() -> None:
        raise ValueError("no such instruction")

    ready = Ready(warm_up)
    with caplog.at_level(logging.ERROR):
        assert not ready.now()
    assert "no such instruction" in caplog.text
    assert not ready()


def test_without_a_compiler_they_are_never_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler kernels are never ready, and nothing is started."""
    monkeypatch.setattr("rish_jit.ahead.precompiled.available", lambda: False)
    ready = Ready(lambda: pytest.fail("must not be called"))
    assert not ready.now()
    assert not ready()


def test_large_scenes_are_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Preparing is worthwhile for many rows, or for any number if numba is already loaded."""
    monkeypatch.setitem(sys.modules, "numba", None)
    assert worth_preparing(1)
    monkeypatch.delitem(sys.modules, "numba")
    assert not worth_preparing(1)
    assert worth_preparing(256)
