"""Adds the paintings of `world[Paintings]` to what a view shows.

The items of a part are converted to arrays in the space of the painting when the version of the part changes, its
texts also when they are drawn more finely. When a painting moves or fades, these arrays are moved and faded, and
letters only get another origin. While nothing changes, the batches are the same objects.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Transform
from rish_ecs import did_you_mean
from rish_frame import Batch, Frame, Painting, Paintings, Part, WorldMatrices
from rish_frame.frame import Rect

from ...components.visible import Camera
from ...materials.pictures import CAMERA
from ...packing.drawables import Runs, SortedThings, Things
from ...text.glyphs import GlyphPage
from ...text.placing import is_even, to_pixels, to_world
from .items import SOURCE, Bounds, Flat, Pose, faded, flat_boxes, flat_images, flat_lines
from .letters import Fineness, Run, run_of
from .typesetter import cache_of

if TYPE_CHECKING:
    from ...scene.extraction import Extraction
    from ...scene.view import View

_log = logging.getLogger("rish.render")


@dataclass
class ShownPart:
    """What was made of a part for one view, and what it was made from.

    below: backs, boxes, images and lines, in drawing order. run: the texts, drawn as finely as `fine`. batches: at
    `pose`; origin: that of the letters.
    """

    version: Any = None
    below: list[Flat] = field(default_factory=list[Flat])
    fine: Fineness | None = None
    run: Run | None = None
    pose: Pose | None = None
    batches: list[Batch] = field(default_factory=list[Batch])
    letters: Batch | None = None

    @property
    def bounds(self) -> Bounds:
        """The rectangle that the part covers in the space of the painting."""
        each = [flat.bounds for flat in self.below] + ([self.run.bounds] if self.run is not None else [])
        x0, y0, x1, y1 = zip(*each or [(0.0, 0.0, 0.0, 0.0)], strict=True)
        return min(x0), min(y0), max(x1), max(y1)


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


@dataclass
class _Row:
    """A batch and its place in the order."""

    layer: int
    z: float
    low: float
    batch: Batch


def extract_paintings(scene: Extraction) -> list[Things]:
    """Return the things of all visible paintings."""
    paintings = scene.world[Paintings]
    cache = cache_of(scene.world)
    last = cache.painted.get(scene.view.name)
    if not paintings.items and last is None:
        return []
    now = ShownPaintings()
    memory = last if last is not None else ShownPaintings()
    forgotten = cache.glyphs.forgotten
    rows: list[_Row] = []
    for name, painting in paintings.items.items():
        if painting.visible and painting.opacity > 0:
            rows += _rows(scene, name, painting, memory, now)
    if not now.parts:
        cache.painted.pop(scene.view.name, None)
        return []
    cache.painted[scene.view.name] = now
    if cache.glyphs.forgotten != forgotten:
        scene.pictures.version += 1  # cached data of other views may use frame numbers that now mean another glyph
    now.key = [(id(row.batch), row.layer, row.z, row.low) for row in rows]
    if now.key == memory.key:
        now.things = memory.things
    elif rows:
        now.things = [_things(rows, memory)]
    return now.things


def _things(rows: list[_Row], memory: ShownPaintings) -> SortedThings:
    """Return the rows as things in drawing order."""
    rows = sorted(rows, key=lambda row: (row.layer, row.z, row.low))
    known = {key[0] for key in memory.key or ()}
    for row in rows:
        if id(row.batch) in known:
            row.batch.version = 0
    number = np.arange(len(rows))
    layer, z, low = (np.array([getattr(row, name) for row in rows]) for name in ("layer", "z", "low"))
    runs = Runs(layer, z.astype(np.float32), low.astype(np.float32), number, number, np.ones(len(rows), np.int64))
    return SortedThings(lambda: runs, lambda _, state: rows[state].batch)


def _rows(scene: Extraction, name: str, painting: Painting, memory: ShownPaintings, now: ShownPaintings) -> list[_Row]:
    """Return the batches of a painting in one view."""
    number = _layer(scene, name, painting)
    place = _place(scene, painting, number) if scene.layers[number] else None
    if place is None:
        return []
    view = scene.flat if scene.stack.screen[number] else scene.view
    pose = Pose(painting.scale, *place, min(painting.opacity, 1.0))
    low = -place[1] if scene.stack.y_sorted[number] else 0.0
    fine = Fineness(view.resolution * painting.scale, is_even(view) and (view is scene.flat or view.rotation == 0))
    rows: list[_Row] = []
    for part in painting.parts:
        if part.empty:
            continue
        clip = _clip(view, pose, part.clip) if part.clip is not None else None
        if clip is not None and (clip[2] <= 0 or clip[3] <= 0):
            continue
        shown = now.parts[part] = memory.parts.get(part) or ShownPart()
        _convert(scene, part, shown, fine)
        if _outside(shown.bounds, view, pose):
            continue
        rows += [_Row(number, painting.z, low, batch) for batch in _batches(shown, view, pose, clip)]
    return rows


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


def _place(scene: Extraction, painting: Painting, number: int) -> tuple[float, float] | None:
    """Return the place of a painting's origin on its layer; None if its entity does not exist."""
    x, y = painting.offset
    if painting.entity:
        row = scene.world.table(Transform).row_of(painting.entity)
        matrix = scene.world[WorldMatrices].one(row) if row >= 0 else None
        if matrix is None:
            return None
        x, y = x + matrix[4], y + matrix[5]
    if not scene.stack.screen[number]:
        follow = scene.stack.parallax[number].tolist()
        x, y = x + (1 - follow[0]) * scene.view.centre[0], y + (1 - follow[1]) * scene.view.centre[1]
    return float(x), float(y)


def _convert(scene: Extraction, part: Part, shown: ShownPart, fine: Fineness) -> None:
    """Convert a part again if it has changed, or only its texts if they are drawn more or less finely.

    A backend with character cells shows the texts itself.
    """
    pictures = scene.pictures.version
    cells = scene.world[Frame].cell is not None
    version = (part.version, pictures, scene.world.table(Camera).version if _shows_camera(part) else 0, cells)
    changed = shown.version != version
    if changed:
        below = flat_images(scene, part.backs) if part.backs else []
        below += [flat_boxes(part.boxes)] if part.boxes else []
        below += flat_images(scene, part.images) if part.images else []
        below += [flat_lines(part.lines)] if part.lines else []
        shown.below, shown.version = below, version
    if changed or (shown.run is not None and shown.fine != fine):
        if part.texts and not cells:
            cache_of(scene.world).begin_painting()
            shown.run = run_of(scene, part.texts, fine)
        else:
            shown.run = None
        shown.fine, shown.pose = fine, None


def _shows_camera(part: Part) -> bool:
    return any(item.image.startswith(CAMERA) for items in (part.backs, part.images) for item in items)


def _batches(shown: ShownPart, view: View, pose: Pose, clip: Rect | None) -> list[Batch]:
    """Return the batches of a part at a pose."""
    if shown.pose != pose:
        before = shown.pose
        moved_only = before is not None and before[0] == pose[0] and before[3] == pose[3]
        letters = shown.letters if moved_only else None
        shown.batches = [flat.placed(pose) for flat in shown.below]
        run = shown.run
        shown.letters = None
        if run is not None and run.flat is not None:
            shown.batches.append(run.flat.placed(pose))
        elif run is not None and run.instances is not None and len(run.instances):
            shown.letters = letters or _letters(run.instances, pose)
            shown.batches.append(shown.letters)
        shown.pose = pose
    if shown.letters is not None:
        fine = shown.fine
        assert fine is not None
        shown.letters.origin, shown.letters.unit = _origin(view, pose, fine), 1.0 / view.resolution
    for batch in shown.batches:
        batch.clip = clip
    return shown.batches


def _letters(instances: Any, pose: Pose) -> Batch:
    if pose.opacity < 1:
        instances = instances.copy()
        instances["rgba"] = faded(instances["rgba"], pose.opacity)
    return Batch("sprites", {"instances": instances}, filter="linear", source=SOURCE)


def _origin(view: View, pose: Pose, fine: Fineness) -> tuple[float, float]:
    """Return the point from which the pixels of letters are counted; on a whole pixel if they are sharp."""
    if not fine.sharp:
        return pose.x, pose.y
    x, y = to_world(view, np.floor(to_pixels(view, np.array([pose.x, pose.y])) + 0.5)).tolist()
    return x, y


def _clip(view: View, pose: Pose, clip: Rect) -> Rect:
    """Return a rectangle of a painting as fractions of the target; that around it if the camera is turned."""
    x, y, w, h = clip
    x0, y0 = pose.x + pose.scale * x, pose.y + pose.scale * y
    x1, y1 = x0 + pose.scale * w, y0 + pose.scale * h
    corners = view.to_screen([(x0, y0), (x1, y0), (x0, y1), (x1, y1)])
    (x0, y0), (x1, y1) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    left, bottom, width, height = view.viewport or (0.0, 0.0, 1.0, 1.0)
    (cx, cy), (wide, high) = view.corner, view.size
    low, high_end = max((x0 - cx) / wide, 0.0), min((x1 - cx) / wide, 1.0)
    floor, top = max((y0 - cy) / high, 0.0), min((y1 - cy) / high, 1.0)
    return left + low * width, bottom + floor * height, (high_end - low) * width, (top - floor) * height


def _outside(bounds: Bounds, view: View, pose: Pose) -> bool:
    """Return True if a view shows nothing of a part."""
    x0, y0, x1, y1 = (pose.scale * side for side in bounds)
    left, bottom, right, top = view.bounds
    return pose.x + x1 < left or pose.x + x0 > right or pose.y + y1 < bottom or pose.y + y0 > top
