"""How each Model3D is shown, by rows: its look, and what its instances hold beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Disabled
from rish_jit import Array
from rish_space3d import Transform3D, WorldMatrices3D

from ...components.models import Material3D, Model3D
from .catalog import Catalog
from .layers import LayerBits
from .looks import ALONE, BITS, FAINT, TURNED
from .own_materials import OwnMaterials

if TYPE_CHECKING:
    from rish_core import World

    from ...models.store import Models3D

HIDDEN = -1
"""The look of a model that is not shown."""
SHOWN = np.dtype(
    [
        ("entity", np.int64), ("look", np.int64), ("pose", np.int32), ("material", np.int32), ("bits", np.int32),
        ("tint", np.int32), ("casts", np.int64),
    ]
)  # fmt: skip
"""A Model3D. look: see `looks`. pose: row of Transform3D. material: row of the table of materials, -1: the file's.
tint: the four bytes of `layout.INSTANCE` as one number."""


def describe(
    world: World, rows: Array, catalog: Catalog, own: OwnMaterials, layers: LayerBits, turned: Array,
    store: Models3D | None = None,
) -> Array | None:  # fmt: skip
    """Return how rows of Model3D are shown, SHOWN (n,); None if a model is not in the catalog.

    turned: bool (n,), which matrices mirror. store: if given, the catalog lists all models first.
    """
    table, out = world.table(Model3D), np.zeros(len(rows), SHOWN)
    entities = out["entity"] = table.entities[rows]
    poses = world.table(Transform3D).rows_of(entities)
    is_shown = table.column("visible")[rows] & (poses >= 0) & (poses < len(world[WorldMatrices3D].matrix))
    disabled = world.table(Disabled)
    if len(disabled):
        is_shown &= disabled.rows_of(entities) < 0
    if not is_shown.all():
        which = is_shown.nonzero()[0]
        out["look"] = HIDDEN
        rows, entities, poses, turned = rows[which], entities[which], poses[which], turned[which]
        shown = np.zeros(len(which), SHOWN)
    else:
        which, shown = slice(None), out
    asset, part = table.column("asset")[rows], table.column("part")[rows]
    kind = catalog.known_kinds(asset, part) if store is None else catalog.kinds_of(world, store, asset, part)
    if kind is None:
        return None
    tint = tint_bytes(table.column("tint").take(rows, axis=0))  # rows are taken five times as quickly as indexed
    look = kind << BITS | (tint[:, 3] < 255) * FAINT | ~table.column("receives")[rows] * ALONE | turned * TURNED
    material = np.full(len(rows), -1, np.int32)
    owners = world.table(Material3D)
    if len(owners):
        own_rows = owners.rows_of(entities)
        has_own = own_rows >= 0
        material = np.where(has_own, own.numbers[own_rows], material)
        look |= np.where(has_own, own.looks[material], 0)
    shown["entity"], shown["look"], shown["pose"], shown["material"] = entities, look, poses, material
    shown["bits"], shown["casts"] = layers.of_models(table, rows), table.column("casts")[rows]
    shown["tint"] = tint.view(np.int32)[:, 0]
    if shown is not out:
        out[which] = shown
    return out


def tint_bytes(tint: Any) -> Array:
    """Return colors (n, 4), 0 to 1, as uint8."""
    values = np.maximum(tint, 0)  # `clip` takes ten times as long for a few
    np.minimum(values, 1, out=values)
    values *= 255
    return np.rint(values, out=values).astype(np.uint8)


def words(shown: Array) -> Array:
    """Return models as whole numbers, int64 (n, 5), which numpy copies and compares faster."""
    return shown.view(np.int64).reshape(len(shown), SHOWN.itemsize // 8)


def differing(one: Array, other: Array) -> Array:
    """Return the indices of the models that are shown differently."""
    return (words(one) != words(other)).any(axis=1).nonzero()[0]
