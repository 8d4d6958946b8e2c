"""The debug view: axes, boxes, normals, light volumes, what cameras see, and bones, as lines in the scene.

Nothing is drawn until `Debug3D` is switched on: by the setting `settings: scene3d: {debug: [bones, lights]}`, by code,
or by the action `debug3d` of the manifest, which switches all parts on and off. None of it is state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_core import Input, Stage, resource, system
from rish_frame import Frame
from rish_jit import Array
from rish_space3d import Bounds3D, ToolView3D, Transform3D, WorldMatrices3D, outlines

from ..clips.skeleton_poses import Poses3D
from ..components.lights import Lamp3D, Sun3D
from ..components.models import Model3D
from ..components.settings import DEBUG_PARTS
from ..components.views import Camera3D
from ..models.store import Models3D
from ..passes.lines import AXES, Lines3D
from ..picking.cameras import space_view
from ..picking.pick import Picking3D

if TYPE_CHECKING:
    from collections.abc import Callable

    from rish_core import World

ACTION = "debug3d"
"""The action that switches the debug view, if the manifest has it."""
_BOX, _NORMAL, _BONE, _CAMERA = (0.78, 0.5, 1, 0.9), (0.4, 0.95, 1, 0.8), (1, 0.75, 0.25, 1), (0.85, 0.85, 0.9, 0.9)
_MAX_NORMALS = 20_000
"""The number of vertices whose normals are drawn; more are left out."""


@resource(view=True)
class Debug3D:
    """The parts that are drawn; all off by default.

    axes: of entities. boxes: bounds of models. normals: of their corners. lights: where they are and how far they
    reach. cameras: what they see. bones: of skeletons. entities: only these are shown; empty: all. size: meters of
    axes, normals and the arrows of suns.
    """

    axes: bool = False
    boxes: bool = False
    normals: bool = False
    lights: bool = False
    cameras: bool = False
    bones: bool = False
    entities: tuple[int, ...] = ()
    size: float = 0.5

    def show(self, *names: str) -> None:
        """Draw only these parts; `all` means all of them."""
        for name in DEBUG_PARTS:
            setattr(self, name, name in names or "all" in names)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of the debug view that are shown."""
        return tuple(name for name in DEBUG_PARTS if getattr(self, name))


@system(Stage.INPUT, reads=Input, writes=Debug3D, view=True, name="switch_debug")
def switch_debug(world: World, dt: float) -> None:
    """Switch the debug view when the action `debug3d` is pressed (system `scene3d.switch_debug`)."""
    keys, debug = world[Input], world[Debug3D]
    if ACTION in keys.actions and keys.pressed(ACTION):
        debug.show(*(() if debug.parts else ("all",)))


@system(
    Stage.EXTRACT,
    reads=(Debug3D, ToolView3D, Transform3D, WorldMatrices3D, Poses3D),
    writes=(Lines3D, Models3D),
    after="scene3d.clear_frame_lines",
    before="scene3d.draw",
    name="debug",
)
def draw_debug(world: World, dt: float) -> None:
    """Add the lines of the debug view, and those of a tool (system `scene3d.debug`)."""
    tool, debug, lines = world[ToolView3D], world[Debug3D], world[Lines3D]
    if len(tool.lines):
        lines.add(tool.lines, tool.rgba.astype(np.float64) / 255, 1.0)
    for name in debug.parts:
        _MAKERS[name](world, debug, lines)


def _shown(world: World, debug: Debug3D, kind: type) -> tuple[Array, Array]:
    """Return the entities of a component that are in space and wanted, and their world matrices (n, 3, 4)."""
    query, matrices = world.query(kind, Transform3D), world[WorldMatrices3D].matrix
    poses = query.rows(Transform3D)
    is_selected = poses < len(matrices)
    if debug.entities:
        is_selected &= np.isin(query.entities, debug.entities)
    return query.entities[is_selected], matrices[poses[is_selected]].astype(np.float64)


def _axes(world: World, debug: Debug3D, lines: Lines3D) -> None:
    _, matrices = _shown(world, debug, Transform3D)
    positions = matrices[:, :, 3]
    for k, color in enumerate(AXES):
        ends = np.stack([positions, positions + matrices[:, :, k] * debug.size], axis=1)
        lines.add(ends, color, 2.0, hidden=False)


def _boxes(world: World, debug: Debug3D, lines: Lines3D) -> None:
    entities, matrices = _shown(world, debug, Model3D)
    boxes = world[Bounds3D].of(world, entities)
    for box, matrix in zip(boxes, matrices, strict=True):
        lines.box(box[0], box[1], _BOX, matrix)


def _normals(world: World, debug: Debug3D, lines: Lines3D) -> None:
    things, left = world[Picking3D].things(world), _MAX_NORMALS
    for row in range(len(things)):
        mesh = things.shapes.mesh(int(things.meshes[row]))
        left -= len(mesh.positions)
        if left < 0 or things.bent[row] or (debug.entities and int(things.entities[row]) not in debug.entities):
            continue
        matrix = things.matrices(row)
        linear = matrix[:, :3]
        turn = np.stack([np.cross(linear[:, (k + 1) % 3], linear[:, (k + 2) % 3]) for k in range(3)], axis=1)
        directions = mesh.normals.astype(np.float64) @ turn.T
        length = np.linalg.norm(directions, axis=1, keepdims=True)
        directions = directions / np.where(length > 0, length, 1.0)
        lines.normals(outlines.moved(mesh.positions.astype(np.float64), matrix), directions,
                      debug.size * 0.3, _NORMAL)  # fmt: skip


def _lights(world: World, debug: Debug3D, lines: Lines3D) -> None:
    table = world.table(Lamp3D)
    for entity, matrix in zip(*_shown(world, debug, Lamp3D), strict=True):
        row = table.row_of(int(entity))
        color = (*table.color[row, :3].tolist(), 0.8)
        lines.add(lamp_lines(matrix, float(table.range[row]), float(table.angle[row])), color)
    suns = world.table(Sun3D)
    for entity, matrix in zip(*_shown(world, debug, Sun3D), strict=True):
        color = (*suns.color[suns.row_of(int(entity)), :3].tolist(), 1.0)
        lines.add(sun_lines(matrix, debug.size), color)


def lamp_lines(matrix: Array, reach: float, angle: float) -> Array:
    """Return the volume that a lamp with a world matrix lights, lines (n, 2, 3). angle: of the cone, 0 for none."""
    if angle > 0:
        return outlines.cone_lines(matrix[:, 3], -matrix[:, 2], reach, angle)
    return outlines.sphere_lines(matrix[:, 3], reach)


def sun_lines(matrix: Array, size: float) -> Array:
    """Return a disc and arrows along the light of a sun, lines (n, 2, 3). size: meters."""
    position, direction = matrix[:, 3], -matrix[:, 2] / max(float(np.linalg.norm(matrix[:, 2])), 1e-9)
    right, up = outlines.across(direction)
    starts = [position, *(position + side * size * 0.4 for side in (right, -right, up, -up))]
    arrows = [outlines.arrow_lines(start, start + direction * size * 2) for start in starts]
    return np.concatenate([outlines.circle_lines(position, direction, size * 0.4), *arrows])


def _cameras(world: World, debug: Debug3D, lines: Lines3D) -> None:
    entities, _ = _shown(world, debug, Camera3D)
    for entity in entities.tolist():
        lines.add(camera_lines(world, entity), _CAMERA)


def camera_lines(world: World, camera: int, max_far: float = np.inf) -> Array:
    """Return the edges of what a camera sees, lines (n, 2, 3). most: the farthest distance, meters."""
    table, view = world.table(Camera3D), space_view(world, camera)
    row = table.row_of(camera)
    wide, high = world[Frame].logical
    if table.column("target")[row]:
        wide, high = table.target_size[row].tolist()
    w, h = table.viewport[row, 2:].tolist()
    limited = type(view)(view.position, view.rotation, view.fov, view.height, view.near,
                      max(min(view.far, max_far), view.near * 1.01))  # fmt: skip
    return outlines.frustum_lines(limited.projection(max(w * wide, 1.0) / max(h * high, 1.0)) @ limited.view)


def _bones(world: World, debug: Debug3D, lines: Lines3D) -> None:
    for entity, matrix in zip(*_shown(world, debug, Model3D), strict=True):
        ends = bone_lines(world, int(entity))
        if len(ends):
            lines.add(outlines.moved(ends, matrix), _BONE, 2.0, hidden=False)


def bone_lines(world: World, entity: int) -> Array:
    """Return a line from each joint of a character to its parent, (n, 2, 3), in the space of the entity."""
    table, poses = world.table(Model3D), world[Poses3D]
    row = table.row_of(entity)
    model = world[Models3D].model(world, str(table.read_row("asset", row)), str(table.read_row("part", row)))
    if not model.skins:
        return np.zeros((0, 2, 3))
    at = int(np.searchsorted(poses.entities, entity))
    posed = at < len(poses.entities) and poses.entities[at] == entity and poses.first_node[at] >= 0
    first = int(poses.first_node[at]) if posed else 0
    nodes = (poses.nodes[first : first + len(model.rest)] if posed else model.rest).astype(np.float64)
    joints = np.unique(np.concatenate([skin.joints for skin in model.skins]))
    above = model.parents[joints]
    is_joint = np.isin(above, joints)
    return np.stack([nodes[above[is_joint], :, 3], nodes[joints[is_joint], :, 3]], axis=1)


_MAKERS: dict[str, Callable[[World, Debug3D, Lines3D], None]] = {
    "axes": _axes, "boxes": _boxes, "normals": _normals, "lights": _lights, "cameras": _cameras, "bones": _bones,
}  # fmt: skip
