"""Rays against all triangles of a scene, in plain numpy, beside the trees."""

from __future__ import annotations

import numpy as np
import pytest

from picked_things import at, mesh_of, model_of, things_of
from rish_scene3d.clips.skeleton_poses import Poses3D
from rish_scene3d.layout import DOUBLE_SIDED
from rish_scene3d.models.model import ModelData, Piece, SkinData
from rish_scene3d.models.model_library import MeshData
from rish_scene3d.picking import casting
from rish_scene3d.picking.casting import cast
from rish_scene3d.picking.ray_targets import Things

F32 = np.float32
_CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], F32) / 2
_FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
          [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip
STILL = np.eye(3, 4, dtype=F32)


def rays(n: int, seed: int, spread: float = 6.0) -> tuple[np.ndarray, np.ndarray]:
    """Return rays from a ball around a scene, towards it."""
    random = np.random.default_rng(seed)
    origins = random.normal(size=(n, 3))
    origins *= 12 / np.linalg.norm(origins, axis=1, keepdims=True)
    ways = random.uniform(-spread, spread, (n, 3)) - origins
    return origins, ways / np.linalg.norm(ways, axis=1, keepdims=True)


def slow(corners: np.ndarray, both: np.ndarray, origins: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """Return the distance of the first triangle of each ray by Cramer's rule, all against all.

    corners: (t, 3, 3). both: bool (t,), whether the back counts.
    """
    best = np.full(len(origins), np.inf)
    for triangle, open_back in zip(corners.astype(np.float64), both, strict=True):
        a, b, c = triangle
        normal = np.cross(b - a, c - a)
        facing = -(ways @ normal)
        with np.errstate(all="ignore"):
            t = ((origins - a) @ normal) / facing
            p = origins + ways * t[:, None]
            inside = np.ones(len(p), bool)
            for s, e in ((a, b), (b, c), (c, a)):
                inside &= np.cross(e - s, p - s) @ normal >= 0
        hit = inside & (t >= 0) & ((facing > 0) | (open_back & (facing != 0)))
        best = np.where(hit & (t < best), t, best)
    return best


def _scene(seed: int, count: int) -> tuple[Things, np.ndarray, np.ndarray]:
    """Return random cubes and open squares, turned, stretched and mirrored, with their triangles in the world."""
    random = np.random.default_rng(seed)
    square = mesh_of([[-1, 0, -1], [1, 0, -1], [1, 0, 1], [-1, 0, 1]], [[0, 2, 1], [0, 3, 2]])
    meshes = [mesh_of(_CUBE, _FACES), square]
    models = model_of(Piece(0, -1, 0)), model_of(Piece(1, -1, 0, DOUBLE_SIDED))
    parts, corners, both = [], [], []
    for k, model in enumerate(models):
        placed = np.zeros((count, 3, 4), F32)
        placed[:, :, :3], placed[:, :, 3] = random.normal(size=(count, 3, 3)), random.uniform(-5, 5, (count, 3))
        parts.append((model, placed))
        for matrix in placed.astype(np.float64):
            made = (meshes[k].positions @ matrix[:, :3].T + matrix[:, 3])[meshes[k].indices]
            corners.append(made[:, ::-1] if np.linalg.det(matrix[:, :3]) < 0 else made)
            both.append(np.full(len(made), k == 1))
    return things_of(meshes, parts), np.concatenate(corners), np.concatenate(both)


@pytest.mark.parametrize("seed", range(4))
def test_trees_find_what_all_triangles_give(seed: int) -> None:
    """Rays hit at the same distances as when every triangle is tested, for turned, stretched and mirrored things."""
    things, corners, both = _scene(seed, 12)
    origins, ways = rays(150, seed)
    found = cast(things, origins, ways, np.full(len(ways), np.inf))
    expected = slow(corners, both, origins, ways)
    assert np.array_equal(np.isfinite(found.distances), np.isfinite(expected))
    hit = found.entities > 0
    assert 20 < hit.sum() < len(ways)
    assert np.allclose(found.distances[hit], expected[hit], rtol=1e-5)
    assert np.allclose(found.points[hit], (origins + ways * found.distances[:, None])[hit])
    assert ((found.normals[hit] * ways[hit]).sum(axis=1) < 0).all()
    assert (found.entities[~hit] == -1).all()
    assert not found.points[~hit].any()


def test_a_hit_names_its_triangle_and_its_texture_coordinates() -> None:
    """Texture coordinates are mixed from the corners of the triangle that was hit."""
    uv = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], F32)
    mesh = mesh_of([[0, 0, 0], [4, 0, 0], [4, 2, 0], [0, 2, 0]], [[0, 1, 2], [0, 2, 3]], uv0=uv)
    things = things_of([mesh], [(model_of(Piece(0, -1, 0)), [at(0, 0, -5)])])
    found = cast(things, np.array([[1.0, 1.5, 0]]), np.array([[0, 0, -1.0]]), np.array([np.inf]))
    hit = found.one(0)
    assert hit is not None
    assert (hit.entity, hit.piece, hit.triangle, hit.distance) == (1, 0, 1, 5.0)
    assert hit.uv == pytest.approx([0.25, 0.75])
    assert hit.normal == pytest.approx([0, 0, 1])


def test_backs_are_met_only_where_they_are_drawn() -> None:
    """A ray from behind passes a single-sided triangle, also a mirrored one, and meets a double-sided one."""
    mesh = mesh_of([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    ways = np.array([[0, 0, -1.0], [0, 0, 1.0]])
    origins, reach = -3 * ways, np.full(2, np.inf)
    mirror = np.diag([-1.0, 1, 1])
    for matrix in (at(0, 0, 0), at(0, 0, 0, mirror)):
        for flags, expected in ((0, [True, False]), (DOUBLE_SIDED, [True, True])):
            things = things_of([mesh], [(model_of(Piece(0, -1, 0, flags)), [matrix])])
            found = cast(things, origins, ways, reach)
            assert (found.entities > 0).tolist() == expected


def test_rays_end_at_their_reach() -> None:
    """A hit counts at its reach and not beyond; rays of no length, or with NaN, hit nothing."""
    things = things_of([mesh_of(_CUBE, _FACES)], [(model_of(Piece(0, -1, 0)), [STILL])])
    origins = np.tile([[0.1, 0.2, 3.0]], (4, 1))
    ways = np.array([[0, 0, -1.0], [0, 0, -1.0], [0, 0, 0], [np.nan, 0, -1]])
    found = cast(things, origins, ways, np.array([2.5, 2.4, 9, 9]))
    assert found.entities.tolist() == [1, -1, -1, -1]


def test_animated_nodes_are_hit_where_they_are() -> None:
    """A piece on a node is at its pose of this frame; without one it is at rest."""
    model = model_of(Piece(0, 0, 0), rest=[at(5, 0, 0)])
    meshes = [mesh_of(_CUBE, _FACES)]
    one = np.zeros(1, np.int32)
    poses = Poses3D(np.array([2]), one, one - 1, one - 1, nodes=np.stack([at(0, 5, 0)]))
    things = things_of(meshes, [(model, [STILL, STILL])], poses)
    origins = np.array([[5.1, 0.2, 9], [0.1, 5.2, 9.0]])
    found = cast(things, origins, np.tile([[0, 0, -1.0]], (2, 1)), np.full(2, np.inf))
    assert found.entities.tolist() == [1, 2]


def _tube() -> tuple[MeshData, ModelData]:
    """Return a column of two meters on two joints, the upper one in its middle."""
    rings, faces = [], []
    for row in range(9):
        rings += [[np.cos(a) * 0.3, row / 4, np.sin(a) * 0.3] for a in np.arange(6) * np.pi / 3]
    for row in range(8):
        for k in range(6):
            a, b = row * 6 + k, row * 6 + (k + 1) % 6
            faces += [[a, a + 6, b], [b, a + 6, b + 6]]
    places = np.array(rings, F32)
    upper = np.clip(places[:, 1] - 0.5, 0, 1)
    joints = np.zeros((len(places), 4), np.uint16)
    joints[:, 1] = 1
    weights = np.zeros((len(places), 4), F32)
    weights[:, 0], weights[:, 1] = 1 - upper, upper
    binds = np.stack([STILL, at(0, -1, 0)])
    skin = SkinData(np.array([0, 1], np.int32), binds, 0)
    model = model_of(Piece(0, -1, 0, skin=0), rest=[STILL, at(0, 1, 0)], skins=(skin,))
    return mesh_of(places, faces, joints=joints, weights=weights), model


def _bent(turn: float) -> np.ndarray:
    cos, sin = np.cos(turn), np.sin(turn)
    linear = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    return np.stack([STILL, at(sin, 1 - cos, 0, linear)])


@pytest.mark.parametrize("turn", [0.0, 0.7, -1.5])
def test_characters_are_hit_at_their_posed_triangles(turn: float) -> None:
    """A skinned mesh is hit exactly where its joints have moved it, and nowhere else."""
    mesh, model = _tube()
    none = np.full(1, -1, np.int32)
    poses = Poses3D(np.array([1]), none, np.zeros(1, np.int32), none, palettes=_bent(turn).astype(F32))
    placed = at(0.5, -1, 0, np.diag([1.5, 1, 1]))
    things = things_of([mesh], [(model, [placed])], poses)
    moved = np.zeros_like(mesh.positions, np.float64)
    assert mesh.joints is not None
    assert mesh.weights is not None
    for k in range(4):
        m = _bent(turn)[mesh.joints[:, k]]
        moved += mesh.weights[:, k, None] * (np.einsum("nrc,nc->nr", m[:, :, :3], mesh.positions) + m[:, :, 3])
    corners = (moved @ placed[:, :3].T + placed[:, 3])[mesh.indices]
    origins, ways = rays(300, 3, 1.5)
    found = cast(things, origins, ways, np.full(len(ways), np.inf))
    expected = slow(corners, np.zeros(len(corners), bool), origins, ways)
    assert np.array_equal(np.isfinite(found.distances), np.isfinite(expected))
    hit = np.isfinite(expected)
    assert hit.sum() > 10
    assert np.allclose(found.distances[hit], expected[hit], rtol=1e-5)


def test_large_characters_are_hit_at_their_capsules(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mesh with too many triangles is hit within a share of its thickness of where its triangles are."""
    mesh, model = _tube()
    none = np.full(1, -1, np.int32)
    poses = Poses3D(np.array([1]), none, np.zeros(1, np.int32), none, palettes=_bent(1.2).astype(F32))
    things = things_of([mesh], [(model, [STILL])], poses)
    elbow = np.array([-0.6, 1.2, 5.0])
    args = elbow[None], np.array([[0, 0, -1.0]]), np.array([np.inf])
    exact = cast(things, *args).one(0)
    monkeypatch.setattr(casting, "MAX_POSED_TRIANGLES", 10)
    rough = cast(things, *args).one(0)
    assert exact is not None
    assert rough is not None
    assert rough.triangle == -1
    assert rough.entity == 1
    assert abs(rough.distance - exact.distance) < 0.1
    assert cast(things, elbow[None] + [2, 0, 0], *args[1:]).one(0) is None


def test_morph_targets_move_what_is_hit() -> None:
    """A mesh is hit where the weights of its morph targets of this frame have moved it."""
    targets = np.zeros((1, 3, 8, 3), F32)
    targets[0, 0, :, 0] = 4.0
    mesh = mesh_of(_CUBE, _FACES, targets=targets)
    model = model_of(Piece(0, 0, 0, morph=0), rest=[STILL], weights=np.zeros(1, F32))
    none = np.full(1, -1, np.int32)
    poses = Poses3D(np.array([2]), none, none, np.zeros(1, np.int32), morphs=np.array([0.75], F32))
    things = things_of([mesh], [(model, [STILL, STILL])], poses)
    origins = np.array([[0.1, 0.1, 9], [3.1, 0.1, 9], [2.0, 0.1, 9]])
    found = cast(things, origins, np.tile([[0, 0, -1.0]], (3, 1)), np.full(3, np.inf))
    assert found.entities.tolist() == [1, 2, -1]
