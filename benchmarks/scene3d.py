"""Scenes in three dimensions: rays against many boxes, and the poses of many entities between two ticks.

`rays` casts 10,000 rays in all directions from points between 100,000 boxes, which lie in a wide and low space, as the
things of a landscape do; `refit` moves all these boxes. `poses` are 100,000 entities that all move: their matrices for
a frame between two ticks. `one brute` is numpy, which compares a single ray with all boxes.

`cubes` is a frame in which 100,000 models move, from their poses to the arrays of batches, without a device; `by hand` is
numpy without interpolation, hierarchy, materials and shadows. In `still` nothing moves. `shadows` is a frame with 1,000
moving models in twelve shadow maps.
"""

from __future__ import annotations

from .harness import Case

_DRAWING = "_scene3d_drawing"
_RISH = "_scene3d_rish"
CASES = [
    Case("rays_10k", "ms", {"rish": f"{_RISH}:rays", "one brute": f"{_RISH}:brute"}, limit=10),
    Case("refit_100k", "ms", {"rish": f"{_RISH}:refit"}),
    Case("poses_100k", "ms", {"rish": f"{_RISH}:poses"}),
    Case(
        "cubes_100k", "ms", {"rish": f"{_DRAWING}:moving", "by hand": f"{_DRAWING}:by_hand"}, {"by hand": 1.0}, limit=6
    ),
    Case("still_100k", "ms", {"rish": f"{_DRAWING}:still"}, limit=0.2),
    Case("shadows_12", "ms", {"rish": f"{_DRAWING}:shadows"}),
]
