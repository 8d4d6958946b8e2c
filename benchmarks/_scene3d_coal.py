"""coal's side of the benchmark `scene3d`: its tree of boxes, asked with thin capsules, as it has no rays."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from ._clocks import tell
from ._scene3d_boxes import RAYS, scene
from ._task import Task

_ASKED, _LENGTH = 500, 100.0
"""The number of capsules of a run, and their length."""


def rays() -> Task:
    """Whether capsules of 100 meters along some rays meet any box; the time is that of as many as there are rays."""
    import coal

    boxes, origins, ways = scene()
    tree = coal.DynamicAABBTreeCollisionManager()
    size, middle = (boxes[:, 3:] - boxes[:, :3]).astype(float), (boxes[:, 3:] + boxes[:, :3]).astype(float) / 2
    upright = np.eye(3)
    held: list[Any] = [
        coal.CollisionObject(coal.Box(*edges), upright, place) for edges, place in zip(size, middle, strict=True)
    ]
    for each in held:
        tree.registerObject(each)
    tree.setup()
    asked = [_capsule(coal, origin, way) for origin, way in zip(origins[:_ASKED], ways[:_ASKED], strict=True)]
    answer = coal.CollisionCallBackDefault()

    def run() -> None:
        began = time.process_time()
        for each in asked:
            answer.init()
            tree.collide(each, answer)
        tell((time.process_time() - began) * RAYS / _ASKED)

    run.held = held  # pyright: ignore[reportFunctionMemberAccess]  # coal does not own its objects
    return Task(run, clock="told", once=True)


def _capsule(coal: Any, origin: Any, way: Any) -> Any:
    """Return a thin capsule along a ray."""
    z = way.astype(float)
    x = np.cross([z[1], z[2], z[0]], z)
    x /= np.linalg.norm(x)
    turn = np.stack([x, np.cross(z, x), z], axis=1)
    return coal.CollisionObject(coal.Capsule(1e-6, _LENGTH), turn, origin.astype(float) + z * _LENGTH / 2)
