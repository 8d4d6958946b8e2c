"""The hooks of rish_terminal: one backend, and the function that makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About


def rish_about() -> About:
    """Return the description of the plugin; it requires rish_render, whose software backend draws the frames."""
    return About(requires=["render"], description="the terminal backend: games in a terminal, over ssh too")


def make_terminal() -> Any:
    """Return the terminal backend, not yet open."""
    from .backend import TerminalBackend

    return TerminalBackend()


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the function that compiles the kernels that write cells."""
    from .cells import Cells

    return {"cells": Cells.warm_up}


def rish_backends() -> dict[str, Callable[[], Any]]:
    """Return the backend by name."""
    return {"terminal": make_terminal}
