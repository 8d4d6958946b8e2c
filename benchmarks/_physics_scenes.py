"""The scenes of the benchmark `physics`: the same bodies for every engine, as plain arrays.

One unit is a meter, y points up, gravity is -10. Stacks stand on the ground, heaps fall into a box, a grid of joints
hangs from its middle. Falling bodies are spread by a generator with a fixed seed, so that every engine gets the same
scene.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

STATIC, KINEMATIC, DYNAMIC = 0, 1, 2
BOX, CIRCLE, CAPSULE, HULL = 0, 1, 2, 3
REVOLUTE, DISTANCE, WELD, PRISMATIC, WHEEL = range(5)
GRAVITY, DT, SUBSTEPS, FRICTION = -10.0, 1 / 60, 4, 0.6


@dataclass
class Scene:
    """Bodies, their pieces (shapes), and the joints between them.

    bodies: x, y, angle, type, angular velocity. pieces: body, kind, half width or radius (of a capsule: half the length
    of its axis; of a hull: see `hull_points`), half height (of a capsule: radius; of a hull: its corners), offset x, y,
    angle. joints: kind, a, b, anchor in a x, y, anchor
    in b x, y. collide: False if the pieces do not collide. sensors: the number of bodies after the first one that are
    sensors. bouncing: the number of last bodies with a restitution of 1. bullets: whether all bodies have continuous
    collision among each other. speeds: initial velocities by body. pushed: returns the velocity of the first body in
    each tick.
    """

    bodies: list[tuple[float, ...]] = field(default_factory=list[tuple[float, ...]])
    pieces: list[tuple[float, ...]] = field(default_factory=list[tuple[float, ...]])
    joints: list[tuple[float, ...]] = field(default_factory=list[tuple[float, ...]])
    collide: bool = True
    sleep: bool = False
    restitution: float = 0.0
    friction: float = FRICTION
    rolling: float = 0.0
    motor: tuple[float, float] = (0.0, 0.0)
    """The speed and the greatest torque of the first revolute joint."""
    gravity: float = GRAVITY
    sensors: int = 0
    bouncing: int = 0
    bullets: bool = False
    speeds: dict[int, tuple[float, float]] = field(default_factory=dict[int, tuple[float, float]])
    pushed: Callable[[int], tuple[float, float]] | None = None
    thrown: tuple[float, float] = (0.0, 1.0)
    """The initial speed along x and the density of the first body. The other bodies start at rest and have density 1.
    """

    def body(self, x: float, y: float, angle: float = 0.0, kind: int = DYNAMIC, spin: float = 0.0) -> int:
        """Add a body without pieces; return its index."""
        self.bodies.append((x, y, angle, kind, spin))
        return len(self.bodies) - 1

    def piece(
        self, body: int, kind: int, p: float, q: float = 0.0, x: float = 0.0, y: float = 0.0, angle: float = 0.0
    ) -> None:
        """Add a piece to a body."""
        self.pieces.append((body, kind, p, q, x, y, angle))

    def box(self, x: float, y: float, p: float, q: float, kind: int = DYNAMIC, angle: float = 0.0) -> int:
        """Add a body that is a box of half extents p and q; return its index."""
        body = self.body(x, y, angle, kind)
        self.piece(body, BOX, p, q)
        return body

    def circle(self, x: float, y: float, radius: float, kind: int = DYNAMIC) -> int:
        """Add a body that is a circle; return its index."""
        body = self.body(x, y, 0.0, kind)
        self.piece(body, CIRCLE, radius)
        return body

    def join(self, kind: int, a: int, b: int, at: tuple[float, float], to: tuple[float, float]) -> None:
        """Add a joint between `at` in a and `to` in b."""
        self.joints.append((kind, a, b, *at, *to))

    def table(self, name: str) -> np.ndarray:
        """Return `bodies`, `pieces` or `joints` as a float64 array, one column for each number."""
        width = {"bodies": 5, "pieces": 7, "joints": 7}[name]
        return np.array(getattr(self, name), np.float64).reshape(-1, width)


def hull_points(radius: float, corners: int) -> list[tuple[float, float]]:
    """Return the corners of an irregular convex polygon within a circle."""
    turns = [2 * np.pi * k / corners for k in range(corners)]
    reach = [radius * (0.85 + 0.05 * (k * 5 % 4)) for k in range(corners)]
    return [(float(r * np.cos(turn)), float(r * np.sin(turn))) for r, turn in zip(reach, turns, strict=True)]


def _pyramid(scene: Scene, base: int, half: float, x: float, y: float) -> None:
    for row in range(base):
        for k in range(base - row):
            scene.box(x + (2 * k + row - base + 1) * half, y + (2 * row + 1) * half, half, half)


def _walls(scene: Scene) -> None:
    scene.box(0, -1, 30, 1, STATIC)
    for x in (-26, 26):
        scene.box(x, 25, 1, 60, STATIC)


def pyramid100() -> Scene:
    """One pyramid of 5,050 boxes."""
    scene = Scene()
    scene.box(0, -1, 100, 1, STATIC)
    _pyramid(scene, 100, 0.5, 0.0, 0.0)
    return scene


def _pyramids(rows: int, columns: int) -> Scene:
    scene = Scene()
    width, height = columns * 11.0, 11.0
    for row in range(rows):
        scene.box(0, row * height - 0.05, width / 2 + 2, 0.05, STATIC)
        for column in range(columns):
            _pyramid(scene, 10, 0.5, (column + 0.5) * 11.0 - width / 2, row * height)
    return scene


def pyramids() -> Scene:
    """A hundred pyramids of base 10 on ten floors."""
    return _pyramids(10, 10)


def boxes22k() -> Scene:
    """Four hundred pyramids: 22,000 boxes."""
    return _pyramids(20, 20)


def asleep5k() -> Scene:
    """A hundred pyramids that may fall asleep, and do so."""
    scene = _pyramids(10, 10)
    scene.sleep = True
    return scene


def onebody() -> Scene:
    """One box on the ground."""
    scene = Scene()
    scene.box(0, -1, 10, 1, STATIC)
    scene.box(0, 0.5, 0.5, 0.5)
    return scene


def circles(count: int = 5000) -> Scene:
    """Five thousand circles that fall into a box."""
    scene, random = Scene(), np.random.default_rng(1)
    _walls(scene)
    for k in range(count):
        scene.circle((k % 90 - 44.5) * 0.54 + random.uniform(-0.015, 0.015), 0.3 + (k // 90) * 0.56, 0.25)
    return scene


def mixed(count: int = 3000) -> Scene:
    """Three thousand boxes and circles of many sizes that fall into a box."""
    scene, random = Scene(), np.random.default_rng(2)
    _walls(scene)
    for k in range(count):
        x, y = (k % 50 - 24.5) * 1.0, 0.6 + (k // 50)
        if k % 3 == 0:
            scene.circle(x, y, random.uniform(0.2, 0.4))
        else:
            p, q, angle = random.uniform(0.2, 0.4), random.uniform(0.2, 0.4), random.uniform(0, 3)
            scene.box(x, y, p, q, angle=angle)
    return scene


def grid(side: int = 100) -> Scene:
    """Ten thousand circles connected by revolute joints that touch nothing."""
    scene = Scene(collide=False)
    middle = side // 2
    for column in range(side):
        for row in range(side):
            held = abs(column - middle) <= 3 and row == 0
            body = scene.circle(column, -row, 0.4, STATIC if held else DYNAMIC)
            if row:
                scene.join(REVOLUTE, body - 1, body, (0, -0.5), (0, 0.5))
            if column and not (held and column > middle - 3):
                scene.join(REVOLUTE, body - side, body, (0.5, 0), (-0.5, 0))
    return scene


def spinner() -> Scene:
    """A ring in which a long bar rotates among three thousand small bodies."""
    scene = Scene()
    ring, count, radius = scene.body(0, 0, kind=STATIC), 180, 40.0
    for k in range(count):
        angle = 2 * np.pi * k / count
        x, y = radius * np.cos(angle), radius * np.sin(angle)
        scene.piece(ring, BOX, 0.5, np.pi * radius / count + 0.05, float(x), float(y), float(angle))
    bar = scene.box(0, -20, 0.4, 19)
    scene.motor = (5.0, 40_000.0)
    scene.join(REVOLUTE, ring, bar, (0, -20), (0, 0))
    for k in range(3000):
        x, y = (k % 60 - 29.5) * 0.8, 2.0 + (k // 60) * 0.6
        if k % 3 == 0:
            body = scene.body(x, y)
            scene.piece(body, CAPSULE, 0.125, 0.2)
        elif k % 3 == 1:
            scene.circle(x, y, 0.25)
        else:
            scene.box(x, y, 0.25, 0.25)
    return scene


def compounds() -> Scene:
    """Six hundred tables of three boxes each, in stacks."""
    scene = Scene()
    scene.box(0, -1, 60, 1, STATIC)
    for k in range(600):
        body = scene.body((k % 30 - 14.5) * 3.0, 0.5 + (k // 30) * 1.2)
        scene.piece(body, BOX, 1.0, 0.1, 0.0, 0.5)
        scene.piece(body, BOX, 0.1, 0.4, -0.8, 0.0)
        scene.piece(body, BOX, 0.1, 0.4, 0.8, 0.0)
    return scene


def joints() -> Scene:
    """Two hundred chains of ten boxes that hang by joints of all kinds in turn."""
    scene = Scene()
    kinds = (REVOLUTE, DISTANCE, WELD, PRISMATIC, WHEEL)
    for chain in range(200):
        x, y = (chain % 20) * 4.0, (chain // 20) * 14.0
        last = scene.box(x, y, 0.2, 0.2, STATIC)
        for link in range(10):
            body = scene.box(x, y - 1.0 - link, 0.2, 0.4)
            kind = kinds[(chain + link) % len(kinds)]
            reach = 0.45 if kind == DISTANCE else 0.5  # a distance joint needs a length above 0
            scene.join(kind, last, body, (0, -reach), (0, reach))
            last = body
    return scene


def bounce() -> Scene:
    """Two thousand balls that bounce and roll."""
    scene = circles(2000)
    scene.restitution, scene.rolling = 0.6, 0.02
    return scene


def tumbler(side: int = 45) -> Scene:
    """A rotating hollow square with two thousand boxes in it."""
    scene = Scene()
    drum = scene.body(0, 0, kind=KINEMATIC, spin=np.pi * 25 / 180)
    for x, y, p, q in ((10, 0, 0.5, 10), (-10, 0, 0.5, 10), (0, 10, 10, 0.5), (0, -10, 10, 0.5)):
        scene.piece(drum, BOX, p, q, x, y)
    for k in range(side * side):
        scene.box(-0.2 * side + 0.4 * (k % side), -0.2 * side + 0.4 * (k // side), 0.125, 0.125)
    return scene


def washer(side: int = 90) -> Scene:
    """A rotating drum with three blades and eight thousand boxes in it."""
    scene = Scene()
    drum, parts, radius = scene.body(0, 0, kind=KINEMATIC, spin=np.pi * 25 / 180), 36, 15.0
    for k in range(parts):
        angle = 2 * np.pi * k / parts
        x, y = (radius + 1) * np.cos(angle), (radius + 1) * np.sin(angle)
        scene.piece(drum, BOX, 1.0, np.pi * (radius + 2) / parts, float(x), float(y), float(angle))
        if k % (parts // 3) == 0:
            x, y = (radius - 2) * np.cos(angle), (radius - 2) * np.sin(angle)
            scene.piece(drum, BOX, 2.0, 0.4, float(x), float(y), float(angle))
    for k in range(side * side):
        scene.box(-0.11 * side + 0.22 * (k % side), -0.11 * side + 0.22 * (k // side), 0.1, 0.1)
    return scene


def smash(columns: int = 120, rows: int = 80) -> Scene:
    """A heavy box that flies into nearly ten thousand small ones, without gravity."""
    scene = Scene(gravity=0.0, thrown=(40.0, 8.0))
    scene.box(-20, 0, 4, 4)
    for k in range(columns * rows):
        scene.box(0.4 * (k % columns), 0.4 * (k // columns - rows / 2), 0.2, 0.2)
    return scene


SCENES: dict[str, Callable[[], Scene]] = {
    made.__name__: made
    for made in (
        pyramid100, pyramids, boxes22k, asleep5k, onebody, circles, mixed, grid, spinner, compounds, joints, bounce,
        tumbler, washer, smash,
    )
}  # fmt: skip


def rays(count: int = 10_000) -> np.ndarray:
    """Return float64 (count, 4): x, y and direction dx, dy of rays through the field of `ray_field`."""
    random = np.random.default_rng(4)
    angle = random.uniform(0, 2 * np.pi, count)
    from_ = random.uniform(0, 200, (count, 2))
    return np.column_stack([from_, 60 * np.cos(angle), 60 * np.sin(angle)])


def ray_field(count: int = 5000) -> Scene:
    """Five thousand static boxes and circles as targets of rays."""
    scene, random = Scene(), np.random.default_rng(3)
    for k in range(count):
        x, y = random.uniform(0, 200, 2)
        if k % 2:
            scene.circle(float(x), float(y), 0.4, STATIC)
        else:
            scene.box(float(x), float(y), 0.4, 0.4, STATIC, float(random.uniform(0, 3)))
    return scene
