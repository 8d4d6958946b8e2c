"""The origins of copied entities that are instances of prefabs."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Origin, World
from rish_core.manifest import CompiledManifest, SpawnPlan
from rish_ecs.declarations import Column
from rish_ecs.storage import parents_of

Where = tuple[str, int, int]
"""The values of an `Origin`: scene, entry, copy."""


def origins_of_copies(world: World, game: CompiledManifest, sources: Column, plan: SpawnPlan) -> dict[int, Where]:
    """Return the origins of the copies that are instances of prefabs, by index among the sources.

    sources: int64 (n,), the copied entities, parents before children. plan: the scene to which they belong. Copies of
    entities that are not part of a prefab have no origin.
    """
    table = world.table(Origin)
    rows = table.lookup(sources)
    origins = dict[int, Where]()
    below = StepChildren()
    parents = parents_of(world, sources).tolist()
    uses: dict[int, tuple[str, int, int]] = {}  # by handle: the prefab, the step in it, the step in the scene
    scenes, entries, copies = (table.column(name)[rows].tolist() for name in ("scene", "entry", "copy"))
    for index, (handle, row) in enumerate(zip(sources.tolist(), rows.tolist(), strict=True)):
        if row < 0:
            continue
        label, number, copy = world.text(scenes[index]), entries[index], copies[index]
        if label != plan.origin or number >= len(plan.steps):
            origins[index] = (label, number, copy)
            continue
        parent_use, prefab = uses.get(parents[index]), plan.steps[int(number)].node.prefab
        if parent_use is not None:
            base = game.prefabs[parent_use[0]]
            prefab_children, scene_children = below.of(base, parent_use[1]), below.of(plan, parent_use[2])
            place = scene_children.index(number) if number in scene_children else len(prefab_children)
            if place < len(prefab_children):  # the children of a prefab are the first ones
                uses[handle] = (parent_use[0], prefab_children[place], number)
                origins[index] = (
                    f"prefab:{parent_use[0]}",
                    prefab_children[place],
                    copy % base.steps[prefab_children[place]].rows,
                )
                continue
        if prefab in game.prefabs:
            uses[handle] = (prefab, 0, number)
            origins[index] = (f"prefab:{prefab}", 0, 0)
    return origins


class StepChildren:
    """The children of the steps of plans."""

    def __init__(self) -> None:
        self._by_plan: dict[str, dict[int, list[int]]] = {}

    def of(self, plan: SpawnPlan, number: int) -> list[int]:
        """Return the numbers of the children of a step."""
        children = self._by_plan.get(plan.label)
        if children is None:
            children = self._by_plan[plan.label] = {}
            for index, step in enumerate(plan.steps):
                children.setdefault(step.parent, []).append(index)
        return children.get(number, [])


def write_origins(world: World, handles: Column, origins: dict[int, Where]) -> None:
    """Set the origins of copies. origins: by index; other copies lose their Origin."""
    without_origin = np.array(
        [handle for index, handle in enumerate(handles.tolist()) if index not in origins], np.int64
    )
    if len(without_origin):
        world.remove(without_origin, Origin)
    by_label: dict[str, list[int]] = {}
    for index, (label, _, _) in origins.items():
        by_label.setdefault(label, []).append(index)
    for label, indices in by_label.items():
        entries = np.array([origins[index][1] for index in indices], np.int32)
        copies = np.array([origins[index][2] for index in indices], np.int32)
        values: dict[str, Any] = {"scene": label, "entry": entries, "copy": copies}
        world.set(handles[indices], Origin(**values))
