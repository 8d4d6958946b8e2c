"""Making prefabs of entities."""

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
from ..tree.prefab_instances import Below, Where, write_origins
from ..tree.selection import chosen, said
from .project import Project
from .sections import require_new


def make_prefab(project: Project, handle: int, name: str) -> None:
    """Write an entity with its children as a prefab of the game, and make the entity a use of it.

    Its place and name belong to the use. Raises UsageError for a name that is taken or not possible and for values that
    a manifest can't contain, and ManifestError if the prefab would have mistakes; then nothing has changed.
    """
    app = project.app
    chosen(app.world, [handle])
    require_new(project.text, "prefabs", name, app.game.prefabs)
    scene = SceneWorld(app)
    data = entry_of(scene, handle, {})
    if scene.problems:
        listed = "\n".join(f"  {text}" for text in scene.problems[:20])
        raise UsageError(f"{said(app.world, handle)} can't be a prefab:\n{listed}", hint="Change these values first")
    made = {key: value for key, value in data.items() if key in ROOT_OF_PREFAB or key[:1].isupper() or "." in key}
    made.pop("name", None)
    places = [scene.key_name(table.schema.cls) for table in app.world.trees if app.world.has(handle, table.schema.cls)]
    for key in places:
        if isinstance(made.get(key), dict):
            made[key] = {name: value for name, value in made[key].items() if name != "position"}
    if "at" in data or ("prefab" not in data and not places):
        made.setdefault("Transform", {})
    project.edit(lambda text: text.of(("prefabs",)).put(("prefabs", name), made))
    keep_places(app, handle)
    handles, origins = _origins(project, handle, app.game.prefabs[name])
    write_origins(app.world, handles, origins)
    mark_authored(app.world, handle)


def _origins(project: Project, root: int, plan: SpawnPlan) -> tuple[Any, dict[int, Where]]:
    """Return an entity with all below it, and their origins as a use of a prefab, by index."""
    order, below = tree_order(project.app), Below()
    found: dict[int, Where] = {}

    def pair(handle: int, step: int, copy: int) -> None:
        found[handle] = (f"prefab:{plan.origin.removeprefix('prefab:')}", step, copy)
        children = iter(order.children(handle).tolist())
        for inner in below.of(plan, step):
            count = plan.steps[inner].node.count
            for k in range(count):
                child = next(children, 0)
                if child:
                    pair(child, inner, copy * count + k)

    pair(root, 0, 0)
    lacking = [handle for handle in found if not project.app.world.has(handle, Origin)]
    if lacking:
        project.app.world.add(lacking, Origin)
    return np.array([*found], np.int64), dict(enumerate(found.values()))
