"""The only access to arcade and pyglet: every name that a new version of them may move is used only in this module,
in `x_keys`, which names the keys of X, and in `screens`.

OpenGL 4.3 is opened where there is one, because it has compute shaders; 3.3 is enough for all else. Of arcade only
`arcade.gl` is used, a thin layer over OpenGL. Importing the rest of arcade (sprites, sounds, tile
maps, physics) takes longer than opening a window, so `arcade.gl` is loaded on its own. During that import, empty
modules replace the arcade modules that it imports but does not need. If this fails, the complete arcade is imported, as
documented.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, cast
from weakref import WeakKeyDictionary

from rish_frame import BackendError
from rish_system import current, display

if TYPE_CHECKING:
    from rish_jit import Array

Version = tuple[int, int]

MIN_VERSION = (3, 3)
"""The oldest supported version of OpenGL."""
BEST_VERSION = (4, 3)
"""The version that is asked for first; a driver may give a later one."""
NO_GL = "this machine has no OpenGL 3.3"
_contexts: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""arcade.gl's Context of each window."""


class _Blank(ModuleType):
    """A module in which every name can be imported; each name gives a new empty class."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


@cache
def library() -> SimpleNamespace:
    """Return arcade.gl and its classes: `gl`, `Context`, `ShaderException`. Raises BackendError without arcade."""
    places = find_library()
    _set_options()
    if "arcade" in sys.modules:
        return _import()
    try:
        return _import_alone(places)
    except Exception:
        return _import()


def find_library() -> list[str]:
    """Return the folders of arcade, without importing it. Raises BackendError if it is not installed."""
    spec = importlib.util.find_spec("arcade")
    if spec is None or spec.submodule_search_locations is None:
        has_all = sys.version_info < (3, 14)  # the versions of Python that have wheels of pymunk, which arcade requires
        alone = "Use software_window, or arcade without its libraries: pip install --no-deps 'arcade>=3.3.3,<4'"
        hint = "pip install 'arcade>=3.3.3'" if has_all else alone
        raise BackendError("arcade is not installed", hint=hint)
    return list(spec.submodule_search_locations)


def _import_alone(places: list[str]) -> SimpleNamespace:
    """Import arcade.gl without the rest of arcade.

    The modules are removed from sys.modules afterwards, so that a game can import arcade.
    """
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
    """Set pyglet's options; they have an effect only before pyglet.window is imported."""
    import pyglet

    options = cast("Any", pyglet).options
    options["debug_gl"] = False  # it checks for errors after each call, which is 2.6 times as slow
    options["shadow_window"] = False
    options["dpi_scaling"] = "stretch"
    if "pyglet.window" not in sys.modules and not has_display():
        options["headless"] = True
        os.environ.setdefault("ARCADE_HEADLESS", "1")  # for the complete arcade, which looks for a display otherwise


def has_display() -> bool:
    """Return whether a window can be opened on a screen, as far as the environment variables say."""
    return display(wayland=False) is not None


def raw() -> Any:
    """Return pyglet's OpenGL functions and constants, for the few things that arcade.gl lacks."""
    return importlib.import_module("pyglet.gl")


# Windows


def open_window(title: str, size: tuple[int, int], *, drops: bool = False, fits: bool = False) -> Any:
    """Return a window on the screen. drops: whether it takes files that are dropped onto it. fits: see `fitted`.

    Raises BackendError without a display or without OpenGL 3.3.
    """
    if not has_display():
        raise BackendError("there is no display to open a window on")
    _set_options()
    corner = None
    if fits:
        from .window.screens import fitted

        corner, size = fitted(size)
    window = _made(lambda version: _visible(title, size, version, drops))
    if corner is not None and current() == "windows":  # other systems choose a place where all of it is seen
        window.set_location(*corner)
    if current() == "linux":
        from .window.x_keys import XKeys

        with suppress(AttributeError, ImportError, KeyError):  # then keys have the names that pyglet gives them
            XKeys(window)
        if drops:
            from .window.x_drops import XDrops

            with suppress(AttributeError, ImportError, KeyError):
                XDrops(window)
    return window


def open_hidden(size: tuple[int, int] = (16, 16)) -> Any:
    """Return a hidden window for drawing off screen; with EGL if possible, which needs no display."""
    _set_options()
    if current() != "linux":
        return _made(lambda version: _invisible(size, version))
    try:
        return _made(lambda version: _offscreen(size, version))
    except BackendError:
        if not has_display():
            raise
        return _made(lambda version: _invisible(size, version))


def context_of(window: Any) -> Any:
    """Return arcade.gl's Context of a window, the same one at each call. Raises BackendError if it can't be made."""
    if window.context is None:
        raise BackendError("the window is closed", hint="Open another one with rish_render.open_window")
    context = _contexts.get(window)
    if context is not None:
        return context
    window.switch_to()
    functions = raw()
    functions.glBindFramebuffer(functions.GL_FRAMEBUFFER, 0)  # arcade.gl takes the bound one for the window's
    try:
        created = _contexts[window] = library().Context(window)
    except Exception as error:
        why = str(error).splitlines()[0] if str(error) else repr(error)
        raise BackendError(f"{NO_GL}: {why}") from error
    return created


def _made(make: Callable[[Version], Any]) -> Any:
    """Return the window that `make` creates for the best version of OpenGL that there is, or for the oldest one.

    Its version is checked; any failure is a BackendError of one line.
    """
    if current() != "macos":  # which ends at 4.1
        with suppress(BackendError):
            return _made_with(make, BEST_VERSION)
    return _made_with(make, MIN_VERSION)


def _made_with(make: Callable[[Version], Any], wanted: Version) -> Any:
    window: Any = None
    try:
        window = make(wanted)
        version = raw().gl_info.get_version()
        if tuple(version)[:2] < wanted:
            raise BackendError(f"{NO_GL}, only {version[0]}.{version[1]}")
    except BackendError:
        if window is not None:
            window.close()
        raise
    except Exception as error:
        first = (str(error) or type(error).__name__).strip().splitlines()[0]
        raise BackendError(f"{NO_GL} or no display: {first}") from error
    return window


def _visible(title: str, size: tuple[int, int], version: Version, drops: bool) -> Any:
    from pyglet.window import Window

    if cast("Any", raw())._pyglet.options["headless"]:
        raise BackendError("pyglet was loaded without a display; set DISPLAY before the program starts")
    width, height = size
    options = {"resizable": True, "vsync": True, "file_drops": drops}
    return Window(width, height, caption=title, config=_quick_config(version), **options)


def _invisible(size: tuple[int, int], version: Version) -> Any:
    from pyglet.window import Window

    return Window(*size, visible=False, config=_config(version))


def _config(version: Version) -> Any:
    """Return a configuration without samples and depth: only finished images are copied into the window."""
    return raw().Config(
        double_buffer=True, major_version=version[0], minor_version=version[1], samples=0, sample_buffers=0
    )


def _quick_config(version: Version) -> Any:
    """Return the configuration for a window: on X the first that fits, without testing the others; else pyglet's
    choice.
    """
    try:
        return _first_config(version) if current() == "linux" else _config(version)
    except (ImportError, AttributeError):
        return _config(version)


def _first_config(version: Version) -> Any:
    """Return the first configuration that fits.

    pyglet queries the X server for all attributes of each of hundreds of configurations, and then takes the first,
    which takes as long as opening the window. Here its class of configurations is replaced for a moment, so that it
    queries one.
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
        return screen.get_best_config(_config(version))
    finally:
        cast("Any", xlib).XlibDisplayConfig = real


def _offscreen(size: tuple[int, int], version: Version) -> Any:
    """Return a pyglet window without a screen, on the first graphics device that works."""
    from ctypes import byref

    import pyglet
    from pyglet.gl.headless import HeadlessConfig
    from pyglet.libs.egl import egl, eglext
    from pyglet.window.headless import HeadlessWindow

    count = egl.EGLint()
    eglext.eglQueryDevicesEXT(0, None, byref(count))
    for number in range(cast("Any", pyglet).options["headless_device"], count.value):
        display = _device(number)
        screen: Any = display.get_default_screen()
        wanted = HeadlessConfig(
            major_version=version[0], minor_version=version[1], red_size=8, green_size=8, blue_size=8
        )
        configs = screen.get_matching_configs(wanted)
        if configs:
            return HeadlessWindow(*size, display=display, screen=screen, config=configs[0])
    raise BackendError(f"{NO_GL}: EGL reports no graphics device with a driver")


@cache
def _device(number: int) -> Any:
    """Return pyglet's display of a graphics device.

    It is cached for ever, because closing one such display would close the windows of all others.
    """
    import pyglet
    from pyglet.display.headless import HeadlessDisplay

    options = cast("Any", pyglet).options
    before, options["headless_device"] = options["headless_device"], number
    try:
        return HeadlessDisplay()
    finally:
        options["headless_device"] = before


def key_names() -> dict[str, int]:
    """Return pyglet's key codes by pyglet's names; some names share a code."""
    _set_options()
    key = importlib.import_module("pyglet.window.key")
    return {name: value for name, value in vars(key).items() if isinstance(value, int)}


def make_icon(pixels: Array) -> Any:
    """Return an icon made from uint8 (h, w, 4) pixels, top row first."""
    from pyglet.image import ImageData

    height, width = pixels.shape[:2]
    return ImageData(width, height, "RGBA", pixels[::-1].tobytes())


def controllers() -> Any:
    """Return pyglet's manager of gamepads, which reports gamepads that are connected and disconnected."""
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
