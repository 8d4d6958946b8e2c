"""Looks: what models have in common that share meshes and flags, and the pieces and groups of each look.

A look is a whole number: the place of a model in the catalog, and bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_jit import Array

from ... import layout as at
from ...models.materials import needs_tangents
from ...models.store import Models3D
from .catalog import Catalog

BITS = 8
FAINT, ALONE, TURNED, OWN, MAPPED, FLAGS = 1, 2, 4, 8, 16, 32
"""The bits of a look beside its model: opacity below 1, no shadows on it, mirrored, a Material3D, a normal map in it,
and the first three flags of its runs."""
_LAST = 1 << 62
"""The bit of a group that puts blended ones last."""
_GROUP, _ROW = 47, 16
"""The bits of a key from which on it holds the place of the group, and the row of the model."""


def looks_of_materials(rows: Array, flags: Array) -> Array:
    """Return the bits that materials of Material3D add to looks, int64. rows: of their table. flags: of their runs."""
    return OWN | flags.astype(np.int64) * FLAGS | needs_tangents(rows) * MAPPED


class Pieces(NamedTuple):
    """The pieces of models: which model each belongs to, and its index in the columns of `Looks`, int64 (n,)."""

    which: Array
    index: Array


class Looks:
    """The looks in use. groups: int32 (g, 2), mesh and flags of each group, in the order of drawing.

    piece: int64 (p,), of the catalog, for each piece of each look. group: its group. material: its row of the table of
    materials, int32.
    """

    def __init__(self) -> None:
        self.groups: Array = np.zeros((0, 2), np.int32)
        self.piece: Array = np.zeros(0, np.int64)
        self.group: Array = np.zeros(0, np.int64)
        self.material: Array = np.zeros(0, np.int32)
        self._solid = 0
        self._keys: Array = np.zeros(0, np.int64)
        self._index: dict[int, int] = {}
        self._looks: Array = np.zeros(0, np.int64)
        self._first: Array = np.zeros(0, np.int64)
        self._count: Array = np.zeros(0, np.int64)

    def start(self, store: Models3D, catalog: Catalog, looks: Array) -> None:
        """List looks, rising, in place of all others."""
        self.__init__()
        piece, keys, self._count = _pieces_of(store, catalog, looks)
        self._keys, group = np.unique(keys, return_inverse=True)
        self.groups = np.stack([self._keys & 0xFFFFFFFF, self._keys >> 32 & 0xFFFF], axis=-1).astype(np.int32)
        self._solid = int((self.groups[:, 1] & at.BLENDED == 0).sum())
        self._looks, self._first = looks, np.cumsum(self._count) - self._count
        self.piece, self.group = piece, group.reshape(-1)
        self.material = catalog.material[piece].astype(np.int32)

    def add(self, store: Models3D, catalog: Catalog, looks: Array) -> bool:
        """List looks beside the others; return False if one has a group that is not listed."""
        new = np.array([look for look in dict.fromkeys(looks.tolist()) if self._number(look) < 0], np.int64)
        if not len(new):
            return True
        piece, keys, count = _pieces_of(store, catalog, new)
        group = self._keys.searchsorted(keys)
        if len(keys) and (group.max() >= len(self._keys) or (self._keys[group] != keys).any()):
            return False
        self._index.update(zip(new.tolist(), range(len(self._looks), len(self._looks) + len(new)), strict=True))
        self._first = np.append(self._first, len(self.piece) + np.cumsum(count) - count)
        self._count, self._looks = np.append(self._count, count), np.append(self._looks, new)
        self.piece, self.group = np.append(self.piece, piece), np.append(self.group, group)
        self.material = np.append(self.material, catalog.material[piece].astype(np.int32))
        return True

    def _number(self, look: int) -> int:
        if not self._index:
            self._index = {each: k for k, each in enumerate(self._looks.tolist())}
        return self._index.get(look, -1)

    def pieces(self, looks: Array) -> Pieces:
        """Return the pieces of models with these looks, model by model; all looks are listed."""
        if len(looks) <= _FEW:
            numbers = np.array([self._number(look) for look in looks.tolist()], np.int64)
        else:
            order = np.argsort(self._looks)
            numbers = order[self._looks.searchsorted(looks, sorter=order)]
        counts, first = self._count[numbers], self._first[numbers]
        if (counts == 1).all():
            return Pieces(np.arange(len(looks)), first)
        which = np.repeat(np.arange(len(looks)), counts)
        return Pieces(which, np.arange(len(which)) + np.repeat(first - np.cumsum(counts) + counts, counts))

    def counts(self, looks: Array) -> list[int]:
        """Return the number of pieces of each look."""
        return [int(self._count[self._number(look)]) for look in looks.tolist()]

    def keys(self, catalog: Catalog, index: Array, rows: Array) -> Array:
        """Return the keys by which instances are sorted, int64: by group, row of Model3D, and piece."""
        return self.group[index] << _GROUP | rows.astype(np.int64) << _ROW | catalog.number[self.piece[index]]

    def starts(self, keys: Array) -> Array:
        """Return where each group begins among sorted keys, and at last their number, int64 (g + 1,)."""
        return keys.searchsorted(np.arange(len(self.groups) + 1) << _GROUP)

    def end(self, *, solid: bool) -> int:
        """Return the key after those of all instances, or of the solid ones, which are first."""
        return (self._solid if solid else len(self.groups)) << _GROUP


_FEW = 16


def group_of(keys: Array) -> Array:
    """Return the group of each key, int64."""
    return keys >> _GROUP


def row_of(keys: Array) -> Array:
    """Return the row of Model3D of each key, int64."""
    return keys >> _ROW & (1 << _GROUP - _ROW) - 1


def _pieces_of(store: Models3D, catalog: Catalog, looks: Array) -> tuple[Array, Array, Array]:
    """Return the pieces of looks in the catalog, the keys of their groups, and the number of pieces of each look."""
    kind = looks >> BITS
    count = catalog.count[kind]
    number = np.repeat(np.arange(len(looks)), count)
    row = np.arange(len(number)) + np.repeat(catalog.first[kind] - np.cumsum(count) + count, count)
    bits, mesh, material = looks[number], catalog.mesh[row], catalog.material[row]
    has_own = (bits & OWN) > 0
    mapped = np.where(has_own, (bits & MAPPED) > 0, needs_tangents(np.array(store.materials, np.float32))[material])
    for k in np.flatnonzero(mapped).tolist():
        mesh[k] = store.with_tangents(int(mesh[k]))
    flags = np.where(has_own, bits // FLAGS & 7, catalog.flags[row])
    flags |= np.where(bits & FAINT, at.BLENDED, 0) | np.where(bits & ALONE, at.NO_SHADOWS, 0)
    flags |= np.where(((bits & TURNED) > 0) ^ catalog.turned[row], at.MIRRORED, 0)
    return row, np.where(flags & at.BLENDED, _LAST, 0) | flags << 32 | mesh, count
