"""Texts that are longer than their place end with an ellipsis, and a tooltip tells all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from imgui_bundle import imgui

from rish_editor.shell.shell import Shell
from rish_editor.ui.shortening import shortened, tip_of
from rish_editor.ui.ui import UI

LONG = "A sentence that tells at length what a component is for, and when somebody wants it"


def in_frame(shell: Shell, work: Callable[[], None]) -> None:
    """Call a function in a window within a frame."""

    def build() -> None:
        imgui.begin("cutting")
        work()
        imgui.end()

    shell.host.frame(1 / 60, build)


def test_a_shortened_text_fits_and_has_an_ellipsis(shell: Shell) -> None:
    """What fits stays; otherwise it has both ends and is no wider than its place, for all widths and tails."""

    def work() -> None:
        whole = imgui.calc_text_size(LONG).x
        for text in (LONG, "果園裡的蘋果和梨子" * 3, "x" * 300, ""):
            assert shortened(text, imgui.calc_text_size(text).x) == text
        for width in (24.0, 40.0, 133.5, whole / 2, whole - 1):
            for tail in (0.0, 0.5, 1.0):
                shown = shortened(LONG, width, tail)
                assert imgui.calc_text_size(shown).x <= width
                begin, end = shown.split("…")
                assert LONG.startswith(begin)
                assert LONG.endswith(end)

    in_frame(shell, work)


def test_the_tooltip_tells_what_was_left_out_once(shell: Shell) -> None:
    """A whole text needs no tooltip; a shortened one is told before the widget's own, unless that begins with it."""
    assert tip_of("own", ("all", "all")) == "own"
    assert tip_of("", ("all of it", "all…"))() == "all of it"  # type: ignore[operator]
    assert tip_of(lambda: "own", ("all of it", "all…"))() == "all of it\nown"  # type: ignore[operator]
    assert tip_of("all of it, and more", ("all of it", "all…"))() == "all of it, and more"  # type: ignore[operator]


@pytest.fixture
def tooltips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tooltips that widgets have, whether the pointer is on them or not."""
    told: list[str] = []

    def tooltip(self: UI, text: Any) -> None:
        told.append(str(text() if callable(text) else text))

    monkeypatch.setattr(UI, "tooltip", tooltip)
    return told


def test_widgets_that_are_too_narrow_tell_their_text(shell: Shell, tooltips: list[str]) -> None:
    """Every widget whose text may be longer than its place has a tooltip with all of it then, and none otherwise."""
    ui = shell.editor.ui
    widgets: dict[str, Callable[[str], object]] = {
        "text": lambda text: ui.text(text, cut=True),
        "selectable": lambda text: ui.selectable(text, "selectable"),
        "choice_row": lambda text: ui.choice_row(text, "row"),
        "label": lambda text: ui.property_label(text, "label"),
        "header": lambda text: ui.component_header(text, "header", icon="", opened=True),
        "tree_row": lambda text: ui.tree_row("row", text),
        "tile": lambda text: ui.tile("tile", text, 60.0, icon=""),
    }
    for name, draw in widgets.items():
        for text, wanted in ((LONG, [LONG]), ("Ab", [])):
            tooltips.clear()

            def work(draw: Callable[[str], object] = draw, text: str = text) -> None:
                with ui.area("narrow", 200.0, 100.0):
                    draw(text)

            in_frame(shell, work)
            assert [told for told in tooltips if told] == wanted, (name, text)
