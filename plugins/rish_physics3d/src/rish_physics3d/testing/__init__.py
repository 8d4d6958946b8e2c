"""Tools for the tests of a provider of `rigid3d`: the tests of the contract as one class, a yard for its bodies, and a
reader of all events.

A provider's test file needs only `class TestMine(Rigid3DContract): plugin = my_plugin`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{path.stem}" for path in Path(__file__).parent.glob("[a-z]*.py")))

from .contract import Rigid3DContract  # noqa: E402
from .listener import LISTENER_3D  # noqa: E402
from .yard import ContractYard  # noqa: E402

__all__ = ["LISTENER_3D", "ContractYard", "Rigid3DContract"]
