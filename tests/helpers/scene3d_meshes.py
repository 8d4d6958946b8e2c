"""Meshes and pictures by hand, for 3D scenes without a World; see `scene3d`."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from rish_scene3d.models.model_library import MeshData

Array = Any


def mesh(name: str, positions: Any, normals: Any, indices: Any, **more: Any) -> MeshData:
    """Return a mesh of arrays of any number type."""
    places = np.array(positions, np.float32)
    bounds = np.array([places.min(axis=0), places.max(axis=0)], np.float32)
    facing = np.array(normals, np.float32)
    return MeshData(name, np.array(indices, np.uint32).reshape(-1, 3), places, facing, bounds, **more)


def sphere(rings: int = 24, sectors: int = 48) -> MeshData:
    """Return a sphere of diameter 1 with uv and tangents; v points down."""
    v, u = np.meshgrid(np.linspace(0, 1, rings + 1), np.linspace(0, 1, sectors + 1), indexing="ij")
    fall, turn = v * np.pi, u * 2 * np.pi
    n = np.stack([np.sin(fall) * np.sin(turn), np.cos(fall), np.sin(fall) * np.cos(turn)], axis=-1)
    tangent = np.stack([np.cos(turn), 0 * turn, -np.sin(turn), 1 + 0 * turn], axis=-1)
    return _grid("sphere", 0.5 * n, n, tangent, np.stack([u, v], axis=-1))


def quad(side: float = 1.0, tiles: int = 1) -> MeshData:
    """Return a square of x and z that faces up, with uv and tangents, of `tiles` times `tiles` squares."""
    v, u = np.meshgrid(np.linspace(0, 1, tiles + 1), np.linspace(0, 1, tiles + 1), indexing="ij")
    places = np.stack([(u - 0.5) * side, 0 * u, (v - 0.5) * side], axis=-1)
    up, along = np.broadcast_to([0.0, 1, 0], places.shape), np.broadcast_to([1.0, 0, 0, 1], (*u.shape, 4))
    return _grid("quad", places, up, along, np.stack([u, v], axis=-1))


def box() -> MeshData:
    """Return a box of side 1 with uv and tangents on each face."""
    parts: list[tuple[Array, Array, Array, Array]] = []
    for axis, sign in itertools.product(range(3), (1.0, -1.0)):
        normal = np.eye(3)[axis] * sign
        up = np.eye(3)[2] * -sign if axis == 1 else np.eye(3)[1]
        right = np.cross(up, normal)
        corners = np.array([[-1, 1], [1, 1], [-1, -1], [1, -1]]) / 2
        places = normal / 2 + corners[:, :1] * right + corners[:, 1:] * up
        uv = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])
        tangent = np.tile([*right, 1.0], (4, 1))
        parts.append((places, np.tile(normal, (4, 1)), tangent, uv))
    indices = [[4 * k + i for i in (0, 2, 1, 1, 2, 3)] for k in range(6)]
    places, normals, tangents, uv = (np.concatenate(column).astype(np.float32) for column in zip(*parts, strict=True))
    return mesh("box", places, normals, indices, tangents=tangents, uv0=uv)


def tube(joints: int = 2, sides: int = 24, rows: int = 24, influences: int = 4) -> MeshData:
    """Return a tube along y, 2 m long, whose joints are at equal heights and blend into each other."""
    high, turn = np.meshgrid(np.linspace(0, 1, rows + 1), np.linspace(0, 2 * np.pi, sides + 1), indexing="ij")
    n = np.stack([np.sin(turn), 0 * turn, np.cos(turn)], axis=-1)
    places = n * 0.25 + np.stack([0 * high, 2 * (1 - high), 0 * high], axis=-1)
    tangent = np.stack([np.cos(turn), 0 * turn, -np.sin(turn), 1 + 0 * turn], axis=-1)
    made = _grid("tube", places, n, tangent, np.stack([turn / 2 / np.pi, high], axis=-1))
    along = (made.positions[:, 1] / 2 * (joints - 1)).clip(0, joints - 1)
    ids = np.zeros((len(along), influences), np.uint16)
    weights = np.zeros((len(along), influences), np.float32)
    low = np.minimum(along.astype(int), joints - 2)
    ids[:, 0], ids[:, 1] = low, low + 1
    weights[:, 1] = along - low
    weights[:, 0] = 1 - weights[:, 1]
    return MeshData(**{**made.__dict__, "joints": ids, "weights": weights})


def morphed(made: MeshData, *targets: Any) -> MeshData:
    """Return a mesh with morph targets; each is what it adds to the positions (n, 3)."""
    deltas = np.zeros((len(targets), 3, len(made.positions), 3), np.float32)
    for k, target in enumerate(targets):
        deltas[k, 0] = target
    return MeshData(**{**made.__dict__, "targets": deltas})


def _grid(name: str, places: Array, normals: Array, tangents: Array, uv: Array) -> MeshData:
    """Return a mesh of a grid of points (rows, columns, 3): rows downwards, columns to the right from the front."""
    rows, columns = places.shape[0] - 1, places.shape[1] - 1
    corner = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).reshape(-1)
    a, b, c, d = corner, corner + columns + 1, corner + 1, corner + columns + 2
    indices = np.stack([a, b, c, c, b, d], axis=1)
    flat = [np.ascontiguousarray(array.reshape(-1, array.shape[-1]), np.float32) for array in (tangents, uv)]
    return mesh(name, places.reshape(-1, 3), normals.reshape(-1, 3), indices, tangents=flat[0], uv0=flat[1])


def checks(
    side: int = 64, squares: int = 8, first: Any = (230, 230, 230, 255), other: Any = (60, 90, 160, 255)
) -> Array:
    """Return a picture of squares with a red mark in the top left and a green one in the top right corner."""
    cell = np.arange(side) * squares // side
    odd = (cell[:, None] + cell) % 2 == 1
    picture = np.where(odd[..., None], np.array(other, np.uint8), np.array(first, np.uint8))
    mark = side // squares
    picture[:mark, :mark], picture[:mark, -mark:] = (220, 30, 30, 255), (30, 200, 30, 255)
    return picture.astype(np.uint8)


def bumps(side: int = 64, count: int = 4, height: float = 0.6) -> Array:
    """Return a normal map of round bumps, y of the picture up as in glTF."""
    place = (np.arange(side) + 0.5) / side * count
    y, x = np.meshgrid(place % 1 - 0.5, place % 1 - 0.5, indexing="ij")
    slope = height * np.clip(1 - 2 * np.hypot(x, y), 0, 1)[..., None]
    n = np.concatenate([np.stack([x, -y], axis=-1) * 4 * slope, np.ones((side, side, 1))], axis=-1)
    n /= np.linalg.norm(n, axis=-1, keepdims=True)
    levels = np.rint((n + 1) / 2 * 255).astype(np.uint8)
    return np.concatenate([levels, np.full((side, side, 1), 255, np.uint8)], axis=-1)


def mips(picture: Array) -> list[Array]:
    """Return a picture and its smaller levels, each the mean of 2 times 2 values of the one before."""
    found = [picture]
    while found[-1].shape[0] > 1:
        side = found[-1].shape[0] // 2
        blocks = found[-1].astype(np.float64).reshape(side, 2, side, 2, 4)
        found.append(np.floor(blocks.mean(axis=(1, 3)) + 0.5).astype(np.uint8))
    return found
