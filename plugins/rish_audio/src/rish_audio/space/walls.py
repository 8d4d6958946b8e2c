"""Walls between the listener and the sources: their number, and their effect on the sound."""

from __future__ import annotations

import numpy as np

from rish_jit import Array

from .pseudo_angle import turn

OPEN_CUTOFF, CLOSED_CUTOFF = 20_000.0, 150.0
"""The cutoff of the low-pass without walls and behind the thickest walls, in Hz."""


def walls_between(ends: Array, sources: Array, listener: Array, weight: Array | None = None) -> Array:
    """Return the number of edges that cross the line from the listener to each source, float64 (n,).

    ends: float64 (4, m), the columns x0, y0, x1, y1 of `Edges`. sources: (n, 2), listener: (2,). A wall with two faces
    counts twice, and a line through the common end of two edges crosses one of them. weight: (m,), the number that an
    edge counts instead of 1, for example by its material.

    Seen from the listener, an edge covers a range of directions. The sources are sorted by direction, so a binary
    search finds those in the range, and for these few it is tested whether they are behind the edge.
    """
    if not len(sources) or not ends.shape[1]:
        return np.zeros(len(sources))
    x, y = (sources - listener).T
    place = turn(x, y)
    order = np.argsort(place, kind="stable")
    ends = ends - np.tile(listener, 2)[:, None]
    turns = turn(ends[::2], ends[1::2])
    turns.sort(axis=0)
    first, last = np.searchsorted(place[order], turns)
    count = last - first
    around = turns[1] - turns[0] > 2.0  # more than half a turn: the range is the other way round
    first = np.where(around, last, first)
    count = np.where(around, len(sources) - count, count)
    edge = np.repeat(np.arange(len(count)), count)
    begin = np.cumsum(count) - count
    source = order[(first[edge] + np.arange(len(edge)) - begin[edge]) % len(sources)]
    ax, ay, bx, by = ends[:, edge]
    side = ax * by - ay * bx
    behind = (side + (bx - ax) * y[source] > (by - ay) * x[source]) != (side > 0)
    weights = None if weight is None else weight[edge[behind]]
    return np.bincount(source[behind], weights, len(sources)).astype(np.float64)


def muffling(crossings: Array, strength: Array | float = 1.0) -> Array:
    """Return the muffling by walls, float64 (n,): 0 for none, 1 for silence.

    crossings: (n,), of `walls_between`. strength: 0..1. The result is strength * k / (1 + k): one edge takes half of
    what very thick walls would take. The World may smooth it before `muffled_gain` and `muffled_cutoff`.
    """
    return strength * (crossings / (1.0 + crossings))


def muffled_gain(muffled: Array) -> Array:
    """Return the gain behind walls, float64 (n,): 1 - muffled, so -6 dB behind one edge, -9.5 dB behind two."""
    return 1.0 - muffled


def muffled_cutoff(muffled: Array) -> Array:
    """Return the cutoff of the low-pass behind walls, float64 (n,), in Hz.

    It falls with the cube of the gain, because walls take more from high frequencies (the mass law: 6 dB an octave):
    2,600 Hz behind one edge, 880 Hz behind two.
    """
    clear = 1.0 - muffled
    return CLOSED_CUTOFF + (OPEN_CUTOFF - CLOSED_CUTOFF) * clear * clear * clear
