"""Hand-made models in a draw list, as what rays can hit; for tests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from rish_scene3d.clips.skeleton_poses import Poses3D
from rish_scene3d.models.materials import plain_row
from rish_scene3d.models.model import ModelData, Piece
from rish_scene3d.models.model_library import Library, MeshData
from rish_scene3d.picking.ray_targets import Shapes, Things
from rish_scene3d.scene.drawlist import DrawList
from rish_scene3d.scene.listing.looks import BITS
from rish_scene3d.scene.listing.shown_models import SHOWN

F32 = np.float32


def mesh_of(positions: Any, faces: Any, **more: Any) -> MeshData:
    """Return a mesh of places and triangles."""
    places = np.asarray(positions, F32)
    bounds = np.stack([places.min(axis=0), places.max(axis=0)])
    return MeshData("m", np.asarray(faces, np.uint32), places, np.zeros_like(places), bounds, **more)


def model_of(*pieces: Piece, rest: Any = None, **more: Any) -> ModelData:
    """Return a model whose nodes are all roots."""
    placed = np.zeros((0, 3, 4), F32) if rest is None else np.asarray(rest, F32)
    n = len(placed)
    values: dict[str, Any] = {"weights": np.zeros(0, F32), "first_weight": np.full(n, -1, np.int32), **more}
    return ModelData(
        "model", pieces, tuple(map(str, range(n))), np.full(n, -1, np.int32), placed[:, :, 3],
        np.tile(np.array([0, 0, 0, 1], F32), (n, 1)), np.ones((n, 3), F32), placed, np.zeros((2, 3), F32), **values,
    )  # fmt: skip


def at(x: float, y: float, z: float, linear: Any = None) -> np.ndarray:
    """Return a matrix."""
    made = np.eye(3, 4, dtype=F32)
    made[:, :3] = np.eye(3) if linear is None else linear
    made[:, 3] = x, y, z
    return made


class Drawn:
    """A draw list of models that are shown at matrices, by entities 1, 2, ..., and the things of it."""

    def __init__(
        self, meshes: list[MeshData], shown: list[tuple[ModelData, Any]], poses: Poses3D | None = None,
        materials: Any = (), library: Library | None = None,
    ) -> None:  # fmt: skip
        draw = DrawList()
        models, catalog = draw.models, draw.models.catalog
        self.draw, self.poses = draw, poses or Poses3D()
        library = library or Library()
        library.meshes[:] = meshes
        catalog._list(SimpleNamespace(library=library), [model for model, _ in shown])  # type: ignore[arg-type]
        self.matrices = np.concatenate([np.asarray(matrices, F32).reshape(-1, 3, 4) for _, matrices in shown])
        kinds = np.repeat(np.arange(len(shown)), [len(np.asarray(m).reshape(-1, 3, 4)) for _, m in shown])
        store: Any = SimpleNamespace(materials=[plain_row(), *materials], with_tangents=lambda mesh: mesh)
        models.looks.start(store, catalog, np.arange(len(shown)) << BITS)
        models.attachment.start(catalog, self.poses)
        models.materials.table = np.array(store.materials, F32)
        which, index = models.looks.pieces(kinds << BITS)
        keys = models.looks.keys(catalog, index, which)
        order = np.argsort(keys)
        described = np.zeros(len(kinds), SHOWN)
        described["entity"], described["pose"] = np.arange(len(kinds)) + 1, np.arange(len(kinds))
        described["look"], described["material"], described["bits"] = kinds << BITS, -1, 1
        described["tint"], described["casts"] = -1, 1
        slots = np.arange(len(which), dtype=np.int32)
        models.instances.make_room(len(slots))
        models.instances.order.fill(keys[order], slots)
        models._write(slots, keys[order], index[order], described[which[order]])
        models._place(self.matrices, slots)
        self.things = Things(draw, Shapes(library))

    def move(self, rows: Any, matrices: Any) -> None:
        """Move some rows of Transform3D, and let the things follow."""
        self.matrices[rows] = matrices
        models = self.draw.models
        models._place(self.matrices, np.flatnonzero(np.isin(models.instances.row, rows)).astype(np.int32))
        self.things.follow(np.asarray(rows), posed=False)

    def pose(self, poses: Poses3D) -> None:
        """Give models other poses, and let the things follow."""
        models = self.draw.models
        models.pose(poses)
        models._place(self.matrices, models.instances.slots)
        self.things.follow(np.zeros(0, np.int64), posed=True)


def things_of(meshes: list[MeshData], shown: list[tuple[ModelData, Any]], poses: Poses3D | None = None) -> Things:
    """Return the things of models at matrices; their entities are 1, 2, ..."""
    return Drawn(meshes, shown, poses).things
