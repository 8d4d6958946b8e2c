"""Random values in view fields: what is only drawn must not change what is simulated."""

from __future__ import annotations

import numpy as np

from rish_core import World


def scramble_view(world: World, rng: np.random.Generator) -> int:
    """Write random numbers into the view fields of all components and tables; return how many fields.

    Only numbers and flags within their range: handles, names and the layout of buffers have to stay valid.
    """
    count = 0
    for table in world.tables.values():
        for name, spec in table.schema.fields.items():
            column = table.column(name) if spec.view and len(table) and not spec.type.pooled else None
            if column is None or column.dtype.kind not in "fb":
                continue
            low, high = (-10.0 if spec.low is None else spec.low), (10.0 if spec.high is None else spec.high)
            column[:] = (
                rng.integers(0, 2, column.shape) if column.dtype.kind == "b" else rng.uniform(low, high, column.shape)
            )
            count += 1
    return count
