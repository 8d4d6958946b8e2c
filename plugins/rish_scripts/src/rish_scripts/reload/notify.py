"""Notifies scripts that their code was reloaded."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from .. import faults
from ..calls.registry import Scripts

if TYPE_CHECKING:
    from rish_core import World


def notify_scripts(world: World, plugins: Collection[str]) -> None:
    """Call `on_reload` of the scripts of some plugins. Scripts that were set aside for errors are called again."""
    scripts: Scripts = world[Scripts]
    scripts.logged.clear()
    for script_class in scripts.classes():
        if script_class.binding.kind.owner not in plugins:
            continue
        faults.pardon(world, script_class.name)
        if script_class.defines("on_reload"):
            for script in script_class.members():
                scripts.call(script, "on_reload")
