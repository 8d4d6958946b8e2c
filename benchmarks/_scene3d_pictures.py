"""Pictures of 3D scenes: what the software backend needs for them, and OpenGL on the processor (llvmpipe) beside it."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

from rish_core import App, parse_manifest
from rish_frame import Frame

from ._scene3d_spheres import FOV, LAMPS, REACH, SIZE, SUN, TRIANGLES, eye, places, view
from ._task import Task

HEAD = f"""
rish: 1
game: {{size: [{SIZE[0]}, {SIZE[1]}]}}
plugins: [scene3d, render]
scenes:
  main:
    - {{Transform3D: {{position: {list(eye(1))}}}, Camera3D: {{fov: {FOV}}}}}
"""
_LIT = f"""
    - {{Transform3D: {{scale: [60, 1, 60]}}, Model3D: {{asset: plane}}, Material3D: {{roughness: 0.5}}}}
    - {{Transform3D: {{position: [0, 0, -9], rotation: [90, 0, 0], scale: [60, 1, 60]}}, Model3D: {{asset: plane}}}}
    - {{Transform3D: {{rotation: [{SUN[0]}, {SUN[1]}, 0]}}, Sun3D: {{cascades: 2, reach: 30}}}}
""" + "".join(
    f"    - {{Transform3D: {{position: {list(place)}}}, Lamp3D: {{range: {REACH}, shadows: {not k}}}}}\n"
    for k, place in enumerate(LAMPS)
)


def _spheres(triangles: int, material: str) -> str:
    """Return the spheres as entries of a manifest."""
    return "".join(
        f"    - {{Transform3D: {{position: [{x}, {y}, {z}], scale: [{size}, {size}, {size}]}}, "
        f"Model3D: {{asset: sphere}}, Material3D: {material}}}\n"
        for x, y, z, size in places(triangles).tolist()
    )


def flat(triangles: int) -> str:
    """Return the spheres without light as entries of a manifest."""
    return _spheres(triangles, "{shading: unlit}")


HALL = _LIT + _spheres(12 * TRIANGLES, "{metallic: 1, roughness: 0.3, color: '#e0a040'}")
"""The entries of the lit hall in which spheres of metal are."""


def _picture(backend: str, text: str, threads: int) -> Task:
    """Return a task that draws the surfaces of a scene whose camera moves, in linear light.

    Shadow maps stay as they are. The picture is not developed, which every game does in its own way.
    """
    os.environ["RISH_THREADS"] = str(threads)
    app = App(parse_manifest(HEAD + text), backend=backend, headless=True)
    app.run(frames=3)
    frame, drawn = app.world[Frame], app.host.backend
    kinds = {name: {str(batch.kind) for batch in found.batches} for name, found in frame.passes.items()}
    for name in [name for name, found in kinds.items() if "scene3d.develop" in found]:
        del frame.passes[name]
    pass_, shots = next(frame.passes[name] for name, found in kinds.items() if "scene3d.surfaces" in found), [0]

    def draw() -> None:
        shots[0] += 1
        pass_.view = view(shots[0])
        stats: Any = drawn.draw(frame)
        assert not stats.skipped
        if drawn.device is not None:
            drawn.device.finish()

    return Task(draw, after=app.close, clock="cpu" if threads == 1 else "frame")


def _flat(triangles: int, backend: str, threads: int) -> Task:
    return _picture(backend, flat(triangles), threads)


def _lit(backend: str) -> Task:
    """Every pixel is lit by four lights, two of them with shadows."""
    return _picture(backend, HALL, 2)


flat_48k, flat_300k = partial(_flat, 48_000, "software", 1), partial(_flat, 300_000, "software", 1)
flat_48k_2, flat_300k_2 = partial(_flat, 48_000, "software", 2), partial(_flat, 300_000, "software", 2)
flat_48k_arcade, flat_300k_arcade = partial(_flat, 48_000, "arcade", 2), partial(_flat, 300_000, "arcade", 2)
lit, lit_arcade = partial(_lit, "software"), partial(_lit, "arcade")
