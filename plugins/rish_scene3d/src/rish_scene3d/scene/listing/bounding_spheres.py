"""Bounding spheres of pieces, and of characters as they are posed."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

from ...models.model import ModelData, Piece
from ...models.model_library import Library


def ball_of(library: Library, model: ModelData, piece: Piece, palette: Array) -> tuple[Array, float]:
    """Return the sphere of a piece: middle and radius (4,), and how far its vertices are from their joints at rest.

    With a skin the sphere is that of the character at rest in the model, otherwise that of the mesh in its node. Each
    vertex counts for the joint that moves it most. palette: (j, 3, 4), of the model at rest.
    """
    mesh = library.meshes[piece.mesh]
    low, high = mesh.bounds
    reach = 0.0
    if piece.skin >= 0 and mesh.joints is not None and mesh.weights is not None:
        skin = model.skins[piece.skin]
        strongest = np.take_along_axis(mesh.joints, mesh.weights.argmax(1)[:, None], 1)[:, 0].astype(np.int64)
        matrices = palette[skin.first + strongest]
        points = (matrices[:, :, :3] @ mesh.positions[:, :, None])[:, :, 0] + matrices[:, :, 3]
        low, high = points.min(0), points.max(0)
        joints = model.rest[skin.joints[strongest], :, 3]
        reach = float(np.sqrt(((points - joints) ** 2).sum(1).max(initial=0)))
    return np.append((low + high) / 2, np.linalg.norm(high - (low + high) / 2)).astype(np.float32), reach
