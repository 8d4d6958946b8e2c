"""A World with the solver's tables, filled directly from arrays: boxes, circles and pins, without components.

The scenes are those with which all engines are measured: see `SCENES`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import World
from rish_jit import maths
from rish_physics.components import tables as t
from rish_physics.components.joint_kinds import REVOLUTE
from rish_physics.components.scratch import Scratch
from rish_physics.components.settings import PhysicsSettings, SolvedSettings
from rish_physics.components.timings import Timings
from rish_physics.components.units import Scaled
from rish_physics.contacts.state import State

Floats = npt.NDArray[Any]
BOX, CIRCLE = 0, 1


@dataclass
class Scene:
    """Bodies as rows (x, y, angle, p, q, kind, type): half width and height of a box, or the radius of a circle.

    joints: rows (a, b, anchor A x, y, anchor B x, y), in the frames of the bodies. collide: False disables collisions.
    """

    bodies: list[tuple[float, ...]] = field(default_factory=list)
    joints: list[tuple[float, ...]] = field(default_factory=list)
    collide: bool = True

    def box(self, x: float, y: float, hx: float, hy: float, kind: int = t.DYNAMIC, angle: float = 0.0) -> int:
        """Add a box; return its number. Its slot is the number plus one."""
        self.bodies.append((x, y, angle, hx, hy, BOX, kind))
        return len(self.bodies) - 1

    def circle(self, x: float, y: float, radius: float, kind: int = t.DYNAMIC) -> int:
        """Add a circle; return its number."""
        self.bodies.append((x, y, 0.0, radius, 0.0, CIRCLE, kind))
        return len(self.bodies) - 1


def pyramid(base: int) -> Scene:
    """Return a pyramid with `base` boxes in the lowest row and one in the highest."""
    scene = Scene()
    scene.box(0, -1, 100, 1, t.STATIC)
    for i in range(base):
        for j in range(i, base):
            scene.box((i + 1) * 0.5 + (j - i) - 0.5 * base, i + 0.5, 0.5, 0.5)
    return scene


def many(rows: int = 10, columns: int = 10, base: int = 10) -> Scene:
    """Return small pyramids on shelves."""
    scene = Scene()
    width = columns * (base + 1.0)
    for i in range(rows):
        ground = i * (base + 1.0)
        scene.box(0, ground - 0.05, 0.5 * width + 2, 0.05, t.STATIC)
        for j in range(columns):
            left = -0.5 * width + j * (base + 1.0) + 1
            for r in range(base):
                for k in range(r, base):
                    scene.box((r + 1) * 0.5 + (k - r) + left - 0.5, r + 0.5 + ground, 0.5, 0.5)
    return scene


def _pit(scene: Scene) -> Scene:
    scene.box(0, -1, 30, 1, t.STATIC)
    scene.box(-26, 25, 1, 60, t.STATIC)
    scene.box(26, 25, 1, 60, t.STATIC)
    return scene


def circles(count: int = 5000) -> Scene:
    """Return circles that fall into a pit."""
    scene, random = _pit(Scene()), np.random.default_rng(1)
    for i in range(count):
        scene.circle((i % 90 - 44.5) * 0.54 + random.uniform(-0.015, 0.015), 0.3 + (i // 90) * 0.56, 0.25)
    return scene


def mixed(count: int = 3000) -> Scene:
    """Return rotated boxes and circles that fall into a pit."""
    scene, random = _pit(Scene()), np.random.default_rng(2)
    for i in range(count):
        x, y = (i % 50 - 24.5) * 1.0, 0.6 + (i // 50) * 1.0
        if i % 3 == 0:
            scene.circle(x, y, random.uniform(0.2, 0.4))
        else:
            scene.box(x, y, random.uniform(0.2, 0.4), random.uniform(0.2, 0.4), angle=random.uniform(0, 3))
    return scene


def grid(side: int = 100) -> Scene:
    """Return a net of circles, pinned together, that hangs from seven of them."""
    scene = Scene(collide=False)
    for k in range(side):
        for i in range(side):
            fixed = side // 2 - 3 <= k <= side // 2 + 3 and i == 0
            b = scene.circle(k, -i, 0.4, t.STATIC if fixed else t.DYNAMIC)
            if i > 0:
                scene.joints.append((b - 1, b, 0, -0.5, 0, 0.5))
            if k > 0:
                scene.joints.append((b - side, b, 0.5, 0, -0.5, 0))
    return scene


SCENES: dict[str, Callable[[], Scene]] = {
    "pyramid20": lambda: pyramid(20),
    "pyramid50": lambda: pyramid(50),
    "pyramid100": lambda: pyramid(100),
    "many": many,
    "circles": circles,
    "mixed": mixed,
    "grid": grid,
    "grid40": lambda: grid(40),
    "boxes22k": lambda: many(20, 20),
}


def empty_world(**settings: Any) -> World:
    """Return a World with the tables and only body 0, the placeholder for no body. One unit is a meter, g is 10."""
    world = World([t.Bodies, t.Shapes, t.Contacts, t.Joints, t.Free, t.Ended, t.Woken])
    given = {"units_per_meter": 1.0, "gravity": (0.0, -10.0), "sleeping": False, **settings}
    made = PhysicsSettings()
    for name, value in given.items():
        setattr(made, name, value)
    for part in (made, SolvedSettings(), Scratch(), Timings()):
        world.put(part)
    world[t.Bodies].append(1, flags=t.USED | t.STATIC)
    return world


def fill(world: World, scene: Scene, *, density: float = 1.0, friction: float = 0.6) -> None:
    """Append the bodies, shapes and joints of a scene to the tables; every dynamic body is awake."""
    rows = np.array(scene.bodies, np.float64).reshape(-1, 7)
    n = len(rows)
    x, y, angle, p, q = rows[:, :5].T
    ball, kind = rows[:, 5] == CIRCLE, rows[:, 6].astype(np.int32)
    sine, cosine = maths.sincos(angle)
    area = np.where(ball, np.pi * p * p, 4 * p * q)
    inertia = area * density * np.where(ball, p * p / 2, (p * p + q * q) / 3)
    reach = np.where(ball, p, np.hypot(p, q))
    state = np.zeros((n, 8))
    state[:, 3] = np.where(kind == t.DYNAMIC, 1 / (area * density), 0)
    state[:, 7] = np.where(kind == t.DYNAMIC, 1 / inertia, 0)
    joined = np.zeros(n, bool)
    for row in scene.joints:
        joined[[int(row[0]), int(row[1])]] = True
    first = len(world[t.Shapes])
    slots = np.arange(n, dtype=np.int32) + len(world[t.Bodies])
    world[t.Bodies].append(
        n,
        entity=slots.astype(np.int64),
        pose=np.stack([x, y, cosine, sine], 1).astype(np.float32),
        state=state.astype(np.float32),
        extent=np.stack([0 * x, 0 * x, reach, np.where(ball, p, np.minimum(p, q))], 1).astype(np.float32),
        drive=np.tile(np.array([1, 0, 0, 0, 0, 0, 0, 0], np.float32), (n, 1)),
        rest=np.tile(np.array([0, world_sleep_speed(world)], np.float32), (n, 1)),
        flags=(kind | t.USED | t.ENABLED | t.ALLOW_SLEEP | np.where(kind != t.STATIC, t.AWAKE, 0)
               | np.where(joined, t.HAS_JOINT, 0)).astype(np.int32),
        first_shape=np.arange(first, first + n, dtype=np.int32),
    )  # fmt: skip
    moves = kind != t.STATIC
    _fill_shapes(world, slots, x, y, cosine, sine, p, q, ball, moves, reach, scene.collide, density, friction)
    if scene.joints:
        pins = np.array(scene.joints, np.float64)
        frames = np.zeros((len(pins), 8), np.float32)
        frames[:, [0, 1, 4, 5]] = pins[:, 2:]
        frames[:, [2, 6]] = 1
        pair = pins[:, :2].astype(np.int32) + slots[0]
        world[t.Joints].append(
            len(pins), entity=np.ones(len(pins), np.int64), kind=REVOLUTE, flags=t.JOINT_USED, pair=pair, frames=frames
        )


def world_sleep_speed(world: World) -> float:
    """Return the speed below which a body counts as resting, units/s."""
    return float(Scaled(world[PhysicsSettings]).sleep_speed)


def _fill_shapes(
    world: World, slots: Floats, x: Floats, y: Floats, cosine: Floats, sine: Floats, p: Floats, q: Floats,
    ball: Floats, moves: Floats, reach: Floats, collide: bool, density: float, friction: float,
) -> None:  # fmt: skip
    n = len(slots)
    settings = Scaled(world[PhysicsSettings])
    hull = np.zeros((n, 32), np.float32)
    corners = np.stack([-p, -q, p, -q, p, q, -p, q], 1)
    hull[:, :8] = np.where(ball[:, None], 0, corners)
    hull[:, 16:24] = np.where(ball[:, None], 0, np.array([0, -1, 1, 0, 0, 1, -1, 0]))
    size = np.stack([np.where(ball, 0, p), np.where(ball, 0, q), np.where(ball, p, 0), reach], 1)
    ex = np.where(ball, p, abs(cosine) * p + abs(sine) * q)
    ey = np.where(ball, p, abs(sine) * p + abs(cosine) * q)
    tight = np.stack([x - ex, y - ey, x + ex, y + ey], 1).astype(np.float32)
    margin = np.where(moves, settings.speculative + settings.margin, 0).astype(np.float32)
    surface = np.zeros((n, 8), np.float32)
    surface[:] = (friction, -1, 0, 0, 0, density, 0, 0)
    flags = np.where(ball, t.BALL | 1, t.BOX | 4)
    world[t.Shapes].append(
        n,
        entity=slots.astype(np.int64),
        body=slots,
        next=np.full(n, -1, np.int32),
        flags=(flags | t.SHAPE_USED | t.SHAPE_ENABLED | t.MOVED).astype(np.int32),
        hull=hull,
        size=size.astype(np.float32),
        surface=surface,
        filter=np.tile(np.array([1, -1, 0], np.int32) if collide else np.array([1, 0, 0], np.int32), (n, 1)),
        tight=tight,
        fat=tight + margin[:, None] * np.array([-1, -1, 1, 1], np.float32),
    )


class Rig:
    """A scene in a World, ready to be stepped."""

    def __init__(self, scene: Scene | str, *, density: float = 1.0, friction: float = 0.6, **settings: Any) -> None:
        self.scene = SCENES[scene]() if isinstance(scene, str) else scene
        self.world = empty_world(**settings)
        fill(self.world, self.scene, density=density, friction=friction)

    @property
    def state(self) -> State:
        """The state that is passed to the stages."""
        return State.of(self.world)

    def step(self, count: int = 1) -> None:
        """Run that many steps of dt = 1/60 s."""
        from rish_physics.sync.step import step

        state = self.state
        for _ in range(count):
            step(state)

    def poses(self) -> Floats:
        """Return a copy of the bodies' x, y, cosine and sine, float32 (n, 4), in the scene's order."""
        return self.world[t.Bodies].pose[1:].copy()

    def velocities(self) -> Floats:
        """Return a copy of the bodies' velocities, float32 (n, 3), in the scene's order."""
        return self.world[t.Bodies].state[1:, :3].copy()


def add_hull(
    world: World, x: float, y: float, points: Any, radius: float = 0.0, kind: int = t.DYNAMIC, *, angle: float = 0.0,
    velocity: tuple[float, float, float] = (0, 0, 0), flags: int = 0, density: float = 1.0, friction: float = 0.6,
    restitution: float = 0.0, direction: tuple[float, float] = (0, 0), row: Any = None,
) -> int:  # fmt: skip
    """Append a body with one rounded hull, its points (n, 2) around the center of mass; return the body's slot.

    flags: more flags of the shape. direction: of a ONE_WAY shape. row: of a CHAIN, in place of points.
    """
    from plain_hulls import boxes_of
    from rish_physics.geometry.hull import hull_rows
    from rish_physics.geometry.mass import mass_of

    settings = Scaled(world[PhysicsSettings])
    outline = np.asarray(points, np.float64).reshape(1, -1, 2)
    area, (center,), inertia = mass_of(outline, radius)
    outline = outline - center if kind == t.DYNAMIC else outline
    reach = np.hypot(outline[0, :, 0], outline[0, :, 1]).max() + radius
    sine, cosine = maths.sincos(float(angle))
    slot, shape = len(world[t.Bodies]), len(world[t.Shapes])
    heavy = kind == t.DYNAMIC
    state = np.zeros((1, 8), np.float32)
    state[0, :3] = velocity
    if heavy:
        state[0, [3, 7]] = 1 / (area[0] * density), 1 / (inertia[0] * density)
    pose = np.array([[x, y, cosine, sine]], np.float32)
    within = radius + (_inner(outline[0]) if outline.shape[1] > 2 else 0.0)
    world[t.Bodies].append(
        1, entity=np.array([slot]), pose=pose, state=state, extent=np.array([[0, 0, reach, within]], np.float32),
        drive=np.array([[1, 0, 0, 0, 0, 0, 0, 0]], np.float32),
        rest=np.array([[0, settings.sleep_speed]], np.float32),
        flags=np.array([kind | t.USED | t.ENABLED | t.ALLOW_SLEEP | (t.AWAKE if kind != t.STATIC else 0)], np.int32),
        first_shape=np.array([shape], np.int32),
    )  # fmt: skip
    hull = hull_rows(outline) if row is None else np.asarray(row, np.float32).reshape(1, 32)
    points = 4 if row is not None else outline.shape[1]
    look = np.array([flags | t.SHAPE_USED | t.SHAPE_ENABLED | t.MOVED | points], np.int32)
    tight = boxes_of(hull, look, np.array([radius], np.float32), pose)
    margin = settings.speculative + settings.margin if kind != t.STATIC else 0
    world[t.Shapes].append(
        1, entity=np.array([slot]), body=np.array([slot], np.int32), next=np.array([-1], np.int32), flags=look,
        hull=hull,
        size=np.array([[0, 0, radius, reach]], np.float32), middle=outline.mean(1).astype(np.float32),
        surface=np.array([[friction, -1, restitution, 0, 0, density, *direction]], np.float32),
        filter=np.array([[1, -1, 0]], np.int32), tight=tight,
        fat=tight + np.float32(margin) * np.array([-1, -1, 1, 1], np.float32),
    )  # fmt: skip
    return slot


def _inner(outline: Floats) -> float:
    """Return the least distance of an edge from the origin."""
    edges = np.roll(outline, -1, 0) - outline
    lengths = np.hypot(edges[:, 0], edges[:, 1])
    return float(np.min((outline[:, 0] * edges[:, 1] - outline[:, 1] * edges[:, 0]) / lengths))
