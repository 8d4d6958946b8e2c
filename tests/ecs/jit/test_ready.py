"""Kernels that are compiled in the background."""

from __future__ import annotations

import logging
import threading

import pytest

from rish_ecs import jit
from rish_ecs.jit.ready import Ready, worth_preparing

COMPILED = pytest.mark.skipif(not jit.available(), reason="kernels run as plain Python here")


@COMPILED
def test_now_prepares_them_and_waits() -> None:
    """`now` prepares the kernels once and waits for them."""
    calls: list[str] = []
    ready = Ready(lambda: calls.append(threading.current_thread().name))
    assert ready.now()
    assert ready.now()
    assert ready()
    assert calls == [threading.current_thread().name]


@COMPILED
def test_the_first_question_prepares_them_beside_the_game() -> None:
    """The first call starts the preparation and returns False; once it is finished the result is True."""
    go, done = threading.Event(), threading.Event()

    def warm_up() -> None:
        go.wait(10)

    ready = Ready(warm_up)
    assert not ready()
    assert not ready()
    go.set()
    for _ in range(1000):
        if ready():
            done.set()
            break
        threading.Event().wait(0.005)
    assert done.is_set()


@COMPILED
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
    monkeypatch.setattr("rish_ecs.jit.ready.available", lambda: False)
    ready = Ready(lambda: pytest.fail("must not be called"))
    assert not ready.now()
    assert not ready()


def test_large_scenes_are_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Preparing is worthwhile for many rows, or for any number if numba is already loaded."""
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    assert worth_preparing(1)
    monkeypatch.delitem(__import__("sys").modules, "numba")
    assert not worth_preparing(1)
    assert worth_preparing(256)
