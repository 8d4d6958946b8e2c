"""Tangents that are made follow the texture."""

from __future__ import annotations

import numpy as np
import pytest

from gltf_models import quad
from rish_gltf.geometry.faces import unit
from rish_gltf.geometry.tangents import make_tangents


def test_a_plain_square_has_the_tangent_of_growing_u() -> None:
    """The tangent points to growing u, and the bitangent to smaller v, which is up in a picture."""
    (primitive,) = quad().read().meshes[0].primitives
    assert primitive.tangents.tolist() == [[1, 0, 0, 1]] * 4


def test_a_turned_texture_turns_the_tangents() -> None:
    """The texture transform of the normal map is part of the tangent space."""
    made = quad()
    turn = {"KHR_texture_transform": {"rotation": np.pi / 2}}
    made.json["materials"][0]["normalTexture"]["extensions"] = turn
    (primitive,) = made.read().meshes[0].primitives
    assert primitive.tangents == pytest.approx(np.tile([0, -1, 0, 1], (4, 1)), abs=1e-6)


def test_a_mirrored_half_gets_vertices_of_its_own() -> None:
    """Where the texture is mirrored the shared vertices become two, with opposite signs and tangents."""
    positions = np.array([[-1, 0, 0], [0, 0, 0], [0, 1, 0], [1, 0, 0]], np.float32)
    uvs = np.array([[1, 1], [0, 1], [0, 0], [1, 1]], np.float32)
    normals = np.tile(np.array([0, 0, 1], np.float32), (4, 1))
    triangles = np.array([[0, 1, 2], [1, 3, 2]], np.uint32)
    source, made, tangents = make_tangents(positions, normals, uvs, triangles)
    assert source.tolist() == [0, 1, 1, 2, 2, 3]
    assert np.array_equal(source[made], triangles)
    assert tangents[made[0]].tolist() == [[-1, 0, 0, -1]] * 3
    assert tangents[made[1]].tolist() == [[1, 0, 0, 1]] * 3


def slow_tangents(positions: np.ndarray, normals: np.ndarray, uvs: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Return the tangent of each corner, one after the other, by the definition."""
    sums: dict[tuple[object, ...], np.ndarray] = {}
    keys = []
    for triangle in triangles:
        p, t = positions[triangle].astype(float), uvs[triangle].astype(float)
        d1, d2 = t[1] - t[0], t[2] - t[0]
        area = d1[0] * d2[1] - d1[1] * d2[0]
        direction = ((p[1] - p[0]) * d2[1] - (p[2] - p[0]) * d1[1]) * np.sign(area)
        for corner in range(3):
            normal = normals[triangle[corner]].astype(float)
            flat = [
                v - normal * (v @ normal)
                for v in (direction, p[(corner + 1) % 3] - p[corner], p[(corner + 2) % 3] - p[corner])
            ]
            tangent, ahead, back = [v / np.linalg.norm(v) for v in flat]
            place = (*positions[triangle[corner]], *normals[triangle[corner]], *uvs[triangle[corner]], area > 0)
            sums[place] = sums.get(place, 0) + tangent * np.arccos(np.clip(ahead @ back, -1, 1))
            keys.append((place, normal))
    rows = []
    for place, normal in keys:
        flat = sums[place] - normal * (sums[place] @ normal)
        rows.append([*(flat / np.linalg.norm(flat)), -1 if place[-1] else 1])
    return np.array(rows)


@pytest.mark.parametrize("seed", range(5))
def test_the_arrays_agree_with_the_definition(seed: int) -> None:
    """A bumpy surface with any texture has the tangents of a slow reference, corner for corner."""
    random = np.random.default_rng(seed)
    positions = random.normal(size=(30, 3)).astype(np.float32)
    normals = unit(random.normal(size=(30, 3)), (0, 1, 0))
    uvs = random.normal(size=(30, 2)).astype(np.float32)
    positions[5], normals[5], uvs[5] = positions[6], normals[6], uvs[6]  # welded
    triangles = np.stack([random.permutation(30)[:3] for _ in range(20)]).astype(np.uint32)
    source, made, tangents = make_tangents(positions, normals, uvs, triangles)
    assert np.array_equal(source[made], triangles)
    expected = slow_tangents(positions, normals, uvs, triangles)
    assert tangents[made.ravel()] == pytest.approx(expected, abs=1e-4)


def test_without_texture_area_any_perpendicular_serves() -> None:
    """A triangle whose texture has no area gets finite unit tangents on its plane."""
    positions, triangles = np.eye(3, dtype=np.float32), np.array([[0, 1, 2]], np.uint32)
    normals = unit(np.ones((3, 3)), (0, 1, 0))
    tangents = make_tangents(positions, normals, np.zeros((3, 2), np.float32), triangles)[2]
    assert np.linalg.norm(tangents[:, :3], axis=1) == pytest.approx(1, abs=1e-6)
    assert (tangents[:, :3] * normals).sum(1) == pytest.approx(0, abs=1e-6)
