"""Scenes in three dimensions: rays against many boxes, and the poses of many entities between two ticks.

`rays` casts 10,000 rays in all directions from points between 100,000 boxes, which lie in a wide and low space, as the
things of a landscape do; `refit` moves all these boxes. `embree` casts the same rays at the triangles of the boxes.
`coal` has no rays: it looks for any box that a thin capsule of 100 metres meets, which is less than the nearest one.
`one brute` is numpy, which compares a single ray with all boxes. `poses` are 100,000 entities that all move: their
matrices for a frame between two ticks. `characters` are 1,000 of them with 40 joints, each in a fade between two
clips: all palettes of a frame; `numpy` is the same by hand, joint by joint for all characters. `still` are the same,
stopped. `software_<N>` are pictures of spheres of N triangles without light on the software backend with one thread,
at 960×540, and `software_lit` a hall that fills such a picture, lit by a sun and three lamps, two of them with shadows,
with two threads. The camera moves in every frame, and nothing is developed. `llvmpipe` is the same on OpenGL, which has
two threads on two processors where there is no graphics card.

`cubes` is a frame in which 100,000 models move, from their poses to the arrays of batches, without a device; `by hand`
is numpy without interpolation, hierarchy, materials and shadows. In `cubes_still` nothing moves, and in
`cubes_coming` one of 10,000 models that stand still goes and another one comes. `shadows` is a frame
with 1,000 moving models in twelve shadow maps.
"""

from __future__ import annotations

from .harness import Case

_DRAWING = "_scene3d_drawing"
_RISH, _CHARACTERS, _PICTURES = "_scene3d_rish", "_scene3d_characters", "_scene3d_pictures"
_PEERS = {"embree": "_scene3d_embree:rays", "coal": "_scene3d_coal:rays", "one brute": f"{_RISH}:brute"}
CASES = [
    Case("rays_10k", "ms", {"rish": f"{_RISH}:rays", **_PEERS}, {"embree": 1.5, "coal": 0.3}, limit=10),
    Case("refit_100k", "ms", {"rish": f"{_RISH}:refit"}, limit=5),
    Case("poses_100k", "ms", {"rish": f"{_RISH}:poses"}, limit=3),
    Case(
        "characters_1k",
        "ms",
        {"rish": f"{_CHARACTERS}:characters", "numpy": f"{_CHARACTERS}:batch"},
        {"numpy": 0.1},
        limit=4,
    ),
    Case("characters_still_1k", "ms", {"rish": f"{_CHARACTERS}:still_characters"}, limit=0.2),
    Case(
        "cubes_100k", "ms", {"rish": f"{_DRAWING}:moving", "by hand": f"{_DRAWING}:by_hand"}, {"by hand": 1.0}, limit=6
    ),
    Case("cubes_still_100k", "ms", {"rish": f"{_DRAWING}:still"}, limit=0.2),
    Case("cubes_coming_10k", "ms", {"rish": f"{_DRAWING}:coming"}, limit=2),
    Case("shadows_12", "ms", {"rish": f"{_DRAWING}:shadows"}),
    Case(
        "software_48k",
        "ms",
        {"rish": f"{_PICTURES}:flat_48k", "llvmpipe": f"{_PICTURES}:flat_48k_llvmpipe"},
        {"llvmpipe": 0.6},
        limit=16,
    ),
    Case(
        "software_300k",
        "ms",
        {"rish": f"{_PICTURES}:flat_300k", "llvmpipe": f"{_PICTURES}:flat_300k_llvmpipe"},
        {"llvmpipe": 0.6},
        limit=45,
    ),
    Case(
        "software_lit",
        "ms",
        {"rish": f"{_PICTURES}:lit", "llvmpipe": f"{_PICTURES}:lit_llvmpipe"},
        {"llvmpipe": 0.5},
        limit=30,
    ),
]
