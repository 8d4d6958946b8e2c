"""The generated shapes."""

from __future__ import annotations

import numpy as np
import pytest

from rish_space3d import MODEL_SHAPES, shape_mesh

SIZES = {"plane": (1, 0, 1), "capsule": (1, 2, 1), "torus": (1, 0.3, 1)}


@pytest.mark.parametrize("name", MODEL_SHAPES)
def test_a_shape_has_its_size_and_is_in_the_middle(name: str):
    """Each shape is one meter wide around the origin; the capsule is two meters high."""
    low, high = shape_mesh(name).bounds
    np.testing.assert_allclose(high - low, SIZES.get(name, (1, 1, 1)), atol=1e-6)
    np.testing.assert_allclose(low + high, 0, atol=1e-6)


@pytest.mark.parametrize("name", MODEL_SHAPES)
def test_triangles_face_outwards_counter_clockwise(name: str):
    """The normal of each triangle points as those of its corners do, and no triangle is without area."""
    mesh = shape_mesh(name)
    a, b, c = (mesh.positions[mesh.indices[:, k]].astype(np.float64) for k in range(3))
    flat = np.cross(b - a, c - a)
    assert (np.linalg.norm(flat, axis=1) > 1e-6).all()
    smooth = mesh.normals[mesh.indices].sum(axis=1)
    assert ((flat * smooth).sum(axis=1) > 0).all()
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("name", ["box", "sphere", "cylinder", "cone", "capsule", "torus"])
def test_closed_shapes_have_no_holes(name: str):
    """Every edge of a closed shape belongs to two triangles, once in each direction."""
    mesh = shape_mesh(name)
    places, number = np.unique(np.round(mesh.positions, 5), axis=0, return_inverse=True)
    faces = number.reshape(-1)[mesh.indices]
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    forth = {(int(a), int(b)) for a, b in edges}
    assert len(forth) == len(edges)
    assert forth == {(b, a) for a, b in forth}
    assert len(places) - len(edges) // 2 + len(faces) == (0 if name == "torus" else 2)  # Euler's formula


@pytest.mark.parametrize("name", MODEL_SHAPES)
def test_tangents_follow_the_texture(name: str):
    """Tangents point where u grows, and cross(normal, tangent) times the sign where v shrinks."""
    mesh = shape_mesh(name)
    corners, uv = mesh.positions[mesh.indices].astype(np.float64), mesh.uv0[mesh.indices].astype(np.float64)
    e1, e2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    (du1, dv1), (du2, dv2) = (uv[:, 1] - uv[:, 0]).T, (uv[:, 2] - uv[:, 0]).T
    area = du1 * dv2 - du2 * dv1
    some = np.abs(area) > 1e-9
    along_u = ((e1 * dv2[:, None] - e2 * dv1[:, None]) * np.sign(area)[:, None])[some]
    along_v = ((e2 * du1[:, None] - e1 * du2[:, None]) * np.sign(area)[:, None])[some]
    tangent = mesh.tangents[mesh.indices].sum(axis=1)[some]
    up = (np.cross(mesh.normals, mesh.tangents[:, :3]) * mesh.tangents[:, 3:])[mesh.indices].sum(axis=1)[some]
    assert ((along_u * tangent[:, :3]).sum(axis=1) > 0).all()
    assert ((along_v * up).sum(axis=1) < 0).all()
