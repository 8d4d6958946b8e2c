"""Glyphs are drawn once, and evicted when room is needed and they are not visible."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_frame import Frame, Page
from rish_render.kinds.text import glyphs as module
from rish_render.kinds.text.fonts import FontFile
from rish_render.kinds.text.glyphs import NOTHING, GlyphPage, Glyphs, Kind, tofu
from rish_render.kinds.text.layout import Piece
from rish_render.materials.atlas import Atlas


def piece(font, cluster):
    """Return a piece for a cluster written from left to right."""
    return Piece(font, cluster, False)


def test_a_glyph_is_drawn_once():
    """A second request for a glyph is answered from the atlas; a blank has no frame."""
    glyphs, font = Glyphs(Atlas(128)), FontFile()
    first = glyphs.get(piece(font, "a"), Kind(20))
    assert glyphs.get(piece(font, "a"), Kind(20)) is first
    assert glyphs.get(piece(font, "a"), Kind(20, part=2))[0].frame != first[0].frame
    assert glyphs.get(piece(font, " "), Kind(20)) == (NOTHING, None)
    assert len(glyphs.atlas.table) == 2


def test_a_glyph_lies_where_its_frame_says():
    """A glyph is stored white and premultiplied in its frame, and has the box of its image."""
    atlas, font = Atlas(128), FontFile()
    glyph, page = Glyphs(atlas).get(piece(font, "L"), Kind(30))
    drawn = font.draw(30, "L")
    number, (x, y, w, h) = atlas.place_of(glyph.frame)
    assert number == page.page.id
    assert (page.page.pixels[y : y + h, x : x + w] == drawn.pixels[:, :, None]).all()
    assert (glyph.x, glyph.y, glyph.w, glyph.h) == (drawn.left, -(drawn.top + h), w, h)


@pytest.mark.parametrize("size", [60, 64, 65, 66, 68, 100, 500])
def test_a_box_that_is_larger_than_a_page_is_stretched(size):
    """The box of a character without a font fits on a page at any size, and has the size of the letters beside it."""
    glyph, page = Glyphs(Atlas(64)).get(piece(None, "一"), Kind(size))
    assert page is not None
    assert glyph.w == pytest.approx(tofu(Kind(size), True).pixels.shape[1], rel=0.15)


@settings(max_examples=long(50, 12), deadline=None)
@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), max_size=80))
def test_shelves_never_overlap_and_never_leave_the_page(sizes):
    """For any sizes, each placed image is within the page and overlaps no other."""
    page = GlyphPage(Page(0, np.zeros((96, 96, 4), np.uint8)))
    taken = np.zeros((96, 96), np.bool_)
    for width, height in sizes:
        spot = page.place(width, height)
        if spot is not None:
            x, y = spot
            assert x + width <= 96
            assert y + height <= 96
            assert not taken[y : y + height, x : x + width].any()
            taken[y : y + height, x : x + width] = True


def test_pages_are_used_again(made_font):
    """While many different texts are shown one after another, pages and rows are reused and the glyphs stay right."""
    codes = range(0x4E00, 0x4E00 + 600)
    font, atlas, frame = made_font(codes), Atlas(128), Frame()
    glyphs = Glyphs(atlas, max_pages=2)
    for size in (14, 20, 27):
        for begin in range(0, 600, 20):
            glyphs.begin()
            shown = [(code, *glyphs.get(piece(font, chr(code)), Kind(size))) for code in codes[begin : begin + 20]]
            atlas.publish(frame)
            for code, glyph, page in shown:
                _, (x, y, w, h) = atlas.place_of(glyph.frame)
                assert (page.page.pixels[y : y + h, x : x + w, 3] == font.draw(size, chr(code)).pixels).all()
    assert len(glyphs.pages) <= 3
    assert len(atlas.table) < 600
    assert glyphs.forgotten > 10


def test_what_is_shown_is_never_forgotten(made_font):
    """A frame with more glyphs than the pages hold adds pages; none of its glyphs is evicted."""
    font, glyphs = made_font(range(0x4E00, 0x4E00 + 300)), Glyphs(Atlas(128), max_pages=1)
    glyphs.begin()
    shown = [glyphs.get(piece(font, chr(code)), Kind(24)) for code in range(0x4E00, 0x4E00 + 300)]
    assert len({glyph.frame for glyph, _ in shown}) == 300
    assert glyphs.forgotten == 0
    assert len(glyphs.pages) > 1


def test_pages_of_other_views_are_kept(made_font):
    """A page that another view of the same frame uses is not evicted."""
    font, glyphs = made_font(range(0x4E00, 0x4E00 + 300)), Glyphs(Atlas(128), max_pages=1)
    _, page = glyphs.get(piece(font, chr(0x4E00)), Kind(24))
    age = page.age
    for code in range(0x4E01, 0x4E00 + 300):
        glyphs.begin([page])
        glyphs.get(piece(font, chr(code)), Kind(24))
    assert page.age == age


def test_an_emptied_page_is_clear(made_font):
    """A page that is emptied contains no pixels of earlier glyphs."""
    font, glyphs = made_font(range(0x4E00, 0x4E00 + 99)), Glyphs(Atlas(128), max_pages=1)
    for code in range(0x4E00, 0x4E00 + 99):
        glyphs.begin()
        glyphs.get(piece(font, chr(code)), Kind(40))
    page = glyphs.pages[0]
    mine = np.zeros(page.page.pixels.shape[:2], np.bool_)
    for frame in page.frames:
        _, (x, y, w, h) = glyphs.atlas.place_of(frame)
        mine[y : y + h, x : x + w] = True
    assert not page.page.pixels[~mine].any()


def test_a_full_table_takes_rows_from_glyphs_out_of_sight(monkeypatch, made_font, caplog):
    """With a full table, rows of invisible glyphs are reused; if all are visible, letters are left out and logged."""
    monkeypatch.setattr("rish_render.materials.atlas.LAST_FRAME", 10)
    font, glyphs = made_font(range(0x4E00, 0x4E00 + 40)), Glyphs(Atlas(128), max_pages=2)
    shown = []
    for code in range(0x4E00, 0x4E00 + 40):
        shown.append(glyphs.get(piece(font, chr(code)), Kind(40))[0])
    assert sum(glyph is NOTHING for glyph in shown) == 30
    assert len(caplog.records) == 1
    glyphs.begin()
    assert glyphs.get(piece(font, chr(0x4E00)), Kind(12))[0] is not NOTHING


def test_a_glyph_larger_than_a_page_is_drawn_smaller():
    """A glyph larger than a page is drawn smaller and stretched to its size."""
    glyph, _ = Glyphs(Atlas(64)).get(piece(FontFile(), "W"), Kind(200))
    full = FontFile().draw(200, "W").pixels.shape
    assert (glyph.h, glyph.w) == pytest.approx(full, rel=0.1)


@pytest.mark.parametrize("size", [1, 2, 5, 12, 40, 320])
def test_the_box_can_be_seen_at_every_size(size):
    """The box for a missing character is visible at every size, and hollow if it is large enough."""
    for wide in (False, True):
        box = tofu(Kind(size), wide)
        assert box.pixels.max() == 255
        assert box.top + len(box.pixels) - 1 == 0
        assert tofu(Kind(size, stroke=2.0), wide).pixels.shape > box.pixels.shape
    if size >= 12:
        assert box.pixels[len(box.pixels) // 2, box.pixels.shape[1] // 2] == 0


def test_a_font_that_fails_at_a_letter_leaves_it_out(monkeypatch):
    """A glyph for which FreeType fails is left out, and the rest of the text is drawn."""

    def fail(*_arguments):
        raise OSError("broken outline")

    monkeypatch.setattr(FontFile, "draw", fail)
    assert Glyphs(Atlas(64)).get(piece(FontFile(), "a"), Kind(20)) == (module.NOTHING, None)
