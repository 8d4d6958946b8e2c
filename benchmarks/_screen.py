"""Where there is no screen: a virtual one for windows, and a context of OpenGL without a window."""

from __future__ import annotations

import atexit
import functools
import os
import subprocess
from typing import Any


def virtual_screen() -> None:
    """Start a virtual screen for this process and its children if there is no screen.

    Raises ModuleNotFoundError without Xvfb.
    """
    if os.environ.get("DISPLAY"):
        return
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x720x24", "-nolisten", "tcp"]
    try:
        server = subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        raise ModuleNotFoundError("there is no screen, and no Xvfb", name="Xvfb") from None
    os.close(write)
    atexit.register(server.kill)
    with os.fdopen(read) as pipe:
        os.environ["DISPLAY"] = f":{pipe.readline().strip()}"


@functools.cache
def offscreen() -> Any:
    """Return this process's context of moderngl, without a window. Raises ModuleNotFoundError without moderngl."""
    import moderngl

    return moderngl.create_context(standalone=True, backend="egl")
