"""Pictures of 3D scenes: what the software backend needs for them, and OpenGL on the processor (llvmpipe) beside it."""

from __future__ import annotations

import math
import os
from typing import Any

from rish_core import App, parse_manifest
from rish_frame import Frame, look_at

from ._task import Task

_HEAD = """
rish: 1
game: {size: [960, 540]}
plugins: [scene3d, render]
scenes:
  main:
    - {Transform3D: {position: [0, 2, 12]}, Camera3D: {fov: 60}}
"""
_LIT = """
    - {Transform3D: {scale: [60, 1, 60]}, Model3D: {asset: plane}, Material3D: {roughness: 0.5}}
    - {Transform3D: {position: [0, 0, -9], rotation: [90, 0, 0], scale: [60, 1, 60]}, Model3D: {asset: plane}}
    - {Transform3D: {rotation: [-50, 30, 0]}, Sun3D: {cascades: 2, reach: 30}}
    - {Transform3D: {position: [2, 4, 3]}, Lamp3D: {range: 25, shadows: true}}
    - {Transform3D: {position: [-4, 3, 2]}, Lamp3D: {range: 25, shadows: false}}
    - {Transform3D: {position: [5, 3, -2]}, Lamp3D: {range: 25, shadows: false}}
"""
SPHERE = 960
"""Triangles of the shape `sphere`."""
METAL = "{metallic: 1, roughness: 0.3, color: '#e0a040'}"
FLAT = "{shading: unlit}"


def _spheres(count: int, material: str) -> str:
    """Return spheres in rows, as entries of a manifest."""
    side = math.ceil(math.sqrt(count))
    places = [((k % side - side / 2 + 0.5) * 12 / side, (k // side) * 6 / side + 0.4) for k in range(count)]
    size = 11 / side
    return "".join(
        f"    - {{Transform3D: {{position: [{x:.3f}, {y:.3f}, {-(k % 3)}], scale: [{size}, {size}, {size}]}}, "
        f"Model3D: {{asset: sphere}}, Material3D: {material}}}\n"
        for k, (x, y) in enumerate(places)
    )


def _picture(backend: str, text: str, threads: int) -> Task:
    """Return a task that draws the surfaces of a scene whose camera moves, in linear light.

    Shadow maps stay as they are. The picture is not developed, which every game does in its own way.
    """
    os.environ["RISH_THREADS"] = str(threads)
    app = App(parse_manifest(_HEAD + text), backend=backend, headless=True)
    app.run(frames=3)
    frame, drawn = app.world[Frame], app.host.backend
    kinds = {name: {str(batch.kind) for batch in found.batches} for name, found in frame.passes.items()}
    for name in [name for name, found in kinds.items() if "scene3d.develop" in found]:
        del frame.passes[name]
    pass_, shots = next(frame.passes[name] for name, found in kinds.items() if "scene3d.surfaces" in found), [0]

    def draw() -> None:
        shots[0] += 1
        aside = 0.03 * (shots[0] % 40)
        pass_.view = look_at((aside, 2.0, 12.0), (aside, 2.0, 0.0))
        stats: Any = drawn.draw(frame)
        assert not stats.skipped
        if drawn.device is not None:
            drawn.device.finish()

    return Task(draw, after=app.close, clock="cpu" if backend == "software" and threads == 1 else "wall")


def flat_48k() -> Task:
    """48,000 triangles without light, one thread."""
    return _picture("software", _spheres(round(48_000 / SPHERE), FLAT), 1)


def flat_48k_llvmpipe() -> Task:
    """48,000 triangles without light on OpenGL."""
    return _picture("arcade", _spheres(round(48_000 / SPHERE), FLAT), 1)


def flat_300k() -> Task:
    """300,000 triangles without light, one thread."""
    return _picture("software", _spheres(round(300_000 / SPHERE), FLAT), 1)


def flat_300k_llvmpipe() -> Task:
    """300,000 triangles without light on OpenGL."""
    return _picture("arcade", _spheres(round(300_000 / SPHERE), FLAT), 1)


def lit() -> Task:
    """Every pixel is lit by four lights, two of them with shadows; two threads."""
    return _picture("software", _LIT + _spheres(12, METAL), 2)


def lit_llvmpipe() -> Task:
    """Every pixel is lit by four lights, on OpenGL."""
    return _picture("arcade", _LIT + _spheres(12, METAL), 2)
