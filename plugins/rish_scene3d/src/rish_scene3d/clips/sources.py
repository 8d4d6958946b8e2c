"""Sources: all clips that make up the poses of a moment, in the order in which they are laid over one another.

A source is a clip at a time with a share. The clips that fade out below an animator and its own clip are a layer; the
layers of a target are sorted by `layer`, then by animator. All of it follows from the components alone, and from how
long before the present tick the moment is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_ecs import resource

from ..components.animation import Animator3D, FadingClips3D
from ..components.models import Model3D
from . import tables as at
from .library import ClipKey, ClipLibrary3D
from .tables import Work, make_work

if TYPE_CHECKING:
    from rish_core import Table, World

Array = npt.NDArray[Any]


def _numbers() -> Array:
    return np.zeros(0, np.int64)


@resource(derived=True)
class ClipsOfAnimators3D:
    """The clip of each row of Animator3D, an index in `ClipLibrary3D.ready`, as long as its names stay the same.

    targets: the entities whose models move. assets: the numbers of the texts of these models; 0: none. below_names,
    below: the same for the rows of FadingClips3D. order_names, order: of sources, and what they follow from.
    """

    names: Array = dataclass_field(default_factory=_numbers)
    clips: Array = dataclass_field(default_factory=_numbers)
    targets: Array = dataclass_field(default_factory=_numbers)
    assets: Array = dataclass_field(default_factory=_numbers)
    below_names: Array = dataclass_field(default_factory=_numbers)
    below: Array = dataclass_field(default_factory=_numbers)
    order_names: Array = dataclass_field(default_factory=_numbers)
    order: Array = dataclass_field(default_factory=_numbers)
    edition: int = -1
    seen: tuple[int, ...] = ()

    def rebuild(self, world: World) -> None:
        """Forget the clips after a restore."""
        self.seen = ()

    def get(self, world: World) -> Array:
        """Return the clip of each row, int64 n; -1 where there is none."""
        table, library, models = world.table(Animator3D), world[ClipLibrary3D], world.table(Model3D)
        seen = (table.version, models.version, library.edition, len(table))
        if seen == self.seen:
            return self.clips
        self.seen = seen
        self.targets = np.where(table.target == 0, table.entities, table.target)
        rows = models.rows_of(self.targets)
        self.assets = np.where(rows >= 0, models.asset[rows], 0) if len(models) else np.zeros(len(rows), np.int64)
        names = keys_of(table, self.assets, table.clips, table.clip, np.arange(len(table)))
        if self.edition != library.edition:
            self.edition, self.below_names = library.edition, _numbers()
            self.names = self.below_names
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

    def get_order(self, table: Table, animator: Array, number: Array) -> Array:
        """Return the order of sources: by target, layer, animator, the oldest first. number: see `Sources.fading`."""
        names = np.stack([animator, number, table.layer[animator], self.targets[animator]])
        if not np.array_equal(names, self.order_names):
            last = len(animator)
            self.order_names = names
            self.order = np.lexsort((np.where(number < 0, last, number), animator, names[2], names[3]))
        return self.order


def keys_of(table: Table, assets: Array, clips: Array, clip: Array, rows: Array) -> Array:
    """Return the numbers of `ClipKey` for some rows of Animator3D with some clips, int64 (n, 6)."""
    columns = [assets, clips, clip, table.mode[rows], table.root[rows], table.lift[rows]]
    return np.stack([np.asarray(column, np.int64) for column in columns], axis=1)


def find_clips(world: World, keys: Array) -> Array:
    """Return the indices of clips, int64 n; -1 where there is none. keys: see `keys_of`."""
    if not len(keys):
        return np.zeros(0, np.int64)
    library = world[ClipLibrary3D]
    distinct, place = np.unique(keys, axis=0, return_inverse=True)
    found = [library.find(world, ClipKey(*key)) if key[0] else -1 for key in distinct.tolist()]
    return np.array(found, np.int64)[place.reshape(-1)]


class Sources(NamedTuple):
    """Columns of sources, in the order of their targets and of being laid.

    target: entities. animator: rows of Animator3D. clip: indices in `ClipLibrary3D.ready`. time: seconds in the clip.
    share: within its layer. begins, ends: whether it is the first, the last of its layer. fading: the row of
    FadingClips3D, -1: the clip of the animator.
    """

    target: Array
    animator: Array
    clip: Array
    time: Array
    share: Array
    begins: Array
    ends: Array
    fading: Array


def sources_of(world: World, back: float = 0.0) -> Sources:
    """Return the sources at a moment. back: how far it is before the present tick on the way from the one before."""
    table, kept, fading = world.table(Animator3D), world[ClipsOfAnimators3D], world[FadingClips3D]
    clips = kept.get(world)
    rows = world.query(Animator3D).rows(Animator3D)
    rows = rows[clips[rows] >= 0]
    since = back * world.dt
    animator, number = rows, np.full(len(rows), -1, np.int64)
    time, way, clip = table.time[rows].astype(np.float64), table.went[rows].astype(np.float64), clips[rows]
    share = _shares(table, rows, np.where(table.playing[rows], since, 0.0))
    if len(fading) and len(table):
        above = table.rows_of(fading.animator)
        below = kept.get_below(world, above)
        active = np.zeros(len(table) + 1, np.bool_)
        active[rows] = True
        some = np.flatnonzero((below >= 0) & active[above])
        above = above[some]
        animator, number = np.concatenate([animator, above]), np.concatenate([number, some])
        time, way = np.concatenate([time, fading.time[some]]), np.concatenate([way, fading.went[some]])
        clip = np.concatenate([clip, below[some]])
        share = np.concatenate([share, _shares(fading, some, np.where(table.playing[above], since, 0.0))])
    order = kept.get_order(table, animator, number)
    animator, number, clip = animator[order], number[order], clip[order]
    timings = world[ClipLibrary3D].timings
    moment = timings.carried_on(clip, time[order], -back * way[order])
    begins = np.ones(len(order), np.bool_)
    begins[1:] = animator[1:] != animator[:-1]
    ends = np.roll(begins, -1)
    target = kept.targets[animator]
    return Sources(target, animator, clip, timings.folded(clip, moment), share[order], begins, ends, number)


def _shares(table: Table, rows: Array, since: Array) -> Array:
    """Return how far some clips have replaced what was before, 0..1. since: seconds that do not count yet."""
    fade, faded = table.fade[rows].astype(np.float64), table.faded[rows].astype(np.float64)
    return np.where(fade > 0, np.clip((faded - since) / np.where(fade > 0, fade, 1.0), 0.0, 1.0), 1.0)


def work_of(world: World, sources: Sources) -> tuple[Work, Array]:
    """Return the work for the poses of all targets of the sources, and these entities, int64 n, sorted."""
    library, kept, table = world[ClipLibrary3D], world[ClipsOfAnimators3D], world.table(Animator3D)
    count = len(sources.clip)
    if not count:
        return make_work(np.zeros((0, 6)), np.zeros((0, 4)), np.zeros((0, 4))), np.zeros(0, np.int64)
    offset, last, interval = library.facts[sources.clip, :3].T
    along = sources.time / interval
    row = np.clip(np.floor(along), 0, last)
    between = np.clip(along - row, 0.0, 1.0)
    additive = table.additive[sources.animator]
    weight = table.weight[sources.animator].astype(np.float64)
    kind = np.where(additive, at.ADD, np.where(sources.begins, at.BEGIN, at.MIX))
    layer = np.where(sources.ends, weight, 0.0)
    if additive.any():
        layer = np.where(additive, weight * shares_kept(sources), layer)
    jobs = np.stack([offset, row, kind, mask_offsets(world, sources.animator)], axis=1)
    shares = np.stack([between, sources.share, layer, sources.time], axis=1)
    first = np.flatnonzero(np.concatenate([[True], sources.target[1:] != sources.target[:-1]]))
    entities = sources.target[first]
    assets, which = distinct(kept.assets[sources.animator[first]])
    skeletons = [library.skeleton(world, asset) for asset in assets.tolist()]
    sizes = np.array([[s.offset, len(s.model.names), s.model.joints, len(s.model.weights)] for s in skeletons if s])
    sizes = sizes[which]
    starts = np.cumsum(sizes[:, 1:], axis=0) - sizes[:, 1:]
    characters = np.concatenate([sizes[:, :1], first[:, None], np.append(first[1:], count)[:, None], starts], axis=1)
    return make_work(characters, jobs, shares), entities


def distinct(values: Array) -> tuple[Array, Array]:
    """Return the distinct values and the place of each among them; quick if all are the same."""
    if len(values) and (values == values[0]).all():
        return values[:1], np.zeros(len(values), np.int64)
    return np.unique(values, return_inverse=True)


def from_the_top(sources: Sources) -> Iterator[tuple[Array, Array]]:
    """Yield the sources in parts, the highest of each target first: the indices of targets, and of their sources."""
    starts = np.flatnonzero(np.concatenate([[True], sources.target[1:] != sources.target[:-1]]))
    ends = np.append(starts[1:], len(sources.target))
    for rank in range(int((ends - starts).max(initial=0))):
        some = np.flatnonzero(ends - starts > rank)
        yield some, ends[some] - 1 - rank


def shares_kept(sources: Sources) -> Array:
    """Return the share of each source in its layer after later ones have covered it, float64 n."""
    found, left = sources.share.copy(), np.ones(len(sources.share))
    for some, k in from_the_top(sources):
        still = np.where(sources.ends[k], 1.0, left[some])
        found[k] = sources.share[k] * still
        left[some] = still * (1.0 - sources.share[k])
    return found


def mask_offsets(world: World, animators: Array) -> Array:
    """Return the offsets of the masks of some rows of Animator3D, int64 n."""
    table, kept, library = world.table(Animator3D), world[ClipsOfAnimators3D], world[ClipLibrary3D]
    masks = table.mask[animators]
    if not masks.any():
        return np.full(len(animators), -1, np.int64)
    pairs = np.stack([kept.assets[animators], masks], axis=1)
    distinct, place = np.unique(pairs, axis=0, return_inverse=True)
    found = [library.mask(world, asset, mask) for asset, mask in distinct.tolist()]
    return np.array(found, np.int64)[place.reshape(-1)]
