"""Memory that is used and that was freed."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from rish_system import peak_memory, release_memory


def resident() -> int:
    """Return the bytes of this process that are in memory."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_was_freed_below_used_blocks_is_given_back() -> None:
    """Small arrays that were freed between others in use take no memory any more; elsewhere nothing happens."""
    arrays = [np.ones(8000) for _ in range(1000)]
    used = arrays[::2]
    before = resident()
    arrays.clear()
    release_memory()
    assert resident() < before - 20e6
    assert len(used) == 500


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_peak_of_memory_stays() -> None:
    """Memory that was used and given back counts."""
    array = np.ones(40_000_000, np.uint8)
    peak = peak_memory() or 0
    assert peak >= resident() > 40e6
    del array
    assert (peak_memory() or 0) >= peak
