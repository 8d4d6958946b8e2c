"""The boxes and rays of the benchmark `scene3d`, for all its engines; numpy only."""

from __future__ import annotations

from typing import Any

import numpy as np

BOXES, RAYS = 100_000, 10_000
SPACE = np.array([500.0, 10.0, 500.0])


def scene() -> tuple[Any, Any, Any]:
    """Return boxes (n, 6), origins and directions (m, 3) of rays, float32."""
    random = np.random.default_rng(1)
    low = random.uniform(-1, 1, (BOXES, 3)) * SPACE
    boxes = np.concatenate([low, low + random.uniform(0.2, 2, (BOXES, 3))], axis=1).astype(np.float32)
    origins = (random.uniform(-1, 1, (RAYS, 3)) * SPACE).astype(np.float32)
    ways = random.normal(size=(RAYS, 3))
    return boxes, origins, (ways / np.linalg.norm(ways, axis=1, keepdims=True)).astype(np.float32)
