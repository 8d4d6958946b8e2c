"""Compute shaders: a step of a flock and of drifting dust, on the device and on the processor.

`flock_6k` is a step of the game Boids with 6,000 birds that have flown for a while: neighbors in a grid, forces,
motion, and the sprites. `dust_200k` moves 200,000 motes, each on its own, and packs their sprites. `rish` is the
backend `arcade`, which waits until the device has finished; `numpy` are the fallbacks; `numba` is a compiled loop on
one thread, for the flock without the sprites. On a machine without a graphics card, llvmpipe runs the shaders on the
processor. `upload_200k` is the dust drawn: `rish` draws the sprites from the device, `numpy` uploads those of the
fallback.
"""

from __future__ import annotations

from .harness import Case

_RISH, _BARE = "_compute_rish", "_compute_bare"
CASES = [
    Case(
        "flock_6k",
        "ms",
        {"rish": f"{_RISH}:flock", "numpy": f"{_RISH}:flock_numpy", "numba": f"{_BARE}:flock"},
        limits={"numpy": 1.0},
    ),
    Case(
        "dust_200k",
        "ms",
        {"rish": f"{_RISH}:dust", "numpy": f"{_RISH}:dust_numpy", "numba": f"{_BARE}:dust"},
        limits={"numpy": 0.5},
    ),
    Case(
        "upload_200k",
        "ms",
        {"rish": f"{_RISH}:dust_drawn", "numpy": f"{_RISH}:dust_uploaded"},
        limits={"numpy": 1.0},
        full=True,
    ),
]
