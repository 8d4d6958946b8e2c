"""The data that all engines of the benchmark `ecs` work on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

COUNT = 100_000
"""The number of entities."""
FEW = 10_000
"""The number of entities that are spawned, removed or changed together."""
DT = 1 / 60


def places() -> Any:
    """Return positions, float32 (COUNT, 2)."""
    return np.random.default_rng(7).uniform(-500, 500, (COUNT, 2)).astype(np.float32)


def shuffled() -> NDArray[np.int64]:
    """Return the numbers below COUNT in random order."""
    return np.random.default_rng(8).permutation(COUNT)
