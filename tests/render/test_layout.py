"""Text is set in lines that break between words, and stand where they should."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import features

from rish_render.fonts import FontFile, Glyphs, part_of, quantised
from rish_render.layout import TextStyle, break_line, lay_out


class Typewriter:
    """A font in which every letter is half as wide as the font is high."""

    def advance(self, size, text, /):
        """Half the size for each letter."""
        return len(text) * size / 2

    def metrics(self, size):
        """Four fifths above the line, one fifth below."""
        return round(size * 0.8), round(size * 0.2)


TYPEWRITER = Typewriter()


def style(**fields):
    """Letters of 10 units at 20 pixels."""
    return TextStyle(size=10, pixels=20, **fields)


def test_a_line_is_as_wide_as_its_letters():
    """Five letters of 10 pixels each; the block is one font high, its letters stand on the base line."""
    layout = lay_out("ab cd", TYPEWRITER, style())
    assert (layout.width, layout.height) == (50, 20)
    assert layout.characters == "abcd"
    assert layout.pens.tolist() == [[0, 4], [10, 4], [30, 4], [40, 4]]


@pytest.mark.parametrize(("align", "x"), [("left", 0), ("center", 10), ("right", 20)])
def test_shorter_lines_are_aligned(align, x):
    """The second line has two letters less; it begins where the alignment says, below the first."""
    layout = lay_out("abcd\nef", TYPEWRITER, style(align=align))
    assert layout.pens[4].tolist() == [x, 4]
    assert layout.pens[0].tolist() == [0, 24]
    assert layout.height == 40


def test_lines_break_between_words():
    """No line is wider than allowed where words allow it."""
    assert break_line("aa bb cc", TYPEWRITER, 25, 10) == ["aa bb", "cc"]
    assert break_line("aa bb cc", TYPEWRITER, 0, 10) == ["aa bb cc"]
    assert break_line("", TYPEWRITER, 25, 10) == [""]


def test_a_word_that_is_too_long_is_cut():
    """Every piece fits, and nothing is lost, even where not one letter fits."""
    assert break_line("abcdefgh", TYPEWRITER, 15, 10) == ["abc", "def", "gh"]
    assert break_line("abc", TYPEWRITER, 1, 10) == ["a", "b", "c"]


def test_a_wrapped_block_is_as_wide_as_allowed():
    """So that alignment and anchor do not depend on where lines happen to break."""
    assert lay_out("aa", TYPEWRITER, style(wrap=25)).width == 50


def test_line_spacing_stretches():
    """Twice the spacing puts the second line twice as far below."""
    layout = lay_out("a\nb", TYPEWRITER, style(line_spacing=2))
    assert layout.pens[0][1] - layout.pens[1][1] == 40


def test_the_zoom_does_not_move_line_breaks():
    """The same text breaks at the same words however large it is drawn."""
    text, font = "The quick brown fox jumps over the lazy dog again and again", FontFile()
    seen = set()
    for pixels in (7, 12, 16, 33, 100):
        layout = lay_out(text, font, TextStyle(16, pixels, wrap=120))
        _, lines = np.unique(layout.pens[:, 1], return_inverse=True)
        seen.add(tuple(lines.max() - lines))
    assert len(seen) == 1


@pytest.mark.skipif(not features.check("raqm"), reason="Pillow has no Raqm here, which knows the font's kerning")
def test_letters_are_kerned():
    """A and V stand closer than their widths say."""
    font = FontFile()
    assert font.advance(1000, "AV") < font.advance(1000, "A") + font.advance(1000, "V")


def test_sizes_are_quantised_coarser_as_they_grow():
    """Whole pixels up to 48, then steps of four and eight; never nothing, never enormous."""
    assert [quantised(x) for x in (0.1, 7.4, 24, 47.6, 50, 130, 9999)] == [1, 7, 24, 48, 48, 128, 320]


def test_small_letters_are_placed_at_parts_of_a_pixel():
    """A quarter of a pixel matters for small letters and not for large ones."""
    assert part_of(12, 3.3) == (3, 1)
    assert part_of(12, -0.3) == (-1, 3)
    assert part_of(100, 3.6) == (4, 0)


def test_a_glyph_is_drawn_once():
    """The second question for a letter is answered from the atlas; a blank has no frame."""
    from rish_render.atlas import Atlas

    glyphs, font = Glyphs(Atlas(128)), FontFile()
    first = glyphs.get(font, 20, "a")
    assert glyphs.get(font, 20, "a") is first
    assert glyphs.get(font, 20, "a", part=2).frame != first.frame
    assert glyphs.get(font, 20, " ").frame == -1
    assert len(glyphs.atlas.table) == 2
