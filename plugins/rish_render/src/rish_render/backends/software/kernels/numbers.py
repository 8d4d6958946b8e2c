"""The types of the numbers in kernels under short names, and constants that several kernels use.

Numbers of different types must not be mixed: numba would compute with a type that has room for both.
"""

from __future__ import annotations

import numpy as np

i16, i32, i64 = np.int16, np.int32, np.int64
u32, u64 = np.uint32, np.uint64
f32, f64 = np.float32, np.float64

ZERO, HALF, ONE = (np.float32(number) for number in (0, 0.5, 1))
WHITE = np.uint32(0xFFFFFFFF)
LANES = np.uint32(0x00FF00FF)
"""The bits of two of the four channels of a pixel."""
BYTE, BITS8, BITS16, BITS24 = (np.uint32(number) for number in (255, 8, 16, 24))
