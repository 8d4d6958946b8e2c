"""Control by a person: every screen can be reached and left, by keyboard, mouse and gamepad."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rish_core import Layers, Session, Transform, WindowEvent
from rish_frame import DeviceRequests
from rish_render import Text

if TYPE_CHECKING:
    from .conftest import Breakout
else:
    Breakout = object


def texts(breakout: Breakout) -> list[str]:
    """Return all texts on the screen."""
    return [breakout.world.get(entity, Text).text for entity in breakout.world.query(Text)]


def paddle_x(breakout: Breakout) -> float:
    """Return the x of the paddle."""
    return breakout.module("rules").paddle_x(breakout.world)


@pytest.mark.parametrize(
    ("kind", "key"), [("key", "SPACE"), ("mouse_button", "mouse.left"), ("gamepad_button", "gamepad.a")]
)
def test_a_match_begins_from_every_device(breakout: Breakout, kind: str, key: str) -> None:
    """Space, a click and the gamepad's button all begin a match, and then serve."""
    breakout.tick(3)
    assert breakout.scene == "title"
    breakout.press(key, kind)
    assert breakout.scene == "play"
    assert breakout.match.by_hand
    breakout.tick(60)
    breakout.press(key, kind)
    assert breakout.match.phase is breakout.Phase.PLAY


def test_a_serve_waits_until_the_wall_stands(breakout: Breakout) -> None:
    """While the wall falls into place the ball stays on the paddle; then every brick is at its home."""
    breakout.press("SPACE")
    breakout.press("SPACE")
    assert breakout.match.phase is breakout.Phase.SERVE
    breakout.tick(60)
    bricks = breakout.world.query(breakout.Brick, Transform)
    assert (bricks[Transform.position] == bricks[breakout.Brick.home]).all()


@pytest.mark.parametrize(
    "event",
    [
        WindowEvent("key", "LEFT", down=True),
        WindowEvent("key", "A", down=True),
        WindowEvent("gamepad_button", "gamepad.dpad_left", down=True),
        WindowEvent("gamepad_axis", "gamepad.left_x", value=-1.0),
        WindowEvent("mouse_move", x=100.0, y=50.0),
    ],
)
def test_the_paddle_obeys_every_device(breakout: Breakout, event: WindowEvent) -> None:
    """Keys, gamepad, stick and mouse move the paddle, no further than the walls."""
    breakout.begin()
    breakout.tick(1, WindowEvent("mouse_move", x=480.0, y=50.0))
    before = paddle_x(breakout)
    breakout.tick(1, event)
    breakout.tick(60)
    assert paddle_x(breakout) < before - 200
    assert paddle_x(breakout) >= 16 + 60 - 0.01


def test_the_paddle_goes_all_the_way_to_the_pointer(breakout: Breakout) -> None:
    """One move of the mouse is enough; the paddle moves until it reaches the pointer."""
    breakout.begin()
    breakout.tick(1, WindowEvent("mouse_move", x=800.0, y=50.0))
    breakout.tick(30)
    assert paddle_x(breakout) == pytest.approx(800, abs=0.01)


def test_pause_stops_everything_and_goes_on(breakout: Breakout) -> None:
    """P stops the ball, shows a message, and continues; the autopilot does not end a pause."""
    breakout.serve()
    breakout.press("P")
    place = breakout.world.query(breakout.Ball, Transform)[Transform.position].tolist()
    breakout.tick(60 * 40)
    assert breakout.world.query(breakout.Ball, Transform)[Transform.position].tolist() == place
    assert "PAUSED" in texts(breakout)
    assert not breakout.world[breakout.Pilot].active
    breakout.press("P")
    breakout.tick(6)
    assert breakout.world.query(breakout.Ball, Transform)[Transform.position].tolist() != place
    assert "PAUSED" not in texts(breakout)


def test_escape_leaves_a_match_even_paused_and_then_the_game(breakout: Breakout) -> None:
    """Escape leads from a match to the title, where nothing is paused, and there it quits the game."""
    breakout.begin()
    breakout.press("P")
    breakout.press("ESCAPE")
    assert breakout.scene == "title"
    assert not breakout.world[Layers].is_paused("world")
    assert not breakout.world[Session].quit
    breakout.press("ESCAPE")
    assert breakout.world[Session].quit


def test_the_best_score_is_kept_from_match_to_match(breakout: Breakout) -> None:
    """A new match begins at 0 with all lives; the title still shows the best score."""
    breakout.serve()
    breakout.match.score, breakout.match.lives = 4321, 1
    breakout.place_ball(100, -10, 0, -900)
    breakout.tick(120)
    assert breakout.scene == "lose"
    assert {"004321", "BEST  004321", "GAME OVER"} <= set(texts(breakout))
    breakout.press("SPACE")
    breakout.tick(6)
    assert breakout.scene == "title"
    assert "BEST  004321" in texts(breakout)
    breakout.begin()
    assert (breakout.match.score, breakout.match.best, breakout.match.lives) == (0, 4321, 3)


def test_the_autopilot_plays_without_input_and_yields_at_a_touch(breakout: Breakout) -> None:
    """Without input a demo runs; an input ends it at the title, and the next key begins a real match."""
    breakout.tick(200)
    assert breakout.scene == "play"
    assert not breakout.match.by_hand
    breakout.tick(3, WindowEvent("mouse_move", x=5.0, y=5.0))
    assert breakout.scene == "title"
    breakout.tick(60)
    assert breakout.scene == "title"
    breakout.press("SPACE")
    assert breakout.scene == "play"
    assert breakout.match.by_hand


def test_who_comes_back_goes_on_with_the_own_match(breakout: Breakout) -> None:
    """In a person's match the autopilot takes over after a long time without input, and an input ends that."""
    breakout.serve()
    breakout.place_ball(480, 200, 0, 300)
    for _ in range(31):
        breakout.match.lives = 3
        breakout.tick(60)
        if not len(breakout.world.query(breakout.Ball)) or breakout.match.phase is breakout.Phase.SERVE:
            continue
    assert breakout.world[breakout.Pilot].active
    breakout.tick(2, WindowEvent("key", "RIGHT", down=True))
    assert not breakout.world[breakout.Pilot].active
    assert breakout.scene == "play"


def test_the_letters_of_the_title_drop_to_their_places(breakout: Breakout) -> None:
    """The letters come from above, one after another, and stay in one line."""
    rows = [0.0]
    for _ in range(11):
        breakout.tick(8)
        letters = breakout.world.query(Transform)[Transform.position]
        rows.append(float((letters[:, 1] == 335).sum()))
    assert rows == sorted(rows)
    assert rows[-1] == 8


def test_the_gamepad_rumbles_when_a_ball_is_lost(breakout: Breakout) -> None:
    """The paddle is felt a little, a lost ball strongly."""
    breakout.serve()
    requests = breakout.world[DeviceRequests]
    breakout.place_ball(480, 70, 0, -600)
    felt = []
    for x, y in ((480, 70), (100, -10)):
        breakout.place_ball(x, y, 0, -600)
        requests.rumbles.clear()
        for _ in range(8):
            breakout.tick()
            felt += [request[0] for request in requests.rumbles.values()]
            requests.rumbles.clear()
    assert 0.0 in felt
    assert felt[-1] == pytest.approx(0.9)


def test_readouts_say_what_is(breakout: Breakout) -> None:
    """Score, level, message, power-ups and lives are on the screen."""
    from rish_render import Shape

    breakout.press("SPACE")
    breakout.tick(6)
    assert "LEVEL 1\nWARM-UP" in texts(breakout)
    breakout.tick(60)
    breakout.match.score, breakout.match.wide, breakout.match.fire = 1230, 9.5, 2.2
    breakout.tick(5)
    assert {"001230", "LEVEL 1   WARM-UP", "WIDE 10     FIRE 3", "SPACE OR CLICK TO SERVE"} <= set(texts(breakout))
    icons = breakout.world.query(breakout.LifeIcon, Shape)
    assert int(breakout.world[Shape].visible[icons.rows(Shape)].sum()) == breakout.match.lives
