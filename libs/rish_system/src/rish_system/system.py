"""The operating system of this process. No other module of Rish asks Python which one it is."""

from __future__ import annotations

import sys
from typing import Literal

System = Literal["linux", "macos", "windows"]
"""The systems that Rish distinguishes."""
_SYSTEMS: dict[str, System] = {"win32": "windows", "darwin": "macos"}


def current() -> System:
    """Return the system. Other Unix systems count as Linux: folders, signals and the desktop are the same there."""
    return _SYSTEMS.get(sys.platform, "linux")


def machine() -> str:
    """Return the kind of processor as the system calls it, such as `x86_64`, `AMD64` or `arm64`."""
    import platform

    return platform.machine()


def described() -> str:
    """Return system and processor, such as `Linux x86_64`."""
    import platform

    return f"{platform.system()} {platform.machine()}"
