"""Pictures of 3D scenes: what the software backend needs for them, and OpenGL on the processor (llvmpipe) beside it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from ._meshes_rish import SIZE, spheres
from ._task import Task

REST = 0.04
"""How far the camera moves from frame to frame, metres."""


def _backend(name: str, threads: int) -> Any:
    """Return an open backend with the drawers of 3D scenes."""
    import rish_render
    from rish_scene3d import DRAWERS

    backend: Any = rish_render.make_software() if name == "software" else rish_render.make_arcade()
    backend.configure(threads=threads)
    backend.open("scenes", SIZE, visible=False)
    for kind, draw in DRAWERS[name].items():
        backend.add_drawer(kind, draw())
    return backend


def _task(name: str, frame: Any, pass_: str, threads: int) -> Task:
    """Return a task that draws a frame whose camera moves, so that this pass is drawn again and what is still is
    not."""
    from rish_frame import look_at

    backend, shots = _backend(name, threads), [0]

    def draw() -> None:
        shots[0] += 1
        aside = REST * (shots[0] % 50)
        frame.passes[pass_].view = look_at((2.2 + aside, 1.8, 9.0), (0.0, 0.4, 0.0))
        backend.draw(frame)
        if backend.device is not None:
            backend.device.finish()

    return Task(draw, clock="wall" if name != "software" or threads > 1 else "cpu", after=backend.close)


def _depths(name: str, count: int) -> Task:
    """Return a task that draws the depths of 30 spheres with `count` triangles together."""
    from rish_frame import Frame, Pass, Target, perspective
    from rish_scene3d import Library, MeshData
    from rish_scene3d import layout as at
    from rish_scene3d.passes import DEPTHS, Surfaces

    arrays = spheres(count)
    points, triangles = arrays["positions"], np.ascontiguousarray(arrays["indices"][:, [0, 2, 1]], np.uint32)
    mesh = MeshData("spheres", triangles, points, points, np.stack([points.min(axis=0), points.max(axis=0)]))
    instances = np.zeros(1, at.INSTANCE)
    instances["matrix"][0], instances["palette"], instances["morph"] = np.eye(4)[:3], -1, -1
    instances["tint"] = 255
    things = {
        "instances": instances, "runs": np.array([[0, 0, 1, 0]], np.int32), "palettes": np.zeros((0, 3, 4), np.float32),
        "morphs": np.zeros(0, np.float32), "materials": np.zeros((1, at.MATERIAL), np.float32),
        "eye": np.zeros(3, np.float32), "reach": np.zeros(1, np.float32),
    }  # fmt: skip
    things["materials"][:, at.MAPS :: at.MAP_SIZE] = -1
    frame = Frame(SIZE)
    frame.add_target(Target("depths", formats=("r32f",), depth=True))
    lens = perspective(1.2, SIZE[0] / SIZE[1], 0.1, 100.0)
    frame.add_pass(Pass("depths", targets=("depths",), projection=lens, depth_test=True))
    frame.add(Surfaces(DEPTHS, things, version=1, library=Library([mesh]), tables=1), to="depths")
    return _task(name, frame, "depths", 1)


def _lit(name: str) -> Task:
    """Return a task that draws a hall of stone and metal that fills the picture, with four lights and shadows."""
    sys.path.append(str(Path(__file__).parent.parent / "tests" / "helpers"))
    from scene3d import Scene, checks, placed, quad, sphere

    scene = Scene(size=SIZE, eye=(2.2, 1.8, 9.0))
    ball, plane, page = scene.mesh(sphere(24, 48)), scene.mesh(quad(60, 8)), scene.page(checks(256, 16))
    stone = scene.material(base_map={"page": page, "matrix": [[20, 0, 0], [0, 20, 0]]}, roughness=0.5)
    scene.show(plane, stone, placed(), placed(0, 0, -12, tilt=np.pi / 2))
    metal = scene.material(base=(0.9, 0.6, 0.2, 1), roughness=0.25, metallic=1)
    scene.show(ball, metal, *[placed(x * 1.5, 0.6, z * 1.5, 1.2) for x in range(-3, 4) for z in range(-2, 3)])
    scene.cast_sun(scene.sun(), (4.0, 12.0), 512)
    scene.cast_lamp(scene.lamp((1.5, 2.6, 1.0), (6, 3, 1.2), 15.0), 256)
    scene.lamp((-2, 1.0, 1.5), (0.4, 0.8, 3), 14.0)
    scene.lamp((2, 2.0, 1.5), (0.4, 0.8, 3), 14.0)
    return _task(name, scene.frame(), "scene3d.view", 2)


def depths_48k() -> Task:
    """48,000 triangles, one thread."""
    return _depths("software", 48_000)


def depths_48k_llvmpipe() -> Task:
    """48,000 triangles on OpenGL."""
    return _depths("arcade", 48_000)


def depths_300k() -> Task:
    """300,000 triangles, one thread."""
    return _depths("software", 300_000)


def depths_300k_llvmpipe() -> Task:
    """300,000 triangles on OpenGL."""
    return _depths("arcade", 300_000)


def lit() -> Task:
    """Every pixel is lit, two threads."""
    return _lit("software")


def lit_llvmpipe() -> Task:
    """Every pixel is lit, on OpenGL."""
    return _lit("arcade")
