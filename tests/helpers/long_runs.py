"""What takes minutes by nature runs with `RISH_LONG=1`; without it the suite runs a sample.

    @pytest.mark.parametrize("seed", long(range(10), [4]))
    TICKS = long(10_000, 240)

A test whose sample is another test is marked with `only_long`.
"""

from __future__ import annotations

import os
from typing import TypeVar

import pytest

T = TypeVar("T")
LONG = bool(os.environ.get("RISH_LONG"))
"""True in a long run."""
only_long = pytest.mark.skipif(not LONG, reason="runs with RISH_LONG=1")


def long(whole: T, sample: T) -> T:
    """Return the whole in a long run, otherwise the sample."""
    return whole if LONG else sample
