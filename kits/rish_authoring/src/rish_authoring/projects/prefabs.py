"""Makes prefabs of entities."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Origin, UsageError
from rish_core.manifest import ROOT_OF_PREFAB, SpawnPlan

from ..editing.overrides import keep_places
from ..saving.entries import entry_of
from ..saving.scene_world import SceneWorld
from ..tree.marks import mark_authored
from ..tree.order import tree_order
from ..tree.prefab_instances import StepChildren, Where, write_origins
from ..tree.selection import phrase_for, require_alive
from .project import Project
from .sections import require_new


def make_prefab(project: Project, handle: int, name: str) -> None:
    """Write an entity and its children as a new prefab, and make the entity an instance of the prefab.

    The entity keeps its own position and name. Raises UsageError for a name that is taken or not possible and for
    values that a manifest can't contain, and ManifestError if the prefab would have mistakes; then nothing has changed.
    """
    app = project.app
    require_alive(app.world, [handle])
    require_new(project.text, "prefabs", name, app.game.prefabs)
    scene = SceneWorld(app)
    data = entry_of(scene, handle, {})
    if scene.problems:
        problems = "\n".join(f"  {text}" for text in scene.problems[:20])
        raise UsageError(
            f"{phrase_for(app.world, handle)} can't be a prefab:\n{problems}", hint="Change these values first"
        )
    prefab = {key: value for key, value in data.items() if key in ROOT_OF_PREFAB or key[:1].isupper() or "." in key}
    prefab.pop("name", None)
    places = [scene.key_name(table.schema.cls) for table in app.world.trees if app.world.has(handle, table.schema.cls)]
    for key in places:
        if isinstance(prefab.get(key), dict):
            prefab[key] = {name: value for name, value in prefab[key].items() if name != "position"}
    if "at" in data or ("prefab" not in data and not places):
        prefab.setdefault("Transform", {})
    project.edit(lambda text: text.of(("prefabs",)).put(("prefabs", name), prefab))
    keep_places(app, handle)
    handles, origins = _origins(project, handle, app.game.prefabs[name])
    write_origins(app.world, handles, origins)
    mark_authored(app.world, handle)


def _origins(project: Project, root: int, plan: SpawnPlan) -> tuple[Any, dict[int, Where]]:
    """Return the handles of an entity and its descendants, and their origins as an instance of a prefab, by index."""
    order, below = tree_order(project.app), StepChildren()
    origins: dict[int, Where] = {}

    def pair(handle: int, step: int, copy: int) -> None:
        origins[handle] = (f"prefab:{plan.origin.removeprefix('prefab:')}", step, copy)
        children = iter(order.children(handle).tolist())
        for inner in below.of(plan, step):
            count = plan.steps[inner].node.count
            for i in range(count):
                child = next(children, 0)
                if child:
                    pair(child, inner, copy * count + i)

    pair(root, 0, 0)
    without_origin = [handle for handle in origins if not project.app.world.has(handle, Origin)]
    if without_origin:
        project.app.world.add(without_origin, Origin)
    return np.array([*origins], np.int64), dict(enumerate(origins.values()))
