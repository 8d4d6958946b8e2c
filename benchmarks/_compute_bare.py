"""The peer of the benchmark `compute`: the same steps as compiled loops, the flock without sprites."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rish_jit import njit

from . import _compute_scene as scene
from ._task import Task


@njit
def _link(birds, reach, columns, rows, heads, links):
    heads[:] = -1
    for i in range(len(birds)):
        x = min(max(math.floor(birds[i, 0] / reach), 0), columns - 1)
        y = min(max(math.floor(birds[i, 1] / reach), 0), rows - 1)
        links[i, 0], links[i, 1] = heads[y * columns + x], y * columns + x
        heads[y * columns + x] = i


@njit
def _push(i, birds, reach, room, columns, rows, heads, links):
    one = np.float32(1)
    x, y, vx, vy = birds[i]
    ax = ay = mx = my = wx = wy = near = np.float32(0)
    column, row = links[i, 1] % columns, links[i, 1] // columns
    for cy in range(max(row - 1, 0), min(row + 2, rows)):
        for cx in range(max(column - 1, 0), min(column + 2, columns)):
            j = heads[cy * columns + cx]
            while j >= 0:
                dx, dy = birds[j, 0] - x, birds[j, 1] - y
                gap = np.float32(math.sqrt(dx * dx + dy * dy))
                if 0 < gap < reach:
                    near += one
                    mx, my, wx, wy = mx + dx, my + dy, wx + birds[j, 2], wy + birds[j, 3]
                    force = max(one - gap / room, np.float32(0)) / gap
                    ax, ay = ax - dx * force, ay - dy * force
                j = links[j, 0]
    many = max(near, one)
    px = 700 * ax + (2.2 * (wx / many - vx) + 5 * mx / many) * (near > 0)
    py = 700 * ay + (2.2 * (wy / many - vy) + 5 * my / many) * (near > 0)
    return px, py


@njit
def _steer(birds, flown, reach, room, columns, rows, heads, links, home, falcon, low, high, time, dt):
    for i in range(len(birds)):
        px, py = _push(i, birds, reach, room, columns, rows, heads, links)
        x, y, vx, vy = birds[i]
        dx, dy = x - falcon[0], y - falcon[1]
        far = math.sqrt(dx * dx + dy * dy)
        fear = falcon[2] * max(1 - far / falcon[3], 0) / max(far, 1)
        px += dx * fear + 0.5 * (home[0] - x) + 14 * (max(low[0] - x, 0) - max(x - high[0], 0))
        py += dy * fear + 0.5 * (home[1] - y) + 14 * (max(low[1] - y, 0) - max(y - high[1], 0))
        own = i * 0.618034 % 1
        turn = 45 * math.sin(time * (1 + 2 * own) + 40 * own) / max(math.sqrt(vx * vx + vy * vy), 1)
        px, py = px - vy * turn, py + vx * turn
        cut = min(1, 620 / max(math.sqrt(px * px + py * py), 1e-6)) * dt
        vx, vy = vx + px * cut, vy + py * cut
        speed = max(math.sqrt(vx * vx + vy * vy), 1)
        keep = min(max(speed, 65 + 30 * own), 130 + 40 * own) / speed
        flown[i, 0], flown[i, 1] = x + vx * keep * dt, y + vy * keep * dt
        flown[i, 2], flown[i, 3] = vx * keep, vy * keep


def flock() -> Task:
    """The step of the flock."""
    _, orders, arrays = scene.settled()
    u: dict[str, Any] = {name: np.array(value, np.float32) for name, value in orders[-1].values.items()}
    columns, rows = u["cells"].astype(int).tolist()
    reach, room = np.float32(u["reach"]), np.float32(u["room"])
    birds, flown, heads, links = (arrays[name].copy() for name in ("birds", "flown", "heads", "links"))
    time, dt = float(u["time"]), float(u["dt"])

    def run() -> None:
        _link(birds, reach, columns, rows, heads, links)
        places = u["home"], u["falcon"], u["low"], u["high"]
        _steer(birds, flown, reach, room, columns, rows, heads, links, *places, time, dt)

    run()
    before = {"birds": birds, "flown": np.zeros_like(flown), "sprites": arrays["sprites"].copy()}
    orders[-1].compute.fallback(before, {**orders[-1].values, "threads": orders[-1].threads})
    np.testing.assert_allclose(flown, before["flown"], rtol=1e-4, atol=1e-2)
    return Task(run, clock="wall")


@njit
def _drift(place, motes, waves, width, height, step):
    for i in range(len(place)):
        x, y = place[i]
        across = up = np.float32(0)
        for k in range(len(waves)):
            a, b = waves[k, 0] * np.float32(6.2832) / width, waves[k, 1] * np.float32(6.2832) / height
            swing = np.float32(30) * np.float32(math.cos(a * x + b * y + waves[k, 2]))
            across, up = across + swing * b, up - swing * a
        x, y = (x + across * step) % width, (y + up * step) % height
        place[i, 0], place[i, 1] = x, y
        px, py = int((x - width / 2) * 32), int((y - height / 2) * 32)
        size = int(math.sqrt(across * across + up * up) * 320)
        turn = int(math.atan2(up, across) * 10430.378) & 0xFFFF
        motes[i, 0], motes[i, 1] = (px & 0xFFFF) | (py & 0xFFFF) << 16, size & 0xFFFF | 48 << 16
        motes[i, 2], motes[i, 3] = turn, 0xFFFFFFFF


def dust() -> Task:
    """The step of the dust."""
    arrays = scene.dust()
    motes = arrays["motes"].view(np.uint32).reshape(-1, 4)
    width, height = map(np.float32, scene.SIZE)
    step = np.float32(0.04)
    return Task(lambda: _drift(arrays["place"], motes, scene.WAVES, width, height, step), clock="wall")
