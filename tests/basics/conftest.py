"""A game with only the plugin basics, in strict mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rish_core import App, parse_manifest

HEAD = "rish: 1\ngame: {size: [320, 180]}\nplugins: [basics, frame]\nscenes:\n  main:\n"


@pytest.fixture
def play() -> Iterator[Callable[..., App]]:
    """A function that starts a game with some entries of a scene."""
    apps: list[App] = []

    def start(*entries: str, **options: Any) -> App:
        text = HEAD + "".join(f"    - {entry}\n" for entry in entries)
        made = App(parse_manifest(text), headless=True, policy="raise", more=["strict"], **options)
        apps.append(made)
        return made

    yield start
    for app in apps:
        app.close()
