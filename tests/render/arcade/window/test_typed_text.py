"""What keys type in a window arrives as text, without the keys that are no text."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rish_render.backends.arcade.window.events import WindowInput


@pytest.mark.parametrize(
    "text", ["a", "\u200c", "👨\u200d👩\u200d👧", "\u3000", "\u00a0", "\u202f", "\u200f", "❤\ufe0f"]
)
def test_joiners_and_spaces_are_typed(text: str) -> None:
    """Every character that a keyboard or an input method writes is in the event."""
    inputs = WindowInput(SimpleNamespace(), lambda x, y: (x, y))
    inputs.handlers["on_text"](text)
    assert [(event.kind, event.text) for event in inputs.take()] == [("text", text)]


@pytest.mark.parametrize("text", ["\r", "\t", "\x08", "\x1b", "\x7f", "\ud800", "\ufdd0"])
def test_keys_without_text_type_nothing(text: str) -> None:
    """ENTER, TAB and other keys for which the system sends a control character give no event of text."""
    inputs = WindowInput(SimpleNamespace(), lambda x, y: (x, y))
    inputs.handlers["on_text"](text)
    assert inputs.take() == []
