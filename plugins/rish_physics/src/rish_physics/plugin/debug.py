"""The debug view, drawn over the game: shapes, contacts, normals, joints, islands, boxes and centers of mass.

Nothing is drawn until `DebugView` is switched on, and then only if there is a renderer. The lines are ordinary line
batches of the kernel, so any backend can draw them. None of it is state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Stage, World, resource, system
from rish_jit import Array

from ..bodies.outlines import outlines_of
from ..components.joint_kinds import GEAR, RATCHET
from ..components.scratch import Scratch
from ..components.tables import (
    AWAKE,
    DYNAMIC,
    JOINT_USED,
    KINEMATIC,
    MANIFOLD,
    POINT0,
    POINT1,
    SENSOR,
    SHAPE_USED,
    TOUCHING,
    TYPE,
)
from ..contacts.state import State

ON_TOP = 1_000_000
"""The layer of the lines, above all layers of a game."""
_STATIC, _KINEMATIC, _AWAKE, _ASLEEP = (120, 220, 120), (110, 160, 255), (255, 150, 130), (150, 150, 165)
_SENSOR, _POINT, _NORMAL, _JOINT, _BOX = (250, 220, 90), (255, 80, 80), (90, 230, 250), (255, 170, 60), (200, 90, 220)
_GOLDEN_RATIO = 0.6180339887498949


@resource(view=True)
class DebugView:
    """The parts that are drawn; all off by default.

    shapes: outlines of colliders. contacts: points where they touch. normals: directions of contacts. joints: lines
    between anchors. islands: bodies that sleep together. boxes: bounds in the tree. centers: centers of mass. width: of
    the lines in world units, 0: 2 cm.
    """

    shapes: bool = False
    contacts: bool = False
    normals: bool = False
    joints: bool = False
    islands: bool = False
    boxes: bool = False
    centers: bool = False
    width: float = 0.0

    def show(self, *names: str) -> None:
        """Draw only these parts; `all` means all of them."""
        for name in PARTS:
            setattr(self, name, name in names or "all" in names)


PARTS = ("shapes", "contacts", "normals", "joints", "islands", "boxes", "centers")
"""The parts that can be drawn."""


@system(Stage.EXTRACT, before="render.extract", name="debug")
def draw_debug(world: World, dt: float) -> None:
    """The system `physics.debug`: add lines to the frame, if there is one."""
    view: DebugView = world[DebugView]
    names = [name for name in PARTS if getattr(view, name)]
    state: State | None = world[Scratch].state
    if not names or state is None:
        return
    try:
        from rish_frame import Batch, Frame  # physics runs on servers without it
    except ImportError:
        return
    if Frame not in world:
        return
    width = view.width or 0.02 * float(state.scaled.unit)
    parts = [_MAKERS[name](state, width) for name in names]
    points = np.concatenate([part[0] for part in parts]).astype(np.float32)
    rgba = np.concatenate([part[1] for part in parts]).astype(np.uint8)
    sound = np.isfinite(points).all(axis=1)
    arrays = {
        "points": np.ascontiguousarray(points[sound]),
        "width": np.full(int(sound.sum()), width, np.float32),
        "rgba": np.ascontiguousarray(rgba[sound]),
    }
    if len(arrays["points"]):
        world[Frame].add(Batch("lines", arrays, layer=ON_TOP, source="physics.debug"))


def _lines(points: Array, color: Any) -> tuple[Array, Array]:
    """Return lines (n, 4) with their colors: one color for all, or one for each (n, 3)."""
    rgba = np.full((len(points), 4), 255, np.uint8)
    rgba[:, :3] = color
    return points.reshape(-1, 4), rgba


def _shapes(state: State, width: float) -> tuple[Array, Array]:
    shapes, bodies = state.shapes, state.bodies
    slots = np.flatnonzero((shapes.flags & SHAPE_USED) != 0)
    flags, owner = shapes.flags[slots], bodies.flags[shapes.body[slots]]
    kind, awake = owner & TYPE, (owner & AWAKE) != 0
    colors = np.empty((len(slots), 3))
    colors[:] = _STATIC
    colors[kind == KINEMATIC] = _KINEMATIC
    colors[kind == DYNAMIC] = _ASLEEP
    colors[(kind == DYNAMIC) & awake] = _AWAKE
    colors[(flags & SENSOR) != 0] = _SENSOR
    outlines = outlines_of(state, slots)
    sides = np.concatenate([outlines, np.roll(outlines, -1, axis=1)], axis=2)
    real = (sides[..., :2] != sides[..., 2:]).any(axis=2)
    lines, rgba = _lines(sides[real], colors[np.nonzero(real)[0]])
    turning = slots[(kind == DYNAMIC) & (shapes.size[slots, 2] > 0)]
    pose = bodies.pose[shapes.body[turning]]
    ends = pose[:, :2] + pose[:, 2:] * shapes.size[turning, 2:3]
    spokes, spoke_colors = _lines(np.column_stack([pose[:, :2], ends]), _AWAKE)
    return np.concatenate([lines, spokes]), np.concatenate([rgba, spoke_colors])


def _touching(state: State) -> tuple[Array, Array]:
    """Return the points (n, 2) of all touching contacts, and their normals."""
    contacts = state.contacts
    rows = np.flatnonzero((contacts.info[:, 1] & TOUCHING) != 0)
    manifold = contacts.manifold[rows].reshape(-1, MANIFOLD)
    center, count = state.bodies.pose[contacts.pair[rows, 2], :2], contacts.info[rows, 0]
    points = [center[count > k] + manifold[count > k, at : at + 2] for k, at in enumerate((POINT0, POINT1))]
    normals = [manifold[count > k, :2] for k in range(2)]
    return np.concatenate(points), np.concatenate(normals)


def _contacts(state: State, width: float) -> tuple[Array, Array]:
    points, _ = _touching(state)
    r = np.float32(2 * width)
    cross = np.array([(-r, -r, r, r), (-r, r, r, -r)], np.float32)
    return _lines(np.concatenate([np.tile(points, 2) + arm for arm in cross]), _POINT)


def _normals(state: State, width: float) -> tuple[Array, Array]:
    points, normals = _touching(state)
    return _lines(np.column_stack([points, points + normals * np.float32(0.25) * state.scaled.unit]), _NORMAL)


def _joints(state: State, width: float) -> tuple[Array, Array]:
    joints, pose = state.joints, state.bodies.pose
    placeless = (joints.pair == 0).any(axis=1) & ((joints.kind == GEAR) | (joints.kind == RATCHET))
    rows = np.flatnonzero(((joints.flags & JOINT_USED) != 0) & ~placeless)
    lines: list[Array] = []
    anchors: list[Array] = []
    for side, at in ((0, 0), (1, 4)):
        frame, poses = joints.frames[rows, at : at + 2], pose[joints.pair[rows, side]]
        c, s = poses[:, 2], poses[:, 3]
        turned = np.column_stack([c * frame[:, 0] - s * frame[:, 1], s * frame[:, 0] + c * frame[:, 1]])
        anchor = poses[:, :2] + turned
        start = np.where((joints.pair[rows, side] == 0)[:, None], anchor, poses[:, :2])
        lines.append(np.column_stack([start, anchor]))
        anchors.append(anchor)
    lines.append(np.column_stack(anchors))
    return _lines(np.concatenate(lines), _JOINT)


def _islands(state: State, width: float) -> tuple[Array, Array]:
    """Return a box around each sleeping island, each in its own color."""
    bodies, shapes = state.bodies, state.shapes
    slots = np.flatnonzero((shapes.flags & SHAPE_USED) != 0)
    island = bodies.island[shapes.body[slots]]
    slots, island = slots[island > 0], island[island > 0]
    names, which = np.unique(island, return_inverse=True)
    boxes = np.tile(np.array([np.inf, np.inf, -np.inf, -np.inf], np.float32), (len(names), 1))
    for k, reach in ((0, np.minimum), (1, np.minimum), (2, np.maximum), (3, np.maximum)):
        reach.at(boxes[:, k], which, shapes.tight[slots, k])
    hue = (names * _GOLDEN_RATIO % 1.0)[:, None] + np.array([0, 1 / 3, 2 / 3])
    colors = 255 * np.clip(np.abs(6 * (hue % 1.0) - 3) - 1, 0, 1)
    return _rectangles(boxes, colors)


def _boxes(state: State, width: float) -> tuple[Array, Array]:
    shapes = state.shapes
    return _rectangles(shapes.fat[(shapes.flags & SHAPE_USED) != 0], np.array(_BOX))


def _rectangles(boxes: Array, colors: Array) -> tuple[Array, Array]:
    sides = boxes[:, [[0, 1, 2, 1], [2, 1, 2, 3], [2, 3, 0, 3], [0, 3, 0, 1]]]
    return _lines(sides.reshape(-1, 4), np.repeat(colors, 4, axis=0) if colors.ndim > 1 else colors)


def _centers(state: State, width: float) -> tuple[Array, Array]:
    bodies = state.bodies
    place = bodies.pose[(bodies.flags & TYPE) == DYNAMIC]
    r = np.float32(3 * width)
    along, across = place[:, 2:], np.column_stack([-place[:, 3], place[:, 2]])
    arms = [np.column_stack([place[:, :2], place[:, :2] + way * r]) for way in (along, across)]
    return _lines(np.concatenate(arms), np.repeat([_POINT, _STATIC], len(place), axis=0))


_MAKERS = {
    "shapes": _shapes,
    "contacts": _contacts,
    "normals": _normals,
    "joints": _joints,
    "islands": _islands,
    "boxes": _boxes,
    "centers": _centers,
}
