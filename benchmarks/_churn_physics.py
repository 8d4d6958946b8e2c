"""Rish's side of the cases of bodies in the benchmark `churn`."""

from __future__ import annotations

from rish_core import Transform
from rish_physics import Body, Collider

from ._churn_bodies import FREE, HALF, Engine, shelves, tasks
from ._physics_rish import open_app


def _build(count: int) -> Engine:
    app, _ = open_app(shelves(count))
    world, added = app.world, list[int]()

    def comes() -> None:
        size = (2 * HALF, 2 * HALF)
        added.append(world.spawn(Transform(position=FREE), Body(), Collider(shape="box", size=size)))

    def goes() -> None:
        world.despawn(added.pop())

    return app.tick, comes, goes, app.close


__getattr__ = tasks(_build)
