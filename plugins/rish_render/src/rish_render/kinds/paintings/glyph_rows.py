"""Places the glyphs of a text at a size, as rows that are ready to be moved, colored and put into a batch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_frame import TextItem, pack_sprites
from rish_frame.frame import POSITION_SCALE, SIZE_SCALE, fits
from rish_jit import Array

from ..text.fonts import LARGEST_IN_PARTS, LARGEST_UNSTRETCHED, PARTS, quantized
from ..text.glyph_table import COLUMNS
from ..text.glyphs import GlyphPage
from ..text.letters import LETTER, Ink, set_letters
from .typesetter import SetText

if TYPE_CHECKING:
    from rish_ecs import World

    from ..text.cache import TextCache
    from ..text.lines.ascii_fast_path import QuickSetter


_ROUND = 16
"""Sizes are rounded to 1 / _ROUND of a pixel, outlines to 1 / _STROKES."""
_STROKES = 4
_MAX_READY = 8
"""The most sizes of one text whose letters are kept."""
_TOO_FAR = 1e9


class Fineness(NamedTuple):
    """The resolution of texts: pixels per unit of the painting, and whether letters are at whole pixels."""

    density: float
    sharp: bool


class Ready(NamedTuple):
    """The sprites of a text at a size, relative to its top left corner.

    packed: int16 (n, COLUMNS), INSTANCE without colors. reach: how far they extend, in units of INSTANCE; if that is
    too far, boxes and frames have them. inks, spans: see `Letters`; None if all have the color of the text.
    """

    packed: Array
    count: int
    reach: float
    pages: tuple[tuple[GlyphPage, int], ...]
    inks: Array | None = None
    spans: Array | None = None
    boxes: Array | None = None
    frames: Array | None = None

    def touch(self, clock: int) -> bool:
        """Return True if all glyphs are still in the atlas, and then keep them for this round."""
        for page, age in self.pages:
            if page.age != age:
                return False
            page.used = clock
        return True


def ready_of(
    world: World, cache: TextCache, texts: Sequence[SetText], items: Sequence[TextItem], fine: Fineness
) -> list[Ready]:  # fmt: skip
    """Return the sprites of texts, from their caches or newly placed; plain lines of one font are placed together."""
    result: list[Any] = []
    plain: dict[tuple[QuickSetter, float], dict[SetText, list[int]]] = {}
    for text, item in zip(texts, items, strict=True):
        look = text.look
        wide = look.outline_width if item.outline[3] else 0.0
        key = (fine, wide, bool(item.shadow[3]))
        ready: Ready | None = text.ready.get(key)
        if ready is None or not ready.touch(cache.glyphs.clock):
            exact = max(floor(look.size * fine.density * _ROUND + 0.5) / _ROUND, 1.0)
            quick = text.laid.layout.quick
            if quick is not None and fine.sharp and not wide and not key[2] and exact <= LARGEST_IN_PARTS:
                plain.setdefault((quick, exact), {}).setdefault(text, []).append(len(result))
                ready = None
            else:
                ready = _placed(world, cache, text, fine, exact, wide, key[2])
                _store(text, key, ready)
        result.append(ready)
    for (quick, exact), places in plain.items():
        for (text, numbers), ready in zip(places.items(), _quick(cache, [*places], quick, exact), strict=True):
            _store(text, (fine, 0.0, False), ready)
            for number in numbers:
                result[number] = ready
    return result


def _store(text: SetText, key: tuple[Fineness, float, bool], ready: Ready) -> None:
    if len(text.ready) >= _MAX_READY:
        text.ready.clear()
    text.ready[key] = ready


def _placed(
    world: World, cache: TextCache, text: SetText, fine: Fineness, exact: float, wide: float, shadow: bool
) -> Ready:
    """Place the glyphs of any text. exact: the size at which letters are spaced. wide: the width of the outline."""
    laid, size = text.laid, text.look.size * fine.density
    pixels = int(quantized(exact))
    plain = fine.sharp and pixels <= LARGEST_UNSTRETCHED
    exact = exact if plain else float(pixels)
    stretch = 1.0 if plain else size / exact
    stroke = max(round(wide * fine.density / stretch * _STROKES) / _STROKES, 0.5) if wide > 0 else 0.0
    ink = Ink(shadow, stroke, fine.sharp)
    frames = cache.frames(world)
    letters = set_letters(
        cache.glyphs, laid.layout, pixels, exact, ink, (0.0, 1.0), laid.spans, frames, even=False
    )  # fmt: skip
    boxes, count = letters.boxes * np.float32(stretch), len(letters.frames)
    x, y, w, h = boxes.T
    packed = pack_sprites(x, y, w, h, 0.0, letters.frames).view(np.int16).reshape(count, COLUMNS)
    fit = bool(fits(x, y, w, h, letters.frames).all())
    reach = float(np.abs(packed[:, :2].astype(np.int64)).max(initial=0)) if fit else _TOO_FAR
    inks = None if (letters.inks == LETTER).all() else letters.inks
    return Ready(packed, count, reach, letters.pages, inks, letters.spans, boxes, letters.frames)


def _quick(cache: TextCache, texts: Sequence[SetText], setter: QuickSetter, exact: float) -> list[Ready]:
    """Place the glyphs of plain lines of one font on whole pixels."""
    layouts = [text.laid.layout for text in texts]
    which, x = (np.concatenate([getattr(layout, name) for layout in layouts]) for name in ("which", "x"))
    steps = np.floor(x * exact * PARTS + 0.5).astype(np.int64)
    kinds = which * PARTS + steps % PARTS
    table = cache.glyph_rows(setter, floor(exact + 0.5))
    table.draw(cache.glyphs, setter, kinds)
    rows, pages = table.rows[kinds], table.page[kinds]
    rows[:, 0] += steps // PARTS * POSITION_SCALE
    rows[:, 1] -= floor(layouts[0].ascent * exact + 0.5) * POSITION_SCALE
    ends = np.cumsum([len(layout.which) for layout in layouts])
    seen = pages >= 0
    if not seen.all():
        rows, pages, ends = rows[seen], pages[seen], np.concatenate([[0], np.cumsum(seen)])[ends]
    packed, reach = rows.astype(np.int16), np.abs(rows[:, :2]).max(axis=1, initial=0)
    ready: list[Ready] = []
    for start, end in pairwise([0, *ends.tolist()]):
        used = [table.pages[number] for number in set(pages[start:end].tolist())]
        far = float(reach[start:end].max(initial=0))
        ready.append(Ready(packed[start:end], end - start, far, tuple((page, page.age) for page in used)))
    return ready


def unpacked(ready: Sequence[Ready]) -> tuple[Array, Array]:
    """Return the boxes of all sprites in pixels, float64 (n, 4), center and size, and their frames, uint16 n."""
    boxes: list[Array] = []
    frames: list[Array] = []
    for one in ready:
        if one.boxes is not None and one.frames is not None:
            boxes.append(one.boxes.astype(np.float64))
            frames.append(one.frames)
        else:
            place, size = one.packed[:, :2] / POSITION_SCALE, one.packed[:, 2:4].view(np.uint16) / SIZE_SCALE
            boxes.append(np.concatenate([place, size], axis=1))
            frames.append(one.packed[:, 5].view(np.uint16))
    return np.concatenate(boxes), np.concatenate(frames)
