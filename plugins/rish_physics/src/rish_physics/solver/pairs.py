"""The bodies of a block in vector code: eight bodies A and eight bodies B, read together and written together.

Every block of contacts or joints has 16 numbers in `lanes`: the bodies A of its eight lanes, then the bodies B.
"""

from __future__ import annotations

from typing import Any

from rish_jit import njit
from rish_jit.simd import LANES, gather, scatter


@njit(borrows=True, forceinline=True)
def read_pair(state: Any, lanes: Any, block: Any) -> Any:
    """Return the rows of `Bodies.state` of the bodies A and B of a block, each as eight vectors."""
    x = block * 2 * LANES
    return gather(state, 8, 0, lanes, x), gather(state, 8, 0, lanes, x + LANES)


@njit(borrows=True, forceinline=True)
def write_pair(state: Any, lanes: Any, block: Any, a: Any, b: Any, px: Any, py: Any, spin_a: Any, spin_b: Any) -> None:
    """Apply an impulse p to the bodies B of a block, and -p to A; spin_a, spin_b: their new angular velocities.

    a, b: their rows, of which velocity and inverse mass are used: v_A -= p / m_A, v_B += p / m_B.
    """
    x = block * 2 * LANES
    scatter(state, lanes, x, a[0] - a[3] * px, a[1] - a[3] * py, spin_a, a[3])
    scatter(state, lanes, x + LANES, b[0] + b[3] * px, b[1] + b[3] * py, spin_b, b[3])


@njit(borrows=True, forceinline=True)
def turn_pair(state: Any, lanes: Any, block: Any, a: Any, b: Any, change_a: Any, change_b: Any) -> None:
    """Change only the angular velocities of the bodies of a block: w_A -= change_a, w_B += change_b."""
    x = block * 2 * LANES
    scatter(state, lanes, x, a[0], a[1], a[2] - change_a, a[3])
    scatter(state, lanes, x + LANES, b[0], b[1], b[2] + change_b, b[3])
