"""The key that lets the window fill the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import App, Input, TickHooks, WindowEvent
from rish_frame import DeviceRequests, NullBackend

MakeApp = Callable[..., App]
F11, F11_UP = WindowEvent("key", "F11", down=True), WindowEvent("key", "F11")


class Windowed(NullBackend):
    """A backend that says it has a window."""

    capabilities = NullBackend.capabilities | {"window"}


def run(rish_app: MakeApp, game: Any, backend: NullBackend) -> tuple[App, list[str]]:
    """Run a game for as many frames as it has events; return it, and the keys that reached it."""
    app, heard = rish_app(game, backend=backend), list[str]()
    app.world[TickHooks].after.append(lambda world, record: heard.extend(event.name for event in record.events))
    app.run(4)
    return app, heard


def test_the_key_fills_the_screen_and_ends_it(rish_app: MakeApp) -> None:
    """F11 lets the window fill the screen, and at the next press no more; the game does not get the key."""
    backend = Windowed(events=[(F11, F11_UP), (), (F11, F11_UP)])
    app, heard = run(rish_app, {}, backend)
    assert [given for verb, given in backend.calls if verb == "fullscreen"] == [{"wanted": True}, {"wanted": False}]
    assert not heard
    assert not app.world[DeviceRequests].is_fullscreen


@pytest.mark.parametrize(
    "game",
    [
        {"settings": {"frame": {"fullscreen_key": ""}}},
        {"settings": {"frame": {"fullscreen_key": "F9"}}},
        {"input": {"help": ["F11"]}},
        {"input": {"players": [{"help": ["F11"]}]}},
    ],
    ids=["no key", "another key", "the game's", "a player's"],
)
def test_the_game_gets_a_key_that_it_uses(rish_app: MakeApp, game: Any) -> None:
    """Without a key, with another one, or with an action on it, the game gets F11 and the window stays."""
    backend = Windowed(events=[F11])
    _, heard = run(rish_app, game, backend)
    assert heard == ["F11"]
    assert not backend.options.get("fullscreen")


def test_a_key_that_an_action_got_while_playing_is_the_games(rish_app: MakeApp) -> None:
    """The actions count that the game has now, not those of the manifest."""
    backend = Windowed(events=[(), F11])
    app = rish_app({"input": {"help": ["H"]}}, backend=backend)
    app.world[Input].set_actions({"help": ["F11"]})
    app.run(3)
    assert not backend.options.get("fullscreen")


def test_a_backend_without_a_window_leaves_the_key_to_the_game(rish_app: MakeApp) -> None:
    """Without a window there is nothing to fill, so the game gets the key."""
    _, heard = run(rish_app, {}, NullBackend(events=[F11]))
    assert heard == ["F11"]
