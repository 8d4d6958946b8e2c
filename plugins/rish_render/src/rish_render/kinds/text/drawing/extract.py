"""Converts texts into batches: each letter is a sprite of sixteen bytes, cut from the atlas.

A text is laid out when it first appears, its letters are placed when it first appears at a size, and its sprites are
packed when any of its values change; the sprites of all others are moved to their places as they are. While nothing
changes, a frame costs a few comparisons, and the batches are the same objects as in the last frame. An upright text is
moved to whole pixels, so that its letters are as sharp as the font's designer drew them; fixed-point numbers in units
of a pixel then hold the positions exactly. Texts that change often are in a batch apart from the others, so that a
score that counts up does not cause all texts to be sent again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Batch, Frame
from rish_jit import Array

from ....components.visible import Text
from ....drawables.drawables import Drawables
from ..cache import TextCache
from ..letters import Ink
from .placing import Places, place
from .shown import Shown, begin, pack_shown

if TYPE_CHECKING:
    from ....drawables.extraction import Extraction, Seen


_RESTLESS = 30  # rounds after a change during which a text counts as one that changes often
_FEW = 64  # up to this number, texts are compared one by one, which is faster than numpy
_STROKES = 4  # outline widths are rounded to 1 / _STROKES of a pixel
_MAX_APART = 24  # most often-changing texts that get their own batch; if there are more, all texts share one batch


def extract_text(scene: Extraction, seen: Seen) -> list[Drawables]:
    """Return the drawables of all visible texts, one row a text."""
    cache = TextCache.of(scene.world, scene.cache, scene.pictures)
    forgotten = cache.glyphs.forgotten
    last = cache.shown.get(scene.view.name)
    cache.begin(scene.world[Frame], scene.view.name)
    places = place(scene, seen, None if last is None else last.places)
    now = begin(scene, seen, places, last, cache)
    now.changed[now.before < 0] -= _RESTLESS  # a new text does not count as changing until its first change
    shown = _visible(scene, seen, now)
    _set(scene, places, now, shown, cache)
    pack_shown(scene, seen, places, now, shown, last, cache)
    cache.shown[scene.view.name] = now
    if cache.glyphs.forgotten != forgotten:
        scene.pictures.version += 1  # cached data of other views may use frame numbers that now mean another glyph
    things = _drawables(scene, seen, places, now, shown, cache, last.batches if last is not None else {})
    return [things] if len(things) else []


def _visible(scene: Extraction, seen: Seen, now: Shown) -> Array:
    """Return bool n: whether each text's block touches the view. Outlines and shadows may reach one line farther."""
    table, rows, m = scene.world[Text], seen.rows, seen.matrix
    size, some = table.size[rows], now.inked
    whole = now.block * size[:, None]
    center = (np.float32(0.5) - table.anchor[rows]) * whole
    half = whole / 2 + (size + table.outline_width[rows])[:, None] + np.abs(table.shadow_offset[rows])
    x = m[:, 0] * center[:, 0] + m[:, 2] * center[:, 1] + m[:, 4]
    y = m[:, 1] * center[:, 0] + m[:, 3] * center[:, 1] + m[:, 5]
    reach = np.abs(m[:, 0:2]) * half[:, :1] + np.abs(m[:, 2:4]) * half[:, 1:]
    shown = scene.seen(np.stack([x, y], axis=1), reach, seen.numbers) & some
    scene.world[Frame].culled += int(some.sum() - shown.sum())
    return shown


def _set(scene: Extraction, places: Places, now: Shown, shown: Array, cache: TextCache) -> None:
    """Place the letters of the visible texts whose sprites are out of date."""
    table = scene.world[Text]
    for k in (shown & (now.ids < 0)).nonzero()[0].tolist():
        row = int(now.rows[k])
        pixels, exact = int(places.pixels[k]), float(places.exact[k])
        outline = float(table.outline_width[row]) if table.outline[row][3] > 0 else 0.0
        stroke = max(round(outline * exact / float(table.size[row]) * _STROKES) / _STROKES, 0.5) if outline > 0 else 0.0
        ink = Ink(bool(table.shadow[row][3] > 0), stroke, bool(places.sharp[k]))
        ax, ay = (float(value) for value in table.anchor[row])
        now.letters[k] = cache.letters_of(scene.world, now.laid[k], pixels, exact, ink, (ax, ay))


def _drawables(
    scene: Extraction, seen: Seen, places: Places, now: Shown, keep: Array, cache: TextCache, batches: dict[Any, Batch]
) -> Drawables:
    """Return one drawable per text. batches: the batches of the last round, by ids."""
    texts = keep.nonzero()[0]
    restless = now.changed[texts] > cache.glyphs.clock - _RESTLESS
    if restless.sum() > _MAX_APART or restless.all():
        restless[:] = False
    grounds, ground = _distinct(places.ground[texts])
    state = (ground * 2 + restless) * 2 + now.wide[texts]
    ids = now.ids[texts]

    def make(some: Array | slice, state: int) -> Batch:
        key = (ids[some].tobytes(), state & 1, int(grounds[state >> 2][-1]))
        batch = batches.get(key)
        if batch is None:
            batch = _batch(now, texts[some], bool(state & 1))
        else:
            batch.version = 0
        now.batches[key] = batch
        if not state & 1:
            batch.origin, batch.unit = places.origin_of(grounds[state >> 2])
        return batch

    table = scene.world[Text]
    rows = seen.rows[texts]
    return Drawables(seen.numbers[texts], table.z[rows], seen.matrix[texts, 5], state.astype(np.int64), make)


def _distinct(rows: Array) -> tuple[Array, Array]:
    """Return the distinct rows, and for each row its index among them; most often all are equal."""
    if len(rows) and (rows == rows[0]).all():
        return rows[:1], np.zeros(len(rows), np.int64)
    if len(rows) > _FEW:
        distinct, inverse = np.unique(rows, axis=0, return_inverse=True)
        return distinct, inverse.reshape(-1)
    indices: dict[tuple[float, ...], int] = {}
    inverse = [indices.setdefault(row, len(indices)) for row in map(tuple, rows.tolist())]
    return np.array([*indices], np.float64).reshape(-1, rows.shape[1]), np.array(inverse, np.int64)


def _batch(now: Shown, texts: Array, wide: bool) -> Batch:
    if wide:
        parts = [now.parallelograms[k] for k in texts.tolist()]
        arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return Batch("sprites_wide", arrays, filter="linear", source="render")
    return Batch("sprites", {"instances": now.sprites_of(texts)}, filter="linear", source="render")
