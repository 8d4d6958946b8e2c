"""The clipboard: writes entities as text, and spawns entities from text.

The text has the notation of a scene, so it can be read, edited and pasted into another game:

    rish: 1
    entities:
      - {prefab: crate, name: door, at: [1, 2]}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from rish_core import App, ManifestError, Name, Problem, Transform, UsageError, World
from rish_core.manifest import (
    FORMAT,
    SpawnPlan,
    Spot,
    YamlList,
    YamlMap,
    compile_manifest,
    path_text,
    read_yaml,
    show,
)
from rish_ecs import kind_of
from rish_ecs.declarations import Column
from rish_ecs.storage import parents_of

from ..progress import reported
from ..saving.entries import entry_of
from ..saving.scene_world import SceneWorld
from ..saving.values import text_value
from ..text.nodes import Steps
from ..text.writing import item_text, plain
from ..tree.copies import free_names, rename_copies
from ..tree.marks import mark_authored
from ..tree.moves import append_to_arranged
from ..tree.order import tree_order
from ..tree.prefab_instances import origins_of_copies, write_origins
from ..tree.selection import placed, require_alive, require_place, tops, with_children
from ..tree.transforms import hang, poses_in_world, require_depth

_FILE = "the clipboard"
_SCENE, _OUTSIDE = "the clipboard", "outside of the clipboard"
"""The scenes in which pasted entries are checked; no scene of a game can have such a name."""
Data = dict[str, Any]


# Copying


class _CopiedScene(SceneWorld):
    """The scene of the entities to copy. new_names: unique names of copied entities to which others refer."""

    def __init__(self, app: App, handles: Column) -> None:
        super().__init__(app)
        self.copied = set(with_children(app.world, handles).tolist())
        self.new_names: dict[int, str] = {}

    def name_of(self, handle: int) -> Any:
        """Return the name by which the text refers to an entity; None if it is not copied and has no unique name."""
        name = self.now.name(handle)
        if self.is_unique(name) or handle in self.new_names:
            return self.new_names.get(handle, name)
        if handle not in self.copied:
            return None
        self.new_names[handle] = free_names(self.app.world, [*self.new_names.values(), name or "entity"])[-1]
        return self.new_names[handle]


def copy_entities(app: App, handles: Sequence[int]) -> str:
    """Return entities with their children as text for `paste_entities`, in their order in the tree.

    Their poses are those in the world. References among them are kept; those to others are kept by name, or empty if
    the name is not unique. Raises StaleEntity, and UsageError for values that a manifest can't contain.
    """
    world = app.world
    roots = tops(world, handles)
    roots = roots[np.argsort(tree_order(app).rows_of(roots))]
    scene = _CopiedScene(app, roots)
    entries: list[Data] = []
    where: dict[int, tuple[int, Steps]] = {}
    for number, handle in enumerate(reported("writing entries:", roots.tolist())):
        written: dict[int, Steps | None] = {}
        entries.append(entry_of(scene, handle, written))
        where.update({inner: (number, path) for inner, path in written.items() if path is not None})
    for handle, name in scene.new_names.items():
        if handle in where:
            number, path = where[handle]
            entries[number] = _with_name(entries[number], path, name)
    if scene.problems:
        problems = "\n".join(f"  {text}" for text in scene.problems[:20])
        raise UsageError(f"not everything can be copied:\n{problems}", hint="Change these values first")
    _write_poses(world, roots, entries)
    items = [item_text(plain(entry), 2, flow=True) for entry in reported("writing entries:", entries)]
    body = "".join(f"\n  {each}" for each in items) or " []"
    return f"rish: {FORMAT}\nentities:{body}\n"


def _with_name(entry: Data, path: Steps, name: str) -> Data:
    """Return an entry in which the entry at a path has a name, in front of its other keys."""
    if path:
        child: Any = entry
        for step in path[:-1]:
            child = child[step]
        child[path[-1]] = _with_name(child[path[-1]], (), name)
        return entry
    return {key: entry[key] for key in ("prefab",) if key in entry} | {"name": name} | entry | {"name": name}


def _write_poses(world: World, roots: Column, entries: list[Data]) -> None:
    """Write the world poses of those roots that have a parent into their entries."""
    children = np.flatnonzero(parents_of(world, roots) != 0)
    if not len(children):
        return
    for table in world.trees:
        with_component: Column = children[table.lookup(roots[children]) >= 0]
        cls, fields = table.schema.cls, table.schema.fields
        values = poses_in_world(world, table, roots[with_component])
        indices: list[int] = with_component.tolist()
        for i, index in enumerate(indices):
            entry = entries[index]
            pose = {name: text_value(fields[name], each[i], lambda _: None) for name, each in values.items()}  # pyright: ignore[reportArgumentType]
            component: Data = entry.setdefault(kind_of(cls).name, {})
            if cls is Transform and ("at" in entry or "prefab" in entry):
                entry["at"] = pose.pop("position")
                component.pop("position", None)
            component.update(pose)


# Pasting


def paste_entities(
    app: App, text: str, *, parent: int | None = None, offset: Sequence[float] | None = None
) -> list[int]:  # fmt: skip
    """Spawn the entities of a text from `copy_entities`; return the handles of its entries, marked as authored.

    They become the last children of `parent`. Their poses in the text are world poses, to which `offset` in 2D units is
    added. A taken name gets a number. References between them refer to the new entities; a reference to a name that
    does not exist becomes empty. Raises UsageError with the places of all mistakes; then nothing is spawned.
    """
    world, parent_handle = app.world, int(parent or 0)
    if parent_handle:
        require_place(world, require_alive(world, [parent_handle]))
        require_depth(world, parent_handle)
    shift = np.asarray((0, 0) if offset is None else offset, np.float32)
    if shift.shape != (2,) or not np.isfinite(shift).all():
        raise UsageError(f"{offset!r} is no offset", hint="Give two finite numbers")
    plan = _compiled(app, _entries_of(text))
    steps = plan.spawn(world)
    spawned = np.concatenate(steps) if steps else np.zeros(0, np.int64)
    if not len(spawned):
        return []
    write_origins(world, spawned, origins_of_copies(world, app.game, spawned, plan))
    roots = np.concatenate([of_step for of_step, step in zip(steps, plan.steps, strict=True) if step.parent < 0])
    rename_copies(world, spawned)
    mark_authored(world, *roots.tolist())
    table = world.table(Transform)
    free = roots[(parents_of(world, roots) == 0) & placed(world, roots)]
    flat = free[table.lookup(free) >= 0]
    if len(flat) and shift.any():
        place: Any = table.column("position")[table.rows_of(flat)] + shift
        world.set(flat, Transform(position=place, last_position=place))
    if parent_handle and len(free):
        hang(world, free, parent_handle)
    for group in np.unique(parents_of(world, roots)).tolist():
        append_to_arranged(world, roots[parents_of(world, roots) == group], group)
    return roots.tolist()


def _entries_of(text: str) -> YamlList:
    """Return the entries of a text. Raises UsageError with places."""
    document = read_yaml(text, _FILE)
    if document.problems:
        raise _refusal(document.problems)
    data: Any = document.data
    entries = data.get("entities") if isinstance(data, YamlMap) else None
    if not isinstance(entries, YamlList) or data.get("rish") != FORMAT or len(data) != 2:
        what = f"must be `rish: {FORMAT}` and `entities:`, a list of entries, not {show(data)}"
        raise _refusal([Problem(document.place(), "", what)])
    return entries


def _refusal(problems: Iterable[Problem]) -> UsageError:
    """Return the error that lists problems."""
    located = [Problem(p.place, p.path.replace(path_text(("scenes", _SCENE)), "entities"), p.what) for p in problems]
    text = "\n".join(f"  {problem}" for problem in located[:20])
    return UsageError(f"the clipboard can't be pasted:\n{text}", hint="Copy entities of this game, then paste again")


def _compiled(app: App, entries: YamlList) -> SpawnPlan:
    """Return the checked plan of pasted entries. Raises UsageError with places."""
    spot = Spot(_FILE)
    data = YamlMap(spot)
    for key, value in app.manifest.data.items():
        if key != "scenes":
            data.put(key, value, app.manifest.data.keys_at[key], app.manifest.data.values_at[key])
    names = _names(app.world)
    allowed = names | _words(entries, "name") | {n for plan in app.game.prefabs.values() for n in plan.names()}
    for entry in entries:
        _drop_unknown(app, entry, allowed)
    outside = YamlList(spot)
    for name in sorted(names & _words(entries, None)):
        placeholder = YamlMap(spot)
        placeholder.update(name=name, Persistent={})
        outside.append(placeholder)
        outside.items_at.append(spot)
    scenes = YamlMap(spot)
    scenes.put(_SCENE, entries, spot, entries.mark)
    scenes.put(_OUTSIDE, outside, spot, spot)
    data.put("scenes", scenes, spot, spot)
    manifest = dataclasses.replace(app.manifest, data=data, start=_SCENE, problems=[], skipped={})
    with app.plugins.raising():
        app.plugins.gather("rish_manifest", manifest=manifest, plugins=app.plugins, registry=app.registry)
    try:
        return compile_manifest(manifest, app.registry).scene(_SCENE)
    except ManifestError as error:
        raise _refusal(error.problems) from None


def _names(world: World) -> set[str]:
    """Return the names of all entities."""
    return {world.text(number) for number in np.unique(world.table(Name).column("value")).tolist()}


def _words(node: Any, key: str | None) -> set[str]:
    """Return all texts below a node. key: only the texts of this key; None: all."""
    if isinstance(node, YamlMap):
        texts = {value for name, value in node.items() if isinstance(value, str) and key in (None, name)}
        return texts.union(*(_words(value, key) for value in node.values()))
    if isinstance(node, YamlList):
        texts = {value for value in node if isinstance(value, str) and key is None}
        return texts.union(*(_words(value, key) for value in node))
    return set()


def _drop_unknown(app: App, entry: Any, known: set[str]) -> None:
    """Empty the references of an entry and its children to unknown names. known: the names that exist."""
    if not isinstance(entry, YamlMap):
        return
    parent = entry.get("parent")
    if isinstance(parent, str) and parent not in known:
        del entry["parent"]
    for key, value in list(entry.items()):
        if key == "children" and isinstance(value, YamlList):
            for child in value:
                _drop_unknown(app, child, known)
        elif isinstance(value, YamlMap):
            _drop_fields(_entity_fields(app, key), value, known)
        elif isinstance(value, str) and value not in known:
            component, _, name = key.rpartition(".")
            if name in _entity_fields(app, component):
                entry[key] = None


def _drop_fields(fields: set[str], values: YamlMap, known: set[str]) -> None:
    """Empty the fields of a component that refer to unknown names."""
    for name in fields & values.keys():
        if isinstance(values[name], str) and values[name] not in known:
            values[name] = None


def _entity_fields(app: App, key: str) -> set[str]:
    """Return the fields of a component that refer to entities; key: its name, also with the names of children."""
    names = key.split(".")
    for name in (".".join(names[-2:]), names[-1]):
        cls = app.world.kind(name)
        if cls is not None:
            return {n for n, spec in kind_of(cls).fields.items() if spec.type.special == "entity"}
    return set()
