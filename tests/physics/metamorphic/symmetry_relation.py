"""Physics is the same in a mirror, in another place, and in another order of spawning.

Pairs of bodies that meet in free space keep their momenta. Pairs that touch in one point at a time, those with a
circle, agree within a tolerance after 20 ticks; of the others most do: a sequential solver visits two points in some
order, and which of two equally deep features touches is a matter of rounding. Crowds in a bin are chaotic: only the
number of contacts that begin, the energy, and that all stay inside must agree, roughly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from energy_relation import empty_world
from mechanics import Energy
from random_worlds import Random, outline, tick

from rish_core import Transform, World
from rish_jit import Array
from rish_physics import Body, Collider, ContactBegin, PhysicsSettings

PAIRS, TICKS, CROWD_TICKS, CROWD = 6, 20, 60, 12
LIMITS = np.array([0.3, 0.3, 0.03, 2.0, 2.0, 0.2])
"""The differences of isolated pairs that are allowed after 20 ticks: units, radians, units/s, rad/s."""
MOMENTUM, ARM = np.array([1e-5, 0.06]), 50.0
"""The shares by which the momentum and the angular momentum of a pair may change, and the arm of the latter in units.
The arms of a contact are those from the beginning of a tick where bodies move far in it (`contact.common_place`)."""
Plan = list[tuple[dict[str, Any], dict[str, Any], dict[str, Any]]]
"""The values of Transform, Body and Collider of each entity."""
OFFSET = np.array([4096.0, -2048.0])


def form(random: Random) -> dict[str, Any]:
    """Return the values of a solid Collider of any shape; all are given by points or sizes, so they can be mirrored."""
    w, h = (float(v) for v in random.uniform(16, 50, 2))
    forms: list[dict[str, Any]] = [
        {"size": (w, h)}, {"shape": "circle", "radius": w / 2}, {"shape": "capsule", "size": (w, h)},
        {"shape": "polygon", "points": [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 4, h / 2)]},
        {"shape": "polygon", "points": [(-w / 2, -h / 2), (w / 2, -h / 3), (w / 4, h / 2), (-w / 3, h / 3)],
         "radius": 3},
        {"shape": "outline", "points": outline(w, h, bool(random.integers(2)))},
        {"shape": "segment", "points": [(-w / 2, -3), (w / 2, 4)], "radius": 4, "density": 4},
        {"size": (w, h), "radius": 3},
    ]  # fmt: skip
    surface = {"friction": float(random.choice([0, 0.5, 1])), "restitution": float(random.choice([0, 0, 0.5, 1]))}
    return {"density": float(10.0 ** random.uniform(-0.5, 0.5)), **surface, **forms[int(random.integers(len(forms)))]}


def pairs_plan(random: Random) -> Plan:
    """Return pairs of bodies that fly towards each other, each pair far from the others."""
    plan: Plan = []
    for k in range(PAIRS):
        for side in (-1, 1):
            place = {
                "position": np.array([side * 45 + 100.0, 400.0 * k + float(random.uniform(-12, 12))]),
                "rotation": float(random.uniform(-3, 3)),
            }
            body = {
                "velocity": np.array([-side * float(random.uniform(100, 250)), float(random.uniform(-30, 30))]),
                "angular_velocity": float(random.choice([0, random.uniform(-3, 3)])),
                "bullet": bool(random.random() < 0.2),
            }
            plan.append((place, body, form(random)))
    return plan


def crowd_plan(random: Random) -> Plan:
    """Return bodies that fall in a bin."""
    plan: Plan = []
    for k in range(CROWD):
        place = {"position": np.array([-100.0 + 66 * (k % 4), 60.0 + 70 * (k // 4)]), "rotation": 0.1 * k}
        plan.append((place, {"velocity": random.normal(0, 60, 2)}, {**form(random), "restitution": 0.2}))
    return plan


def mirrored(plan: Plan) -> Plan:
    """Return the plan in a mirror: x becomes -x."""
    flip = np.array([-1.0, 1.0])
    found: Plan = []
    for place, body, shape in plan:
        place = {"position": place["position"] * flip, "rotation": -place["rotation"]}
        body = {**body, "velocity": body["velocity"] * flip, "angular_velocity": -body.get("angular_velocity", 0.0)}
        if "points" in shape:
            shape = {**shape, "points": [(-x, y) for x, y in reversed(shape["points"])]}
        found.append((place, body, shape))
    return found


def moved(plan: Plan) -> Plan:
    """Return the plan at another place, a hundred screens away."""
    return [({**place, "position": place["position"] + OFFSET}, body, shape) for place, body, shape in plan]


def spawn(world: World, plan: Plan, order: Array) -> Array:
    """Spawn the entities of a plan in an order; return their handles in the order of the plan."""
    handles = np.zeros(len(plan), np.int64)
    for k in order.tolist():
        place, body, shape = plan[k]
        handles[k] = world.spawn(Transform(**place), Body(**body), Collider(**shape))
    return handles


def state_of(world: World, handles: Array) -> Array:
    """Return x, y, rotation, velocity x, y and spin of bodies, float64 (n, 6)."""
    rows = [
        [*world.get(int(e), Transform).position, world.get(int(e), Transform).rotation,
         *world.get(int(e), Body).velocity, world.get(int(e), Body).angular_velocity]
        for e in handles
    ]  # fmt: skip
    return np.array(rows, np.float64)


Variant = tuple[str, Callable[[Plan], Plan], Callable[[Array], Array], bool]


def variants() -> list[Variant]:
    """Return name, change of the plan, its inverse for states, and whether the order of spawning is reversed."""
    flip = np.array([-1.0, 1, -1, -1, 1, -1])
    offset = np.array([*OFFSET, 0, 0, 0, 0])
    return [
        ("mirrored", mirrored, lambda state: state * flip, False),
        ("moved", moved, lambda state: state - offset, False),
        ("reversed", lambda plan: plan, lambda state: state, True),
    ]


def play_pairs(plan: Plan, *, backwards: bool) -> tuple[Array, Array]:
    """Return the states of the bodies of a plan after 20 ticks without gravity, and the change of the pairs' momenta.

    The change is float64 (pairs, 2): of the momentum as a share of the sum of the sizes, and of the angular momentum as
    a share of that times an arm.
    """
    app = empty_world()
    app.world[PhysicsSettings].gravity = (0.0, 0.0)
    order = np.arange(len(plan))
    handles = spawn(app.world, plan, order[::-1] if backwards else order)
    energy = Energy(app.world)
    before = energy.momenta()
    for _ in range(TICKS):
        tick(app)
    after = energy.momenta()
    scale = np.sqrt((before[0] ** 2).sum(axis=1)).reshape(PAIRS, 2).sum(axis=1)
    linear = np.abs((after[0] - before[0]).reshape(PAIRS, 2, 2).sum(axis=1)).max(axis=1) / scale
    angular = np.abs((after[1] - before[1]).reshape(PAIRS, 2).sum(axis=1)) / (ARM * scale)
    changes = np.column_stack([linear, angular])
    return state_of(app.world, handles), changes[::-1] if backwards else changes


def differences(seed: int) -> list[tuple[str, int, Array, Array]]:
    """Return for each variant and pair the name, the number, the greatest differences of the two states, and the change
    of the momenta.
    """
    plan = pairs_plan(np.random.default_rng((seed, 4)))
    (first, changes), found = play_pairs(plan, backwards=False), list[tuple[str, int, Array, Array]]()
    found += [("plain", k, np.zeros(6), row) for k, row in enumerate(changes)]
    for name, change, inverse, backwards in variants():
        other, changes = play_pairs(change(plan), backwards=backwards)
        apart = np.abs(inverse(other) - first)
        apart[:, 2] = np.abs((apart[:, 2] + np.pi) % (2 * np.pi) - np.pi)
        found += [(name, k, apart[2 * k : 2 * k + 2].max(axis=0), changes[k]) for k in range(PAIRS)]
    return found


def check_pairs_symmetry(seed: int) -> tuple[int, int]:
    """Check the pairs of a seed; return how many that need not agree do, and their number. Raises AssertionError."""
    plan, faults, agree, free = pairs_plan(np.random.default_rng((seed, 4))), list[str](), 0, 0
    for name, k, apart, changes in differences(seed):
        here = f"seed {seed}, {name}, pair {k}"
        if (changes > MOMENTUM).any():
            faults.append(f"{here}: momentum and angular momentum change by {np.round(changes, 5).tolist()}")
        shapes = [shape.get("shape") for _, _, shape in plan[2 * k : 2 * k + 2]]
        differs = bool((apart > LIMITS).any())
        if "circle" not in shapes or "outline" in shapes:
            free, agree = free + 1, agree + (not differs)
        elif differs:
            faults.append(f"{here}: x, y, rotation, velocity, spin differ by {np.round(apart, 3).tolist()}")
    assert not faults, "\n".join(faults)
    return agree, free


def play_crowd(plan: Plan, middle: Array, *, backwards: bool) -> tuple[int, float, bool]:
    """Return how many contacts began, the share of the energy that is left, and whether all bodies are in the bin."""
    app = empty_world()
    world = app.world
    for x, y, w, h in ((0, -32, 500, 64), (-200, 150, 64, 500), (200, 150, 64, 500)):
        world.spawn(Transform(position=middle + np.array([x, y])), Collider(size=(w, h)))
    order = np.arange(len(plan))
    handles = spawn(world, plan, order[::-1] if backwards else order)
    energy, begun = Energy(world), 0
    start, _ = energy.now()
    floor = energy.weight * middle[1]
    for _ in range(CROWD_TICKS):
        tick(app)
        begun += len(world.bus.of_frame(ContactBegin))
    x, y = (state_of(world, handles)[:, :2] - middle).T
    inside = bool((np.abs(x) < 175).all() and (y > -4).all() and (y < 450).all())
    return begun, (energy.now()[0] - floor) / (start - floor), inside


def check_crowd_symmetry(seed: int) -> None:
    """Check the crowd of a seed. Raises AssertionError."""
    plan = crowd_plan(np.random.default_rng((seed, 6)))
    begun, share, inside = play_crowd(plan, np.zeros(2), backwards=False)
    assert inside, f"seed {seed}: a body left the bin"
    for name, change, _, backwards in variants():
        other = play_crowd(change(plan), OFFSET if name == "moved" else np.zeros(2), backwards=backwards)
        here = f"seed {seed}, {name}"
        assert other[2], f"{here}: a body left the bin"
        assert abs(other[0] - begun) <= 12 + 0.5 * begun, f"{here}: {other[0]} contacts began, not about {begun}"
        assert abs(other[1] - share) < 0.1, f"{here}: {other[1]:.3f} of the energy is left, not about {share:.3f}"
