"""Strict mode as a plugin: `rish run --strict`, or `strict` among a game's plugins.

It checks every system and each tick, see `Strict`.
"""

from __future__ import annotations

from typing import Any

from rish_core import About, hookimpl

from .errors import StrictError
from .watcher import Strict

__all__ = ["Strict", "StrictError"]


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="watches every system for broken rules; each tick runs twice")


@hookimpl(tryfirst=True)
def rish_ready(app: Any) -> None:
    """Install a `Strict` as the watcher of the schedule."""
    app.schedule.watcher = Strict(app.world, app.schedule)
