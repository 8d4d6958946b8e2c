"""The backends of this package.

`arcade` opens a window and draws with OpenGL. `software` draws with numba and needs neither a window nor OpenGL.

A backend of another package can build on one of these: it creates it with one of the factories below, draws with it,
and shows the result in its own way.
"""

from __future__ import annotations

from typing import Any


def make_software() -> Any:
    """Return a new software backend, not opened. numba is imported when it first draws."""
    from .software.backend import SoftwareBackend

    return SoftwareBackend()


def make_arcade() -> Any:
    """Return a new arcade backend, not opened. arcade and pyglet are imported when it opens."""
    from .arcade.backend import ArcadeBackend

    return ArcadeBackend()


def arcade_library() -> Any:
    """Return the modules that the arcade backend draws with, for drawers that create geometries of their own.

    `gl` is `arcade.gl`: `arcade_library().gl.BufferDescription(buffer, "2f", ["corner"])`. It may be another copy of
    the module than the one that `import arcade.gl` gives; the backend's device rejects the classes of any other copy.
    Raises BackendError if arcade is not installed.
    """
    from .arcade.gl import library

    return library()


make_arcade.install_hint = "it needs a display and a driver with OpenGL 3.3; see 'rish doctor'"  # pyright: ignore[reportFunctionMemberAccess]
