"""The cache for texts: their fonts, glyphs and layouts, and the texts that each view showed last."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, NamedTuple

from rish_assets import AssetLibrary, AssetReader, LogOnce
from rish_core import AssetError, Name
from rish_frame import Frame
from rish_frame.paint.writing import Marked, Span, clean, read_markup

from ...components.visible import Align, RenderSettings, Text
from ...materials.material_images import CAMERA
from ...scene.notices import Notices
from .faces import Faces
from .fonts import LARGEST_IN_PARTS, FontFile
from .glyph_table import GlyphTable
from .glyphs import Glyphs
from .layout import Layout, Rich, TextStyle, lay_out, lay_out_quickly
from .letters import FrameOf, Ink, Letters, set_letters, set_line
from .lines.ascii_fast_path import QuickSetter
from .scripts import missing_line, way_to_get

if TYPE_CHECKING:
    from rish_ecs import World

    from ...drawables.extraction import Extraction, RenderCache
    from ...materials.material_images import Pictures

_log = logging.getLogger("rish.render")
_ALIGN = [align.value for align in Align]
_KEPT = 2048
_PLAIN = Ink(shadow=False, stroke=0.0, sharp=True)
_MAX_TOLD = 20
"""The most texts with missing characters that are logged; players may write any number of them."""
MAX_LETTERS = 50_000
"""The most letters of one text that are shown; no screen has room for more."""


class Laid(NamedTuple):
    """The layout of a text, its colored spans, and its characters without markup."""

    layout: Layout
    spans: tuple[Span, ...]
    text: str


@dataclass(eq=False)
class TextCache:
    """The caches for the texts of a World.

    fonts: by path, None for one that can't be used. laid: layouts, by everything that a layout depends on. letters:
    placed glyphs, by layout and size. shown: the texts of the last frame, by the name of the view; only this is cleared
    when the world is restored. painted: the paintings of the last frame, likewise. icons: the widths of images divided
    by their heights. quick: by font. version: rises when all texts must be set again. log: logs each message once.
    """

    faces: Faces
    glyphs: Glyphs
    log: LogOnce
    pictures: Pictures
    laid: dict[Any, Laid] = dataclass_field(default_factory=dict[Any, Laid])
    letters: dict[Any, Letters] = dataclass_field(default_factory=dict[Any, Letters])
    shown: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    quick: dict[str, QuickSetter] = dataclass_field(default_factory=dict[str, QuickSetter])
    painted: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    version: int = 0
    _rows: dict[Any, GlyphTable] = dataclass_field(default_factory=dict[Any, GlyphTable])
    _rows_of: int = 0
    _stamp: int = 0
    _lacking: int = 0
    _missing: set[str] = dataclass_field(default_factory=set[str])

    def __post_init__(self) -> None:
        """Make the libraries of fonts and icons."""
        self.fonts = AssetLibrary[FontFile | None](
            "font", _read_font, placeholder=lambda: None, log="rish.render", on_change=self._changed
        )
        self.icons = AssetLibrary(
            "icon", _read_ratio, placeholder=lambda: 1.0, log="rish.render", on_change=self._changed
        )

    @classmethod
    def of(cls, world: World, cache: RenderCache, pictures: Pictures) -> TextCache:
        """Return the cache of a world, which is stored with its atlas. A change of language clears it."""
        language = (world[RenderSettings].language if RenderSettings in world else "") or world[Frame].language
        texts = pictures.atlas.cache.get("text")
        if texts is None:
            texts = cls(Faces(language), Glyphs(pictures.atlas), world[Notices], pictures)
            pictures.atlas.cache["text"] = texts
        elif texts.faces.language != language:
            texts.faces = Faces(language)
            texts.forget()
        texts.shown = cache.parts.setdefault("text", {})
        texts.painted = cache.parts.setdefault("painted", {})
        return texts

    def begin(self, scene: Extraction) -> None:
        """Begin a round for one view. Glyphs that other views show in this frame are kept."""
        frame, view = scene.world[Frame], scene.view.name
        for views in (self.shown, self.painted):
            for name in [name for name in views if name != view and not _alive(frame, name)]:
                del views[name]
        others = [one for name, one in self.shown.items() if name != view]
        self.glyphs.begin(page for one in (*others, *self.painted.values()) for page in one.pages)

    def begin_painting(self) -> None:
        """Begin a round for a part of a painting. Glyphs of all texts and of all other parts are kept."""
        shown = (*self.shown.values(), *self.painted.values())
        self.glyphs.begin(page for one in shown for page in one.pages)

    def forget(self) -> None:
        """Clear all caches, so that every text is laid out again."""
        for cache in (self.laid, self.letters, self.shown, self.painted, self.quick, self._rows):
            cache.clear()
        self.version += 1
        self.pictures.version += 1

    def _changed(self, path: str) -> None:
        self.forget()

    def stamp(self) -> int:
        """Return a number that was not returned before."""
        self._stamp += 1
        return self._stamp

    def layout_of(self, world: World, row: int, words: bytes) -> Laid:
        """Return the layout of the text `words` of a row of Text, from the cache or newly made."""
        table = world[Text]
        size = float(table.size[row])
        numbers = (float(table.line_spacing[row]), float(table.wrap[row]), float(table.letter_spacing[row]))
        style = TextStyle(size, _ALIGN[table.align[row]], *numbers)
        path, marked = world.text(int(table.font[row])), bool(table.markup[row])
        key = (words, path, style, marked)
        layout = self.laid.get(key)
        if layout is None:
            drop_oldest(self.laid)
            text = words[: 4 * MAX_LETTERS].decode(errors="replace")
            layout = self.laid[key] = self.lay(world, text, path, style, marked, lambda: _who(world, row))
        return layout

    def lay(self, world: World, text: str, path: str, style: TextStyle, marked: bool, who: Callable[[], str]) -> Laid:
        """Return the layout of a text. path: of its font. who: names the text in messages."""
        face = self.font(world, path)
        plain = not marked or "[" not in text
        if plain:
            quick = self.quick.get(path)
            if quick is None:
                quick = self.quick[path] = QuickSetter(face, lambda cluster: self.faces.pick(cluster, face))
            layout = lay_out_quickly(text, quick, style)
            if layout is not None:
                if quick.lacking:
                    self._tell_missing(layout, who)
                return Laid(layout, (), text)
        return self.lay_in_full(world, text, path, style, marked, who)

    def lay_in_full(
        self, world: World, text: str, path: str, style: TextStyle, marked: bool, who: Callable[[], str]
    ) -> Laid:
        """Return the layout of a text, with its rows and measures."""
        read = self._read(text, marked, who)
        borders = frozenset(edge for span in read.spans for edge in (span.start, span.end))
        face = self.font(world, path)
        rich = None
        if read.sizes or read.icons:
            rich = Rich(read.sizes, read.icons, lambda image: self._ratio(world, image))
        layout = lay_out(read.text, face, style, lambda cluster: self.faces.pick(cluster, face), borders, rich)
        self._tell_missing(layout, who)
        return Laid(layout, read.spans, read.text)

    def letters_of(
        self, world: World, laid: Laid, pixels: int, exact: float, ink: Ink, anchor: tuple[float, float]
    ) -> Letters:
        """Return the glyphs of a layout at a size, from the cache or newly placed."""
        key = (laid.layout, pixels, exact, ink, anchor)
        letters = self.letters.get(key)
        if letters is None or not letters.touch(self.glyphs.clock):
            drop_oldest(self.letters)
            quick = laid.layout.quick
            if quick is not None and ink == _PLAIN and pixels <= LARGEST_IN_PARTS:
                letters = set_line(self.glyphs, self.glyph_rows(quick, pixels), quick, laid.layout, exact, anchor)
            else:
                frames = self.frames(world)
                letters = set_letters(self.glyphs, laid.layout, pixels, exact, ink, anchor, laid.spans, frames)
            self.letters[key] = letters
        return letters

    def glyph_rows(self, setter: QuickSetter, pixels: int) -> GlyphTable:
        """Return the table of the glyphs of a quick setter at a size; it is empty after glyphs were removed."""
        if self._rows_of != self.glyphs.forgotten:
            self._rows_of = self.glyphs.forgotten
            self._rows.clear()
        table = self._rows.get((setter, pixels))
        if table is None:
            table = self._rows[setter, pixels] = GlyphTable(pixels)
        return table

    def frames(self, world: World) -> FrameOf:
        """Return the function that returns the frames of icons."""
        return lambda image: self.pictures.frame_of(world, image)[0]

    def font(self, world: World, path: str) -> FontFile:
        """Return the font of a path. If it can't be loaded, logs that once and returns the default font."""
        return (self.fonts.get(world, path) if path else None) or self.faces.default

    def _ratio(self, world: World, image: str) -> float:
        """Return the width of an icon divided by its height."""
        return 1.0 if not image or image.startswith(CAMERA) else self.icons.get(world, image)

    def _read(self, text: str, marked: bool, who: Callable[[], str]) -> Marked:
        """Return a text without its markup. Markup errors and texts that are too long are logged once."""
        if len(text) > MAX_LETTERS:
            text = text[:MAX_LETTERS]
            line = f"{who()}: the text is too long, only the first {MAX_LETTERS} letters are shown"
            self.log(line)
        text = clean(text)
        if not marked:
            return Marked(text, (), "")
        read = read_markup(text)
        if read.problem:
            self.log(f"{who()}: {read.problem}", key=f"markup:{read.problem}")
        return read

    def _tell_missing(self, layout: Layout, who: Callable[[], str]) -> None:
        """Log the characters of a text that no font has, each character once for all texts."""
        pieces = layout.pieces
        if layout.quick is not None:
            pieces = [pieces[number] for number in layout.which.tolist()]
        missing = [piece.cluster[0] for piece in pieces if piece.face is None]
        if not missing:
            return
        fresh = [character for character in dict.fromkeys(missing) if character not in self._missing]
        self._missing.update(fresh)
        self._lacking += bool(fresh)
        if fresh and self._lacking <= _MAX_TOLD:
            last = "; further ones are not reported" if self._lacking == _MAX_TOLD else ""
            line = f"{missing_line(fresh, self.faces.language)}; boxes are drawn instead{last}"
            _log.warning("%s: %s. To fix it: %s", who(), line, way_to_get(fresh))


def drop_oldest(cache: dict[Any, Any], most: int = _KEPT) -> None:
    """Remove the older half of a cache that is full."""
    if len(cache) >= most:
        for key in list(itertools.islice(cache, most // 2)):
            del cache[key]


def _read_font(path: str, read: AssetReader) -> FontFile:
    font = read()
    if not isinstance(font, FontFile):
        raise AssetError(f"{path} is not a font file, it loads as {type(font).__name__}")
    return font


def _read_ratio(path: str, read: AssetReader) -> float:
    """Return the width of an image divided by its height."""
    height, width = read().shape[:2]
    return width / max(height, 1)


def _alive(frame: Frame, view: str) -> bool:
    """Return True if a view has a pass in this frame."""
    return any(name == view or name.startswith(f"{view}.") for name in frame.passes)


def _who(world: World, row: int) -> str:
    """Return the name of a text's entity for log messages."""
    entity = int(world.table(Text).entities[row])
    if Name in world and world.has(entity, Name):
        return f"Text of {world.get(entity, Name).value!r} (entity {entity})"
    return f"Text of entity {entity}"
