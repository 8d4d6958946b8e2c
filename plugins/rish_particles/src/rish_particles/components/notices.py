"""Log messages that are written only once, however often their cause occurs."""

from __future__ import annotations

import logging
from dataclasses import field
from typing import TYPE_CHECKING

from rish_core import resource

if TYPE_CHECKING:
    from rish_core import World

_log = logging.getLogger("rish.particles")


@resource(derived=True)
class Notices:
    """The keys of the messages already logged. lit: whether any plugin reads `LightPoints`."""

    keys: set[str] = field(default_factory=set[str])
    lit: bool = True

    def rebuild(self, world: World) -> None:
        """Do nothing: the keys of logged messages stay valid after a restore."""


def notify(world: World, key: str, sentence: str, level: int = logging.WARNING) -> None:
    """Log a message, unless a message was logged under this key before."""
    keys = world[Notices].keys
    if key not in keys:
        keys.add(key)
        _log.log(level, "%s", sentence)
