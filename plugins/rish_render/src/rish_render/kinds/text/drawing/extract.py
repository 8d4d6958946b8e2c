"""Converts texts into batches: each letter is a sprite of sixteen bytes, cut from the atlas.

A text is laid out when it first appears, its letters are placed when it first appears at a size, and its sprites are
packed when any of its values change. While nothing changes, a frame costs a few comparisons, and the batches are the
same objects as in the last frame. An upright text is moved to whole pixels, so that its letters are as sharp as the
font's designer drew them; fixed-point numbers in units of a pixel then hold the positions exactly. Texts that change
often are in a batch apart from the others, so that a score that counts up does not cause all texts to be sent again.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Batch, Frame
from rish_jit import Array

from ....components.visible import Text
from ....drawables.drawables import Drawables
from ..cache import Laid, TextCache
from ..glyphs import GlyphPage
from ..letters import Ink, Letters
from .placing import Places, pack, place

if TYPE_CHECKING:
    from ....drawables.extraction import Extraction, Seen


_RESTLESS = 30  # rounds after a change during which a text counts as one that changes often
_STROKES = 4  # outline widths are rounded to 1 / _STROKES of a pixel
_MAX_APART = 24  # most often-changing texts that get their own batch; if there are more, all texts share one batch
_LAYOUT = ("font", "size", "align", "line_spacing", "wrap", "letter_spacing", "markup")
_LOOK = ("anchor", "outline_width", "color", "outline", "shadow", "shadow_offset", "opacity")


@dataclass
class Shown:
    """The texts that one view showed in the last frame.

    rows: rows of the Text table. form: float32 (n, ...), the values besides the words that the layouts depend on.
    look: float64 (n, ...), the values that the sprites depend on. laid, letters, packed: the layout, glyphs and sprites
    of each text; letters and packed are None for texts that were not visible. packed is an array of INSTANCE, or a dict
    of arrays of `sprites_wide`. ids: int64 n, a number unique to these sprites; -1 for none. changed: int64 n, the
    round of the last change. batches: by ids.
    """

    rows: Array
    form: Array
    look: Array
    words: list[bytes]
    laid: list[Laid]
    letters: list[Letters | None]
    packed: list[Any]
    ids: Array
    changed: Array
    batches: dict[Any, Batch] = dataclass_field(default_factory=dict[Any, Batch])

    @property
    def pages(self) -> set[GlyphPage]:
        """The glyph pages that the shown texts use."""
        return {page for one in self.letters if one is not None for page, _ in one.pages}


def extract_text(scene: Extraction, seen: Seen) -> list[Drawables]:
    """Return the drawables of all visible texts, one row a text."""
    cache = TextCache.of(scene.world, scene.cache, scene.pictures)
    forgotten = cache.glyphs.forgotten
    last = cache.shown.get(scene.view.name)
    cache.begin(scene.world[Frame], scene.view.name)
    places = place(scene, seen)
    now = _begin(scene, seen, places, last, cache)
    shown = _visible(scene, seen, places, now.laid)
    _set(scene, places, now, shown, cache)
    stale = np.flatnonzero(shown & (now.ids < 0))
    if len(stale):
        packed = pack(scene.world[Text], seen, places, stale, [one for k in stale.tolist() if (one := now.letters[k])])
        for k, one in zip(stale.tolist(), packed, strict=True):
            now.packed[k], now.ids[k] = one, cache.stamp()
    cache.shown[scene.view.name] = now
    if cache.glyphs.forgotten != forgotten:
        scene.pictures.version += 1  # cached data of other views may use frame numbers that now mean another glyph
    things = _drawables(scene, seen, places, now, shown, cache, last.batches if last is not None else {})
    return [things] if len(things) else []


def _begin(scene: Extraction, seen: Seen, places: Places, last: Shown | None, cache: TextCache) -> Shown:
    """Return this round's texts with their layouts, and the sprites of the last round that are still valid."""
    world, rows = scene.world, seen.rows
    table = world[Text]
    spans = table.text.spans[rows]
    words = _words(world.table(Text).pool_of("text").gather(spans).tobytes(), spans[:, 1])
    form = _columns([getattr(table, name)[rows] for name in _LAYOUT], np.float32)
    look = _columns([getattr(table, name)[rows] for name in _LOOK] + [places.key], np.float64)
    n, clock = len(rows), cache.glyphs.clock
    now = Shown(rows.copy(), form, look, words, [], [None] * n, [None] * n, np.full(n, -1), np.full(n, clock))
    before, formed, same = _alike(now, last)
    now.changed[np.array(before) < 0] -= _RESTLESS  # a new text does not count as changing until its first change
    for k, old in enumerate(before):
        if last is None or not formed[k] or words[k] != last.words[old]:
            now.laid.append(cache.layout_of(world, int(rows[k]), words[k]))
            continue
        now.laid.append(last.laid[old])
        letters = last.letters[old]
        if letters is not None and same[k] and letters.touch(clock):
            now.letters[k], now.packed[k] = letters, last.packed[old]
            now.ids[k], now.changed[k] = last.ids[old], last.changed[old]
    return now


def _words(data: bytes, lengths: Array) -> list[bytes]:
    """Split the encoded texts that are stored one after another."""
    ends = np.cumsum(lengths).tolist()
    return [data[end - length : end] for end, length in zip(ends, lengths.tolist(), strict=True)]


def _columns(columns: list[Array], kind: Any) -> Array:
    """Return several columns side by side as one (n, ...) array."""
    return np.concatenate([np.asarray(column, kind).reshape(len(column), -1) for column in columns], axis=1)


def _alike(now: Shown, last: Shown | None) -> tuple[list[int], list[bool], list[bool]]:
    """Return for each text its index in the last frame (-1: new), and whether its form and its look are unchanged."""
    n = len(now.rows)
    if last is None or not len(last.rows):
        return [-1] * n, [False] * n, [False] * n
    if np.array_equal(now.rows, last.rows):
        before = np.arange(n)
    else:
        where = {row: k for k, row in enumerate(last.rows.tolist())}
        before = np.array([where.get(row, -1) for row in now.rows.tolist()], np.int64)
    old = before >= 0
    formed = old & (now.form == last.form[before]).all(axis=1)
    same = old & (now.look == last.look[before]).all(axis=1)
    return before.tolist(), formed.tolist(), same.tolist()


def _visible(scene: Extraction, seen: Seen, places: Places, laid: list[Laid]) -> Array:
    """Return bool n: whether each text's block touches the view. Outlines and shadows may reach one line farther."""
    table, rows, m = scene.world[Text], seen.rows, seen.matrix
    size, some = table.size[rows], np.array([len(one.layout.x) > 0 or bool(one.layout.icons) for one in laid], np.bool_)
    whole = np.array([(one.layout.width, one.layout.height) for one in laid], np.float32).reshape(-1, 2) * size[:, None]
    center = (np.float32(0.5) - table.anchor[rows]) * whole
    half = whole / 2 + (size + table.outline_width[rows])[:, None] + np.abs(table.shadow_offset[rows])
    x = m[:, 0] * center[:, 0] + m[:, 2] * center[:, 1] + m[:, 4]
    y = m[:, 1] * center[:, 0] + m[:, 3] * center[:, 1] + m[:, 5]
    reach = np.abs(m[:, 0:2]) * half[:, :1] + np.abs(m[:, 2:4]) * half[:, 1:]
    shown = scene.seen(np.stack([x, y], axis=1), reach, seen.numbers) & some
    scene.world[Frame].culled += int(some.sum() - shown.sum())
    return shown


def _set(scene: Extraction, places: Places, now: Shown, shown: Array, cache: TextCache) -> None:
    """Place the letters of the visible texts that have none yet."""
    table = scene.world[Text]
    for k in np.flatnonzero(shown).tolist():
        if now.letters[k] is not None:
            continue
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
    texts = np.flatnonzero(keep)
    restless = now.changed[texts] > cache.glyphs.clock - _RESTLESS
    if restless.sum() > _MAX_APART or restless.all():
        restless[:] = False
    wide = np.array([isinstance(now.packed[k], dict) for k in texts.tolist()], np.bool_)
    grounds, ground = np.unique(places.ground[texts], axis=0, return_inverse=True)
    state = (ground.reshape(-1) * 2 + restless) * 2 + wide
    ids = now.ids[texts]

    def make(some: Array | slice, state: int) -> Batch:
        key = (ids[some].tobytes(), state & 1, int(grounds[state >> 2][-1]))
        batch = batches.get(key)
        if batch is None:
            batch = _batch([now.packed[k] for k in texts[some].tolist()], bool(state & 1))
        else:
            batch.version = 0
        now.batches[key] = batch
        if not state & 1:
            batch.origin, batch.unit = places.origin_of(grounds[state >> 2])
        return batch

    table = scene.world[Text]
    rows = seen.rows[texts]
    return Drawables(seen.numbers[texts], table.z[rows], seen.matrix[texts, 5], state.astype(np.int64), make)


def _batch(parts: list[Any], wide: bool) -> Batch:
    if wide:
        arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return Batch("sprites_wide", arrays, filter="linear", source="render")
    return Batch("sprites", {"instances": np.concatenate(parts)}, filter="linear", source="render")
