"""The keys of a game as people know them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_core import parse_manifest
from rish_page.controls import Control, actions_of, controls, key_name, names_in


def test_actions_have_names_and_keys_of_each_device() -> None:
    """A name of the page is used instead of that of the manifest; a hidden action and one without keys are left out."""
    text = """
rish: 1
input:
  move_left: [LEFT, A, gamepad.dpad_left, gamepad.left_x-]
  serve: [SPACE, mouse.left]
  debug: [G]
  none: []
"""
    manifest = parse_manifest(text)
    assert controls(manifest, {"serve": "Serve the ball", "debug": None}) == [
        [
            Control("Move left", ("←", "A"), ("D-pad", "Left stick")),
            Control("Serve the ball", ("Space", "Mouse"), ()),
        ]
    ]
    assert actions_of(manifest) == ["move_left", "serve", "debug", "none"]


def test_names_of_actions_are_those_of_the_menus_in_the_language_of_the_page(tmp_path: Path) -> None:
    """The texts of the game are used; a language that the game does not have is no mistake."""
    (tmp_path / "locale").mkdir()
    (tmp_path / "locale" / "de.yaml").write_text(
        "actions: {jump: Hüpfen, more: {one: x, other: y}}\n", encoding="utf-8"
    )
    (tmp_path / "locale" / "en.yaml").write_text("actions: none\n", encoding="utf-8")
    assert names_in(tmp_path, "de-AT") == {"jump": "Hüpfen"}
    assert names_in(tmp_path, "en") == names_in(tmp_path, "fr") == {}


def test_players_have_their_own_keys() -> None:
    """The first list is of actions that all players share."""
    manifest = parse_manifest("rish: 1\ninput: {pause: [P], players: [{left: [A]}, {left: [LEFT]}]}\n")
    assert [[each.keys for each in player] for player in controls(manifest, {})] == [[("P",)], [("A",)], [("←",)]]


@pytest.mark.parametrize(
    ("key", "name"),
    [("Q", "Q"), ("1", "1"), ("PAGEUP", "Page ↑"), ("F11", "F11"), ("gamepad.lb", "LB"), ("gamepad.start", "Start"),
     ("gamepad.right_trigger", "Right trigger"), ("mouse.right", "Right mouse button")],
)  # fmt: skip
def test_keys_are_called_as_on_keyboards(key: str, name: str) -> None:
    """Arrows are arrows, buttons have the letters that are on them."""
    assert key_name(key) == name
