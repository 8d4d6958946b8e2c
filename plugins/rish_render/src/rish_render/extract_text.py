"""Texts to batches: each letter a sprite, cut from the atlas.

A text is laid out when it is first seen at a size, and again only when it changes; while nothing changes, a frame costs
a few array operations for all letters together. A text that stands straight is moved to whole pixels, so that its
letters are as sharp as the font's designer drew them.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core.assets import Assets
from rish_core.errors import RishError
from rish_core.frame.batches import Batch

from .components import Align, Text
from .drawables import Drawables, rgba_bytes
from .extract import RenderCache
from .fonts import FontFile, Glyphs, part_of, quantised
from .layout import Layout, TextStyle, lay_out

if TYPE_CHECKING:
    from rish_core.ecs.world import World

    from .extract import Scene, Seen

Array = npt.NDArray[Any]

_log = logging.getLogger("rish.render")
_ALIGN = [align.value for align in Align]
_KEPT = 4096
_SHADOW, _OUTLINE, _LETTER = 0, 1, 2


class Letters(NamedTuple):
    """The glyphs of one text, in pixels at the size at which they are drawn, relative to the anchor, y up.

    boxes: float32 (n, 4) centre x, y, width, height. frames: int64 n. inks: int64 n, which of the text's colours.
    box: x0 y0 x1 y1 of the block with its outline.
    """

    boxes: Array
    frames: Array
    inks: Array
    box: tuple[float, float, float, float]


@dataclass
class TextCache:
    """What is kept of texts: fonts by path, glyphs, layouts, and last frame's letters with what they were made from."""

    fonts: dict[str, FontFile]
    glyphs: Glyphs
    layouts: dict[Any, Layout]
    letters: dict[Any, Letters]
    key: Any = None
    joined: tuple[Array, ...] = ()


def extract_text(scene: Scene, seen: Seen) -> list[Drawables]:
    """The drawables of all texts that are seen."""
    rows, matrix, numbers = seen
    table = scene.world[Text]
    cache = _cache(scene)
    density = np.sqrt(np.abs(matrix[:, 0] * matrix[:, 3] - matrix[:, 1] * matrix[:, 2])) * scene.density(numbers)
    pixels = np.array([quantised(size) for size in table.size[rows] * density], np.int64)
    boxes, frames, inks, owner, blocks = _joined(scene, cache, rows, pixels)
    scale = table.size[rows] / pixels.astype(np.float32)
    shown = _seen_blocks(scene, matrix, scale, blocks, numbers)
    if not len(owner) or not shown.any():
        return []
    origin = _snapped(scene, matrix, numbers)
    if not shown.all():
        keep = shown[owner]
        boxes, frames, inks, owner = boxes[keep], frames[keep], inks[keep], owner[keep]
    quad = _place(matrix, origin, scale, boxes, owner)
    _cast_shadows(quad, matrix, table.shadow_offset[rows], inks, owner)
    rgba = _ink_colours(table, rows)[inks, owner]
    arrays = {"matrix": quad, "frame": frames.astype(np.uint16), "rgba": rgba}

    def make(some: Array | slice, state: int) -> Batch:
        cut = {name: np.ascontiguousarray(array[some]) for name, array in arrays.items()}
        return Batch("sprites_wide", cut, filter="linear", source="render")

    z = table.z[rows][owner]
    return [Drawables(numbers[owner], z, matrix[owner, 5], np.zeros(len(owner), np.int64), make)]


def _cache(scene: Scene) -> TextCache:
    cache = scene.cache.parts.get("text")
    if cache is None or cache.glyphs.atlas is not scene.pictures.atlas:
        cache = scene.cache.parts["text"] = TextCache({}, Glyphs(scene.pictures.atlas), {}, {})
    return cache


def _joined(scene: Scene, cache: TextCache, rows: Array, pixels: Array) -> tuple[Array, ...]:
    """The letters of these texts one after another: boxes, frames, inks, owner, and the block of each text."""
    table = scene.world[Text]
    columns = [
        getattr(table, name)[rows]
        for name in ("font", "size", "align", "anchor", "line_spacing", "wrap", "outline_width")
    ]
    marks = np.stack([table.outline[rows][:, 3] > 0, table.shadow[rows][:, 3] > 0], axis=1)
    spans = table.text.spans[rows]
    content = scene.world.table(Text).pool_of("text").gather(spans)
    key = (pixels, marks, spans[:, 1], content, *columns)
    if cache.key is not None and all(np.array_equal(a, b) for a, b in zip(cache.key, key, strict=True)):
        return cache.joined
    every = [_letters(scene.world, cache, int(row), int(size)) for row, size in zip(rows, pixels, strict=True)]
    cache.key = tuple(np.array(part) for part in key)
    cache.joined = (
        np.concatenate([letters.boxes for letters in every]),
        np.concatenate([letters.frames for letters in every]),
        np.concatenate([letters.inks for letters in every]),
        np.repeat(np.arange(len(every)), [len(letters.frames) for letters in every]),
        np.array([letters.box for letters in every], np.float32),
    )
    return cache.joined


def _letters(world: World, cache: TextCache, row: int, pixels: int) -> Letters:
    """The letters of one text, from the cache or laid out now."""
    table = world[Text]
    size = float(table.size[row])
    style = TextStyle(size, pixels, _ALIGN[table.align[row]], float(table.line_spacing[row]), float(table.wrap[row]))
    outline = float(table.outline_width[row]) if table.outline[row][3] > 0 else 0.0
    stroke = max(round(outline * pixels / size), 1) if outline > 0 else 0
    shadow = bool(table.shadow[row][3] > 0)
    text, font = table.text[row], world.text(int(table.font[row]))
    ax, ay = (float(value) for value in table.anchor[row])
    key = (text, font, style, stroke, shadow, ax, ay)
    letters = cache.letters.get(key)
    if letters is None:
        if len(cache.letters) >= _KEPT:
            cache.letters.clear()
            cache.layouts.clear()
        face = _font(world, cache, font)
        layout = cache.layouts.get((text, font, style))
        if layout is None:
            layout = cache.layouts[(text, font, style)] = lay_out(text, face, style)
        letters = cache.letters[key] = _set(cache.glyphs, face, layout, pixels, stroke, shadow, (ax, ay))
    return letters


def _set(
    glyphs: Glyphs, face: FontFile, layout: Layout, pixels: int, stroke: int, shadow: bool, anchor: tuple[float, float]
) -> Letters:
    """Put glyphs at the pens of a layout: shadows first, then outlines, then the letters."""
    x0, y0 = -round(anchor[0] * layout.width), -round(anchor[1] * layout.height)
    inks = [_SHADOW] * shadow + [_OUTLINE] * bool(stroke) + [_LETTER]
    boxes: list[tuple[float, float, float, float]] = []
    frames: list[int] = []
    colours: list[int] = []
    for ink in inks:
        grown = stroke if ink != _LETTER else 0
        for character, (px, py) in zip(layout.characters, layout.pens.tolist(), strict=True):
            whole, part = part_of(pixels, px)
            glyph = glyphs.get(face, pixels, character, part, grown)
            if glyph.frame < 0:
                continue
            boxes.append((x0 + whole + glyph.x + glyph.w / 2, y0 + py + glyph.y + glyph.h / 2, glyph.w, glyph.h))
            frames.append(glyph.frame)
            colours.append(ink)
    return Letters(
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array(frames, np.int64),
        np.array(colours, np.int64),
        (x0 - stroke, y0 - stroke, x0 + layout.width + stroke, y0 + layout.height + stroke),
    )


def _font(world: World, cache: TextCache, path: str) -> FontFile:
    """The font of a path; the one that comes along where it can't be loaded, reported once."""
    font = cache.fonts.get(path)
    if font is None:
        plain = cache.fonts.get("") or cache.fonts.setdefault("", FontFile())
        font = cache.fonts[path] = (_load_font(world, path) if path else None) or plain
    return font


def _load_font(world: World, path: str) -> FontFile | None:
    """The font of a file, or None and a line in the log, once for each path."""
    try:
        loaded = world[Assets].load(path)
    except RishError as error:
        problem = str(error)
    else:
        if isinstance(loaded, FontFile):
            return loaded
        problem = f"{path} is no font, it loads as {type(loaded).__name__}"
    told: set[str] = world[RenderCache].told
    if f"font:{path}" not in told:
        told.add(f"font:{path}")
        _log.error("%s", problem)
    return None


def _seen_blocks(scene: Scene, matrix: Array, scale: Array, blocks: Array, numbers: Array) -> Array:
    """bool n: whether the blocks of texts touch what is seen; shadows may reach a block's height farther."""
    if not len(blocks):
        return np.zeros(len(matrix), np.bool_)
    centre = (blocks[:, :2] + blocks[:, 2:]) / 2 * scale[:, None]
    half = ((blocks[:, 2:] - blocks[:, :2]) / 2 + blocks[:, 3:] - blocks[:, 1:2]) * scale[:, None]
    x = matrix[:, 0] * centre[:, 0] + matrix[:, 2] * centre[:, 1] + matrix[:, 4]
    y = matrix[:, 1] * centre[:, 0] + matrix[:, 3] * centre[:, 1] + matrix[:, 5]
    reach = np.abs(matrix[:, 0:2]) * half[:, :1] + np.abs(matrix[:, 2:4]) * half[:, 1:]
    return scene.seen(np.stack([x, y], axis=1), reach, numbers)


def _snapped(scene: Scene, matrix: Array, numbers: Array) -> Array:
    """Where texts stand, float32 (n, 2): on whole pixels where text and camera are not turned."""
    origin = matrix[:, 4:].astype(np.float64)
    straight = (matrix[:, 1] == 0) & (matrix[:, 2] == 0)
    screen = scene.stack.screen[numbers]
    for view, mine in ((scene.flat, screen), (scene.view, ~screen)):
        chosen = straight & mine
        if view.rotation == 0 and chosen.any():
            pixel = np.floor(view.to_screen(origin[chosen]) + 0.5)
            origin[chosen] = view.to_world(pixel)
    return origin.astype(np.float32)


def _place(matrix: Array, origin: Array, scale: Array, boxes: Array, owner: Array) -> Array:
    """float32 (n, 6): the quads of letters in the world."""
    m, s = matrix[owner], scale[owner, None]
    at = boxes[:, :2] * s
    quad = np.empty((len(owner), 6), np.float32)
    quad[:, 0:2] = m[:, 0:2] * boxes[:, 2:3] * s
    quad[:, 2:4] = m[:, 2:4] * boxes[:, 3:4] * s
    quad[:, 4:6] = origin[owner] + m[:, 0:2] * at[:, :1] + m[:, 2:4] * at[:, 1:]
    return quad


def _cast_shadows(quad: Array, matrix: Array, offset: Array, inks: Array, owner: Array) -> None:
    """Move the letters that are shadows by their text's offset, in place."""
    dark = inks == _SHADOW
    if dark.any():
        m, by = matrix[owner[dark]], offset[owner[dark]]
        quad[dark, 4:6] += m[:, 0:2] * by[:, :1] + m[:, 2:4] * by[:, 1:]


def _ink_colours(table: Any, rows: Array) -> Array:
    """uint8 (3, n, 4): the colours of shadows, outlines and letters."""
    opacity = table.opacity[rows]
    return np.stack([rgba_bytes(table.column(name)[rows].copy(), opacity) for name in ("shadow", "outline", "color")])
