"""Strict mode as a plugin: `rish run --strict`, or `strict` among a game's plugins.

It watches every system and each tick, see `Strict`.
"""

from __future__ import annotations

from typing import Any

from rish_core import About, hookimpl

from .errors import StrictError
from .watcher import Strict

__all__ = ["Strict", "StrictError"]


def rish_about() -> About:
    """Needs nothing but the kernel."""
    return About(description="watches every system for broken rules; each tick runs twice")


@hookimpl(tryfirst=True)
def rish_ready(app: Any) -> None:
    """Begin to watch."""
    app.schedule.watcher = Strict(app.world, app.schedule)
