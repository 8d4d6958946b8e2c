"""Adds the paintings of `world[Paintings]` to what a view shows.

The items of a part are converted to arrays in the space of the painting when the version of the part changes, its
texts also when they are drawn more finely. When a painting moves or fades, these arrays are moved and faded, and
letters only get another origin. While nothing changes, the batches are the same objects.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from math import floor
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Transform
from rish_ecs import did_you_mean
from rish_frame import Batch, Frame, Painting, Paintings, Part, WorldMatrices
from rish_frame.frame import Rect

from ...components.visible import Camera
from ...materials.pictures import CAMERA
from ...packing.drawables import Runs, SortedThings, Stretch, Things
from ...text.glyphs import GlyphPage
from ...text.placing import is_even
from .items import SOURCE, Bounds, Flat, Pose, faded, flat_boxes, flat_images, flat_lines
from .letters import Run, run_of
from .ready import Fineness
from .typesetter import cache_of

if TYPE_CHECKING:
    from rish_ecs import World

    from ...scene.extraction import Extraction
    from ...scene.view import View
    from ...text.cache import TextCache

_log = logging.getLogger("rish.render")


@dataclass
class ShownPart:
    """What was made of a part for one view, and what it was made from.

    version: of the part and its images. below: backs, boxes, images and lines, in drawing order. run: the texts, drawn
    as finely as `fine`. bounds: of all, in the space of the painting. at: the view, the pose and the clip of the
    batches. letters: the batch whose origin follows the view.
    """

    version: Any = None
    below: list[Flat] = field(default_factory=list[Flat])
    fine: Fineness | None = None
    run: Run | None = None
    bounds: Bounds = (0.0, 0.0, 0.0, 0.0)
    pose: Pose | None = None
    at: Any = None
    batches: list[Batch] = field(default_factory=list[Batch])
    letters: Batch | None = None


@dataclass
class ShownPaintings:
    """The parts that one view showed in the last frame, and the things made of them. key: of these things."""

    parts: dict[Part, ShownPart] = field(default_factory=dict[Part, ShownPart])
    key: Any = None
    things: list[Things] = field(default_factory=list[Things])

    @property
    def pages(self) -> set[GlyphPage]:
        """The glyph pages in use."""
        return {page for shown in self.parts.values() if shown.run is not None for page in shown.run.pages}


class _Row(NamedTuple):
    """A batch and its place in the order."""

    layer: int
    z: float
    low: float
    batch: Batch


def extract_paintings(scene: Extraction) -> list[Things]:
    """Return the things of all visible paintings."""
    cache = cache_of(scene.world)
    last = cache.painted.get(scene.view.name)
    memory = last if last is not None else ShownPaintings()
    forgotten = cache.glyphs.forgotten
    painter = _Painter(scene, cache, memory)
    rows: list[_Row] = []
    for name, painting in scene.world[Paintings].items.items():
        if painting.visible and painting.opacity > 0:
            rows += painter.rows(name, painting)
    now = painter.now
    if not now.parts:
        cache.painted.pop(scene.view.name, None)
        return []
    cache.painted[scene.view.name] = now
    if cache.glyphs.forgotten != forgotten:
        scene.pictures.version += 1  # cached data of other views may use frame numbers that now mean another glyph
    now.key = [(id(row.batch), *row[:3]) for row in rows]
    if now.key == memory.key:
        now.things = memory.things
    elif rows:
        now.things = [_things(rows, memory)]
    return now.things


def _things(rows: list[_Row], memory: ShownPaintings) -> SortedThings:
    """Return the rows as things in drawing order. memory: of the last frame, whose batches get a version."""
    rows = sorted(rows, key=itemgetter(0, 1, 2))
    known = {key[0] for key in memory.key or ()}
    for row in rows:
        if id(row.batch) in known:
            row.batch.version = 0

    def runs() -> Runs:
        number = np.arange(len(rows))
        layer, z, low = (np.array(column) for column in list(zip(*rows, strict=True))[:3])
        return Runs(layer, z.astype(np.float32), low.astype(np.float32), number, number, np.ones(len(rows), np.int64))

    whole = [Stretch(k, 1, k, row.layer, row.z) for k, row in enumerate(rows)]
    return SortedThings(runs, lambda _, state: rows[state].batch, whole, [*{row.layer for row in rows}])


class _Painter:
    """Makes the batches of paintings in one view. memory: what it showed in the last frame; now: what it shows."""

    def __init__(self, scene: Extraction, cache: TextCache, memory: ShownPaintings) -> None:
        self.scene, self.cache, self.memory = scene, cache, memory
        self.now = ShownPaintings()
        self._carriers = _carriers(scene.world)
        self._cameras: int = scene.world.table(Camera).version
        self._cells = scene.world[Frame].cell is not None
        self._sharp = {id(view): is_even(view) for view in (scene.view, scene.flat)}

    def rows(self, name: str, painting: Painting) -> list[_Row]:
        """Return the batches of a painting."""
        stack = self.scene.stack
        number = _layer(self.scene, name, painting)
        place = _place(self.scene, painting, number, self._carriers) if self.scene.layers[number] else None
        if place is None:
            return []
        view = self.scene.flat if stack.screen[number] else self.scene.view
        pose = Pose(painting.scale, *place, min(painting.opacity, 1.0))
        low = -place[1] if stack.y_sorted[number] else 0.0
        upright = view is self.scene.flat or view.rotation == 0
        fine = Fineness(view.resolution * painting.scale, upright and self._sharp[id(view)])
        return [
            _Row(number, painting.z, low, batch)
            for part in painting.parts
            if not part.empty
            for batch in self._part(part, view, pose, fine)
        ]

    def _part(self, part: Part, view: View, pose: Pose, fine: Fineness) -> list[Batch]:
        """Return the batches of a part."""
        shown = self.now.parts[part] = self.memory.parts.get(part) or ShownPart()
        self._convert(part, shown, fine)
        at = (view, pose, part.clip)
        if shown.at == at:
            return shown.batches
        clip = clip_of(view, pose, part.clip) if part.clip is not None else None
        if _outside(shown.bounds, view, pose) or (clip is not None and (clip[2] <= 0 or clip[3] <= 0)):
            shown.at = shown.pose = None
            shown.batches = []
            return []
        _place_batches(shown, pose)
        if shown.letters is not None:
            shown.letters.origin, shown.letters.unit = _origin(view, pose, fine), 1.0 / view.resolution
        for batch in shown.batches:
            batch.clip = clip
        shown.at = at
        return shown.batches

    def _convert(self, part: Part, shown: ShownPart, fine: Fineness) -> None:
        """Convert a part again if it has changed, or only its texts if they are drawn more or less finely.

        A backend with character cells shows the texts itself.
        """
        scene = self.scene
        cameras = self._cameras if _shows_camera(part) else 0
        version = (part.version, scene.pictures.version, cameras, self._cells)
        changed = shown.version != version
        if changed:
            below = flat_images(scene, part.backs) if part.backs else []
            below += [flat_boxes(part.boxes)] if part.boxes else []
            below += flat_images(scene, part.images) if part.images else []
            below += [flat_lines(part.lines)] if part.lines else []
            shown.below, shown.version = below, version
        if changed or (shown.run is not None and shown.fine != fine):
            shown.run = None
            if part.texts and not self._cells:
                self.cache.begin_painting()
                shown.run = run_of(scene, self.cache, part.texts, fine)
            shown.fine, shown.pose, shown.at, shown.letters = fine, None, None, None
            each = [flat.bounds for flat in shown.below] + ([shown.run.bounds] if shown.run is not None else [])
            x0, y0, x1, y1 = zip(*each or [(0.0, 0.0, 0.0, 0.0)], strict=True)
            shown.bounds = min(x0), min(y0), max(x1), max(y1)


def _layer(scene: Extraction, name: str, painting: Painting) -> int:
    """Return the number of a painting's layer; an unknown name is reported once and replaced by the first layer."""
    names = scene.stack.names
    if not painting.layer:
        return 0
    if painting.layer in names:
        return names.index(painting.layer)
    if painting.layer not in scene.stack.told:
        scene.stack.told.add(painting.layer)
        hint = did_you_mean(painting.layer, names)
        line = "painting %r: there is no layer %r%s; it is drawn on the layer %r"
        _log.warning(line, name, painting.layer, hint, names[0])
    return 0


def _carriers(world: World) -> dict[int, tuple[float, float]]:
    """Return the interpolated places of the entities that paintings follow, of those that exist."""
    handles = list({painting.entity for painting in world[Paintings].items.values() if painting.entity})
    if not handles:
        return {}
    rows = world.table(Transform).rows_of(np.array(handles, np.int64))
    matrices: WorldMatrices = world[WorldMatrices]
    there = rows[rows >= 0]
    if matrices.knows(there):
        places = iter(matrices.rows(there)[:, 4:6].tolist())
        return {handle: tuple(next(places)) for handle, row in zip(handles, rows.tolist(), strict=True) if row >= 0}
    found = {handle: matrices.one(row) for handle, row in zip(handles, rows.tolist(), strict=True) if row >= 0}
    return {handle: (pose[4], pose[5]) for handle, pose in found.items() if pose is not None}


def _place(
    scene: Extraction, painting: Painting, number: int, carriers: dict[int, tuple[float, float]]
) -> tuple[float, float] | None:
    """Return the place of a painting's origin on its layer; None if its entity does not exist."""
    x, y = painting.offset
    if painting.entity:
        at = carriers.get(painting.entity)
        if at is None:
            return None
        x, y = x + at[0], y + at[1]
    if not scene.stack.screen[number]:
        follow = scene.stack.parallax[number].tolist()
        x, y = x + (1 - follow[0]) * scene.view.centre[0], y + (1 - follow[1]) * scene.view.centre[1]
    return float(x), float(y)


def _shows_camera(part: Part) -> bool:
    return any(item.image.startswith(CAMERA) for items in (part.backs, part.images) for item in items)


def _place_batches(shown: ShownPart, pose: Pose) -> None:
    """Make the batches of a part at a pose. Letters that are only moved stay the same."""
    before = shown.pose
    if before == pose:
        return
    still = before is not None and before.scale == pose.scale and before.opacity == pose.opacity
    letters = shown.letters if still else None
    shown.batches = [flat.placed(pose) for flat in shown.below]
    run, shown.letters = shown.run, None
    if run is not None and run.flat is not None:
        shown.batches.append(run.flat.placed(pose))
    elif run is not None and run.instances is not None and len(run.instances):
        shown.letters = letters or _letters(run.instances, pose)
        shown.batches.append(shown.letters)
    shown.pose = pose


def _letters(instances: Any, pose: Pose) -> Batch:
    if pose.opacity < 1:
        instances = instances.copy()
        instances["rgba"] = faded(instances["rgba"], pose.opacity)
    return Batch("sprites", {"instances": instances}, filter="linear", source=SOURCE)


def _origin(view: View, pose: Pose, fine: Fineness) -> tuple[float, float]:
    """Return the point from which the pixels of letters are counted; on a whole pixel if they are sharp."""
    if not fine.sharp:
        return pose.x, pose.y
    (cx, cy), (wide, high), (w, h) = view.centre, view.drawn_size, view.size
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
        (cx, cy), density = view.centre, view.density
        x0, x1 = ((side - cx) * density + view.size[0] / 2 for side in (x0, x1))
        y0, y1 = ((side - cy) * density + view.size[1] / 2 for side in (y0, y1))
    wide, high = view.size
    x0, x1, y0, y1 = max(x0 / wide, 0.0), min(x1 / wide, 1.0), max(y0 / high, 0.0), min(y1 / high, 1.0)
    left, bottom, width, height = view.viewport or (0.0, 0.0, 1.0, 1.0)
    return left + x0 * width, bottom + y0 * height, (x1 - x0) * width, (y1 - y0) * height


def _outside(bounds: Bounds, view: View, pose: Pose) -> bool:
    """Return True if a view shows nothing of a part."""
    x0, y0, x1, y1 = (pose.scale * side for side in bounds)
    left, bottom, right, top = view.bounds
    return pose.x + x1 < left or pose.x + x0 > right or pose.y + y1 < bottom or pose.y + y0 > top
