"""The input of the player at a machine."""

from __future__ import annotations

from rish_core import Input, InputRecord, WindowEvent
from rish_net.game.local_input import LocalInput, key_of_player


def two_players() -> Input:
    """Return an input with two players on one keyboard."""
    input_ = Input()
    keys = [{"left": ["A", "gamepad.dpad_left"], "jump": ["W"]}, {"left": ["LEFT"], "jump": ["UP"]}]
    input_.set_actions({"pause": ["ESCAPE"]}, keys)
    return input_


def test_the_keys_of_any_player_work() -> None:
    """A key of another player's action is the key of the own player for that action."""
    input_ = two_players()
    assert [key_of_player(name, input_, 2) for name in ("A", "W", "LEFT", "ESCAPE", "Q")] == [
        "LEFT", "UP", "LEFT", "ESCAPE", "Q",
    ]  # fmt: skip
    assert [key_of_player(name, input_, 1) for name in ("A", "LEFT", "UP")] == ["A", "A", "W"]
    assert key_of_player("gamepad.dpad_left", input_, 2) == "LEFT"
    assert key_of_player("UP", input_, 5) == "UP"


def test_without_players_keys_stay() -> None:
    """In a game without players every key is what it is."""
    assert key_of_player("A", Input(), 2) == "A"


def test_keys_go_up_when_the_window_loses_the_focus() -> None:
    """Releases that no window reports are sent when the focus goes."""
    local, input_ = LocalInput(), Input()
    local.convert(
        InputRecord((WindowEvent("key", "A", True), WindowEvent("gamepad_axis", "gamepad.left_x", value=1))), input_, 1
    )
    record = local.convert(InputRecord((WindowEvent("focus", down=False),)), input_, 1)
    assert [(e.kind, e.name, e.down, e.value) for e in record.events] == [
        ("key", "A", False, 0.0), ("gamepad_axis", "gamepad.left_x", False, 0.0),
    ]  # fmt: skip
