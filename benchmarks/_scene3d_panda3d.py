"""panda3d in the benchmark `scene3d`: one node for each thing, drawn off screen by OpenGL or by its software renderer.

The settings are panda3d's own: without its caches of states it is slower. One process draws with one renderer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from panda3d import core

from . import _scene3d_cubes, _scene3d_spheres
from ._task import Task

_GL, _SOFTWARE = "p3headlessgl", "p3tinydisplay"
_SETTINGS = """
load-display {display}
window-type offscreen
audio-library-name null
coordinate-system yup-right
notify-level-display error
notify-level-egldisplay error
notify-level-x11display fatal
"""


class Screen:
    """A picture of a scene, the node `root`, by a camera, the node `eye`. fov: the height of its view, degrees."""

    def __init__(self, display: str, size: tuple[int, int], fov: float, near: float, far: float) -> None:
        core.load_prc_file_data("", _SETTINGS.format(display=display))
        self._engine = core.GraphicsEngine.get_global_ptr()
        pipe: Any = core.GraphicsPipeSelection.get_global_ptr().make_default_pipe()
        if pipe is None:
            raise ModuleNotFoundError(f"this panda3d does not have {display}", name=display)
        wanted = core.FrameBufferProperties()
        wanted.set_rgba_bits(8, 8, 8, 8)
        wanted.set_depth_bits(24)
        form = core.WindowProperties.size(*size)
        self._buffer = self._engine.make_output(pipe, "picture", 0, wanted, form, core.GraphicsPipe.BF_refuse_window)
        if self._buffer is None:
            raise ModuleNotFoundError(f"{display} has no picture without a window here", name=f"a device for {display}")
        self._buffer.set_clear_color((0, 0, 0, 1))
        self.root = core.NodePath("root")
        self.eye = self.root.attach_new_node(core.Camera("eye"))
        lens, aspect = core.PerspectiveLens(), 16 / 9
        lens.set_fov(math.degrees(2 * math.atan(math.tan(math.radians(fov) / 2) * aspect)), fov)
        lens.set_near_far(near, far)
        self.eye.node().set_lens(lens)
        self._buffer.make_display_region().set_camera(self.eye)
        self._pixel = self._buffer.make_display_region(0, 1 / size[0], 0, 1 / size[1])
        self._pixel.set_active(False)

    def draw(self) -> None:
        """Draw a frame, and read one of its pixels, which waits for the end."""
        self._engine.render_frame()
        self._pixel.get_screenshot()

    def pixels(self) -> Any:
        """Return the picture, uint8 (h, w, 3), top row first."""
        found = self._buffer.get_screenshot()
        pixels = np.frombuffer(found.get_ram_image_as("RGB"), np.uint8)
        return pixels.reshape(found.get_y_size(), found.get_x_size(), 3)[::-1]

    def close(self) -> None:
        """Give back the picture and the scene."""
        self._engine.remove_window(self._buffer)
        self.root.remove_node()


def _geometry(points: Any, triangles: Any) -> Any:
    """Return a mesh without colors and normals, counter-clockwise seen from the front."""
    data = core.GeomVertexData("mesh", core.GeomVertexFormat.get_v3(), core.Geom.UH_static)
    data.unclean_set_num_rows(len(points))
    data.modify_array_handle(0).set_data(np.ascontiguousarray(points, np.float32).tobytes())
    order = core.GeomTriangles(core.Geom.UH_static)
    order.set_index_type(core.Geom.NT_uint32)
    rows = order.modify_vertices()
    rows.unclean_set_num_rows(np.size(triangles))
    rows.modify_handle().set_data(np.ascontiguousarray(triangles, np.uint32).tobytes())
    made = core.Geom(data)
    made.add_primitive(order)
    return made


def cubes(count: int, size: tuple[int, int]) -> tuple[Screen, Callable[[], None]]:
    """Moving cubes: a pose is set for each, then all are drawn."""
    of = _scene3d_cubes
    screen = Screen(_GL, size, of.FOV, of.NEAR, of.FAR)
    screen.eye.set_pos(*of.EYE)
    screen.eye.set_p(of.TILT)
    cube, nodes = core.GeomNode("cube"), []
    cube.add_geom(_geometry(*of.mesh()))
    for _ in range(count):
        nodes.append(screen.root.attach_new_node(cube.make_copy()))
    positions, rotations = of.drawn(count)
    ticks = [(place.tolist(), turn[:, [3, 0, 1, 2]].tolist()) for place, turn in zip(positions, rotations, strict=True)]
    shots, point, quaternion = [0], core.LPoint3f, core.LQuaternionf

    def frame() -> None:
        shots[0] ^= 1
        for node, place, turn in zip(nodes, *ticks[shots[0]], strict=True):
            node.set_pos_quat(point(*place), quaternion(*turn))
        screen.draw()

    return screen, frame


def spheres(triangles: int, display: str = _SOFTWARE) -> tuple[Screen, Callable[[], None]]:
    """Spheres that stand still before a camera that moves."""
    of = _scene3d_spheres
    screen = Screen(display, of.SIZE, of.FOV, of.NEAR, of.FAR)
    ball, shots = core.GeomNode("sphere"), [0]
    ball.add_geom(_geometry(*of.mesh()))
    for x, y, z, size in of.places(triangles).tolist():
        node = screen.root.attach_new_node(ball.make_copy())
        node.set_pos_hpr_scale((x, y, z), (0, 0, 0), (size, size, size))

    def frame() -> None:
        shots[0] += 1
        screen.eye.set_pos(*of.eye(shots[0]))
        screen.draw()

    return screen, frame


def _task(made: tuple[Screen, Callable[[], None]], clock: str) -> Task:
    screen, frame = made
    return Task(frame, after=screen.close, clock=clock)


def moving() -> Task:
    """A hundred thousand moving cubes, drawn into a single pixel: the least work of the driver that can be had."""
    return _task(cubes(_scene3d_cubes.COUNT, (1, 1)), "engine")


def moving_drawn() -> Task:
    """Ten thousand moving cubes, drawn whole."""
    return _task(cubes(_scene3d_cubes.FEWER, _scene3d_cubes.SIZE), "frame")


def flat_48k() -> Task:
    """48,000 triangles by the software renderer, which has one thread."""
    return _task(spheres(48_000), "cpu")


def flat_300k() -> Task:
    """300,000 triangles by the software renderer, which has one thread."""
    return _task(spheres(300_000), "cpu")
