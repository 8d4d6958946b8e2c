"""Fonts: drawing a cluster as an image, and measuring how far it moves the pen.

Pillow's FreeType draws, and Raqm, if Pillow has it, does the shaping (kerning of modern fonts, joined letters, marks).
Both are imported when the first text is shown. Sizes are whole pixels with coarser steps for large letters, so that a
zooming camera needs only a few sizes.
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

from rish_core import AssetError, read_asset
from rish_frame.paint.writing import MIRRORED, is_ideographic

from .coverage import Coverage, read_coverage

Pixels = npt.NDArray[np.uint8]

LARGEST = 320
PARTS = 4
LARGEST_IN_PARTS = 40
LARGEST_UNSTRETCHED = 72
"""Up to this size, in pixels, upright letters are never stretched: only the gaps between them follow the zoom."""
MAX_BYTES = 64 * 2**20
_NO_LIGATURES = ["-liga", "-clig"]
_REGULAR, _THIN = 400, 300
_SIZES_KEPT = 64
_IMAGES_KEPT = 2000
_LARGE_KEPT = 64
"""The letters whose large images are kept, because the next part of a pixel is made from the same image."""
_FINE, _FINER, _SMALL = 4, 8, 20
"""Letters are drawn larger by this factor and then shrunk: by _FINER up to a size of _SMALL pixels, else by _FINE."""
_MEASURED, _SHARPENED = 1000, 4.0


@functools.cache
def can_shape() -> bool:
    """Return True if Pillow has Raqm on this machine."""
    from PIL import features

    return bool(features.check("raqm"))


class Drawn(NamedTuple):
    """The image of a cluster: its coverage, uint8 (h, w), and its left top corner relative to the pen, y down."""

    pixels: Pixels
    left: int
    top: int


class FontFile:
    """One font. source: the bytes or the path of a file, or None for the small font inside Pillow.

    index: which font of a collection. shaping: whether Raqm is used.
    """

    def __init__(
        self, source: bytes | Path | None = None, name: str = "", index: int = 0, shaping: bool | None = None
    ) -> None:
        self.source, self.name, self.index = source, name, index
        self.shaping = can_shape() if shaping is None else shaping
        self.at: Callable[[int], Any] = lru_cache(maxsize=_SIZES_KEPT)(self._open)
        self.advance: Callable[..., float] = lru_cache(maxsize=50_000)(self._advance)
        self._image: Callable[..., Drawn | None] = lru_cache(maxsize=_IMAGES_KEPT)(self._drawn)
        self._inked: Callable[..., Inked | None] = lru_cache(maxsize=_LARGE_KEPT)(self._draw_large)

    @cached_property
    def coverage(self) -> Coverage:
        """The characters that the font has."""
        source = self.at(16).font_bytes if self.source is None else self.source
        return read_coverage(source, self.index)

    def _open(self, size: int) -> Any:
        """Return Pillow's font object at a size in pixels."""
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
        """Return the keyword arguments for Raqm; none without it."""
        if not self.shaping:
            return {}
        return {"direction": "rtl" if turned else "ltr", "features": None if ligatures else _NO_LIGATURES}

    def _advance(self, size: int, text: str, turned: bool = False, ligatures: bool = True) -> float:
        """Return how far a text moves the pen, pixels, with kerning. turned: written from right to left."""
        return float(self.at(size).getlength(text, **self._options(turned, ligatures)))

    def metrics(self, size: int) -> tuple[int, int]:
        """Return ascent and descent in pixels, both positive."""
        ascent, descent = self.at(size).getmetrics()
        return int(ascent), abs(int(descent))

    def draw(self, size: int, text: str, turned: bool = False, shift: float = 0.0, stroke: float = 0.0) -> Drawn | None:
        """Return the image of a cluster; None if it has no visible pixels.

        shift: how far the cluster is moved to the right, as a fraction of a pixel. stroke: width of the outline that is
        added on all sides, pixels.
        """
        return self._image(size, text, turned, shift, stroke)

    def _drawn(self, size: int, text: str, turned: bool, shift: float, stroke: float) -> Drawn | None:
        if turned and not self.shaping:
            text = "".join(MIRRORED.get(character, character) for character in text)
        if size > LARGEST_IN_PARTS or is_ideographic(text[0]):
            return _packed(self._inked(size, text, turned, stroke))
        finer = _FINER if size <= _SMALL else _FINE
        return _packed(_shrunk(self._inked(size * finer, text, turned, stroke * finer), finer, shift, self._snap(size)))

    def _snap(self, size: int) -> float:
        """Return the factor by which letters are stretched vertically, so that small ones end on whole pixels."""
        height = self._low_letters * size
        return max(round(height), 1) / height if height > _SHARPENED else 1.0

    @cached_property
    def _low_letters(self) -> float:
        """The height of an x, ems; 0 if the font has no x."""
        if "x" not in self.coverage:
            return 0.0
        return -self.at(_MEASURED).getbbox("x", anchor="ls")[1] / _MEASURED

    def _draw_large(self, size: int, text: str, turned: bool, stroke: float) -> Inked | None:
        """Return the pixels that FreeType draws at a size; None if there are none."""
        from PIL import Image

        options = {"stroke_width": stroke, "stroke_filled": True, **self._options(turned, ligatures=True)}
        mask, (left, top) = self.at(size).getmask2(text, "L", anchor="ls", ink=255, **options)
        box = mask.getbbox()
        if box is None:
            return None
        image: Any = Image.new("L", mask.size)
        image.im.paste(mask, (0, 0, *mask.size))
        return Inked(image.crop(box), int(left) + box[0], int(top) + box[1])


class Inked(NamedTuple):
    """A Pillow image, and its left top corner relative to the pen in pixels, y down."""

    image: Any
    left: int
    top: int


def _shrunk(inked: Inked | None, by: int, shift: float, snap: float) -> Inked | None:
    """Shrink an image that was drawn `by` times as large, shift it right by `shift` pixels and stretch it vertically.

    FreeType's own hinting would put every letter on whole pixels horizontally, which makes the spacing uneven.
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
    return Inked(canvas.resize((x1 - x0, y1 - y0), Image.Resampling.BOX, box=inside), x0, y0)


def _packed(inked: Inked | None) -> Drawn | None:
    """Return the image with a border of one clear texel, which gives a rotated letter smooth edges."""
    if inked is None:
        return None
    width, height = inked.image.size
    return Drawn(np.asarray(inked.image.crop((-1, -1, width + 1, height + 1))), inked.left - 1, inked.top - 1)


def _set_weight(font: Any) -> None:
    """Set a variable font whose default weight is thin to the regular weight."""
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
    """Read a .ttf, .otf or .ttc file. Raises AssetError if it is not a font or too large."""
    font = FontFile(read_asset(path, MAX_BYTES), path.name)
    try:
        font.at(16).getbbox("A")
    except (OSError, ValueError) as error:
        raise AssetError(f"{path.name} is not a font: {error}", hint="Name a TrueType or OpenType file") from error
    return font


def quantized(pixels: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return the sizes at which glyphs of `pixels` height are drawn: whole pixels, coarser steps above 72."""
    seen = np.nan_to_num(np.asarray(pixels, np.float64), nan=1.0)
    step = np.where(seen <= 72, 1, np.where(seen <= 128, 4, 8))
    return np.clip(np.floor(np.minimum(seen, LARGEST) / step + 0.5) * step, 1, LARGEST).astype(np.int64)


def parts_of(pixels: int, x: npt.NDArray[np.float64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the whole pixel at which each letter with its pen at `x` begins, and the remaining `PARTS` of a pixel.

    Small letters are drawn at fractions of a pixel, because rounding to whole pixels would show as uneven spacing.
    """
    if pixels > LARGEST_IN_PARTS:
        return np.floor(x + 0.5).astype(np.int64), np.zeros(len(x), np.int64)
    steps = np.floor(x * PARTS + 0.5).astype(np.int64)
    return steps // PARTS, steps % PARTS
