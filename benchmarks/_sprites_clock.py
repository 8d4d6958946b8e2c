"""The clock of the engine's own work: the time of a frame without what the graphics driver does in it.

`cpu_<N>` asks what an engine costs, not what the driver or a processor that plays graphics card costs. So the time
spent in calls that draw, clear and wait for the end is taken out, for every engine alike; uploads and changes of state
count.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from ._clocks import CLOCKS

_outside = [0.0]
_PACKAGES = ("pyglet", "arcade")
_NAMES = ("glDraw", "glMultiDraw", "glClear", "glFinish", "glFlush")
_STATE = ("glDrawBuffer", "glDrawBuffers", "glClearColor", "glClearDepth", "glClearDepthf", "glClearStencil")


def engine_time() -> float:
    """Seconds on the wall, those in timed calls left out."""
    return time.perf_counter() - _outside[0]


CLOCKS["engine"] = engine_time
CLOCKS["frame"] = time.perf_counter
"""The wall, for a whole frame in this process."""


def timed(call: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, whose time is taken out."""
    now = time.perf_counter

    def wrapped(*arguments: Any, **options: Any) -> Any:
        start = now()
        try:
            return call(*arguments, **options)
        finally:
            _outside[0] += now() - start

    wrapped.is_timed = True  # type: ignore[attr-defined]
    return wrapped


def take_out_gl() -> None:
    """Take the drawing, clearing and waiting calls of OpenGL out, in all modules of pyglet and arcade so far."""
    made: dict[int, Callable[..., Any]] = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in _PACKAGES:
            continue
        for key, value in list(vars(module).items()):
            if not key.startswith(_NAMES) or key in _STATE or not callable(value) or hasattr(value, "is_timed"):
                continue
            setattr(module, key, made.setdefault(id(value), timed(value)))
