"""Calls of a hook that eight plugins implement: isolated, as the kernel calls it, and by pluggy alone."""

from __future__ import annotations

from types import SimpleNamespace

from rish_core.plugin import load_plugins

from ._task import Task

_PLUGINS = load_plugins(
    [], extra={f"p{k}": SimpleNamespace(rish_frame_end=lambda world, stats: 1) for k in range(8)}, installed=[]
)


def isolated() -> Task:
    """Call through the kernel, which names a plugin that raises and goes on with the others."""
    return Task(lambda: _PLUGINS.gather("rish_frame_end", world=1, stats=2))


def pluggy() -> Task:
    """Call through pluggy's own relay: the first plugin that raises ends the call."""
    import pluggy as library

    manager = library.PluginManager("rish")
    specify, implement = library.HookspecMarker("rish"), library.HookimplMarker("rish")

    class Specs:
        @specify
        def rish_frame_end(self, world: object, stats: object) -> None: ...

    manager.add_hookspecs(Specs)
    for k in range(8):

        class Plugin:
            @implement
            def rish_frame_end(self, world: object, stats: object) -> int:
                return 1

        manager.register(Plugin(), f"p{k}")
    relay = manager.hook.rish_frame_end
    return Task(lambda: relay(world=1, stats=2))
