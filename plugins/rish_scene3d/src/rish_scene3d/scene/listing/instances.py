"""The instances of all models: one for each piece of a model that is shown, in slots that they keep.

A slot that becomes free is used again. `order` holds the slots in drawing order: solid ones first, equal meshes with
equal flags together, then by row of Model3D.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array

from ... import layout as at
from .sorted_rows import SortedRows

_TINT = 13
"""The column of the tint in an instance as int32."""
NO_ROW = -1
"""The row of Transform3D of a free slot."""


class Instances:
    """The columns of all slots. order: their keys, see `Looks.keys`, and numbers.

    key: int64. entity: int64. row: int32, of Transform3D. piece: int32, of the catalog. bits: int32, of layers. casts:
    int32, 1: it casts shadows. turned: uint8, 1 where the entity's matrix mirrors; its flags say so too. offset, ball:
    see `packing.place`. instances: `layout.INSTANCE`. spheres: (s, 4), in the world. mirrored: uint8, as placed.
    """

    def __init__(self) -> None:
        self.order = SortedRows(np.int32)
        self._end = 0
        self._free: list[int] = []
        self.make_room(0)

    def make_room(self, slots: int) -> None:
        """Start without instances, with room for some."""
        self._end = slots
        self._free = []
        self.key: Array = np.zeros(slots, np.int64)
        self.entity: Array = np.zeros(slots, np.int64)
        self.row: Array = np.full(slots, NO_ROW, np.int32)
        self.piece: Array = np.zeros(slots, np.int32)
        self.bits: Array = np.zeros(slots, np.int32)
        self.casts: Array = np.zeros(slots, np.int32)
        self.turned: Array = np.zeros(slots, np.uint8)
        self.offset: Array = np.zeros(slots, np.int32)
        self.ball: Array = np.zeros((slots, 4), np.float32)
        self.instances: Array = np.zeros(slots, at.INSTANCE)
        self.spheres: Array = np.zeros((slots, 4), np.float32)
        self.mirrored: Array = np.zeros(slots, np.uint8)

    def __len__(self) -> int:
        """Return the number of instances."""
        return self.order.count

    @property
    def slots(self) -> Array:
        """The slots in drawing order, int32."""
        return self.order.values

    @property
    def tints(self) -> Array:
        """The tints of all slots, int32: four bytes as one number, which numpy copies faster."""
        return self.instances.view(np.int32).reshape(-1, 16)[:, _TINT]

    def take(self, count: int) -> Array:
        """Return free slots, int32 (count,)."""
        free = self._free[-count:] if count else []
        del self._free[len(self._free) - len(free) :]
        more = count - len(free)
        self._end += more
        if self._end > len(self.row):
            self._grow(2 * self._end)
        return np.array([*free, *range(self._end - more, self._end)], np.int32)

    def release(self, slots: Array) -> None:
        """Free slots; they show nothing any more."""
        self.row[slots] = NO_ROW
        self.turned[slots] = self.mirrored[slots] = 0
        self._free.extend(slots.tolist())

    def _grow(self, room: int) -> None:
        for name, column in list(vars(self).items()):
            if isinstance(column, np.ndarray):
                grown = np.zeros((room, *column.shape[1:]), column.dtype)
                grown[: len(column)] = column
                setattr(self, name, grown)
        self.row[self._end :] = NO_ROW
