"""The tree of the broad phase finds the same pairs as a comparison of all boxes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rish_physics3d import Layout, placed_shapes
from rish_physics3d.components.tables import Contacts3D
from rish_physics3d.step.memory import Stepper
from rish_teach.teach3d import near_pairs


def test_the_tree_finds_the_pairs_that_a_comparison_of_all_boxes_finds(yard: Callable[..., Any]) -> None:
    """In random worlds of moving bodies of all shapes, in every tick, the contacts are the pairs of near boxes."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        game = yard(gravity=-10)
        game.ground()
        for _ in range(40):
            place, velocity = rng.uniform((-3, 0, -3), (3, 6, 3)), rng.normal(size=3) * 5
            if rng.random() < 0.5:
                size = rng.uniform(0.1, 2, 3).tolist()
                game.box(*place, size, rotation=rng.normal(size=4).tolist(), body={"velocity": velocity.tolist()})
            else:
                game.ball(*place, rng.uniform(0.1, 1), body={"velocity": velocity.tolist()})
        for _ in range(8):
            game.run(1)
            world = game.world
            layout, contacts = world[Layout], world[Contacts3D]
            shapes = placed_shapes(layout)
            boxes = world[Stepper].broad.boxes.reshape(-1, 2, 3)
            moves = layout.types == 2  # dynamic
            expected = [
                (shapes[a].entity, shapes[b].entity)
                for a, b in near_pairs(boxes, np.float32(0.02))
                if shapes[a].body != shapes[b].body and (moves[shapes[a].body] or moves[shapes[b].body])
            ]
            assert list(zip(contacts.a.tolist(), contacts.b.tolist(), strict=True)) == expected
            assert expected
