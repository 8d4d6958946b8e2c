"""Names of keys for people."""

from __future__ import annotations

import pytest

from preferred import Play
from rish_core.loop import KEY_NAMES
from rish_ui.preferences import key_text


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("SPACE", "Space"), ("LEFT", "Left"), ("A", "A"), ("KEY_1", "1"), ("1", "1"), ("F11", "F11"), ("ESC", "Escape"),
        ("NUM_0", "Num 0"), ("NUM_ADD", "Num +"), ("LSHIFT", "Left Shift"), ("COMMA", ","),
        ("mouse.left", "Left click"), ("gamepad.a", "Ⓐ"), ("gamepad.left_x-", "Left stick ←"),
        ("NUM_PAGE_UP", "Num page up"), ("nothing", "Nothing"),
    ],
)  # fmt: skip
def test_a_key_has_a_short_text(key: str, text: str) -> None:
    """Letters and digits are themselves, signs are the sign, other keys are words."""
    assert key_text(key) == text


def test_no_two_keys_have_the_same_text() -> None:
    """All keys have a text of at most 14 characters, by which they can be told apart."""
    texts = [key_text(key) for key in KEY_NAMES]
    assert len({*texts}) == len(texts)
    assert max(map(len, texts)) <= 14


def test_a_game_translates_keys(play: Play) -> None:
    """A text of the key `keys.NAME` is used, in the chosen language; other keys have their own text."""
    locale = "keys: {SPACE: Leertaste, gamepad: {left_x_minus: Stick links}}\n"
    game = {"settings": {"ui": {"language": "de"}}}
    world = play(game, window=False, files={"locale/de.yaml": locale}).world
    assert key_text("SPACE", world) == "Leertaste"
    assert key_text("gamepad.left_x-", world) == "Stick links"
    assert key_text("ENTER", world) == "Enter"
