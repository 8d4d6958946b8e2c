"""Fonts measure and draw, and invalid fonts are reported once."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from rish_core import AssetError, Assets
from rish_render import Text
from rish_render.kinds.text.faces import default_font
from rish_render.kinds.text.fonts import MAX_BYTES, FontFile, can_shape, load_font, parts_of, quantized

SHAPED = pytest.mark.skipif(not can_shape(), reason="Pillow has no Raqm here, which shapes writing")


def test_sizes_are_quantized_coarser_as_they_grow():
    """Sizes are whole pixels up to 72, then steps of four and eight; they are limited to 1..320."""
    seen = [0.1, 7.4, 24, 47.6, 50, 71.6, 75, 130, 9999, np.inf, np.nan, -3]
    assert quantized(seen).tolist() == [1, 7, 24, 48, 50, 72, 76, 128, 320, 320, 1, 1]


def test_small_letters_are_placed_at_parts_of_a_pixel():
    """Small letters are placed at quarters of a pixel, large ones at whole pixels."""
    whole, part = parts_of(12, np.array([3.3, -0.3, 2.9]))
    assert (whole.tolist(), part.tolist()) == ([3, -1, 3], [1, 3, 0])
    whole, part = parts_of(100, np.array([3.6, 3.5]))
    assert (whole.tolist(), part.tolist()) == ([4, 4], [0, 0])


def test_a_letter_stands_on_its_line():
    """The image of an L ends at the base line, and has a rim of one transparent texel."""
    drawn = FontFile().draw(40, "L")
    pixels = drawn.pixels
    assert drawn.top + len(pixels) - 1 == 0
    assert not pixels[0].any()
    assert not pixels[-1].any()
    assert not pixels[:, 0].any()
    assert pixels[1:-1].any(axis=1).all()


def test_an_outline_grows_all_round():
    """An outline grows the image by its width on all sides; fractions are possible."""
    plain, grown = FontFile().draw(40, "L"), FontFile().draw(40, "L", stroke=2.0)
    assert grown.pixels.shape == tuple(side + 4 for side in plain.pixels.shape)
    assert (grown.left, grown.top) == (plain.left - 2, plain.top - 2)
    finer = FontFile().draw(40, "L", stroke=0.5)
    assert int(plain.pixels.sum()) < int(finer.pixels.sum()) < int(grown.pixels.sum())


def test_a_part_of_a_pixel_moves_the_ink():
    """A shift of half a pixel moves the middle of the ink by half a pixel."""

    def middle(drawn):
        ink = drawn.pixels.astype(float)
        return drawn.left + (ink.sum(axis=0) * (np.arange(ink.shape[1]) + 0.5)).sum() / ink.sum()

    font = FontFile()
    assert middle(font.draw(24, "n", shift=0.5)) - middle(font.draw(24, "n")) == pytest.approx(0.5, abs=0.15)


def test_blanks_have_no_picture():
    """A space and a single joiner have no image."""
    assert FontFile().draw(20, " ") is None
    assert default_font().draw(20, "\u200b") is None


def test_a_letter_far_larger_than_its_size_is_drawn_whole():
    """A glyph that is far larger than its font size is drawn completely."""
    font = default_font()
    drawn = font.draw(30, "W" * 3 + "\u0302" * 40)
    assert not drawn.pixels[0].any()
    assert not drawn.pixels[:, -1].any()


@SHAPED
def test_marks_and_ligatures_and_joined_letters_are_shaped():
    """A combining mark adds no width, joined letters differ from single ones, and a bracket is mirrored if turned."""
    font = default_font()
    assert font.advance(100, "e\u0301") == font.advance(100, "é")
    arabic = font_of("ب")
    assert arabic.advance(100, "ببب", True) != pytest.approx(3 * arabic.advance(100, "ب", True))
    there, turned = font.draw(40, "("), font.draw(40, "(", turned=True)
    assert (turned.pixels == font.draw(40, ")").pixels).all()
    assert (turned.pixels.shape != there.pixels.shape) or (turned.pixels != there.pixels).any()


def font_of(character):
    """Return an included font that has a character."""
    from rish_render.kinds.text.faces import Faces

    faces = Faces(search=False)
    face = faces.pick(character, faces.default)
    assert face is not None
    return face


def test_without_raqm_letters_are_still_drawn_and_brackets_mirrored():
    """Without Raqm letters are drawn one by one, and brackets are still mirrored."""
    font = FontFile(default_font().source, shaping=False)
    assert font.draw(30, "ß") is not None
    assert (font.draw(40, "(", turned=True).pixels == font.draw(40, ")").pixels).all()
    assert font.advance(100, "AV") > 0


@pytest.mark.parametrize(
    "content", [b"", b"no font", b"\x00\x01\x00\x00" + bytes(200), b"OTTO" + bytes(40), b"ttcf" * 99]
)
def test_what_is_no_font_is_refused(tmp_path, content):
    """An invalid font raises AssetError with the file's name."""
    path = tmp_path / "broken.ttf"
    path.write_bytes(content)
    with pytest.raises(AssetError, match=r"broken\.ttf is not a font"):
        load_font(path)


def test_half_a_font_is_refused_or_drawn(tmp_path):
    """A truncated font is refused or drawn, without any other error."""
    whole = default_font().source.read_bytes()
    path = tmp_path / "half.ttf"
    for size in (100, 1000, 20_000, len(whole) // 2, len(whole) - 1000):
        path.write_bytes(whole[:size])
        try:
            font = load_font(path)
            font.draw(20, "A")
        except (AssetError, OSError):
            continue


def test_an_oversized_font_is_refused_unread(tmp_path):
    """A file that is too large is refused by its length, before it is read."""
    path = tmp_path / "huge.ttf"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(AssetError, match="are the most: make it smaller"):
        load_font(path)


def test_a_game_with_a_broken_font_shows_the_default_one(studio, caplog):
    """A broken font is reported once, however often its texts are drawn, and the default font is used."""
    stage = studio()
    (stage.world[Assets].root / "bad.ttf").write_bytes(b"not a font")
    stage.put(100, 100, Text(text="Hello", font="bad.ttf"))
    stage.put(100, 60, Text(text="again", font="bad.ttf"))
    with caplog.at_level(logging.ERROR):
        picture = stage.shoot()
        stage.shoot()
    assert [record.getMessage() for record in caplog.records] == [caplog.records[0].getMessage()]
    assert "bad.ttf" in caplog.text
    assert (picture[..., :3].max(axis=2) > 200).any()
