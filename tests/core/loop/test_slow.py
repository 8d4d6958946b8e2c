"""Slow systems are reported."""

from __future__ import annotations

import logging

import pytest

import rish_jit
from rish_core.loop.profile import Profiler
from rish_core.loop.slow import SlowSystems
from rish_ecs import Stage
from rish_jit.compiler import kernel


def _frame(profiler: Profiler, *seconds: float) -> None:
    profiler.begin_frame()
    profiler.times[: len(seconds)] = seconds
    profiler.begin -= sum(seconds)
    profiler.end_frame()


def test_a_system_that_takes_over_a_second_is_named_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system that takes over a second is logged once; frames with compilations or several slow systems are not."""
    caplog.set_level(logging.WARNING, "rish.schedule")
    profiler = Profiler()
    profiler.name_slots([("game.nap", Stage.UPDATE), ("game.play", Stage.UPDATE)])
    slow = SlowSystems(profiler)
    _frame(profiler, 0.9, 0.9)
    slow.look()
    monkeypatch.setattr(kernel, "compilations", rish_jit.compilations + 1)
    _frame(profiler, 0, 5)
    slow.look()
    assert caplog.messages == []
    for _ in range(3):
        _frame(profiler, 3, 0.1)
        slow.look()
    assert caplog.messages == ["system 'game.nap' took 3.0 s in one frame; the game stopped meanwhile"]
