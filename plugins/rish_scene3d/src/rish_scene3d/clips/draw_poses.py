"""The system that computes the poses for drawing, interpolated between the last two ticks."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import Any

import numpy as np

from rish_core import Stage, World, resource, system
from rish_ecs import Inputs, Rows
from rish_jit import Array

from ..components.animation import Animator3D, FadingClips3D
from ..components.models import Model3D
from . import tables as at
from .clip_library import ClipLibrary3D
from .kernel import make_poses
from .skeleton_poses import Poses3D
from .sources import sources_of, work_of
from .tables import Poses, Work, make_work

_SOURCES = (Animator3D, FadingClips3D, Model3D, Rows(World), ClipLibrary3D)
_PLACE = [at.SKELETON_AT, at.NODE_AT, at.JOINT_AT, at.WEIGHT_AT]


def _nothing() -> Work:
    return make_work(np.zeros((0, 6)), np.zeros((0, 4)), np.zeros((0, 4)))


@resource(derived=True)
class PosedWork:
    """The inputs of the poses of the last frame: the sources, the moment, and the work.

    back: the part of a tick by which the drawn moment lies before the last one.
    """

    inputs: Inputs = dataclass_field(default_factory=lambda: Inputs(_SOURCES))
    back: float = -1.0
    work: Work = dataclass_field(default_factory=_nothing)

    def rebuild(self, world: World) -> None:
        """Clear all data after a restore."""
        self.inputs.forget()
        self.back, self.work = -1.0, _nothing()


@system(Stage.EXTRACT, reads=(Animator3D, FadingClips3D, Model3D), writes=Poses3D)
def pose(world: World, dt: float) -> None:
    """Write `Poses3D`: the poses of animated models at the moment of the frame; poses that did not change are kept."""
    poses, previous, library = world[Poses3D], world[PosedWork], world[ClipLibrary3D]
    table, fading = world.table(Animator3D), world[FadingClips3D]
    if not len(table) and not len(poses.entities):
        return
    back = 1.0 - float(world.alpha)
    changes = previous.inputs.take(world)
    if changes is None and (back == previous.back or _still(table, fading, world.dt)):
        return
    is_new = changes is not None and bool(changes[ClipLibrary3D])  # the tables were built again
    previous.back = back
    sources = sources_of(world, back)
    work, entities = work_of(world, sources), sources.plan.entities
    is_same = not is_new and np.array_equal(entities, poses.entities)
    is_same = is_same and np.array_equal(work.characters[:, _PLACE], previous.work.characters[:, _PLACE])
    if not is_same:
        _make_room(library, poses, work, entities)
    some = _changed(previous.work, work) if is_same else np.arange(len(entities))
    previous.work = work
    if len(some) or not is_same:
        out = Poses(poses.nodes, poses.palettes, poses.morphs)
        make_poses(library.tables, Work(work.characters[some], work.jobs, work.shares), out)
        poses.version += 1


def _still(table: Any, fading: Any, dt: float) -> bool:
    """Return whether poses are the same at every moment between the last two ticks."""
    fades = table.playing & (table.fade > 0) & (table.faded < table.fade + dt / 2)
    return not table.went.any() and not fades.any() and not (len(fading) and fading.went.any())


def _changed(old: Work, new: Work) -> Array:
    """Return the indices of the characters whose sources differ."""
    columns = [at.SOURCE, at.SOURCE_END]
    if len(old.jobs) != len(new.jobs) or not np.array_equal(old.characters[:, columns], new.characters[:, columns]):
        return np.arange(len(new.characters))
    differ = np.zeros(len(new.jobs), np.bool_)
    for before, new_rows in ((old.jobs, new.jobs), (old.shares, new.shares)):
        for k in range(before.shape[1]):  # column by column: `any(axis=1)` takes four times as long
            differ |= before[:, k] != new_rows[:, k]
    return np.flatnonzero(np.logical_or.reduceat(differ, new.characters[:, at.SOURCE]) if len(differ) else differ)


def _make_room(library: ClipLibrary3D, poses: Poses3D, work: Work, entities: Array) -> None:
    """Give `poses` rows for these characters."""
    words, characters = library.tables.arrays[0], work.characters
    counts = [words[characters[:, at.SKELETON_AT] + column] for column in (at.NODES, at.JOINTS, at.WEIGHTS)]
    poses.entities = entities.copy()
    firsts = [
        np.where(count > 0, characters[:, column], -1).astype(np.int32)
        for count, column in zip(counts, (at.NODE_AT, at.JOINT_AT, at.WEIGHT_AT), strict=True)
    ]
    poses.first_node, poses.first_joint, poses.first_weight = firsts
    nodes, joints, weights = (int(count.sum()) for count in counts)
    poses.nodes, poses.palettes = np.zeros((nodes, 3, 4), np.float32), np.zeros((joints, 3, 4), np.float32)
    poses.morphs = np.zeros(weights, np.float32)
