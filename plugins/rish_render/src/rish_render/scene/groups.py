"""Groups: which entities are drawn together into one image.

Each `CanvasGroup` has a layer of its own, numbered above those of the stack, and so has each mask. On it are the entity
and all its descendants by `Transform.parent`, down to the next group. Only the pass of the group draws that layer (see
`group_passes`). The resulting image is then drawn on the layer of the group itself, which may be the layer of another
group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Transform
from rish_ecs import Table
from rish_jit import Array

if TYPE_CHECKING:
    from rish_ecs import World


_NONE = -1


@dataclass
class Groups:
    """The groups of one frame, one per row; groups without a Transform are left out.

    rows, places: the rows of their components and Transforms. number: the layer of the group's contents. home: the
    layer on which its image is drawn. mask: the layer of its mask, -1 for none. depth: 0 for a group that is in no
    other. owner: the number of the layer by the row of a Transform, -1 if it belongs to no group. base: for every layer
    the named layer in which it finally is. inside: for every layer of a group or mask the layer in which it directly
    is.
    """

    rows: Array
    places: Array
    number: Array
    home: Array
    mask: Array
    depth: Array
    owner: Array
    base: Array
    inside: Array

    def place(self, world: World, numbers: Array, entities: Array) -> Array:
        """Return the layer number of each entity: its group's, or the given one if it is in no group."""
        rows = world.table(Transform).rows_of(entities)
        own = np.where(rows >= 0, self.owner[rows], _NONE)
        return np.where(own >= 0, own, numbers)


def make_groups(
    transforms: Table, parents: Array, names: int, rows: Array, places: Array, layers: Array, masks: Array
) -> Groups:
    """Return the groups of a world.

    parents: the parent entity of each Transform. names: how many layers have a name. layers, masks: of each row, its
    layer and the entity of its mask.
    """
    count = len(rows)
    up = np.where(parents != 0, transforms.rows_of(parents), _NONE).astype(np.int64)
    number = names + np.arange(count, dtype=np.int64)
    mask_rows = np.where(masks != 0, transforms.rows_of(masks), _NONE).astype(np.int64)
    kinds, which = np.unique(mask_rows[mask_rows >= 0], return_inverse=True)
    mask = np.full(count, _NONE, np.int64)
    mask[mask_rows >= 0] = names + count + which.reshape(-1)
    mark = np.full(len(parents), _NONE, np.int64)
    mark[kinds] = names + count + np.arange(len(kinds))
    mark_of_masks = mark[places]
    mark[places] = number
    owner = inherited(mark, up)
    above = np.where(up[places] >= 0, owner[up[places]], _NONE)
    home = np.where(mark_of_masks >= 0, mark_of_masks, np.where(above >= 0, above, layers))
    inside, beyond, depth = _homes(names, home, mask, len(kinds))
    base = np.concatenate([np.arange(names), beyond])
    return Groups(rows, places, number, home, mask, depth[:count], owner, base, inside)


def inherited(mark: Array, up: Array) -> Array:
    """Return each row's own mark, or that of its nearest marked ancestor; -1 if none has one.

    mark: int64 n, -1 for none. up: int64 n, the parent row, -1 for none. Each pass doubles the distance to the ancestor
    (pointer jumping), so that it also ends for a cycle.
    """
    mark, up = mark.copy(), up.copy()
    for _ in range(len(mark).bit_length() + 1):
        open_ = np.flatnonzero((mark < 0) & (up >= 0))
        if not len(open_):
            break
        mark[open_], up[open_] = mark[up[open_]], up[up[open_]]
    return mark


def _homes(names: int, home: Array, mask: Array, masks: int) -> tuple[Array, Array, Array]:
    """Return for each layer of a group, then of a mask: the layer it is in, the named layer it ends in, and its depth.

    A mask is in the deepest of the groups that it cuts. A cycle, as of a group inside its own mask, is cut.
    """
    count = len(home)
    inside = np.concatenate([home, np.zeros(masks, np.int64)])
    depth = np.zeros(count + masks, np.int64)
    base = inside.copy()
    for _ in range(2):
        for number in range(masks):
            users = np.flatnonzero(mask == names + count + number)
            inside[count + number] = names + users[np.argmax(depth[users])]
        base, depth = inside.copy(), np.zeros(count + masks, np.int64)
        for _ in range(count + masks):
            nested = base >= names
            if not nested.any():
                break
            base = np.where(nested, inside[np.where(nested, base - names, 0)], base)
            depth += nested
    return inside, np.where(base < names, base, 0), depth
