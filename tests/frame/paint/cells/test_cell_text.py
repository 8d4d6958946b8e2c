"""Texts are set in character cells: lines, carets, selections, icons and both directions of writing."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from long_runs import long
from plain_cells import columns, width, wrapped
from rish_frame import TextLook
from rish_frame.paint.cells import CellText, CellTypesetter, cells_of, plain_form

CELL = (8.0, 20.0)
SETTER = CellTypesetter(CELL)
TEXTS = st.text("ab c-.,中文，「」\n", max_size=40)


def typeset(text: str, **look: object) -> CellText:
    """Return a text that was set in cells of 8 by 20."""
    return SETTER.typeset(None, text, TextLook(**look))


def rows(text: CellText) -> list[str]:
    """Return the lines of a text as they are shown, without spaces at the end."""
    found = [list[str]() for _ in range(text.lines)]
    for letter in text.letters:
        row = found[letter.line]
        row += [" "] * (letter.column - width("".join(row)))
        row.append(letter.text)
    return ["".join(row) for row in found]


@settings(max_examples=long(300, 60), deadline=None)
@given(TEXTS, st.integers(0, 12), st.sampled_from(["left", "center", "right"]))
@example("「-aaa", 2, "left")
def test_lines_and_carets_are_those_of_plain_code(source: str, room: int, align: str) -> None:
    """For any text, width and alignment, the lines, the size and all carets are those of a plain implementation."""
    text = typeset(source, wrap=room * 8.0, align=align)
    lines = wrapped(source, room)
    widest = max(width(line.rstrip(" ")) for line in lines)
    assert (text.lines, text.width, text.height) == (len(lines), widest * 8.0, len(lines) * 20.0)
    at = 0
    for number, line in enumerate(lines):
        for k, column in enumerate(columns(line, align, max(room, widest))[:-1]):
            assert text.caret(at + k) == (column * 8.0, number * 20.0, 20.0)
            assert text.index_at(column * 8.0 + 1, number * 20.0 + 5) == at + k
        at += len(line) + (source[at + len(line) : at + len(line) + 1] == "\n")


@settings(max_examples=long(100, 20), deadline=None)
@given(TEXTS, st.integers(1, 12), st.integers(1, 3))
def test_cut_texts_end_in_an_ellipsis(source: str, room: int, most: int) -> None:
    """A text has at most as many lines as it may have; the last one ends in an ellipsis and is not too wide."""
    whole = wrapped(source, room)
    text = typeset(source, wrap=room * 8.0, most_lines=most)
    assert text.lines == min(len(whole), most)
    if len(whole) > most:
        assert rows(text)[-1].endswith("…")
        assert width(rows(text)[-1].replace("…", "x")) <= max(room, 1)
        assert text.caret(len(source)).y == (most - 1) * 20


def test_one_line_is_filled_up_to_the_ellipsis() -> None:
    """A single line is cut inside a word if that shows more."""
    assert rows(typeset("A wonderful day", wrap=80, most_lines=1)) == ["A wonderf…"]


@pytest.mark.parametrize(
    ("cluster", "cells", "shown"),
    [
        ("a", 1, "a"),
        ("中", 2, "中"),
        ("ｱ", 1, "ｱ"),
        ("！", 2, "！"),
        ("e\u0301", 1, "é"),
        ("x\u0301", 1, "x\u0301"),
        ("\u0301", 1, "\u00a0\u0301"),
        ("\u200d", 0, ""),
        ("❤\ufe0f", 1, "❤"),
        ("😀", 2, "😀"),
        ("👍\U0001f3fd", 2, "👍"),
        ("👨\u200d👩\u200d👧", 2, "👨"),
        ("\U0001f1e9\U0001f1ea", 2, "\U0001f1e9\U0001f1ea"),
        ("\u1112\u1161\u11ab", 2, "한"),
        ("น้ำ", 2, "น้ำ"),
        ("क्ष", 2, "क्ष"),
        ("\u06001", 2, "\u06001"),
        ("\ufffc", 2, ""),
        (" ", 1, ""),
    ],
)
def test_cells_of_a_cluster(cluster: str, cells: int, shown: str) -> None:
    """A cluster takes the cells of its characters, and is shown in a form that terminals agree about."""
    assert (cells_of(cluster), plain_form(cluster)) == (cells, shown)


def test_a_cluster_of_several_cells_is_shown_character_by_character() -> None:
    """A vowel beside its letter has a cell of its own, and the caret does not stop between them."""
    text = typeset("น้ำa")
    assert [(letter.text, letter.column, letter.cells) for letter in text.letters] == [
        ("น้", 0, 1),
        ("\u0e33", 1, 1),
        ("a", 2, 1),
    ]
    assert [text.step(0, 1), text.step(3, 1), text.step(3, -1)] == [3, 4, 0]
    assert text.selection(0, 1) == [(0.0, 0.0, 16.0, 20.0)]


def test_sizes_have_no_effect() -> None:
    """A text has the same cells whatever its size, font and spacing."""
    plain, other = typeset("abc 中"), typeset("abc 中", size=90.0, letter_spacing=5.0, line_spacing=3.0)
    assert (plain.width, plain.height) == (other.width, other.height) == (48.0, 20.0)
    assert plain.narrowest == 24.0


def test_markup_gives_colors_and_icons() -> None:
    """Colors are those of the letters, sizes are left out, and an icon is a square of two cells without a letter."""
    text = typeset("[gold]A[/][size=2]B[/][icon=coin.png]C", markup=True)
    assert text.text == "AB\ufffcC"
    assert [(letter.text, letter.column, letter.color) for letter in text.letters] == [
        ("A", 0, (255, 215, 0, 255)),
        ("B", 1, None),
        ("C", 4, None),
    ]
    assert list(text.icons) == [("coin.png", 16.0, 0.0, 16.0, 20.0)]


def test_right_to_left_text_is_shown_in_visual_order() -> None:
    """Hebrew is shown from right to left with mirrored brackets; numbers keep their order."""
    text = typeset("אב (12)", wrap=80.0, align="right")
    assert rows(text) == ["   (12) בא"]
    assert [text.caret(k).x / 8 for k in (0, 1, 2, 3)] == [10, 9, 8, 7]
    assert text.selection(0, 2) == [(64.0, 0.0, 16.0, 20.0)]
    assert text.index_at(79.0, 0.0) == 0


def test_a_selection_covers_its_letters_line_by_line() -> None:
    """The selection of a text in two lines is one rectangle on each; mixed directions give several."""
    text = typeset("abc\ndef")
    assert text.selection(1, 6) == [(8.0, 0.0, 16.0, 20.0), (0.0, 20.0, 16.0, 20.0)]
    assert text.selection(2, 2) == []
    mixed = typeset("ab אבג")
    assert mixed.selection(0, 4) == [(0.0, 0.0, 24.0, 20.0), (40.0, 0.0, 8.0, 20.0)]


def test_steps_go_from_cluster_to_cluster() -> None:
    """A caret never stops inside a letter with marks or a sequence of emoji."""
    text = typeset("ae\u0301👨\u200d👩\n中")
    stops = [0, 1, 3, 6, 7, 8]
    assert [text.step(0, by) for by in range(7)] == [*stops, 8]
    assert [text.step(8, -by) for by in range(6)] == stops[::-1]
    assert (text.step(2, 1), text.step(2, -1), text.caret(2)) == (3, 1, text.caret(1))


def test_spaces_at_the_end_move_the_caret() -> None:
    """A space that was just typed moves the caret, but not beyond the width of the line."""
    assert typeset("ab  ").caret(4).x == 32.0
    assert typeset("ab  ", wrap=24.0).caret(4).x == 24.0
    assert typeset("ab  ").width == 16.0


def test_justified_lines_fill_their_width() -> None:
    """Whole cells are added to the spaces of all lines but the last."""
    assert rows(typeset("a b c dddd", wrap=64.0, align="justify")) == ["a   b  c", "dddd"]


def test_another_cell_gives_another_version() -> None:
    """Texts are kept until the size of the cells changes."""
    setter = CellTypesetter((8.0, 16.0))
    first = setter.typeset(None, "abc", TextLook())
    setter.resize((8.0, 16.0))
    assert setter.typeset(None, "abc", TextLook()) is first
    assert setter.version == 0
    setter.resize((10.0, 20.0))
    assert (setter.version, setter.typeset(None, "abc", TextLook()).width) == (1, 30.0)
