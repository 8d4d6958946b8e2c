"""Sources: all clips that the poses of a moment are mixed from, in the order of mixing.

A source is a clip at a time with a share. The clips that fade out below an animator and its own clip are a layer; the
layers of a target are sorted by `layer`, then by animator. All of it depends only on the components, and on how long
before the present tick the moment is. The part that does not change from tick to tick is a `Plan`, which is cached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_ecs import Inputs, resource
from rish_jit import Array

from ..components.animation import Animator3D, FadingClips3D
from ..components.models import Model3D
from ..models.numbering import numbered
from . import tables as at
from .clip_library import ClipKey, ClipLibrary3D
from .tables import Work

if TYPE_CHECKING:
    from rish_core import Table, World


def _numbers() -> Array:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Plan:
    """The columns of sources that stay the same as long as the same clips play, s of them for a targets.

    animator: rows of Animator3D. fading: rows of FadingClips3D, -1: the clip of the animator. clip: indices in
    `ClipLibrary3D.ready`. begins, ends: whether it is the first, the last of its layer. pick: rows of the columns of
    both tables, one after the other. additive: bool. starts, entities: int64 (a,), the first source of each target, and
    the targets. clips_at: float64 (3, s): offset, last row and seconds from row to row of the clips. jobs, characters:
    see `tables`; the row before the time is missing.
    """

    animator: Array
    fading: Array
    clip: Array
    begins: Array
    ends: Array
    pick: Array
    additive: Array
    starts: Array
    entities: Array
    clips_at: Array
    jobs: Array
    characters: Array


@resource(derived=True)
class ClipsOfAnimators3D:
    """The clip of each row of Animator3D, an index in `ClipLibrary3D.ready`, as long as its names stay the same.

    inputs, library: the sources, and the library of clips. targets: the entities whose models move. assets: the numbers
    of the texts of these models; 0: none. below_names, below: the same for the rows of FadingClips3D. plan_names, plan:
    the clips that play, and their plan.
    """

    names: Array = dataclass_field(default_factory=_numbers)
    clips: Array = dataclass_field(default_factory=_numbers)
    targets: Array = dataclass_field(default_factory=_numbers)
    assets: Array = dataclass_field(default_factory=_numbers)
    below_names: Array = dataclass_field(default_factory=_numbers)
    below: Array = dataclass_field(default_factory=_numbers)
    plan_names: Array = dataclass_field(default_factory=_numbers)
    plan: Plan | None = None
    inputs: Inputs = dataclass_field(default_factory=lambda: Inputs((Animator3D, Model3D)))
    library: Inputs = dataclass_field(default_factory=lambda: Inputs((ClipLibrary3D,)))

    def rebuild(self, world: World) -> None:
        """Forget the clips after a restore."""
        self.inputs.forget()
        self.plan = None

    def get(self, world: World) -> Array:
        """Return the clip of each row, int64 n; -1 where there is none."""
        table, models = world.table(Animator3D), world.table(Model3D)
        new_library = self.library.changed(world)
        if not self.inputs.changed(world) and not new_library:
            return self.clips
        self.targets = np.where(table.target == 0, table.entities, table.target)
        rows = models.rows_of(self.targets)
        self.assets = np.where(rows >= 0, models.asset[rows], 0) if len(models) else np.zeros(len(rows), np.int64)
        names = keys_of(table, self.assets, table.clips, table.clip, np.arange(len(table)))
        if new_library:
            self.names, self.below_names, self.plan = _numbers(), _numbers(), None
        if not np.array_equal(names, self.names):
            self.names, self.clips = names, find_clips(world, names)
        return self.clips

    def get_below(self, world: World, above: Array) -> Array:
        """Return the clip of each row of FadingClips3D, int64 n. above: the rows of their animators, -1: gone."""
        table, fading = world.table(Animator3D), world[FadingClips3D]
        names = keys_of(table, self.assets[above], fading.clips, fading.clip, above)
        if not np.array_equal(names, self.below_names):
            self.below_names, self.below = names, find_clips(world, names)
        return self.below

    def get_plan(self, world: World) -> Plan:
        """Return the plan of all sources."""
        table, fading, clips = world.table(Animator3D), world[FadingClips3D], self.get(world)
        rows = world.query(Animator3D).rows(Animator3D)
        rows = rows[clips[rows] >= 0]
        animator, pick, clip = rows, rows, clips[rows]
        if len(fading) and len(table):
            above = table.rows_of(fading.animator)
            below = self.get_below(world, above)
            active = np.zeros(len(table) + 1, np.bool_)
            active[rows] = True
            indices = np.flatnonzero((below >= 0) & active[above])
            animator, pick = np.concatenate([rows, above[indices]]), np.concatenate([rows, len(table) + indices])
            clip = np.concatenate([clip, below[indices]])
        columns = (self.targets, self.assets, table.layer, table.additive, table.mask)
        names = np.stack([animator, pick, clip, *(column[animator] for column in columns)])
        if self.plan is None or not np.array_equal(names, self.plan_names):
            self.plan_names, self.plan = names, _plan_of(world, names)
        return self.plan


def _plan_of(world: World, names: Array) -> Plan:
    """Return the plan of sources; names: see `get_plan`."""
    table, library = world.table(Animator3D), world[ClipLibrary3D]
    animator, pick, _, target, _, layer, _, _ = names
    order = np.lexsort((pick, pick < len(table), animator, layer, target))
    animator, pick, clip, target, asset, _, additive, mask = names[:, order]
    count = len(animator)
    begins = np.ones(count, np.bool_)
    begins[1:] = animator[1:] != animator[:-1]
    starts = np.flatnonzero(np.concatenate([[True], target[1:] != target[:-1]])) if count else _numbers()
    facts = library.facts[clip, :3].T
    kind = np.where(additive, at.ADD, np.where(begins, at.BEGIN, at.MIX))
    jobs = np.stack([facts[0], np.zeros(count), kind, _mask_offsets(world, asset, mask)], axis=1).astype(np.int64)
    assets, numbers = numbered(asset[starts])
    skeletons = [library.skeleton(world, each) for each in assets.tolist()]
    sizes = [[s.offset, len(s.model.names), s.model.joints, len(s.model.weights)] for s in skeletons if s]
    rooms = np.array(sizes, np.int64).reshape(-1, 4)[numbers]
    offsets = np.cumsum(rooms[:, 1:], axis=0) - rooms[:, 1:]
    characters = np.concatenate([rooms[:, :1], starts[:, None], np.append(starts, count)[1:, None], offsets], axis=1)
    return Plan(
        animator, np.maximum(pick - len(table), -1), clip, begins, np.roll(begins, -1), pick,
        additive.astype(np.bool_), starts, target[starts], facts, jobs, characters,
    )  # fmt: skip


def keys_of(table: Table, assets: Array, clips: Array, clip: Array, rows: Array) -> Array:
    """Return the numbers of `ClipKey` for some rows of Animator3D with some clips, int64 (n, 6)."""
    columns = [assets, clips, clip, table.mode[rows], table.root[rows], table.lift[rows]]
    return np.stack([np.asarray(column, np.int64) for column in columns], axis=1)


def find_clips(world: World, keys: Array) -> Array:
    """Return the indices of clips, int64 n; -1 where there is none. keys: see `keys_of`."""
    if not len(keys):
        return np.zeros(0, np.int64)
    library = world[ClipLibrary3D]
    distinct, index = np.unique(keys, axis=0, return_inverse=True)
    indices = [library.find(world, ClipKey(*key)) if key[0] else -1 for key in distinct.tolist()]
    return np.array(indices, np.int64)[index.reshape(-1)]


class Sources(NamedTuple):
    """The sources at a moment. time: seconds in the clip. share: within its layer."""

    plan: Plan
    time: Array
    share: Array


def sources_of(world: World, back: float = 0.0) -> Sources:
    """Return the sources at a moment. back: the time before the present tick, as a fraction of a tick."""
    table, fading, plan = world.table(Animator3D), world[FadingClips3D], world[ClipsOfAnimators3D].get_plan(world)

    def column(name: str) -> Array:
        both = np.concatenate([table.column(name), fading.column(name)])
        return both[plan.pick].astype(np.float64)

    timings = world[ClipLibrary3D].timings
    moment = timings.carried_on(plan.clip, column("time"), -back * column("went"))
    since = np.where(table.playing[plan.animator], back * world.dt, 0.0)
    fade, faded = column("fade"), column("faded")
    fades = fade > 0
    share = np.where(fades, np.clip((faded - since) / np.where(fades, fade, 1.0), 0.0, 1.0), 1.0)
    return Sources(plan, timings.folded(plan.clip, moment), share)


def work_of(world: World, sources: Sources) -> Work:
    """Return the work for the poses of all targets of the sources."""
    plan, time = sources.plan, sources.time
    _, last, interval = plan.clips_at
    row_time = time / interval
    row = np.clip(np.floor(row_time), 0, last)
    jobs = plan.jobs.copy()
    jobs[:, at.ROW] = row
    weight = world.table(Animator3D).weight[plan.animator].astype(np.float64)
    layer = np.where(plan.ends, weight, 0.0)
    if plan.additive.any():
        layer = np.where(plan.additive, weight * shares_kept(sources), layer)
    shares = np.stack([np.clip(row_time - row, 0.0, 1.0), sources.share, layer, time], axis=1)
    return Work(plan.characters, jobs, shares)


def from_the_top(plan: Plan) -> Iterator[tuple[Array, Array]]:
    """Yield the sources in parts, the highest of each target first: the indices of targets, and of their sources."""
    ends = np.append(plan.starts[1:], len(plan.clip))
    for rank in range(int((ends - plan.starts).max(initial=0))):
        targets = np.flatnonzero(ends - plan.starts > rank)
        yield targets, ends[targets] - 1 - rank


def shares_kept(sources: Sources) -> Array:
    """Return the share of each source in its layer after later ones have covered it, float64 n."""
    shares, left = sources.share.copy(), np.ones(len(sources.share))
    for targets, k in from_the_top(sources.plan):
        remaining = np.where(sources.plan.ends[k], 1.0, left[targets])
        shares[k] = sources.share[k] * remaining
        left[targets] = remaining * (1.0 - sources.share[k])
    return shares


def _mask_offsets(world: World, assets: Array, masks: Array) -> Array:
    """Return the offsets of masks (numbers of texts) of models, int64 n; -1: all nodes."""
    if not masks.any():
        return np.full(len(masks), -1, np.int64)
    pairs, index = np.unique(np.stack([assets, masks], axis=1), axis=0, return_inverse=True)
    offsets = [world[ClipLibrary3D].mask(world, asset, mask) for asset, mask in pairs.tolist()]
    return np.array(offsets, np.int64)[index.reshape(-1)]
