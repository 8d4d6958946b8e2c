"""Which joints are solved together: eight that share no body which moves."""

from __future__ import annotations

import numpy as np

from rish_jit import Array
from rish_jit.simd import LANES


def arrange_joints(form: Array, moves: Array) -> Array:
    """Return the joints in blocks of eight, int64, -1 for an unused lane.

    Each joint gets the first color that no joint of its bodies has; those of one color are independent. A color has its
    kinds after each other, since joints of one kind have the same rows. form: int32 (n, 4), see
    `vectors.place_joints`. moves: bool, whether a body is moved by impulses.
    """
    used: dict[int, int] = {}
    colors = np.zeros(len(form), np.int64)
    for joint, ends in enumerate(form[:, 1:3].tolist()):
        bodies = [body for body in ends if moves[body]]
        taken = 0
        for body in bodies:
            taken |= used.get(body, 0)
        free = ~taken & (taken + 1)
        for body in bodies:
            used[body] = used.get(body, 0) | free
        colors[joint] = free.bit_length()
    order = np.lexsort((np.arange(len(form)), form[:, 3], form[:, 0], colors))
    blocks = []
    for color in np.unique(colors).tolist():
        joints = order[colors[order] == color]
        blocks += [joints, np.full(-len(joints) % LANES, -1)]
    return np.concatenate(blocks)
