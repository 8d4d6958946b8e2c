"""Color markup is removed from a text, and brackets that are no markup stay."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import Name
from rish_frame.paint.writing import Span, read_markup
from rish_render import Text

GOLD, ORANGE = (255, 215, 0, 255), (255, 136, 0, 255)


@pytest.mark.parametrize(
    ("source", "text", "spans"),
    [
        ("plain", "plain", []),
        ("[gold]a[/]b", "ab", [(0, 1, GOLD)]),
        ("[#ff8800]a[/]", "a", [(0, 1, ORANGE)]),
        ("[#f80]a[/]", "a", [(0, 1, ORANGE)]),
        ("[#ff880080]a[/]", "a", [(0, 1, (255, 136, 0, 128))]),
        ("a[gold]b[#f80]c[/]d[/]e", "abcde", [(1, 2, GOLD), (2, 3, ORANGE), (3, 4, GOLD)]),
        ("[ GOLD ]a", "a", [(0, 1, GOLD)]),
        ("[gold][/]a", "a", []),
        ("[[gold]", "[gold]", []),
        ("[gold]a[[b[/]", "a[b", [(0, 3, GOLD)]),
        ("open [gol", "open [gol", []),
    ],
)
def test_spans(source, text, spans):
    """Spans are read from color names and digits, nested and unclosed; doubled brackets are literal ones."""
    marked = read_markup(source)
    assert marked.text == text
    assert marked.spans == tuple(Span(*span) for span in spans)
    assert marked.problem == ""


@pytest.mark.parametrize("source", ["[glod]a[/]", "[/]a", "[#12]a", "[ ]", "a[]b[x]"])
def test_what_is_no_color_stays_as_it_is_written(source):
    """Invalid markup stays in the text, and the first problem is reported."""
    marked = read_markup(source)
    assert marked.text.startswith(source[: source.index("]") + 1])
    assert marked.spans == ()
    assert marked.problem


def test_a_wrong_name_is_reported_with_the_nearest():
    """A wrong color name is reported with its place in the text and the nearest name."""
    problem = read_markup("The [glod]ring[/]").problem
    assert "gold" in problem
    assert "letter 5" in problem


@settings(max_examples=long(200, 40), deadline=None)
@given(st.text(st.sampled_from("[]/#goldf80 \n"), max_size=60))
def test_anything_can_be_read(source):
    """For any text the spans are ordered and within the text, and the text is not longer than the source."""
    marked = read_markup(source)
    assert len(marked.text) <= len(source)
    edges = [edge for span in marked.spans for edge in (span.start, span.end)]
    assert edges == sorted(edges)
    assert all(0 <= edge <= len(marked.text) for edge in edges)


def test_spans_are_drawn_in_their_colors(studio):
    """Spans are drawn in their colors, and the text's own color is used only outside them."""
    stage = studio(size=(200, 60))
    stage.put(100, 30, Text(text="[#ff0000]HH[/][#00ff00]HH[/]", markup=True, size=30))
    picture = stage.shoot().astype(int)
    red = (picture[..., 0] > 200) & (picture[..., 1] < 60)
    green = (picture[..., 1] > 200) & (picture[..., 0] < 60)
    assert red.any()
    assert green.any()
    assert red.nonzero()[1].max() < green.nonzero()[1].min()
    assert not (picture.min(axis=2) > 200).any()


def test_bad_markup_is_one_warning_that_names_the_entity(studio, caplog):
    """Bad markup logs one warning that names the entity, however often it is drawn."""
    stage = studio()
    stage.put(100, 100, Text(text="[glod]ring", markup=True), Name(value="sign"))
    with caplog.at_level(logging.WARNING):
        stage.shoot()
        stage.shoot()
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1
    assert "'sign'" in lines[0]
    assert "glod" in lines[0]


def test_without_the_flag_brackets_are_brackets(studio, caplog):
    """Without the `markup` flag brackets are not parsed."""
    stage = studio()
    stage.put(100, 100, Text(text="[glod]ring"))
    stage.shoot()
    assert not caplog.records


@pytest.mark.parametrize(
    ("source", "text", "sizes", "icons"),
    [
        ("[size=1.5]a[/]b", "ab", [(0, 1, 1.5)], []),
        ("[size=2]a[gold]b[/]c[/]d", "abcd", [(0, 1, 2.0), (1, 2, 2.0), (2, 3, 2.0)], []),
        ("[size=2][size=0.5]a[/]b[/]", "ab", [(1, 2, 2.0)], []),
        ("[ size = 2 ]a", "a", [(0, 1, 2.0)], []),
        ("a[icon=a/b.png]c", "a\ufffcc", [], [(1, "a/b.png", 1.0)]),
        ("[icon=a.png*1.5]", "\ufffc", [], [(0, "a.png", 1.5)]),
        ("[size=2][icon=a.png][/]", "\ufffc", [(0, 1, 2.0)], [(0, "a.png", 2.0)]),
        ("[[size=2]", "[size=2]", [], []),
    ],
)
def test_sizes_and_icons(source, text, sizes, icons):
    """Sizes are spans that multiply inside each other; an icon is one character with an image."""
    marked = read_markup(source)
    assert marked.text == text
    assert list(marked.sizes) == sizes
    assert list(marked.icons) == icons
    assert marked.problem == ""


@pytest.mark.parametrize("tag", ["[size=big]", "[size=]", "[size=nan]", "[size=0]", "[size=99]", "[icon=a.png*x]"])
def test_wrong_factors_stay(tag):
    """A factor that is no number or out of range is shown as written, with a message that says what is allowed."""
    marked = read_markup(f"{tag}a")
    assert marked.text == f"{tag}a"
    assert "from 0.1 to 10" in marked.problem
