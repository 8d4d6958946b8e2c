"""Box2D v3.1 by pyb2d3 in the benchmark `churn`: a body is created with its shape, and destroyed."""

from __future__ import annotations

from typing import Any

import pyb2d3 as b2

from ._churn_bodies import FREE, HALF, Engine, shelves, tasks
from ._physics_pyb2d3 import build
from ._physics_scenes import DT, FRICTION, SUBSTEPS


def _build(count: int) -> Engine:
    world, bodies = build(shelves(count))
    definition = b2.shape_def(density=1.0, material=b2.surface_material(friction=FRICTION))
    added: list[Any] = []

    def comes() -> None:
        body = world.create_dynamic_body(position=FREE)
        body.create_shape(definition, b2.box(HALF, HALF))
        added.append(body)

    def goes() -> None:
        added.pop().destroy()

    return lambda: world.step(DT, SUBSTEPS), comes, goes, bodies.clear


__getattr__ = tasks(_build)
