"""The system that moves entities with `Socket3D` to joints, in the tick, so that later systems see them there."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Stage, World, resource, system
from rish_ecs import Inputs
from rish_jit import Array
from rish_space3d import Transform3D, quaternions, world_matrices_3d

from ..components.animation import Animator3D, FadingClips3D, Socket3D
from ..components.models import Model3D
from . import tables as at
from .clip_library import ClipLibrary3D
from .kernel import make_poses
from .sources import sources_of, work_of
from .tables import Work, room_for

if TYPE_CHECKING:
    from rish_core import Table


_SOURCES = (Animator3D, Model3D, FadingClips3D, ClipLibrary3D)


@resource(derived=True)
class JointPoses:
    """The cached matrices of the joints of sockets, (n, 3, 4). inputs: what they depend on."""

    inputs: Inputs = dataclass_field(default_factory=lambda: Inputs(_SOURCES))
    wanted: Array = dataclass_field(default_factory=lambda: np.zeros((0, 2), np.int64))
    matrices: Array = dataclass_field(default_factory=lambda: np.zeros((0, 3, 4), np.float32))
    known: Array = dataclass_field(default_factory=lambda: np.zeros(0, np.bool_))

    def rebuild(self, world: World) -> None:
        """Forget the matrices after a restore."""
        self.inputs.forget()

    def get(self, world: World, targets: Array, joints: Array) -> tuple[Array, Array]:
        """Return the matrices from joints (numbers of names) to the models of targets, and which exist, bool n."""
        pairs = np.stack([targets, joints], axis=1)
        if self.inputs.changed(world) or not np.array_equal(pairs, self.wanted):
            self.wanted = pairs
            self.matrices, self.known = _joint_matrices(world, targets, joints)
        return self.matrices, self.known


def any_socket(world: World) -> bool:
    """Return whether any entity has a Socket3D."""
    return len(world.table(Socket3D)) > 0


@system(
    Stage.UPDATE, reads=(Model3D, Animator3D), writes=(Transform3D, Socket3D), after=("scripts.*", "rules.run"),
    before=("space3d.flatten", "audio.step"), run_if=any_socket, marks=True,
)  # fmt: skip
def follow_joints(world: World, dt: float) -> None:
    """Write the Transform3Ds of entities with `Socket3D`; rows that did not move are not marked."""
    query = world.query(Socket3D, Transform3D)
    if not len(query):
        return
    space, sockets = world.table(Transform3D), world.table(Socket3D)
    rows = space.rows_of(query.entities)
    socket_rows = sockets.rows_of(query.entities)
    parents = space.parent[rows].astype(np.int64)
    targets = np.where(sockets.target[socket_rows] == 0, parents, sockets.target[socket_rows])
    matrices, exists = world[JointPoses].get(world, targets, sockets.joint[socket_rows].astype(np.int64))
    position, turn = _placed(matrices.astype(np.float64), sockets.offset[socket_rows], sockets.turn[socket_rows])
    far = np.flatnonzero(exists & (targets != parents))
    if len(far):
        position[far], turn[far] = _relative(world, targets[far], parents[far], position[far], turn[far])
    _write(space, sockets, rows[exists], socket_rows[exists], position[exists], turn[exists])


def _joint_matrices(world: World, targets: Array, joints: Array) -> tuple[Array, Array]:
    """Return the present matrices of joints, float32 (n, 3, 4), and which of them exist."""
    library, models = world[ClipLibrary3D], world.table(Model3D)
    rows = models.rows_of(targets)
    assets = np.where(rows >= 0, models.asset[rows], 0) if len(models) else np.zeros(len(rows), np.int64)
    pairs, index = np.unique(np.stack([assets, joints], axis=1), axis=0, return_inverse=True)
    nodes = np.array([library.node(world, *pair) if pair[0] else -1 for pair in pairs.tolist()])[index.reshape(-1)]
    matrices, posed = _posed_matrices(world, targets, nodes)
    for k in np.flatnonzero((nodes >= 0) & ~posed).tolist():
        skeleton = library.skeleton(world, int(assets[k]))
        assert skeleton is not None  # it has this node
        matrices[k] = skeleton.model.rest[nodes[k]]
    return matrices, nodes >= 0


def _posed_matrices(world: World, targets: Array, nodes: Array) -> tuple[Array, Array]:
    """Return the matrices of nodes (-1: none) of models, and which of these models have a pose, bool n."""
    library, matrices = world[ClipLibrary3D], np.zeros((len(targets), 3, 4), np.float32)
    sources = sources_of(world)
    work, entities = work_of(world, sources), sources.plan.entities
    rows = np.flatnonzero(np.isin(entities, targets[nodes >= 0]))
    posed = (nodes >= 0) & np.isin(targets, entities[rows])
    if not len(rows):
        return matrices, posed
    words, characters = library.tables.arrays[0], work.characters[rows]
    headers = characters[:, at.SKELETON_AT]
    counts = np.stack([words[headers + column] for column in (at.NODES, at.JOINTS, at.WEIGHTS)], axis=1)
    characters[:, at.NODE_AT :] = np.cumsum(counts, axis=0) - counts
    out = room_for(*counts.sum(axis=0).tolist())
    make_poses(library.tables, Work(characters, work.jobs, work.shares), out)
    order = np.searchsorted(entities[rows], targets[posed])
    matrices[posed] = out.nodes[characters[order, at.NODE_AT] + nodes[posed]]
    return matrices, posed


def _placed(matrices: Array, offset: Array, turn: Array) -> tuple[Array, Array]:
    """Return positions (n, 3) and rotations (n, 4) of entities at joints."""
    axes = matrices[:, :, :3]
    shift = offset.astype(np.float64)
    position = matrices[:, :, 3] + (
        axes[:, :, 0] * shift[:, :1] + axes[:, :, 1] * shift[:, 1:2] + axes[:, :, 2] * shift[:, 2:]
    )
    own_turn = turn.astype(np.float64)
    own_turn = np.where(own_turn.any(axis=1, keepdims=True), own_turn, [0.0, 0.0, 0.0, 1.0])
    return position, quaternions.normalized(quaternions.product(_turns(axes), own_turn))


def _turns(axes: Array) -> Array:
    """Return the rotations of matrices (n, 3, 3) whose columns may have any length but 0."""
    square = axes[:, 0] ** 2 + axes[:, 1] ** 2 + axes[:, 2] ** 2
    return quaternions.from_matrix(axes / np.sqrt(np.where(square > 0, square, 1.0))[:, None, :])


def _relative(world: World, targets: Array, parents: Array, position: Array, turn: Array) -> tuple[Array, Array]:
    """Convert poses relative to targets to poses relative to parents, or to the world where there is no parent."""
    space = world.table(Transform3D)
    matrices = world_matrices_3d(world).astype(np.float64)
    rows = space.rows_of(targets)
    nothing = np.eye(3, 4)
    above = np.where((rows >= 0)[:, None, None], matrices[rows], nothing)
    position = above[:, :, 3] + _times(above[:, :, :3], position)
    turn = quaternions.product(_turns(above[:, :, :3]), turn)
    rows = space.rows_of(parents)
    frame = np.where((rows >= 0)[:, None, None], matrices[rows], nothing)
    offset = position - frame[:, :, 3]
    local = np.zeros_like(offset)
    for k in range(3):  # Cramer's rule
        swapped = frame[:, :, :3].copy()
        swapped[:, :, k] = offset
        size = _volume(frame[:, :, :3])
        local[:, k] = np.where(size == 0, 0.0, _volume(swapped) / np.where(size == 0, 1.0, size))
    return local, quaternions.normalized(quaternions.product(quaternions.inverse(_turns(frame[:, :, :3])), turn))


def _times(m: Array, v: Array) -> Array:
    return m[:, :, 0] * v[:, :1] + m[:, :, 1] * v[:, 1:2] + m[:, :, 2] * v[:, 2:]


def _volume(m: Array) -> Array:
    """Return the determinants of matrices (n, 3, 3)."""
    return (
        m[:, 0, 0] * (m[:, 1, 1] * m[:, 2, 2] - m[:, 1, 2] * m[:, 2, 1])
        - m[:, 0, 1] * (m[:, 1, 0] * m[:, 2, 2] - m[:, 1, 2] * m[:, 2, 0])
        + m[:, 0, 2] * (m[:, 1, 0] * m[:, 2, 1] - m[:, 1, 1] * m[:, 2, 0])
    )


def _write(space: Table, sockets: Table, rows: Array, socket_rows: Array, position: Array, turn: Array) -> None:
    """Write the poses that differ; new sockets also get them as their last poses, so that they are not interpolated."""
    with np.errstate(over="ignore"):
        position, turn = position.astype(np.float32), turn.astype(np.float32)
    is_new = ~sockets.placed[socket_rows]
    has_moved = is_new | (space.position[rows] != position).any(axis=1) | (space.rotation[rows] != turn).any(axis=1)
    has_moved &= np.isfinite(position).all(axis=1) & np.isfinite(turn).all(axis=1)
    moved_rows = rows[has_moved]
    if not len(moved_rows):
        return
    space.position[moved_rows], space.rotation[moved_rows] = position[has_moved], turn[has_moved]
    space.mark(moved_rows)
    new = has_moved & is_new
    space.last_position[rows[new]], space.last_rotation[rows[new]] = position[new], turn[new]
    sockets.placed[socket_rows[new]] = True
