"""The one door to arcade and pyglet: everything that a new version of them may move is named here and nowhere else.

Of arcade only `arcade.gl` is used, a thin layer over OpenGL 3.3. To import the rest of arcade (sprites, sounds, tile
maps, physics) takes longer than to open a window, so `arcade.gl` is loaded on its own: for a moment, empty modules
stand in for what it names but does not need. Where that fails the whole of arcade is imported, as documented.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from rish_core.errors import BackendError

Array = npt.NDArray[Any]

LEAST = (3, 3)
"""The version of OpenGL that is needed."""
_NO_GL = "this machine has no OpenGL 3.3"
_LOST = 0x0507
_LABEL = re.compile(r"^(Error compiling [\w ]+\(\d+\)|Program link error): ")


class ShaderError(Exception):
    """What the driver's compiler says about a shader."""


class _Blank(ModuleType):
    """A module in which every name can be imported; each stands for a class of its own."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


@cache
def library() -> SimpleNamespace:
    """arcade.gl and what belongs to it: `gl`, `Context`, `ShaderException`. Raises BackendError without arcade."""
    spec = importlib.util.find_spec("arcade")
    if spec is None or spec.submodule_search_locations is None:
        raise BackendError("arcade is not installed", hint="pip install 'arcade>=3.3.3'")
    _set_options()
    if "arcade" in sys.modules:
        return _import()
    try:
        return _import_alone(list(spec.submodule_search_locations))
    except Exception:
        return _import()


def _import_alone(places: list[str]) -> SimpleNamespace:
    """arcade.gl without arcade. What is loaded is taken out of sys.modules again, so that a game may import arcade."""
    package = ModuleType("arcade")
    package.__path__ = places
    sys.modules["arcade"] = package
    for name in ("arcade.types", "arcade.context"):
        sys.modules[name] = _Blank(name)
    try:
        return _import()
    finally:
        for name in [name for name in sys.modules if name == "arcade" or name.startswith("arcade.")]:
            del sys.modules[name]


def _import() -> SimpleNamespace:
    gl = importlib.import_module("arcade.gl")
    importlib.import_module("arcade.gl.provider").set_provider("opengl")
    backend = importlib.import_module("arcade.gl.backends.opengl.context")
    errors = importlib.import_module("arcade.gl.exceptions")
    return SimpleNamespace(gl=gl, Context=backend.OpenGLContext, ShaderException=errors.ShaderException)


def _set_options() -> None:
    """pyglet's options; they count only before its windows are imported."""
    import pyglet

    options = cast("Any", pyglet).options
    options["debug_gl"] = False  # asks for errors after each call: 2.6 times as slow
    options["shadow_window"] = False
    options["dpi_scaling"] = "stretch"
    if "pyglet.window" not in sys.modules and not has_display():
        options["headless"] = True
        os.environ.setdefault("ARCADE_HEADLESS", "1")  # for arcade as a whole, which else looks for a display


def has_display() -> bool:
    """Whether there is a screen that a window can open on, as far as the environment tells."""
    return not sys.platform.startswith("linux") or bool(os.environ.get("DISPLAY"))


def raw() -> Any:
    """pyglet's OpenGL functions and constants, for the few things that arcade.gl has not."""
    return importlib.import_module("pyglet.gl")


# Windows


def open_window(title: str, size: tuple[int, int]) -> Any:
    """A window on the screen. Raises BackendError where there is none, or no OpenGL."""
    if not has_display():
        raise BackendError("there is no display to open a window on")
    library()
    return _made(lambda: _visible(title, size))


def open_hidden() -> Any:
    """A window that nobody sees, for drawing off screen; by EGL, so that no display is needed, where there is EGL."""
    library()
    if not sys.platform.startswith("linux"):
        return _made(_invisible)
    try:
        return _made(_offscreen)
    except BackendError:
        if not has_display():
            raise
        return _made(_invisible)


def _made(make: Any) -> Any:
    """What `make` makes, a window with the OpenGL that is needed; any failure is a BackendError of one line."""
    window: Any = None
    try:
        window = make()
        version = raw().gl_info.get_version()
        if tuple(version)[:2] < LEAST:
            raise BackendError(f"{_NO_GL}, only {version[0]}.{version[1]}")
    except BackendError:
        if window is not None:
            window.close()
        raise
    except Exception as error:
        first = (str(error) or type(error).__name__).strip().splitlines()[0]
        raise BackendError(f"{_NO_GL} or no display: {first}") from error
    return window


def _visible(title: str, size: tuple[int, int]) -> Any:
    from pyglet.window import Window

    if cast("Any", raw())._pyglet.options["headless"]:
        raise BackendError("pyglet was loaded without a display; set DISPLAY before the program starts")
    width, height = size
    return Window(width, height, caption=title, resizable=True, vsync=True, config=_quick_config())


def _invisible() -> Any:
    from pyglet.window import Window

    return Window(16, 16, visible=False, config=_config())


def _config() -> Any:
    """No samples and no depth: what is drawn into the window is a finished picture."""
    return raw().Config(double_buffer=True, major_version=LEAST[0], minor_version=LEAST[1], samples=0, sample_buffers=0)


def _quick_config() -> Any:
    """The configuration for a window: on X the first that fits, without a look at the others; else pyglet's choice."""
    try:
        return _first_config() if sys.platform.startswith("linux") else _config()
    except (ImportError, AttributeError):
        return _config()


def _first_config() -> Any:
    """The first configuration that fits. pyglet asks the X server all about each of hundreds of them, and takes the
    first: that is as long as opening the window. So it is made to look at one.
    """
    import pyglet.display
    from pyglet.gl import xlib

    screen = pyglet.display.get_display().get_default_screen()
    real: Any = cast("Any", xlib).XlibDisplayConfig
    seen: list[Any] = []

    def once(*arguments: Any) -> Any:
        if not seen:
            seen.append(real(*arguments))
        return seen[0]

    cast("Any", once).attribute_ids = real.attribute_ids
    cast("Any", xlib).XlibDisplayConfig = once
    try:
        return screen.get_best_config(_config())
    finally:
        cast("Any", xlib).XlibDisplayConfig = real


def _offscreen() -> Any:
    """A window of pyglet's without a screen, on the first graphics device that works."""
    import pyglet
    from pyglet.gl.headless import HeadlessConfig
    from pyglet.window.headless import HeadlessWindow

    for number in range(cast("Any", pyglet).options["headless_device"], _devices()):
        display = _device(number)
        screen: Any = display.get_default_screen()
        found = screen.get_matching_configs(HeadlessConfig(major_version=LEAST[0], minor_version=LEAST[1]))
        if found:
            return HeadlessWindow(width=16, height=16, display=display, screen=screen, config=found[0])
    raise BackendError(f"{_NO_GL}: EGL knows no graphics device that has a driver")


@cache
def _device(number: int) -> Any:
    """pyglet's display of a graphics device, kept for ever: the end of one would end the windows of all others."""
    import pyglet
    from pyglet.display.headless import HeadlessDisplay

    options = cast("Any", pyglet).options
    before, options["headless_device"] = options["headless_device"], number
    try:
        return HeadlessDisplay()
    finally:
        options["headless_device"] = before


def _devices() -> int:
    """How many graphics devices EGL knows."""
    from ctypes import byref

    from pyglet.libs.egl import egl, eglext

    count = egl.EGLint()
    eglext.eglQueryDevicesEXT(0, None, byref(count))
    return count.value


def key_names() -> dict[str, int]:
    """pyglet's codes of keys by its names for them, some of which share a code."""
    _set_options()
    key = importlib.import_module("pyglet.window.key")
    return {name: value for name, value in vars(key).items() if isinstance(value, int)}


def make_icon(pixels: Array) -> Any:
    """An icon from uint8 (h, w, 4), top row first."""
    from pyglet.image import ImageData

    height, width = pixels.shape[:2]
    return ImageData(width, height, "RGBA", np.ascontiguousarray(pixels[::-1]).tobytes())


def controllers() -> Any:
    """pyglet's manager of gamepads, which tells of those that come and go."""
    from pyglet.input import ControllerManager

    return ControllerManager()


def run_posted() -> None:
    """Let pyglet read its gamepads, and hand out what other threads have posted."""
    from pyglet import app

    loop = cast("Any", app).platform_event_loop
    displays = {window.display for window in cast("Any", app).windows}
    for device in [device for device in getattr(loop, "select_devices", ()) if device not in displays]:
        if device.poll():
            device.select()
    loop.dispatch_posted_events()


# Drawing


class Device:
    """A window's OpenGL, made current before each use.

    window: pyglet's. ctx: arcade.gl's Context, which drawers get. limit: the greatest side of a texture.
    """

    def __init__(self, window: Any) -> None:
        self.window = window
        try:
            self.ctx = library().Context(window)
        except Exception as error:
            window.close()
            raise BackendError(f"{_NO_GL}: {str(error).splitlines()[0] if str(error) else error!r}") from error
        self.gl = raw()
        self.limit: int = self.ctx.info.MAX_TEXTURE_SIZE
        self.units: int = self.ctx.info.MAX_TEXTURE_IMAGE_UNITS

    def use(self) -> None:
        """Make this context the current one, and free what was dropped since; other threads only drop."""
        if self.gl.current_context is not self.window.context:
            self.window.switch_to()
            self.ctx.activate(self.ctx)
        if self.ctx.objects:
            self.ctx.gc()

    def trouble(self) -> str | None:
        """Why nothing can be drawn any more, or None."""
        code = self.gl.glGetError()
        if code == _LOST:
            return "the graphics card was reset and its pictures are lost"
        return "the graphics card has no memory left" if code == self.gl.GL_OUT_OF_MEMORY else None

    def close(self) -> None:
        """Give everything back."""
        self.use()
        self.window.close()

    def program(self, vertex: str, fragment: str) -> Any:
        """A compiled program. Raises ShaderError with the compiler's words."""
        try:
            return self.ctx.program(vertex_shader=vertex, fragment_shader=fragment)
        except library().ShaderException as error:
            raise ShaderError(_LABEL.sub("", str(error).partition("\n----")[0])) from None

    def buffer(self, capacity: int, *, stream: bool) -> Any:
        """A buffer of so many bytes, their values undefined."""
        made = self.ctx.buffer(reserve=min(capacity, 256), usage="stream" if stream else "static")
        made.orphan(capacity)
        return made

    def fill(self, buffer: Any, arrays: Sequence[Array]) -> int:
        """Give a buffer new memory of its size and write arrays one after another into it; gives the bytes written."""
        gl, at = self.gl, 0
        buffer.orphan()  # leaves it bound
        for array in arrays:
            gl.glBufferSubData(gl.GL_ARRAY_BUFFER, at, array.nbytes, array.ctypes.data)
            at += array.nbytes
        return at

    def describe(self, buffer: Any, formats: str, names: Sequence[str], *, instanced: bool) -> Any:
        """How a program's attributes lie in a buffer."""
        return library().gl.BufferDescription(buffer, formats, list(names), instanced=instanced)

    def geometry(self, content: Sequence[Any], indices: Any = None) -> Any:
        """What is drawn as one: strips of four corners, or triangles where there are indices."""
        mode = self.ctx.TRIANGLES if indices is not None else self.ctx.TRIANGLE_STRIP
        return self.ctx.geometry(content, index_buffer=indices, mode=mode)

    def write_layer(self, texture: Any, layer: int, x: int, y: int, pixels: Array) -> int:
        """Write uint8 (h, w, 4), rows of which may lie apart, into a layer of a texture array; gives the bytes."""
        gl = self.gl
        height, width = pixels.shape[:2]
        if pixels.strides[1:] != (4, 1) or pixels.strides[0] % 4:
            pixels = np.ascontiguousarray(pixels)
        texture.use(self.units - 1)
        gl.glPixelStorei(gl.GL_UNPACK_ROW_LENGTH, pixels.strides[0] // 4)
        gl.glTexSubImage3D(
            gl.GL_TEXTURE_2D_ARRAY, 0, x, y, layer, width, height, 1, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE,
            pixels.ctypes.data,
        )  # fmt: skip
        gl.glPixelStorei(gl.GL_UNPACK_ROW_LENGTH, 0)
        return 4 * width * height

    def read_layers(self, texture: Any, size: tuple[int, int, int]) -> Array:
        """A texture array as uint8 (layers, h, w, 4)."""
        gl = self.gl
        pixels = np.empty((size[2], size[1], size[0], 4), np.uint8)
        texture.use(self.units - 1)
        gl.glPixelStorei(gl.GL_PACK_ALIGNMENT, 1)
        gl.glGetTexImage(gl.GL_TEXTURE_2D_ARRAY, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixels.ctypes.data)
        return pixels

    def write_texture(self, texture: Any, array: Array) -> int:
        """Write a whole two-dimensional texture; gives the bytes."""
        texture.write(np.require(array, requirements=["C", "W"]))
        return array.nbytes

    def copy(self, source: Any, target: Any, size: tuple[int, int], attachment: int = 0) -> None:
        """Copy an attachment of a framebuffer to the first one of another; target None: to the window."""
        gl = self.gl
        gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, source.glo)
        gl.glReadBuffer(gl.GL_COLOR_ATTACHMENT0 + attachment)
        gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, (target or self.ctx.screen).glo)
        gl.glDrawBuffer(gl.GL_BACK if target is None else gl.GL_COLOR_ATTACHMENT0)
        gl.glDisable(gl.GL_SCISSOR_TEST)
        width, height = size
        gl.glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
        gl.glEnable(gl.GL_SCISSOR_TEST)
        gl.glReadBuffer(gl.GL_COLOR_ATTACHMENT0)
        self.ctx.active_framebuffer.use(force=True)

    def flip(self) -> None:
        """Show what was drawn into the window."""
        self.window.flip()
