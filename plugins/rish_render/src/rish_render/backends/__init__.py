"""The backends of this package.

`arcade` opens a window and draws with OpenGL. `software` draws with numba and needs neither a window nor OpenGL.
`software_window` shows the picture of `software` in a window.

A backend of another package can build on one of these: it creates it with one of the factories below, draws with it,
and shows the result in its own way. `ForwardingBackend` is a base for those that draw with `software`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_ecs import UsageError
from rish_frame import BackendError


def make_software() -> Any:
    """Return a new software backend, not opened. numba is imported when it first draws."""
    from .software.backend import SoftwareBackend

    return SoftwareBackend()


def make_arcade() -> Any:
    """Return a new arcade backend, not opened. arcade and pyglet are imported when it opens."""
    from .arcade.backend import ArcadeBackend

    return ArcadeBackend()


def make_software_window() -> Any:
    """Return a new software backend with a window, not opened."""
    from .software_window import SoftwareWindow

    return SoftwareWindow(make_software())


def has_display() -> bool:
    """Return whether a window can be opened on a screen, as far as the environment says."""
    from .arcade import gl

    return gl.has_display()


def open_window(title: str, size: tuple[int, int], *, visible: bool = True, fits: bool = False) -> Any:
    """Return a new pyglet window with OpenGL 3.3, for a tool that shows games in it; see `backend_in`.

    size: width and height. visible: False gives a window that is on no screen and needs no display; its framebuffer can
    be drawn onto and read, and events can be dispatched to it. One that is visible has the event `on_file_drop` for
    files that are dropped onto it. fits: a visible one becomes at most as large as the main screen has room for beside
    the bars of the desktop, and stands where all of it is seen. Raises BackendError with the reason if there is no
    display or no OpenGL 3.3.
    """
    if size[0] < 1 or size[1] < 1:
        raise UsageError(f"a window has at least 1x1 pixels, not {size[0]}x{size[1]}")
    from .arcade import gl

    return gl.open_window(title, size, drops=True, fits=fits) if visible else gl.open_hidden(size)


def arcade_in(window: Any) -> Any:
    """Return a new arcade backend, not opened, that draws off screen with the OpenGL context of a pyglet window.

    For tools that show games as textures in a window of their own: `App(manifest, backend=arcade_in(window))`, then
    `backend.texture()` after each frame. Several backends may use one window. `close` frees what the backend made and
    leaves the window open; close the backends first. A backend has no events, and `configure(size=...)` sets the size
    of its screen. After drawing, the window's own framebuffer is bound, whole, without scissor and depth test. Other
    code may leave any bindings, blending, tests and masks behind; unusual state, such as a polygon mode, it has to
    restore. `open` raises BackendError if the window is closed.
    """
    from .arcade.backend import ArcadeBackend

    return ArcadeBackend(window)


def backend_in(window: Any) -> Any:
    """Return a new backend, not opened, for games in a tool's window: `arcade_in(window)` where arcade is installed.

    Elsewhere it draws like `software`, and has the same methods: `texture().glo.value` is the number of the texture
    with the screen's picture. Only the screen has a texture then, and there are no compute shaders.
    """
    from .arcade import gl

    try:
        gl.find_library()
    except BackendError:
        from .software_texture import SoftwareTexture

        return SoftwareTexture(make_software(), window)
    return arcade_in(window)


def window_input(window: Any, place: Callable[[float, float], tuple[float, float]]) -> Any:
    """Return an object that turns events of a pyglet window into those of a game, for a tool that shows games in it.

    place: converts a point of the window, in its units, y up, to pixels of the game's screen. Call
    `handlers[name](*arguments)` with the events that the game should get, named as pyglet names them; `take()` returns
    them as a list of `WindowEvent`, with those of gamepads.
    """
    from .arcade.window.events import WindowInput

    return WindowInput(window, place)


def arcade_library() -> Any:
    """Return the modules that the arcade backend draws with, for drawers that create geometries of their own.

    `gl` is `arcade.gl`: `arcade_library().gl.BufferDescription(buffer, "2f", ["corner"])`. It may be another copy of
    the module than the one that `import arcade.gl` gives; the backend's device rejects the classes of any other copy.
    Raises BackendError if arcade is not installed.
    """
    from .arcade.gl import library

    return library()


make_arcade.install_hint = "it needs a display and a driver with OpenGL 3.3; see 'rish doctor'"  # pyright: ignore[reportFunctionMemberAccess]
make_software_window.install_hint = make_arcade.install_hint  # pyright: ignore[reportFunctionMemberAccess]
