"""The texts that a view shows, from frame to frame: what did not change keeps its place and its sprites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Inputs
from rish_jit import Array

from ....components.visible import Text
from ....drawables.drawables import among, same
from ....materials.material_images import Pictures
from ..cache import Laid, TextCache
from ..glyphs import GlyphPage
from ..letters import Ink, Letters
from .kernels import (
    ANCHOR,
    EXACT,
    KNOWN,
    OUTLINE_ALPHA,
    OUTLINE_WIDTH,
    PIXELS,
    PLACE,
    SHADOW_ALPHA,
    SHARP,
    SIZE,
    VIEW,
    pack_letters,
    place_texts,
    read_texts,
)
from .placing import parallelograms, views_of

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_ecs.derivations import InputChanges

    from ....drawables.extraction import Extraction, Seen

_FORM = ("font", "size", "align", "line_spacing", "wrap", "letter_spacing", "markup")
_LOOK = ("anchor", "outline_width", "color", "outline", "shadow", "shadow_offset", "opacity")
_PLACING = ("size", "anchor", "outline_width", "shadow_offset")
_COLORS = ("color", "outline", "shadow", "shadow_offset", "opacity")
_STROKES = 4  # outline widths are rounded to 1 / _STROKES of a pixel
_SPRITES, _LAYOUT = 1, 2  # what `stale` says, see `read_texts`
_WORDS = 4  # uint32 numbers of a sprite
_NONE: Array = np.zeros(0, np.int64)
_NO_BYTES: Array = np.zeros(0, np.uint8)


class ShownTexts:
    """The texts of one view, n of them.

    rows: of the Text table. words: the encoded texts. laid: their layouts. letters: their glyphs; None of a text that
    was not visible when it changed. known, places: float64 (n, KNOWN) and (n, PLACE), see `read_texts` and
    `place_texts`. block, inked: the size of its block in ems, and whether anything is in it. shown: bool n, whether it
    touches the view and anything is in it. stale: uint8 n, what is out of date. starts, counts: its rows of `sprites`,
    uint32 (m, 4), INSTANCE. wide: the arrays of `sprites_wide` of texts that these can't hold. packed: the texts that
    the last update packed. resized: whether others have other rows of `sprites` since.
    """

    def __init__(self) -> None:
        self.rows = self.packed = _NONE
        self.resized = False
        self.seen: Seen | None = None
        self.words: list[bytes] = []
        self.laid: list[Laid | None] = []
        self.letters: list[Letters | None] = []
        self.wide: dict[int, dict[str, Array]] = {}
        self.sprites: Array = np.zeros((0, _WORDS), np.uint32)
        self.starts = self.counts = _NONE
        self.block: Array = np.zeros((0, 2), np.float32)
        self.inked = self.shown = np.zeros(0, np.bool_)
        self.stale: Array = np.zeros(0, np.uint8)
        self.known: Array = np.zeros((0, KNOWN))
        self.places: Array = np.zeros((0, PLACE))
        self._inputs = Inputs((Text, Pictures))
        self._area: Any = None
        self._views: Array = _NONE
        self._counted: Counter[tuple[GlyphPage, int]] = Counter()

    @property
    def pages(self) -> set[GlyphPage]:
        """The glyph pages that the shown texts use."""
        return {page for page, _ in self._counted}

    def update(self, scene: Extraction, seen: Seen, cache: TextCache) -> bool:
        """Pack the texts that changed; return whether anything may look different."""
        area, changes = (scene.stack, scene.view, scene.flat), self._inputs.take(scene.world)
        last, same_area = self.seen, area == self._area
        if changes is None and same_area and seen.equals(last):
            return False
        cache.begin(scene)
        written, same_rows = self._written(scene.world, seen, changes), last is not None and same(last.rows, seen.rows)
        if len(written):
            self._read(scene.world, written, cache)
        self._touch_pages(cache)
        if not same_area:
            self._area, self._views = area, views_of(scene)
        self.seen = seen
        which = np.arange(len(self.rows))
        if last is not None and same_area and same_rows:
            moved = (seen.matrix != last.matrix).any(axis=1) | (seen.numbers != last.numbers)
            moved[written] = True
            which = moved.nonzero()[0]
        self._place(scene, which)
        self._pack(scene, cache)
        return True

    def _written(self, world: World, seen: Seen, changes: InputChanges | None) -> Array:
        """Take over the visible rows; return those that are new, or may have been written, as indices."""
        written = np.zeros(len(seen.rows), np.bool_)
        if not same(self.rows, seen.rows):
            before = _before(self.rows, seen.rows, len(world.table(Text)))
            self._take(seen.rows.copy(), before)
            written = before < 0
        if changes is not None:
            change = changes[Text]
            if change.all:
                return np.arange(len(self.rows))
            if len(change.rows):
                written |= among(self.rows, change.rows)
        return written.nonzero()[0]

    def _take(self, rows: Array, before: Array) -> None:
        """Take over other rows. before: for each of them its index so far, -1 for a new one."""
        staying = (before >= 0).nonzero()[0]
        index = before[staying]

        def moved(values: Array, fill: Any) -> Array:
            result = np.full((len(rows), *values.shape[1:]), fill, values.dtype)
            result[staying] = values[index]
            return result

        left = np.ones(len(self.rows), np.bool_)
        left[index] = False
        for k in left.nonzero()[0].tolist():
            self._count(self.letters[k], -1)
        sources = before.tolist()
        self.words = [self.words[k] if k >= 0 else b"" for k in sources]
        self.laid = [self.laid[k] if k >= 0 else None for k in sources]
        self.letters = [self.letters[k] if k >= 0 else None for k in sources]
        self.wide = {number: self.wide[k] for number, k in enumerate(sources) if k in self.wide}
        self.known, self.places = moved(self.known, np.nan), moved(self.places, np.nan)
        self.block, self.inked, self.shown = moved(self.block, 0), moved(self.inked, False), moved(self.shown, False)
        self.stale = moved(self.stale, _SPRITES | _LAYOUT)
        self.starts, self.counts = moved(self.starts, 0), moved(self.counts, 0)
        self.sprites = self.sprites[indices_of(self.starts, self.counts)]
        self.starts = np.cumsum(self.counts) - self.counts
        self.rows = rows

    def _read(self, world: World, which: Array, cache: TextCache) -> None:
        """Compare the values of some texts with the known ones, and lay out those whose words or form changed."""
        table = world.table(Text)
        columns = tuple(map(table.flat, _FORM)), tuple(map(table.flat, _LOOK))
        read_texts(which, self.rows, columns, self.known.reshape(-1), self.stale)
        items, spans = table.pool_of("text").items, table.column("text")
        for k, row, stale in zip(which.tolist(), self.rows[which].tolist(), self.stale[which].tolist(), strict=True):
            first, length = spans[row].tolist()
            words = items[first : first + length].tobytes()
            if not stale & _LAYOUT and words == self.words[k]:
                continue
            laid = cache.layout_of(world, row, words)
            self.words[k], self.laid[k], self.stale[k] = words, laid, _SPRITES
            self.block[k] = laid.layout.width, laid.layout.height
            self.inked[k] = len(laid.layout.x) > 0 or bool(laid.layout.icons)

    def _touch_pages(self, cache: TextCache) -> None:
        """Keep the glyphs in the atlas; texts whose glyphs were removed are out of date."""
        clock = cache.glyphs.clock
        if all(page.age == age for page, age in self._counted):
            for page, _ in self._counted:
                page.used = clock
            return
        for k, letters in enumerate(self.letters):
            if letters is not None and not letters.touch(clock):
                self.stale[k] |= _SPRITES

    def _place(self, scene: Extraction, which: Array) -> None:
        """Place some texts in the view."""
        table, seen = scene.world.table(Text), self.seen
        if not len(which) or seen is None:
            return
        place_texts(
            which, self.rows, (seen.matrix.reshape(-1), seen.numbers), tuple(map(table.flat, _PLACING)),
            (scene.stack.screen, scene.stack.parallax), self._views,
            (self.block.reshape(-1), self.inked, self.places.reshape(-1), self.shown, self.stale),
        )  # fmt: skip

    def _pack(self, scene: Extraction, cache: TextCache) -> None:
        """Pack the visible texts that are out of date."""
        some = ((self.stale != 0) & (self.shown | (self.counts > 0))).nonzero()[0]
        which = some[self.shown[some]]
        counts = np.zeros(len(some), np.int64)
        for number, (k, shown) in enumerate(zip(some.tolist(), self.shown[some].tolist(), strict=True)):
            before, letters = self.letters[k], self._letters(scene.world, k, cache) if shown else None
            if letters is not before:
                self._count(before, -1)
                self._count(letters, 1)
                self.letters[k] = letters
            self.wide.pop(k, None)
            counts[number] = 0 if letters is None else len(letters.frames)
        self.packed, self.resized = which, self._make_room(some, counts)
        self.stale[which] = 0
        table, seen = scene.world.table(Text), self.seen
        if not len(which) or seen is None:
            return
        columns, matrix, places, out = (
            tuple(map(table.flat, _COLORS)), seen.matrix.reshape(-1), self.places.reshape(-1), self.sprites.reshape(-1)
        )  # fmt: skip
        for k, row, first in zip(which.tolist(), self.rows[which].tolist(), self.starts[which].tolist(), strict=True):
            letters: Any = self.letters[k]
            if not pack_letters(k, row, letters[:4], matrix, columns, self._views, places, first, out):
                rgba = self.sprites[first : first + len(letters.frames), 3].copy().view(np.uint8).reshape(-1, 4)
                fall = table.column("shadow_offset")[row]
                self.wide[k] = parallelograms(scene, self.places[k], seen.matrix[k], fall, letters, rgba)

    def _letters(self, world: World, k: int, cache: TextCache) -> Letters:
        """Return the letters of a text at its size."""
        known, place, laid = self.known[k].tolist(), self.places[k].tolist(), self.laid[k]
        assert laid is not None
        exact = place[EXACT]
        outline = known[OUTLINE_WIDTH] if known[OUTLINE_ALPHA] > 0 else 0.0
        stroke = max(round(outline * exact / known[SIZE] * _STROKES) / _STROKES, 0.5) if outline > 0 else 0.0
        ink = Ink(known[SHADOW_ALPHA] > 0, stroke, place[SHARP] != 0)
        return cache.letters_of(world, laid, int(place[PIXELS]), exact, ink, (known[ANCHOR], known[ANCHOR + 1]))

    def _count(self, letters: Letters | None, number: int) -> None:
        """Count the pages of letters that came, or that left."""
        for page in () if letters is None else letters.pages:
            self._counted[page] += number
            if not self._counted[page]:
                del self._counted[page]

    def _make_room(self, which: Array, counts: Array) -> bool:
        """Give some texts other numbers of sprites; return whether others were moved. which: ascending."""
        starts, before = self.starts[which], self.counts[which]
        if same(before, counts):
            return False
        sprites = np.empty((len(self.sprites) + int(counts.sum() - before.sum()), _WORDS), np.uint32)
        source = target = 0
        for start, gone, come in zip(starts.tolist(), before.tolist(), counts.tolist(), strict=True):
            between = start - source
            sprites[target : target + between] = self.sprites[source:start]
            source, target = start + gone, target + between + come
        sprites[target:] = self.sprites[source:]
        self.sprites, self.counts[which] = sprites, counts
        self.starts = np.cumsum(self.counts) - self.counts
        return True


def _before(rows: Array, now: Array, count: int) -> Array:
    """Return for each row now its index among other rows, -1 if it is not among them. count: of rows of the table."""
    if not len(rows):
        return np.full(len(now), -1)
    where = np.full(max(count, int(rows.max()) + 1), -1)
    where[rows] = np.arange(len(rows))
    return where[now]


def indices_of(starts: Array, counts: Array) -> Array:
    """Return the indices of ranges, one after another."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - counts), counts)


def ranges_of(starts: Array, counts: Array) -> Sequence[tuple[int, int]]:
    """Return ranges of rows, each with its first row and the one after its last."""
    return list(zip(starts.tolist(), (starts + counts).tolist(), strict=True))


def warm_up(world: World) -> None:
    """Call the kernels with no texts, and with a text without letters."""
    table, rows, seen = world.table(Text), np.zeros(0, np.int32), (np.zeros(0, np.float32), _NONE)
    read_texts(_NONE, rows, (tuple(map(table.flat, _FORM)), tuple(map(table.flat, _LOOK))), np.zeros(0), _NO_BYTES)
    flags, views = np.zeros(0, np.bool_), np.ones(2 * VIEW)
    texts = np.zeros(0, np.float32), flags, np.zeros(0), flags, _NO_BYTES
    layers = flags, np.zeros((0, 2), np.float32)
    place_texts(_NONE, rows, seen, tuple(map(table.flat, _PLACING)), layers, views, texts)
    one: Array = np.ones(6, np.float32)
    letters = np.zeros((0, 4), np.float32), np.zeros(0, np.uint16), _NO_BYTES, np.zeros((0, 4), np.uint8)
    pack_letters(0, 0, letters, one, (one, one, one, one, one), views, np.ones(PLACE), 0, np.zeros(0, np.uint32))
