"""The layout of trees that nobody should make, and of very large ones; kernels and plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_ui.layout.nodes import LayoutNodes, equal_columns
from rish_ui.layout.solve import solve_heights, solve_widths

NUMBERS = [0.0, 1.0, -1.0, 10.0, 1e30, -1e30, np.inf, -np.inf, np.nan]


def scrambled(seed: int, count: int, numbers: list[float]) -> LayoutNodes:
    """Return a random tree with random numbers in all fields."""
    rng = np.random.default_rng(seed)
    nodes = LayoutNodes(count)
    values = nodes.values
    for name in values.dtype.names or ():
        field = values[name]
        if field.dtype.kind == "f" and rng.random() < 0.5:
            field[:] = rng.choice(numbers, field.shape)
        elif field.dtype.kind == "i":
            field[:] = rng.integers(-3, 9, field.shape)
    values["parent"] = [int(rng.integers(-1, max(1, i))) for i in range(count)]
    values["hidden"] = rng.random(count) < 0.1
    nodes.shares = rng.choice(numbers, 5).astype(np.float32)
    return nodes


def lay_out(nodes: LayoutNodes, compiled: bool = True) -> np.ndarray:
    """Lay nodes out in a space of 100 × 80."""
    solve_widths(nodes, 100, 80, compiled)
    return solve_heights(nodes)


@given(st.integers(0, 2**32), st.integers(0, 40))
@settings(deadline=None, max_examples=long(200, 40))
def test_any_numbers(seed: int, count: int) -> None:
    """Numbers that are negative, huge, infinite or no numbers make finite rectangles without negative sizes."""
    found = lay_out(scrambled(seed, count, NUMBERS))
    assert np.isfinite(found).all()
    assert (found[:, 2:] >= 0).all()


@pytest.mark.parametrize("width", [np.nan, -5.0, np.inf, 1e30, 0.0])
def test_any_space(width: float) -> None:
    """A space of any width can be laid out in."""
    nodes = scrambled(1, 20, [0.0, 5.0])
    solve_widths(nodes, width, width)
    assert np.isfinite(solve_heights(nodes)).all()


def test_empty() -> None:
    """No nodes have no rectangles."""
    assert lay_out(LayoutNodes(0)).shape == (0, 4)


def test_order_of_passes() -> None:
    """Heights before widths are refused, with what to do."""
    with pytest.raises(ValueError, match="call solve_widths"):
        solve_heights(LayoutNodes(1))


def test_equal_columns() -> None:
    """One number means so many equal columns, of which there are not endlessly many."""
    assert equal_columns([3]) == [1, 1, 1]
    assert equal_columns([1, 2]) == [1, 2]
    assert equal_columns([0]) == equal_columns([np.nan]) == [1]
    assert len(equal_columns([1e9])) == 256


def test_deep_and_wide() -> None:
    """Ten thousand nodes in each other, or in one parent, are laid out."""
    count = 10_000
    deep, wide = LayoutNodes(count), LayoutNodes(count)
    deep.values["parent"] = np.arange(count) - 1
    wide.values["parent"][1:] = 0
    for nodes in (deep, wide):
        nodes.values["grow"] = 1
        solve_widths(nodes, 100, count)
    assert (solve_heights(deep)[:, 3] == count).all()
    assert np.allclose(solve_heights(wide)[1:, 3], count / (count - 1))


@given(st.integers(0, 2**32), st.integers(0, 40), st.sampled_from([NUMBERS, [0.0, 1.0, 7.3, 20.0, 0.1]]))
@settings(deadline=None, max_examples=long(100, 20))
def test_plain_python(seed: int, count: int, numbers: list[float]) -> None:
    """Plain Python has the same rectangles as the kernels, to the bit."""
    by_kernels = lay_out(scrambled(seed, count, numbers))
    assert lay_out(scrambled(seed, count, numbers), compiled=False).tobytes() == by_kernels.tobytes()
