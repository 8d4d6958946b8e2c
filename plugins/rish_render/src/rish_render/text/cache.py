"""What is kept of texts: their fonts, glyphs and layouts, and what each view showed last."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, NamedTuple

from rish_core import Assets, Name
from rish_ecs import RishError
from rish_frame import Frame

from ..components.visible import Align, RenderSettings, Text
from .clusters import clean
from .faces import Faces
from .fonts import FontFile
from .glyphs import Glyphs
from .layout import Layout, TextStyle, lay_out
from .letters import Ink, Letters, set_letters
from .markup import Marked, Span, read_markup

if TYPE_CHECKING:
    from rish_ecs import World

    from ..materials.pictures import Pictures
    from ..scene.extraction import RenderCache

_log = logging.getLogger("rish.render")
_ALIGN = [align.value for align in Align]
_KEPT = 2048
_MAX_LETTERS = 50_000
"""Letters of one text that are shown; what is beyond can't be read on any screen."""


class Laid(NamedTuple):
    """A text that is laid out, and the colours in it."""

    layout: Layout
    spans: tuple[Span, ...]


@dataclass
class TextCache:
    """The laid out texts of a World.

    fonts: by path. laid: by all that a layout depends on. letters: by that and the size. shown: by the name of a view;
    only that is forgotten when the world is restored.
    """

    faces: Faces
    glyphs: Glyphs
    told: set[str]
    pictures: Pictures
    fonts: dict[str, FontFile] = dataclass_field(default_factory=dict[str, FontFile])
    laid: dict[Any, Laid] = dataclass_field(default_factory=dict[Any, Laid])
    letters: dict[Any, Letters] = dataclass_field(default_factory=dict[Any, Letters])
    shown: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    _stamp: int = 0

    @classmethod
    def of(cls, world: World, cache: RenderCache, pictures: Pictures) -> TextCache:
        """The cache of a world, which lives as long as its atlas."""
        language = world[RenderSettings].language if RenderSettings in world else ""
        kept = pictures.atlas.kept.get("text")
        if kept is None:
            kept = cls(Faces(language), Glyphs(pictures.atlas), cache.told, pictures)
            pictures.atlas.kept["text"] = kept
            if Assets in world:
                world[Assets].on_reload(kept.reload)
        elif kept.faces.language != language:
            kept.faces = Faces(language)
            kept.forget()
        kept.shown = cache.parts.setdefault("text", {})
        return kept

    def begin(self, frame: Frame, view: str) -> None:
        """A new round for one view; the glyphs that other views of this frame show stay."""
        for name in [name for name in self.shown if name != view and not _alive(frame, name)]:
            del self.shown[name]
        self.glyphs.begin(page for name, one in self.shown.items() if name != view for page in one.pages)

    def forget(self) -> None:
        """Set all texts again."""
        for kept in (self.fonts, self.laid, self.letters, self.shown):
            kept.clear()
        self.pictures.version += 1

    def reload(self, path: str) -> None:
        """Show a font as it is on disk now."""
        if path in self.fonts:
            self.told.discard(f"font:{path}")
            self.forget()

    def stamp(self) -> int:
        """A number that was never given before."""
        self._stamp += 1
        return self._stamp

    def layout_of(self, world: World, row: int, words: bytes) -> Laid:
        """A text as it is laid out, from the cache or now."""
        table = world[Text]
        size = float(table.size[row])
        numbers = (float(table.line_spacing[row]), float(table.wrap[row]), float(table.letter_spacing[row]))
        style = TextStyle(size, _ALIGN[table.align[row]], *numbers)
        path, marked = world.text(int(table.font[row])), bool(table.markup[row])
        key = (words, path, style, marked)
        found = self.laid.get(key)
        if found is None:
            if len(self.laid) >= _KEPT:
                self.laid.clear()
            read = self._read(world, row, words, marked)
            borders = frozenset(edge for span in read.spans for edge in (span.start, span.end))
            face = self.font(world, path)
            layout = lay_out(read.text, face, style, lambda cluster: self.faces.pick(cluster, face), borders)
            found = self.laid[key] = Laid(layout, read.spans)
        return found

    def letters_of(self, laid: Laid, pixels: int, exact: float, ink: Ink, anchor: tuple[float, float]) -> Letters:
        """A layout at a size, from the cache or set now."""
        key = (laid.layout, pixels, exact, ink, anchor)
        found = self.letters.get(key)
        if found is None or not found.touch(self.glyphs.clock):
            if len(self.letters) >= _KEPT:
                self.letters.clear()
            found = set_letters(self.glyphs, laid.layout, pixels, exact, ink, anchor, laid.spans)
            self.letters[key] = found
        return found

    def font(self, world: World, path: str) -> FontFile:
        """The font of a path; the one that comes along where it can't be loaded, reported once."""
        if not path:
            return self.faces.default
        font = self.fonts.get(path)
        if font is None:
            font = self.fonts[path] = self._load(world, path) or self.faces.default
        return font

    def _load(self, world: World, path: str) -> FontFile | None:
        try:
            loaded = world[Assets].load(path)
        except RishError as error:
            problem = str(error)
        else:
            if isinstance(loaded, FontFile):
                return loaded
            problem = f"{path} is no font, it loads as {type(loaded).__name__}"
        self._tell(f"font:{path}", logging.ERROR, problem)
        return None

    def _read(self, world: World, row: int, words: bytes, marked: bool) -> Marked:
        """A text without its markup; what is wrong with it is logged once."""
        text = words[: 4 * _MAX_LETTERS].decode(errors="replace")
        if len(words) > _MAX_LETTERS and len(text) > _MAX_LETTERS:
            text = text[:_MAX_LETTERS]
            self._tell(f"long:{row}", logging.WARNING, f"{_who(world, row)}: only {_MAX_LETTERS} letters are shown")
        text = clean(text)
        if not marked:
            return Marked(text, (), "")
        read = read_markup(text)
        if read.problem:
            self._tell(f"markup:{read.problem}", logging.WARNING, f"{_who(world, row)}: {read.problem}")
        return read

    def _tell(self, key: str, level: int, line: str) -> None:
        if key not in self.told:
            self.told.add(key)
            _log.log(level, "%s", line)


def _alive(frame: Frame, view: str) -> bool:
    """Whether a view still has a pass."""
    return any(name == view or name.startswith(f"{view}.") for name in frame.passes)


def _who(world: World, row: int) -> str:
    """A text's entity as a person would name it."""
    entity = int(world.table(Text).entities[row])
    if Name in world and world.has(entity, Name):
        return f"Text of {world.get(entity, Name).value!r} (entity {entity})"
    return f"Text of entity {entity}"
