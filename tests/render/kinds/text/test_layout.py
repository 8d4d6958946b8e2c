"""Text is laid out in lines that break between words and are aligned."""

from __future__ import annotations

import numpy as np
import pytest

from rish_render.kinds.text.faces import default_font
from rish_render.kinds.text.fonts import FontFile, can_shape
from rish_render.kinds.text.layout import TextStyle, lay_out

SHAPED = pytest.mark.skipif(not can_shape(), reason="Pillow has no Raqm here, which shapes writing")


class Typewriter:
    """A font in which every letter is half as wide as the font is high."""

    shaping = False

    def advance(self, size, text, turned=False, ligatures=True, /):
        """Return half the size for each letter."""
        return len(text) * size / 2

    def metrics(self, size, /):
        """Return four fifths above the line, one fifth below."""
        return round(size * 0.8), round(size * 0.2)


TYPEWRITER = Typewriter()


def style(**fields):
    """Return a style with letters of 10 units."""
    return TextStyle(size=10, **fields)


def lines(layout):
    """Return the letters of each line, from left to right."""
    found = [""] * layout.lines
    for which, line, _ in sorted(zip(layout.which, layout.line, layout.x, strict=True), key=lambda one: one[1:]):
        found[line] += layout.pieces[which].cluster
    return found


def broken(text, wrap, **fields):
    """Return the lines of a text in the typewriter font, without spaces."""
    return lines(lay_out(text, TYPEWRITER, style(wrap=wrap, **fields)))


def test_a_line_is_as_wide_as_its_letters():
    """A line is as wide as its letters, each half an em, and the block is one font high."""
    layout = lay_out("ab cd", TYPEWRITER, style())
    assert (layout.width, layout.height) == (2.5, 1)
    assert lines(layout) == ["abcd"]
    assert layout.x.tolist() == [0, 0.5, 1.5, 2]
    assert layout.place.tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize(("align", "x"), [("left", 0), ("center", 0.5), ("right", 1), ("justify", 0)])
def test_shorter_lines_are_aligned(align, x):
    """A shorter second line is below the first and is placed by its alignment."""
    layout = lay_out("abcd\nef", TYPEWRITER, style(align=align))
    assert layout.x[4] == x
    assert layout.line.tolist() == [0, 0, 0, 0, 1, 1]
    assert layout.height == 2


def test_lines_break_between_words():
    """Lines break between words to fit the width; a space at the end of a line needs no room."""
    assert broken("aa bb cc", 25) == ["aabb", "cc"]
    assert broken("aa bb cc", 0) == ["aabbcc"]
    assert broken("aaaaa bb", 25) == ["aaaaa", "bb"]
    assert broken("", 25) == [""]
    assert broken("aa-bb", 20) == ["aa-", "bb"]
    assert broken("aa\u00a0bb cc", 25) == ["aabb", "cc"]


def test_a_word_that_is_too_long_is_cut():
    """A word that is too long is cut into pieces that fit, and at least one letter is placed per line."""
    assert broken("abcdefgh", 15) == ["abc", "def", "gh"]
    assert broken("abc", 1) == ["a", "b", "c"]
    assert broken("a bcdefg", 20) == ["a", "bcde", "fg"]


@pytest.mark.parametrize(
    ("text", "wrap", "expected"),
    [
        ("น้ำน้ำน้ำ", 15, ["น้ำ", "น้ำ", "น้ำ"]),
        ("ກຳກຳ", 10, ["ກຳ", "ກຳ"]),
        ("\u1112\u1161\u11ab\u1100\u116e", 15, ["\u1112\u1161\u11ab", "\u1100\u116e"]),
        ("👨\u200d👩🇩🇪", 15, ["👨\u200d👩", "🇩🇪"]),
        ("क्षक्ष", 15, ["क्ष", "क्ष"]),
    ],
)
def test_no_line_ends_inside_a_cluster(text, wrap, expected):
    """A text that has no place to break is cut between clusters of Unicode, however narrow it is."""
    assert broken(text, wrap) == expected
    assert broken(text, 1) == expected


@SHAPED
def test_joined_writing_breaks_where_it_may():
    """A Tibetan phrase is drawn in pieces that end at its signs between syllables, where its lines may end."""
    assert len(lay_out("བཀྲ་ཤིས་བདེ་ལེགས", default_font(), style()).which) == 4


def test_lines_of_ideographs_break_anywhere_but_before_closing_signs():
    """Lines of ideographs break anywhere except before closing and after opening signs."""
    assert broken("漢字漢字", 10) == ["漢字", "漢字"]
    assert broken("漢字漢。字", 15) == ["漢字", "漢。字"]
    assert broken("漢字「漢字", 15) == ["漢字", "「漢字"]
    assert broken("カード", 10) == ["カー", "ド"]
    assert broken("漢字abc", 15) == ["漢字", "abc"]


def test_a_wrapped_block_is_as_wide_as_allowed():
    """A wrapped block has the full width, so that alignment and anchor do not depend on the line breaks."""
    assert lay_out("aa", TYPEWRITER, style(wrap=25)).width == 2.5


def test_justified_lines_reach_both_edges_but_the_last():
    """The remaining room of a justified line is added to its spaces, or between ideographs if it has none."""
    layout = lay_out("aa bb cc dd", TYPEWRITER, style(wrap=30, align="justify"))
    assert lines(layout) == ["aabb", "ccdd"]
    assert layout.x.tolist() == [0, 0.5, 2, 2.5, 0, 0.5, 1.5, 2]
    layout = lay_out("漢字漢字", TYPEWRITER, style(wrap=17.5, align="justify"))
    assert layout.x.tolist() == [0, 0.625, 1.25, 0]


def test_mixed_lines_are_justified_as_well():
    """Lines with both directions are justified as well."""
    layout = lay_out("ab אב cd דה e", TYPEWRITER, style(wrap=50, align="justify"))
    assert lines(layout)[0] == "abבאcd"
    assert layout.x[layout.line == 0].max() + 0.5 == 5


def test_line_spacing_stretches():
    """A line spacing of 2 puts the second line at double distance."""
    assert lay_out("a\nb", TYPEWRITER, style(line_spacing=2)).step == 2


def test_letters_can_stand_farther_apart():
    """Letter spacing is added between letters and not after the last one."""
    layout = lay_out("abc", TYPEWRITER, style(letter_spacing=5))
    assert layout.x.tolist() == [0, 1, 2]
    assert layout.width == 2.5


def test_tabs_reach_the_next_stop():
    """A tab extends to the next tab stop, every four digits."""
    layout = lay_out("x\tb\nxxx\td\nxxxx\te", TYPEWRITER, style())
    at = {layout.pieces[which].cluster: x for which, x in zip(layout.which, layout.x, strict=True)}
    assert (at["b"], at["d"], at["e"]) == (2, 2, 4)


def test_writing_from_right_to_left():
    """Hebrew letters are reversed; numbers among them and Latin around them are not."""
    assert lines(lay_out("ab אבג cd", TYPEWRITER, style())) == ["abגבאcd"]
    assert lines(lay_out("אבג 12 דה", TYPEWRITER, style())) == ["הד12גבא"]
    turned = [piece.cluster for piece in lay_out("ab אב", TYPEWRITER, style()).pieces if piece.turned]
    assert turned == ["א", "ב"]


def test_broken_lines_are_turned_one_by_one():
    """A wrapped text is reordered line by line, so that its beginning is in the first line."""
    assert broken("אב גד הו", 25) == ["דגבא", "וה"]


def test_the_rest_of_a_justified_paragraph_begins_at_the_right():
    """The last line of a justified text from right to left is aligned to the right."""
    layout = lay_out("אב גד", TYPEWRITER, style(wrap=20, align="justify"))
    assert sorted(layout.x[layout.line == 1].tolist()) == [1, 1.5]


def test_a_letter_that_no_font_has_takes_room():
    """A letter that no font has takes room for a box; the box of an ideograph is as wide as high."""
    layout = lay_out("a漢b", TYPEWRITER, style(), lambda cluster: None if cluster == "漢" else TYPEWRITER)
    assert layout.x.tolist() == [0, 0.5, 1.5]
    assert layout.pieces[1].face is None


def test_the_zoom_does_not_move_line_breaks():
    """Line breaks are independent of the size at which the text is drawn."""
    font = default_font()
    layout = lay_out("The quick brown fox jumps over the lazy dog again", font, TextStyle(16, wrap=120))
    twice = lay_out("The quick brown fox jumps over the lazy dog again", font, TextStyle(32, wrap=240))
    assert layout.lines > 2
    np.testing.assert_allclose(layout.x, twice.x)


@SHAPED
def test_letters_are_kerned():
    """A and V are closer to each other than their advances, in a line as in a pair."""
    font = FontFile()
    apart = font.advance(1000, "A") / 1000
    assert lay_out("AV", font, style()).x[1] < apart - 0.01
    assert lay_out("AV", font, style()).width == pytest.approx(font.advance(1000, "AV") / 1000)


@SHAPED
def test_a_ligature_is_one_letter_unless_colors_or_spacing_part_it():
    """An f and an i become one ligature, unless letter spacing or a color border separates them."""
    font = default_font()
    assert [piece.cluster for piece in lay_out("fin", font, style()).pieces] == ["fi", "n"]
    assert len(lay_out("fin", font, style(letter_spacing=1)).pieces) == 3
    assert len(lay_out("fin", font, style(), borders=frozenset({1})).pieces) == 3


@SHAPED
def test_joined_writing_is_drawn_by_the_word():
    """Arabic is drawn word by word, because its letters change where they join."""
    font = default_font()
    layout = lay_out("سلام عليكم", font, style())
    assert [piece.cluster for piece in layout.pieces if not piece.cluster.isspace()] == ["سلام", "عليكم"]
    assert layout.x[layout.place == 0] > layout.x[layout.place == 5]


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\n", "\t", "\u202e\u202e", "\u200d" * 50, "a" + "\u0301" * 10_000, "(" * 500 + "א", "\u2067" * 300],
)
@pytest.mark.parametrize("wrap", [0, 0.01, 40])
def test_hostile_texts_are_set(text, wrap):
    """Texts of controls, endless marks or unpaired brackets get finite places, one for each piece."""
    layout = lay_out(text, TYPEWRITER, style(wrap=wrap))
    assert len(layout.x) == len(layout.which) == len(layout.line) == len(layout.place)
    assert np.isfinite(layout.x).all()
    assert np.isfinite([layout.width, layout.height]).all()
