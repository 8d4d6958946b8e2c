"""Emitters are found at their mark."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Region, pick
from rish_particles import Emitter


def test_emitters_are_found_at_their_mark(yard: Any) -> None:
    """An emitter is found near its position, whether it plays or not, and its particles are not found."""
    emitter = yard.put(yard.add(life=(9.0, 9.0)), 40, 30, playing=False)
    yard.run(2)

    def at(x: float, y: float) -> Any:
        return pick(yard.app, Region(np.array([[x, y]]), np.array([[x, y]])))

    assert (at(44, 30).first, at(44, 30).kinds) == (emitter, (Emitter,))
    assert at(60, 30).first is None
