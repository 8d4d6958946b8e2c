"""Control by a person in a match, the autopilot, and what the screens show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rish_core import Layers, Session, Transform, WindowEvent, named
from rish_frame import DeviceRequests
from rish_ui import Widget

if TYPE_CHECKING:
    from .conftest import Breakout
else:
    Breakout = object


def shown(breakout: Breakout) -> set[str]:
    """Return the names of the messages, hints and bars that are shown in a match."""
    names = ("announcement", "cleared", "over", "serve", "demo", "relief", "wide", "sticky", "fire")
    return {name for name in names if breakout.world.get(named(breakout.world, name), Widget).visible}


def paddle_x(breakout: Breakout) -> float:
    """Return the x of the paddle."""
    return breakout.module("rules").paddle_x(breakout.world)


@pytest.mark.parametrize(
    ("kind", "key"), [("key", "SPACE"), ("mouse_button", "mouse.left"), ("gamepad_button", "gamepad.a")]
)
def test_every_device_serves(breakout: Breakout, kind: str, key: str) -> None:
    """Space, a click and the gamepad's button all serve."""
    breakout.begin()
    assert breakout.match.by_hand
    breakout.press(key, kind)
    assert breakout.match.phase is breakout.Phase.PLAY


def test_a_serve_waits_until_the_wall_stands(breakout: Breakout) -> None:
    """While the wall falls into place the ball stays on the paddle; then every brick is at its home."""
    breakout.click("title_screen.choices.play")
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
    """P stops the ball and continues; the autopilot does not end a pause."""
    breakout.serve()
    breakout.press("P")
    place = breakout.world.query(breakout.Ball, Transform)[Transform.position].tolist()
    breakout.tick(60 * 40)
    assert breakout.world.query(breakout.Ball, Transform)[Transform.position].tolist() == place
    assert breakout.world[Layers].all_paused
    assert breakout.match.paused
    assert not breakout.world[breakout.Pilot].active
    breakout.press("P")
    breakout.tick(6)
    assert breakout.world.query(breakout.Ball, Transform)[Transform.position].tolist() != place
    assert not breakout.match.paused


def test_a_pause_leads_to_the_title_and_escape_there_ends_the_game(breakout: Breakout) -> None:
    """The pause screen has a button to the title, where nothing is paused; Escape ends the game there only."""
    breakout.begin()
    breakout.press("ESCAPE")
    assert breakout.scene == "play"
    breakout.click("pause_screen.leave")
    assert breakout.scene == "title"
    assert not breakout.world[Layers].all_paused
    assert not breakout.world[Session].quit
    breakout.press("ESCAPE")
    assert breakout.world[Session].quit


def test_the_best_score_is_kept_from_match_to_match(breakout: Breakout) -> None:
    """A new match begins at 0 with all lives; the best score is kept."""
    breakout.serve()
    breakout.match.score, breakout.match.lives = 4321, 1
    breakout.place_ball(100, -10, 0, -900)
    breakout.tick(120)
    assert breakout.scene == "lose"
    breakout.click("ending.choices.leave")
    assert breakout.scene == "title"
    assert breakout.match.best == 4321
    breakout.begin()
    assert (breakout.match.score, breakout.match.best, breakout.match.lives) == (0, 4321, 3)


def test_the_autopilot_plays_without_input_and_yields_at_a_touch(breakout: Breakout) -> None:
    """Without input a demo begins after a time; an input ends it at the title, and then a real match can begin."""
    breakout.tick(60 * 11)
    assert breakout.scene == "title"
    breakout.tick(60 * 2)
    assert breakout.scene == "play"
    assert not breakout.match.by_hand
    breakout.tick(3, WindowEvent("mouse_move", x=5.0, y=5.0))
    assert breakout.scene == "title"
    breakout.tick(60 * 11)
    assert breakout.scene == "title"
    breakout.begin()
    assert breakout.match.by_hand


def test_the_autopilot_waits_while_a_menu_is_open(breakout: Breakout) -> None:
    """No demo begins behind the options."""
    breakout.click("title_screen.choices.options")
    breakout.tick(60 * 13)
    assert breakout.scene == "title"
    breakout.click("options_screen.foot.back")
    breakout.tick(60 * 13)
    assert breakout.scene == "play"


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
        rows.append(float((letters[:, 1] == 378).sum()))
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


def test_messages_and_hints_fit_the_match(breakout: Breakout) -> None:
    """The level is announced, then the serve is explained; bars are shown as long as their power-ups work."""
    breakout.click("title_screen.choices.play")
    breakout.tick(6)
    assert shown(breakout) == {"announcement"}
    breakout.tick(60)
    assert shown(breakout) == {"serve"}
    breakout.match.wide, breakout.match.fire = 9.5, 2.2
    breakout.tick(5)
    assert shown(breakout) == {"serve", "wide", "fire"}
    breakout.press("SPACE")
    breakout.match.fire = 0.0
    breakout.tick(5)
    assert shown(breakout) == {"wide"}
    breakout.match.lives = 1
    breakout.place_ball(100, -10, 0, -900)
    breakout.tick(10)
    assert shown(breakout) == {"over"}


def test_the_demo_says_that_it_is_one(breakout: Breakout) -> None:
    """The hint of a demo is shown as long as the autopilot plays."""
    breakout.tick(60 * 13)
    assert breakout.scene == "play"
    assert "demo" in shown(breakout)
