"""The contract's tests of motion: free fall, forces, kinematic and static bodies, jumps, time."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_core import Transform

from ..components.bodies import Body, BodyType, Collider
from ..components.settings import PhysicsSettings
from ..forces.forces import apply_angular_impulse, apply_force, apply_impulse, apply_torque
from ..forces.teleport import teleport_bodies
from .base import ContractTests


class MotionTests(ContractTests):
    """How bodies move where nothing touches them."""

    def test_free_fall_follows_the_parabola(self) -> None:
        """A thrown body is at x = v t and y = v t - g t²/2 after a second, and keeps its spin."""
        with self.yard() as yard:
            body = yard.box(0, 0, body={"velocity": (3, 5), "angular_velocity": 1})
            yard.run(1)
            assert yard.place(body) == pytest.approx((3, 0), abs=0.1)  # semi-implicit Euler: g h t / 2
            assert yard.velocity(body) == pytest.approx((3, -5), abs=1e-3)
            assert yard.angle(body) == pytest.approx(1, abs=1e-3)

    def test_gravity_damping_and_fixed_rotation_are_those_of_the_body(self) -> None:
        """`gravity_scale`, `linear_damping`, `angular_damping` and `fixed_rotation` act on their own body only."""
        with self.yard() as yard:
            light = yard.box(0, 0, body={"gravity_scale": 0})
            heavy = yard.box(5, 0, body={"gravity_scale": 2})
            slow = yard.box(9, 0, body={"gravity_scale": 0, "velocity": (1, 0), "linear_damping": 1})
            turns = yard.box(15, 0, body={"angular_velocity": 1, "angular_damping": 1})
            stiff = yard.box(20, 0, body={"angular_velocity": 1, "fixed_rotation": True})
            yard.run(1)
            assert yard.place(light) == pytest.approx((0, 0))
            assert yard.velocity(heavy) == pytest.approx((0, -20), rel=1e-3)
            assert yard.velocity(slow)[0] == pytest.approx(math.exp(-1), rel=0.01)
            assert yard.spin(turns) == pytest.approx(math.exp(-1), rel=0.01)
            assert yard.angle(stiff) == 0

    def test_forces_and_impulses_follow_newton(self) -> None:
        """Δv = F t/m = J/m, and an impulse beside the center adds r × J / I of spin; a force lasts one tick."""
        with self.yard(gravity=[0, 0]) as yard:
            pushed, kicked, turned = (yard.box(5 * k, 0, density=2) for k in range(3))
            yard.run(1 / 60)
            for _ in range(60):
                apply_force(yard.world, pushed, (4, 0))
                yard.run(1 / 60)
            apply_impulse(yard.world, kicked, (0, 3), point=(5.5, 0))
            apply_torque(yard.world, turned, 60 / 3)
            apply_angular_impulse(yard.world, turned, 1 / 3)
            yard.run(0.1)
            assert yard.velocity(pushed) == pytest.approx((2, 0), rel=1e-3)
            assert yard.velocity(kicked) == pytest.approx((0, 1.5), rel=1e-3)
            assert yard.spin(kicked) == pytest.approx(0.5 * 3 / (2 / 6), rel=1e-3)
            assert yard.spin(turned) == pytest.approx(1 + 1, rel=1e-3)

    def test_mass_is_area_times_density_or_as_given(self) -> None:
        """The same impulse gives each body the velocity of its mass; sensors and density 0 have none."""
        with self.yard(gravity=[0, 0]) as yard:
            disc = yard.ball(0, 0, 1.0, density=3)
            weighted = yard.box(5, 0, body={"mass": 5})
            pair = yard.box(10, 0)
            yard.world.spawn(Transform(position=(0, 1), parent=pair), Collider(size=(1, 1), density=3))
            yard.run(1 / 60)
            apply_impulse(yard.world, np.array([disc, weighted, pair]), (1, 0))
            yard.run(1 / 60)
            speeds = [yard.velocity(body)[0] for body in (disc, weighted, pair)]
            assert speeds == pytest.approx([1 / (3 * math.pi), 0.2, 0.25], rel=1e-3)

    def test_a_written_position_is_a_jump(self) -> None:
        """A dynamic or static body is where the game writes it, and a dynamic one keeps its velocity."""
        with self.yard(gravity=[0, 0]) as yard:
            body, wall = yard.box(0, 0, body={"velocity": (6, 0)}), yard.put(0, 5, Collider(size=(1, 1)))
            yard.run(0.1)
            for entity, place in ((body, (50, 50)), (wall, (52, 50))):
                yard.world.set(entity, Transform(position=place))
            yard.run(0.1)
            assert yard.place(body) == pytest.approx((50.6, 50), abs=1e-3)
            assert yard.place(wall) == pytest.approx((52, 50))
            yard.run(0.5)
            assert yard.place(body)[0] < 51.1

    def test_kinematic_bodies_move_as_the_game_sets_them(self) -> None:
        """A kinematic body moves with its velocity, or is at its written position at the end of the tick, whatever
        touches it.
        """
        with self.yard() as yard:
            lift = yard.put(0, 0, Body(type=BodyType.KINEMATIC, velocity=(0, 1)), Collider(size=(4, 1)))
            piston = yard.put(20, 0, Body(type=BodyType.KINEMATIC), Collider(size=(1, 1)))
            load = yard.box(0, 1)
            pushed = yard.ball(21.2, 0, body={"gravity_scale": 0})
            yard.run(0.5)
            for k in range(30):
                yard.world.set(piston, Transform(position=(20 + 0.05 * (k + 1), 0)))
                yard.run(1 / 60)
                assert yard.place(piston)[0] == pytest.approx(20 + 0.05 * (k + 1), abs=1e-5)
            assert yard.place(lift) == pytest.approx((0, 1), abs=1e-4)
            assert yard.place(load) == pytest.approx((0, 2), abs=0.05)
            assert yard.place(pushed)[0] > 22.4
            assert yard.velocity(pushed)[0] == pytest.approx(3, rel=0.2)

    def test_teleported_bodies_push_nothing_on_their_way(self) -> None:
        """`teleport_bodies` moves a kinematic body through others without touching them, and keeps its velocity."""
        with self.yard(gravity=[0, 0]) as yard:
            door = yard.put(0, 0, Body(type=BodyType.KINEMATIC), Collider(size=(1, 1)))
            between = yard.box(3, 0)
            yard.run(0.1)
            teleport_bodies(yard.world, door, (6, 0), 0.5)
            yard.run(0.1)
            assert yard.place(door) == pytest.approx((6, 0))
            assert yard.angle(door) == pytest.approx(0.5)
            assert yard.place(between) == pytest.approx((3, 0))

    def test_time_can_be_slowed_and_stopped(self) -> None:
        """`time_scale` 0.5 halves the way of a body, and 0 stops it."""
        with self.yard(gravity=[0, 0], time_scale=0.5) as yard:
            body = yard.box(0, 0, body={"velocity": (2, 0)})
            yard.run(1)
            assert yard.place(body)[0] == pytest.approx(1, rel=1e-4)
            yard.world[PhysicsSettings].time_scale = 0
            yard.run(0.5)
            assert yard.place(body)[0] == pytest.approx(1, rel=1e-4)

    def test_bodies_with_parents_fall_in_the_world(self) -> None:
        """A body below a turned and moved parent falls straight down, and its Transform is relative to the parent."""
        with self.yard() as yard:
            parent = yard.put(5, 5, angle=math.pi / 2)
            body = yard.world.spawn(Transform(position=(1, 0), parent=parent), Body(), Collider(size=(1, 1)))
            yard.run(0.5)
            x, y = yard.place(body)
            assert (x, y) == pytest.approx((1 - 1.25, 0), abs=0.05)
            assert yard.angle(body) == pytest.approx(0, abs=1e-4)
