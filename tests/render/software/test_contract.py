"""The software backend keeps the contract of backends, in either quality and with any number of threads."""

from __future__ import annotations

from rish_frame import Backend
from rish_frame.testing import BackendContract
from rish_render.backends.software.backend import SoftwareBackend


class TestFast(BackendContract):
    """Everything that a backend promises, from cached bitmaps; `exact` is tested with the other backends."""

    skips = frozenset[str]()

    @staticmethod
    def make() -> Backend:
        """A backend as a player has it."""
        return SoftwareBackend("fast", threads=2)
