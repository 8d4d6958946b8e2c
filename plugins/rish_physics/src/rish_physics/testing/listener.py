"""A plugin for tests that declares that it reads all events of physics, so that they are emitted."""

from __future__ import annotations

from types import SimpleNamespace

from rish_core import Stage, World, system

from ..contacts.events import EVENTS


@system(Stage.UPDATE, reads=EVENTS)
def listen(world: World, dt: float) -> None:
    """Read nothing: the test looks at the queues itself."""


LISTENER = SimpleNamespace(rish_systems=lambda: [listen])
"""The plugin, for the argument `extra` of an App."""
