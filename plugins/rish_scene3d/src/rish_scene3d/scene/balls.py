"""Bounding spheres of pieces, and of characters as they are posed."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from ..models.convert import rest_palette
from ..models.library import Library
from ..models.model import ModelData, Piece

Array = npt.NDArray[Any]


def ball_of(library: Library, model: ModelData, piece: Piece) -> Array:
    """Return middle and radius (4,) of a piece: in its node, or, with a skin, of the character at rest in the model."""
    mesh = library.meshes[piece.mesh]
    low, high = mesh.bounds
    if piece.skin >= 0:
        points = _at_rest(mesh, model, model.skins[piece.skin])
        low, high = points.min(0), points.max(0)
    middle = (low + high) / 2
    return np.append(middle, np.linalg.norm(high - middle)).astype(np.float32)


def reach_of(library: Library, model: ModelData, piece: Piece) -> float:
    """Return how far the vertices of a piece with a skin are from the joint that moves them most, at rest."""
    skin, mesh = model.skins[piece.skin], library.meshes[piece.mesh]
    points = _at_rest(mesh, model, skin)
    joints = model.rest[skin.joints[_strongest(mesh)], :, 3]
    return float(np.sqrt(((points - joints) ** 2).sum(1).max(initial=0)))


def _at_rest(mesh: Any, model: ModelData, skin: Any) -> Array:
    """Return the vertices, each moved by its strongest joint, (n, 3)."""
    palette = _palette(model)[skin.first + _strongest(mesh)]
    return (palette[:, :, :3] @ mesh.positions[:, :, None])[:, :, 0] + palette[:, :, 3]


def _strongest(mesh: Any) -> Array:
    return np.take_along_axis(mesh.joints, mesh.weights.argmax(1)[:, None], 1)[:, 0].astype(np.int64)


@functools.lru_cache(maxsize=64)
def _palette(model: ModelData) -> Array:
    return rest_palette(model)
