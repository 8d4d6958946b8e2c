"""Complete pictures: beside OpenGL, on several threads, and without compiled kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_frame import BackendError, Batch
from rish_frame.testing import compare_pictures
from rish_render.backends.arcade.backend import ArcadeBackend
from rish_scene3d import layout as at
from rish_scene3d.models.model_library import MeshData
from rish_scene3d.passes import kinds
from rish_scene3d.plugin.drawers import DRAWERS
from scene3d import SIZE, Scene, box, bumps, checks, morphed, placed, quad, sphere, tube

from .conftest import opened

_SMALL = Path(__file__).with_name("small_picture.py")
_PICTURES = Path(__file__).parents[3] / "pictures" / "scene3d"


def colored(data: MeshData) -> MeshData:
    """Return a mesh with vertex colors and second texture coordinates."""
    colors = np.ones((len(data.positions), 4), np.float32)
    colors[:, :3] = data.positions + 0.5
    assert data.uv0 is not None
    return MeshData(**{**data.__dict__, "colors": colors, "uv1": data.uv0 * 2})


def leaf(side: int = 64) -> Any:
    """Return a green picture that is opaque in a circle only."""
    y, x = np.mgrid[0:side, 0:side] - side / 2
    picture = np.full((side, side, 4), (60, 160, 60, 255), np.uint8)
    picture[..., 3] = np.where(x * x + y * y < side * side / 6, 255, 0)
    return picture


def textured() -> Scene:
    """Return a scene with textures, normal maps, glass, and a sun, a lamp and a tinted light."""
    scene = Scene()
    ball, floor, cube = scene.mesh(sphere()), scene.mesh(quad(8, 8)), scene.mesh(box())
    squares, bumpy = scene.page(checks()), scene.page(bumps(), encoded=False)
    tiled = {"page": squares, "matrix": [[4, 0, 0], [0, 4, 0]]}
    scene.show(floor, scene.material(roughness=0.5, base_map=tiled), placed())
    scene.show(ball, scene.material(base=(0.9, 0.6, 0.2, 1), roughness=0.25, metallic=1), placed(-0.8, 0.5, 0))
    scene.show(ball, scene.material(base=(0.2, 0.5, 0.9, 1), roughness=0.4, normal_map=bumpy), placed(0.4, 0.5, 0.3))
    shiny = scene.material(base=(0.9, 0.2, 0.2, 1), model=at.PHONG, shininess=40)
    scene.show(cube, shiny, placed(1.3, 0.35, -0.8, 0.7, turn=0.5))
    glass = scene.material(base=(0.3, 0.9, 0.3, 0.4), roughness=0.2, alpha_mode=at.BLEND)
    scene.show(cube, glass, placed(-0.3, 0.4, 1.0, 0.6, turn=0.3), flags=at.BLENDED)
    scene.cast_sun(scene.sun(), (4.0,))
    scene.cast_lamp(scene.lamp((1.5, 1.6, 1.0), (3, 1.5, 0.6), 5.0))
    scene.lamp((-2, 1.0, 1.5), (0.4, 0.8, 3), 4.0)
    return scene


def moving() -> Scene:
    """Return a scene with a skin, morph targets, masked leaves, wraps, vertex colors, a mirrored box and a spot."""
    scene = Scene(eye=(1.5, 1.0, 2.0))
    green, squares = scene.page(leaf()), scene.page(checks())
    wraps = {"page": squares, "wrap": (at.WRAP_MIRROR, at.WRAP_CLAMP), "matrix": [[2.5, 0.3, 0.1], [0, 1.5, -0.2]]}
    tiled = {"page": squares, "matrix": [[20, 0, 0], [0, 20, 0]]}
    scene.show(scene.mesh(quad(60)), scene.material(base=(0.5, 0.5, 0.5, 1), base_map=tiled), placed())
    joints = scene.pose(*[placed(turn=0.3 * k, tilt=0.15 * k) for k in range(4)])
    scene.show(scene.mesh(tube(4)), scene.material(base_map=wraps), placed(-0.6, 0, -0.5), palette=joints)
    cut = scene.material(alpha_mode=at.MASK, base_map=green)
    leaves = placed(0.2, 0.6, 0.9, tilt=1.2, turn=0.4), placed(0.9, 0.5, 0.2, tilt=1.3, turn=-0.8)
    scene.show(scene.mesh(quad(1.0)), cut, *leaves, flags=at.MASKED | at.DOUBLE_SIDED)
    scene.morphs = [0.7]
    second = {"page": squares, "uv": 1}
    full = scene.material(
        base_map=second, emissive=(0.1, 0, 0.2), occlusion_map=squares, metallic_roughness_map=squares, metallic=0.8
    )
    bent = morphed(box(), (box().positions > 0) * [0.3, 0.5, 0])
    scene.show(scene.mesh(bent), full, placed(0.6, 0.3, -1, 0.6), morph=0)
    mirrored, cube = placed(-1.5, 0.4, 0.3, 0.7), scene.mesh(colored(box()))
    mirrored[:, 0] *= -1
    scene.show(cube, full, mirrored, flags=at.MIRRORED, tint=[[200, 150, 255, 255]])
    scene.show(cube, scene.material(base=(0.1, 0.4, 0.9, 1), model=at.UNLIT), placed(2, 0.3, -1.5, 0.5))
    scene.cast_sun(scene.sun(), (3.0, 10.0))
    spot = {"axis": np.array([0, -0.85, -0.5]) / 0.986, "angle": 0.8, "inner": 0.9}
    scene.cast_lamp(scene.lamp((0, 2.5, 1.5), (8, 8, 6), 8.0, **spot))
    scene.lights = {at.FOG_DENSITY: 0.03, at.FOG_COLOR: 0.4, at.STARS: 1.0, at.DISC: 0.05}
    return scene


def lines() -> Batch:
    """Return lines in front of, through and behind things."""
    ends = [[[0, 0, 0], [1.5, 1, 0]], [[-2, 0.5, -1], [2, 0.5, 0.6]], [[1.5, 0.2, 3.0], [0, 0.3, 0]]]
    colors = np.array([[255, 0, 0, 255], [0, 255, 80, 200], [255, 255, 0, 255]], np.uint8)
    arrays = {"ends": np.array(ends, np.float32), "width": np.array([2, 4, 1.5], np.float32), "rgba": colors}
    return Batch(kinds.LINES, {**arrays, "hidden": np.array([1, 0, 1], np.uint8)}, z=3.0, version=1)


def scenes() -> dict[str, tuple[Scene, dict[str, Any]]]:
    """Return the scenes of the pictures, and how their frames are made."""
    flat = textured()
    flat.orthographic = 4.0
    return {
        "textured": (textured(), {}), "flat": (flat, {}), "moving": (moving(), {"batches": [lines()]}),
        "deferred": (moving(), {"deferred": True}),
    }  # fmt: skip


NAMES = ("textured", "flat", "moving", "deferred")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_pictures_stay_as_they_are(name: str, show: Any) -> None:
    """A picture is the stored one: within rounding, as other processors' libraries round differently."""
    scene, how = scenes()[name]
    limits = {"mean": 0.05, "p99": 1.0, "ssim": 0.999, "worst": 0.98, "busy": 0.5}
    compare_pictures(show(scene.frame(**how), "screen"), _PICTURES / f"{name}.png", **limits)


@pytest.fixture(scope="module")
def opengl() -> Iterator[ArcadeBackend]:
    """Open a backend for OpenGL, off screen; all pictures are drawn with it."""
    backend = ArcadeBackend()
    try:
        backend.open("test", SIZE, False)
    except BackendError as error:
        pytest.skip(str(error))
    for kind, make in DRAWERS["arcade"].items():
        backend.add_drawer(kind, make())
    yield backend
    backend.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_those_of_opengl(name: str, show: Any, opengl: ArcadeBackend) -> None:
    """Where something is drawn, a picture differs from that of OpenGL by a mean of at most 0.5 levels."""
    scene, how = scenes()[name]
    frame = scene.frame(**how)
    assert not opengl.draw(frame).skipped
    wanted = opengl.pixels("screen").astype(int)[..., :3]
    drawn = show(frame, "screen").astype(int)[..., :3]
    empty = show(replace(scene, _things=[]).frame(), "screen").astype(int)[..., :3]
    content = (drawn != empty).any(axis=-1) | (wanted != drawn).any(axis=-1)
    assert content.mean() > 0.3
    assert np.abs(drawn - wanted)[content].mean() < 0.5
    assert (np.abs(drawn - wanted)[content].max(axis=-1) > 8).mean() < 0.01


@pytest.mark.slow
def test_threads_do_not_change_the_picture() -> None:
    """One thread and three threads draw the same bits, also of what is blended and of deferred light."""
    for scene, how in scenes().values():
        frame = scene.frame(**how)
        seen: list[Any] = []
        for threads in (1, 3):
            backend = opened(threads)
            backend.draw(frame)
            seen.append(backend.pixels("scene3d.view"))
            backend.close()
        assert np.array_equal(seen[0], seen[1])


@pytest.mark.slow
def test_plain_python_draws_the_same() -> None:
    """A small picture without compiled kernels has the same bits as with them."""
    folders = os.pathsep.join(path for path in sys.path if path)
    hashes: list[str] = []
    for switch in ("0", "1"):
        environment = {**os.environ, "PYTHONPATH": folders, "RISH_NO_JIT": switch}
        ran = subprocess.run(
            [sys.executable, str(_SMALL)], env=environment, capture_output=True, text=True, timeout=300, check=True
        )
        hashes.append(ran.stdout.strip())
    assert hashes[0] == hashes[1]
    assert len(hashes[0]) == 64
