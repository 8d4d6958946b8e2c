"""Meshes: the time of a frame of the software backend with many triangles in perspective.

`mesh_<N>`: 30 spheres with N triangles together, tested against a depth buffer, at 960×540; the camera moves in every
frame. `rish` draws with two threads, `one_thread` with one: triangles are placed once for all bands of rows, so two
threads must not be slower than one.
"""

from __future__ import annotations

from .harness import Case

_OURS = "_meshes_rish"


def _mesh(count: int) -> Case:
    engines = {"rish": f"{_OURS}:mesh_{count}_2", "one_thread": f"{_OURS}:mesh_{count}_1"}
    return Case(f"mesh_{count}", "ms", engines, {"one_thread": 1.2})


CASES = [_mesh(48_000), _mesh(300_000)]
