"""The instances of all visible models: one for each piece of a model, sorted so that equal meshes follow one another.

They are made again when models, parts, layers or materials change; when things only move, `DrawList` places them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_space3d import Transform3D, WorldMatrices3D

from .. import layout as at
from ..components.models import Material3D, Model3D
from ..models.convert import needs_tangents
from ..models.model import ModelData
from ..models.store import Models3D
from .balls import ball_of
from .layers import LayerBits
from .packing import mirrors

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
_BLEND = 1 << 62
"""The bit of the key that items are sorted by which puts those that blend last."""


@dataclass(eq=False)
class Items:
    """n instances in drawing order: solid ones, then those that blend.

    models: the distinct ones. entity: int64. row: int32, of Transform3D. model, piece: int32. ball: (n, 4), middle and
    radius in the piece's node. material, bits: int32. tint: uint8 (n, 4). casts: bool. turned: uint8, 1 where the
    entity's matrix mirrors. starts: int32 (g + 1,), where groups of one mesh and equal flags begin. groups: int32 (g,
    2), their meshes and flags. solid: the number of solid ones. materials: the table of all materials.
    """

    models: list[ModelData] = field(default_factory=list[ModelData])
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

    def __len__(self) -> int:
        return len(self.row)

    def group_of(self, which: Array) -> Array:
        """Return the groups of some items, int64."""
        return np.searchsorted(self.starts, which, side="right") - 1


def make_items(world: World, store: Models3D, layers: LayerBits) -> Items:
    """Return the instances of all visible Model3D with a Transform3D."""
    table, query = world.table(Model3D), world.query(Model3D, Transform3D)
    rows, places, entities = query.rows(Model3D), query.rows(Transform3D), query.entities
    shown = table.column("visible")[rows] & (places < len(world[WorldMatrices3D].matrix))
    rows, places, entities = rows[shown], places[shown], entities[shown]
    names = table.column("asset")[rows].astype(np.int64) << 32 | table.column("part")[rows]
    kinds, kind = np.unique(names, return_inverse=True)
    models = [store.model(world, world.text(int(each >> 32)), world.text(int(each & 0xFFFFFFFF))) for each in kinds]
    which, model, piece = _spread(models, kind.reshape(-1))
    pieces = _piece_table(models)
    first = np.cumsum([0, *(len(each.pieces) for each in models)])[:-1].astype(np.int64)
    at_piece = first[model] + piece if len(model) else model
    mesh, material, flags = (pieces[at_piece, column] for column in range(3))
    turned = mirrors(world[WorldMatrices3D].matrix[places])[which]
    materials, mesh, material, flags = _overridden(world, store, entities[which], mesh, material, flags)
    tint = np.rint(np.clip(table.column("tint")[rows[which]], 0, 1) * 255).astype(np.uint8)
    flags = np.where(tint[:, 3] < 255, flags | at.BLENDED, flags)
    flags = np.where(table.column("receives")[rows[which]], flags, flags | at.NO_SHADOWS)
    flags = np.where(turned ^ pieces[at_piece, 3].astype(np.bool_), flags | at.MIRRORED, flags)
    mesh = _with_tangents(store, materials, mesh, material)
    made = Items(
        models, entities[which], places[which].astype(np.int32), model.astype(np.int32), piece.astype(np.int32),
        _balls(store, models)[at_piece], material.astype(np.int32), layers.of_models(table, rows)[which], tint,
        table.column("casts")[rows[which]], turned.astype(np.uint8), materials=materials,
    )  # fmt: skip
    return _sorted(made, mesh.astype(np.int64), flags.astype(np.int64))


def _spread(models: list[ModelData], kind: Array) -> tuple[Array, Array, Array]:
    """Return for each item the entity's index, the model and the piece. kind: the model of each entity."""
    counts = np.array([len(each.pieces) for each in models], np.int64)
    many = counts[kind] if len(models) else np.zeros(0, np.int64)
    which = np.repeat(np.arange(len(kind)), many)
    begins = np.cumsum(many) - many
    return which, kind[which], np.arange(len(which)) - begins[which]


def _piece_table(models: list[ModelData]) -> Array:
    """Return int32 (p, 4): mesh, material and flags of the pieces of all models, and whether their nodes mirror."""
    rows: list[tuple[int, int, int, bool]] = []
    for each in models:
        turned = mirrors(each.rest) if len(each.rest) else np.zeros(0, np.bool_)
        rows += [
            (piece.mesh, piece.material, piece.flags, piece.skin < 0 <= piece.node and bool(turned[piece.node]))
            for piece in each.pieces
        ]
    return np.array(rows, np.int32).reshape(-1, 4)


def _balls(store: Models3D, models: list[ModelData]) -> Array:
    rows = [ball_of(store.library, each, piece) for each in models for piece in each.pieces]
    return np.array(rows, np.float32).reshape(-1, 4)


def _overridden(world: World, store: Models3D, entities: Array, mesh: Array, material: Array, flags: Array) -> Any:
    """Return the table of all materials, and mesh, material and flags of items whose entities have a Material3D."""
    table = world.table(Material3D)
    if not len(table):
        return np.ascontiguousarray(store.materials, np.float32), mesh, material, flags
    rows, its_flags = store.rows_of(world, table)
    own = table.rows_of(entities)
    has = own >= 0
    material = np.where(has, own + len(store.materials), material)
    flags = np.where(has, its_flags[own], flags)
    return np.concatenate([np.array(store.materials, np.float32), rows]), mesh, material, flags


def _with_tangents(store: Models3D, materials: Array, mesh: Array, material: Array) -> Array:
    """Return the meshes, those of items with a normal map by meshes with tangents."""
    mapped = needs_tangents(materials)[material]
    if not mapped.any():
        return mesh
    mesh = mesh.copy()
    for each in np.unique(mesh[mapped]).tolist():
        mesh[mapped & (mesh == each)] = store.with_tangents(each)
    return mesh


def _sorted(items: Items, mesh: Array, flags: Array) -> Items:
    """Sort the items by whether they blend, their flags and their mesh, and find the groups."""
    key = flags << 32 | mesh
    key = np.where(flags & at.BLENDED, key | _BLEND, key)
    order = np.argsort(key, kind="stable")
    for name in ("entity", "row", "model", "piece", "ball", "material", "bits", "tint", "casts", "turned"):
        setattr(items, name, np.ascontiguousarray(getattr(items, name)[order]))
    key = key[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    items.starts = np.append(starts, len(key)).astype(np.int32)
    items.groups = np.stack([key[starts] & 0xFFFFFFFF, key[starts] >> 32 & 0xFFFF], axis=-1).astype(np.int32)
    items.solid = int(np.searchsorted(key, _BLEND))
    return items
