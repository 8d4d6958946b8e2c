"""Which copies of entities are uses of prefabs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Origin, World
from rish_core.manifest import CompiledManifest, SpawnPlan
from rish_ecs.declarations import Column
from rish_ecs.storage import parents_of

Where = tuple[str, int, int]
"""The values of an `Origin`: scene, entry, copy."""


def origins_of_uses(world: World, game: CompiledManifest, sources: Column, plan: SpawnPlan) -> dict[int, Where]:
    """Return the origins that copies of entities get, by index among the sources: those of uses of prefabs.

    sources: int64, parents before children. plan: the scene that they belong to; what only its text contains has no
    origin in a copy.
    """
    table = world.table(Origin)
    rows = table.lookup(sources)
    found = dict[int, Where]()
    below = Below()
    parents = parents_of(world, sources).tolist()
    uses: dict[int, tuple[str, int, int]] = {}  # by handle: the prefab, the step in it, the step in the scene
    scenes, entries, copies = (table.column(name)[rows].tolist() for name in ("scene", "entry", "copy"))
    for index, (handle, row) in enumerate(zip(sources.tolist(), rows.tolist(), strict=True)):
        if row < 0:
            continue
        label, number, copy = world.text(scenes[index]), entries[index], copies[index]
        if label != plan.origin or number >= len(plan.steps):
            found[index] = (label, number, copy)
            continue
        above, prefab = uses.get(parents[index]), plan.steps[number].node.prefab
        if above is not None:
            base = game.prefabs[above[0]]
            theirs, mine = below.of(base, above[1]), below.of(plan, above[2])
            place = mine.index(number) if number in mine else len(theirs)
            if place < len(theirs):  # the children of a prefab are the first ones
                uses[handle] = (above[0], theirs[place], number)
                found[index] = (f"prefab:{above[0]}", theirs[place], copy % base.steps[theirs[place]].rows)
                continue
        if prefab in game.prefabs:
            uses[handle] = (prefab, 0, number)
            found[index] = (f"prefab:{prefab}", 0, 0)
    return found


class Below:
    """The children of the steps of plans."""

    def __init__(self) -> None:
        self._of: dict[str, dict[int, list[int]]] = {}

    def of(self, plan: SpawnPlan, number: int) -> list[int]:
        """Return the numbers of the children of a step."""
        known = self._of.get(plan.label)
        if known is None:
            known = self._of[plan.label] = {}
            for index, step in enumerate(plan.steps):
                known.setdefault(step.parent, []).append(index)
        return known.get(number, [])


def write_origins(world: World, made: Column, origins: dict[int, Where]) -> None:
    """Set the origins of copies. origins: by index; the others lose theirs."""
    lost = np.array([handle for index, handle in enumerate(made.tolist()) if index not in origins], np.int64)
    if len(lost):
        world.remove(lost, Origin)
    by_label: dict[str, list[int]] = {}
    for index, (label, _, _) in origins.items():
        by_label.setdefault(label, []).append(index)
    for label, indices in by_label.items():
        entries = np.array([origins[index][1] for index in indices], np.int32)
        copies = np.array([origins[index][2] for index in indices], np.int32)
        values: dict[str, Any] = {"scene": label, "entry": entries, "copy": copies}
        world.set(made[indices], Origin(**values))
