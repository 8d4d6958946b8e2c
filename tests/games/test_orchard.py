"""Orchard is made of YAML alone; one or two can win, lose and begin again, by keys and the mouse; it plays itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from long_runs import LONG
from played_game import SharedGame, without
from rish_core import App, InputRecord, Scenes, Transform, WindowEvent, find, open_game, tagged
from rish_expressions import FieldPath, Variables
from rish_history import Recorder, Recording, origin_of, read_recording, verify
from rish_history.replay.replay import open_recorded

ORCHARD = Path(__file__).parents[2] / "games" / "orchard"
IN_PLAY = "scene=play"
DAY = 320
HASH = "de25492e50de281d736a145cdf2de090"
"""Of the state after 320 ticks of a day without a player."""


@dataclass
class Day:
    """What a day without a player was: its recording, and the hash of each tick."""

    recording: Recording
    hashes: list[str]


def played(app: App) -> list[str]:
    """Run a day without a player; return the hash of each tick."""
    hashes: list[str] = []
    for _ in range(DAY):
        app.run(1, draw=False)
        hashes.append(app.world.hash())
    return hashes


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Day:
    """A day without a player, recorded."""
    path = tmp_path_factory.mktemp("orchard") / "day.rish"
    with open_game(ORCHARD, [IN_PLAY], headless=True, policy="raise") as app:
        recorder = Recorder(app, path, origin_of(app, [IN_PLAY]))
        hashes = played(app)
        recorder.finish()
        assert values(app)["score"] > 0
    return Day(read_recording(path), hashes)


@pytest.fixture(scope="module")
def shared() -> Iterator[SharedGame]:
    """The game without sound and particles, opened once."""
    with open_game(ORCHARD, headless=True, policy="raise", installed=without("audio", "particles")) as app:
        yield SharedGame(app)


@pytest.fixture
def app(shared: SharedGame) -> App:
    """The game on its title, headless."""
    app = shared.again("title")
    app.tick(InputRecord())
    return app


def key(name: str, down: bool = True) -> InputRecord:
    """Return the input of a key."""
    return InputRecord((WindowEvent("key", name, down=down),))


def until(app: App, scene: str, ticks: int = 4000) -> bool:
    """Play until a scene begins; return whether it did."""
    while app.world[Scenes].current != scene and app.world.tick < ticks:
        app.tick(InputRecord())
    return app.world[Scenes].current == scene


def start(app: App) -> None:
    """Begin to play, by the button of the title."""
    app.tick(InputRecord((WindowEvent("command", "Clicked title_screen.choices.play"),)))
    app.tick(InputRecord())
    assert app.world[Scenes].current == "play"


def values(app: App) -> dict[str, Any]:
    """Return the variables."""
    return app.world[Variables].values


def read(app: App, path: str) -> Any:
    """Return the value of a path."""
    return FieldPath.parse(path).bind(app.world).read()


def test_it_has_no_python() -> None:
    """The complete game is made of YAML."""
    assert {path.suffix for path in ORCHARD.rglob("*") if path.is_file() and "__pycache__" not in path.parts} == {
        ".yaml"
    }


def test_unattended_it_plays_to_its_end_and_begins_again(app: App) -> None:
    """Without a player the title is followed by a day that is won, the last picture, and the title.

    The sample does not wait for the title, which takes twelve seconds.
    """
    values(app).update(goal=2, idle=7.0)
    assert until(app, "play")
    assert until(app, "won")
    assert not read(app, "ending.card.shares.Widget.visible")
    assert values(app)["best"] >= 2
    assert not LONG or until(app, "title")


def test_it_is_lost_with_three_fruits_on_the_ground(app: App) -> None:
    """A player who stands in a corner loses three hearts, one after another, and tries again with three."""
    start(app)
    for _ in range(120):
        app.tick(key("A"))
    hearts = set()
    shown = [FieldPath.parse(f"heart{k}.Shape.opacity").bind(app.world) for k in (1, 2, 3)]
    while app.world[Scenes].current == "play":
        app.tick(InputRecord())
        if app.world[Scenes].current == "play":
            hearts.add(sum(each.read() == 1 for each in shown))
    assert hearts >= {0, 1, 2}
    assert app.world[Scenes].current == "over"
    app.tick(InputRecord((WindowEvent("command", "Clicked ending.choices.again"),)))
    app.tick(InputRecord())
    assert app.world[Scenes].current == "play"
    assert (values(app)["lives"], values(app)["score"]) == (3, 0)


def test_the_sun_sets_on_a_lost_day(app: App) -> None:
    """At the end of the day the game is over, even with all hearts; the evening is dark."""
    values(app)["daylight"] = 1.0
    start(app)
    assert until(app, "over")
    app.tick(InputRecord())
    assert read(app, "dusk.Shape.opacity") > 0.5
    assert values(app)["lives"] == 3


def test_keys_and_the_mouse_move_the_basket(app: App) -> None:
    """The basket goes where its keys or the pointer say, and not beyond the borders."""
    start(app)
    app.tick(key("D"))
    for _ in range(90):
        app.tick(InputRecord())
    assert read(app, "basket.Transform.position.x") == pytest.approx(910, abs=3)
    app.tick(key("D", False))
    app.tick(InputRecord((WindowEvent("mouse_move", x=200.0, y=50.0),)))
    for _ in range(90):
        app.tick(InputRecord())
    assert read(app, "basket.Transform.position.x") == pytest.approx(200, abs=3)


def pad(device: int, value: float) -> InputRecord:
    """Return the input of a gamepad's stick."""
    return InputRecord((WindowEvent("gamepad_axis", "gamepad.left_x", value=value, device=device),))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((key("A"), key("A", False)), (key("RIGHT"), key("RIGHT", False))),
        ((pad(4, -1.0), pad(4, 0.0)), (pad(9, 1.0), pad(9, 0.0))),
    ],
)
def test_a_second_player_joins_and_each_moves_one_basket(app: App, first: Any, second: Any) -> None:
    """The second basket comes with the first key or push of player 2, and each player moves the own one."""
    start(app)
    app.tick(first[0])
    for _ in range(60):
        app.tick(InputRecord())
    assert find(app.world, "basket2") is None
    assert read(app, "basket.Transform.position.x") == pytest.approx(50, abs=3)
    app.tick(first[1])
    app.tick(second[0])
    for _ in range(60):
        app.tick(InputRecord())
    app.tick(second[1])
    assert read(app, "basket.Transform.position.x") == pytest.approx(50, abs=3)
    assert read(app, "basket2.Transform.position.x") == pytest.approx(910, abs=3)


def test_a_fruit_counts_for_the_basket_that_caught_it_and_once(app: App) -> None:
    """Both baskets under one fruit count it once; the fruits of player 2 are in the common score."""
    values(app)["daylight"] = 1000.0
    start(app)
    app.tick(key("RIGHT"))
    app.tick(key("RIGHT", False))
    now = values(app)
    while now["score"] < 6 and app.world.tick < 3000:
        now["lives"] = 3
        fruits = sorted(float(app.world.get(each, Transform).position[1]) for each in tagged(app.world, "fruit"))
        for each in tagged(app.world, "fruit"):
            x, y = app.world.get(each, Transform).position
            if y == fruits[0]:
                now["aim"], now["aim2"] = (float(x), float(x)) if now["score"] < 3 else (50.0, float(x))
        before = now["score"]
        app.tick(InputRecord())
        assert now["score"] - before in (0, 1, 3)
    assert 3 <= now["second"] <= now["score"]
    assert read(app, "basket2.tally.Text.text") == str(now["second"])


def test_a_catch_squashes_the_basket(app: App) -> None:
    """The basket is flat in the tick after a catch, and gets its shape back."""
    start(app)
    heights = []
    values(app)["played"] = False
    height = FieldPath.parse("basket.look.Transform.scale.y").bind(app.world)
    while len(heights) < 420 and not (len(heights) > 43 and heights[-44] < 0.8):
        app.tick(InputRecord())
        heights.append(height.read())
    assert min(heights) == pytest.approx(0.76, abs=0.01)
    assert heights[0] == 1
    low = heights.index(min(heights))
    assert heights[low + 43] == pytest.approx(1, abs=0.01)


@pytest.mark.slow
def test_particles_may_be_absent(day: Day) -> None:
    """Without the plugin for particles, all ticks of a day have the same hashes."""
    with open_game(ORCHARD, [IN_PLAY], headless=True, policy="raise", installed=without("particles")) as app:
        assert "particles" not in app.plugins
        assert played(app) == day.hashes


@pytest.mark.slow
def test_its_state_in_a_day_is_pinned(day: Day) -> None:
    """The state is the same on every machine."""
    assert day.hashes[-1] == HASH


@pytest.mark.slow
def test_a_recorded_day_replays_with_the_same_hashes(day: Day) -> None:
    """A recording of a day gives the same hash in each tick when it is played again."""
    with open_recorded(day.recording, ORCHARD, headless=True) as app:
        assert verify(app, day.recording) is None
