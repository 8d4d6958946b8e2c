"""Texts are set for paintings: sizes, places of carets, and the cache."""

from __future__ import annotations

import itertools
import logging
from copy import copy

import numpy as np
import pytest

from rish_frame import Frame, TextLook
from rish_render import RenderSettings
from rish_render.kinds.paintings.typesetter import RenderTypesetter
from rish_render.kinds.text.fonts import can_shape

SHAPED = pytest.mark.skipif(not can_shape(), reason="Pillow has no Raqm here, which shapes writing")


@pytest.fixture
def typeset(studio):
    """Set a text: `typeset("words", wrap=100.0)`; `typeset.world` is the world."""
    stage = studio(strict=False)
    stage.shoot()

    def call(text, **look):
        return stage.world[Frame].typesetter.typeset(stage.world, text, TextLook(**look))

    call.world = stage.world
    return call


def test_the_frame_has_a_typesetter(studio):
    """The renderer provides the typesetter when the game is ready, and provides it again for a new frame."""
    stage = studio(strict=False)
    stage.shoot()
    frame = stage.world[Frame]
    assert isinstance(frame.typesetter, RenderTypesetter)
    assert frame.typesetter.cell is None
    frame.typesetter = None
    stage.shoot()
    assert isinstance(frame.typesetter, RenderTypesetter)


def test_equal_texts_are_set_once(typeset):
    """Equal texts with equal looks are one object, until the language changes, which changes the version too."""
    one = typeset("Menu", size=20.0)
    assert typeset("Menu", size=20.0) is one
    assert typeset("Menu", size=21.0) is not one
    setter = typeset.world[Frame].typesetter
    version = setter.version
    typeset.world[RenderSettings].language = "zh-Hant"
    assert setter.version != version
    assert typeset("Menu", size=20.0) is not one


def test_the_language_of_the_frame_is_used_unless_the_settings_have_one(typeset):
    """Texts are set again when the translations change, but not for a game that names the language of its letters."""
    frame, settings = typeset.world[Frame], typeset.world[RenderSettings]
    one = typeset("直", size=20.0)
    frame.language = "zh-Hant"
    other = typeset("直", size=20.0)
    assert other is not one
    settings.language = "zh-Hant"
    frame.language = "ja"
    assert typeset("直", size=20.0) is other


@pytest.mark.parametrize("align", ["left", "center", "right", "justify"])
@pytest.mark.parametrize("text", ["Menu", "AVATAR 12% - well-known", "  spaces  ", "Tab-le 'To' VA", "waffle fjord"])
def test_quick_texts_are_like_others(typeset, text, align):
    """A plain line is set quickly; every number and every letter is as if it had been set in full."""
    for wrap in (0.0, 400.0):
        quick = typeset(text, size=17.0, align=align, wrap=wrap, letter_spacing=0.3)
        full = quick._in_full().layout
        layout = quick.laid.layout
        assert layout.quick is not None
        np.testing.assert_allclose(layout.x, full.x, atol=1e-9)
        np.testing.assert_array_equal(layout.place, full.place)
        names = [[each.pieces[k].cluster for k in each.which.tolist()] for each in (layout, full)]
        assert names[0] == names[1]
        measured = copy(quick)
        measured.laid = quick._in_full()
        for name in ("width", "height", "narrowest", "baseline", "lines"):
            assert getattr(quick, name) == pytest.approx(getattr(measured, name), abs=1e-6), name


def test_sizes_are_those_of_the_lines(typeset):
    """A wrapped text has the width of its widest line, the height of all of them, and the width of its longest word."""
    wide = typeset("one two three", size=20.0)
    high = typeset("one two three", size=20.0, wrap=wide.width * 0.7)
    assert wide.lines == 1
    assert high.lines == 2
    assert high.width <= wide.width * 0.7 + 1e-6
    assert high.height == pytest.approx(2 * wide.height)
    assert high.narrowest == pytest.approx(typeset("three", size=20.0).width)
    assert wide.narrowest == pytest.approx(high.narrowest)
    assert 0 < wide.baseline < wide.height
    assert typeset("", size=20.0).height == pytest.approx(wide.height)
    assert typeset("", size=20.0).width == 0


def test_most_lines_end_in_an_ellipsis(typeset):
    """Lines above the limit are cut, and the last one that remains ends in an ellipsis within the width."""
    words = "many words that need more than one line, and more than two"
    look = {"size": 16.0, "wrap": 120.0}
    one = typeset(words, **look, most_lines=1)
    two = typeset(words, **look, most_lines=2)
    assert (one.lines, two.lines) == (1, 2)
    for text in (one, two):
        assert text.width <= 120.0 + 1e-6
        assert text.laid.layout.pieces[text.laid.layout.which[-1]].cluster == "…"
        assert text.text == words
    assert typeset("short", **look, most_lines=1).laid.layout.cut == -1
    assert typeset("a\nb", size=16.0, most_lines=1).lines == 1
    assert one.caret(len(words)).x <= 120.0
    assert two.index_at(1000, 1000) < len(words)


def test_lines_of_large_letters_are_higher(typeset):
    """Sizes in the markup make letters wider and their line higher; sizes inside sizes multiply."""
    plain = typeset("big", size=20.0)
    double = typeset("[size=2]big[/]", size=20.0, markup=True)
    assert double.text == "big"
    assert double.width == pytest.approx(2 * plain.width)
    assert double.height == pytest.approx(2 * plain.height)
    assert typeset("[size=2]a[size=0.5]big[/][/]", size=20.0, markup=True).height == pytest.approx(2 * plain.height)
    small = typeset("a [size=0.5]b[/]", size=20.0, markup=True)
    assert small.height == pytest.approx(plain.height)
    mixed = typeset("[size=2]a[/]\nb", size=20.0, markup=True)
    assert mixed.height == pytest.approx(3 * plain.height)
    assert mixed.caret(2).height == pytest.approx(plain.height)


def test_icons_have_places(typeset):
    """An icon is as high as the letters and as wide as its image asks; it is one character of the text."""
    text = typeset("a[icon=face.png]b[icon=face.png*2]", size=20.0, markup=True)
    assert text.text == "a\ufffcb\ufffc"
    first, second = text.icons
    assert first[0] == "face.png"
    assert (first.w, first.h) == pytest.approx((20, 20))
    assert (second.w, second.h) == pytest.approx((40, 40))
    assert text.caret(1).x == pytest.approx(first.x)
    assert text.caret(2).x == pytest.approx(first.x + 20)
    assert second.y >= -1e-6
    assert second.y + second.h <= text.height + 1e-6


def test_carets_go_through_the_text(typeset):
    """The carets of a line rise with the index, also within ligatures and behind trailing spaces."""
    text = typeset("office ", size=20.0)
    places = [text.caret(k).x for k in range(8)]
    assert places == sorted(places)
    assert len(set(places)) == 8
    assert places[0] == 0
    assert places[6] == pytest.approx(text.width, abs=0.5)
    for k, x in enumerate(places):
        assert text.index_at(x + 0.1, 5) == k


def test_carets_of_lines(typeset):
    """Line ends and soft breaks have places; a point outside counts for the nearest line."""
    text = typeset("one\n\ntwo three", size=20.0, wrap=60.0, align="center")
    assert text.lines == 4
    rows = [text.caret(k).y for k in (0, 4, 5, 9)]
    assert rows == sorted(rows)
    assert len(set(rows)) == 4
    assert text.caret(4).x == pytest.approx(30.0)  # the empty line is centered
    assert text.index_at(-50, -50) == 0
    assert text.index_at(500, 500) == 14
    assert text.index_at(500, rows[1] + 5) == 4
    assert typeset("ab\n", size=20.0).caret(3).y > 0
    assert typeset("", size=20.0).caret(0)[:2] == (0, 0)


def test_steps_go_by_clusters(typeset):
    """A step passes a letter with its marks, or an emoji of several characters, at once."""
    text = typeset("ae\u0301👨‍👩‍👧x", size=20.0)
    ends = [0, 1, 3, 8, 9]
    for a, b in itertools.pairwise(ends):
        assert text.step(a, 1) == b
        assert text.step(b, -1) == a
    assert text.step(2, -1) == 1
    assert text.step(0, -1) == 0
    assert text.step(9, 5) == 9
    assert text.caret(2) == text.caret(1)


@SHAPED
def test_selections_of_both_directions(typeset):
    """A selection across a change of direction has a rectangle for each piece that is together on the screen."""
    text = typeset("abc שלום def", size=20.0)
    (whole,) = text.selection(0, 12)
    assert whole[0] == 0
    assert whole[2] == pytest.approx(text.width)
    parts = text.selection(2, 6)  # c, the space, and the first two letters of the word, which are on its right
    assert len(parts) == 2
    word = text.selection(4, 8)
    assert len(word) == 1
    assert parts[1][0] + parts[1][2] == pytest.approx(word[0][0] + word[0][2])
    assert text.caret(4).x == pytest.approx(word[0][0] + word[0][2])
    assert text.selection(3, 3) == []


@SHAPED
def test_carets_inside_joined_words(typeset):
    """The places inside a word of joined letters go from right to left without leaving the word."""
    text = typeset("سلام", size=30.0)
    places = [text.caret(k).x for k in range(5)]
    assert places == sorted(places, reverse=True)
    assert places[0] == pytest.approx(text.width)
    assert places[-1] == pytest.approx(0, abs=1e-6)


def test_wrong_markup_and_missing_letters_are_told_once(typeset, caplog):
    """Messages quote the text, and each is logged once."""
    with caplog.at_level(logging.WARNING, "rish.render"):
        for size in (10.0, 11.0):
            typeset("[size=big]x[/]", size=size, markup=True)
            typeset("a\u0378", size=size)
    lines = [record.getMessage() for record in caplog.records]
    assert len([line for line in lines if "a size is a factor from 0.1 to 10" in line]) == 1
    assert len([line for line in lines if "U+0378" in line and "the text" in line]) <= 1
