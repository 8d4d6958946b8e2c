"""Converts a frame into the bytes that show it on the terminal: only cells that changed are written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rish_frame.paint import Label
from rish_jit import Array

from .compose import MAX, compose
from .glyphs import SECOND, Glyphs
from .layout import Layout

_UNKNOWN = -1
"""A color value that no cell has, so that the cell is always written again."""
_STEPS = np.array([0, 95, 135, 175, 215, 255], np.int32)
"""Levels of the color cube in the palette of 256 colors."""


def shrink(picture: Array, fine: int) -> Array:
    """Return the mean of each square of `fine` x `fine` pixels: uint8 (h, w, 4) -> (h / fine, w / fine, 3)."""
    if fine == 1:
        return picture[..., :3]
    height, width = picture.shape[0] // fine, picture.shape[1] // fine
    tall = picture.reshape(height, fine, width * fine * 4).sum(axis=1, dtype=np.uint16)
    total = tall.reshape(height, width, fine, 4).sum(axis=2, dtype=np.uint16)[..., :3]
    return ((total + fine * fine // 2) // (fine * fine)).astype(np.uint8)


def true_colors(pixels: Array) -> Array:
    """Pack red, green and blue into one number: uint8 (h, w, 3) -> int32 (h, w)."""
    wide = pixels.astype(np.int32)
    return wide[..., 0] << 16 | wide[..., 1] << 8 | wide[..., 2]


def palette_colors(pixels: Array) -> Array:
    """Return the nearest of the 240 fixed colors of the 256-color palette: uint8 (h, w, 3) -> int32 (h, w)."""
    wide = pixels.astype(np.int32)
    cube = np.where(wide < 48, 0, np.where(wide < 115, 1, (wide - 35) // 40))
    cube_error = ((_STEPS[cube] - wide) ** 2).sum(axis=-1)
    gray = np.clip((wide.sum(axis=-1) // 3 - 3) // 10, 0, 23)
    gray_error = (((8 + 10 * gray)[..., None] - wide) ** 2).sum(axis=-1)
    number = 16 + 36 * cube[..., 0] + 6 * cube[..., 1] + cube[..., 2]
    return np.where(gray_error < cube_error, 232 + gray, number).astype(np.int32)


class Cells:
    """The cells that the terminal shows, and the method that returns the text to update them to the next frame.

    true: whether colors have 24 bits; otherwise they are from the palette of 256.
    """

    def __init__(self) -> None:
        self.true = True
        self._layout: Layout | None = None
        self._known: tuple[Array, Array, Array] | None = None
        self._glyphs = Glyphs()

    def forget(self) -> None:
        """Write the next frame completely, because another program wrote to the terminal or it was cleared."""
        self._known = None

    def update(self, picture: Array, layout: Layout, labels: Sequence[Label] = ()) -> bytes:
        """Return the text that makes the terminal show a frame, uint8 (h, w, 4) of the size `layout.drawn`.

        labels: letters over the picture. The text begins with clearing the terminal if the layout has changed. It is
        empty if nothing changed.
        """
        pixels = shrink(picture, layout.fine)
        if len(pixels) % 2:
            pixels = np.concatenate([pixels, np.zeros_like(pixels[:1])])
        colors = (true_colors if self.true else palette_colors)(pixels)
        top, bottom = np.ascontiguousarray(colors[0::2]), np.ascontiguousarray(colors[1::2])
        if self._glyphs.trim():
            self._known = None
        glyph = np.zeros(top.shape, np.int32)
        if labels:
            glyph = self._write(pixels, labels, top, bottom)
        start = b""
        if self._known is None or layout != self._layout:
            start = b"\x1b[0m\x1b[2J"
            self._known = np.full_like(top, _UNKNOWN), np.full_like(top, _UNKNOWN), np.zeros_like(glyph)
        different = (top != self._known[0]) | (bottom != self._known[1]) | (glyph != self._known[2])
        different[:, :-1] |= different[:, 1:] & (glyph[:, 1:] == SECOND)
        changed = np.flatnonzero(different)
        self._layout, self._known = layout, (top, bottom, glyph)
        out = np.empty(MAX * len(changed), np.uint8)
        position = layout.shown[0], layout.left + 1, layout.top + 1
        table = self._glyphs.table
        size = compose(out, changed, top.ravel(), bottom.ravel(), *position, self.true, glyph.ravel(), table)
        return start + out[:size].tobytes()

    def _write(self, pixels: Array, labels: Sequence[Label], top: Array, bottom: Array) -> Array:
        """Set the colors of cells with letters, in place: that of the letter, and the mean of the picture behind it.

        Returns the number of the glyph of each cell, int32 (rows, columns).
        """
        behind = ((pixels[0::2].astype(np.uint16) + pixels[1::2] + 1) // 2).astype(np.uint8)
        overlay = self._glyphs.overlay(labels, behind)
        covered = overlay.number != 0
        pack = true_colors if self.true else palette_colors
        top[covered] = pack(overlay.ink[covered][None])[0]
        bottom[covered] = pack(behind[covered][None])[0]
        return overlay.number

    @staticmethod
    def warm_up() -> None:
        """Compile the kernel that writes cells, before the first frame is needed."""
        Cells().update(np.zeros((2, 1, 4), np.uint8), Layout((1, 2), 1, 0, 0))
