"""The contract's tests of contacts: rest, friction, restitution, momentum, filters, ground."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rish_core import Edges, Transform, publish_edges

from ..components.bodies import Body, Collider, ColliderShape
from .base import ContractTests

_FORMS: list[tuple[dict[str, Any], float]] = [
    ({"size": (1, 1)}, 0.5),
    ({"size": (0.8, 0.8), "radius": 0.1}, 0.5),
    ({"shape": "circle", "radius": 0.4}, 0.4),
    ({"shape": "capsule", "size": (2, 0.6)}, 0.3),
    ({"shape": "polygon", "points": [(-1, -0.5), (1, -0.5), (0, 1)]}, 0.5),
    ({"shape": "outline", "points": [(-1, -0.5), (1, -0.5), (1, 1), (0.5, 1), (0.5, 0), (-1, 0)]}, 0.5),
    ({"shape": "segment", "points": [(-1, 0), (1, 0)], "radius": 0.2, "density": 2}, 0.2),
]
"""Colliders, and the height of their position when they lie on the ground."""


class ContactTests(ContractTests):
    """How bodies act on one another."""

    def test_every_form_rests_on_the_ground(self) -> None:
        """Bodies of all forms fall, come to rest on a static box, and lie there without sinking."""
        with self.yard() as yard:
            yard.ground()
            bodies = [
                (yard.put(4.0 * k, height + 0.1, Body(), Collider(**form)), height)
                for k, (form, height) in enumerate(_FORMS)
            ]
            yard.run(1)
            for body, height in bodies:
                assert yard.place(body)[1] == pytest.approx(height, abs=0.02)
                assert abs(yard.velocity(body)).max() < 0.02

    def test_a_stack_comes_to_rest_in_any_order_of_spawning(self) -> None:
        """Four boxes stay on one another, and where they rest does not depend on which was spawned first."""
        ends: list[list[float]] = []
        for order in ((0, 1, 2, 3), (2, 0, 3, 1)):
            with self.yard() as yard:
                yard.ground()
                boxes = {k: yard.box(0.02 * k, 0.5 + 1.05 * k) for k in order}
                yard.run(1.2)
                ends.append([part for k in range(4) for part in yard.place(boxes[k])])
                assert max(abs(yard.velocity(box)).max() for box in boxes.values()) < 0.02
        assert ends[0] == pytest.approx([part for k in range(4) for part in (0.02 * k, 0.5 + k)], abs=0.04)
        assert ends[1] == pytest.approx(ends[0], abs=0.02)

    @pytest.mark.parametrize(("friction", "slides"), [(0.6, False), (0.3, True)])
    def test_friction_holds_up_to_its_angle(self, friction: float, slides: bool) -> None:
        """On a slope of tan α = 0.5 a box with μ = 0.6 rests, and with 0.3 slides with a = g (sin α - μ cos α)."""
        angle = math.atan(0.5)
        with self.yard() as yard:
            yard.put(0, 0, Collider(size=(60, 2), friction=friction), angle=-angle)
            x, y = 1.5 * math.sin(angle), 1.5 * math.cos(angle)
            box = yard.box(x, y, angle=-angle, friction=friction, body={"allow_sleep": False})
            yard.run(1)
            way = math.dist(yard.place(box), (x, y))
            speed = 10 * (math.sin(angle) - friction * math.cos(angle)) / 2 if slides else 0.0
            assert way == pytest.approx(speed, rel=0.05, abs=0.02)

    def test_restitution_is_the_share_of_the_speed(self) -> None:
        """A ball with e = 0.5 that falls 5 m rises by a quarter of that; a slow impact does not bounce."""
        with self.yard() as yard:
            yard.ground()
            ball, slow = yard.ball(0, 5.5, restitution=0.5), yard.ball(5, 0.52, restitution=1)
            yard.run(1)
            highest = 0.0
            for _ in range(60):
                yard.run(1 / 60)
                highest = max(highest, yard.place(ball)[1] - 0.5)
            assert highest == pytest.approx(1.25, rel=0.1)
            assert yard.place(slow)[1] < 0.52

    def test_a_collision_keeps_momentum(self) -> None:
        """Two elastic balls exchange their velocities; of unequal ones the momentum remains."""
        with self.yard(gravity=[0, 0]) as yard:
            a, b = yard.ball(-2, 0, restitution=1, body={"velocity": (5, 0)}), yard.ball(2, 0, restitution=1)
            c = yard.ball(-2, 9, density=3, body={"velocity": (4, 0.5)})
            d = yard.ball(2, 9.5, body={"velocity": (-1, 0)})
            yard.run(1)
            assert yard.velocity(a) == pytest.approx((0, 0), abs=0.05)
            assert yard.velocity(b) == pytest.approx((5, 0), abs=0.05)
            momentum = 3 * yard.velocity(c) + yard.velocity(d)
            assert momentum == pytest.approx((3 * 4 - 1, 1.5), rel=2e-3)
            assert abs(yard.velocity(d)[1]) > 0.1

    def test_layers_masks_and_groups_decide_what_collides(self) -> None:
        """A body falls through ground that its layer, its mask or its group excludes, and rests on other ground."""
        layers = {"solid": "all", "ghost": "none"}
        with self.yard(layers=layers) as yard:
            yard.ground(collision_layer="solid", group=-3)
            rests = yard.box(0, 1)
            falls = [
                yard.box(5, 1, collision_layer="ghost"), yard.box(10, 1, mask=0), yard.box(15, 1, group=-3),
                yard.box(20, 1, enabled=False),
            ]  # fmt: skip
            grouped = yard.box(25, 1, mask=0, group=4)
            yard.put(25, -0.5, Collider(size=(2, 1), group=4))
            yard.run(1)
            assert yard.place(rests)[1] == pytest.approx(0.5, abs=0.02)
            assert yard.place(grouped)[1] == pytest.approx(0.5, abs=0.02)
            assert max(yard.place(body)[1] for body in falls) < -1

    def test_edges_of_other_plugins_are_ground(self) -> None:
        """A body slides over published edges without a bump, and falls where there is none."""
        with self.yard() as yard:
            xs = np.arange(12, -3, -1).astype(np.float32)
            publish_edges(yard.world, "tiles", x0=xs[:-1], y0=0.0, x1=xs[1:], y1=0.0)
            box = yard.box(0, 0.5, friction=0, body={"velocity": (4, 0)})
            yard.run(1)
            assert yard.place(box) == pytest.approx((4, 0.5), abs=0.05)
            assert yard.velocity(box)[0] == pytest.approx(4, rel=0.02)
            yard.world.set(box, Transform(position=(11, 0.5)))
            yard.run(1.2)
            assert yard.place(box)[1] < -1

    def test_static_colliders_are_published_as_edges(self) -> None:
        """The outline of a static collider is among `Edges` with the source `physics`, solid on the left."""
        with self.yard() as yard:
            wall = yard.put(3, 0, Collider(size=(2, 2)))
            yard.box(0, 0)
            yard.run(2 / 60)
            edges = yard.world[Edges]
            of_physics = edges.column("source") == yard.world.intern("physics")
            x0, y0, x1, y1 = (edges.column(name)[of_physics].astype(float) for name in ("x0", "y0", "x1", "y1"))
            assert edges.column("owner")[of_physics].tolist() == [wall] * 4
            assert ((x0 * y1 - x1 * y0).sum() / 2) == pytest.approx(4)

    def test_children_with_colliders_are_shapes_of_one_body(self) -> None:
        """A hammer of two colliders rests on its head, with its center of mass over it."""
        with self.yard() as yard:
            yard.ground()
            hammer = yard.put(0, 1.6, Body(), Collider(size=(0.2, 2)))
            yard.world.spawn(Transform(position=(0, -1), parent=hammer), Collider(size=(1.5, 1), density=5))
            yard.run(1)
            assert yard.place(hammer) == pytest.approx((0, 1.5), abs=0.03)
            assert yard.angle(hammer) == pytest.approx(0, abs=0.02)

    def test_chains_are_smooth_and_solid_on_one_side(self) -> None:
        """A box slides over the vertices of a chain, and one that comes from its left passes through."""
        self.needs("chains")
        with self.yard() as yard:
            points: Any = [(20, 0), (9, 0), (6, 0), (3, 0), (-3, 0)]
            yard.put(0, 0, Collider(shape=ColliderShape.CHAIN, points=points, friction=0))
            box = yard.box(0, 0.5, friction=0, body={"velocity": (6, 0)})
            below = yard.box(15, -2, friction=0, body={"velocity": (0, 9)})
            highest = 0.0
            for _ in range(60):
                yard.run(1 / 60)
                highest = max(highest, yard.place(below)[1])
            assert yard.place(box) == pytest.approx((6, 0.5), abs=0.05)
            assert highest > 1
