"""The flock: its arrays, its three shaders, and the system that lets it fly on and draws it.

The birds are derived: nothing of the game's state depends on them. On the device each bird finds the others in its cell
and in the eight cells around it by lists (`clear.comp`, `link.comp`), then `steer.comp` moves it and packs its sprite.
`numpy_flock.py` does the same in numpy.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from rish_core import Layers, Stage, Transform, World, resource, system
from rish_frame import INSTANCE, ArraySpec, Batch, Compute, DeviceArray, Frame

from .components import Falcon
from .numpy_flock import nothing, steer

WIDTH, HEIGHT = 960, 540
REACH, ROOM = 17.0, 8.0
"""How far a bird sees others, and how near they may come, units."""
COLUMNS, ROWS = -(-WIDTH // int(REACH)), -(-HEIGHT // int(REACH))
LONGEST = 1 / 20
"""The longest step, seconds: after a pause the birds do not jump."""
CELL = (24, 28)
"""Width and height of one of the four birds in `bird.png`, texels."""

_F32, _I32 = np.dtype(np.float32), np.dtype(np.int32)
_BIRDS = ArraySpec(_F32, ("n", 4), "x, y and the velocity")
_HEADS = ArraySpec(_I32, ("cells",), "the first bird of each cell, or -1")
_LINKS = ArraySpec(_I32, ("n", 2), "the next bird of the same cell, or -1, and the cell")
_SPRITES = ArraySpec(INSTANCE, ("n",), "what is drawn")
_GRID = {"reach": "float", "cells": "vec2"}
_STEP = {"dt": "float", "time": "float", "room": "float", "falcon": "vec4", "home": "vec2"}
_LOOK = {"low": "vec2", "high": "vec2", "wing": "vec2", "frames": "vec4", "view": "vec2"}

COMPUTES = [
    Compute("boids.clear", "clear.comp", {"heads": _HEADS}, nothing, group=256),
    Compute("boids.link", "link.comp", {"birds": _BIRDS, "heads": _HEADS, "links": _LINKS}, nothing, _GRID),
    Compute(
        "boids.steer",
        "steer.comp",
        {"birds": _BIRDS, "flown": _BIRDS, "sprites": _SPRITES, "heads": _HEADS, "links": _LINKS},
        steer,
        {**_GRID, **_STEP, **_LOOK},
    ),
]


@resource(derived=True)
class Flock:
    """The birds before and after a step, and what the shaders need besides. time: of the last step, seconds."""

    birds: list[DeviceArray] = field(default_factory=list[DeviceArray])
    more: dict[str, DeviceArray] = field(default_factory=dict[str, DeviceArray])
    time: float = 0.0

    def resize(self, count: int) -> None:
        """Keep as many birds as there are to be; new ones circle around the middle."""
        old = self.birds[0].fetch() if self.birds else np.zeros((0, 4), np.float32)
        random = np.random.default_rng(1)
        turn, far = random.uniform(0, 2 * np.pi, count), random.uniform(40, 230, count)
        x, y = np.cos(turn), np.sin(turn)
        birds = np.column_stack([480 + 1.6 * far * x, 300 + far * y, -90 * y, 90 * x]).astype(np.float32)
        birds[: len(old)] = old[:count]
        self.birds = [DeviceArray(birds), DeviceArray(birds.copy())]
        self.more = {
            "sprites": DeviceArray(np.zeros(count, INSTANCE)),
            "heads": DeviceArray(np.full(COLUMNS * ROWS, -1, np.int32)),
            "links": DeviceArray(np.zeros((count, 2), np.int32)),
        }


@system(Stage.EXTRACT, reads=(Falcon, Transform, Layers), writes=(Flock, Frame))
def fly(world: World, dt: float) -> None:
    """Let the birds fly on by the time of the game since the last frame, and draw them."""
    frame: Frame = world[Frame]
    flock: Flock = world[Flock]
    if not flock.birds or frame.pictures is None:
        return
    step, flock.time = min(abs(frame.time - flock.time), LONGEST), frame.time
    before, after = flock.birds
    heads, links, count = flock.more["heads"], flock.more["links"], len(before.array)
    grid = {"reach": REACH, "cells": (COLUMNS, ROWS)}
    frame.compute("boids.clear", len(heads.array), {"heads": heads})
    frame.compute("boids.link", count, {"birds": before, "heads": heads, "links": links}, grid)
    arrays = {"birds": before, "flown": after, **flock.more}
    look = _look(world, frame.pictures, count)
    frame.compute("boids.steer", count, arrays, {**grid, **_step(world, frame.time, step), **look})
    flock.birds = [after, before]
    instances = flock.more["sprites"].array
    layer, origin = world[Layers].index("birds"), (WIDTH / 2, HEIGHT / 2)
    batch = Batch("sprites", {"instances": instances}, layer, origin=origin, unit=0.25, filter="linear", source="boids")
    frame.add(batch)


def _step(world: World, time: float, dt: float) -> dict[str, Any]:
    """Return the uniforms of a step. falcon: x, y, the force of its fear or its call, and how far that reaches."""
    falcons = world.query(Falcon, Transform)
    falcon = (-9999.0, -9999.0, 0.0, 1.0)
    if len(falcons):
        x, y = falcons[Transform.position][0].tolist()
        falcon = (x, y, -420.0, 330.0) if falcons[Falcon.calls][0] else (x, y, 2600.0, 110.0)
    home = (480 + 250 * np.sin(0.31 * time), 310 + 70 * np.sin(0.53 * time))
    return {"dt": dt, "time": time, "room": ROOM, "falcon": falcon, "home": home}


def _look(world: World, pictures: Any, count: int) -> dict[str, Any]:
    """Return the uniforms of how birds are drawn, and where they turn back. Few birds are larger."""
    width, height = CELL
    frames = [pictures.frame_of(world, "bird.png", (width * number, 0, width, height))[0] for number in range(4)]
    wing = 8.0 if count > 3000 else 10.5
    places = {"low": (90, 130), "high": (870, 450), "view": (WIDTH / 2, HEIGHT / 2)}
    return {**places, "wing": (wing, wing * height / width), "frames": frames}
