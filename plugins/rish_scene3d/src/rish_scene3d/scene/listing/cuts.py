"""Cuts: the instances in a view volume, as the arrays of a pass; they follow the instances that changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rish_frame import Patch
from rish_jit import Array
from rish_space3d import frustum_planes

from ... import layout as at
from .instances import Instances
from .looks import Looks
from .packing import WORDS, inside, take_inside
from .sorted_rows import SortedRows


@dataclass(frozen=True, eq=False)
class Cut:
    """The instances of a pass: `instances` and `runs` as in `layout`. The next frame may overwrite the instances.

    patch: how they differ from those of the cut before, if that is known.
    """

    instances: Array
    runs: Array
    patch: Patch | None = None


EMPTY_CUT = Cut(np.zeros(0, at.INSTANCE), np.zeros((0, 4), np.int32))


class Changed(NamedTuple):
    """What changed in a frame. former: int64, rising, the keys of instances that are gone or changed. slots: int32, of
    those that are new or changed, by their keys."""

    former: Array
    slots: Array


class SeenInstances:
    """The instances in one view volume: copies in one buffer, which the next frame overwrites.

    frame: the number of the frame for which they are valid. view: the camera and the bits of its layers.
    """

    def __init__(self) -> None:
        self.frame = -1
        self.view: Any = None
        self.cut = EMPTY_CUT
        self._rows = SortedRows(np.int64, WORDS)
        self._planes: Array = np.zeros((6, 4), np.float32)

    def aim(self, camera: Array) -> None:
        """Set the view volume. camera: projection · view."""
        self._planes = frustum_planes(camera)

    def take(self, instances: Instances, looks: Looks, shown: int, mask: Array, last: int) -> None:
        """Look for the instances among the first `last` ones. mask: int32, by slots; shown: bits of it."""
        rows = instances.instances.view(np.int64).reshape(-1, WORDS)
        has_changed = take_inside(
            self._rows, instances.spheres, mask, self._planes, shown, rows, instances.order, last
        )  # fmt: skip
        runs = runs_of(looks, self._rows.keys)
        if has_changed or not np.array_equal(runs, self.cut.runs):
            self._renew(runs)

    def follow(
        self, instances: Instances, looks: Looks, shown: int, mask: Array, last_key: int, changed: Changed
    ) -> None:  # fmt: skip
        """Replace the instances that changed. last_key: the instances with greater keys are left out."""
        keys, slots = self._rows.keys, changed.slots
        removed = keys.searchsorted(changed.former)
        removed = removed[keys.take(removed, mode="clip") == changed.former] if len(keys) else removed[:0]
        slots = slots[inside(instances.spheres[slots], mask[slots], self._planes, shown)]
        slots = slots[instances.key[slots] < last_key]
        new_keys, new = instances.key[slots], instances.instances[slots].view(np.int64)
        if len(removed) == len(slots) and np.array_equal(keys[removed], new_keys):
            rows = self._rows.values.reshape(-1, WORDS)
            if not np.array_equal(rows[removed].reshape(-1), new):
                rows[removed] = new.reshape(-1, WORDS)
                self._renew(self.cut.runs, Patch(self.cut.instances, [(int(removed[0]), int(removed[-1]) + 1)]))
            return
        self._rows.replace(removed, new_keys, new)
        changed_rows = [*removed.tolist(), *self._rows.keys.searchsorted(new_keys).tolist()]
        last = max(changed_rows) + 1 if len(removed) == len(slots) else self._rows.count
        self._renew(
            runs_of(looks, self._rows.keys),
            Patch(self.cut.instances, [(min(changed_rows), min(last, self._rows.count))]),
        )

    def _renew(self, runs: Array, patch: Patch | None = None) -> None:
        self.cut = Cut(self._rows.values.view(at.INSTANCE), runs, patch)


def runs_of(looks: Looks, keys: Array) -> Array:
    """Return the runs of instances with these keys, which are rising, int32 (r, 4)."""
    if len(looks.groups) == 1:
        return make_runs(looks.groups, 0, len(keys)) if len(keys) else EMPTY_CUT.runs
    starts = looks.starts(keys)
    group = (starts[1:] > starts[:-1]).nonzero()[0]
    return make_runs(looks.groups[group], starts[group], starts[group + 1])


def make_runs(groups: Array, first: Any, last: Any) -> Array:
    """Return runs, int32 (r, 4). groups: (r, 2), mesh and flags. first, last: of the instances."""
    runs = np.empty((len(groups), 4), np.int32)
    runs[:, at.RUN_MESH], runs[:, at.RUN_FLAGS] = groups.T
    runs[:, at.RUN_FIRST], runs[:, at.RUN_COUNT] = first, last - first
    return runs
