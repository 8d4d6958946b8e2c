"""The software backend keeps the contract of backends."""

from __future__ import annotations

from rish_core.testing import BackendContract
from rish_render.backends.software.backend import SoftwareBackend


class TestSoftware(BackendContract):
    """Everything that a backend promises."""

    make = SoftwareBackend
