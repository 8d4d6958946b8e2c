"""Complete games of Breakout: the same game every time, and a frame that shows it in play."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from long_runs import long, only_long
from played_game import without
from rish_core import Snapshot, open_game
from rish_particles.components.tables import ViewPools

BREAKOUT = Path(__file__).parents[2] / "games" / "breakout"
DEMO = ["settings.game.attract_after=1"]
"""A short time on the title."""
TICKS = 200
HASH = "5db5c1e03199b19abc1b9aaa60cfe49c"
"""Of the state after 200 ticks without a player."""


def final_hash(ticks: int, *, backend: str | None = None, seed: int | None = None) -> str:
    """Return the hash after a number of frames, drawn if a backend is given."""
    with open_game(BREAKOUT, DEMO, headless=True, policy="raise", backend=backend, seed=seed) as app:
        app.run(ticks, draw=backend is not None)
        return app.world.hash()


def hash_elsewhere(ticks: int, **environment: str) -> str:
    """Return the hash from a process of its own."""
    command = [sys.executable, "-m", "rish_core", "run", str(BREAKOUT), "--set", *DEMO, "--headless", "--hash"]
    command += ["--frames", str(ticks)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, check=True)
    return done.stdout.split()[-1]


def test_its_state_is_pinned() -> None:
    """The state is the same in each run and on every machine; another seed of the game has another one."""
    assert final_hash(TICKS) == HASH
    assert final_hash(5, seed=99) != final_hash(5)


@pytest.mark.slow
def test_another_process_plays_the_same_game_in_plain_python() -> None:
    """With another seed of Python's hashes and without compiled kernels the hash is the same.

    A long run has multi-ball, fire and falling capsules.
    """
    ticks = long(1500, TICKS)
    expected = final_hash(ticks) if ticks != TICKS else HASH
    assert hash_elsewhere(ticks, PYTHONHASHSEED="1", RISH_NO_JIT="1") == expected


def test_particles_may_be_absent() -> None:
    """Without the plugin for particles, all ticks of a demo with broken bricks have the same hashes, and saves fit."""
    with (
        open_game(BREAKOUT, DEMO, headless=True, policy="raise") as app,
        open_game(BREAKOUT, DEMO, headless=True, policy="raise", installed=without("particles")) as bare,
    ):
        assert "particles" in app.plugins
        assert "particles" not in bare.plugins
        for _ in range(300):
            app.run(1, draw=False)
            bare.run(1, draw=False)
            assert app.world.hash() == bare.world.hash()
        assert app.world[ViewPools].live.sum() > 20
        for one, other in ((app, bare), (bare, app)):
            other.world.restore(Snapshot.from_bytes(one.world.snapshot().to_bytes()))
            assert one.world.hash() == other.world.hash()
            for each in (app, bare):
                each.run(20, draw=False)
            assert app.world.hash() == bare.world.hash()


def test_the_backend_makes_no_difference() -> None:
    """The hash is the same without drawing, on `null` and on `software`."""
    assert len({final_hash(50), final_hash(50, backend="null"), final_hash(50, backend="software")}) == 1


@pytest.mark.slow
def test_strict_is_clean_through_a_demo() -> None:
    """The first and the last ticks of a demo from the title into a match have no errors in strict mode; equal hash."""
    watched = long(TICKS, 10)
    with open_game(BREAKOUT, DEMO, headless=True, policy="raise", more=["strict"]) as app:
        watcher = app.schedule.watcher
        for tick in range(TICKS):
            app.schedule.watcher = watcher if tick < watched or tick >= TICKS - watched else None
            app.run(1, draw=False)
        assert app.world.hash() == HASH


def through_saves(first: int, ticks: int) -> None:
    """From tick `first` on, save and load the game in every tick, and compare the hashes."""
    with (
        open_game(BREAKOUT, DEMO, headless=True, policy="raise") as app,
        open_game(BREAKOUT, DEMO, headless=True, policy="raise") as other,
    ):
        app.run(first, draw=False)
        for _ in range(ticks):
            other.world.restore(Snapshot.from_bytes(app.world.snapshot().to_bytes()))
            for each in (app, other):
                each.frame(draw=False)
            assert app.world.hash() == other.world.hash()


def test_saved_and_loaded_in_every_tick_it_goes_on_alike() -> None:
    """A game that is saved to bytes and loaded into another App in every tick has the same hashes."""
    through_saves(340, 30)


@only_long
@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 400, 5000])
def test_saved_and_loaded_for_long_it_goes_on_alike(first: int) -> None:
    """The same holds for 300 ticks from the title, in play, and late in a match."""
    through_saves(first, 300)


def test_a_frame_shows_breakout_in_play() -> None:
    """Frame 300 shows a match in play: broken and standing bricks, a flying ball, a paddle, bright colors."""
    with open_game(BREAKOUT, DEMO, headless=True, pixels=True, policy="raise") as app:
        app.run(299, draw=False)
        app.frame()
        picture, world = app.pixels(), app.world
        parts = importlib.import_module(f"{app.plugins['game'].module.__name__}.components")
        assert world[parts.Match].phase is parts.Phase.PLAY
        assert 8 <= len(world[parts.Brick]) <= 60
        assert not world[parts.Ball].held.all()
        assert len(world[parts.Paddle]) == 1
    bright = picture[:, :, :3].max(axis=2).astype(int) - picture[:, :, :3].min(axis=2)
    assert (bright > 120).mean() > 0.02
    assert len(np.unique(picture.reshape(-1, 4), axis=0)) > 500
