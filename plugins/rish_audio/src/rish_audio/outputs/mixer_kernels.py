"""The kernels of the mixer, for files: they are compiled before the first tick."""

from __future__ import annotations

import numpy as np

from ..components.block import CLIP_COLUMNS, FRAMES, Block
from ..mixer.mixing import Mixer
from ..synth.filters import filter_samples

FEATURE = "mixing"
"""The name of the feature in the list of kernels."""


def warm_up() -> None:
    """Mix one block and filter one sample, so that all kernels are called once."""
    block = Block.empty(1, 2, 1)
    block.head[FRAMES] = 1
    block.buses[0, 0] = -1
    Mixer(8000, 2, 1, 1).mix(block, np.zeros((1, CLIP_COLUMNS), np.int64))
    filter_samples(np.zeros(1), np.zeros(0), 2.0, np.zeros(0))
