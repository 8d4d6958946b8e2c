"""Reading ahead: in a window, files of other scenes and prefabs are loaded before they are shown."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from rish_core import Assets, Scenes
from rish_frame import NullBackend
from rish_render import plugin
from rish_render.materials.material_images import Pictures, map_key
from rish_render.plugin.ahead import Ahead

from ..conftest import Studio

FILES = {f"{name}.png": Studio.png(np.full((20, 30, 4), 200, np.uint8)) for name in ("now", "later", "wall", "side")}
MANIFEST = {
    "layers": ["main"],
    "prefabs": {"wall": {"Transform": {}, "Sprite": {"image": "wall.png", "normal": "side.png"}}},
    "scene": "first",
    "scenes": {
        "first": [{"Transform": {}, "Sprite": {"image": "now.png"}}],
        "second": [{"Transform": {}, "Sprite": {"image": "later.png"}}, {"Transform": {}, "Camera": {}}],
    },
}


class Window(NullBackend):
    """A backend that draws nothing in a window."""

    capabilities = NullBackend.capabilities | {"window"}


@pytest.fixture
def game(rish_app):
    """Make a game of two scenes: `game(headless=False, files={...})`; with a window by default."""

    def make(headless=False, files=FILES):
        return rish_app(MANIFEST, plugins={"render": plugin}, backend=Window(), files=files, headless=headless)

    return make


def play(app, frames=40):
    """Run frames of one tick each."""
    for _ in range(frames):
        app.frame(seconds=app.world.dt)
    return app.world


@pytest.mark.slow
def test_files_of_other_scenes_and_prefabs_are_read_ahead(game):
    """While the first scene is played in a window, images of the second and of prefabs are loaded, maps included."""
    world = play(game())
    assert {"later.png", "wall.png"} <= set(world[Pictures].images)
    assert map_key("normal", "wall.png", "side.png") in world[Pictures].maps
    assert world[Assets].knows("side.png")


@pytest.mark.slow
def test_without_a_window_nothing_is_read_ahead(game):
    """A headless game loads only what it shows, so its atlas depends on nothing else."""
    world = play(game(headless=True))
    assert [*world[Pictures].images] == ["now.png"]


@pytest.mark.slow
def test_reading_ahead_changes_no_state(game):
    """A game that reads ahead and one that does not have equal hashes, before and after a change of the scene."""
    hashes = []
    for ahead in (True, False):
        app = game()
        if not ahead:
            app.world[Ahead].steps = iter(())
        before = play(app).hash()
        app.world[Scenes].go("second")
        hashes.append((before, play(app, 6).hash(), app.world.tick))
    assert hashes[0] == hashes[1]


@pytest.mark.slow
def test_a_damaged_file_is_reported_once(game, caplog):
    """An image that can't be decoded is logged once, although it is read ahead and shown later."""
    damaged = FILES["later.png"][:50]
    with caplog.at_level(logging.ERROR):
        app = game(files={**FILES, "later.png": damaged})
        play(app)
        app.world[Scenes].go("second")
        play(app, 5)
    assert sum("later.png" in record.getMessage() for record in caplog.records) == 1


@pytest.mark.slow
def test_a_file_that_has_gone_is_reported_when_it_is_shown(game, caplog):
    """An image that was deleted after the start is no mistake of a scene that does not show it."""
    app = game()
    (app.world[Assets].root / "later.png").unlink()
    with caplog.at_level(logging.ERROR):
        assert "later.png" not in play(app)[Pictures].images
        assert not caplog.records
        app.world[Scenes].go("second")
        play(app, 5)
    assert sum("later.png" in record.getMessage() for record in caplog.records) == 1


@pytest.mark.slow
def test_the_memory_is_limited(game):
    """What does not fit into the limit is not read ahead; it is loaded when it is shown."""
    app = game()
    app.world[Ahead].limit = 2 * 8 * 20 * 30
    world = play(app)
    assert [*world[Pictures].images] == ["now.png", "later.png"]
    assert world[Ahead].spent <= world[Ahead].limit
