"""Scenes in three dimensions: rays against many boxes, and the poses of many entities between two ticks.

`rays` casts 10,000 rays in all directions from points between 100,000 boxes, which lie in a wide and low space, as the
things of a landscape do; `refit` moves all these boxes. `embree` casts the same rays at the triangles of the boxes.
`coal` has no rays: it looks for any box that a thin capsule of 100 metres meets, which is less than the nearest one.
`one brute` is numpy, which compares a single ray with all boxes. `poses` are 100,000 entities that all move: their
matrices for a frame between two ticks.
"""

from __future__ import annotations

from .harness import Case

_RISH = "_scene3d_rish"
_PEERS = {"embree": "_scene3d_embree:rays", "coal": "_scene3d_coal:rays", "one brute": f"{_RISH}:brute"}
CASES = [
    Case("rays_10k", "ms", {"rish": f"{_RISH}:rays", **_PEERS}, {"embree": 1.5, "coal": 0.3}, limit=10),
    Case("refit_100k", "ms", {"rish": f"{_RISH}:refit"}, limit=5),
    Case("poses_100k", "ms", {"rish": f"{_RISH}:poses"}, limit=3),
]
