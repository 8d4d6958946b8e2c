"""A plugin for tests that declares that it reads all events of physics in space, so that they are emitted."""

from __future__ import annotations

from types import SimpleNamespace

from rish_core import Stage, World, system

from ..components.contract import PHYSICS3D_EVENTS


@system(Stage.UPDATE, reads=PHYSICS3D_EVENTS)
def listen(world: World, dt: float) -> None:
    """Read nothing: the test looks at the queues itself."""


LISTENER_3D = SimpleNamespace(rish_systems=lambda: [listen])
"""The plugin, for the argument `extra` of an App."""
