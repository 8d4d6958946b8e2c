"""The contract of a backend as one body of tests, which ours and a stranger's pass alike.

    from rish_frame.testing import BackendContract

    class TestMine(BackendContract):
        make = MyBackend

What a backend can do selects the tests: those that look at pixels need the capability `pixels`, those of a
kind need the kind. `skips` pins which tests a backend may leave out, so that one that vanishes fails.
"""

from __future__ import annotations

from .blend_tests import BlendTests, MaterialTests
from .kind_tests import KindTests
from .pass_tests import PassTests
from .sprite_tests import SpriteTests
from .tile_tests import TileTests
from .verb_tests import VerbTests


class BackendContract(VerbTests, SpriteTests, KindTests, TileTests, BlendTests, MaterialTests, PassTests):
    """All tests. Set `make` to the class or to a function that makes a backend, not yet open.

    size: of the screen in the tests, at least 64x48. extras: public methods that the backend has besides the
    verbs. skips: names of the tests that it may skip; None: any that its capabilities leave out.
    """
