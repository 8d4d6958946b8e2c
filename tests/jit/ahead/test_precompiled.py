"""Kernels that are compiled before they are called, in this process or in another one."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time

import pytest

import rish_jit
from rish_jit.ahead import precompiled
from rish_jit.ahead.precompiled import Ready, worth_preparing
from rish_jit.machine import host

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
def test_stored_kernels_are_ready_at_the_first_question(workshop: Workshop) -> None:
    """Kernels that are stored as machine code are loaded when they are asked for, for any number of rows."""
    workshop.start(WARM_UP).warm_up()
    assert Ready(workshop.start(WARM_UP).warm_up)()
    ready = Ready(workshop.start(WARM_UP).warm_up)
    assert ready.serve(1, 1000)
    assert ready.ready
    assert workshop.compiled == []


@needs_numba
def test_a_local_function_is_called_by_the_process_that_asks(workshop: Workshop) -> None:
    """A local function whose kernels are not stored is called by the thread that asks, after the first question."""
    module, calls = workshop.start(WARM_UP), list[str]()

    def warm_up() -> None:
        calls.append(threading.current_thread().name)
        module.warm_up()

    ready = Ready(warm_up)
    assert not ready()
    assert workshop.compiled == []
    assert ask_until_ready(ready)
    assert {*calls} == {threading.current_thread().name}
    assert workshop.compiled == ["parts.add"] * 2


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
    for number, (how, reason) in enumerate((("os._exit(1)", "parts.warm_up"), ("raise KeyError('lost')", "lost"))):
        source = dies.replace("x + 1", f"x + {number + 5}")
        ready = Ready(workshop.start(source.format(os.getpid(), how)).warm_up)
        caplog.clear()
        with caplog.at_level(logging.INFO, "rish.jit"):
            assert not ready()
            assert ask_until_ready(ready)
        assert reason in caplog.text


@needs_numba
def test_few_rows_compile_nothing(workshop: Workshop) -> None:
    """With fewer rows than the limit nothing is compiled; kernels that are ready are used for any number of rows."""
    ready = Ready(workshop.start(WARM_UP).warm_up)
    for _ in range(3):
        assert not ready.serve(9, 10)
    assert workshop.compiled == []
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


@needs_numba
def test_without_a_compiler_they_are_never_ready(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that are neither stored nor can be compiled are never ready, and none runs as plain Python."""
    module = workshop.start(WARM_UP)
    for name in ("available", "can_compile"):
        monkeypatch.setattr(precompiled, name, lambda: False)
    before = dict(rish_jit.plain_calls())
    ready = Ready(module.warm_up)
    assert not ready.now()
    assert not ready()
    assert not ready.serve(1000, 10)
    assert dict(rish_jit.plain_calls()) == before


def test_large_scenes_are_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Preparing is worthwhile where machine code is loaded, else for many rows, or if numba is already loaded."""
    assert worth_preparing(1) == (host.usable() and rish_jit.switched_off() is None) or "numba" in sys.modules
    monkeypatch.setattr(precompiled, "usable", lambda: False)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert worth_preparing(1)
    monkeypatch.delitem(sys.modules, "numba")
    assert not worth_preparing(1)
    assert worth_preparing(256)
