"""Shared fixtures of the tests of effects: desks on both backends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_lighting.plugin.drawers import MAKERS
from rish_lighting.post.passes import KIND
from rish_render.backends import make_arcade, make_software

sys.path.insert(0, str(Path(__file__).parent))

from post_desk import Desk, opened


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A desk on the software backend."""
    backend = opened(make_software, MAKERS["software"][KIND])
    yield Desk(backend)
    backend.close()


@pytest.fixture(scope="module")
def gl() -> Iterator[Any]:
    """The arcade backend, shared by the tests of a module."""
    backend = opened(make_arcade, MAKERS["arcade"][KIND])
    yield backend
    backend.close()


@pytest.fixture
def desks(desk: Desk, gl: Any) -> tuple[Desk, Desk]:
    """A desk on each backend."""
    return desk, Desk(gl)
