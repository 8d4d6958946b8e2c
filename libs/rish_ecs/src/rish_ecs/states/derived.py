"""Derived resources after a load: they recall what they knew of the state, or are rebuilt."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING, Any

from ..declarations.resource import resource_spec

if TYPE_CHECKING:
    from ..storage.store import Store


class DerivedSaver:
    """Asks the derived resources of a World what a state shall keep of them.

    A resource with `remember(world)` and `recall(world, memory)` is not rebuilt after a load.
    """

    def __init__(self) -> None:
        self._every: list[Any] = []
        self._remembering: list[tuple[type, Any]] = []
        self._rebuilt: list[Any] = []

    def save(self, world: Store) -> dict[type, Any]:
        """Return what the resources remember, by class."""
        self._look(world)
        return {cls: instance.remember(world) for cls, instance in self._remembering}

    def load(self, world: Store, saved: dict[type, Any]) -> None:
        """Let the resources follow a state that was loaded."""
        self._look(world)
        for cls, instance in self._remembering:
            instance.recall(world, saved.get(cls))
        for instance in self._rebuilt:
            instance.rebuild(world)

    def _look(self, world: Store) -> None:
        every = [*world.resources.values()]
        if len(every) == len(self._every) and all(map(is_, every, self._every)):
            return
        specs = [(resource_spec(cls), cls, instance) for cls, instance in world.resources.items()]
        derived = [(cls, instance) for spec, cls, instance in specs if spec is not None and spec.derived]
        self._remembering = [(cls, instance) for cls, instance in derived if hasattr(instance, "recall")]
        others = [instance for _, instance in derived if not hasattr(instance, "recall")]
        self._rebuilt = [instance for instance in others if hasattr(instance, "rebuild")]
        self._every = every
