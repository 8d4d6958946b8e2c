"""The contract `physics2d` as one class of tests, for this package's provider and for those of other authors.

    from rish_physics.testing import Physics2DContract

    class TestMine(Physics2DContract):
        plugin = my_plugin

The capabilities in the `About` of the provider select the tests: one that it does not have is not tested.
"""

from __future__ import annotations

from .contact_tests import ContactTests
from .motion_tests import MotionTests
from .state_tests import StateTests


class Physics2DContract(MotionTests, ContactTests, StateTests):
    """All tests of the contract. Set `plugin` to the module of the provider, the one that its entry point names."""
