"""Chipmunk by pymunk in the benchmark `churn`: `space.add` and `space.remove` of a body and its shape."""

from __future__ import annotations

from typing import Any

import pymunk

from ._churn_bodies import FREE, HALF, Engine, shelves, tasks
from ._physics_pymunk import build
from ._physics_scenes import DT, FRICTION


def _build(count: int) -> Engine:
    space, added = build(shelves(count)), list[Any]()

    def comes() -> None:
        body = pymunk.Body()
        body.position = FREE
        shape = pymunk.Poly.create_box(body, (2 * HALF, 2 * HALF))
        shape.density, shape.friction = 1.0, FRICTION
        space.add(body, shape)
        added[:] = body, shape

    def goes() -> None:
        space.remove(*added)

    return lambda: space.step(DT), comes, goes, None


__getattr__ = tasks(_build)
