"""Whatever moves carries a character that stands on it, and a character lands on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_core import Stage, Transform, World, system
from rish_physics import Body, Character, Collider, PrismaticJoint, RevoluteJoint, plugin, teleport_bodies, world_poses

GAP = 0.04
"""The gap below a character on still ground, units."""
Move = Callable[[Any, int], None]
"""Moves a ground in one tick."""


class Lanes:
    """A game whose grounds and characters are far apart, one in each lane. 64 units are a meter.

    early, late: called in each tick before and after the characters walk, with the World and the tick.
    """

    def __init__(self, rish_app: Any) -> None:
        self.early: list[Move] = []
        self.late: list[Move] = []

        @system(Stage.PRE, writes=World, name="early")
        def early(world: Any, dt: float) -> None:
            for move in self.early:
                move(world, world.tick)

        @system(Stage.FORCES, writes=World, name="late", after=("physics.characters",))
        def late(world: Any, dt: float) -> None:
            for move in self.late:
                move(world, world.tick)

        lanes = SimpleNamespace(rish_systems=lambda: [early, late])
        self.app = rish_app({}, plugins={"physics": plugin, "lanes": lanes}, strict=False)
        self.world = self.app.world

    def put(self, x: float, y: float, *parts: Any, **place: Any) -> int:
        """Spawn an entity."""
        return self.world.spawn(Transform(position=(x, y), **place), *parts)

    def hero(self, x: float, y: float, size: Any = (20, 40), parent: int = 0, **values: Any) -> int:
        """Spawn a character."""
        parts = Body(type="kinematic"), Collider(size=size), Character(**values)
        return self.put(x, y, *parts, parent=parent)

    def tick(self, count: int = 1) -> None:
        """Run ticks; gravity acts on all characters."""
        table = self.world.tables[Character]
        for _ in range(count):
            table.velocity[:, 1] -= 10
            self.app.tick()
            self.world.end_frame()

    def get(self, entity: int) -> Any:
        """Return the view of a character."""
        return self.world.get(entity, Character)

    def place(self, entity: int) -> np.ndarray[Any, Any]:
        """Return the position of an entity in the world."""
        return world_poses(self.world, np.array([entity]))[0, :2]

    def angle(self, entity: int) -> float:
        """Return the angle of an entity in the world."""
        return float(world_poses(self.world, np.array([entity]))[0, 2])

    def above(self, hero: int, ground: int, middle: float = 28.0) -> list[float]:
        """Return how far right a hero is of the middle of its ground, and the gap below it. middle: for no gap."""
        x, y = self.place(hero) - self.place(ground)
        return [float(x), float(y) - middle]


@pytest.fixture
def lanes(rish_app: Any) -> Iterator[Lanes]:
    """A game without entities."""
    return Lanes(rish_app)


KINEMATIC = {"type": "kinematic"}


def _velocity(cls: type = Body) -> Callable[..., None]:
    def move(world: Any, entity: int, way: Any) -> None:
        world.get(entity, cls).velocity = way

    return move


def _position(world: Any, entity: int, way: Any) -> None:
    place = world.get(entity, Transform)
    place.position = place.position + np.array(way) / 60


def _ground(lanes: Lanes, how: str, x: float, form: dict[str, Any]) -> tuple[int, int, Callable[..., None]]:
    """Spawn a ground of 200 by 16 units; return it, the entity that is moved, and how."""
    form = {"size": (200, 16), **form}
    bodies: dict[str, dict[str, Any]] = {"dynamic": {"gravity_scale": 0}, "velocity": KINEMATIC, "position": KINEMATIC}
    if how in bodies:
        ground = lanes.put(x, 0, Body(**bodies[how]), Collider(**form))
        return ground, ground, _position if how == "position" else _velocity()
    if how == "static":
        ground = lanes.put(x, 0, Collider(**form))
        return ground, ground, _position
    if how == "chain":
        points = [(100, 8), (0, 8), (-100, 8)]
        ground = lanes.put(x, 0, Body(**KINEMATIC), Collider(**{**form, "shape": "chain", "points": points}))
        return ground, ground, _velocity()
    if how == "outline":
        points = [(-100, -8), (0, 0), (100, -8), (100, 8), (-100, 8)]
        ground = lanes.put(x, 0, Body(**KINEMATIC), Collider(**{**form, "shape": "outline", "points": points}))
        return ground, ground, _velocity()
    if how == "character":
        base = lanes.put(x, -16.2, Body(**KINEMATIC), Collider(size=(200, 16)))
        ground = lanes.put(x, 0, Body(**KINEMATIC), Collider(**form), Character())
        return ground, base, _velocity()
    parts = (Body(**KINEMATIC), Collider(size=(10, 10))) if how == "compound" else ()
    parent = lanes.put(x + 50, -60, *parts)
    own = (Body(**KINEMATIC),) if how == "kinematic child" else ()
    ground = lanes.put(-50, 60, *own, Collider(**form), parent=parent)
    return ground, parent, _velocity() if how == "compound" else _position


WAYS = ["velocity", "position", "static", "dynamic", "chain", "outline", "character", "compound", "static child"]
"""Kinematic by Body.velocity, kinematic and static by Transform, dynamic by Body.velocity, and so on."""
TIMES = [*((way, "early") for way in WAYS), ("kinematic child", "early"), ("position", "late"), ("static", "late")]
PATHS = [(0, 120), (150, 0), (0, -600), (600, 0), *long([(0, -120), (0, 600)], [])]


@pytest.mark.parametrize(("how", "when"), TIMES)
def test_it_stands_on_whatever_moves(lanes: Lanes, how: str, when: str) -> None:
    """It keeps its place on solid and on one-way ground, up, down, sideways and fast, however that is moved."""
    pairs: list[tuple[int, int]] = []
    cases = [(path, one) for path in PATHS for one in ((0, 0), (0, 1))]
    for k, (path, one_way) in enumerate(cases):
        ground, mover, move = _ground(lanes, how, 2000 * k, {"one_way": one_way})
        getattr(lanes, when).append(
            lambda world, tick, mover=mover, move=move, path=path: move(world, mover, path if tick > 6 else (0, 0))
        )
        pairs.append((lanes.hero(2000 * k + 30, 28.2), ground))
    lanes.tick(6)
    for _ in range(9):
        lanes.tick()
        for hero, ground in pairs:
            assert lanes.get(hero).ground == ground
            assert lanes.above(hero, ground) == pytest.approx([30, GAP], abs=0.01)
    for k, (path, _) in enumerate(cases):
        moved = lanes.place(pairs[k][1]) - (2000 * k, 0)
        assert moved == pytest.approx(np.array(path) * 8 / 60, abs=0.3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "when", "ways"), [("velocity", "early", [(0, 1), (0, -1), (1, 0)]), ("position", "late", [(0, 1)])]
)
def test_it_lands_on_moving_one_way_ground(lanes: Lanes, how: str, when: str, ways: list[tuple[int, int]]) -> None:
    """It lands on rising, falling and sideways lifts from every height, and does not fall through."""
    pairs: list[tuple[int, int]] = []
    for path in [(x * speed, y * speed) for x, y in ways for speed in (60, 240, 600)]:
        for k in long(range(24), range(0, 24, 5)):
            x = 1000.0 * len(pairs)
            ground, mover, move = _ground(lanes, how, x, {"one_way": (0, 1)})
            getattr(lanes, when).append(
                lambda world, tick, mover=mover, move=move, path=path: move(world, mover, path if tick > 2 else (0, 0))
            )
            fall = 240 - min(path[1], 0)
            pairs.append((lanes.hero(x + path[0] / 10, 36 + 1.7 * k, velocity=(0, -fall)), ground))
    lanes.tick(16)
    for hero, ground in pairs:
        assert lanes.get(hero).ground == ground
        assert lanes.above(hero, ground)[1] == pytest.approx(GAP, abs=0.01)


@pytest.mark.parametrize("when", ["early", "late", "velocity"])
@pytest.mark.parametrize("body", [True, False])
def test_a_turning_platform_carries_it_round(lanes: Lanes, when: str, body: bool) -> None:
    """It keeps its place on a platform that turns, on one side of the middle, and its lower corner touches it."""
    parts = (Body(**KINEMATIC),) if body or when == "velocity" else ()
    lift = lanes.put(0, 0, *parts, Collider(size=(400, 16)))
    hero = lanes.hero(60, 28.2, max_slope=1.2)

    def turn(world: Any, tick: int) -> None:
        if tick > 5 and when == "velocity":
            world.get(lift, Body).angular_velocity = 1.5
        elif tick > 5:
            world.get(lift, Transform).rotation += 1.5 / 60

    (lanes.late if when == "late" else lanes.early).append(turn)
    lanes.tick(6)
    for _ in range(20):
        lanes.tick()
        place, angle = lanes.place(lift), lanes.angle(lift)
        normal = np.array([-np.sin(angle), np.cos(angle)])
        corners = lanes.place(hero) - place + np.array([(-10, -20), (10, -20)])
        assert (corners @ normal).min() - 8 == pytest.approx(GAP, abs=0.02)
        assert lanes.get(hero).ground == lift
    assert angle > 0.45
    along = float((lanes.place(hero) - place) @ (np.cos(angle), np.sin(angle)))
    assert along == pytest.approx(60, abs=0.5)


def test_dynamic_bodies_carry_it(lanes: Lanes) -> None:
    """It stands on a falling crate, a motor's platform, a seesaw, a pushed crate, and a sleeping one that wakes."""
    falling = lanes.put(0, 0, Body(), Collider(size=(60, 16)))
    motor = lanes.put(1000, 0, Body(), Collider(size=(60, 16)))
    joint = lanes.put(1000, 0, PrismaticJoint(b=motor, axis=(0, 1), anchor_a=(1000, 0), motor_speed=90, max_force=1e9))
    seesaw = lanes.put(2000, 0, Body(angular_velocity=0.5), Collider(size=(200, 16)))
    lanes.put(2000, 0, RevoluteJoint(b=seesaw, anchor_a=(2000, 0)))
    lanes.put(4000, -28, Collider(size=(2400, 40)))
    pushed = lanes.put(3000, 0, Body(), Collider(size=(60, 16)))
    lanes.put(2950, 0, Body(type="kinematic", velocity=(80, 0)), Collider(size=(20, 8)))
    asleep = lanes.put(4000, 0, Body(asleep=True), Collider(size=(60, 16)))
    grounds = [falling, motor, seesaw, pushed, asleep]
    starts = [lanes.place(ground) for ground in grounds]
    heroes = [lanes.hero(1000 * k, 28.2) for k in range(5)]

    def start(world: Any, tick: int) -> None:
        if tick == 5:
            world.get(joint, PrismaticJoint).motor = True
        if tick == 20:
            world.get(asleep, Body).velocity = (90, 0)

    lanes.early.append(start)
    for tick in range(60):
        lanes.tick()
        for hero, ground in zip(heroes, grounds, strict=True):
            assert tick < 3 or lanes.get(hero).ground == ground
            if tick >= 3 and ground != seesaw:
                assert lanes.above(hero, ground)[1] == pytest.approx(GAP, abs=0.05)
    for hero, ground, before in zip(heroes, grounds, starts, strict=True):
        angle = lanes.angle(ground)
        along = (lanes.place(hero) - lanes.place(ground)) @ (np.cos(angle), np.sin(angle))
        assert float(along) == pytest.approx(0, abs=1)
        assert ground == seesaw or float(np.abs(lanes.place(ground) - before).max()) > 10


@pytest.mark.parametrize("speed", [90, -90])
def test_a_conveyor_belt_carries_it(lanes: Lanes, speed: float) -> None:
    """A belt turns clockwise: it carries to the right on its upper side, and stays out of `velocity`."""
    lanes.put(0, 0, Collider(size=(2000, 16), surface_speed=speed))
    hero = lanes.hero(0, 28.2)
    lanes.tick(5)
    before = lanes.place(hero)
    lanes.tick(60)
    assert lanes.place(hero) - before == pytest.approx([speed, 0], abs=0.01)
    assert lanes.get(hero).velocity.tolist() == [0, 0]


@pytest.mark.parametrize("fixed", [True, False])
def test_a_character_with_a_parent_stands_on_its_ground(lanes: Lanes, fixed: bool) -> None:
    """While it stands, only its ground moves it; in the air it moves with its parent, also one that turns."""
    ship = lanes.put(-100, 50, rotation=0.5)
    ground = (
        lanes.put(0, 0, Collider(size=(400, 16))) if fixed else lanes.put(0, -40, Collider(size=(400, 16)), parent=ship)
    )
    hero = lanes.hero(0, 0, parent=ship, max_slope=1.2)
    lanes.tick(2)
    teleport_bodies(lanes.world, hero, (0, 28.2) if fixed else (-60, 60))
    lanes.tick(20)
    assert lanes.get(hero).ground == ground
    before, height = lanes.place(hero), lanes.above(hero, ground)
    lanes.early.append(lambda world, tick: _position(world, ship, (120, 60)))
    lanes.tick(30)
    moved = lanes.place(hero) - before
    assert moved == pytest.approx([0, 0] if fixed else [60, 30], abs=0.02)
    assert lanes.above(hero, ground) == pytest.approx(height, abs=0.02)
    teleport_bodies(lanes.world, hero, (0, 900))
    lanes.tick()
    lanes.get(hero).velocity = (0, 10)
    before = lanes.place(hero)
    lanes.tick()
    assert lanes.place(hero) - before == pytest.approx([2, 1], abs=0.02)


def test_nothing_carries_it_by_a_jump(lanes: Lanes) -> None:
    """Ground that is teleported, or would exceed the maximum speed, leaves it where it is."""
    ports = lanes.put(0, 0, Body(**KINEMATIC), Collider(size=(200, 16)))
    fast = lanes.put(4000, 0, Body(**KINEMATIC), Collider(size=(200, 16)))
    heroes = [lanes.hero(0, 28.2), lanes.hero(4000, 28.2)]
    lanes.tick(5)
    lanes.late.append(lambda world, tick: teleport_bodies(world, ports, (300, 0)) if tick == 8 else None)
    lanes.early.append(lambda world, tick: _position(world, fast, (0, 27000)) if tick == 8 else None)
    lanes.tick(5)
    assert lanes.place(ports)[0] == 300
    assert lanes.place(fast)[1] == 450
    assert [lanes.place(hero)[0] for hero in heroes] == [0, 4000]
    assert not any(lanes.get(hero).grounded for hero in heroes)
    assert all(lanes.place(hero)[1] < 28 for hero in heroes)


def test_characters_stand_on_each_other(lanes: Lanes) -> None:
    """Three characters on a rising lift stay on each other, and the lowest can walk and jump with the others."""
    lift = lanes.put(0, 0, Body(**KINEMATIC), Collider(size=(400, 16)))
    top, low, middle = (lanes.hero(0, 28.2 + 40.2 * k) for k in (2, 0, 1))
    lanes.tick(6)
    lanes.world.get(lift, Body).velocity = (0, 100)
    for _ in range(20):
        lanes.get(low).velocity = (60, 0)
        lanes.tick()
        assert [lanes.get(hero).ground for hero in (low, middle, top)] == [lift, low, middle]
        assert lanes.above(top, middle, 40) == pytest.approx([0, GAP], abs=0.02)
        assert lanes.above(middle, low, 40) == pytest.approx([0, GAP], abs=0.02)
    assert lanes.above(low, lift) == pytest.approx([20, GAP], abs=0.02)
    lanes.get(low).velocity = (0, 300)
    height = lanes.above(low, lift)[1]
    lanes.tick(2)
    assert lanes.above(low, lift)[1] > height + 4
    assert lanes.get(top).ground == middle


def test_one_tick_of_drop_leads_through_one_way_ground(lanes: Lanes) -> None:
    """`drop` in one tick is enough to fall through still and rising one-way ground; ground below catches it."""
    lanes.put(0, -100, Collider(size=(4000, 20)))
    lanes.put(0, 0, Collider(size=(200, 16), one_way=(0, 1)))
    lift = lanes.put(1000, 0, Body(**KINEMATIC), Collider(size=(200, 16), one_way=(0, 1)))
    heroes = [lanes.hero(0, 28.2), lanes.hero(1000, 28.2)]
    lanes.tick(3)
    lanes.world.get(lift, Body).velocity = (0, 60)
    lanes.tick(5)
    assert all(lanes.get(hero).grounded for hero in heroes)
    lanes.world[Character].drop[:] = True
    lanes.tick(90)
    assert [lanes.place(hero)[1] for hero in heroes] == pytest.approx([-70 + GAP] * 2, abs=0.05)


def test_who_jumps_into_one_way_ground_from_below_is_not_caught(lanes: Lanes) -> None:
    """A jump that ends inside one-way ground, still or falling, leads back to the floor."""
    lanes.put(0, -50, Collider(size=(4000, 20)))
    lanes.put(0, 40, Collider(size=(200, 60), one_way=(0, 1)))
    lanes.put(1000, 50, Body(type="kinematic", velocity=(0, -20)), Collider(size=(200, 60), one_way=(0, 1)))
    heroes = [lanes.hero(0, -19.8), lanes.hero(1000, -19.8)]
    lanes.tick(5)
    for hero in heroes:
        lanes.get(hero).velocity = (0, 250)
    highest = np.zeros(2)
    for _ in range(60):
        lanes.tick()
        highest = np.maximum(highest, [lanes.place(hero)[1] for hero in heroes])
    assert (highest > 12).all()
    assert [lanes.place(hero)[1] for hero in heroes] == pytest.approx([-20 + GAP] * 2, abs=0.02)


def test_it_climbs_moving_stairs(lanes: Lanes) -> None:
    """It walks up the steps of stairs that move sideways and up, and stays on them."""
    stairs = lanes.put(0, 0, Body(type="kinematic", velocity=(-40, 30)), Collider(size=(400, 16)))
    for k in range(4):
        lanes.put(40 + 24 * k, 12 + 4 * k, Collider(size=(24, 8 + 8 * k)), parent=stairs)
    hero = lanes.hero(0, 28.2, step_height=10)
    for _ in range(60):
        lanes.tick()
        lanes.get(hero).velocity = (110, float(lanes.get(hero).velocity[1]))
        assert lanes.world.tick < 5 or lanes.get(hero).grounded
    x, height = lanes.above(hero, stairs)
    assert x == pytest.approx(110, abs=4)
    assert height == pytest.approx(32 + GAP, abs=0.05)


def test_a_squeeze_is_named(lanes: Lanes) -> None:
    """A lift that presses it against a ceiling sets `grounded` and `on_ceiling`; a one-way lift passes through it."""
    for x, one_way in ((0, (0, 0)), (1000, (0, 1))):
        lanes.put(x, 0, Body(type="kinematic", velocity=(0, 60)), Collider(size=(200, 16), one_way=one_way))
        lanes.put(x, 70, Collider(size=(200, 16)))
    solid, through = lanes.hero(0, 28.2), lanes.hero(1000, 28.2)
    squeezed = False
    for _ in range(30):
        lanes.tick()
        squeezed |= bool(lanes.get(solid).grounded and lanes.get(solid).on_ceiling)
    assert squeezed
    assert lanes.place(through)[1] < 42


def test_it_continues_with_the_same_bits_after_a_restore(lanes: Lanes) -> None:
    """A world that is restored while a lift, a crate and a parent carry characters continues with the same bits."""
    for k, how in enumerate(["velocity", "dynamic", "static child", "character"]):
        _, mover, move = _ground(lanes, how, 1000 * k, {})
        lanes.early.append(lambda world, tick, mover=mover, move=move: move(world, mover, (30, 5 * (tick % 7))))
        lanes.hero(1000 * k, 28.2)
    lanes.tick(10)
    state = lanes.world.snapshot()
    lanes.tick(3)
    expected = lanes.world.hash()
    lanes.world.restore(state)
    lanes.tick(3)
    assert lanes.world.hash() == expected
