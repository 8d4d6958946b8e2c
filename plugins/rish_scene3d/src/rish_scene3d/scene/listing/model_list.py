"""The list of all instances, from the rows of Model3D; rows that changed are described again and replace their
instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs.declarations import distinct
from rish_jit import Array
from rish_space3d import Transform3D, WorldMatrices3D

from ...clips.skeleton_poses import Poses3D
from ...components.models import Model3D
from ...models.numbering import numbered
from ...models.store import Models3D
from .attachment import Attachment
from .catalog import Catalog
from .cuts import Changed
from .instances import Instances
from .layers import LayerBits
from .looks import FAINT, TURNED, Looks, row_of
from .own_materials import OwnMaterials
from .packing import mirrors, place
from .shown_models import HIDDEN, SHOWN, describe, differing, tint_bytes, words

if TYPE_CHECKING:
    from rish_core import World

_MAX_PATCHED = 0.125
"""The greatest share of models, or of instances, that are replaced or followed one by one."""


class ModelList:
    """The instances of all Model3D. All parts: see their modules.

    solid: the number of instances that do not blend. listing: another object whenever instances come or go, or show
    another entity or mesh. left: spheres (n, 4) of the casters of shadows that changed in this frame, as they were.
    """

    def __init__(self, materials: OwnMaterials) -> None:
        self.instances, self.looks, self.catalog = Instances(), Looks(), Catalog()
        self.attachment, self.materials, self.layers = Attachment(), materials, LayerBits()
        self.listing, self.solid = object(), 0
        self._shown: Array = np.zeros(0, SHOWN)  # by rows of Model3D, with room for more
        self._count = 0
        self.begin()

    def begin(self) -> None:
        """Begin a frame: nothing has changed in it."""
        self.left: list[Array] = []
        self._former: list[Array] = []
        self._written: list[Array] = []
        self._placed: list[Array] = []
        self._whole = False

    def changed(self) -> Changed | None:
        """Return what changed since `begin`; None if it was too much to follow one by one."""
        if self._whole:
            return None
        former = {key for part in self._former for key in part.tolist()}
        slots = np.array(sorted({slot for part in self._placed for slot in part.tolist()}), np.int32)
        slots = slots[self.instances.row[slots] >= 0]
        slots = slots[self.instances.key[slots].argsort()]
        return Changed(np.array(sorted(former), np.int64), slots)

    def start(self, world: World, store: Models3D) -> None:
        """List all instances. The materials are listed already."""
        self.begin()  # a patch that stopped at a new group has written slots of the former list
        rows, matrix = np.arange(len(world.table(Model3D))), world[WorldMatrices3D].matrix
        shown = describe(world, rows, self.catalog, self.materials, self.layers, _turned(world, matrix, rows), store)
        assert shown is not None
        which = np.flatnonzero(shown["look"] != HIDDEN)
        self.looks.start(store, self.catalog, numbered(shown["look"][which])[0])
        self.attachment.start(self.catalog, world[Poses3D])
        model, index = self.looks.pieces(shown["look"][which])
        group = self.looks.group[index]
        if len(self.looks.groups) > 1:  # uint16 is sorted by counting
            order = np.argsort(group.astype(np.uint16 if len(self.looks.groups) < 1 << 16 else np.int64), kind="stable")
            model, index = model[order], index[order]
        rows = which[model]
        keys, slots = self.looks.keys(self.catalog, index, rows), np.arange(len(rows), dtype=np.int32)
        self.instances.make_room(len(slots))
        self.instances.order.fill(keys, slots)
        self._shown, self._count = shown, len(shown)
        self._write(slots, keys, index, shown.take(rows), slice(0, len(slots)))
        self.listing, self._whole = object(), True

    def patch(self, world: World, store: Models3D, rows: Array | None) -> bool:
        """Describe rows of Model3D again, and replace the instances of those that differ; return False if all must be
        listed again. Some instances may then be replaced already, so call `start`.

        rows: rising; None: all.
        """
        count, before = len(world.table(Model3D)), self._count
        rows = np.arange(count) if rows is None else rows
        if count > len(self._shown):
            grown = np.zeros(2 * count, SHOWN)
            grown[:before] = self._shown[:before]
            self._shown = grown
        if count > before:
            self._shown[before:count] = 0
            self._shown["look"][before:count] = HIDDEN
        old = self._shown.take(rows)
        turned = (old["look"] >= 0) & ((old["look"] & TURNED) > 0)
        new = describe(world, rows, self.catalog, self.materials, self.layers, turned)
        if new is None:
            return False
        which = differing(old, new)
        if len(which) < len(rows):
            rows, old, new = rows[which], old.take(which), new.take(which)
        if count < before:
            gone = np.arange(count, before)
            nothing = np.zeros(len(gone), SHOWN)
            nothing["look"] = HIDDEN
            rows, old = np.concatenate([rows, gone]), np.concatenate([old, self._shown[gone]])
            new = np.concatenate([new, nothing])
        if len(rows) > _MAX_PATCHED * max(count, 64):
            return self._repaint(rows, old, new)
        self._count = count
        return self._replace(store, rows, old, new)

    def _repaint(self, rows: Array, old: Array, new: Array) -> bool:
        """Write the tints, materials and layers of all instances; return False if something else has changed."""
        if any((old[name] != new[name]).any() for name in ("entity", "look", "pose")):
            return False
        words(self._shown)[rows] = words(new)
        out, slots = self.instances, self.instances.slots
        shown = self._shown.take(row_of(out.order.keys))
        material = shown["material"]
        out.bits[slots], out.casts[slots], out.tints[slots] = shown["bits"], shown["casts"], shown["tint"]
        files = self.catalog.material[out.piece[slots]]
        out.instances["material"][slots] = np.where(material >= 0, material, files)
        self._whole = True
        return True

    def tint(self, world: World, rows: Array) -> bool:
        """Write the tints of many rows of Model3D, of which nothing else changed.

        Return False if they are few, or if some blend now, or do not any more. All models take half as long as by
        `patch`.
        """
        tints = tint_bytes(world.table(Model3D).column("tint").take(rows, axis=0))
        looks = self._shown["look"][rows]
        is_other = (looks != HIDDEN) & ((looks & FAINT > 0) != (tints[:, 3] < 255))
        if len(rows) <= _MAX_PATCHED * self._count or is_other.any():
            return False
        self._shown["tint"][rows] = tints.view(np.int32)[:, 0]
        out = self.instances
        out.tints[out.slots] = self._shown["tint"][row_of(out.order.keys)]
        self._whole = True
        return True

    def _replace(self, store: Models3D, rows: Array, old: Array, new: Array) -> bool:
        """Replace the instances of rows of Model3D by those that they have now; return False if a group is new."""
        words(self._shown)[rows] = words(new)
        stays = old["look"] == new["look"]
        if stays.any():
            shown = (stays & (new["look"] >= 0)).nonzero()[0]
            if len(shown):
                self._rewrite(rows[shown], old[shown], new[shown])
            rest = (~stays).nonzero()[0]
            rows, old, new = rows[rest], old[rest], new[rest]
        return not len(rows) or self._exchange(store, rows, old, new)

    def _rewrite(self, rows: Array, old: Array, new: Array) -> None:
        """Write the instances of rows of Model3D again, whose looks are the same."""
        model, index, keys = self._keys(rows, new["look"])
        order = self.instances.order
        slots = order.values[order.keys.searchsorted(keys)]
        self._leave(slots)
        self._write(slots, keys, index, new.take(model))
        if (old["entity"] != new["entity"]).any() or (old["pose"] != new["pose"]).any():
            self.listing = object()

    def _exchange(self, store: Models3D, rows: Array, old: Array, new: Array) -> bool:
        """Remove the instances of rows of Model3D, and insert those of other looks; return False if a group is new."""
        order, shown = self.instances.order, (new["look"] >= 0).nonzero()[0]
        if not self.looks.add(store, self.catalog, new["look"][shown]):
            return False
        before = (old["look"] >= 0).nonzero()[0]
        removed = order.keys.searchsorted(self._keys(rows[before], old["look"][before])[2])
        removed.sort()
        gone = order.values[removed]
        self._leave(gone)
        self.instances.release(gone)
        model, index, keys = self._keys(rows[shown], new["look"][shown])
        slots, sorted_keys = self.instances.take(len(keys)), keys.argsort()
        order.replace(removed, keys[sorted_keys], slots[sorted_keys])
        self._write(slots, keys, index, new.take(shown[model]))
        self.listing = object()
        return True

    def _keys(self, rows: Array, looks: Array) -> tuple[Array, Array, Array]:
        """Return the instances of rows of Model3D with these looks: the model of each one, its piece of `looks`, and
        its key."""
        model, index = self.looks.pieces(looks)
        return model, index, self.looks.keys(self.catalog, index, rows[model])

    def _leave(self, slots: Array) -> None:
        """Note instances as they are, before they change."""
        self._former.append(self.instances.key[slots])
        self.left.append(self.instances.spheres[slots[self.instances.casts[slots] > 0]])

    def _write(self, slots: Array, keys: Array, index: Array, shown: Array, at: Array | slice | None = None) -> None:
        """Write the columns of slots. index: pieces of `looks`. shown: how the model of each slot is shown.

        at: the same slots as a slice, which is written faster.
        """
        out, material, at = self.instances, shown["material"], slots if at is None else at
        out.key[at], out.entity[at], out.row[at] = keys, shown["entity"], shown["pose"]
        out.piece[at], out.bits[at], out.casts[at] = self.looks.piece[index], shown["bits"], shown["casts"]
        out.turned[at] = (shown["look"] & TURNED) > 0
        out.tints[at] = shown["tint"]
        out.instances["material"][at] = np.where(material >= 0, material, self.looks.material[index])
        self.attachment.attach(out, self.catalog, at)
        self._written.append(slots)

    def pose(self, poses: Poses3D) -> None:
        """Attach the instances to other poses."""
        self.attachment.start(self.catalog, poses)
        posable = self.catalog.posable
        if posable.any() and len(self.instances):
            slots = self.instances.slots
            slots = slots[posable[self.catalog.model[self.instances.piece[slots]]]]
            self._leave(slots)
            self.attachment.attach(self.instances, self.catalog, slots)
            self._written.append(slots)
            self._whole |= len(slots) > _MAX_PATCHED * len(self.instances)

    def place(self, world: World, store: Models3D, moved: Array | None) -> None:
        """Write the matrices of instances that were written, and of those on some rows of Transform3D, None: all."""
        matrix, out = world[WorldMatrices3D].matrix, self.instances
        if moved is None:
            slots, self._whole = out.slots, True
        else:
            slots = self._slots_on(world, moved)
            self._leave(slots)
            slots = np.concatenate([*self._written, slots])
        self._written = []
        self._place(matrix, slots)
        self.solid = int(out.order.keys.searchsorted(self.looks.end(solid=True)))
        wrong = np.flatnonzero(out.mirrored != out.turned) if self._whole else _differing(out, slots)
        if len(wrong):
            self._turn(world, store, wrong)

    def _slots_on(self, world: World, moved: Array) -> Array:
        """Return the slots of the instances on rows of Transform3D."""
        space, out = world.table(Transform3D), self.instances
        if len(moved) > _MAX_PATCHED * len(out):
            flags = np.zeros(len(space) + 1, np.bool_)  # the last one is that of free slots
            flags[moved] = True
            self._whole = True
            return np.flatnonzero(flags[out.row]).astype(np.int32)
        rows = world.table(Model3D).rows_of(space.entities[moved])
        rows = rows[rows >= 0]
        looks = self._shown["look"][rows]
        rows, looks = rows[looks != HIDDEN], looks[looks != HIDDEN]
        return out.slots[out.order.keys.searchsorted(self._keys(rows, looks)[2])]

    def _place(self, matrix: Array, slots: Array) -> None:
        out = self.instances
        if len(slots):
            flat = out.instances.view(np.float32).reshape(-1, 16)
            place(
                slots, out.row, out.offset, out.ball, matrix, self.attachment.offsets, flat, out.spheres, out.mirrored
            )
        self._placed.append(slots)

    def _turn(self, world: World, store: Models3D, slots: Array) -> None:
        """Give models whose matrices mirror, or do not any more, the look for it."""
        rows = distinct(row_of(self.instances.key[slots]))
        old = self._shown[rows]
        new = old.copy()
        new["look"] ^= TURNED
        if len(rows) > _MAX_PATCHED * self._count or not self._replace(store, rows, old, new):
            self.start(world, store)
        self.solid = int(self.instances.order.keys.searchsorted(self.looks.end(solid=True)))
        self._place(world[WorldMatrices3D].matrix, np.concatenate(self._written))


def _differing(out: Instances, slots: Array) -> Array:
    """Return the slots whose matrices mirror, but not their looks, or the other way round."""
    return slots[out.mirrored[slots] != out.turned[slots]]


def _turned(world: World, matrix: Array, rows: Array) -> Array:
    """Return for rows of Model3D whether the matrices of their entities mirror, bool (n,)."""
    space = world.table(Transform3D)
    turned = np.zeros(len(rows), np.bool_)
    if len(space) and min(space.column("scale").min(), space.column("last_scale").min()) < 0:
        poses = space.rows_of(world.table(Model3D).entities[rows])
        has_matrix = (poses >= 0) & (poses < len(matrix))
        turned[has_matrix] = mirrors(matrix[poses[has_matrix]])
    return turned
