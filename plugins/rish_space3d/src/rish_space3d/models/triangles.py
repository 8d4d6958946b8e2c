"""The triangles of models at rest, for whatever works with their form: collision shapes, tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import AssetError, UsageError

from .names import MODEL_SHAPES, MODEL_SUFFIXES, unknown_model, unknown_part
from .shapes import shape_mesh


@dataclass(frozen=True, slots=True, eq=False)
class ModelTriangles:
    """positions: float64 (n, 3), in the space of the model, each in a triangle. triangles: int64 (t, 3), indices of
    them, counter-clockwise seen from the front.
    """

    positions: npt.NDArray[np.float64]
    triangles: npt.NDArray[np.int64]


def check_model_name(asset: str) -> None:
    """Raise AssetError if a name is neither that of a shape nor of a model's file."""
    if asset not in MODEL_SHAPES and not asset.lower().endswith(MODEL_SUFFIXES):
        raise AssetError(unknown_model(asset))


def model_triangles(asset: str, content: Any = None, part: str = "") -> ModelTriangles:
    """Return the triangles of a generated shape, or of a file: as `Model3D` draws it before anything is animated.

    asset: the name of the shape or the path of the file. content: of the file, as `load_model` returns it. part: the
    name of a node; only it and those below are taken. Raises UsageError for an unknown part, and without triangles.
    """
    if asset in MODEL_SHAPES:
        if part:
            raise UsageError(unknown_part(part, ()))
        mesh = shape_mesh(asset)
        positions, triangles = mesh.positions.astype(np.float64), mesh.indices.astype(np.int64)
    else:
        from rish_gltf import rest_triangles

        try:
            positions, triangles = rest_triangles(content, part)
        except KeyError:
            raise UsageError(unknown_part(part, [node.name for node in content.nodes])) from None
    if not len(triangles):
        raise UsageError("the model has no triangles", hint="Name a model, or a part of it, with a surface")
    used, places = np.unique(triangles, return_inverse=True)
    return ModelTriangles(positions[used], places.reshape(-1, 3))
