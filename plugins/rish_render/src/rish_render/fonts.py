"""Fonts and glyphs: TrueType letters, drawn once at the size at which they are seen, and kept in the atlas.

Pillow's FreeType does the drawing, and Raqm, where Pillow has it, knows the kerning of modern fonts; both are imported
at the first text. The font that comes along is the one inside
Pillow, so the same text looks the same on every machine. Sizes are whole pixels, coarser for large letters, so that a
zooming camera asks for few of them.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core.errors import AssetError

from .atlas import Atlas

_log = logging.getLogger("rish.render")
LARGEST = 320
RIM = 1
"""Transparent texels around a letter, so that a turned one has smooth edges."""
PARTS = 4
LARGEST_IN_PARTS = 40
MAX_BYTES = 64 * 2**20


class FontFile:
    """A font as it lies on disk: the bytes of a .ttf or .otf file, or None for the font that comes along."""

    def __init__(self, data: bytes | None = None, name: str = "") -> None:
        self.data, self.name = data, name
        self._sizes: dict[int, Any] = {}
        self.advance: Callable[[int, str], float] = lru_cache(maxsize=20_000)(self._advance)

    def at(self, size: int) -> Any:
        """Pillow's font at a size in pixels."""
        font = self._sizes.get(size)
        if font is None:
            font = self._sizes[size] = self._open(size)
        return font

    def _open(self, size: int) -> Any:
        from PIL import ImageFont, features

        shaping = features.check("raqm")
        engine = ImageFont.Layout.RAQM if shaping else ImageFont.Layout.BASIC
        if self.data is None:
            default: Any = ImageFont.load_default(size)
            return default.font_variant(layout_engine=engine)
        return ImageFont.truetype(io.BytesIO(self.data), size, layout_engine=engine)

    def _advance(self, size: int, text: str) -> float:
        font = self.at(size)
        # A ligature would be wider or narrower than the letters that are drawn in its place.
        plain = ["-liga", "-clig"] if font.layout_engine else None
        return float(font.getlength(text, features=plain))

    def metrics(self, size: int) -> tuple[int, int]:
        """Ascent and descent in pixels, both positive."""
        ascent, descent = self.at(size).getmetrics()
        return int(ascent), int(descent)


def load_font(path: Path) -> FontFile:
    """Read a .ttf or .otf file. Raises AssetError where it is none."""
    if path.stat().st_size > MAX_BYTES:
        raise AssetError(f"{path.name} is too large for a font", hint=f"At most {MAX_BYTES >> 20} MB")
    font = FontFile(path.read_bytes(), path.name)
    try:
        font.at(16)
    except OSError as error:
        raise AssetError(f"{path.name} is no font: {error}", hint="Name a TrueType or OpenType file") from error
    return font


def quantised(pixels: float) -> int:
    """The size at which glyphs are drawn that are seen `pixels` high: whole pixels, coarser steps above 48."""
    step = 1 if pixels <= 48 else 4 if pixels <= 128 else 8
    return int(min(max(round(pixels / step) * step, 1), LARGEST))


def part_of(pixels: int, x: float) -> tuple[int, int]:
    """The whole pixel at which a letter with its pen at x begins, and how many `PARTS` of a pixel lie beyond it.

    Small letters are drawn at parts of a pixel, where a whole one would show as uneven spacing.
    """
    if pixels > LARGEST_IN_PARTS:
        return round(x), 0
    steps = round(x * PARTS)
    return steps // PARTS, steps % PARTS


class Glyph(NamedTuple):
    """A letter in the atlas: its frame (-1: nothing to see), and its box in pixels relative to the pen, y up."""

    frame: int
    x: float
    y: float
    w: float
    h: float


NOTHING = Glyph(-1, 0, 0, 0, 0)


class Glyphs:
    """The letters drawn so far, white and premultiplied, to be tinted."""

    def __init__(self, atlas: Atlas) -> None:
        self.atlas = atlas
        self._known: dict[tuple[int, int, int, int, str], Glyph] = {}
        self._keep: list[FontFile] = []

    def get(self, font: FontFile, size: int, character: str, part: int = 0, stroke: int = 0) -> Glyph:
        """A letter at a size in pixels. part: how far it is moved to the right, see `part_of`. stroke: by how many
        pixels it is grown all round, for an outline.
        """
        key = (id(font), size, part, stroke, character)
        glyph = self._known.get(key)
        if glyph is None:
            glyph = self._known[key] = self._draw(font, size, character, part, stroke)
            if font not in self._keep:
                self._keep.append(font)
        return glyph

    def _draw(self, font: FontFile, size: int, character: str, part: int, stroke: int) -> Glyph:
        from PIL import Image, ImageDraw

        face = font.at(size)
        left, top, right, bottom = face.getbbox(character, anchor="ls", stroke_width=stroke)
        if right <= left or bottom <= top:
            return NOTHING
        left, top = int(np.floor(left)) - RIM, int(np.floor(top)) - RIM
        right, bottom = int(np.ceil(right)) + RIM + (part > 0), int(np.ceil(bottom)) + RIM
        image = Image.new("L", (right - left, bottom - top), 0)
        pen = (part / PARTS - left, -top)
        ImageDraw.Draw(image).text(pen, character, 255, face, anchor="ls", stroke_width=stroke)
        frame = self.atlas.put(_white(np.asarray(image)), repeat_rim=False)
        return Glyph(frame, left, -bottom, right - left, bottom - top)


def _white(coverage: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """A premultiplied white picture, (h, w, 4), of a coverage, (h, w)."""
    return np.repeat(coverage[:, :, None], 4, axis=2)
