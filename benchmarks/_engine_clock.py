"""The clock of the engine's own work: a frame without the work of the graphics driver.

`cpu_<N>` measures the cost of an engine, not that of the driver or of a processor that emulates a graphics card. So the
calls that draw, clear and wait for the end do nothing here, for every engine alike; uploads and changes of state count.
Subtracting only the time of those calls would not be enough: without a graphics card the driver draws on the same cores
and empties their caches, and the engine is slower in its next frame because of that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

_PACKAGES = ("pyglet", "arcade")
_NAMES = ("glDraw", "glMultiDraw", "glClear", "glFinish", "glFlush")
_STATE = ("glDrawBuffer", "glDrawBuffers", "glClearColor", "glClearDepth", "glClearDepthf", "glClearStencil")

_draws = [True]


def leave_out(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function, made to do nothing while drawing is left out."""

    def guarded(*arguments: Any, **options: Any) -> Any:
        return call(*arguments, **options) if _draws[0] else None

    guarded.is_guarded = True  # type: ignore[attr-defined]
    return guarded


def set_clock(clock: str) -> None:
    """Make this process draw for the clock `frame`, and leave drawing out for the clock `engine`.

    This applies to the drawing, clearing and waiting calls of OpenGL in all modules of pyglet and arcade imported so
    far.
    """
    _draws[0] = clock != "engine"
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in _PACKAGES:
            continue
        for key, value in list(vars(module).items()):
            if key.startswith(_NAMES) and key not in _STATE and callable(value) and not hasattr(value, "is_guarded"):
                setattr(module, key, leave_out(value))
