"""The scene of all engines of the benchmark `sprites`: the same sprites, images and motion.

A screen of 1280x720, 16 images, 16 roots that sway around its middle. Each sprite is a child of one root, flies in a
box around it and rotates. Positions are in the root's space. `Motion` moves and places the sprites with numpy for all
other engines, so that none is measured with a slower motion.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 1280, 720
ROOTS, LAYERS, PICTURES = 16, 16, 16
HALF = (620.0, 340.0)
"""Half the size of the box around their root in which sprites move."""
SWAY, LEAN = 12.0, 0.05
"""The largest movement of roots in pixels, and the largest rotation in radians."""
DT = 1 / 60

Floats = NDArray[np.float32]


def start(count: int) -> dict[str, NDArray[Any]]:
    """Return the start of `count` sprites; those of one root are stored together.

    place, velocity (n, 2): pixels, and pixels a tick. angle, spin: radians. picture, layer, root: indices.
    """
    random = np.random.default_rng(5)
    place = random.uniform((-HALF[0], -HALF[1]), HALF, (count, 2)).astype(np.float32)
    velocity = random.uniform(-2, 2, (count, 2)).astype(np.float32)
    angle = random.uniform(-np.pi, np.pi, count).astype(np.float32)
    spin = random.uniform(-0.1, 0.1, count).astype(np.float32)
    picture = random.integers(0, PICTURES, count).astype(np.int32)
    layer = random.integers(0, LAYERS, count).astype(np.int32)
    root = (np.arange(count) * ROOTS // max(count, 1)).astype(np.int32)
    found: dict[str, NDArray[Any]] = {"place": place, "velocity": velocity, "angle": angle, "spin": spin}
    return {**found, "picture": picture, "layer": layer, "root": root}


def roots(tick: int) -> tuple[Floats, Floats]:
    """Return places (16, 2) and angles of the roots."""
    phase = np.arange(ROOTS) * (2 * np.pi / ROOTS) + tick * 0.02
    place = np.stack([WIDTH / 2 + SWAY * np.cos(phase), HEIGHT / 2 + SWAY * np.sin(phase)], axis=-1)
    return place.astype(np.float32), (LEAN * np.sin(phase)).astype(np.float32)


def picture(number: int, size: int) -> NDArray[np.uint8]:
    """Return a ring with a smooth edge in its own color: uint8 (size, size, 4), straight alpha."""
    row, column = np.mgrid[:size, :size] + 0.5 - size / 2
    distance = np.hypot(column, row) / (size / 2)
    made = np.zeros((size, size, 4), np.uint8)
    hue = number / PICTURES * 2 * np.pi
    made[..., :3] = [int(140 + 110 * np.cos(hue + k * 2.1)) for k in range(3)]
    made[..., :3][(distance < 0.45) & (column > 0)] = 250
    made[..., 3] = np.clip((1 - distance) * size / 2 * 255, 0, 255)
    return made


class Motion:
    """The sprites as columns of numpy. x, y, angle: on the screen, after `tick`."""

    def __init__(self, count: int) -> None:
        self.count, self.number = count, 0
        first = start(count)
        self._x, self._y = first["place"].T.copy()
        self._vx, self._vy = first["velocity"].T.copy()
        self._angle, self._spin = first["angle"], first["spin"]
        self.picture, self.layer, self._root = first["picture"], first["layer"], first["root"]
        self.x, self.y, self.angle = (np.empty(count, np.float32) for _ in range(3))
        self.tick()

    def tick(self) -> None:
        """Move, rotate and bounce the sprites, and compute their places on the screen."""
        self.number += 1
        self._x += self._vx
        self._y += self._vy
        self._angle += self._spin
        np.negative(self._vx, out=self._vx, where=np.abs(self._x) > HALF[0])
        np.negative(self._vy, out=self._vy, where=np.abs(self._y) > HALF[1])
        self._place()

    def _place(self) -> None:
        """Apply each root's angle and place to its sprites; in one operation if all roots have equally many."""
        place, angle = roots(self.number)
        cos, sin = np.cos(angle), np.sin(angle)
        if self.count % ROOTS:
            r = self._root
            columns = [column[r] for column in (cos, sin, place[:, 0], place[:, 1], angle)]
            shape: tuple[int, ...] = (self.count,)
        else:
            columns = [column[:, None] for column in (cos, sin, place[:, 0], place[:, 1], angle)]
            shape = (ROOTS, -1)
        c, s, px, py, turn = columns
        x, y = self._x.reshape(shape), self._y.reshape(shape)
        out_x, out_y, out_angle = self.x.reshape(shape), self.y.reshape(shape), self.angle.reshape(shape)
        np.multiply(c, x, out=out_x)
        out_x -= s * y
        out_x += px
        np.multiply(s, x, out=out_y)
        out_y += c * y
        out_y += py
        np.add(self._angle.reshape(shape), turn, out=out_angle)
