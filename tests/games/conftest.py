"""The tests of games are slow: each opens a whole game, which takes about a second."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder as slow; those of the whole suite are passed in."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("slow")
