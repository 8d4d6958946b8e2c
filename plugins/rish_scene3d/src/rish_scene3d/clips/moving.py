"""Root motion: moves the entities by the motions of their clips' roots in this tick."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from rish_animation import Passed
from rish_ecs.declarations import distinct
from rish_jit import Array
from rish_space3d import Transform3D, quaternions

from ..components.animation import Animator3D
from . import tables as at
from .clip_library import ClipLibrary3D
from .sources import ClipsOfAnimators3D, Plan, Sources, from_the_top, shares_kept, sources_of

if TYPE_CHECKING:
    from rish_core import World

_UP = np.array([0.0, 1.0, 0.0])


def move_roots(world: World, passed: Sequence[Passed], below: Passed | None) -> None:
    """Move and turn the Transform3Ds of models by the motions of their roots, weighted by the shares of the clips.

    passed: parts of the tick, of rows of Animator3D. below: those of rows of FadingClips3D.
    """
    library, table = world[ClipLibrary3D], world.table(Animator3D)
    if not table.root.any() or not any(clip.motion for clip in library.ready):
        return
    sources = sources_of(world)
    plan, weights = sources.plan, _root_weights(world, sources)
    weights_of_animators, faded = np.zeros(len(table)), np.zeros(max(int(plan.fading.max(initial=0)) + 1, 1))
    of_animator = plan.fading < 0
    weights_of_animators[plan.animator[of_animator]] = weights[of_animator]
    faded[plan.fading[~of_animator]] = weights[~of_animator]
    targets = world[ClipsOfAnimators3D].targets
    entities: list[Array] = []
    motions: list[Array] = []
    animators = np.zeros(len(faded), np.int64)
    animators[plan.fading[~of_animator]] = plan.animator[~of_animator]
    parts = [(part, weights_of_animators[part.rows], part.rows) for part in passed]
    if below is not None and len(below.rows):
        inside = below.rows < len(faded)
        below_part = Passed(below.rows[inside], below.clips[inside], below.span.of(inside))
        parts.append((below_part, faded[below_part.rows], animators[below_part.rows]))
    for part, share, rows in parts:
        weighted = _motions(library, part) * share[:, None]
        went = np.flatnonzero(weighted.any(axis=1))
        entities.append(targets[rows[went]])
        motions.append(weighted[went])
    _move(world, np.concatenate(entities), np.concatenate(motions))


def _motions(library: ClipLibrary3D, part: Passed) -> Array:
    """Return the motions of the roots during a part of a tick, float64 (n, 4)."""
    motions = np.zeros((len(part.rows), 4))
    for clip in distinct(part.clips).tolist():
        motion, timing = library.ready[clip].motion, library.timings.rows[clip]
        if motion is not None:
            of_clip = part.clips == clip
            motions[of_clip] = motion.during(part.span.of(of_clip), timing.seconds, timing.mode)
    return motions


def _root_weights(world: World, sources: Sources) -> Array:
    """Return the share of each source in the pose of the root, float64 (n,), after higher layers have covered it."""
    plan, within = sources.plan, shares_kept(sources)
    weight = world.table(Animator3D).weight[plan.animator].astype(np.float64)
    counts = ~plan.additive & _root_allowed(world[ClipLibrary3D], plan)
    weights, filled, left = np.zeros(len(within)), np.zeros(len(within)), np.ones(len(within))
    for targets, k in from_the_top(plan):
        weights[k] = np.where(counts[k], left[targets] * weight[k] * within[k], 0.0)
        filled[targets] = np.where(plan.ends[k], 0.0, filled[targets]) + within[k]
        covered = left[targets] * (1.0 - weight[k] * np.minimum(filled[targets], 1.0))
        left[targets] = np.where(counts[k] & plan.begins[k], covered, left[targets])
    return weights


def _root_allowed(library: ClipLibrary3D, plan: Plan) -> Array:
    """Return for each source whether its target has a root that the source's mask allows, bool (n,)."""
    if not len(plan.clip):
        return np.zeros(0, np.bool_)
    highest = np.maximum.reduceat(library.facts[plan.clip, 3], plan.starts).astype(np.int64)
    root = np.repeat(highest, np.diff(np.append(plan.starts, len(plan.clip))))
    offset, floats = plan.jobs[:, at.MASK], library.tables.arrays[2]
    masked = (offset >= 0) & (root >= 0)
    allowed = root >= 0
    allowed[masked] = floats[offset[masked] + root[masked]] != 0
    return allowed


def _move(world: World, entities: Array, motions: Array) -> None:
    """Move entities by motions (n, 4) in their own axes; several motions of one entity are added."""
    space = world.table(Transform3D)
    distinct, index = np.unique(entities, return_inverse=True)
    total = np.zeros((len(distinct), 4))
    np.add.at(total, index, motions)
    rows = space.rows_of(distinct)
    total, rows = total[rows >= 0], rows[rows >= 0]
    if not len(rows):
        return
    turn = quaternions.normalized(space.rotation[rows].astype(np.float64))
    nothing = ~turn.any(axis=1)
    turn[nothing] = (0.0, 0.0, 0.0, 1.0)
    step = quaternions.turned(turn, total[:, :3] * space.scale[rows])
    space.position[rows] = space.position[rows] + step
    space.rotation[rows] = quaternions.product(turn, quaternions.from_axis(_UP, total[:, 3]))
    space.mark(rows)
