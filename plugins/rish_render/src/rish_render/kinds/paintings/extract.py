"""Adds the paintings of `world[Paintings]` to what a view shows.

The items of a part are converted to arrays in the space of the painting when the version of the part changes, its
texts also when they are drawn more finely; those of all changed parts together. When a painting moves or fades, these
arrays are moved and faded, and letters only get another origin. Neighbors in the drawing order become one batch, also
if they are of several paintings. While nothing changes, the batches are the same objects.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import floor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Transform
from rish_ecs import Inputs, did_you_mean
from rish_frame import Batch, Frame, Painting, Paintings, Part, PerVersion, TextItem, WorldMatrices
from rish_frame.frame import Rect

from ...drawables.drawables import Things
from ...materials.material_images import CAMERA, Pictures
from ...scene.camera import picture_size
from ...scene.notices import Notices
from ..text.drawing.placing import is_even
from ..text.glyphs import GlyphPage
from .glyph_rows import Fineness
from .items import Bounds, Flat, flats_of
from .joining import SOURCE, Made, Pose, Row, faded, things_of
from .letters import Run, run_of
from .typesetter import cache_of

if TYPE_CHECKING:
    from rish_ecs import World

    from ...drawables.extraction import Extraction
    from ...scene.view import View
    from ..text.cache import TextCache


@dataclass(eq=False)
class ShownPart:
    """A converted part of a painting in one view, and the values from which it was converted.

    below: backs, boxes, images and lines, in drawing order. run: the letters of `texts`, at the resolution `fine`, with
    the version `pictures` of the images. bounds: x0 y0 x1 y1 of everything, in the space of the painting. at: the pose,
    clip, layer and view of `rows`. letters: the batch of the texts, whose origin follows the view; faded: its opacity.
    """

    below: list[Flat] = field(default_factory=list[Flat])
    fine: Fineness | None = None
    texts: list[TextItem] = field(default_factory=list[TextItem])
    pictures: int = -1
    run: Run | None = None
    bounds: Bounds = (0.0, 0.0, 0.0, 0.0)
    at: Any = None
    rows: list[Row] = field(default_factory=list[Row])
    letters: Batch | None = None
    faded: float = 1.0


@dataclass(eq=False)
class ShownPaintings:
    """The parts that one view showed in the last frame, their rows, and the things and batches made of them.

    views: that of the camera and that of the screen, the same objects while they are equal. converted: all parts that
    were converted, also those that are not shown at present. inputs, area: what the rows were made from; area is None
    if they also depend on the places of entities, or on cameras.
    """

    views: tuple[View, View]
    converted: PerVersion[ShownPart] = field(default_factory=PerVersion["ShownPart"])
    parts: dict[Part, ShownPart] = field(default_factory=dict[Part, ShownPart])
    rows: list[Row] = field(default_factory=list[Row])
    things: list[Things] = field(default_factory=list[Things])
    batches: Made = field(default_factory=Made)
    inputs: Inputs = field(default_factory=lambda: Inputs((Paintings, Pictures)))
    area: Any = None

    @property
    def pages(self) -> set[GlyphPage]:
        """The glyph pages in use."""
        return {page for shown in self.parts.values() if shown.run is not None for page in shown.run.pages}


@dataclass(eq=False)
class _Space:
    """A view that paintings are drawn in. bounds: what it shows. sharp: whether letters are put on whole pixels."""

    view: View
    bounds: Bounds
    sharp: bool


class _Layer(NamedTuple):
    """The values that all paintings on a layer have in common. x, y: how far its parallax moves them, units."""

    number: int
    space: _Space
    y_sorted: bool
    x: float
    y: float
    upright: bool


class _Place(NamedTuple):
    """Where a painting is drawn: its layer and its place in the order there, its view and its pose."""

    painting: Painting
    number: int
    low: float
    space: _Space
    pose: Pose
    fine: Fineness


def extract_paintings(scene: Extraction) -> list[Things]:
    """Return the things of all visible paintings."""
    cache = cache_of(scene.world)
    last = cache.painted.get(scene.view.name)
    memory = last if last is not None else ShownPaintings((scene.view, scene.flat))
    area = (scene.view, scene.flat, scene.stack, scene.world[Frame].cell)
    if not memory.inputs.changed(scene.world) and memory.area == area:
        return memory.things
    forgotten = cache.glyphs.forgotten
    painter = _Painter(scene, cache, memory)
    shown = [(name, each) for name, each in scene.world[Paintings].items.items() if each.visible and each.opacity > 0]
    places = [place for name, painting in shown if (place := painter.place(name, painting)) is not None]
    painter.convert(places)
    now = painter.now
    now.inputs = memory.inputs
    now.area = None if any(each.entity for _, each in shown) or painter.shows_cameras else area
    now.rows = [row for place in places for part in place.painting.parts for row in painter.rows(part, place)]
    if not now.parts:
        cache.painted.pop(scene.view.name, None)
        return []
    cache.painted[scene.view.name] = now
    if cache.glyphs.forgotten != forgotten:
        scene.pictures.version += 1  # cached data of other views may use frame numbers that now mean another glyph
    if now.rows == memory.rows:
        now.things, now.batches = memory.things, memory.batches
    elif now.rows:
        now.things = [things_of(now.rows, memory.batches, now.batches)]
    return now.things


class _Painter:
    """Converts the paintings that one view shows. memory: the result of the last frame; now: that of this frame."""

    def __init__(self, scene: Extraction, cache: TextCache, memory: ShownPaintings) -> None:
        self.scene, self.cache, self.memory = scene, cache, memory
        views = (scene.view, scene.flat)
        self.now = ShownPaintings(memory.views if memory.views == views else views, memory.converted)
        self._carriers = _carriers(scene.world)
        self._cells = scene.world[Frame].cell is not None
        self._seen, self._flat = (_Space(view, view.bounds, is_even(view)) for view in self.now.views)
        self._layers: dict[str, _Layer | None] = {}
        self.shows_cameras = False

    def place(self, name: str, painting: Painting) -> _Place | None:
        """Return where a painting is drawn; None for nowhere."""
        word = painting.layer
        layer = self._layers[word] if word in self._layers else self._find_layer(name, painting)
        if layer is None:
            return None
        (number, space, y_sorted, x, y, upright), offset, scale = layer, painting.offset, painting.scale
        x, y = x + float(offset[0]), y + float(offset[1])
        if painting.entity:
            at = self._carriers.get(painting.entity)
            if at is None:
                return None
            x, y = x + at[0], y + at[1]
        fine = Fineness(space.view.resolution * scale, upright and space.sharp)
        low = -y if y_sorted else 0.0
        return _Place(painting, number, low, space, Pose(x, y, scale, min(painting.opacity, 1.0)), fine)

    def _find_layer(self, name: str, painting: Painting) -> _Layer | None:
        """Return the values that all paintings on a layer have in common; None for a hidden layer."""
        scene, stack = self.scene, self.scene.stack
        number = _layer(scene, name, painting)
        layer = None
        if scene.layers[number]:
            screen, x, y = bool(stack.screen[number]), 0.0, 0.0
            if not screen:
                follow, center = stack.parallax[number].tolist(), scene.view.center
                x, y = (1 - follow[0]) * center[0], (1 - follow[1]) * center[1]
            space = self._flat if screen else self._seen
            layer = _Layer(number, space, bool(stack.y_sorted[number]), x, y, screen or space.view.rotation == 0)
        self._layers[painting.layer] = layer
        return layer

    def convert(self, places: list[_Place]) -> None:
        """Convert the parts that have changed, in one call, and texts that changed or have another resolution."""
        converted, pictures = self.now.converted, self.scene.pictures.version
        changed: dict[Part, ShownPart] = {}
        outdated: list[tuple[ShownPart, Fineness]] = []
        for place in places:
            for part in place.painting.parts:
                if part.empty:
                    continue
                cameras = _camera_sizes(self.scene.world, part) if part.backs or part.images else []
                self.shows_cameras = self.shows_cameras or bool(cameras)
                key = pictures, cameras, self._cells
                shown = converted.get(part, key)
                if shown is None:
                    shown = changed[part] = converted.put(part, self.memory.parts.get(part) or ShownPart(), key)
                elif shown.run is None or shown.fine == place.fine:
                    self.now.parts[part] = shown
                    continue
                self.now.parts[part], shown.at = shown, None
                if (shown.texts, shown.fine, shown.pictures) != (part.texts, place.fine, pictures):
                    shown.texts, shown.fine, shown.pictures = part.texts[:], place.fine, pictures
                    shown.run = shown.letters = None
                outdated.append((shown, place.fine))
        for shown, below in zip(changed.values(), flats_of(self.scene, changed), strict=True):
            shown.below = below
        self._set_texts(outdated)

    def _set_texts(self, outdated: list[tuple[ShownPart, Fineness]]) -> None:
        """Set the texts of parts without a run, and the bounds. A backend with character cells shows texts itself."""
        begun = False
        for shown, fine in outdated:
            if shown.run is None and shown.texts and not self._cells:
                if not begun:
                    self.cache.begin_painting()
                begun = True
                shown.run = run_of(self.scene, self.cache, shown.texts, fine)
            each = [flat.bounds for flat in shown.below] + ([shown.run.bounds] if shown.run is not None else [])
            if len(each) == 1:
                shown.bounds = each[0]
            else:
                x0, y0, x1, y1 = zip(*each or [(0.0, 0.0, 0.0, 0.0)], strict=True)
                shown.bounds = min(x0), min(y0), max(x1), max(y1)

    def rows(self, part: Part, place: _Place) -> list[Row]:
        """Return the rows of a part, which are the same objects while nothing about it changes."""
        shown = self.now.parts.get(part)
        if shown is None:
            return []
        painting, number, low, space, pose, fine = place
        at = (pose, part.clip, number, painting.z, low, space.view)
        if shown.at == at:
            return shown.rows
        shown.at, shown.rows = at, []
        clip = clip_of(space.view, pose, part.clip) if part.clip is not None else None
        if _outside(shown.bounds, space.bounds, pose) or (clip is not None and (clip[2] <= 0 or clip[3] <= 0)):
            return shown.rows
        items: list[Flat | Batch] = [*shown.below]
        run = shown.run
        if run is not None and run.flat is not None:
            items.append(run.flat)
        elif run is not None and run.instances is not None and len(run.instances):
            letters = _letters(shown, run.instances, space.view, pose, fine)
            letters.clip = clip
            items.append(letters)
        shown.rows = [Row(number, painting.z, low, item, pose, clip) for item in items]
        return shown.rows


def _layer(scene: Extraction, name: str, painting: Painting) -> int:
    """Return the number of a painting's layer; an unknown name is reported once and replaced by the first layer."""
    names = scene.stack.names
    if not painting.layer:
        return 0
    if painting.layer in names:
        return names.index(painting.layer)
    what = f"there is no layer {painting.layer!r}{did_you_mean(painting.layer, names)}"
    line = f"painting {name!r}: {what}; it is drawn on the layer {names[0]!r}"
    scene.world[Notices](line, key=painting.layer)
    return 0


def _carriers(world: World) -> dict[int, tuple[float, float]]:
    """Return the interpolated positions of the entities that paintings follow, by entity, as far as they exist."""
    handles = list({painting.entity for painting in world[Paintings].items.values() if painting.entity})
    if not handles:
        return {}
    rows = world.table(Transform).rows_of(np.array(handles, np.int64))
    matrices: WorldMatrices = world[WorldMatrices]
    there = rows[rows >= 0]
    if matrices.knows(there):
        places = iter(matrices.rows(there)[:, 4:6].tolist())
        return {handle: tuple(next(places)) for handle, row in zip(handles, rows.tolist(), strict=True) if row >= 0}
    poses = {handle: matrices.one(row) for handle, row in zip(handles, rows.tolist(), strict=True) if row >= 0}
    return {handle: (pose[4], pose[5]) for handle, pose in poses.items() if pose is not None}


def _camera_sizes(world: World, part: Part) -> list[tuple[int, int] | None]:
    """Return the sizes of the pictures of cameras that a part shows; None for a camera that does not exist."""
    names = [item.image.removeprefix(CAMERA) for item in (*part.backs, *part.images) if item.image.startswith(CAMERA)]
    return [picture_size(world, name) for name in names]


def _letters(shown: ShownPart, instances: Any, view: View, pose: Pose, fine: Fineness) -> Batch:
    """Return the batch of the letters of a part; while they are only moved it is the same one with another origin."""
    batch = shown.letters
    if batch is None or shown.faded != pose.opacity:
        if pose.opacity < 1:
            instances = instances.copy()
            instances["rgba"] = faded(instances["rgba"], pose.opacity)
        batch = shown.letters = Batch("sprites", {"instances": instances}, filter="linear", source=SOURCE)
        shown.faded = pose.opacity
    batch.origin, batch.unit = _origin(view, pose, fine), 1.0 / view.resolution
    return batch


def _origin(view: View, pose: Pose, fine: Fineness) -> tuple[float, float]:
    """Return the point from which the pixels of letters are counted; on a whole pixel if they are sharp."""
    if not fine.sharp:
        return pose.x, pose.y
    (cx, cy), (wide, high), (w, h) = view.center, view.drawn_size, view.size
    fx, fy = view.density * wide / w, view.density * high / h
    left, bottom = cx - wide / 2 / fx, cy - high / 2 / fy
    return left + floor((pose.x - left) * fx + 0.5) / fx, bottom + floor((pose.y - bottom) * fy + 0.5) / fy


def clip_of(view: View, pose: Pose, clip: Rect) -> Rect:
    """Return a rectangle of a painting as fractions of the target; that around it if the camera is turned."""
    x, y, w, h = clip
    x0, y0 = pose.x + pose.scale * x, pose.y + pose.scale * y
    x1, y1 = x0 + pose.scale * w, y0 + pose.scale * h
    if view.rotation:
        corners = view.to_screen([(x0, y0), (x1, y0), (x0, y1), (x1, y1)]) - view.corner
        (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    else:
        (cx, cy), density = view.center, view.density
        x0, x1 = ((side - cx) * density + view.size[0] / 2 for side in (x0, x1))
        y0, y1 = ((side - cy) * density + view.size[1] / 2 for side in (y0, y1))
    wide, high = view.size
    x0, x1, y0, y1 = max(x0 / wide, 0.0), min(x1 / wide, 1.0), max(y0 / high, 0.0), min(y1 / high, 1.0)
    left, bottom, width, height = view.viewport or (0.0, 0.0, 1.0, 1.0)
    return left + x0 * width, bottom + y0 * height, (x1 - x0) * width, (y1 - y0) * height


def _outside(bounds: Bounds, seen: Bounds, pose: Pose) -> bool:
    """Return True if a view shows nothing of a part. seen: what the view shows."""
    (x0, y0, x1, y1), (left, bottom, right, top) = bounds, seen
    x, y, scale, _ = pose
    return x + scale * x1 < left or x + scale * x0 > right or y + scale * y1 < bottom or y + scale * y0 > top
