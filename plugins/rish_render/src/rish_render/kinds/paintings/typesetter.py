"""The typesetter of the renderer: sets texts for paintings with the fonts and rules of the component `Text`."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Caret, Frame, Icon, PerVersion, TextLook

from ...drawables.extraction import RenderCache
from ...materials.material_images import Pictures
from ..text.cache import MAX_LETTERS, Laid, TextCache, drop_oldest
from ..text.layout import MIDDLE, TextStyle
from .carets import Carets

if TYPE_CHECKING:
    from rish_ecs import World

_SHOWN = 40
"""The most letters of a text that a message quotes."""
_ALIGNS = ("left", "center", "right", "justify")


class SetText:
    """A text that was set, see `rish_frame.Typeset`. ready: its letters at the sizes at which they were drawn."""

    def __init__(self, world: World, cache: TextCache, source: str, look: TextLook) -> None:
        self.source, self.look = source, look
        self._world, self._cache = world, cache
        self.laid = cache.lay(world, source, look.font, _style_of(look), look.markup, self._quoted)
        self.text = self.laid.text
        self.ready: dict[Any, Any] = {}

    def _quoted(self) -> str:
        """Return the beginning of the text for messages."""
        text = self.source
        return f"the text {text if len(text) <= _SHOWN else text[: _SHOWN - 3] + '...'!r}"

    @property
    def width(self) -> float:
        """The width of the widest line."""
        return self.laid.layout.longest * self.look.size

    @property
    def height(self) -> float:
        """The height of the block."""
        return self.laid.layout.height * self.look.size

    @property
    def narrowest(self) -> float:
        """The width of the widest part that can't be broken."""
        return self._narrowest

    @cached_property
    def _narrowest(self) -> float:
        widest = self.laid.layout.narrowest
        for measure in self.laid.layout.measures:
            ends = np.flatnonzero(measure.may_end)
            starts = np.concatenate([[0], ends + 1])
            right = np.maximum.accumulate(np.where(measure.space, -np.inf, measure.right))
            last = np.concatenate([ends, [len(right) - 1]])
            widest = max(widest, float((right[last] - measure.left[starts]).max()))
        return widest * self.look.size

    @property
    def baseline(self) -> float:
        """The distance from the top to the baseline of the first line."""
        return self.laid.layout.baseline * self.look.size

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.laid.layout.lines

    @property
    def icons(self) -> Sequence[Icon]:
        """The images inside the text."""
        return self._icons

    @cached_property
    def _icons(self) -> list[Icon]:
        layout, size = self.laid.layout, self.look.size
        icons: list[Icon] = []
        for icon in layout.icons:
            top = float(layout.baselines[icon.line]) - MIDDLE - icon.height / 2
            icons.append(Icon(icon.image, icon.x * size, top * size, icon.width * size, icon.height * size))
        return icons

    @cached_property
    def _carets(self) -> Carets:
        quick = self.laid.layout.quick is not None
        return Carets((self._in_full() if quick else self.laid).layout, self.text)

    def _in_full(self) -> Laid:
        """Return the layout with its rows, which a quick layout does not have."""
        style, look = _style_of(self.look), self.look
        return self._cache.lay_in_full(self._world, self.source, look.font, style, look.markup, self._quoted)

    def caret(self, index: int) -> Caret:
        """Return the place before the character `index` of `text`."""
        line, x = self._carets.place(index)
        top, height = self._carets.box(line)
        size = self.look.size
        return Caret(x * size, top * size, height * size)

    def index_at(self, x: float, y: float) -> int:
        """Return the index whose caret is nearest to a point."""
        size = self.look.size
        return self._carets.index_at(x / size, y / size)

    def step(self, index: int, by: int) -> int:
        """Return the index that is `by` clusters after or before another one."""
        return self._carets.step(index, by)

    def selection(self, start: int, end: int) -> list[tuple[float, float, float, float]]:
        """Return the rectangles x, y, w, h that cover the characters from `start` to before `end`."""
        size = self.look.size
        return [(x * size, y * size, w * size, h * size) for x, y, w, h in self._carets.selection(start, end)]


class RenderTypesetter:
    """Sets the texts of paintings, see `rish_frame.Typesetter`."""

    cell: tuple[float, float] | None = None

    def __init__(self, world: World) -> None:
        self._world = weakref.ref(world)
        self._texts = PerVersion[dict[tuple[str, TextLook], SetText]]()

    @property
    def version(self) -> int:
        """A number that changes when all texts must be set again."""
        world = self._world()
        return -1 if world is None else cache_of(world).version

    def typeset(self, world: World, text: str, look: TextLook, /) -> SetText:
        """Set a text; the result is cached."""
        cache = cache_of(world)
        texts = self._texts.get(cache)
        if texts is None:
            texts = self._texts.put(cache, {})
        known = texts.get((text, look))
        if known is None:
            drop_oldest(texts)
            known = texts[text, look] = SetText(world, cache, text[: MAX_LETTERS + 1], look)
        return known


def _style_of(look: TextLook) -> TextStyle:
    """Return the style of a look, with the nearest values that are allowed."""
    size = look.size if look.size > 0 else 1.0
    align = look.align if look.align in _ALIGNS else "left"
    return TextStyle(size, align, look.line_spacing, look.wrap, look.letter_spacing, look.most_lines)


def cache_of(world: World) -> TextCache:
    """Return the cache for the texts of a world."""
    return TextCache.of(world, world[RenderCache], world[Pictures])


def typesetter_of(world: World) -> RenderTypesetter:
    """Return the typesetter of this package; it becomes that of the frame unless the frame has another one."""
    frame: Frame = world[Frame]
    own = frame.typesetter
    if isinstance(own, RenderTypesetter):
        return own
    typesetter = RenderTypesetter(world)
    if own is None:
        frame.typesetter = typesetter
    return typesetter
