"""Converts texts into batches: each letter is a sprite of sixteen bytes, cut from the atlas.

A text is laid out when it first appears, its letters are placed when it first appears at a size, and its sprites are
packed when any of its values change; those of the others stay where they are. An upright text is
moved to whole pixels, so that its letters are as sharp as the font's designer drew them; fixed-point numbers in units
of a pixel then hold the positions exactly. A batch stays the same object while it has the same texts, and names the
sprites that changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import INSTANCE, Batch, Frame, Patch
from rish_jit import Array

from ....components.visible import Text
from ....drawables.drawables import Drawables, among, same
from ....drawables.former_batches import next_version
from ..cache import TextCache
from .kernels import GROUND
from .placing import Ground, origin_of
from .shown import ShownTexts, indices_of, ranges_of

if TYPE_CHECKING:
    from ....drawables.extraction import Extraction

_BatchKey = tuple[bytes, bool, Ground]


@dataclass
class TextView:
    """The texts of one view, and what was made of them.

    batches: by their texts, whether they are wide, and the cell.
    """

    shown: ShownTexts = field(default_factory=ShownTexts)
    things: list[Drawables] = field(default_factory=list[Drawables])
    batches: dict[_BatchKey, Batch] = field(default_factory=dict[_BatchKey, Batch])
    culled: int = 0

    @property
    def pages(self) -> set[Any]:
        """The glyph pages that the shown texts use."""
        return self.shown.pages


def extract_text(scene: Extraction) -> list[Drawables]:
    """Return the drawables of all visible texts, one row a text."""
    seen = scene.visible(Text)
    if not len(seen.rows):
        return []
    cache = TextCache.of(scene.world, scene.cache, scene.pictures)
    forgotten = cache.glyphs.forgotten
    view = cache.shown.setdefault(scene.view.name, TextView())
    if view.shown.update(scene, seen, cache):
        if cache.glyphs.forgotten != forgotten:
            scene.pictures.version += 1  # cached data of other views may use frames that now mean another glyph
        last, view.things = view.things, _drawables(scene, view)
        for things, before in zip(view.things, last, strict=False):
            things.reuse_order(before)
    scene.world[Frame].culled += view.culled
    return view.things


def _drawables(scene: Extraction, view: TextView) -> list[Drawables]:
    """Return one drawable per text."""
    shown, seen = view.shown, view.shown.seen
    texts = shown.shown.nonzero()[0]
    view.culled = int(np.count_nonzero(shown.inked)) - len(texts)
    last, view.batches = view.batches, {}
    if not len(texts) or seen is None:
        return []
    grounds, ground = _distinct(shown.places[texts, GROUND:])
    state = ground * 2
    if shown.wide:
        state[among(texts, np.array([*shown.wide]))] += 1

    def make(some: Array | slice, state: int) -> Batch:
        mine, wide, cell = texts[some], bool(state & 1), grounds[state >> 1]
        key = mine.tobytes(), wide, cell
        batch = view.batches[key] = _renewed(shown, mine, wide, last.get(key))
        if not wide:
            batch.origin, batch.unit = origin_of(scene, cell)
        return batch

    table, rows = scene.world[Text], shown.rows[texts]
    return [Drawables(seen.numbers[texts], table.z[rows], seen.matrix[texts, 5], state, make)]


def _distinct(rows: Array) -> tuple[list[Ground], Array]:
    """Return the distinct rows, and for each row its index among them; most often all are equal."""
    if not np.count_nonzero(rows != rows[0]):
        return [tuple(rows[0].tolist())], np.zeros(len(rows), np.int64)
    indices: dict[Ground, int] = {}
    inverse = [indices.setdefault(row, len(indices)) for row in map(tuple, rows.tolist())]
    return [*indices], np.array(inverse, np.int64)


def _renewed(shown: ShownTexts, texts: Array, wide: bool, batch: Batch | None) -> Batch:
    """Return the batch of some texts. batch: that of the same texts in the last frame, which is used again."""
    fresh = among(texts, shown.packed)
    if batch is not None and not np.count_nonzero(fresh):
        batch.version = batch.version or 0
        return batch
    if wide:
        parts = [shown.wide[k] for k in texts.tolist()]
        arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        return Batch("sprites_wide", arrays, filter="linear", source="render")
    starts, counts = shown.starts[texts], shown.counts[texts]
    ends = starts + counts
    if same(starts[1:], ends[:-1]):
        sprites = shown.sprites[starts[0] : ends[-1]]
        starts = starts - starts[0]
    else:
        starts = np.cumsum(counts) - counts
        sprites = shown.sprites[indices_of(shown.starts[texts], counts)]
    instances = sprites.reshape(-1).view(INSTANCE)
    if batch is None:
        return Batch("sprites", {"instances": instances}, filter="linear", source="render")
    ranges = ranges_of(starts[fresh], counts[fresh])
    if shown.resized:
        ranges = [(ranges[0][0], len(instances))]
    batch.patch = Patch(batch.arrays["instances"], ranges)
    batch.arrays, batch.count, batch.version = {"instances": instances}, len(instances), next_version()
    return batch
