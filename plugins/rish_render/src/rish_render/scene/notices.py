"""Messages of the renderer, such as that a layer does not exist: each World logs each of them once."""

from __future__ import annotations

from rish_assets import LogOnce
from rish_ecs import resource


@resource(derived=True)
class Notices(LogOnce):
    """Logs each message once, so that none is logged again in every frame, also after a restore."""

    def __init__(self) -> None:
        super().__init__("rish.render")
