"""The log messages of this plugin, each written only once, however often its cause occurs."""

from __future__ import annotations

from rish_assets import LogOnce
from rish_core import resource


@resource(derived=True)
class Notices(LogOnce):
    """Logs each message once, also over a restore. lit, shown: whether any plugin reads `LightPoints`,
    `Billboards`.
    """

    def __init__(self) -> None:
        super().__init__("rish.particles")
        self.lit = self.shown = True
