"""The flock: where the birds are, how they move in numpy, and how they are drawn.

The birds are derived: nothing of the game's state depends on them. On the device each bird finds the others in its cell
and in the eight cells around by lists (`clear.comp`, `link.comp`). numpy sorts the birds by cell instead, so those two
shaders have nothing to do there.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from rish_core import Layers, Stage, Transform, World, resource, system
from rish_frame import INSTANCE, ArraySpec, Batch, Compute, DeviceArray, Frame, pack_sprites

from .components import Falcon, Settings

SIZE = (960, 540)
REACH, ROOM = 17.0, 8.0
"""How far a bird sees others, and how near they may come, units."""
CELLS = (-(-SIZE[0] // int(REACH)), -(-SIZE[1] // int(REACH)))
LONGEST = 1 / 20
"""The longest step, seconds: after a pause the birds do not jump."""
F32, I32 = np.dtype(np.float32), np.dtype(np.int32)

_BIRDS = ArraySpec(F32, ("n", 4), "x, y and the velocity")
_LISTS = {"heads": ArraySpec(I32, ("c",), "first bird of a cell"), "links": ArraySpec(I32, ("n", 2), "next bird, cell")}
_GRID = {"reach": "float", "cells": "vec2"}
_STEER = {
    **_GRID, "room": "float", "dt": "float", "time": "float", "falcon": "vec4", "home": "vec2", "low": "vec2",
    "high": "vec2", "wing": "vec2", "frames": "vec4", "middle_of_view": "vec2",
}  # fmt: skip


@resource(derived=True)
class Flock:
    """The birds before and after a step, their sprites, and the lists of the cells. time: of the last step."""

    birds: list[DeviceArray] = field(default_factory=list[DeviceArray])
    sprites: DeviceArray | None = None
    lists: dict[str, DeviceArray] = field(default_factory=dict[str, DeviceArray])
    time: float = 0.0

    def resize(self, count: int) -> None:
        """Keep as many birds as there are to be; new ones come from all sides."""
        old = self.birds[0].fetch() if self.birds else np.zeros((0, 4), np.float32)
        random = np.random.default_rng(1)
        turn = random.uniform(0, 2 * np.pi, count)
        far = random.uniform(40, 230, count)
        new = np.column_stack(
            [480 + far * np.cos(turn) * 1.6, 300 + far * np.sin(turn), -90 * np.sin(turn), 90 * np.cos(turn)]
        )
        new[: len(old)] = old[:count]
        self.birds = [DeviceArray(new.astype(np.float32)) for _ in range(2)]
        self.sprites = DeviceArray(np.zeros(count, INSTANCE))
        cells = np.full(CELLS[0] * CELLS[1], -1, np.int32)
        self.lists = {"heads": DeviceArray(cells), "links": DeviceArray(np.zeros((count, 2), np.int32))}


@system(Stage.EXTRACT, reads=(Falcon, Transform, Settings, Layers), writes=(Flock, Frame))
def fly(world: World, dt: float) -> None:
    """Let the birds fly on by the time of the game since the last frame, and draw them."""
    frame, flock = world[Frame], world[Flock]
    if flock.sprites is None or frame.pictures is None:
        return
    step, flock.time = min(abs(frame.time - flock.time), LONGEST), frame.time
    grid = {"reach": REACH, "cells": CELLS}
    frame.compute("boids.clear", len(flock.lists["heads"].array), {"heads": flock.lists["heads"]})
    before, after = flock.birds
    frame.compute("boids.link", len(before.array), {"birds": before, **flock.lists}, grid)
    arrays = {"birds": before, "flown": after, "sprites": flock.sprites, **flock.lists}
    frame.compute("boids.steer", len(before.array), arrays, {**grid, **_now(world, frame, step, len(before.array))})
    flock.birds = [after, before]
    middle = (SIZE[0] / 2, SIZE[1] / 2)
    arrays = {"instances": flock.sprites.array}
    layer = world[Layers].index("birds")
    frame.add(Batch("sprites", arrays, layer=layer, origin=middle, unit=0.25, filter="linear", source="boids"))


def _now(world: World, frame: Frame, step: float, count: int) -> dict[str, Any]:
    """Return the uniforms of a step."""
    falcons = world.query(Falcon, Transform)
    x, y = falcons[Transform.position][0].tolist() if len(falcons) else (-9999.0, -9999.0)
    calls = len(falcons) and bool(falcons[Falcon.calls][0])
    cells = [frame.pictures.frame_of(world, "bird.png", (24 * number, 0, 24, 28))[0] for number in range(4)]
    t, wing = frame.time, 8.0 if count > 3000 else 10.5
    return {
        "room": ROOM, "dt": step, "time": t, "falcon": (x, y, -420.0, 330.0) if calls else (x, y, 2600.0, 110.0),
        "home": (480 + 250 * np.sin(0.31 * t), 310 + 70 * np.sin(0.53 * t)), "low": (90, 130),
        "high": (870, 450), "wing": (wing, wing * 28 / 24), "frames": cells,
        "middle_of_view": (SIZE[0] / 2, SIZE[1] / 2),
    }  # fmt: skip


# The same in numpy


def nothing(arrays: Any, uniforms: Any) -> None:
    """Do nothing: `steer` sorts the birds by cell itself."""


def steer(arrays: Any, uniforms: Any) -> None:
    """Do what `steer.comp` does."""
    u, f = uniforms, np.float32
    at, way = arrays["birds"][:, :2], arrays["birds"][:, 2:]
    one, other = pairs(at, u["reach"], tuple(map(int, u["cells"])))
    d = at[other] - at[one]
    gap = np.hypot(d[:, 0], d[:, 1])
    fit = (gap < f(u["reach"])) & (gap > 0)
    one, other, d, gap = one[fit], other[fit], d[fit], gap[fit]
    near = np.bincount(one, minlength=len(at)).astype(f)[:, None]
    push = 700 * sums(one, d / gap[:, None] * -np.maximum(1 - gap / f(u["room"]), 0)[:, None], len(at))
    many = np.maximum(near, 1)
    push += np.where(
        near > 0, f(2.2) * (sums(one, way[other], len(at)) / many - way) + 5 * sums(one, d, len(at)) / many, 0
    )
    x, y, fear, afar = map(f, u["falcon"])
    away = at - np.array([x, y])
    far = np.hypot(away[:, 0], away[:, 1])[:, None]
    push += away / np.maximum(far, 1) * fear * np.maximum(1 - far / afar, 0)
    push += f(0.5) * (np.array(u["home"], f) - at)
    push += 14 * (np.maximum(np.array(u["low"], f) - at, 0) - np.maximum(at - np.array(u["high"], f), 0))
    self = (np.arange(len(at)) * f(0.618034) % 1).astype(f)[:, None]
    wander = np.sin(f(u["time"]) * (1 + 2 * self) + 40 * self)
    push += 45 * wander * way[:, ::-1] * np.array([-1, 1], f) / np.maximum(np.hypot(way[:, :1], way[:, 1:]), 1)
    force = np.hypot(push[:, 0], push[:, 1])[:, None]
    way = way + push * np.minimum(1, 620 / np.maximum(force, 1)) * f(u["dt"])
    speed = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1)[:, None]
    way = way * (np.clip(speed, 65 + 30 * self, 130 + 40 * self) / speed)
    at = at + way * f(u["dt"])
    arrays["flown"][:, :2], arrays["flown"][:, 2:] = at, way
    beat = ((f(u["time"]) * 5 + self[:, 0] * 7) % 1 * 4).astype(int)
    turned = np.arctan2(way[:, 1], way[:, 0])
    place = (at - np.array(u["middle_of_view"], f)).T
    width, height = (np.array(u["wing"], f) * (f(0.75) + f(0.5) * self)).T
    frames = np.array(u["frames"], int)[beat]
    arrays["sprites"][:] = pack_sprites(*place, width, height, turned, frames, colours(turned, near), unit=0.25)


def colours(turned: Any, crowd: Any) -> Any:
    """Return the colours of birds by direction and number of neighbours, uint8 (n, 4)."""
    wave = 0.5 + 0.5 * np.cos(turned[:, None] + np.array([0.5, 1.4, 3.0]))
    dark, bright = np.array([0.42, 0.40, 0.72]), np.array([1.0, 0.86, 0.98])
    light = (dark + (bright - dark) * wave) * (0.72 + 0.28 * np.clip(crowd / 16, 0, 1))
    return np.column_stack([np.floor(light * 255 + 0.5), np.full(len(light), 255)]).astype(np.uint8)


def sums(owner: Any, values: Any, count: int) -> Any:
    """Return the sum of the values of each owner, float32 (count, 2)."""
    return np.column_stack([np.bincount(owner, values[:, k], count) for k in (0, 1)]).astype(np.float32)


def pairs(at: Any, reach: float, cells: tuple[int, int]) -> tuple[Any, Any]:
    """Return the numbers of all pairs of birds in the same or neighbouring cells, both ways.

    Sorted by cell, the birds of three cells of a row are one slice, so each bird has three slices.
    """
    place = np.clip(np.floor(at / np.float32(reach)).astype(int), 0, np.array(cells) - 1)
    cell = place[:, 1] * cells[0] + place[:, 0]
    order = np.argsort(cell, kind="stable")
    sorted_cells = cell[order]
    ones, others = [], []
    for row in (-1, 0, 1):
        y = place[:, 1] + row
        left, right = np.maximum(place[:, 0] - 1, 0), np.minimum(place[:, 0] + 1, cells[0] - 1)
        first = np.searchsorted(sorted_cells, y * cells[0] + left)
        count = np.where(
            (y >= 0) & (y < cells[1]), np.searchsorted(sorted_cells, y * cells[0] + right, "right") - first, 0
        )
        ones.append(np.repeat(np.arange(len(at)), count))
        start = np.repeat(first - np.concatenate([[0], np.cumsum(count)[:-1]]), count)
        others.append(order[start + np.arange(count.sum())])
    return np.concatenate(ones), np.concatenate(others)


COMPUTES = [
    Compute("boids.clear", "clear.comp", {"heads": _LISTS["heads"]}, nothing, group=256),
    Compute("boids.link", "link.comp", {"birds": _BIRDS, **_LISTS}, nothing, _GRID),
    Compute(
        "boids.steer",
        "steer.comp",
        {"birds": _BIRDS, "flown": _BIRDS, "sprites": ArraySpec(INSTANCE, ("n",), "what is drawn"), **_LISTS},
        steer,
        _STEER,
    ),
]
