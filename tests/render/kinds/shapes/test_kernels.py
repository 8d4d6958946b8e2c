"""The kernel of boxes has the bits of the formulas in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_render.drawables.colors import rgba_bytes
from rish_render.kinds.shapes.kernels import write_boxes

TABLE, BOXES = 150, 120
WIDTHS = {"size": 2, "anchor": 2, "color": 4, "color_end": 4, "outline": 4}
OUT = {"matrix": 6, "half": 2, "corner": 1, "line": 1, "kind": 1, "rgba": 1, "rgba2": 1, "edge": 1}
ORDER = {"layer": np.int64, "z": np.float32, "height": np.float32, "state": np.int64}


def random_table(random: np.random.Generator) -> dict[str, Any]:
    """Return columns of shapes, a fifth of their numbers 0, and some of them too large."""
    names = (
        "radius",
        "size",
        "anchor",
        "corner_radius",
        "outline_width",
        "color",
        "color_end",
        "outline",
        "opacity",
        "z",
    )
    table: dict[str, Any] = {"shape": random.integers(0, 2, TABLE).astype(np.uint8)}
    for name in names:
        shape = (TABLE, WIDTHS[name]) if name in WIDTHS else (TABLE,)
        values = random.uniform(0, 1.2, shape) * (random.random(shape) < 0.8)
        table[name] = (values * (40 if name in ("radius", "size") else 1)).astype(np.float32)
    table["size"][::17] = np.float32(3e38)
    return {**table, "blend": random.integers(0, 4, TABLE).astype(np.uint8)}


def formulas(table: dict[str, Any], rows: Any, matrix: Any) -> dict[str, Any]:
    """Return the arrays of boxes, and how far they reach from their centers. matrix: float32 (n, 6)."""
    columns = {name: values[rows] for name, values in table.items()}
    circle, radius, fade = columns["shape"] == 1, columns["radius"], columns["color_end"]
    size = np.where((circle & (radius > 0))[:, None], 2 * radius[:, None], columns["size"])
    shift = np.float32(0.5) - columns["anchor"]
    across, up = matrix[:, 0:2] * size[:, :1], matrix[:, 2:4] * size[:, 1:]
    scale = np.minimum(np.hypot(matrix[:, 0], matrix[:, 1]), np.hypot(matrix[:, 2], matrix[:, 3]))
    center = matrix[:, 4:] + across * shift[:, :1] + up * shift[:, 1:]
    return {
        "matrix": np.hstack([across, up, center]),
        "half": np.stack([np.hypot(*across.T), np.hypot(*up.T)], axis=1) * np.float32(0.5),
        "corner": columns["corner_radius"] * scale,
        "line": columns["outline_width"] * scale,
        "kind": circle.astype(np.uint8),
        "rgba": rgba_bytes(columns["color"], columns["opacity"]).view(np.uint32)[:, 0],
        "rgba2": rgba_bytes(np.where(fade[:, 3:] > 0, fade, columns["color"]), columns["opacity"]).view(np.uint32)[
            :, 0
        ],
        "edge": rgba_bytes(columns["outline"], columns["opacity"]).view(np.uint32)[:, 0],
        "z": columns["z"],
        "height": matrix[:, 5],
        "state": columns["blend"].astype(np.int64),
        "reach": (np.abs(across) + np.abs(up)) * np.float32(0.5),
    }


@pytest.mark.parametrize("seed", range(3))
def test_boxes_have_the_bits_of_the_formulas(seed: int) -> None:
    """Boxes that touch the bounds of their layer have the bits of the formulas, in their order; others are left out, as
    infinite ones."""
    random = np.random.default_rng(seed)
    table, rows = random_table(random), random.permutation(TABLE)[:BOXES].astype(np.int32)
    matrix = random.uniform(-1.5, 1.5, (BOXES, 6)).astype(np.float32)
    matrix[:, 4:] *= 80
    matrix[::9, 0] = np.nan
    numbers, screen = random.integers(0, 3, BOXES), np.array([False, True, False])
    bounds = np.array([[-50, -40, 60, 70], [0, 0, 90, 30]], np.float32)
    types = {"kind": np.uint8, "rgba": np.uint32, "rgba2": np.uint32, "edge": np.uint32}
    out = {name: np.zeros(BOXES * width, types.get(name, np.float32)) for name, width in OUT.items()}
    out |= {name: np.zeros(BOXES, dtype) for name, dtype in ORDER.items()}
    columns = tuple(values.reshape(-1) for values in table.values())
    count = write_boxes(
        rows, (matrix.reshape(-1), numbers), columns, (bounds.reshape(-1), screen), tuple(out.values())
    )  # fmt: skip
    with np.errstate(over="ignore", invalid="ignore"):
        expected = {"layer": numbers, **formulas(table, rows, matrix)}
        center, reach = expected["matrix"][:, 4:], expected.pop("reach")
        low, high = bounds[screen[numbers].astype(int), :2], bounds[screen[numbers].astype(int), 2:]
        shown = ((center + reach >= low) & (center - reach <= high)).all(axis=1)
    assert 10 < count == np.count_nonzero(shown) < BOXES
    for name, values in out.items():
        assert values.reshape(BOXES, -1)[:count].tobytes() == expected[name][shown].tobytes(), name
