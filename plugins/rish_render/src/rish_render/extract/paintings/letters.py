"""Converts the texts of a part to sprites in pixels of the target, counted from the origin of the painting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_frame import TextItem, pack_sprites
from rish_frame.frame import POSITION_SCALE, fits

from ...text.fonts import LARGEST_UNSTRETCHED, quantised
from ...text.glyphs import GlyphPage
from ...text.letters import SHADOW, SPAN, Ink, Letters, set_letters
from .items import Bounds, Flat
from .typesetter import SetText, cache_of, typesetter_of

if TYPE_CHECKING:
    from ...scene.extraction import Extraction

Array = npt.NDArray[Any]

_ROUND = 16
"""Sizes are rounded to 1 / _ROUND of a pixel, outlines to 1 / _STROKES."""
_STROKES = 4
_MAX_READY = 8
"""The most sizes of one text whose letters are kept."""
_FURTHEST = 32000


class Fineness(NamedTuple):
    """How finely texts are drawn: pixels per unit of the painting, and whether they are put on whole pixels."""

    density: float
    sharp: bool


class Ready(NamedTuple):
    """The sprites of a text at a size, relative to its top left corner, without colours; packed is None if too far."""

    letters: Letters
    stretch: float
    packed: Array | None


@dataclass
class Run:
    """The texts of a part. instances: None if they don't fit; then `flat` has them in the space of the painting."""

    instances: Array | None
    flat: Flat | None
    bounds: Bounds
    pages: set[GlyphPage]


def run_of(scene: Extraction, items: Sequence[TextItem], fine: Fineness) -> Run:
    """Return the sprites of texts."""
    texts = [_set(scene, item) for item in items]
    ready = [_ready(scene, text, item, fine) for text, item in zip(texts, items, strict=True)]
    counts = [len(one.letters.frames) for one in ready]
    owner = np.repeat(np.arange(len(items)), counts)
    inks = np.concatenate([one.letters.inks for one in ready])
    rgba = _tints(items, owner, inks, ready)
    moves = np.array([(item.x, item.y, item.dx, item.dy) for item in items]) * fine.density
    if fine.sharp:
        moves = np.floor(moves + 0.5)
    shifts = moves[owner, :2]
    dark = inks == SHADOW
    if dark.any():
        shifts[dark] += moves[owner[dark], 2:]
    pages = {page for one in ready for page, _ in one.letters.pages}
    bounds = _bounds(items, texts)
    packed = [one.packed for one in ready]
    if not any(one is None for one in packed):
        instances = np.concatenate([one for one in packed if one is not None])
        places = np.floor(shifts * POSITION_SCALE + 0.5)
        x, y = instances["x"] + places[:, 0], instances["y"] + places[:, 1]
        if not len(x) or max(np.abs(x).max(), np.abs(y).max()) < _FURTHEST:
            instances["x"], instances["y"], instances["rgba"] = x, y, rgba
            return Run(instances, None, bounds, pages)
    boxes = np.concatenate([one.letters.boxes * one.stretch for one in ready])
    boxes[:, :2] += shifts
    x, y, w, h = (boxes / fine.density).T
    zero = np.zeros(len(x))
    arrays = {
        "matrix": np.stack([w, zero, zero, h, x, y], axis=1).astype(np.float32),
        "frame": np.concatenate([one.letters.frames for one in ready]),
        "rgba": rgba,
    }
    return Run(None, Flat("sprites_wide", arrays, bounds), bounds, pages)


def _set(scene: Extraction, item: TextItem) -> SetText:
    """Return the text of an item; one that was set by another typesetter is set again."""
    text = item.text
    if isinstance(text, SetText):
        return text
    return typesetter_of(scene.world).typeset(scene.world, text.source, text.look)


def _ready(scene: Extraction, text: SetText, item: TextItem, fine: Fineness) -> Ready:
    """Return the sprites of a text, from its cache or newly placed."""
    look = text.look
    wide = look.outline_width if item.outline[3] else 0.0
    key = (fine, wide, bool(item.shadow[3]))
    glyphs = cache_of(scene.world).glyphs
    found: Ready | None = text.ready.get(key)
    if found is not None and found.letters.touch(glyphs.clock):
        return found
    size = look.size * fine.density
    exact = max(np.floor(size * _ROUND + 0.5) / _ROUND, 1.0)
    pixels = int(quantised(exact))
    plain = fine.sharp and pixels <= LARGEST_UNSTRETCHED
    exact = float(exact) if plain else float(pixels)
    stretch = 1.0 if plain else size / exact
    stroke = max(round(wide * fine.density / stretch * _STROKES) / _STROKES, 0.5) if wide > 0 else 0.0
    frames = cache_of(scene.world).frames(scene.world)
    ink = Ink(key[2], stroke, fine.sharp)
    laid = text.laid
    letters = set_letters(glyphs, laid.layout, pixels, exact, ink, (0.0, 1.0), laid.spans, frames, even=False)
    if len(text.ready) >= _MAX_READY:
        text.ready.clear()
    found = text.ready[key] = Ready(letters, stretch, _packed(letters, stretch))
    return found


def _packed(letters: Letters, stretch: float) -> Array | None:
    """Return the sprites of letters; None if a sprite of sixteen bytes can't hold one of them."""
    x, y, w, h = (letters.boxes * np.float32(stretch)).T
    if not fits(x, y, w, h, letters.frames).all():
        return None
    return pack_sprites(x, y, w, h, 0.0, letters.frames)


def _tints(items: Sequence[TextItem], owner: Array, inks: Array, ready: Sequence[Ready]) -> Array:
    """Return the colours of letters, uint8 (n, 4)."""
    table = np.clip(np.array([(item.shadow, item.outline, item.color, item.color) for item in items]), 0, 255)
    opacity = np.clip([item.opacity for item in items], 0.0, 1.0)
    fade = bool((opacity < 1).any())
    if fade:
        table = table.astype(np.float64)
        table[..., 3] = np.floor(table[..., 3] * opacity[:, None] + 0.5)
    rgba: Array = table.astype(np.uint8)[owner, inks]
    spans = inks == SPAN
    if spans.any():
        own = np.concatenate([one.letters.spans for one in ready])[spans]
        if fade:
            own[:, 3] = np.floor(own[:, 3] * opacity[owner[spans]] + 0.5)
        rgba[spans] = own
    return rgba


def _bounds(items: Sequence[TextItem], texts: Sequence[SetText]) -> Bounds:
    """Return the rectangle that texts cover, with room for outlines and shadows."""
    x0 = y0 = float("inf")
    x1 = y1 = -float("inf")
    for item, text in zip(items, texts, strict=True):
        layout, look = text.laid.layout, text.look
        far = look.size + look.outline_width
        across, down = far + abs(item.dx), far + abs(item.dy)
        x0, x1 = min(x0, item.x - across), max(x1, item.x + layout.width * look.size + across)
        y0, y1 = min(y0, item.y - layout.height * look.size - down), max(y1, item.y + down)
    return x0, y0, x1, y1
