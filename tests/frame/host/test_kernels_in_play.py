"""A game in a window goes on while its own kernel compiles, with the same state as without a window."""

from __future__ import annotations

import logging
import time
from pathlib import Path

import pytest

import rish_jit
from rish_core import open_game
from rish_frame import NullBackend

GAME = """
rish: 1
game: {title: Leaves, seed: 5}
plugins: [frame]
scenes:
  main:
    - {Leaf: {place: 0.1, speed: 0.7}}
    - {Leaf: {place: 0.4, speed: 0.3}}
"""
PLUGIN = """
import numpy as np
from rish_core import Stage, component, system
from rish_jit import njit

@component
class Leaf:
    place: float = 0.0
    speed: float = 0.0

@njit
def drift(place, speed, dt):
    step = np.float32(dt)
    for i in range(len(place)):
        place[i] += speed[i] * step
        speed[i] *= np.float32(0.99)

@system(Stage.UPDATE, writes=Leaf)
def blow(world, dt):
    leaves = world[Leaf]
    drift(leaves.place, leaves.speed, dt)

def rish_components():
    return [Leaf]

def rish_systems():
    return [blow]
"""


class Windowed(NullBackend):
    """A backend with a window."""

    capabilities = NullBackend.capabilities | {"window"}


@pytest.mark.slow
@pytest.mark.skipif(not rish_jit.can_compile(), reason="needs numba")
def test_a_game_goes_on_while_its_kernel_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The first frames run its kernel as plain Python, later ones as machine code; no frame waits, nothing compiles
    here, and the hash is that of a game without a window.
    """
    monkeypatch.setenv("RISH_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "plugin.py").write_text(PLUGIN, encoding="utf-8")
    compiled, waited = list[str](), list[str]()
    stops = [
        rish_jit.on_compile(lambda name, _: compiled.append(name)),
        rish_jit.on_wait(lambda name, *_: waited.append(name)),
    ]
    try:
        with (
            caplog.at_level(logging.INFO, "rish.jit"),
            open_game(tmp_path, backend=Windowed(), headless=False, more=["strict"]) as app,
        ):
            (drift,) = [each for each in rish_jit.kernels() if each.name.endswith(".drift")]
            begin, plain = time.monotonic(), 0
            while not drift.compiled and time.monotonic() - begin < 300:
                app.frame(seconds=1 / 60)
                plain += not drift.compiled
                time.sleep(0.03)
            for _ in range(5):
                app.frame(seconds=1 / 60)
            ticks, hashed = app.world.tick, app.world.hash()
        assert drift.loaded_types == ["(f4[::1], f4[::1], f8)"]
        assert plain > 2
        said = (
            f"{drift.name}(f4[::1], f4[::1], f8) compiles in the middle of the game; `rish record-kernels GAME` lists"
        )
        assert [line for line in caplog.messages if "drift" in line] == [f"{said} it"]
        with open_game(tmp_path, headless=True) as app:
            app.run(frames=ticks)
            assert (app.world.tick, app.world.hash()) == (ticks, hashed)
        assert (compiled, waited) == ([], [])
        assert not any("drift" in kernel for kernel, _ in rish_jit.plain_calls())
    finally:
        for stop in stops:
            stop()
