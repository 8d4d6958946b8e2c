"""The plugin `profiler`: a panel of the editor and of running games that shows the times of systems.

It only reads what the kernel measures anyway, so it costs nothing while the panel is closed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rish_core import About, hookimpl


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="a panel with the times of all systems, for the editor", view=True)


@hookimpl(optional=True)
def rish_editor_panels() -> list[type]:
    """Return the panel."""
    from .panel import ProfilerPanel

    return [ProfilerPanel]


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the panel's texts."""
    return Path(__file__).parent / "texts"
