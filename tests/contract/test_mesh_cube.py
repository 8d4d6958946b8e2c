"""Three dimensions fit the contract: a plugin from outside draws a cube without a change of the kernel.

The plugin below is in no package. It declares an off-screen target with depth, a pass with a perspective camera, and a
system that draws a `mesh` batch; the main pass shows the target as a sprite's image.
"""

from __future__ import annotations

import importlib
import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_ecs import Stage, system
from rish_frame.backend import Backend
from rish_frame.errors import BackendError
from rish_frame.frame.batches import Batch
from rish_frame.frame.camera_math import look_at, orthographic, perspective, project
from rish_frame.frame.frame import Frame
from rish_frame.frame.instances import pack_sprites
from rish_frame.frame.passes import Pass, Target
from rish_frame.null import NullBackend

SIZE = (64, 64)
EYE = (1.5, 2.0, 3.0)
FACES = {(0, 1): (255, 0, 0), (1, 1): (0, 255, 0), (2, 1): (0, 0, 255)}
DARK = (60, 60, 60)
CLEAR = [0, 0, 0, 0]


def cube() -> Batch:
    """Return a cube of side 1, the faces towards the camera first, so that it looks wrong without a depth test."""
    positions: list[list[float]] = []
    colors: list[tuple[int, int, int, int]] = []
    for side in (1, -1):
        for axis in range(3):
            for u, v in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)):
                corner = [0.0, 0.0, 0.0]
                corner[axis], corner[(axis + 1) % 3], corner[(axis + 2) % 3] = side / 2, u, v
                positions.append(corner)
                colors.append((*FACES.get((axis, side), DARK), 255))
    triangles = [(4 * f + a, 4 * f + b, 4 * f + c) for f in range(6) for a, b, c in ((0, 1, 2), (0, 2, 3))]
    arrays = {
        "positions": np.array(positions, np.float32),
        "colors": np.array(colors, np.uint8),
        "indices": np.array(triangles, np.int32),
    }
    return Batch("mesh", arrays, version=1, source="cube.draw_cube")


def declare() -> list[Target | Pass]:
    """Return the target and the pass of the cube."""
    camera = perspective(math.radians(45), 1, 0.1, 20)
    space = Pass("space", ("space",), view=look_at(EYE, (0, 0, 0)), projection=camera, depth_test=True)
    return [Target("space", SIZE, depth=True), space]


def fill(frame: Frame) -> None:
    """Draw the cube off screen, and show the image in the middle of the screen."""
    frame.set_frames([[0, 0, 0, *SIZE, 0]])
    main = frame.passes["main"]
    main.inputs = ("space",)
    main.view, main.projection = np.eye(4, dtype=np.float32), orthographic(-32, 32, -32, 32)
    frame.add(cube(), to="space")
    frame.add(Batch("sprites", {"instances": pack_sprites(0, 0, *SIZE)}, texture="space"))


@system(Stage.EXTRACT)
def draw_cube(world: Any, dt: float) -> None:
    """Draw the cube each frame."""
    fill(world[Frame])


plugin = SimpleNamespace(__name__="cube", __doc__="A cube.", rish_passes=declare, rish_systems=lambda: [draw_cube])


def open_backend(name: str) -> Backend:
    """Return an open backend of this name, or skip with the reason."""
    if name == "null":
        backend: Backend = NullBackend()
    else:
        try:
            factories = importlib.import_module("rish_render.plugin").rish_backends()
        except ImportError as error:
            pytest.skip(f"rish_render does not import here: {error}")
        if name not in factories:
            pytest.skip(f"the backend '{name}' does not exist yet")
        backend = factories[name]()
    try:
        backend.open("cube", SIZE, False)
    except BackendError as error:
        pytest.skip(f"'{name}' does not open here: {error}")
    return backend


def check_picture(picture: np.ndarray) -> None:
    """Assert that the middle of each face towards the camera has its color, and that around the cube is nothing."""
    camera = perspective(math.radians(45), 1, 0.1, 20) @ look_at(EYE, (0, 0, 0))
    for (axis, side), color in FACES.items():
        middle = [0.0, 0.0, 0.0]
        middle[axis] = side / 2
        x, y, _ = project(camera, middle, SIZE)[0]
        assert picture[SIZE[1] - 1 - int(y), int(x), :3].tolist() == list(color)
    for y, x in ((2, 2), (2, 61), (61, 2), (61, 61)):
        assert picture[y, x].tolist()[:3] == CLEAR[:3]


def check_record(backend: NullBackend) -> None:
    """Assert that the recording backend got the cube, off screen, with depth and camera, and then main."""
    space, main = backend.last.passes
    assert (space.name, main.name) == ("space", "main")
    assert (space.targets, space.clears, space.depth_test) == (("space",), ("space",), True)
    assert backend.last.targets["space"].depth
    assert main.inputs == ("space",)
    mesh = backend.drawn("mesh", "space")[0]
    assert (mesh.count, mesh.source) == (12, "cube.draw_cube")
    assert mesh.arrays["positions"].shape == (24, 3)
    near, far = project(space.camera, [(0.5, 0.5, 0.5), (-0.5, -0.5, -0.5)], SIZE)
    assert -1 < near[2] < far[2] < 1
    assert backend.drawn("sprites", "main")[0].texture == "space"


@pytest.mark.parametrize("name", ["null", "software", pytest.param("arcade", marks=pytest.mark.gl)])
def test_a_cube_is_drawn_with_depth_off_screen(name: str) -> None:
    """Every available backend draws the cube from nothing but a frame."""
    backend = open_backend(name)
    if not {"mesh", "depth", "targets"} <= backend.capabilities:
        pytest.skip(f"'{name}' has no meshes with depth")
    frame = Frame(SIZE)
    frame.declare(declare())
    fill(frame)
    frame.check()
    stats = backend.draw(frame)
    assert not stats.skipped
    if isinstance(backend, NullBackend):
        check_record(backend)
    if "pixels" in backend.capabilities:
        assert backend.pixels("space")[2, 2].tolist() == CLEAR
        check_picture(backend.pixels("space"))
        check_picture(backend.pixels())
    backend.close()


def test_without_the_depth_test_the_far_faces_cover_the_near_ones() -> None:
    """Without the depth test the image is wrong, so the test above is significant."""
    backend = open_backend("software")
    frame = Frame(SIZE)
    frame.declare(declare())
    frame.passes["space"].depth_test = False
    fill(frame)
    backend.draw(frame)
    with pytest.raises(AssertionError):
        check_picture(backend.pixels("space"))
    backend.close()


def test_a_plugin_outside_the_packages_draws_a_cube_in_a_game(rish_app: Any) -> None:
    """The cube is drawn in a game through hooks, registry, schedule and frame, frame after frame."""
    backend = NullBackend()
    app = rish_app({"game": {"title": "Cube", "size": list(SIZE)}}, plugins={"cube": plugin}, backend=backend)
    app.run(frames=3)
    assert backend.drawn_frames == 3
    check_record(backend)
