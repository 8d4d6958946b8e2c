"""A game with only the plugins space3d, frame, animation and scene3d, in strict mode."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_core import App, parse_manifest
from rish_frame import NullBackend

HEAD = "rish: 1\ngame: {{size: [320, 180]}}\nplugins: [{plugins}]\nsettings: {settings}\nscenes:\n  main:\n"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Callable[..., App]]:
    """A function that starts a game with some entries of a scene, on a backend that records; its folder is tmp_path."""
    apps: list[App] = []

    def start(
        *entries: str, settings: str = "{}", plugins: str = "scene3d", frames: int = 1, strict: bool = True,
        **options: Any,
    ) -> App:  # fmt: skip
        text = HEAD.format(settings=settings, plugins=plugins) + "".join(f"    - {entry}\n" for entry in entries)
        made = App(
            parse_manifest(text, root=tmp_path), backend=NullBackend(), headless=True, policy="raise",
            more=["strict"] if strict else [], **options,
        )  # fmt: skip
        apps.append(made)
        made.run(frames=frames)
        return made

    yield start
    for app in apps:
        app.close()
