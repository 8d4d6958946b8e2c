"""Tools for the tests of a provider of `physics2d`: the tests of the contract as one class, and a reader of all events.

A provider's test file needs only `class TestMine(Physics2DContract): plugin = my_plugin`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.register_assert_rewrite(*(f"{__name__}.{path.stem}" for path in Path(__file__).parent.glob("[a-z]*.py")))

from .contract import Physics2DContract  # noqa: E402
from .listener import LISTENER  # noqa: E402
from .yard import ContractYard  # noqa: E402

__all__ = ["LISTENER", "ContractYard", "Physics2DContract"]
