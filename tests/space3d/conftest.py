"""A game with only the plugins space3d and frame, in strict mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rish_core import App, World, parse_manifest
from rish_core.common import HierarchyCache
from rish_space3d import Flat, Transform3D, WorldMatrices3D

HEAD = "rish: 1\ngame: {size: [320, 180]}\nplugins: [space3d, frame]\nscenes:\n  main:\n"


@pytest.fixture
def play() -> Iterator[Callable[..., App]]:
    """A function that starts a game with some entries of a scene."""
    apps: list[App] = []

    def start(*entries: str, **options: Any) -> App:
        text = HEAD + "".join(f"    - {entry}\n" for entry in entries)
        made = App(parse_manifest(text), headless=True, policy="raise", **{"more": ["strict"], **options})
        apps.append(made)
        return made

    yield start
    for app in apps:
        app.close()


@pytest.fixture
def world() -> World:
    """A world with the component Transform3D and no entities."""
    made = World([Transform3D, Flat])
    made.put(WorldMatrices3D())
    made.put(HierarchyCache())
    return made
