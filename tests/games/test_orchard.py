"""Orchard is a manifest alone; it can be won, lost and begun again, by keys and the mouse, and plays itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rish_core import App, InputRecord, Scenes, WindowEvent, open_game
from rish_expressions import FieldPath, Variables
from rish_history import Recorder, origin_of, read_recording, verify
from rish_history.replay.replay import open_recorded

ORCHARD = Path(__file__).parents[2] / "games" / "orchard"
HASH = "e04e97f77327dfeccee8a5cbee31d8f8"
"""Of the state after 900 ticks without a player."""


def begin(*changes: str) -> App:
    """Return the game with changes, headless."""
    return open_game(ORCHARD, [*changes], headless=True, policy="raise")


def key(name: str, down: bool = True) -> InputRecord:
    """Return the input of a key or button."""
    return InputRecord((WindowEvent("mouse_button" if name.startswith("mouse") else "key", name, down=down),))


def until(app: App, scene: str, ticks: int = 4000) -> bool:
    """Play until a scene begins; return whether it did."""
    while app.world[Scenes].current != scene and app.world.tick < ticks:
        app.tick(InputRecord())
    return app.world[Scenes].current == scene


def start(app: App) -> None:
    """Begin to play, with a click."""
    app.tick(key("mouse.left"))
    app.tick(key("mouse.left", False))
    app.tick(InputRecord())
    assert app.world[Scenes].current == "play"


def values(app: App) -> dict[str, Any]:
    """Return the variables."""
    return app.world[Variables].values


def read(app: App, path: str) -> Any:
    """Return the value of a path."""
    return FieldPath.parse(path).bind(app.world).read()


def test_it_has_no_python() -> None:
    """The complete game is one manifest."""
    assert [path.name for path in ORCHARD.iterdir() if path.name != "__pycache__"] == ["game.yaml"]


def test_unattended_it_plays_to_its_end_and_begins_again() -> None:
    """Without a player the title is followed by a day that is won, the last picture, and the title."""
    with begin("variables.goal=4") as app:
        assert until(app, "play")
        assert until(app, "won")
        assert "the best is" in read(app, "words.Text.text")
        assert values(app)["best"] >= 4
        assert until(app, "title")


def test_it_is_lost_with_three_fruits_on_the_ground() -> None:
    """A player who stands in a corner loses three hearts, one after another, and tries again with three."""
    with begin() as app:
        start(app)
        for _ in range(120):
            app.tick(key("LEFT"))
        hearts = set()
        while app.world[Scenes].current == "play":
            app.tick(InputRecord())
            if app.world[Scenes].current == "play":
                hearts.add(sum(read(app, f"heart{k}.Shape.visible") for k in (1, 2, 3)))
        assert hearts >= {0, 1, 2}
        assert app.world[Scenes].current == "over"
        app.tick(key("SPACE"))
        app.tick(InputRecord())
        app.tick(InputRecord())
        assert app.world[Scenes].current == "play"
        assert (values(app)["lives"], values(app)["score"]) == (3, 0)


def test_the_sun_sets_on_a_lost_day() -> None:
    """At the end of the day the game is over, even with all hearts; the evening is dark."""
    with begin("variables.daylight=1.0") as app:
        start(app)
        assert until(app, "over")
        app.tick(InputRecord())
        assert read(app, "dusk.Shape.opacity") > 0.5
        assert values(app)["lives"] == 3


def test_keys_and_the_mouse_move_the_basket() -> None:
    """The basket goes where the arrows or the pointer say, and not beyond the borders."""
    with begin() as app:
        start(app)
        app.tick(key("RIGHT"))
        for _ in range(90):
            app.tick(InputRecord())
        assert read(app, "basket.Transform.position.x") == pytest.approx(910, abs=3)
        app.tick(key("RIGHT", False))
        app.tick(InputRecord((WindowEvent("mouse_move", x=200.0, y=50.0),)))
        for _ in range(90):
            app.tick(InputRecord())
        assert read(app, "basket.Transform.position.x") == pytest.approx(200, abs=3)


def test_its_state_after_fifteen_seconds_is_pinned() -> None:
    """The state is the same on every machine."""
    with begin() as app:
        app.run(900, draw=False)
        assert app.world.hash() == HASH


@pytest.mark.slow
def test_a_recorded_day_replays_with_the_same_hashes(tmp_path: Path) -> None:
    """A recording of a day gives the same hash in each tick when it is played again."""
    with begin() as app:
        recorder = Recorder(app, tmp_path / "day.rish", origin_of(app))
        app.run(900, draw=False)
        recorder.finish()
    recording = read_recording(tmp_path / "day.rish")
    with open_recorded(recording, ORCHARD, headless=True) as app:
        assert verify(app, recording) is None
