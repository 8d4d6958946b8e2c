"""A virtual screen for windows that are not shown."""

from __future__ import annotations

import atexit
import os
import subprocess


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
