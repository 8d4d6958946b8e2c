"""The scenes of the benchmark `physics3d`, as numbers that every engine reads. Units are meters and kilograms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

DT, SUBSTEPS, GRAVITY = 1 / 60, 4, -9.81
FRICTION, DENSITY = 0.6, 1000.0
Floats = npt.NDArray[np.float64]


@dataclass
class Scene:
    """Boxes over a floor whose top is at y = 0.

    places: (n, 3). turns: (n, 4), quaternions x, y, z, w. sizes: (n, 3). hinges: of bodies a and b, a place in the
    world and an axis. terrain: points (p, 3) and triangles (t, 3) instead of the floor.
    """

    places: Floats
    turns: Floats
    sizes: Floats
    hinges: list[tuple[int, int, tuple[float, ...], Any]] = field(default_factory=list[Any])
    terrain: tuple[Any, Any] | None = None


def _plain(places: Any, size: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> Scene:
    at = np.array(places, np.float64)
    return Scene(at, np.tile([0.0, 0, 0, 1], (len(at), 1)), np.tile(size, (len(at), 1)))


def wall(rows: int = 40) -> Scene:
    """A pyramid of boxes in a plane: 820 boxes in 40 rows."""
    return _plain([((i + 1) * 0.5 + (j - i) - rows / 2, 0.5 + i, 0) for i in range(rows) for j in range(i, rows)])


def heap(count: int = 1000) -> Scene:
    """Boxes that fall onto each other from random places with random rotations."""
    rng = np.random.default_rng(1)
    at = rng.uniform(-4, 4, (count, 3)) * [1, 0, 1]
    at[:, 1] = 1 + 0.08 * np.arange(count)
    turns = rng.normal(size=(count, 4))
    return Scene(at, turns / np.linalg.norm(turns, axis=1, keepdims=True), np.ones((count, 3)))


def ragdolls(count: int = 60) -> Scene:
    """Dolls of ten boxes and nine hinges, which fall onto a pile: 600 bodies, 540 hinges."""
    parts = [  # the center, the size, the part it hangs on, and the hinge's place and axis, relative to the doll
        ((0, 0, 0), (0.4, 0.3, 0.25), -1, (0, 0, 0), (0, 0, 1)),
        ((0, 0.35, 0), (0.45, 0.35, 0.25), 0, (0, 0.17, 0), (1, 0, 0)),
        ((0, 0.7, 0), (0.22, 0.25, 0.22), 1, (0, 0.55, 0), (1, 0, 0)),
        ((-0.42, 0.45, 0), (0.35, 0.12, 0.12), 1, (-0.24, 0.45, 0), (0, 0, 1)),
        ((0.42, 0.45, 0), (0.35, 0.12, 0.12), 1, (0.24, 0.45, 0), (0, 0, 1)),
        ((-0.78, 0.45, 0), (0.32, 0.1, 0.1), 3, (-0.61, 0.45, 0), (0, 1, 0)),
        ((0.78, 0.45, 0), (0.32, 0.1, 0.1), 4, (0.61, 0.45, 0), (0, 1, 0)),
        ((-0.12, -0.4, 0), (0.16, 0.45, 0.16), 0, (-0.12, -0.16, 0), (1, 0, 0)),
        ((0.12, -0.4, 0), (0.16, 0.45, 0.16), 0, (0.12, -0.16, 0), (1, 0, 0)),
        ((0.12, -0.85, 0), (0.14, 0.42, 0.14), 8, (0.12, -0.63, 0), (1, 0, 0)),
    ]
    rng = np.random.default_rng(2)
    places, sizes, hinges = [], [], []
    for doll in range(count):
        x, z = rng.uniform(-1.5, 1.5, 2)
        base = np.array([x, 1.5 + 0.5 * doll, z])
        first = len(places)
        for number, (center, size, parent, at, axis) in enumerate(parts):
            places.append(base + center)
            sizes.append(size)
            if parent >= 0:
                hinges.append((first + parent, first + number, tuple(base + at), axis))
    scene = _plain(places)
    scene.sizes, scene.hinges = np.array(sizes, np.float64), hinges
    return scene


def terrain(count: int = 400, cells: int = 70) -> Scene:
    """Boxes on hills of 9,800 triangles."""
    x, z = (part.ravel() for part in np.meshgrid(np.arange(cells + 1), np.arange(cells + 1)))
    points = np.stack([x - cells / 2, 0.5 * np.sin(0.7 * x) * np.cos(0.5 * z), z - cells / 2], axis=1)
    corner = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
    right, behind = corner + 1, corner + cells + 1
    triangles = np.stack([corner, behind, right, right, behind, behind + 1], axis=1).reshape(-1, 3)
    rng = np.random.default_rng(3)
    at = rng.uniform(-20, 20, (count, 3))
    at[:, 1] = 2 + rng.uniform(0, 2, count)
    scene = _plain(at)
    scene.terrain = points, triangles
    return scene


SCENES: dict[str, Callable[[], Scene]] = {"wall": wall, "heap": heap, "ragdolls": ragdolls, "terrain": terrain}
