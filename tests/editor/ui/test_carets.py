"""Text fields of the editor treat a letter with its marks as one, as those of games do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_editor.testing import UIDriver
from rish_editor.ui.values.carets import completed
from rish_frame.paint.writing import clusters_of

TEXTS = st.text(st.sampled_from("ab น้ำeि\u0301👨\u200d👩🇩🇪\u1112\u1161"), max_size=12)


class _Panel:
    """A panel of a test with a field of one line."""

    id, title, dock = "editor.written", "Written", "right"

    def __init__(self) -> None:
        self.text = ""

    def draw(self, ui: Any, editor: Any) -> None:
        """Draw the field."""
        found = ui.line("text", self.text)
        self.text = self.text if found is None else found


@pytest.fixture
def written(driver: UIDriver, open_text: Callable[..., Any]) -> tuple[UIDriver, _Panel]:
    """A person who is at the field."""
    open_text()
    panels = driver.shell.editor.panels
    panels.use([_Panel], {})
    driver.shell.editor.layouts.reset()
    driver.step(3)
    driver.click("editor.written/text")
    return driver, panels["editor.written"]


def test_keys_treat_a_cluster_as_one(written: tuple[UIDriver, _Panel]) -> None:
    """BACKSPACE, DELETE and the arrows leave no part of a letter with marks, of an emoji or of a flag."""
    driver, panel = written
    for cluster in ("น้ำ", "ກຳ", "👨\u200d👩\u200d👧", "🇩🇪", "\u1112\u1161\u11ab"):
        driver.type(f"a{cluster}b")
        assert panel.text == f"a{cluster}b"
        driver.key("Left")
        driver.key("Backspace")
        assert panel.text == "ab"
        driver.type(cluster)
        driver.key("Left")
        driver.key("Delete")
        assert panel.text == "ab"
        driver.key("Ctrl+A")
        driver.key("Delete")


def test_joiners_and_spaces_are_typed(written: tuple[UIDriver, _Panel]) -> None:
    """What people type arrives in a field: joiners, ideographic and no-break spaces, direction marks."""
    driver, panel = written
    driver.type("می\u200cخ \u3000\u00a0\u202f\u200f\r\t\x7f")
    assert panel.text == "می\u200cخ \u3000\u00a0\u202f\u200f"


@given(TEXTS, st.data())
def test_removed_parts_are_whole_clusters(text: str, data: st.DataObject) -> None:
    """Whatever is removed, what stays are whole clusters of the text, in their order, and the caret is where it was."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found, caret = completed(text, end, text[:start] + text[end:], start)
    parts = clusters_of(text, shaped=False)
    ends = [len("".join(parts[:k])) for k in range(len(parts) + 1)]
    if start == end:
        assert found == text
        assert caret in ends
    else:
        low, high = max(k for k in ends if k <= caret), len(text) - len(found) + caret
        assert low == caret <= start
        assert high in ends
        assert high >= end
        assert found == text[:caret] + text[high:]


@given(TEXTS, st.integers(0, 12), st.booleans())
def test_a_moved_caret_passes_whole_clusters(text: str, place: int, right: bool) -> None:
    """A caret that moves into a cluster goes on to its end in the direction of the movement."""
    place = min(place, len(text))
    _, caret = completed(text, place - 1 if right else place + 1, text, place)
    parts = clusters_of(text, shaped=False)
    ends = [len("".join(parts[:k])) for k in range(len(parts) + 1)]
    assert caret == (min(k for k in ends if k >= place) if right else max(k for k in ends if k <= place))
