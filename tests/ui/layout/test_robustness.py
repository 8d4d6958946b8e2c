"""The layout of trees that nobody should make, and of very large ones; kernels and plain Python."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long, only_long
from rish_jit import plain_form
from rish_ui.layout import solve
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


def lay_out(nodes: LayoutNodes, compiled: bool = False) -> np.ndarray:
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
    solve_widths(nodes, width, width, compiled=False)
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


@pytest.mark.slow
def test_deep_and_wide() -> None:
    """Ten thousand nodes in each other, or in one parent, are laid out."""
    count = 10_000
    deep, wide = LayoutNodes(count), LayoutNodes(count)
    deep.values["parent"] = np.arange(count) - 1
    wide.values["parent"][1:] = 0
    for nodes in (deep, wide):
        nodes.values["grow"] = 1
        solve_widths(nodes, 100, count, compiled=False)
    assert (solve_heights(deep)[:, 3] == count).all()
    assert np.allclose(solve_heights(wide)[1:, 3], count / (count - 1))


RANDOM = st.integers(0, 2**32), st.integers(0, 40), st.sampled_from([NUMBERS, [0.0, 1.0, 7.3, 20.0, 0.1]])
KERNELS = [
    ("prepare", "know_heights", "want_widths"),
    ("find_widths",),
    ("want_heights",),
    ("find_heights", "find_places"),
]
"""All kernels, in parts that compile in some seconds each."""


@pytest.mark.slow
@pytest.mark.parametrize("names", long(KERNELS, KERNELS[1:2]))
def test_kernels_compute_what_plain_python_does(names: tuple[str, ...]) -> None:
    """Each kernel leaves the same rows as its plain form, to the bit. The sample has the one that does most."""
    compared: set[str] = set()

    def form(kernel: Any, compiled: bool) -> Any:
        plain = plain_form(kernel)

        def both(links: list[int], work: list[float], *more: Any) -> None:
            rows = [np.array(links, np.int64), np.array(work, np.float64)]
            rows += [np.array(each, np.float64) if isinstance(each, list) else each for each in more]
            kernel(*rows)
            plain(links, work, *more)
            for ours, theirs in zip(rows, (links, work, *more), strict=True):
                assert not isinstance(theirs, list) or ours.tobytes() == np.array(theirs, ours.dtype).tobytes()
            compared.add(kernel.__name__)

        return both if kernel.__name__ in names else plain

    @given(*RANDOM)
    @settings(deadline=None, max_examples=long(100, 20))
    def compare(seed: int, count: int, numbers: list[float]) -> None:
        with patch.object(solve, "_form", form):
            lay_out(scrambled(seed, count, numbers))

    compare()
    assert compared == {*names}


@given(*RANDOM)
@settings(deadline=None, max_examples=long(100, 20))
def test_rows_of_kernels(seed: int, count: int, numbers: list[float]) -> None:
    """Rows in arrays, as kernels get them, lead to the same rectangles as those in lists, to the bit."""
    plain = lay_out(scrambled(seed, count, numbers)).tobytes()
    with patch.object(solve, "_form", lambda kernel, compiled: plain_form(kernel)), np.errstate(all="ignore"):
        assert lay_out(scrambled(seed, count, numbers), compiled=True).tobytes() == plain


@only_long
@given(*RANDOM)
@settings(deadline=None, max_examples=100)
def test_plain_python(seed: int, count: int, numbers: list[float]) -> None:
    """Plain Python has the same rectangles as the kernels, to the bit."""
    by_kernels = lay_out(scrambled(seed, count, numbers), compiled=True)
    assert lay_out(scrambled(seed, count, numbers)).tobytes() == by_kernels.tobytes()
