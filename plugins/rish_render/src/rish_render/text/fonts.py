"""Fonts: what a letter looks like, and how far it moves the pen.

Pillow's FreeType does the drawing, and Raqm, where Pillow has it, the shaping (kerning of modern fonts, joined letters,
marks); both are imported at the first text. Sizes are whole pixels, coarser for large letters, so that a zooming camera
asks for few of them.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from functools import cached_property, lru_cache
from math import ceil, floor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core import AssetError

from .bidi import MIRRORED
from .breaking import is_ideographic
from .coverage import Coverage, read_coverage

Pixels = npt.NDArray[np.uint8]

LARGEST = 320
PARTS = 4
LARGEST_IN_PARTS = 40
MAX_BYTES = 64 * 2**20
_NO_LIGATURES = ["-liga", "-clig"]
_REGULAR, _THIN = 400, 300
_SIZES_KEPT = 64
_FINE, _FINER, _SMALL = 4, 8, 20
"""How much larger small letters are drawn before they are shrunk; the greater one up to the last, pixels."""
_MEASURED, _SHARPENED = 1000, 4.0


@functools.cache
def can_shape() -> bool:
    """Whether Pillow has Raqm here."""
    from PIL import features

    return bool(features.check("raqm"))


class Drawn(NamedTuple):
    """A picture of a cluster: its coverage, uint8 (h, w), and where its left top corner is from the pen, y down."""

    pixels: Pixels
    left: int
    top: int


class FontFile:
    """One font: the bytes or the path of a file, or None for the small one inside Pillow.

    index: which font of a collection. shaping: whether Raqm is used.
    """

    def __init__(
        self, source: bytes | Path | None = None, name: str = "", index: int = 0, shaping: bool | None = None
    ) -> None:
        self.source, self.name, self.index = source, name, index
        self.shaping = can_shape() if shaping is None else shaping
        self.at: Callable[[int], Any] = lru_cache(maxsize=_SIZES_KEPT)(self._open)
        self.advance: Callable[..., float] = lru_cache(maxsize=50_000)(self._advance)

    @cached_property
    def coverage(self) -> Coverage:
        """The characters it has."""
        source = self.at(16).font_bytes if self.source is None else self.source
        return read_coverage(source, self.index)

    def _open(self, size: int) -> Any:
        """Pillow's font at a size in pixels."""
        from PIL import ImageFont

        engine = ImageFont.Layout.RAQM if self.shaping else ImageFont.Layout.BASIC
        if self.source is None:
            default: Any = ImageFont.load_default(size)
            return default.font_variant(layout_engine=engine)
        file = io.BytesIO(self.source) if isinstance(self.source, bytes) else str(self.source)
        font = ImageFont.truetype(file, size, index=self.index, layout_engine=engine)
        _set_weight(font)
        return font

    def _options(self, turned: bool, ligatures: bool) -> dict[str, Any]:
        """The options for Raqm."""
        if not self.shaping:
            return {}
        return {"direction": "rtl" if turned else "ltr", "features": None if ligatures else _NO_LIGATURES}

    def _advance(self, size: int, text: str, turned: bool = False, ligatures: bool = True) -> float:
        """How far a text moves the pen, pixels, with kerning. turned: written from right to left."""
        return float(self.at(size).getlength(text, **self._options(turned, ligatures)))

    def metrics(self, size: int) -> tuple[int, int]:
        """Ascent and descent in pixels, both positive."""
        ascent, descent = self.at(size).getmetrics()
        return int(ascent), abs(int(descent))

    def draw(self, size: int, text: str, turned: bool = False, shift: float = 0.0, stroke: float = 0.0) -> Drawn | None:
        """A picture of a cluster; None where there is nothing to see.

        shift: by how much of a pixel it is moved to the right. stroke: by how much it is grown all round, pixels.
        """
        if turned and not self.shaping:
            text = "".join(MIRRORED.get(character, character) for character in text)
        if size > LARGEST_IN_PARTS or is_ideographic(text[0]):
            return _packed(self._inked(size, text, turned, stroke))
        finer = _FINER if size <= _SMALL else _FINE
        return _packed(_shrunk(self._inked(size * finer, text, turned, stroke * finer), finer, shift, self._snap(size)))

    def _snap(self, size: int) -> float:
        """By how much letters are stretched upwards, so that small ones end on whole pixels."""
        height = self._low_letters * size
        return max(round(height), 1) / height if height > _SHARPENED else 1.0

    @cached_property
    def _low_letters(self) -> float:
        """The height of an x, ems; 0 where there is none."""
        if "x" not in self.coverage:
            return 0.0
        return -self.at(_MEASURED).getbbox("x", anchor="ls")[1] / _MEASURED

    def _inked(self, size: int, text: str, turned: bool, stroke: float) -> Inked | None:
        """The pixels that FreeType draws at a size."""
        font, options = self.at(size), {"stroke_width": stroke, **self._options(turned, ligatures=True)}
        room = round(size + 2 * stroke) + 2
        inked = _ink(font, text, (-room, -2 * room, room * (len(text) + 2), 2 * room), options)
        if inked is not None and inked.cut:
            box = font.getbbox(text, anchor="ls", **options)
            low, high = np.floor(box[:2]).astype(int) - 2, np.ceil(box[2:]).astype(int) + 2
            inked = _ink(font, text, (int(low[0]), int(low[1]), int(high[0]), int(high[1])), options)
        return inked


class Inked(NamedTuple):
    """A picture of Pillow's, its left top corner from the pen in pixels, y down, and whether it may reach farther."""

    image: Any
    left: int
    top: int
    cut: bool


def _ink(font: Any, text: str, box: tuple[int, int, int, int], options: dict[str, Any]) -> Inked | None:
    """The bounding box x0 y0 x1 y1 of the pixels that are not empty, relative to the pen, y down."""
    from PIL import Image, ImageDraw

    left, top, right, bottom = box
    image = Image.new("L", (right - left, bottom - top), 0)
    ImageDraw.Draw(image).text((-left, -top), text, 255, font, anchor="ls", **options)
    inked = image.getbbox()
    if inked is None:
        return None
    x0, y0, x1, y1 = inked
    cut = x0 == 0 or y0 == 0 or x1 == image.width or y1 == image.height
    return Inked(image.crop(inked), left + x0, top + y0, cut)


def _shrunk(inked: Inked | None, by: int, shift: float, snap: float) -> Inked | None:
    """A picture that was drawn `by` times as large, moved to the right by parts of a pixel and stretched upwards.

    FreeType's own hints put every letter on whole pixels from left to right, where they stand unevenly.
    """
    from PIL import Image

    if inked is None:
        return None
    width, height = inked.image.size
    x0, x1 = floor(inked.left / by + shift), ceil((inked.left + width) / by + shift)
    y0, y1 = floor(inked.top * snap / by), ceil((inked.top + height) * snap / by)
    box = ((x0 - shift) * by, y0 * by / snap, (x1 - shift) * by, y1 * by / snap)
    left, top = floor(box[0]), floor(box[1])
    canvas = inked.image.crop((left - inked.left, top - inked.top, ceil(box[2]) - inked.left, ceil(box[3]) - inked.top))
    inside = (box[0] - left, box[1] - top, box[2] - left, box[3] - top)
    return Inked(canvas.resize((x1 - x0, y1 - y0), Image.Resampling.BOX, box=inside), x0, y0, False)


def _packed(inked: Inked | None) -> Drawn | None:
    """With a rim of one clear texel, which gives a turned letter smooth edges."""
    if inked is None:
        return None
    width, height = inked.image.size
    return Drawn(np.asarray(inked.image.crop((-1, -1, width + 1, height + 1))), inked.left - 1, inked.top - 1)


def _set_weight(font: Any) -> None:
    """A variable font whose plain form is a thin one is set in the regular weight."""
    try:
        axes = font.get_variation_axes()
        values = [axis["default"] for axis in axes]
        for k, axis in enumerate(axes):
            if axis["name"] == b"Weight" and axis["default"] < _THIN <= _REGULAR <= axis["maximum"]:
                values[k] = _REGULAR
                font.set_variation_by_axes(values)
    except (OSError, NotImplementedError):
        return


def load_font(path: Path) -> FontFile:
    """Read a .ttf, .otf or .ttc file. Raises AssetError where it is none."""
    if path.stat().st_size > MAX_BYTES:
        raise AssetError(f"{path.name} is too large for a font", hint=f"At most {MAX_BYTES >> 20} MB")
    font = FontFile(path.read_bytes(), path.name)
    try:
        font.at(16).getbbox("A")
    except (OSError, ValueError) as error:
        raise AssetError(f"{path.name} is no font: {error}", hint="Name a TrueType or OpenType file") from error
    return font


def quantised(pixels: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """The sizes at which glyphs are drawn that are seen `pixels` high: whole pixels, coarser steps above 72."""
    seen = np.nan_to_num(np.asarray(pixels, np.float64), nan=1.0)
    step = np.where(seen <= 72, 1, np.where(seen <= 128, 4, 8))
    return np.clip(np.floor(np.minimum(seen, LARGEST) / step + 0.5) * step, 1, LARGEST).astype(np.int64)


def parts_of(pixels: int, x: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The whole pixels at which letters with their pens at x begin, and how many `PARTS` of a pixel lie beyond.

    Small letters are drawn at parts of a pixel, where a whole one would show as uneven spacing.
    """
    if pixels > LARGEST_IN_PARTS:
        return np.floor(x + 0.5).astype(np.int64), np.zeros(len(x), np.int64)
    steps = np.floor(x * PARTS + 0.5).astype(np.int64)
    return steps // PARTS, steps % PARTS
