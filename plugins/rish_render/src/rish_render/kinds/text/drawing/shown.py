"""The texts that a view showed in the last frame; what did not change is carried over to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Inputs
from rish_frame import INSTANCE, Batch
from rish_jit import Array

from ....components.visible import Text
from ....drawables.drawables import among, same
from ..cache import TextCache
from ..glyphs import GlyphPage
from .placing import Places, pack

if TYPE_CHECKING:
    from rish_ecs import World

    from ....drawables.extraction import Extraction, Seen

_LAYOUT = ("font", "size", "align", "line_spacing", "wrap", "letter_spacing", "markup")
_LOOK = ("anchor", "outline_width", "color", "outline", "shadow", "shadow_offset", "opacity")
_COLUMNS: dict[str, tuple[Any, int, Any]] = {
    "words": (object, 0, b""), "laid": (object, 0, None), "letters": (object, 0, None), "block": (np.float32, 2, 0),
    "inked": (np.bool_, 0, False), "starts": (np.int64, 0, 0), "counts": (np.int64, 0, 0),
    "wide": (np.bool_, 0, False), "parallelograms": (object, 0, None), "ids": (np.int64, 0, -1),
    "changed": (np.int64, 0, 0),
}  # fmt: skip
"""The columns of `Shown`: type, width (0 for one value), and the value of a new text."""


class Shown:
    """The texts that one view shows, n of them.

    rows: of the Text table. before: the index of each text in the last frame, -1 for a new one. form: float32 (n, ...),
    the values besides the words that the layouts depend on. look: float64 (n, ...), the values that the sprites depend
    on. words, laid, letters: the encoded text, the layout and the glyphs of each text; None if
    it was not visible. block, inked: the size of its block in ems, and whether anything is in it. starts, counts: its
    rows of `sprites`, INSTANCE, or `parallelograms`: arrays of `sprites_wide`, if it is `wide`. ids: a number unique to
    these sprites; -1 for none. changed: the round of the last change. counted: how many texts use a page of an age.
    batches: by ids. inputs: what was seen of the Text table. places: of all texts.
    """

    words: Array
    laid: Array
    letters: Array
    block: Array
    inked: Array
    starts: Array
    counts: Array
    wide: Array
    parallelograms: Array
    ids: Array
    changed: Array

    def __init__(self, world: World, rows: Array, places: Places, last: Shown | None) -> None:
        self.rows, self.places, n = rows, places, len(rows)
        self.inputs = Inputs((Text,)) if last is None else last.inputs
        if last is not None and same(rows, last.rows):
            self.before = np.arange(n)
            for name in (*_COLUMNS, "form", "look"):  # the last frame needs them no longer, but for its letters
                setattr(self, name, getattr(last, name))
            self.letters = last.letters.copy()
        else:
            self._take(world, last)
        self.sprites: Array = np.zeros(0, INSTANCE) if last is None else last.sprites
        self.counted: Counter[tuple[GlyphPage, int]] = Counter() if last is None else last.counted.copy()
        self.batches: dict[Any, Batch] = {}

    def _take(self, world: World, last: Shown | None) -> None:
        """Take the values of the texts that the last frame showed; those of the others are set to their defaults."""
        rows, n = self.rows, len(self.rows)
        self.before = _before(rows, last, len(world.table(Text)))
        staying = (self.before >= 0).nonzero()[0]
        old = self.before[staying]
        for name, (dtype, width, value) in _COLUMNS.items():
            column = np.full((n, width) if width else n, value, dtype)
            if last is not None:
                column[staying] = getattr(last, name)[old]
            setattr(self, name, column)
        self.form, self.look = (
            _values(world, rows) if last is None else (last.form[self.before], last.look[self.before])
        )

    @property
    def pages(self) -> set[GlyphPage]:
        """The glyph pages that the shown texts use."""
        return {page for page, _ in self.counted}

    def sprites_of(self, texts: Array) -> Array:
        """Return the sprites of some texts, in their order; a part of `sprites` if they lie beside each other."""
        starts, counts = self.starts[texts], self.counts[texts]
        ends = starts + counts
        if (starts[1:] == ends[:-1]).all():
            return self.sprites[starts[0] : ends[-1]]
        return self.sprites[_indices(starts, counts)]


def begin(scene: Extraction, seen: Seen, places: Places, last: Shown | None, cache: TextCache) -> Shown:
    """Return this round's texts with their layouts, and the letters and sprites of the last round that still hold.

    Only texts whose rows were written since are compared.
    """
    world, clock = scene.world, cache.glyphs.clock
    now = Shown(world, seen.rows.copy(), places, last)
    changes, new = now.inputs.take(world), now.before < 0
    written = new
    if changes is not None and changes[Text].all:
        written = np.ones_like(new)
    elif changes is not None and len(changes[Text].rows):
        written = new | among(now.rows, changes[Text].rows)
    formed, same = _compare(world, now, written.nonzero()[0])
    if last is not None and places is not last.places:
        same &= (places.key == last.places.key[now.before]).all(axis=1)
    for k in (~formed).nonzero()[0].tolist():
        laid = now.laid[k] = cache.layout_of(world, int(now.rows[k]), now.words[k])
        now.block[k] = laid.layout.width, laid.layout.height
        now.inked[k] = len(laid.layout.x) > 0 or bool(laid.layout.icons)
    same &= formed & ~new
    if all(page.age == age for page, age in now.counted):
        for page, _ in now.counted:
            page.used = clock
    else:
        same &= [one is None or one.touch(clock) for one in now.letters]
    now.ids[~same], now.changed[~same] = -1, clock
    return now


def _before(rows: Array, last: Shown | None, count: int) -> Array:
    """Return for each text its index in the last frame, -1 if it was not shown. count: of rows of the table."""
    if last is None or not len(last.rows):
        return np.full(len(rows), -1)
    where = np.full(max(count, int(last.rows.max()) + 1), -1)
    where[last.rows] = np.arange(len(last.rows))
    return where[rows]


def _values(world: World, rows: Array) -> tuple[Array, Array]:
    """Return the values of rows that layouts depend on, and those that sprites depend on."""
    table = world.table(Text)

    def side_by_side(names: Sequence[str], dtype: Any) -> Array:
        columns = [table.column(name) for name in names]
        ends = [*accumulate(1 if column.ndim == 1 else column.shape[1] for column in columns)]
        values = np.empty((len(rows), ends[-1]), dtype)
        for column, end in zip(columns, ends, strict=True):
            if column.ndim == 1:
                values[:, end - 1] = column[rows]
            else:
                values[:, end - column.shape[1] : end] = column[rows]
        return values

    return side_by_side(_LAYOUT, np.float32), side_by_side(_LOOK, np.float64)


def _compare(world: World, now: Shown, some: Array) -> tuple[Array, Array]:
    """Store the values of some texts; return for all whether their layouts, and whether their looks are as before."""
    formed, same = np.ones(len(now.rows), np.bool_), np.ones(len(now.rows), np.bool_)
    if not len(some):
        return formed, same
    rows = now.rows[some]
    spans = world[Text].text.spans[rows]
    ends = np.cumsum(spans[:, 1]).tolist()
    data = world.table(Text).pool_of("text").gather(spans).tobytes()
    words = np.empty(len(some), object)
    words[:] = [data[end - length : end] for end, length in zip(ends, spans[:, 1].tolist(), strict=True)]
    form, look = _values(world, rows)
    formed[some] = (now.form[some] == form).all(axis=1) & (now.words[some] == words) & (now.before[some] >= 0)
    same[some] = (now.look[some] == look).all(axis=1)
    now.form[some], now.look[some], now.words[some] = form, look, words
    return formed, same


def pack_shown(
    scene: Extraction, seen: Seen, places: Places, now: Shown, shown: Array, last: Shown | None, cache: TextCache
) -> None:
    """Pack the visible texts whose sprites are out of date, and put them among those of the others."""
    stale = (shown & (now.ids < 0)).nonzero()[0]
    _count_pages(now, last, stale)
    hidden = ~shown & (now.ids < 0)
    now.counts[hidden], now.letters[hidden] = 0, None
    if not len(stale):
        return
    counts, wide, packed = pack(scene.world[Text], seen, places, stale, now.letters[stale].tolist())
    now.parallelograms[stale], now.wide[stale] = None, False
    for k, arrays in wide.items():
        now.parallelograms[k], now.wide[k] = arrays, True
    now.starts[stale] = len(now.sprites) + np.cumsum(counts) - counts
    now.counts[stale] = np.where(now.wide[stale], 0, counts)
    now.ids[stale] = [cache.stamp() for _ in stale]
    both = [each.view(np.int64) for each in (now.sprites, packed)]  # 20 times as fast as by fields
    now.sprites = np.concatenate(both).view(INSTANCE)[_indices(now.starts, now.counts)]
    now.starts = np.cumsum(now.counts) - now.counts


def _count_pages(now: Shown, last: Shown | None, stale: Array) -> None:
    """Count the pages of the letters that came, and no longer those of the letters that left."""
    if last is not None:
        left = np.ones(len(last.rows), np.bool_)
        left[now.before[(now.before >= 0) & (now.ids >= 0)]] = False
        now.counted.subtract(page for one in last.letters[left] if one is not None for page in one.pages)
    now.counted.update(page for one in now.letters[stale] for page in one.pages)
    now.counted += Counter()  # without those that nothing uses


def _indices(starts: Array, counts: Array) -> Array:
    """Return the indices of ranges, one after another."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - counts), counts)
