"""The contract of a backend as one class of tests, for the engine's own backends and for those of other authors.

    from rish_frame.testing import BackendContract

    class TestMine(BackendContract):
        make = MyBackend

The capabilities of a backend select the tests: those that check pixels need the capability `pixels`, those of a
kind need the kind. `skips` lists the tests that a backend may skip; any other test that is skipped fails.
"""

from __future__ import annotations

import pytest

from ..backend import Backend
from ..errors import BackendError
from .blend_tests import BlendTests, MaterialTests
from .compute_tests import ComputeTests
from .kind_tests import KindTests
from .pass_tests import PassTests
from .sprite_tests import SpriteTests
from .tile_tests import TileTests
from .verb_tests import VerbTests


class BackendContract(VerbTests, SpriteTests, KindTests, TileTests, BlendTests, MaterialTests, PassTests, ComputeTests):
    """All tests of the contract. Set `make` to the class or to a function that makes a backend, not yet open.

    size: of the screen in the tests, at least 64x48. extras: public methods that the backend has besides the
    verbs; None: any. skips: names of the tests that it may skip; None: any for which it lacks a capability or kind.
    """


class InstalledBackendContract(BackendContract):
    """The contract for an installed backend; only the function that makes it is known.

    It may have any further methods. If it can't be opened on this machine, its tests are skipped.
    """

    extras = None

    @classmethod
    def _made(cls) -> Backend:
        backend = super()._made()
        try:
            backend.open("contract", cls.size, False)
        except BackendError as error:
            pytest.skip(str(error))
        backend.close()
        return backend
