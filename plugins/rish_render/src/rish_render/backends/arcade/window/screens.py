"""Where a window fits on the main screen: beside the bars of the desktop, with its title bar."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Any, cast

from rish_system import current

Area = tuple[int, int, int, int]
"""x, y of the left top corner, width and height, pixels."""
_BARS = 28
"""The height that a menu bar or a panel at the top takes where the system does not tell, units."""
_TITLE = 32
"""The height of the title bar, which is no part of a window's size, units."""


def fitted(size: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the corner (pixels) and size (units) of a window in the middle of the main screen, at most as large as it.

    size: wanted, in units of windows: pixels by the scale of the screen. Needs a display.
    """
    import pyglet.display

    screen: Any = pyglet.display.get_display().get_default_screen()
    scale = max(float(screen.get_scale()), 0.25) if current() != "macos" else 1.0
    return placed(size, _work_area(screen, scale), scale)


def placed(size: tuple[int, int], area: Area, scale: float = 1.0) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the corner (pixels) and size (units) of a window with a title bar in the middle of an area, see `fitted`.

    area: pixels. scale: pixels of a unit.
    """
    left, top, across, high = area
    title = round(_TITLE * scale)
    width = max(min(size[0], int(across / scale)), 1)
    height = max(min(size[1], int((high - title) / scale)), 1)
    x = left + (across - round(width * scale)) // 2
    y = top + title + (high - title - round(height * scale)) // 2
    return (x, y), (width, height)


def _work_area(screen: Any, scale: float) -> Area:
    """Return the area of a screen that windows can have, as far as the system tells."""
    whole = screen.x, screen.y, screen.width, screen.height
    with suppress(AttributeError, ImportError, OSError, ValueError):
        if current() == "windows":
            return _of_windows(screen)
        if current() == "linux":
            return _overlap(whole, _of_x(screen.display))
    bars = round(_BARS * scale)
    return whole[0], whole[1] + bars, whole[2], whole[3] - bars


def _of_windows(screen: Any) -> Area:
    """Return the area of the main screen without the taskbar, on Windows. Raises OSError."""
    from pyglet.libs.win32 import _user32
    from pyglet.libs.win32.types import MONITORINFOEX

    monitor: Any = MONITORINFOEX()
    monitor.cbSize = ctypes.sizeof(MONITORINFOEX)
    if not _user32.GetMonitorInfoW(screen._handle, ctypes.byref(monitor)):
        raise OSError("the system does not tell the area of the screen")
    work = monitor.rcWork
    return work.left, work.top, work.right - work.left, work.bottom - work.top


def _of_x(display: Any) -> Area:
    """Return the area that the window manager of X11 gives to windows (EWMH, `_NET_WORKAREA`). Raises ValueError."""
    from pyglet.libs.x11 import xlib as library

    xlib: Any = library
    connection: Any = display._display
    kind, form, count, rest = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
    data = ctypes.POINTER(ctypes.c_ubyte)()
    name = xlib.XInternAtom(connection, b"_NET_WORKAREA", 1)
    root = xlib.XDefaultRootWindow(connection)
    failed = not name or xlib.XGetWindowProperty(
        connection, root, name, 0, 4, 0, 6, ctypes.byref(kind), ctypes.byref(form), ctypes.byref(count),
        ctypes.byref(rest), ctypes.byref(data),
    )  # fmt: skip
    if failed or form.value != 32 or count.value < 4:
        raise ValueError("no window manager tells its area")
    values = ctypes.cast(data, ctypes.POINTER(ctypes.c_ulong))
    area = tuple(int(values[k]) for k in range(4))
    xlib.XFree(data)
    return cast("Area", area)


def _overlap(one: Area, other: Area) -> Area:
    """Return the intersection of two areas. Raises ValueError if it is empty."""
    x, y = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[0] + one[2], other[0] + other[2]), min(one[1] + one[3], other[1] + other[3])
    if right <= x or bottom <= y:
        raise ValueError("the areas share nothing")
    return x, y, right - x, bottom - y
