"""Random changes between two ticks, as a game makes them: each is a function of a World, a random source and a cast.

Equal arguments give equal changes, whether the bodies of the World sleep or not. `asleep` is False in a World in which
nothing may sleep: there, a body that would be spawned asleep is spawned awake. A function does nothing where the cast
lacks what it needs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from random_worlds import HALF, JOINTS, TOP, ZONES, Builder, Cast, Random, joint_of

from rish_core import Disabled, Transform, World
from rish_physics import (
    Body,
    Character,
    Collider,
    FrictionMix,
    GravityPoint,
    PhysicsSettings,
    WaterArea,
    WindArea,
    apply_impulse,
    teleport_bodies,
)

Change = Callable[[World, Random, Cast, bool], None]


def pick(random: Random, entities: Any) -> int:
    """Return one of the entities, 0 if there is none."""
    return int(entities[random.integers(len(entities))]) if len(entities) else 0


def spot(world: World, entity: int) -> tuple[float, float]:
    """Return the position of an entity in the world."""
    place = world.get(entity, Transform)
    x, y = (float(v) for v in place.position)
    if place.parent and world.alive(int(place.parent)):
        px, py = spot(world, int(place.parent))
        return px + x, py + y
    return x, y


def near(world: World, random: Random, cast: Cast) -> tuple[float, float]:
    """Return a position at a sleeper, or anywhere if none sleeps."""
    entity = pick(random, cast.sleepers)
    if not entity or random.random() < 0.15:
        return float(random.uniform(-HALF + 30, HALF - 30)), float(random.uniform(5, 150))
    x, y = spot(world, entity)
    dx, dy = random.uniform(-20, 20, 2)
    return x + float(dx), y + float(dy)


def spawn_sensor(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Spawn a sensor over a sleeper: without a Body, static, kinematic, or dynamic."""
    build, place = Builder(world, random), Transform(position=near(world, random, cast))
    zone = Collider(sensor=True, collision_layer=ZONES, **build.zone(), **build.events())
    kind = int(random.integers(4))
    if kind == 0:
        world.spawn(place, zone)
    elif kind < 3:
        world.spawn(place, Body(type=("static", "kinematic")[kind - 1]), zone)
    else:
        world.spawn(place, Body(mass=1, gravity_scale=0), zone)


def spawn_static(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Spawn a static collider into a sleeper."""
    world.spawn(Transform(position=near(world, random, cast)), Builder(world, random).form()[0])


def spawn_body(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Spawn a dynamic body beside or above a sleeper, asleep or awake."""
    x, y = near(world, random, cast)
    rests = bool(random.random() < 0.6) and asleep
    world.spawn(Transform(position=(x, y)), Body(asleep=rests, angular_damping=1.0), Builder(world, random).form()[0])


def spawn_kinematic(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Spawn a kinematic body at a sleeper, still or moving."""
    build, place = Builder(world, random), Transform(position=near(world, random, cast))
    world.spawn(place, Body(type="kinematic", velocity=build.slow()), build.form()[0])


def teleport_written(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Write the position of a dynamic, kinematic or static entity."""
    kinds = [cast.dynamic, cast.kinematic, cast.static, cast.ground, cast.sensors]
    entity = pick(random, kinds[int(random.integers(5))])
    if entity:
        x, y = spot(world, entity) if random.random() < 0.3 else near(world, random, cast)
        if not world.get(entity, Transform).parent:
            world.set(entity, Transform(position=(x + float(random.uniform(-6, 6)), y)))


def teleport_called(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Call `teleport_bodies` for a dynamic, kinematic or static body."""
    entity = pick(random, [cast.dynamic, cast.kinematic, cast.static][int(random.integers(3))])
    if entity:
        angle = float(random.uniform(-3, 3)) if random.random() < 0.5 else None
        teleport_bodies(world, entity, near(world, random, cast), angle)


def change_filter(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Change the mask, the group or the layer of a collider. Sensors keep their layer, so that they never meet."""
    entity, kind = pick(random, cast.colliders), int(random.integers(3))
    if not entity:
        return
    if kind == 0:
        world.set(entity, Collider(mask=int(random.choice([-1, 0, 5]))))
    elif kind == 1:
        world.set(entity, Collider(group=int(random.choice([0, -7]))))
    elif not world.get(entity, Collider).sensor:
        world.set(entity, Collider(collision_layer=str(random.choice(["", "props", "ghosts"]))))


def change_sensor(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Make a solid collider a sensor, or a sensor solid, with the layer that belongs to it."""
    entity = pick(random, cast.colliders)
    if entity:
        sensor = not world.get(entity, Collider).sensor
        world.set(entity, Collider(sensor=sensor, collision_layer=ZONES if sensor else ""))


def change_enabled(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Disable or enable a collider or a body, or add or remove `Disabled`."""
    kind = int(random.integers(3))
    entity = pick(random, cast.dynamic if kind == 1 else cast.colliders)
    gone = np.sort(world.query(Disabled).entities)
    if len(gone) and random.random() < 0.5:
        world.remove(pick(random, gone), Disabled)
    elif not entity:
        return
    elif kind == 0:
        world.set(entity, Collider(enabled=not world.get(entity, Collider).enabled))
    elif kind == 1:
        world.set(entity, Body(enabled=not world.get(entity, Body).enabled))
    else:
        world.add(entity, Disabled())


def change_area(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Spawn, move, change or despawn an area; a new or changed one is strong."""
    entity, kind = pick(random, cast.areas), int(random.integers(4))
    where = near(world, random, cast)
    if not entity or kind == 0:
        areas = [
            WindArea(size=(200, 200), velocity=(0, 900), drag=20), WaterArea(size=(200, 200), density=9),
            GravityPoint(strength=-2500, falloff="constant", reach=150),
        ]  # fmt: skip
        world.spawn(Transform(position=where), areas[int(random.integers(3))])
    elif kind == 1:
        world.set(entity, Transform(position=where))
    elif kind == 2:
        world.despawn(entity)
    else:
        strong = (WindArea(velocity=(900, 900), drag=20.0), WaterArea(density=9.0), GravityPoint(strength=-2500.0))
        for change in strong:
            if world.has(entity, type(change)):
                world.set(entity, change)


def change_gravity(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Change the gravity of the settings."""
    choices = [(0.0, 9.81), (9.81, 0.0), (0.0, -9.81), (0.0, 0.0)]
    world[PhysicsSettings].gravity = choices[int(random.integers(4))]


def change_mix(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Change how frictions are combined."""
    world[PhysicsSettings].friction_mix = list(FrictionMix)[int(random.integers(len(FrictionMix)))]


def change_surface(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Change a property of a collider that does not decide what it touches."""
    entity = pick(random, cast.colliders)
    changes = [
        Collider(friction=float(random.uniform(0, 1))), Collider(density=float(random.uniform(0.5, 4))),
        Collider(surface_speed=float(random.choice([0, 50]))), Collider(restitution=float(random.uniform(0, 0.5))),
        Collider(stay_events=bool(random.integers(2))), Collider(hit_events=bool(random.integers(2))),
        Collider(rolling_resistance=float(random.uniform(0, 1))), Collider(dynamic_friction=0.2),
    ]  # fmt: skip
    if entity:
        world.set(entity, changes[int(random.integers(len(changes)))])


def change_contact_events(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Switch the contact events of a collider on or off."""
    entity = pick(random, cast.colliders)
    if entity:
        world.set(entity, Collider(contact_events=not world.get(entity, Collider).contact_events))


def change_size(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Change the size, the radius, the offset or the rotation of a collider, or the scale of its Transform."""
    entity, factor = pick(random, cast.colliders), float(random.choice([0.7, 1.02, 1.3]))
    if not entity or (entity in cast.ground and entity not in cast.sensors):
        return
    form, kind = world.get(entity, Collider), int(random.integers(4))
    if kind == 0:
        world.set(entity, Collider(size=[factor * float(v) for v in form.size], radius=factor * float(form.radius)))
    elif kind == 1:
        world.set(entity, Transform(scale=(factor, factor)))
    elif kind == 2:
        world.set(entity, Collider(offset=(float(random.uniform(-3, 3)), 0)))
    else:
        world.set(entity, Collider(rotation=float(random.uniform(-0.1, 0.1))))


def change_body(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Change the type or the mass of a body, or whether it turns."""
    entity = pick(random, np.sort(np.concatenate([cast.dynamic, cast.kinematic, cast.static])))
    changes = [
        Body(type=str(random.choice(["static", "kinematic", "dynamic"]))), Body(mass=float(random.uniform(1, 9))),
        Body(fixed_rotation=bool(random.integers(2))), Body(gravity_scale=float(random.choice([-1, 0, 1, 2]))),
        Body(bullet=bool(random.integers(2))), Body(linear_damping=1.0), Body(inertia=float(random.uniform(500, 5000))),
    ]  # fmt: skip
    if entity and not world.has(entity, Character):
        world.set(entity, changes[int(random.integers(len(changes)))])


def change_child(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Add a child with a collider to a body, or despawn one."""
    children = world.query(Collider, Transform, without=(Body,))
    children = np.sort(children.entities[children[Transform.parent] != 0])
    if len(children) and random.random() < 0.5:
        world.despawn(pick(random, children))
        return
    entity = pick(random, np.concatenate([cast.dynamic, cast.kinematic]))
    if entity and not world.has(entity, Character):
        place = Transform(position=(float(random.uniform(-20, 20)), float(random.uniform(-4, 20))), parent=entity)
        build = Builder(world, random)
        sensor = bool(random.integers(2))
        zone = Collider(sensor=True, collision_layer=ZONES, **build.zone())
        world.spawn(place, zone if sensor else Collider(size=(14, 14), density=0.1, **build.surface()))


def change_joint(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Add a joint between two dynamic bodies that are near each other, or despawn one."""
    if len(cast.joints) and random.random() < 0.4:
        world.despawn(pick(random, cast.joints))
        return
    a = pick(random, cast.dynamic)
    if not a or len(cast.dynamic) < 2:
        return
    places = np.array([spot(world, int(b)) for b in cast.dynamic])
    distance = np.hypot(*(places - spot(world, a)).T)
    distance[cast.dynamic == a] = np.inf
    at = int(np.argmin(distance))
    b, way = int(cast.dynamic[at]), places[at] - spot(world, a)
    cos, sin = np.cos(-float(world.get(a, Transform).rotation)), np.sin(-float(world.get(a, Transform).rotation))
    local = (float(cos * way[0] - sin * way[1]), float(sin * way[0] + cos * way[1]))
    world.spawn(joint_of(random, a, b, local, places[at].tolist()))


def change_connected(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Change whether the bodies of a joint collide."""
    entity = pick(random, cast.joints)
    for cls in JOINTS if entity else ():
        if world.has(entity, cls):
            world.set(entity, cls(collide_connected=not world.get(entity, cls).collide_connected))


def despawn(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Despawn a body or a collider, also the floor; then a new floor is below the old one."""
    entity = pick(random, cast.colliders if random.random() < 0.7 else cast.ground)
    if not entity:
        return
    wide = float(world.get(entity, Collider).size[0]) > HALF or len(world.get(entity, Collider).points) == 4
    world.despawn(entity)
    if wide:
        for y in (-8 - 32, TOP + 8 + 32):
            world.spawn(Transform(position=(0, y)), Collider(size=(2 * HALF + 128, 64)))
        for side in (-1, 1):
            world.spawn(Transform(position=(side * (HALF + 40), TOP / 2)), Collider(size=(64, 2 * TOP)))


def move_kinematic(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Start, stop or steer a kinematic body, by its velocity or by its position."""
    entity = pick(random, cast.kinematic)
    if not entity or world.has(entity, Character):
        return
    if random.random() < 0.6:
        way = [(0, 0), (float(random.uniform(-100, 100)), 0), (0, float(random.uniform(-40, 40)))]
        world.set(entity, Body(velocity=way[int(random.integers(3))], angular_velocity=0.0))
    elif not world.get(entity, Transform).parent:
        x, y = spot(world, entity)
        world.set(entity, Transform(position=(x + float(random.uniform(-4, 4)), y)))


def visit(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Write the position of a kinematic body, which then moves into a zone or out of it for one tick."""
    entity, zone = pick(random, cast.kinematic), pick(random, cast.sensors)
    if entity and zone and not world.has(entity, Character) and not world.get(entity, Transform).parent:
        x, y = spot(world, zone)
        away = float(random.choice([0.0, 200.0]))
        world.set(entity, Transform(position=(x + float(random.uniform(-20, 20)), y + away)))


def push(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Write the velocity or the force of a dynamic body, or give it an impulse."""
    entity, kind = pick(random, cast.dynamic), int(random.integers(3))
    if not entity:
        return
    way = tuple(float(v) for v in random.uniform(-120, 120, 2))
    if kind == 0:
        world.set(entity, Body(velocity=way))
    elif kind == 1:
        world.set(entity, Body(force=(20 * way[0], 20 * way[1])))
    else:
        apply_impulse(world, entity, way)


def lull(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Write `asleep` of a body that rests: a sleeper wakes, and sleeps again later."""
    entity = pick(random, cast.sleepers)
    if entity:
        world.set(entity, Body(asleep=False))


def nothing(world: World, random: Random, cast: Cast, asleep: bool) -> None:
    """Change nothing."""


CHANGES: tuple[Change, ...] = (
    spawn_sensor, spawn_static, spawn_body, spawn_kinematic, teleport_written, teleport_called, change_filter,
    change_sensor, change_enabled, change_area, change_gravity, change_mix, change_surface, change_contact_events,
    change_size, change_body, change_child, change_joint, change_connected, despawn, move_kinematic, visit, push,
    lull, nothing,
)  # fmt: skip
SLOW: tuple[Change, ...] = (change_area, change_gravity, change_mix, change_surface, change_body, spawn_static)
"""Changes whose effect on resting bodies is a motion rather than an event of the next tick."""
WILD: tuple[Change, ...] = (change_gravity, change_area, despawn)
"""Changes after which little rests for long."""


def change_at(seed: int, number: int, *, wild: float = 1.0) -> tuple[Change, Random]:
    """Return the change with a number and its random source. wild: the share in which a wild one may be chosen."""
    random = np.random.default_rng((seed, number))
    chosen = CHANGES[int(random.integers(len(CHANGES)))]
    if chosen in WILD and random.random() >= wild:
        chosen = push
    return chosen, random
