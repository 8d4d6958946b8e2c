"""Libraries and tools that only some tests need, in dependency groups that playing and testing do not install.

Without one of them its tests are skipped with the command that installs it. The continuous integration installs all
groups and sets `RISH_REQUIRE_TOOLS=1`, with which such a test fails where it would be skipped.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from typing import Any

import pytest

REQUIRED = os.environ.get("RISH_REQUIRE_TOOLS") == "1"


def needs(module: str, group: str) -> Any:
    """Import and return a module of a dependency group; without it skip the test, or all tests of the calling file."""
    return importlib.import_module(module) if REQUIRED else pytest.importorskip(module, reason=_why(module, group))


def needing(module: str, group: str) -> pytest.MarkDecorator:
    """Return a mark that skips tests without a module of a dependency group."""
    absent = not REQUIRED and importlib.util.find_spec(module) is None
    return pytest.mark.skipif(absent, reason=_why(module, group))


def _why(module: str, group: str) -> str:
    return f"{module} is not installed; it is in the group '{group}': uv sync --group {group}"
