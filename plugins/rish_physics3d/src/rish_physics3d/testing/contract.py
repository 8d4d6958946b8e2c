"""The contract `rigid3d` as one class of tests, for this package's provider and for those of other authors.

    from rish_physics3d.testing import Rigid3DContract

    class TestMine(Rigid3DContract):
        plugin = my_plugin

The capabilities in the `About` of the provider select the tests: one that it does not have is not tested.
"""

from __future__ import annotations

import logging
import math
from typing import Any, ClassVar

import numpy as np
import pytest

from rish_core import Name
from rish_space3d import Transform3D, quaternions, teleport_3d

from ..components.bodies import Body3D, BodyType3D, Collider3D, ColliderShape3D
from ..components.events import ContactBegin3D, ContactEnd3D
from ..components.settings import Physics3DSettings
from ..forces.forces import apply_force_3d, apply_impulse_3d, explode_3d
from ..forces.teleport import teleport_bodies_3d
from .yard import ContractYard

_MASS = 1000.0


class Rigid3DContract:
    """All tests of the contract. Set `plugin` to the module of the provider, the one that its entry point names."""

    plugin: ClassVar[Any]

    def yard(self, scene: str = "[]", **settings: Any) -> ContractYard:
        """Return a new yard with the provider."""
        return ContractYard(self.plugin, scene, **settings)

    def needs(self, capability: str) -> None:
        """Skip the test if the provider does not have a capability."""
        if capability not in self.capabilities:
            pytest.skip(f"the provider does not have the capability {capability!r}")

    @property
    def capabilities(self) -> tuple[str, ...]:
        """The capabilities that the provider names in its About."""
        contracts = self.plugin.rish_about().provides
        return next(contract.capabilities for contract in contracts if contract.name == "rigid3d")

    def test_free_fall_follows_the_parabola(self) -> None:
        """A thrown body is at x = v t, y = v t - g t²/2, keeps its spin, and falls as all others."""
        with self.yard() as yard:
            body = yard.box(0, 0, 0, body={"velocity": (3, 5, 1), "angular_velocity": (0, 1, 0)})
            light = yard.ball(9, 0, 0, 0.1, body={"gravity_scale": 0.5, "linear_damping": 0})
            yard.run(1)
            assert yard.place(body) == pytest.approx((3, 0, 1), abs=0.1)  # semi-implicit Euler: g h t / 2
            assert yard.velocity(body) == pytest.approx((3, -5, 1), abs=1e-3)
            assert 2 * math.asin(yard.rotation(body)[1]) == pytest.approx(1, abs=1e-3)
            assert yard.velocity(light)[1] == pytest.approx(-5, abs=1e-3)

    def test_time_can_be_slowed_and_stopped(self) -> None:
        """`time_scale` 0.5 halves the way of a body, and 0 stops it."""
        with self.yard(gravity="[0, 0, 0]", time_scale=0.5) as yard:
            body = yard.box(0, 0, 0, body={"velocity": (2, 0, 0)})
            yard.run(1)
            assert yard.place(body)[0] == pytest.approx(1, rel=1e-4)
            yard.world[Physics3DSettings].time_scale = 0
            yard.run(0.5)
            assert yard.place(body)[0] == pytest.approx(1, rel=1e-4)

    def test_forces_torques_and_damping_follow_newton(self) -> None:
        """Δv = F t/m and Δω = T t/I in the one tick that a force lasts; damping takes a share of the velocity."""
        with self.yard(gravity="[0, 0, 0]") as yard:
            size = (1, 2, 3)
            pushed = yard.box(0, 0, 0, size, body={"force": (_MASS * 6 * 60, 0, 0)})
            turned = yard.box(9, 0, 0, size, body={"torque": (0, 0, _MASS * 6 / 12 * (1 + 4) * 60)})
            slowed = yard.ball(20, 0, 0, body={"velocity": (1, 0, 0), "linear_damping": 1})
            yard.run(1)
            assert yard.velocity(pushed) == pytest.approx((1, 0, 0), rel=1e-3)
            assert yard.spin(turned) == pytest.approx((0, 0, 1), rel=1e-3)
            assert yard.velocity(slowed)[0] == pytest.approx(math.exp(-1), rel=0.01)

    def test_pushes_and_teleports_act_through_the_columns(self) -> None:
        """A force and an impulse at a point move and turn a body, an explosion pushes it, and it jumps when placed."""
        with self.yard(gravity="[0, 0, 0]") as yard:
            boxes = [yard.box(9 * k, 0, 0, body={"mass": 6}) for k in range(3)]
            apply_force_3d(yard.world, boxes[0], (0, 360, 0), point=(0.5, 0, 0))
            apply_impulse_3d(yard.world, boxes[1], (0, 6, 0), point=(9.5, 0, 0))
            assert explode_3d(yard.world, (18, -1.5, 0), 2, 12).tolist() == [boxes[2]]
            teleport_bodies_3d(yard.world, boxes[2], (50, 50, 0))
            yard.run(1 / 60)
            for box, spin in zip(boxes, (3, 3, 0), strict=True):
                assert yard.velocity(box) == pytest.approx((0, 1, 0), abs=1e-3)
                assert yard.spin(box) == pytest.approx((0, 0, spin), rel=0.01)
            assert yard.place(boxes[2]) == pytest.approx((50, 50 + 1 / 60, 0))

    def test_free_rotation_keeps_momentum_and_energy(self) -> None:
        """A tumbling box keeps its angular momentum, in the world, and its energy within 2 %."""
        with self.yard(gravity="[0, 0, 0]") as yard:
            size = (1, 2, 3)
            box = yard.box(0, 0, 0, size, body={"angular_velocity": (2, 3, 1)})
            moments = np.array([4 + 9, 1 + 9, 1 + 4]) / 12

            def measured() -> tuple[Any, float]:
                turn = yard.rotation(box)
                local = moments * quaternions.turned(quaternions.inverse(turn), yard.spin(box))
                return quaternions.turned(turn, local), float((local * local / moments).sum())

            momentum, energy = measured()
            yard.run(2)
            assert measured()[0] == pytest.approx(momentum, rel=0.02, abs=0.05)
            assert measured()[1] == pytest.approx(energy, rel=0.02)

    def test_collisions_keep_momentum(self) -> None:
        """Two bodies that collide off center keep their linear and angular momentum together."""
        with self.yard(gravity="[0, 0, 0]") as yard:
            ball = yard.ball(-2, 0.3, 0.2, body={"velocity": (6, 0, 0)})
            box = yard.box(0, 0, 0, density=500)
            masses = np.array([_MASS * math.pi / 6, 500.0])

            def momentum() -> tuple[Any, Any]:
                linear = [m * yard.velocity(body) for m, body in zip(masses, (ball, box), strict=True)]
                spins = [masses[0] * 0.4 * 0.25 * yard.spin(ball), masses[1] / 6 * yard.spin(box)]
                arms = [yard.place(body) for body in (ball, box)]
                return sum(linear), sum(np.cross(r, p) + s for r, p, s in zip(arms, linear, spins, strict=True))

            linear, angular = momentum()
            yard.run(1)
            assert yard.velocity(ball)[0] < 5.5
            assert momentum()[0] == pytest.approx(linear, rel=1e-3, abs=0.5)
            assert momentum()[1] == pytest.approx(angular, rel=0.01, abs=5)

    @pytest.mark.parametrize("floor", ["box", "plane"])
    def test_bodies_come_to_rest_on_ground(self, floor: str) -> None:
        """A box, a ball and a hull lie on a box and on a plane, without sinking, moving or turning."""
        corners: Any = [(x, y, z) for x in (-1, 1) for y in (-0.3, 0.3) for z in (-0.5, 0.5, 0.9)]
        with self.yard() as yard:
            if floor == "box":
                yard.ground()
            else:
                yard.put(0, 0, 0, Collider3D(shape=ColliderShape3D.PLANE))
            box, ball = yard.box(0, 0.55, 0), yard.ball(4, 0.45, 0, 0.4)
            hull = yard.put(8, 0.35, 0, Body3D(), Collider3D(shape=ColliderShape3D.HULL, points=corners))
            yard.run(0.75)
            for body, x, height in ((box, 0, 0.5), (ball, 4, 0.4), (hull, 8, 0.3)):
                assert yard.place(body) == pytest.approx((x, height, 0), abs=0.01)
                assert np.abs(yard.velocity(body)).max() < 0.01

    def test_friction_holds_up_to_its_angle(self) -> None:
        """On a slope of 0.4 a box with friction 0.6 stays, and one with 0.2 slides at g (sin - 0.2 cos)."""
        with self.yard() as yard:
            angle = math.atan(0.4)
            turn = quaternions.from_axis([0, 0, 1], angle)
            yard.put(0, 0, 0, Collider3D(size=(60, 2, 20), friction=1), rotation=turn.tolist())
            up, rest = quaternions.turned(turn, [0, 1, 0]), []
            for z, friction in ((-4, 0.36), (4, 0.04)):  # the friction of a pair is the root of the product
                x, y, _ = (1.5 * up).tolist()
                rest.append(yard.box(x, y, z, friction=friction, turn=turn.tolist()))
            yard.run(0.5)
            assert float(np.linalg.norm(yard.velocity(rest[0]))) < 0.02
            slides = 0.5 * 10 * (math.sin(angle) - 0.2 * math.cos(angle))
            assert float(np.linalg.norm(yard.velocity(rest[1]))) == pytest.approx(slides, rel=0.03)

    def test_friction_is_a_cone(self) -> None:
        """In a direction between the axes, friction ends at the same slope."""
        self.needs("cone")
        with self.yard(gravity="[2.8, -10, 2.8]") as yard:  # 0.396 along the diagonal
            yard.ground(friction=1)
            held, slides = yard.box(0, 0.5, 0, friction=0.42**2), yard.box(4, 0.5, 0, friction=0.37**2)
            yard.run(1)
            assert float(np.linalg.norm(yard.velocity(held)[::2])) < 0.05
            assert float(np.linalg.norm(yard.velocity(slides)[::2])) == pytest.approx(0.26, abs=0.05)

    def test_a_stack_stands(self) -> None:
        """Four boxes on one another are at rest after a second, each in its place."""
        with self.yard() as yard:
            yard.ground()
            boxes = [yard.box(0, 0.5 + k, 0) for k in range(4)]
            yard.run(1)
            for k, box in enumerate(boxes):
                assert yard.place(box) == pytest.approx((0, 0.5 + k, 0), abs=0.03)
                assert np.abs(yard.velocity(box)).max() < 0.02

    def test_restitution_is_the_share_of_the_speed(self) -> None:
        """A ball and a flat box with restitution 0.5 rise to a quarter of their height, and 0 does not bounce."""
        with self.yard(substeps=8) as yard:
            yard.ground()
            ball = yard.ball(0, 2.5, 0, restitution=0.5)
            box = yard.box(4, 2.5, 0, restitution=0.5)
            dull = yard.ball(8, 2.5, 0)
            yard.run(0.67)
            assert yard.velocity(ball)[1] == pytest.approx(2.8, abs=0.4)
            highest = np.zeros(3)
            for _ in range(30):
                yard.run(1 / 60)
                highest = np.maximum(highest, [yard.place(body)[1] for body in (ball, box, dull)])
            assert highest[:2] == pytest.approx([1.0, 1.0], abs=0.1)
            assert highest[2] < 0.55
            assert np.abs(yard.spin(box)).max() < 0.1

    def test_contacts_begin_and_end_once(self) -> None:
        """A box that lands, lies and is taken away emits one begin with its place, and one end; so does a despawned
        one.
        """
        with self.yard() as yard:
            ground, box = yard.ground(), yard.box(0, 1, 0)
            begun: list[Any] = []
            for _ in range(30):
                yard.app.tick()
                events = yard.world.bus.of_frame(ContactBegin3D)
                begun += zip(events.a, events.b, events.point, events.normal, events.speed, strict=True)
                assert not len(yard.world.bus.of_frame(ContactEnd3D))
                yard.world.end_frame()
            [(a, b, point, normal, speed)] = begun
            assert (int(a), int(b)) == (ground, box)
            assert abs(point) == pytest.approx((0.5, 0, 0.5), abs=0.1)
            assert normal == pytest.approx((0, 1, 0), abs=1e-3)
            assert speed == pytest.approx(math.sqrt(2 * 10 * 0.5), rel=0.1)
            teleport_3d(yard.world, box, (0, 50, 0))
            assert yard.count(0.1, ContactBegin3D, ContactEnd3D) == [0, 1]
            other = yard.box(5, 0.5, 0)
            assert yard.count(0.1, ContactBegin3D, ContactEnd3D) == [1, 0]
            yard.world.despawn(other)
            assert yard.count(0.1, ContactBegin3D, ContactEnd3D) == [0, 1]

    def test_a_written_position_is_a_jump(self) -> None:
        """A dynamic or static body is where the game writes it, and a dynamic one keeps its velocity."""
        with self.yard(gravity="[0, 0, 0]") as yard:
            body = yard.box(0, 0, 0, body={"velocity": (6, 0, 0)})
            wall = yard.put(0, 5, 0, Collider3D())
            yard.run(0.1)
            teleport_3d(yard.world, body, (50, 50, 1))
            teleport_3d(yard.world, wall, (52, 50, 1))
            yard.run(0.1)
            assert yard.place(body) == pytest.approx((50.6, 50, 1), abs=1e-3)
            yard.run(0.5)
            assert yard.place(body)[0] < 51.1

    def test_a_kinematic_platform_carries_and_is_not_stopped(self) -> None:
        """A platform that rises and moves aside takes a box with it, and nothing changes its way."""
        with self.yard() as yard:
            lift = yard.put(
                0, 0, 0, Body3D(type=BodyType3D.KINEMATIC, velocity=(0.5, 1, 0)), Collider3D(size=(4, 1, 4))
            )
            load = yard.box(0, 1, 0)
            yard.run(0.5)
            assert yard.place(lift) == pytest.approx((0.25, 0.5, 0), abs=1e-4)
            assert yard.place(load) == pytest.approx((0.25, 1.5, 0), abs=0.06)
            assert yard.velocity(load) == pytest.approx((0.5, 1, 0), abs=0.05)

    def test_a_platform_whose_pose_is_written_carries_too(self) -> None:
        """A platform whose position is written in each tick takes a box with it, and is where it was written."""
        self.needs("targets")
        with self.yard() as yard:
            lift = yard.put(0, 0, 0, Body3D(type=BodyType3D.KINEMATIC), Collider3D(size=(4, 1, 4)))
            load = yard.box(0, 1, 0)
            for tick in range(1, 31):
                yard.world.get(lift, Transform3D).position = (0.5 * tick / 60, tick / 60, 0)
                yard.run(1 / 60)
            assert yard.place(lift) == pytest.approx((0.25, 0.5, 0), abs=1e-6)
            assert yard.place(load) == pytest.approx((0.25, 1.5, 0), abs=0.06)
            assert yard.velocity(load) == pytest.approx((0.5, 1, 0), abs=0.05)

    def test_fast_bodies_do_not_pass_thin_ones(self) -> None:
        """A ball at 300 m/s stays in front of a wall of a centimeter, and a bullet gives its momentum to a plate."""
        self.needs("continuous")
        with self.yard() as yard:
            yard.put(5, 0, 0, Collider3D(size=(0.01, 4, 4)))
            ball = yard.ball(0, 0, 0, 0.05, body={"velocity": (300, 0, 0)})
            plate = yard.box(5, 0, 20, (0.01, 2, 2), body={"gravity_scale": 0.0})
            bullet = yard.ball(0, 0, 20, 0.05, body={"velocity": (300, 0, 0), "bullet": True})
            yard.run(0.1)
            assert yard.place(ball)[0] < 5
            assert yard.place(bullet)[0] < yard.place(plate)[0]
            assert yard.velocity(plate)[0] > 1

    def test_what_resists_rolling_stops(self) -> None:
        """A ball with rolling resistance comes to rest, and one without rolls on."""
        self.needs("surfaces")
        with self.yard() as yard:
            yard.ground()
            body: Any = {"velocity": (1, 0, 0), "angular_velocity": (0, 0, -2)}
            free = yard.put(0, 0.5, 0, Body3D(**body), Collider3D(shape=ColliderShape3D.SPHERE, radius=0.5))
            surface = Collider3D(shape=ColliderShape3D.SPHERE, radius=0.5, rolling_resistance=0.2)
            slow = yard.put(0, 0.5, 9, Body3D(**body), surface)
            yard.run(1.5)
            assert yard.velocity(free)[0] == pytest.approx(1, abs=0.02)
            assert yard.velocity(slow)[0] == pytest.approx(0, abs=0.02)

    def test_children_with_colliders_are_shapes_of_one_body(self) -> None:
        """A hammer rests on its heavy head, and stands up again when it is pushed a little."""
        with self.yard() as yard:
            yard.ground()
            hammer = yard.put(0, 1.6, 0, Body3D(), Collider3D(size=(0.2, 2, 0.2)))
            head = Transform3D(position=(0, -1, 0), parent=hammer)
            yard.world.spawn(head, Collider3D(size=(1.5, 1, 1.5), density=5000))
            yard.run(1)
            assert yard.place(hammer) == pytest.approx((0, 1.5, 0), abs=0.03)
            assert abs(yard.rotation(hammer)[3]) == pytest.approx(1, abs=1e-3)

    def test_a_restored_game_continues_with_the_same_bits(self) -> None:
        """After a restore in the middle of a collapse the same ticks give the same hash, and so does another run."""
        hashes = []
        for _ in range(2):
            with self.yard() as yard:
                yard.ground()
                for k in range(3):
                    yard.box(0.3 * k, 0.6 + 1.1 * k, 0.1 * k, turn=(0.1 * k, 0.2, 0, 1))
                yard.ball(0.2, 4, 0, restitution=0.3)
                yard.run(0.4)
                snapshot = yard.world.snapshot()
                yard.run(0.15)
                hashes.append(yard.world.hash())
                yard.world.restore(snapshot)
                yard.run(0.15)
                hashes.append(yard.world.hash())
        assert len({*hashes}) == 1

    @pytest.mark.parametrize(
        ("column", "value"), [("position", math.nan), ("position", 1e9), ("velocity", math.inf), ("force", math.nan)]
    )
    def test_hostile_numbers_harm_only_their_own_body(
        self, column: str, value: float, caplog: pytest.LogCaptureFixture
    ) -> None:
        """A body with impossible numbers is named once, by its Name; the others go on."""
        scene = "[{name: culprit, Transform3D: {position: [0, 9, 0]}, Body3D: {}, Collider3D: {}}]"
        with self.yard(scene=scene) as yard, caplog.at_level(logging.WARNING):
            yard.ground()
            good = yard.ball(3, 0.5, 0)
            yard.run(0.1)
            culprit = int(yard.world.table(Name).entities[0])
            table = yard.world.table(Transform3D if column == "position" else Body3D)
            table.column(column)[table.row_of(culprit)] = value
            yard.run(0.5)
            named = [record.getMessage() for record in caplog.records if "culprit" in record.getMessage()]
            assert len(named) == 1, caplog.text
            assert yard.place(good) == pytest.approx((3, 0.5, 0), abs=0.01)
