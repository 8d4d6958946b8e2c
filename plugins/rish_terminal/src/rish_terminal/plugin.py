"""What rish_terminal declares: one backend, and what it is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About


def rish_about() -> About:
    """The pictures come from rish_render's software backend."""
    return About(requires=["render"], description="the terminal backend: games in a terminal, over ssh too")


def make_terminal() -> Any:
    """The terminal backend, not yet open."""
    from .backend import TerminalBackend

    return TerminalBackend()


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """The kernels that write cells."""
    from .cells import Cells

    return {"cells": Cells.warm_up}


def rish_backends() -> dict[str, Callable[[], Any]]:
    """One way to show a frame."""
    return {"terminal": make_terminal}
