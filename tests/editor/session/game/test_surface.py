"""The picture of an edited game where arcade is not installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_editor.testing import UIDriver
from rish_frame import BackendError
from rish_render.backends.arcade import gl
from scene_hands import SceneHands

RED, BLUE = (-100.0, 0.0), (100.0, 0.0)
"""The middles of the squares of the game."""


@pytest.mark.slow
def test_the_editor_needs_no_arcade(
    driver: UIDriver, hands: Callable[..., SceneHands], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without arcade a game is opened, shown the right way up, changed, played and stopped like with it."""

    def missing() -> Any:
        raise BackendError("arcade is not installed")

    monkeypatch.setattr(gl, "find_library", missing)
    monkeypatch.setattr(gl, "library", missing)
    at_work = hands()
    game = at_work.game
    assert game.surface.name == "software"

    def colors() -> list[tuple[int, ...]]:
        picture = driver.shell.pixels()
        places = [at_work.at(x + 20, y - 20) for x, y in (RED, BLUE)]
        return [tuple(int(value) for value in picture[round(y), round(x), :3]) for x, y in places]

    red, blue = colors()
    assert red[0] > 150 > 100 > red[2]
    assert blue[2] > 150 > 100 > blue[0]
    at_work.select("red")
    at_work.drag("move.center", (0, 150))
    driver.step(2)
    assert np.ptp(colors()[0]) < 60  # the square has gone up
    assert driver.shell.editor.run("play.start")
    driver.step(5)
    assert game.world.tick > 0
    assert driver.shell.editor.run("play.stop")
    driver.step(2)
    assert not driver.shell.editor.failures
