"""The comparisons of the benchmark `particles`: numpy's copy, arcade's emitters, plain Python objects."""

from __future__ import annotations

import random

import numpy as np

from ._task import Task

MANY, FEW = 1_000_000, 10_000
DT = 1 / 60


def copy() -> Task:
    """Copy the ten columns of a million particles once."""
    source = [np.ones(MANY, np.float32) for _ in range(10)]
    target = [np.zeros(MANY, np.float32) for _ in range(10)]

    def run() -> None:
        for to, column in zip(target, source, strict=True):
            np.copyto(to, column)

    run()
    return Task(run)


def arcade() -> Task:
    """Update one emitter of arcade's with ten thousand fading particles."""
    import arcade
    from arcade.particles import EmitBurst, Emitter, FadeParticle

    texture = arcade.make_soft_circle_texture(8, arcade.color.WHITE)
    emitter = Emitter(
        center_xy=(0, 0),
        emit_controller=EmitBurst(FEW),
        particle_factory=lambda _: FadeParticle(
            texture, (random.uniform(-1, 1), random.uniform(-1, 1)), lifetime=1e6, change_angle=1.0
        ),
    )
    emitter.update(DT)
    assert emitter.get_count() == FEW
    return Task(lambda: emitter.update(DT))


class _Mote:
    __slots__ = ("age", "angle", "life", "rgba", "size", "spin", "vx", "vy", "x", "y")

    def __init__(self) -> None:
        self.x = self.y = self.age = self.angle = 0.0
        self.vx, self.vy, self.spin = random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)
        self.life, self.size, self.rgba = 1e6, 8.0, (1.0, 1.0, 1.0, 1.0)


def objects() -> Task:
    """Update ten thousand objects with gravity, drag, a curve over life and a vortex, in a loop."""
    motes = [_Mote() for _ in range(FEW)]

    def run() -> None:
        for m in motes:
            m.age += DT
            t = m.age / m.life
            m.vx *= 0.997
            m.vy = m.vy * 0.997 - 10 * DT
            factor = 1 - 0.7 * t
            vx, vy = m.vx * factor, m.vy * factor
            f = 1 / (1 + (m.x * m.x + m.y * m.y) * 1e-4)
            m.x += (vx + (-m.y - vx) * f) * DT
            m.y += (vy + (m.x - vy) * f) * DT
            m.angle += m.spin * DT
            m.size = 8 * (1 - t)
            m.rgba = (1.0, 1 - 0.8 * t, 1 - t, 1 - t)

    run()
    return Task(run)
