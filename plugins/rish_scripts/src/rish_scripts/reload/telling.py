"""Telling: scripts learn that their code is another one."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from .. import faults
from ..roster import Scripts

if TYPE_CHECKING:
    from rish_core import World


def tell_scripts(world: World, plugins: Collection[str]) -> None:
    """Call `on_reload` of the scripts of some plugins, and let those run again that were set aside for their errors."""
    scripts: Scripts = world[Scripts]
    scripts.told.clear()
    for troop in scripts.troops():
        if troop.binding.kind.owner not in plugins:
            continue
        faults.pardon(world, troop.name)
        if troop.defines("on_reload"):
            for script in troop.members():
                scripts.call(script, "on_reload")
