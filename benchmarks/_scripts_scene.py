"""The amount of work of all engines of the benchmark `scripts`."""

from __future__ import annotations

COUNT = 1000
"""The number of scripts that are called individually."""
MANY = 100_000
"""The number of scripts that are called together."""
DT = 1 / 60
