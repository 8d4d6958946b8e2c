"""The amount of work of all engines of the benchmark `scripts`."""

from __future__ import annotations

COUNT = 1000
"""Scripts that are called one by one."""
MANY = 100_000
"""Scripts that are called at once."""
DT = 1 / 60
