"""Makes the pictures of the pages about the theory of rigid bodies; look at them before committing.

python docs/make_body_pictures.py [NAME ...]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from plots import Plot

from rish_physics3d import Method3D
from rish_physics3d.geometry import box_hull
from rish_space3d import quaternions
from rish_teach.teach3d import (
    Mover,
    Point,
    Polyhedron,
    RigidBody,
    Rules,
    accelerate,
    clip,
    improve,
    matrix,
    move,
    place_hull,
    prepare,
    separation,
    tensor,
)

PICTURES = Path(__file__).parent / "pictures" / "theory"
STILL = np.array([0.0, 0.0, 0.0, 1.0])
ZERO = (0.0, 0.0, 0.0)


def box(center: tuple[float, float, float], degrees: float = 0.0) -> Polyhedron:
    """Return a box of 2 × 1 × 1 m, turned about z."""
    turn = quaternions.from_axis([0, 0, 1], np.radians(degrees))
    return place_hull(box_hull([1.0, 0.5, 0.5]), np.array(center), turn)


def axes() -> Plot:
    """Plot the separation of two boxes along all directions of a plane."""
    plot = Plot("Two boxes along each direction", "direction, degrees", "separation, m", legend="top left")
    plot.x_range, plot.y_range = (-90.0, 150.0), (-3.2, 1.0)
    degrees = np.linspace(-90, 150, 481)
    ways = np.stack([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0 * degrees], axis=-1)
    for name, center in (("apart", (1.7, 1.4, 0.0)), ("overlapping", (1.3, 0.9, 0.0))):
        plot.line(name, degrees, separation(box((0, 0, 0)), box(center, 30), ways))
    plot.line("touching", degrees, 0 * degrees, dashed=True)
    return plot


def outline(polygon: list[tuple[float, float, float]]) -> np.ndarray:
    """Return x and z of a closed polygon."""
    return np.array([(x, z) for x, _, z in [*polygon, polygon[0]]]).T


def clipping() -> Plot:
    """Plot a face from above, the face of another box that lies on it, and what they have in common."""
    plot = Plot("A face, the facing one, and the patch", "x, m", "z, m", size=(589, 520), legend="top left")
    plot.x_range, plot.y_range = (-1.3, 2.1), (-1.3, 1.6)
    turn = quaternions.from_axis([0, 1, 0], np.radians(35))
    low = place_hull(box_hull([1.0, 0.5, 0.8]), np.zeros(3), STILL)
    high = place_hull(box_hull([0.9, 0.5, 0.6]), np.array([0.8, 0.99, 0.4]), turn)
    face = low.faces[int(low.normals[:, 1].argmax())]
    facing = high.faces[int(high.normals[:, 1].argmin())]
    plot.line("face of the lower box", *outline(face))
    plot.line("facing side of the upper one", *outline(facing))
    plot.line("contact patch", *outline(clip(facing, face, (0.0, 1.0, 0.0))), dots=True)
    return plot


def friction() -> Plot:
    """Plot the greatest friction impulse in all directions: clamped along two tangents, and the true cone."""
    plot = Plot("The greatest friction, seen along the normal", "along x, ÷ μλ", "along z, ÷ μλ", size=(492, 520))
    plot.x_range, plot.y_range = (-1.7, 1.7), (-1.7, 1.9)
    angles, found = np.linspace(0, 2 * np.pi, 241), []
    for angle in angles:
        bodies = [Mover(0.0, (ZERO, ZERO, ZERO)), Mover(1.0, (ZERO, ZERO, ZERO))]
        point = Point(0, 1, (0.0, 1.0, 0.0), ZERO, ZERO, friction=1.0)
        bodies[1].velocity = 9 * float(np.cos(angle)), 0.0, 9 * float(np.sin(angle))
        prepare(bodies, [point], Method3D.WARM)
        point.rows[0].impulse = 1.0
        before = bodies[1].velocity
        improve(bodies, [point], Method3D.WARM, Rules(baumgarte=0.0))
        found.append([before[0] - bodies[1].velocity[0], before[2] - bodies[1].velocity[2]])
    plot.line("two tangents", *np.array(found).T)
    plot.line("a true cone", np.cos(angles), np.sin(angles))
    return plot


def free_body(moments: tuple[float, float, float], spin: tuple[float, float, float]) -> RigidBody:
    """Return a body in free flight. moments: about its principal axes, which are those of the world."""
    inverse = (1 / moments[0], 1 / moments[1], 1 / moments[2])
    body = RigidBody(1.0, tensor(matrix((0.0, 0.0, 0.0, 1.0)), inverse), spin=spin, moves=True, dynamic=True)
    body.moments, body.inverse_moments, body.gravity_scale = moments, inverse, 0.0
    return body


def dzhanibekov() -> Plot:
    """Plot the angular velocity, about its own axes, of a wing nut that spins about its middle axis."""
    plot = Plot("A spin about the middle axis turns over", "time, s", "rad/s", legend="bottom left")
    body, times, spins = free_body((1.0, 2.0, 3.0), (0.01, 6.0, 0.0)), [], []
    for k in range(240 * 12):
        move(body, 1 / 240)
        times.append(k / 240)
        spins.append(np.array(matrix(body.rotation)).T @ np.array(body.spin))
    for name, values in zip(("least inertia", "middle", "greatest"), np.array(spins).T, strict=True):
        plot.line(name, times, values)
    return plot


def precession() -> Plot:
    """Plot how far the axle of a gyroscope has gone round, on which a weight hangs, and the formula."""
    plot = Plot("A weight on the axle of a gyroscope", "time, s", "degrees gone round", legend="top left")
    force, times = 20.0, np.arange(240 * 2) / 240
    for speed in (40.0, 15.0):
        body, turned = free_body((1.0, 0.6, 0.6), (speed, 0.0, 0.0)), []
        for _ in times:
            axle = tuple(row[0] for row in matrix(body.rotation))
            turned.append(np.degrees(np.arctan2(-axle[2], axle[0])))
            body.torque = force * axle[2], 0.0, -force * axle[0]  # r × F with F = (0, -20 N, 0) at 1 m
            accelerate(body, (0.0, 0.0, 0.0), 400.0, 1 / 240)
            move(body, 1 / 240)
        plot.line(f"{speed:g} rad/s", times, turned)
        plot.line("r F / (i ω) t", times, np.degrees(force / speed * times), dashed=True)
    return plot


TAKES: dict[str, Callable[[], Plot]] = {
    make.__name__: make for make in (axes, clipping, friction, dzhanibekov, precession)
}


def main(names: list[str]) -> None:
    """Make some pictures, or all of them."""
    for name in names or TAKES:
        TAKES[name]().save(PICTURES / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
