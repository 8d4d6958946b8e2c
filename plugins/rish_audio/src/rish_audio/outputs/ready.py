"""The kernels of the mixer: compiled in another process while the game is already played, or before a file is written."""

from __future__ import annotations

import numpy as np

from rish_ecs.jit import LIST_FILE, Listed, Ready, package_folder, read_list

from ..components.block import CLIP_COLUMNS, FRAMES, Block
from ..mixer.mixing import Mixer

FEATURE = "mixing"
"""The name of the feature in the list of kernels."""


def warm_up() -> None:
    """Mix one block, which calls all kernels."""
    block = Block.empty(1, 2, 1)
    block.head[FRAMES] = 1
    block.buses[0, 0] = -1
    Mixer(8000, 2, 1, 1).mix(block, np.zeros((1, CLIP_COLUMNS), np.int64))


def _listed() -> list[Listed]:
    path = package_folder(__file__) / LIST_FILE
    return [each for each in read_list(path) if FEATURE in each.features] if path.is_file() else [Listed("", "")]


READY = Ready(warm_up, _listed)
"""Whether the mixer can be called without waiting for a compilation."""
