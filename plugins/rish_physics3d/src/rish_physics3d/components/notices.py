"""Logs each problem once, with the name of the entity and the scene entry that created it."""

from __future__ import annotations

from rish_assets import LogOnce, name_of
from rish_core import World, resource

_LOG = "rish.physics3d"


@resource(derived=True)
class Notices3D(LogOnce):
    """Logs each message once, so that none is logged again in every tick, also after a restore."""

    def __init__(self) -> None:
        super().__init__(_LOG)


def notify(world: World, key: str, sentence: str, entity: int = 0) -> None:
    """Log a warning, once for each key; it names the entity if one is given."""
    log = world.resources.get(Notices3D) or LogOnce(_LOG)
    if key not in log:
        log(f"{name_of(world, entity)}: {sentence}" if entity else sentence, key=key)
