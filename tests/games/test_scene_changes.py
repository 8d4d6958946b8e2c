"""A change of the scene in a window waits for no file: what the scenes and prefabs of a game show was read before."""

from __future__ import annotations

from pathlib import Path

import pytest

import rish_jit
from long_runs import long
from rish_core import Assets, Scenes, open_game
from rish_frame import NullBackend
from rish_render.plugin.ahead import Ahead

GAMES = Path(__file__).parents[2] / "games"
SEVERAL = ["beacon", "breakout", "lantern", "orchard", "physics", "rewind", "sirens"]
"""The games with several scenes. Pictures of presets, as in `particles`, are read with their scene."""
PICTURES = (".png", ".jpg", ".glb", ".gltf")


class Window(NullBackend):
    """A backend that draws nothing in a window."""

    capabilities = NullBackend.capabilities | {"window"}


@pytest.mark.slow
@pytest.mark.parametrize("name", long(SEVERAL, ["lantern"]))
def test_no_picture_is_decoded_when_a_scene_begins(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the first frames of each other scene no picture and no model is read, and no kernel compiles."""
    with open_game(GAMES / name, backend=Window(), headless=False, personal=False) as app:
        for _ in range(3):
            app.frame(seconds=app.world.dt)
        for _ in app.world[Ahead].steps:
            pass
        files: list[str] = []
        read = Assets.read
        monkeypatch.setattr(Assets, "read", lambda self, key, place=None: files.append(key) or read(self, key, place))
        compiled = rish_jit.compilations
        others = [scene for scene in app.game.scenes if scene != app.world[Scenes].current]
        for scene in others:
            app.world[Scenes].go(scene)
            for _ in range(5):
                app.frame(seconds=app.world.dt)
        assert others
        assert [file for file in files if file.endswith(PICTURES)] == []
        assert rish_jit.compilations == compiled
