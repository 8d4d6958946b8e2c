"""Outlines of colliders in space, for tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics3d import Body3D, Collider3D, ColliderShape3D, collider_outlines_3d
from rish_space3d import quaternions

TURN = quaternions.normalized(np.array([0.3, -0.5, 0.2, 0.8]))
SHAPES: dict[str, dict[str, Any]] = {
    "box": {"size": (1, 2, 3)},
    "sphere": {"radius": 0.7},
    "capsule": {"size": (1, 3, 1), "radius": 0.4},
    "hull": {"points": [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 1)]},
}


def local(lines: Any, place: Any, scale: float) -> Any:
    """Return the points of lines in the frame of the shape."""
    points = (np.asarray(lines, float).reshape(-1, 3) - place) / scale
    return quaternions.turned(quaternions.inverse(TURN), points)


@pytest.mark.parametrize("shape", SHAPES)
def test_outlines_are_on_the_surface_of_the_shape(yard: Callable[..., Any], shape: str) -> None:
    """The outline of a moved, turned and scaled collider lies on its surface and reaches its ends."""
    game = yard()
    collider = Collider3D(shape=ColliderShape3D(shape), offset=(1, 0, 0), **SHAPES[shape])
    entity = game.put(1, 2, 3, Body3D(), collider, rotation=TURN, scale=(2, 2, 2))
    [lines] = collider_outlines_3d(game.world, entity)
    points = local(lines, (1, 2, 3), 2.0) - (1, 0, 0)
    low, high = points.min(axis=0), points.max(axis=0)
    if shape == "box":
        assert np.abs(points) == pytest.approx(np.tile([0.5, 1, 1.5], (24, 1)), abs=1e-5)
    elif shape == "hull":
        assert len(lines) == 6
        assert (low, high) == (pytest.approx([0, 0, 0], abs=1e-5), pytest.approx([1, 2, 1], abs=1e-5))
    else:
        radius, half = (0.7, 0.0) if shape == "sphere" else (0.4, 1.1)
        core = np.clip(points[:, 1], -half, half)[:, None] * [0, 1, 0]
        assert np.linalg.norm(points - core, axis=1) == pytest.approx(radius, abs=1e-5)
        assert (low[1], high[1]) == pytest.approx((-half - radius, half + radius), abs=1e-5)


def test_meshes_show_the_edges_where_they_bend_or_end(yard: Callable[..., Any]) -> None:
    """A flat grid shows its border only; a ridge shows up; a plane has a square."""
    game = yard()
    flat = game.put(0, 0, 0, Collider3D(shape=ColliderShape3D.HEIGHTFIELD, heights=[0.0] * 9, columns=3))
    roof = game.put(0, 0, 0, Collider3D(shape=ColliderShape3D.HEIGHTFIELD, heights=[0.0, 1.0, 0.0] * 3, columns=3))
    plane = game.put(0, 0, 0, Collider3D(shape=ColliderShape3D.PLANE))
    on_flat, on_roof, on_plane = collider_outlines_3d(game.world, [flat, roof, plane])
    assert len(on_flat) == 8
    assert len(on_roof) == 10
    assert np.abs(on_plane).max() == 5


def test_what_is_no_shape_has_no_outline(yard: Callable[..., Any]) -> None:
    """Entities without a collider, and colliders that are refused, have no lines."""
    game = yard()
    plain = game.put(0, 0, 0)
    ball = game.ball(0, 0, 0)
    moving = Collider3D(shape=ColliderShape3D.MESH, points=[(0, 0, 0), (1, 0, 0), (0, 1, 0)], triangles=[0, 1, 2])
    refused = game.put(0, 0, 0, Body3D(), moving)
    assert [len(lines) for lines in collider_outlines_3d(game.world, [plain, ball, refused])] == [0, 144, 0]
