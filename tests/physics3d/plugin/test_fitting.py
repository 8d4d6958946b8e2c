"""Colliders that are fitted to the points of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_physics3d import Collider3D, ColliderShape3D
from rish_physics3d.plugin.editing.fitting import FITS, fitted
from rish_space3d import quaternions

POINTS = st.lists(st.tuples(*[st.floats(-2, 2, width=16)] * 3), min_size=4, max_size=12)


def outside(points: Any, fields: Any, scale: Any) -> float:
    """Return how far the farthest point is outside of a collider, meters, as the solver scales it."""
    turn = quaternions.inverse(np.array(fields["rotation"]))
    local = quaternions.turned(turn, (points - np.array(fields["offset"])) * scale)
    if fields["shape"] is ColliderShape3D.BOX:
        return float((np.abs(local) - np.array(fields["size"]) * np.abs(scale) / 2).max())
    factor = np.abs(scale).max()
    radius, half = fields["radius"] * factor, 0.0
    if fields["shape"] is ColliderShape3D.CAPSULE:
        half = fields["size"][1] * factor / 2 - radius
    core = np.clip(local[:, 1], -half, half)[:, None] * [0, 1, 0]
    return float((np.linalg.norm(local - core, axis=1) - radius).max())


@pytest.mark.slow
@given(POINTS, st.sampled_from([(1, 1, 1), (2, 2, 2), (1, 3, 0.5), (-1, 1, 2)]), st.sampled_from([*FITS][:4]))
@settings(max_examples=15)
def test_all_points_are_inside(points: Any, scale: Any, kind: str) -> None:
    """Whatever the points and the scale of the entity, the fitted shape contains all points, flat ones too."""
    factors = np.array(scale, float)
    fields = fitted(np.array(points), factors, kind)
    assert outside(np.array(points), fields, factors) < 1e-4


def test_shapes_are_no_larger_than_they_must_be() -> None:
    """A turned bar gets a box of its own sides, a capsule along it, and a hull of its corners; a flat model a box."""
    bar = np.array([[x, y, z] for x in (-2, 2) for y in (-0.5, 0.5) for z in (-0.25, 0.25)])
    turn = quaternions.normalized(np.array([0.2, 0.3, -0.1, 0.9]))
    points = quaternions.turned(turn, bar) + np.array([1, 2, 3])
    box = fitted(points, np.ones(3), "oriented_box")
    assert sorted(box["size"]) == pytest.approx([0.5, 1, 4], abs=1e-4)
    assert box["offset"] == pytest.approx([1, 2, 3], abs=1e-4)
    capsule = fitted(points, np.ones(3), "capsule")
    axis = quaternions.turned(np.array(capsule["rotation"]), np.array([0.0, 1, 0]))
    assert abs(axis @ quaternions.turned(turn, np.array([1.0, 0, 0]))) == pytest.approx(1, abs=1e-4)
    assert len(fitted(points, np.ones(3), "hull")["points"]) == 8
    flat = bar * (1, 0, 1)
    assert fitted(flat, np.ones(3), "hull")["shape"] is ColliderShape3D.BOX


def test_the_fields_are_those_of_a_collider(yard: Callable[..., Any]) -> None:
    """What is fitted is a shape that the solver takes, for each kind."""
    from rish_physics3d import Layout

    game = yard()
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], float)
    for kind in FITS:
        game.put(0, 0, 0, Collider3D(**fitted(points, np.ones(3), kind)))
    assert not game.world[Layout].faults
    assert len(game.world[Layout].shape_entities) == len(FITS)
