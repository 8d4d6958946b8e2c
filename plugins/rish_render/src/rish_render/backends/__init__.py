"""The backends that this package brings: `arcade` opens a window and draws by OpenGL, `software` draws with numba and
needs neither.

A backend of another package may be made of one of these: it asks a factory for it, draws with it, and shows the
picture in its own way.
"""

from __future__ import annotations

from typing import Any


def make_software() -> Any:
    """The software backend, not yet open; numba is imported when it first draws."""
    from .software.backend import SoftwareBackend

    return SoftwareBackend()


def make_arcade() -> Any:
    """The arcade backend, not yet open; arcade and pyglet are imported when it opens."""
    from .arcade.backend import ArcadeBackend

    return ArcadeBackend()


def arcade_library() -> Any:
    """The modules that the arcade backend draws with, for drawers that make geometries of their own.

    `gl` is `arcade.gl`: `arcade_library().gl.BufferDescription(buffer, "2f", ["corner"])`. It may be another copy of
    the module than `import arcade.gl` gives, whose classes the backend's device refuses. Raises BackendError where
    arcade is not installed.
    """
    from .arcade.gl import library

    return library()


make_arcade.install_hint = "it needs a display and a driver with OpenGL 3.3; see 'rish doctor'"  # pyright: ignore[reportFunctionMemberAccess]
