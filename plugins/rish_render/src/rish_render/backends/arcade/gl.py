"""The one door to arcade and pyglet: everything that a new version of them may move is named here and nowhere else.

Of arcade only `arcade.gl` is used, a thin layer over OpenGL 3.3. To import the rest of arcade (sprites, sounds, tile
maps, physics) takes longer than to open a window, so `arcade.gl` is loaded on its own: for a moment, empty modules
stand in for what it names but does not need. Where that fails the whole of arcade is imported, as documented.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from rish_frame import BackendError

Array = npt.NDArray[Any]

MIN_VERSION = (3, 3)
"""The version of OpenGL that is needed."""
NO_GL = "this machine has no OpenGL 3.3"


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
    """Whether there is a screen that a window can open on, as far as the environment says."""
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
    """A hidden window, for drawing off screen; by EGL, so that no display is needed, where there is EGL."""
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
        if tuple(version)[:2] < MIN_VERSION:
            raise BackendError(f"{NO_GL}, only {version[0]}.{version[1]}")
    except BackendError:
        if window is not None:
            window.close()
        raise
    except Exception as error:
        first = (str(error) or type(error).__name__).strip().splitlines()[0]
        raise BackendError(f"{NO_GL} or no display: {first}") from error
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
    return raw().Config(
        double_buffer=True, major_version=MIN_VERSION[0], minor_version=MIN_VERSION[1], samples=0, sample_buffers=0
    )


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
        found = screen.get_matching_configs(HeadlessConfig(major_version=MIN_VERSION[0], minor_version=MIN_VERSION[1]))
        if found:
            return HeadlessWindow(width=16, height=16, display=display, screen=screen, config=found[0])
    raise BackendError(f"{NO_GL}: EGL knows no graphics device that has a driver")


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
    """pyglet's manager of gamepads, which reports those that are plugged in and out."""
    from pyglet.input import ControllerManager

    return ControllerManager()


def run_posted() -> None:
    """Poll pyglet's gamepads, and dispatch the events that other threads posted."""
    from pyglet import app

    loop = cast("Any", app).platform_event_loop
    displays = {window.display for window in cast("Any", app).windows}
    for device in [device for device in getattr(loop, "select_devices", ()) if device not in displays]:
        if device.poll():
            device.select()
    loop.dispatch_posted_events()
