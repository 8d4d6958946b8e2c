"""The instances of all visible models: one for each piece of a model, sorted so that equal meshes follow one another.

They are built again when materials or many models change; a few models are spliced in. When entities only move,
`DrawList` places them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_jit import Array
from rish_space3d import Transform3D, WorldMatrices3D

from .. import layout as at
from ..components.models import Material3D, Model3D
from ..models.materials import needs_tangents
from ..models.numbering import numbered
from ..models.store import Models3D
from .catalog import Catalog
from .layers import LayerBits
from .packing import mirrors

if TYPE_CHECKING:
    from rish_core import World

_COLUMNS = ("entity", "model", "piece", "ball", "material", "bits", "tint", "casts", "turned", "own")
"""The columns of `Items`, without `row`."""
_MAX_SPLICED = 0.125
"""The greatest share of models that are inserted one by one; if more have changed, all are listed again."""
_LAST = 1 << 62
"""The bit of the sort key of pieces that puts blended ones last."""
_BITS = 8
_FAINT, _ALONE, _TURNED, _OWN, _MAPPED, _FLAGS = 1, 2, 4, 8, 16, 32
"""The bits of a look beside its model: opacity below 1, no shadows on it, mirrored, a Material3D, a normal map in it,
and the first three flags of its runs."""


@dataclass(eq=False)
class Items:
    """n instances in drawing order: solid ones, then those that blend.

    entity: int64. row: int32, of Transform3D. model, piece: int32, of the catalog. ball: (n, 4), middle and
    radius in the piece's node. material, bits: int32. tint: uint8 (n, 4). casts: bool. turned: uint8, 1 where the
    entity's matrix mirrors. starts: int32 (g + 1,), where groups of one mesh and equal flags begin. groups: int32 (g,
    2), their meshes and flags. solid: the number of solid ones. materials: the table of all materials. own: int32,
    rows of Material3D, -1: the file's. owners: int64, the entities with a Material3D. owner_bits: int64, what these add
    to the looks of their models.
    """

    entity: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    row: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    model: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    piece: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    ball: Array = field(default_factory=lambda: np.zeros((0, 4), np.float32))
    material: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    bits: Array = field(default_factory=lambda: np.zeros(0, np.int32))
    tint: Array = field(default_factory=lambda: np.zeros((0, 4), np.uint8))
    casts: Array = field(default_factory=lambda: np.zeros(0, np.bool_))
    turned: Array = field(default_factory=lambda: np.zeros(0, np.uint8))
    starts: Array = field(default_factory=lambda: np.zeros(1, np.int32))
    groups: Array = field(default_factory=lambda: np.zeros((0, 2), np.int32))
    solid: int = 0
    materials: Array = field(default_factory=lambda: np.zeros((0, at.MATERIAL), np.float32))
    owners: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    owner_bits: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    own: Array = field(default_factory=lambda: np.zeros(0, np.int32))

    def __len__(self) -> int:
        return len(self.row)

    def group_of(self, indices: Array) -> Array:
        """Return the groups of some items, int64."""
        return np.searchsorted(self.starts, indices, side="right") - 1


class _Shown(NamedTuple):
    """Models that are shown: rows of Model3D and of Transform3D, and entities."""

    rows: Array
    poses: Array
    entities: Array

    def some(self, which: Array) -> _Shown:
        return _Shown(*(column[which] for column in self))


def make_items(world: World, store: Models3D, layers: LayerBits, catalog: Catalog) -> Items:
    """Return the instances of all visible Model3D with a Transform3D."""
    shown, table = _shown(world), world.table(Model3D)
    kind = catalog.kinds_of(world, store, table.column("asset")[shown.rows], table.column("part")[shown.rows])
    return _items_of(world, store, layers, catalog, shown, kind, _own_materials(world, store, shown.entities))


class Spliced(NamedTuple):
    """items: the list. new: the instances that are new in it. source: int64 n, the index of each instance among the
    former and the new ones together."""

    items: Items
    new: Items
    source: Array


def splice_items(
    world: World, store: Models3D, layers: LayerBits, catalog: Catalog, items: Items, changed: Array
) -> Spliced | None:
    """Return the list after models came, went, or were written, with the instances in the order of `make_items`.

    changed: the rows of Model3D that were written, added or moved. Materials must be the same. Return None if a model
    or a group is new, or if so much has changed that `make_items` is faster.
    """
    table, space, shown = world.table(Model3D), world.table(Transform3D), _shown(world)
    count = len(table)
    if not count or len(space) < count:
        return None
    row = table.rows_of(items.entity)
    fresh, visible = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    fresh[changed], visible[shown.rows] = True, True
    stays = (row >= 0) & visible[row] & ~fresh[row]
    visible[row[stays]] = False
    added = shown.some(np.flatnonzero(visible[shown.rows]))
    if len(added.rows) > _MAX_SPLICED * count:
        return None
    kind = catalog.known_kinds(table.column("asset")[added.rows], table.column("part")[added.rows])
    if kind is None:
        return None
    has_own = (world.table(Material3D).rows_of(added.entities) >= 0).any()
    own = _own_materials(world, store, added.entities) if has_own else _no_materials(store, len(added.rows))
    new = _items_of(world, store, layers, catalog, added, kind, own)
    numbers = {group: k for k, group in enumerate(map(tuple, items.groups.tolist()))}
    groups = np.array([numbers.get(group, -1) for group in map(tuple, new.groups.tolist())], np.int64)
    if (groups < 0).any():
        return None
    group, new_group = items.group_of(np.flatnonzero(stays)), groups[new.group_of(np.arange(len(new)))]
    key, new_key = group << 32 | row[stays], new_group << 32 | table.rows_of(new.entity)
    if (np.diff(key) < 0).any() or (np.diff(new_key) < 0).any():
        return None
    both = np.append(np.flatnonzero(stays), np.arange(len(items), len(items) + len(new)))
    source = both[np.argsort(np.append(key, new_key), kind="stable")]
    columns = {name: taken(getattr(items, name), getattr(new, name), source) for name in _COLUMNS}
    counts = np.bincount(np.concatenate([group, new_group]), minlength=len(items.groups))
    spliced = replace(items, **columns, row=space.rows_of(columns["entity"]), **_sizes(counts, items.groups))
    return Spliced(spliced, new, source)


def taken(former: Array, new: Array, source: Array) -> Array:
    """Return some rows of two arrays together."""
    return np.concatenate([former, new]).take(source, axis=0)


def _shown(world: World) -> _Shown:
    """Return the visible Model3D with a Transform3D that has a matrix."""
    table, query = world.table(Model3D), world.query(Model3D, Transform3D)
    shown = _Shown(query.rows(Model3D), query.rows(Transform3D), query.entities)
    is_shown = table.column("visible")[shown.rows] & (shown.poses < len(world[WorldMatrices3D].matrix))
    return shown if is_shown.all() else shown.some(is_shown)


def _sizes(counts: Array, groups: Array) -> dict[str, Any]:
    """Return the fields `starts` and `solid` for the numbers of instances in groups."""
    solid = int(counts[groups[:, 1] & at.BLENDED == 0].sum())
    return {"starts": np.append(0, np.cumsum(counts)).astype(np.int32), "solid": solid}


def _items_of(
    world: World, store: Models3D, layers: LayerBits, catalog: Catalog, shown: _Shown, kind: Array, own: _Own
) -> Items:
    """Return the instances of models. kind: of each model, its place in the catalog, int64. own: their materials."""
    table, (rows, poses, entities) = world.table(Model3D), shown
    tint = tint_bytes(table.column("tint").take(rows, axis=0))  # rows are taken five times as quickly as indexed
    turned = _turned(world, poses)
    faint, unshadowed = tint[:, 3] < 255, ~table.column("receives")[rows]
    looks, look = numbered(kind << _BITS | faint * _FAINT | unshadowed * _ALONE | turned * _TURNED | own.bits)
    listed = _list_pieces(store, catalog, own.table, looks)
    which, piece = _spread(listed.count, listed.first, look)
    if len(listed.groups) > 1:
        order = np.argsort(listed.group[piece], kind="stable")
        which, piece = which[order], piece[order]
    row = own.row[which]
    material = with_own(listed.material[piece], row, own.number, len(store.materials))
    counts = np.bincount(listed.group[piece], minlength=len(listed.groups))
    return Items(
        entities[which], poses[which].astype(np.int32), listed.model[piece], listed.number[piece],
        listed.ball.take(piece, axis=0), material, layers.of_models(table, rows)[which], tint.take(which, axis=0),
        table.column("casts")[rows[which]], turned[which].astype(np.uint8), groups=listed.groups, materials=own.table,
        owners=own.owners, owner_bits=own.owner_bits, own=row, **_sizes(counts, listed.groups),
    )  # fmt: skip


def tint_bytes(tint: Array) -> Array:
    """Return colors (n, 4), 0 to 1, as uint8."""
    values = np.clip(tint, 0, 1)
    values *= 255
    return np.rint(values, out=values).astype(np.uint8)


def with_own(material: Array, row: Array, number: Array, first: int) -> Array:
    """Return the materials (n,) of items, int32, with those of Material3D in place of others.

    row: of Material3D for each item, -1: none. number: of the material of each row, from `first` on.
    """
    return np.where(row >= 0, number[row] + first, material).astype(np.int32) if len(number) else material


def looks_of(rows: Array, flags: Array, number: Array) -> Array:
    """Return the bits that each Material3D adds to the look of its model, int64. rows, flags: of the distinct
    materials."""
    return (_OWN | flags.astype(np.int64) * _FLAGS | needs_tangents(rows) * _MAPPED)[number]


class _Own(NamedTuple):
    """The materials of entities. table: of all materials. owners, owner_bits: see `Items`.

    number: of the material of each Material3D, from the first after those of files. row: of Material3D for each entity,
    int32, -1: none. bits: of its look, int64.
    """

    table: Array
    owners: Array
    owner_bits: Array
    number: Array
    row: Array
    bits: Array


def _no_materials(store: Models3D, count: int) -> _Own:
    """Return the materials of entities without a Material3D."""
    none, bits = np.zeros(0, np.int64), np.zeros(count, np.int64)
    return _Own(np.array(store.materials, np.float32), none, none, none, np.full(count, -1, np.int32), bits)


def _own_materials(world: World, store: Models3D, entities: Array) -> _Own:
    table = world.table(Material3D)
    if not len(table):
        return _no_materials(store, len(entities))
    files = np.array(store.materials, np.float32)
    rows, flags, number = store.rows_of(world, table)
    own_rows, bits = table.rows_of(entities).astype(np.int32), looks_of(rows, flags, number)
    materials, own_bits = np.concatenate([files, rows]), np.where(own_rows >= 0, bits[own_rows], 0)
    return _Own(materials, table.entities.copy(), bits, number, own_rows, own_bits)


def _turned(world: World, poses: Array) -> Array:
    """Return for rows of Transform3D whether their matrices mirror, bool n."""
    table = world.table(Transform3D)
    if len(table) and min(table.column("scale").min(), table.column("last_scale").min()) < 0:
        return mirrors(world[WorldMatrices3D].matrix[poses])
    return np.zeros(len(poses), np.bool_)


class _Listed(NamedTuple):
    """The pieces of looks. count, first: of each look. Others: of each piece. groups: mesh and flags, see `Items`."""

    count: Array
    first: Array
    model: Array
    number: Array
    ball: Array
    material: Array
    group: Array
    groups: Array


def _list_pieces(store: Models3D, catalog: Catalog, materials: Array, looks: Array) -> _Listed:
    """Return the pieces of looks: a model and bits each, int64."""
    kind = looks >> _BITS
    count = catalog.count[kind]
    look_numbers, row = _spread(count, catalog.first[kind], np.arange(len(looks)))
    bits, model = looks[look_numbers], kind[look_numbers].astype(np.int32)
    mesh, material, flags = catalog.mesh[row], catalog.material[row], catalog.flags[row]
    has_own = (bits & _OWN) > 0
    mapped = np.where(has_own, (bits & _MAPPED) > 0, needs_tangents(materials)[material])
    for k in np.flatnonzero(mapped).tolist():
        mesh[k] = store.with_tangents(int(mesh[k]))
    flags = np.where(has_own, bits // _FLAGS & 7, flags)
    flags |= np.where(bits & _FAINT, at.BLENDED, 0) | np.where(bits & _ALONE, at.NO_SHADOWS, 0)
    flags |= np.where(((bits & _TURNED) > 0) ^ catalog.turned[row], at.MIRRORED, 0)
    keys, group = np.unique(np.where(flags & at.BLENDED, _LAST, 0) | flags << 32 | mesh, return_inverse=True)
    group = group.reshape(-1).astype(np.uint16 if len(keys) < 1 << 16 else np.int64)  # uint16 is sorted by counting
    groups = np.stack([keys & 0xFFFFFFFF, keys >> 32 & 0xFFFF], axis=-1).astype(np.int32)
    number = (row - catalog.first[model]).astype(np.int32)
    material = material.astype(np.int32)
    return _Listed(count, np.cumsum(count) - count, model, number, catalog.ball[row], material, group, groups)


def _spread(count: Array, first: Array, kind: Array) -> tuple[Array, Array]:
    """Return for each piece of things the thing, and the row of the piece.

    kind: of each thing. count, first: of each kind, the number of its pieces, and the row of the first.
    """
    if (count == 1).all():
        return np.arange(len(kind)), first[kind]
    counts = count[kind]
    indices = np.repeat(np.arange(len(kind)), counts)
    return indices, np.arange(len(indices)) + np.repeat(first[kind] - np.cumsum(counts) + counts, counts)
