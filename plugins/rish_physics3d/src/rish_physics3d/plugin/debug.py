"""The debug view of bodies in space: shapes, contacts, joints, islands, boxes, centers of mass and axes, as lines.

Nothing is drawn until `DebugView3D` is switched on, and then only in a game with scene3d. None of it is state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Stage, resource, system
from rish_jit import Array
from rish_space3d import outlines, quaternions

from ..bodies.layout import Layout
from ..bodies.outlines import placed_lines, shapes_of
from ..bodies.placed import shape_poses
from ..components.bodies import DYNAMIC, KINEMATIC, Body3D
from ..components.manifold import ANCHOR_A, FIRST, IMPULSE, NORMAL, POINT
from ..components.tables import Bodies3D, Contacts3D
from ..joints.lines import joint_lines
from ..joints.sketches import joint_sketches_3d
from ..step.memory import Stepper

if TYPE_CHECKING:
    from rish_core import World

Lines = list[tuple[Array, Any]]
"""Lines (n, 2, 3), and their color, red, green, blue and opacity: one or (n, 4)."""
_STATIC, _KINEMATIC, _AWAKE, _ASLEEP = (0.5, 0.9, 0.5, 1), (0.45, 0.65, 1, 1), (1, 0.6, 0.5, 1), (0.6, 0.6, 0.65, 1)
_SENSOR, _POINT, _NORMAL, _JOINT = (1, 0.87, 0.35, 1), (1, 0.3, 0.3, 1), (0.35, 0.9, 1, 1), (1, 0.67, 0.25, 1)
_BOX, _IMPULSE, _CENTER = (0.8, 0.35, 0.87, 1), (1, 1, 0.4, 1), (1, 1, 1, 1)
_AXES = ((0.95, 0.3, 0.3, 1), (0.45, 0.85, 0.35, 1), (0.35, 0.55, 1, 1))
_IMPULSE_SECONDS = 25.0
"""The length of an impulse is the way of the lighter body in this time: its weight for 1/240 s is a meter."""
_GOLDEN_RATIO = 0.6180339887498949
_FAR = 1e6
"""Boxes that are larger, meters, are left out, as those of planes."""


@resource(view=True)
class DebugView3D:
    """The parts that are drawn; all off by default.

    shapes: outlines of colliders, gray where they sleep. contacts: points where they touch. normals: directions of
    contacts. impulses: those of the last sub-step, along the normals; 1 m changes the velocity of the lighter body by
    4 cm/s. joints: anchors, axes and limits. islands: boxes around bodies that sleep together. boxes: bounds of shapes
    in the broad phase. centers: of mass. axes: the principal axes of bodies. size: of marks, meters.
    """

    shapes: bool = False
    contacts: bool = False
    normals: bool = False
    impulses: bool = False
    joints: bool = False
    islands: bool = False
    boxes: bool = False
    centers: bool = False
    axes: bool = False
    size: float = 0.25

    def show(self, *names: str) -> None:
        """Draw only these parts; `all` means all of them."""
        for name in PARTS:
            setattr(self, name, name in names or "all" in names)


@system(Stage.EXTRACT, after="scene3d.clear_frame_lines", before="scene3d.draw", name="debug")
def draw_debug(world: World, dt: float) -> None:
    """The system `physics3d.debug`: add lines to the scene, if there is one."""
    view: DebugView3D = world[DebugView3D]
    names = [name for name in PARTS if getattr(view, name)]
    if not names:
        return
    try:
        from rish_scene3d import Lines3D  # physics runs on servers without it
    except ImportError:
        return
    if Lines3D in world:
        for lines, color in debug_lines(world, view, names):
            world[Lines3D].add(lines, color, 1.5, hidden=False)


def debug_lines(world: World, view: DebugView3D, names: list[str]) -> Lines:
    """Return the lines of these parts."""
    return [part for name in names for part in _MAKERS[name](world, view)]


def _shapes(world: World, view: DebugView3D) -> Lines:
    layout = world[Layout]
    lines, owners = placed_lines(world, np.arange(len(layout.form)))
    bodies = layout.form[:, 1]
    kind, asleep = layout.types[bodies], _asleep(world)[bodies]
    colors = np.empty((len(bodies), 4))
    colors[:] = _STATIC
    colors[kind == KINEMATIC] = _KINEMATIC
    colors[kind == DYNAMIC] = _AWAKE
    colors[(kind == DYNAMIC) & asleep] = _ASLEEP
    colors[layout.sensors] = _SENSOR
    return [(lines, colors[owners])]


def _asleep(world: World) -> Array:
    """Return which bodies of the layout sleep, bool."""
    rows, table = world[Layout].rows, world.table(Body3D)
    asleep = np.zeros(len(rows), np.bool_)
    asleep[rows >= 0] = table.asleep[rows[rows >= 0]]
    return asleep


def _body_poses(world: World) -> Array:
    """Return centers of mass and principal axes, float64 (n, 8): x, y, z, 0, quaternion."""
    return shape_poses(world, world[Layout])[1].reshape(-1, 8).astype(np.float64)


def _touching(world: World) -> tuple[Array, Array, Array]:
    """Return points and normals of all contacts, float64 (n, 3) each, and their impulses as changes of the velocity of
    the lighter body, m/s.
    """
    contacts, layout = world[Contacts3D], world[Layout]
    shapes = np.stack([shapes_of(world, contacts.a), shapes_of(world, contacts.b)], axis=1)
    rows = np.flatnonzero((contacts.info[:, 0] > 0) & (shapes >= 0).all(axis=1))
    bodies = layout.form[shapes[rows], 1]
    count, manifold = contacts.info[rows, 0], contacts.manifold[rows].astype(np.float64)
    points = manifold[:, FIRST : FIRST + 4 * POINT].reshape(-1, 4, POINT)
    used = np.arange(4) < count[:, None]
    places = _body_poses(world)[bodies[:, 0], None, :3] + points[:, :, ANCHOR_A : ANCHOR_A + 3]
    normals = np.broadcast_to(manifold[:, None, NORMAL : NORMAL + 3], places.shape)
    speeds = points[:, :, IMPULSE] * layout.mass[bodies, 7].max(axis=1)[:, None]
    return places[used], normals[used], speeds[used]


def _contacts(world: World, view: DebugView3D) -> Lines:
    points, _, _ = _touching(world)
    arms = np.stack([-np.eye(3), np.eye(3)], axis=1) * (view.size / 5)
    return [((points[:, None, None] + arms).reshape(-1, 2, 3), _POINT)]


def _normals(world: World, view: DebugView3D) -> Lines:
    points, normals, _ = _touching(world)
    return [(np.stack([points, points + normals * view.size], axis=1), _NORMAL)]


def _impulses(world: World, view: DebugView3D) -> Lines:
    points, normals, speeds = _touching(world)
    return [(np.stack([points, points + normals * (speeds * _IMPULSE_SECONDS)[:, None]], axis=1), _IMPULSE)]


def _joints(world: World, view: DebugView3D) -> Lines:
    lines = [np.zeros((0, 2, 3))]
    for sketch in joint_sketches_3d(world):
        arms = np.stack([sketch.centers, sketch.anchors], axis=1)[[bool(sketch.a), bool(sketch.b)]]
        lines += [arms, sketch.anchors[None], joint_lines(sketch, 2 * view.size)]
    return [(np.concatenate(lines), _JOINT)]


def _boxes(world: World, view: DebugView3D) -> Lines:
    stepper = world[Stepper]
    if stepper.layout is not world[Layout]:  # before the first step, and after a change
        return []
    boxes = stepper.broad.boxes.reshape(-1, 6).astype(np.float64)
    return [(_edges(boxes[(np.abs(boxes) < _FAR).all(axis=1)]), _BOX)]


def _edges(boxes: Array) -> Array:
    """Return the edges of boxes (n, 6): lowest and highest corner."""
    unit = outlines.box_lines((0, 0, 0), (1, 1, 1))
    low, high = boxes[:, None, None, :3], boxes[:, None, None, 3:]
    return (low + unit * (high - low)).reshape(-1, 2, 3)


def _islands(world: World, view: DebugView3D) -> Lines:
    """Return a box around each sleeping island, each in its own color."""
    seen, layout = world[Bodies3D], world[Layout]
    lines, owners = placed_lines(world, np.arange(len(layout.form)))
    if not len(seen) or not len(lines):
        return []
    entities = layout.entities[layout.form[:, 1]]
    place = np.minimum(np.searchsorted(seen.body, entities), len(seen) - 1)
    island = np.where(seen.body[place] == entities, seen.island[place], 0)[owners]
    names, which = np.unique(island[island != 0], return_inverse=True)
    ends = lines[island != 0]
    boxes = np.tile([np.inf] * 3 + [-np.inf] * 3, (len(names), 1))
    for half, reach in ((slice(0, 3), np.minimum), (slice(3, 6), np.maximum)):
        reach.at(boxes[:, half], which, reach(ends[:, 0], ends[:, 1]))
    hue = (np.arange(1, len(names) + 1) * _GOLDEN_RATIO % 1.0)[:, None] + np.array([0, 1 / 3, 2 / 3])
    colors = np.column_stack([np.clip(np.abs(6 * (hue % 1.0) - 3) - 1, 0, 1), np.ones(len(names))])
    return [(_edges(boxes), np.repeat(colors, 12, axis=0))]


def _moving(world: World) -> Array:
    """Return the poses of the dynamic bodies, see `_body_poses`."""
    return _body_poses(world)[world[Layout].types == DYNAMIC]


def _centers(world: World, view: DebugView3D) -> Lines:
    arms = np.stack([-np.eye(3), np.eye(3)], axis=1) * (view.size / 3)
    return [((_moving(world)[:, None, None, :3] + arms).reshape(-1, 2, 3), _CENTER)]


def _axes(world: World, view: DebugView3D) -> Lines:
    poses = _moving(world)
    turns = quaternions.to_matrix(poses[:, 4:])
    ends = [poses[:, :3] + 2 * view.size * turns[:, :, k] for k in range(3)]
    return [(np.stack([poses[:, :3], end], axis=1), color) for end, color in zip(ends, _AXES, strict=True)]


_MAKERS: dict[str, Callable[[World, DebugView3D], Lines]] = {
    "shapes": _shapes, "contacts": _contacts, "normals": _normals, "impulses": _impulses, "joints": _joints,
    "islands": _islands, "boxes": _boxes, "centers": _centers, "axes": _axes,
}  # fmt: skip
PARTS = tuple(_MAKERS)
"""The parts that can be drawn."""
