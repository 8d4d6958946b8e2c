"""The computations of the particle kernels in plain Python, one particle at a time: a readable reference for tests.

It uses Python's double precision floats, so the float32 kernels agree with it to a few digits.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rish_ecs.random import random_bits
from rish_particles.preset import Attractor, Preset, Span

Point = tuple[float, float]


@dataclass
class Mote:
    """The state of one particle as plain numbers."""

    x: float
    y: float
    vx: float
    vy: float
    age: float
    life: float
    angle: float = 0.0
    spin: float = 0.0
    size: float = 1.0


@dataclass(frozen=True)
class Whirl:
    """A vortex at a place. share: the factor on its strength: 4·l·(1 - l) for an emitted one, with l the remaining
    fraction of its life; 1 for a fixed one.
    """

    x: float
    y: float
    turn: Point
    size: float
    share: float = 1.0
    literal: bool = False
    fixed: bool = True


def words(key: int, counter: int, count: int) -> list[int]:
    """Return the 32-bit words of consecutive numbers of a stream, the lower half of each number first."""
    numbers = [random_bits(key, counter + k) for k in range(count)]
    return [part for number in numbers for part in (number & 0xFFFFFFFF, number >> 32)]


def spawn(preset: Preset, key: int, counter: int, k: int, age: float = 0.0) -> Mote:
    """Return the k-th particle that is emitted by a preset at the origin, upright.

    It uses the numbers of the stream from `counter` on. The shape is a point, a line, a circle, a ring or a box.
    """
    each = 6 if preset.varied else 4
    w = words(key, counter + each * k, each)
    shape = preset.shape
    u, v = (w[4] >> 8) * 2.0**-24, (w[5] >> 8) * 2.0**-24
    direction = _drawn(preset.direction, w[0])
    x = y = 0.0
    if shape.kind in ("circle", "ring"):
        inner, outer = shape.radius
        radius, turn = math.sqrt(inner**2 + (outer**2 - inner**2) * u), math.tau * v
        x, y = radius * math.cos(turn), radius * math.sin(turn)
        direction += turn if shape.outward else 0.0
    elif shape.kind in ("line", "box"):
        x, y = (u - 0.5) * shape.size[0], (v - 0.5) * shape.size[1]
    speed = _drawn(preset.speed, w[1])
    vx, vy = speed * math.cos(direction), speed * math.sin(direction)
    angle = preset.angle[0] + (preset.angle[1] - preset.angle[0]) * (w[6] >> 16) * 2.0**-16
    spin = preset.spin[0] + (preset.spin[1] - preset.spin[0]) * (w[6] & 0xFFFF) * 2.0**-16
    place = x + preset.at[0] + vx * age, y + preset.at[1] + vy * age
    return Mote(*place, vx, vy, age, _drawn(preset.life, w[2]), angle, spin, _drawn(preset.size, w[3]))


def _drawn(span: Span, word: int) -> float:
    return span[0] + (span[1] - span[0]) * (word >> 8) * 2.0**-24


def vortex_share(whirl: Whirl, x: float, y: float) -> float:
    """Return the weight of a vortex in a particle's velocity: f = 1/(1 + |d|²/(0.1·size)), times the share.

    A literal vortex that is fixed has |d|²/size·0.1 in place of that term, which reaches a hundred times as far.
    """
    square = (x - whirl.x) ** 2 + (y - whirl.y) ** 2
    reach = square / whirl.size * 0.1 if whirl.literal and whirl.fixed else square / (0.1 * whirl.size)
    return whirl.share / (1 + reach)


def whirled(whirls: Iterable[Whirl], x: float, y: float, vx: float, vy: float, dt: float) -> Point:
    """Return the displacement of a particle in a tick: (v + (w - v)·f)·dt with w = (-d.y·turn.x, d.x·turn.y).

    The vortices are applied one after another. A literal one adds (w - v)·f without dt.
    """
    way_x, way_y = vx * dt, vy * dt
    for whirl in whirls:
        f = vortex_share(whirl, x, y)
        wx, wy = -(y - whirl.y) * whirl.turn[0], (x - whirl.x) * whirl.turn[1]
        if whirl.literal:
            way_x, way_y = way_x + (wx - vx) * f, way_y + (wy - vy) * f
        else:
            way_x, way_y = way_x + (wx * dt - way_x) * f, way_y + (wy * dt - way_y) * f
    return way_x, way_y


def pulled(attractors: Sequence[Attractor], center: Point, x: float, y: float) -> tuple[float, float, bool]:
    """Return the acceleration by attractors around a center, and whether one of them swallows a particle at (x, y)."""
    ax = ay = 0.0
    swallowed = False
    for each in attractors:
        dx, dy = center[0] + each.at[0] - x, center[1] + each.at[1] - y
        length = math.hypot(dx, dy)
        fade = max(0.0, 1 - length / each.radius) if each.radius else 1.0
        ax += each.strength * fade * dx / max(length, 1e-3)
        ay += each.strength * fade * dy / max(length, 1e-3)
        swallowed |= length < each.swallow
    return ax, ay, swallowed


def update(motes: Sequence[Mote], preset: Preset, whirls: Sequence[Whirl], center: Point, dt: float) -> list[Mote]:
    """Run one tick of a pool without turbulence and variations; return the living particles in their order."""
    forces, alive = preset.forces, list[Mote]()
    decay = math.exp(-forces.drag * dt)
    for m in motes:
        m.age += dt
        t = min(m.age / m.life, 1.0)
        ax, ay, swallowed = pulled(forces.attractors, center, m.x, m.y)
        m.vx = (m.vx + ax * dt - forces.wind[0]) * decay + forces.wind[0] + forces.gravity[0] * dt
        m.vy = (m.vy + ay * dt - forces.wind[1]) * decay + forces.wind[1] + forces.gravity[1] * dt
        factor = preset.speed_over_life.at(t)[0]
        way = whirled(whirls, m.x, m.y, m.vx * factor, m.vy * factor, dt)
        m.x, m.y = m.x + way[0], m.y + way[1]
        m.angle += m.spin * (preset.spin_over_life.at(t)[0] + preset.spin_growth * m.age) * dt
        if m.age / m.life < 1 and not swallowed:
            alive.append(m)
    return alive
