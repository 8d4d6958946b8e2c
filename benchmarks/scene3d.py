"""Scenes in three dimensions: rays, moving things, characters, and pictures without a graphics card.

`rays_10k` casts 10,000 rays in all directions from points between 100,000 boxes, which lie in a wide and low space, as
the things of a landscape do; `refit_100k` moves all these boxes. `embree` casts the same rays at the triangles of the
boxes. `coal` has no rays: it looks for any box that a thin capsule of 100 meters meets, which is less than the nearest
one. `one brute` is numpy, which compares a single ray with all boxes. `poses_100k` are 100,000 entities that all move:
their matrices for a frame between two ticks.

`cubes_100k` is a frame with a tick in which 100,000 models move: their poses between two ticks, culling, the arrays
of instances and their upload to OpenGL, without the calls that draw, clear and wait. `moderngl` is what is written by
hand for that with numpy and one draw. `panda3d` has a node for each cube and no interpolation; its drawing can't be
left out, so it draws into a single pixel. `cubes_drawn_10k` is the whole frame of 10,000. In `cubes_still_100k`
nothing moves, and in `cubes_coming_10k` one of 10,000 that stand still goes and another comes; in
`cubes_coming_100_of_10k` a hundred do. `shadows_12` is a frame with 1,000 moving models in twelve shadow maps, without
a device.

`characters_1k` are 1,000 of 40 joints, each in a fade between two clips: all palettes of a frame. `numpy` is the same
by hand, joint by joint for all characters; `panda3d` are its actors, up to the matrices of joints, without the skins.
`characters_still_1k` are the same, stopped.

`software_<N>` are pictures of white spheres of N triangles at 960×540 whose camera moves, with one thread each, in
processor time: the software backend; `llvmpipe_1`, OpenGL on the processor, with the least program; `tinydisplay`, the
software renderer of panda3d. `software_<N>_threads` is the same with two threads in wall-clock time: `llvmpipe` with as
many threads as processors, and `arcade`, our own drawers on it. `software_lit` is a hall that fills such a picture, lit
by a sun and three lamps, two of them with shadows, with two threads. There `llvmpipe` is a program by hand for exactly
these lights and materials, and `arcade` our own, which has all kinds of them. No picture is developed.
"""

from __future__ import annotations

from .harness import Case

_CHARACTERS, _DRAWING, _PICTURES, _RISH = (f"_scene3d_{name}" for name in ("characters", "drawing", "pictures", "rish"))
_ACTORS, _BY_HAND, _NUMPY, _PANDA = (f"_scene3d_{name}" for name in ("actors", "moderngl", "numpy", "panda3d"))


def _case(name: str, ours: str, peers: dict[str, str], limits: dict[str, float], limit: float | None = None) -> Case:
    return Case(name, "ms", {"rish": ours, **peers}, limits, limit=limit)


def _one_thread(name: str, limit: float) -> Case:
    peers = {"llvmpipe_1": f"{_BY_HAND}:flat_{name}_alone", "tinydisplay": f"{_PANDA}:flat_{name}"}
    return _case(f"software_{name}", f"{_PICTURES}:flat_{name}", peers, {"llvmpipe_1": 0.6, "tinydisplay": 1.5}, limit)


def _threads(name: str) -> Case:
    peers = {"llvmpipe": f"{_BY_HAND}:flat_{name}", "arcade": f"{_PICTURES}:flat_{name}_arcade"}
    return _case(f"software_{name}_threads", f"{_PICTURES}:flat_{name}_2", peers, {})


CASES = [
    _case(
        "rays_10k",
        f"{_RISH}:rays",
        {"embree": "_scene3d_embree:rays", "coal": "_scene3d_coal:rays", "one brute": f"{_NUMPY}:brute"},
        {"embree": 1.5, "coal": 0.3},
        10,
    ),
    _case("refit_100k", f"{_RISH}:refit", {}, {}, 5),
    _case("poses_100k", f"{_RISH}:poses", {}, {}, 3),
    _case(
        "characters_1k",
        f"{_CHARACTERS}:characters",
        {"numpy": f"{_NUMPY}:characters", "panda3d": f"{_ACTORS}:characters"},
        {"numpy": 0.1, "panda3d": 0.02},
        4,
    ),
    _case("characters_still_1k", f"{_CHARACTERS}:still_characters", {}, {}, 0.2),
    _case(
        "cubes_100k",
        f"{_DRAWING}:moving",
        {"moderngl": f"{_BY_HAND}:moving", "panda3d": f"{_PANDA}:moving"},
        {"moderngl": 1.0, "panda3d": 0.02},
        6,
    ),
    _case(
        "cubes_drawn_10k",
        f"{_DRAWING}:moving_drawn",
        {"moderngl": f"{_BY_HAND}:moving_drawn", "panda3d": f"{_PANDA}:moving_drawn"},
        {},
    ),
    _case("cubes_still_100k", f"{_DRAWING}:still", {}, {}, 0.2),
    _case("cubes_coming_10k", f"{_DRAWING}:coming", {}, {}, 2),
    _case("cubes_coming_100_of_10k", f"{_DRAWING}:many_coming", {}, {}, 3),
    _case("shadows_12", f"{_DRAWING}:shadows", {}, {}, 2),
    _one_thread("48k", 8),
    _one_thread("300k", 25),
    _threads("48k"),
    _threads("300k"),
    _case(
        "software_lit",
        f"{_PICTURES}:lit",
        {"llvmpipe": "_scene3d_lit:lit", "arcade": f"{_PICTURES}:lit_arcade"},
        {"llvmpipe": 0.8},
        30,
    ),
]
