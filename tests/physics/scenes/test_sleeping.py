"""Sleeping changes nothing but the time of a tick: samples with exact values; random worlds are in `metamorphic`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Transform
from rish_physics import (
    Body,
    Character,
    Collider,
    ContactBegin,
    ContactEnd,
    ContactStay,
    GravityPoint,
    PhysicsSettings,
    RevoluteJoint,
    SensorBegin,
    SensorEnd,
    WaterArea,
    WindArea,
    overlaps_of,
    teleport_bodies,
)


def _visits(scene: Any, ticks: int = 3) -> set[tuple[int, int]]:
    """Run some ticks; return the pairs of sensor and visitor that began."""
    seen: set[tuple[int, int]] = set()
    for _ in range(ticks):
        scene.run()
        begun = scene.world.events(SensorBegin)
        seen |= {*zip(begun.sensor.tolist(), begun.visitor.tolist(), strict=True)}
    return seen


def _visitors(scene: Any) -> dict[str, int]:
    """Spawn visitors about (0, 0.5) of each kind that can be at rest, and wait until they are."""
    scene.wall(0, -0.5, 60, 1)
    hero = Body(type="kinematic"), Collider(size=(1, 1)), Character()
    visitors = {
        "asleep": scene.box(0, 0.5), "kinematic": scene.put(-3, 0.51, Body(type="kinematic"), Collider(size=(1, 1))),
        "character": scene.put(-6, 0.6, *hero), "spawned asleep": scene.box(3, 0.5, body={"asleep": True}),
        "awake": scene.box(6, 0.5, body={"allow_sleep": False}),
    }  # fmt: skip
    scene.run(60)
    assert scene.world.get(visitors["asleep"], Body).asleep
    return visitors


@pytest.mark.parametrize("how", ["spawned", "moved", "teleported", "filter", "enabled"])
def test_a_sensor_notices_whatever_rests_in_it(yard: Callable[..., Any], how: str) -> None:
    """A sensor that comes to bodies at rest notices all of them, and `overlaps_of` agrees."""
    scene = yard()
    visitors = _visitors(scene)
    world = scene.world
    parts = {"filter": {"mask": 0}, "enabled": {"enabled": False}}
    zone = {"shape": "circle", "radius": 9, "sensor": True, **parts.get(how, {})}
    away = 500 if how in ("moved", "teleported", "spawned") else 0
    body = (Body(type="kinematic"),) if how == "teleported" else ()
    sensor = scene.put(away, 3, *body, Collider(**zone)) if how != "spawned" else 0
    scene.run(2)
    if how == "spawned":
        sensor = scene.put(0, 3, Collider(**zone))
    elif how == "moved":
        world.get(sensor, Transform).position = (0, 3)
    elif how == "teleported":
        teleport_bodies(world, sensor, (0, 3))
    else:
        world.set(sensor, Collider(mask=-1, enabled=True))
    seen = {visitor for _, visitor in _visits(scene)}
    assert {name for name, visitor in visitors.items() if visitor in seen} == set(visitors)
    assert set(overlaps_of(world, sensor).other.tolist()) >= set(visitors.values())


def test_a_kinematic_body_is_noticed_where_it_stops(yard: Callable[..., Any]) -> None:
    """The last movement of a kinematic body leads into or out of a sensor, also if it is one tick long."""
    scene = yard()
    zone = scene.wall(5, 0, 4, 4, sensor=True)
    mover = scene.put(0, 0, Body(type="kinematic"), Collider(size=(1, 1)))
    scene.run(2)
    scene.world.get(mover, Transform).position = (5, 0)
    assert _visits(scene) == {(zone, mover)}
    scene.world.get(mover, Transform).position = (0, 0)
    ends: list[int] = []
    for _ in range(3):
        scene.run()
        ends += scene.world.events(SensorEnd).visitor.tolist()
    assert ends == [mover]


def test_a_foot_sensor_notices_the_ground(yard: Callable[..., Any]) -> None:
    """A sensor below a kinematic body notices static ground."""
    scene = yard()
    floor = scene.wall(0, -0.5, 20, 1)
    hero = scene.put(0, 1, Body(type="kinematic"), Collider(size=(1, 2)))
    foot = scene.world.spawn(Transform(position=(0, -1), parent=hero), Collider(size=(0.8, 0.2), sensor=True))
    assert _visits(scene) == {(foot, floor)}


@pytest.mark.parametrize("setting", ["gravity", "sleeping"])
def test_a_setting_wakes_what_it_may_move(yard: Callable[..., Any], setting: str) -> None:
    """A body that sleeps in the air falls when gravity comes, and one on the floor is awake without `sleeping`."""
    scene = yard(gravity=[0, 0])
    box = scene.box(0, 50)
    scene.run(60)
    assert scene.world.get(box, Body).asleep
    values = {"gravity": (0, -10), "sleeping": False}
    setattr(scene.world[PhysicsSettings], setting, values[setting])
    scene.run(30)
    assert not scene.world.get(box, Body).asleep
    assert (scene.place(box)[1] < 49) == (setting == "gravity")


@pytest.mark.parametrize("setting", ["time_scale", "hit_speed", "debug"])
def test_a_setting_without_forces_wakes_nobody(yard: Callable[..., Any], setting: str) -> None:
    """Settings that move no body at rest leave it asleep."""
    scene = yard()
    scene.wall(0, -0.5, 20, 1)
    box = scene.box(0, 0.5)
    scene.run(60)
    values: dict[str, Any] = {"time_scale": 0.5, "hit_speed": 3.0, "debug": ["all"]}
    setattr(scene.world[PhysicsSettings], setting, values[setting])
    scene.run(2)
    assert scene.world.get(box, Body).asleep


AREAS = {
    "wind": WindArea(size=(20, 20), velocity=(30, 0), drag=5.0),
    "water": WaterArea(size=(20, 20), density=9.0),
    "magnet": GravityPoint(strength=40.0, radius=5.0, reach=12.0),
}


@pytest.mark.parametrize(
    ("area", "how"),
    [*((area, how) for area in AREAS for how in ("spawned", "moved", "changed")), ("wind", "despawned")],
)
def test_an_area_wakes_what_it_would_move(yard: Callable[..., Any], area: str, how: str) -> None:
    """A body that sleeps on ice wakes when an area comes, goes, moves or changes; one elsewhere sleeps on."""
    scene = yard()
    world = scene.world
    scene.wall(0, -0.5, 200, 1, friction=0)
    scene.wall(4, 1, 1, 2, friction=0)
    box, far = scene.box(3, 0.5, friction=0), scene.box(-60, 0.5, friction=0)
    place = (5, 4) if how in ("changed", "despawned") else (300, 4)
    entity = 0 if how == "spawned" else scene.put(*place, AREAS[area])
    if how == "changed":
        weak = {
            "wind": WindArea(drag=0.0),
            "water": WaterArea(density=0.0, drag=0.0),
            "magnet": GravityPoint(strength=0),
        }
        world.set(entity, weak[area])
    for _ in range(400):
        scene.run()
        if world.get(box, Body).asleep and world.get(far, Body).asleep:
            break
    assert world.get(box, Body).asleep
    if how == "spawned":
        scene.put(5, 4, AREAS[area])
    elif how == "moved":
        world.get(entity, Transform).position = (5, 4)
    elif how == "changed":
        world.set(entity, AREAS[area])
    else:
        world.despawn(entity)
    scene.run(2)
    assert not world.get(box, Body).asleep
    assert world.get(far, Body).asleep


@pytest.mark.parametrize("how", ["spawned", "written", "after another sleep"])
@pytest.mark.parametrize("inside", [True, False])
def test_what_the_game_puts_to_sleep_stays_asleep_in_any_area(yard: Callable[..., Any], how: str, inside: bool) -> None:
    """A body hangs where the game put it to sleep, in the wind or not, until the wind changes there."""
    scene = yard()
    world = scene.world
    wind = scene.put(0, 0, WindArea(size=(20, 20), velocity=(4, 0)))
    scene.wall(8, 2, 1, 4)
    scene.wall(0, -0.5, 400, 1)
    place = (0, 5) if inside else (100, 5)
    body = scene.box(*place, body={"asleep": True}) if how == "spawned" else scene.box(7, 0.5)
    if how == "after another sleep":
        scene.run(200)
        assert world.get(body, Body).asleep
    if how != "spawned":
        scene.run()
        world.get(body, Transform).position = place
        scene.run()
        world.get(body, Body).asleep = True
    scene.run(5)
    assert world.get(body, Body).asleep
    before = world.get(body, Transform).position.tolist()
    scene.run(5)
    assert world.get(body, Transform).position.tolist() == before
    world.get(wind, WindArea).velocity = (9, 0)
    scene.run(2)
    assert world.get(body, Body).asleep == (not inside)


def test_a_calm_lake_sleeps(yard: Callable[..., Any]) -> None:
    """Wood that floats falls asleep in the water, and a tick, a snapshot or a restore does not wake it."""
    scene = yard()
    scene.put(0, 0, WaterArea(size=(60, 20), density=2.0))
    boxes = [scene.box(6.0 * k, 9.6) for k in range(3)]
    for _ in range(1200):
        scene.run()
        if all(scene.world.get(box, Body).asleep for box in boxes):
            break
    saved = scene.world.snapshot()
    for _ in range(2):
        scene.run(30)
        assert all(scene.world.get(box, Body).asleep for box in boxes)
        scene.world.end_frame()
        scene.world.restore(saved)


def test_a_collider_that_is_put_into_a_sleeper_wakes_it(yard: Callable[..., Any]) -> None:
    """A static collider that overlaps a sleeping body pushes it out; one that only touches it lets it sleep."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    pushed, touched = scene.box(0, 0.5), scene.box(10, 0.5)
    scene.run(60)
    scene.wall(0.7, 0.5, 1, 1)
    scene.wall(11, 0.5, 1, 1)
    scene.run(40)
    assert scene.place(pushed)[0] < -0.25
    assert scene.world.get(touched, Body).asleep


def test_a_joint_between_touching_bodies_ends_their_contact(yard: Callable[..., Any]) -> None:
    """The end of a contact is reported when a joint or a filter excludes it, and the begin when it may touch again."""
    scene = yard(gravity=[0, 0])
    a, b = scene.box(0, 0), scene.box(1, 0)
    scene.run()
    assert len(scene.world.events(ContactBegin)) == 1
    joint = scene.world.spawn(RevoluteJoint(a=a, b=b, anchor_a=(0.5, 0), anchor_b=(-0.5, 0)))
    scene.run()
    assert (len(scene.world.events(ContactBegin)), len(scene.world.events(ContactEnd))) == (0, 1)
    scene.world.set(joint, RevoluteJoint(collide_connected=True))
    scene.run()
    assert (len(scene.world.events(ContactBegin)), len(scene.world.events(ContactEnd))) == (1, 0)
    scene.world.set(joint, RevoluteJoint(collide_connected=False))
    scene.run()
    assert (len(scene.world.events(ContactBegin)), len(scene.world.events(ContactEnd))) == (0, 1)


def test_stay_events_go_on_while_bodies_sleep(yard: Callable[..., Any]) -> None:
    """A sleeping body with `stay_events` is reported in each tick, with the impulse that supports it."""
    scene = yard()
    scene.wall(0, -0.5, 20, 1)
    box = scene.box(0, 0.5, 2, 1, stay_events=True)
    scene.run(60)
    assert scene.world.get(box, Body).asleep
    scene.world.events(ContactStay)
    for _ in range(3):
        scene.run()
        (stay,) = scene.world.events(ContactStay)
        assert stay.impulse * 4 == pytest.approx(2 * 10 / 60, rel=0.05)


def test_a_body_is_noticed_where_it_falls_asleep(yard: Callable[..., Any]) -> None:
    """Slow bodies that fall asleep in front of zones are noticed by exactly the zones that they have reached, also if
    that was in their last movement.
    """
    scene = yard(gravity=[0, 0])
    gaps = [0.01 + 0.0004 * k for k in range(40)]
    pairs: dict[int, int] = {}
    for k, gap in enumerate(gaps):
        body = scene.box(0, 3.0 * k, body={"velocity": (0.03, 0)})
        pairs[scene.wall(1 + gap, 3.0 * k, 1, 1, sensor=True)] = body
    seen: set[tuple[int, int]] = set()
    for _ in range(40):
        scene.run()
        begun = scene.world.events(SensorBegin)
        seen |= {*zip(begun.sensor.tolist(), begun.visitor.tolist(), strict=True)}
    assert all(scene.world.get(body, Body).asleep for body in pairs.values())
    reached = {(zone, body) for zone, body in pairs.items() if scene.place(zone)[0] - scene.place(body)[0] <= 1}
    assert 0 < len(reached) < len(pairs)
    assert seen == reached


@pytest.mark.parametrize("how", ["teleported", "moved", "collider", "resized", "joined"])
def test_what_changes_a_sleeper_between_steps_wakes_it(yard: Callable[..., Any], how: str) -> None:
    """A body that is changed while it sleeps is awake after that, and so is the one that it supports."""
    scene = yard()
    scene.wall(0, -0.5, 60, 1)
    below, above = scene.box(0, 0.5), scene.box(0, 1.5)
    scene.run(120)
    world = scene.world
    assert world.get(below, Body).asleep
    assert world.get(above, Body).asleep
    if how == "teleported":
        teleport_bodies(world, below, (3, 5))
        assert not world.get(below, Body).asleep
        assert not world.get(above, Body).asleep
    elif how == "moved":
        world.get(below, Transform).position = (3, 5)
    elif how == "collider":
        world.get(below, Collider).size = (0.5, 0.5)
    elif how == "resized":
        world.get(below, Transform).scale = (0.5, 0.5)
    else:
        world.spawn(RevoluteJoint(a=below, b=above, collide_connected=False))
    scene.run(10)
    assert not world.get(below, Body).asleep
    assert not world.get(above, Body).asleep
    if how != "joined":
        assert scene.place(above)[1] < 1.45
    if how in ("teleported", "moved"):
        assert scene.place(below)[1] < 4.95
