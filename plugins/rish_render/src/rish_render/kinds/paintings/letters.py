"""Converts the texts of a part to sprites in pixels of the target, counted from the origin of the painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, inf
from typing import TYPE_CHECKING

import numpy as np

from rish_frame import INSTANCE, TextItem
from rish_frame.frame import POSITION_SCALE
from rish_jit import Array

from ..text.glyphs import GlyphPage
from ..text.letters import LETTER, SHADOW, SPAN
from .glyph_rows import Fineness, Ready, ready_of, unpacked
from .items import Bounds, Flat, colors_of
from .typesetter import SetText, typesetter_of

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction
    from ..text.cache import TextCache


_FURTHEST = 32767
_Color = tuple[int, int, int, int]


@dataclass
class Run:
    """The texts of a part. instances: None if they don't fit; then `flat` has them in the space of the painting."""

    instances: Array | None
    flat: Flat | None
    bounds: Bounds
    pages: set[GlyphPage]


def run_of(scene: Extraction, cache: TextCache, items: Sequence[TextItem], fine: Fineness) -> Run:
    """Return the sprites of texts."""
    texts = [_set(scene, item) for item in items]
    ready = ready_of(scene.world, cache, texts, items, fine)
    counts = np.array([one.count for one in ready])
    plain = all(one.inks is None for one in ready)
    rgba = _plain_tints(items, counts) if plain else _tints(items, counts, ready)
    moves = np.array([(item.x, item.y) for item in items]) * fine.density
    if fine.sharp:
        moves = np.floor(moves + 0.5)
    pages = {page for one in ready for page, _ in one.pages}
    bounds = _bounds(items, texts)
    steps = np.floor(moves * POSITION_SCALE + 0.5)
    falls = _falls(items, ready, counts, fine) if any(item.shadow[3] for item in items) else None
    reach = np.array([one.reach for one in ready])
    far = 0.0 if falls is None else float(np.abs(falls).max(initial=0.0))
    if float((np.abs(steps).max(axis=1) + reach).max()) + far < _FURTHEST:
        rows = np.concatenate([one.packed for one in ready])
        rows[:, :2] += np.repeat(steps.astype(np.int16), counts, axis=0)
        if falls is not None:
            rows[:, :2] += falls.astype(np.int16)
        rows.view(np.uint32)[:, 3] = rgba.view(np.uint32)[:, 0]
        return Run(rows.view(INSTANCE).reshape(-1), None, bounds, pages)
    shifts = np.repeat(moves, counts, axis=0) + (0.0 if falls is None else falls / POSITION_SCALE)
    boxes, frames = unpacked(ready)
    boxes[:, :2] += shifts
    x, y, w, h = (boxes / fine.density).T
    zero = np.zeros(len(x))
    matrix = np.stack([w, zero, zero, h, x, y], axis=1).astype(np.float32)
    arrays = {"matrix": matrix, "frame": frames, "rgba": rgba}
    return Run(None, Flat("sprites_wide", arrays, 0, len(frames), bounds), bounds, pages)


def _set(scene: Extraction, item: TextItem) -> SetText:
    """Return the text of an item; one that was set by another typesetter is set again."""
    text = item.text
    if isinstance(text, SetText):
        return text
    return typesetter_of(scene.world).typeset(scene.world, text.source, text.look)


def _falls(items: Sequence[TextItem], ready: Sequence[Ready], counts: Array, fine: Fineness) -> Array:
    """Return the offsets of shadows, float64 (n, 2), in units of INSTANCE; 0 for sprites that are no shadow."""
    falls = np.array([(item.dx, item.dy) for item in items]) * fine.density
    falls = np.floor(falls + 0.5) if fine.sharp else falls
    falls = np.repeat(np.floor(falls * POSITION_SCALE + 0.5), counts, axis=0)
    falls[_inks(ready) != SHADOW] = 0.0
    return falls


def _inks(ready: Sequence[Ready]) -> Array:
    """Return the inks of all sprites."""
    return np.concatenate([one.inks if one.inks is not None else np.full(one.count, LETTER, np.uint8) for one in ready])


def _plain_tints(items: Sequence[TextItem], counts: Array) -> Array:
    """Return the colors of letters that all have the color of their item, uint8 (n, 4)."""
    tints = [item.color if item.opacity >= 1 else _faded(item.color, item.opacity) for item in items]
    return np.repeat(colors_of(tints), counts, axis=0)


def _faded(color: _Color, opacity: float) -> _Color:
    """Return a color with its opacity multiplied."""
    return *color[:3], floor(color[3] * max(opacity, 0.0) + 0.5)


def _tints(items: Sequence[TextItem], counts: Array, ready: Sequence[Ready]) -> Array:
    """Return the colors of letters, uint8 (n, 4)."""
    inks, owner = _inks(ready), np.repeat(np.arange(len(items)), counts)
    table = np.array([(item.shadow, item.outline, item.color, item.color) for item in items], np.float64)
    opacity = np.clip([item.opacity for item in items], 0.0, 1.0)
    table[..., 3] = np.floor(table[..., 3] * opacity[:, None] + 0.5)
    rgba: Array = np.clip(table, 0, 255).astype(np.uint8)[owner, inks]
    spans = inks == SPAN
    if spans.any():
        blank = [one.spans if one.spans is not None else np.zeros((one.count, 4), np.uint8) for one in ready]
        own = np.concatenate(blank)[spans]
        own[:, 3] = np.floor(own[:, 3] * opacity[owner[spans]] + 0.5)
        rgba[spans] = own
    return rgba


def _bounds(items: Sequence[TextItem], texts: Sequence[SetText]) -> Bounds:
    """Return the rectangle that texts cover, with room for outlines and shadows."""
    x0, y0, x1, y1 = inf, inf, -inf, -inf
    for item, text in zip(items, texts, strict=True):
        size, layout, x, y = text.look.size, text.laid.layout, item.x, item.y
        far = size + text.look.outline_width
        across, down = far + abs(item.dx), far + abs(item.dy)
        x0, x1 = min(x0, x - across), max(x1, x + layout.width * size + across)
        y0, y1 = min(y0, y - layout.height * size - down), max(y1, y + down)
    return float(x0), float(y0), float(x1), float(y1)
