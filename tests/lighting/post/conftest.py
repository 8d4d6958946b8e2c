"""Shared fixtures of the tests of effects: desks on both backends."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_lighting.post.drawers import make_arcade as arcade_effects
from rish_lighting.post.drawers import make_software as software_effects
from rish_render.backends import make_arcade, make_software

sys.path.insert(0, str(Path(__file__).parent))

from post_desk import Desk, opened


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A desk on the software backend."""
    backend = opened(make_software, software_effects)
    yield Desk(backend)
    backend.close()


@pytest.fixture(scope="module")
def gl() -> Iterator[Any]:
    """The arcade backend, shared by the tests of a module."""
    backend = opened(make_arcade, arcade_effects)
    yield backend
    backend.close()


@pytest.fixture
def desks(desk: Desk, gl: Any) -> tuple[Desk, Desk]:
    """A desk on each backend."""
    return desk, Desk(gl)
