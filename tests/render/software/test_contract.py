"""The software backend fulfills the contract of backends, in either quality and with any number of threads."""

from __future__ import annotations

from rish_frame import Backend
from rish_frame.testing import BackendContract
from rish_render.backends.software.backend import SoftwareBackend


class TestFast(BackendContract):
    """The contract of backends for "fast" quality; "exact" is tested with the other backends."""

    skips = frozenset[str]()

    @staticmethod
    def make() -> Backend:
        """Return a backend with a player's default options."""
        return SoftwareBackend("fast", threads=2)
