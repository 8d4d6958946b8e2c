"""Bounding boxes of shapes."""

from __future__ import annotations

import numpy as np
from physics_rig import Rig, Scene, add_hull, t

from plain_hulls import boxes_of
from rish_physics.geometry.aabb import fit_boxes


def test_boxes_are_those_of_the_turned_points() -> None:
    """Boxes of rotated shapes of all kinds equal numpy's to the bit; moving bodies have a margin."""
    rig, random = Rig(Scene()), np.random.default_rng(3)
    for k in range(60):
        kind = (t.STATIC, t.KINEMATIC, t.DYNAMIC)[k % 3]
        place, angle = random.uniform(-9, 9, 2), float(random.uniform(-9, 9))
        turns = np.sort(random.uniform(0, 6.28, 4 if k % 5 == 4 else k % 8 + 1))
        points = np.column_stack([np.cos(turns), np.sin(turns)]) * random.uniform(0.01, 3)
        if k % 5 == 4:
            row = np.zeros(32, np.float32)
            row[:8] = points.ravel()
            add_hull(rig.world, *place, points, 0.1, kind, angle=angle, flags=t.CHAIN, row=row)
        else:
            add_hull(rig.world, *place, points, 0.3 * (len(points) < 3 or k % 2), kind, angle=angle)
    shapes, bodies, scaled = rig.world[t.Shapes], rig.world[t.Bodies], rig.state.scaled
    tight, fat = np.zeros((len(shapes), 4), np.float32), np.zeros((len(shapes), 4), np.float32)
    slots = np.arange(len(shapes), dtype=np.int32)[::-1].copy()
    fit_boxes(
        slots, shapes.body, shapes.flags, shapes.flat("size"), shapes.flat("hull"), bodies.flat("pose"), bodies.flags,
        scaled.speculative, scaled.margin, tight.reshape(-1), fat.reshape(-1),
    )  # fmt: skip
    expected = boxes_of(shapes.hull, shapes.flags, shapes.size[:, 2], bodies.pose[shapes.body])
    np.testing.assert_array_equal(tight, expected)
    moves = (bodies.flags[shapes.body] & t.TYPE) != t.STATIC
    margin = scaled.speculative + np.minimum(scaled.margin, np.float32(0.125) * shapes.size[:, 3])
    margin = np.where(moves, margin, np.float32(0))[:, None]
    np.testing.assert_array_equal(fat, np.hstack([expected[:, :2] - margin, expected[:, 2:] + margin]))
