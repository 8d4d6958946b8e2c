"""The clipboard: entities as text, and entities from text.

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
from ..tree.prefab_instances import origins_of_uses, write_origins
from ..tree.selection import chosen, placed, require_place, tops, with_children
from ..tree.transforms import hang, poses_in_world, require_depth

_FILE = "the clipboard"
_SCENE, _OUTSIDE = "the clipboard", "outside of the clipboard"
"""The scenes in which pasted entries are checked; no scene of a game can have such a name."""
Data = dict[str, Any]


# Copying


class _Copied(SceneWorld):
    """The entities to copy; those that are referred to get names of their own."""

    def __init__(self, app: App, handles: Column) -> None:
        super().__init__(app)
        self.copied = set(with_children(app.world, handles).tolist())
        self.given: dict[int, str] = {}

    def name_of(self, handle: int) -> Any:
        """Return the name by which the text refers to an entity; None if it is outside and has none of its own."""
        name = self.now.name(handle)
        if self.is_unique(name) or handle in self.given:
            return self.given.get(handle, name)
        if handle not in self.copied:
            return None
        self.given[handle] = free_names(self.app.world, [*self.given.values(), name or "entity"])[-1]
        return self.given[handle]


def copy_entities(app: App, handles: Sequence[int]) -> str:
    """Return entities with their children as text for `paste_entities`, in their order in the tree.

    Their poses are those in the world. References among them are kept; those to others are kept by name, or empty if
    the name is not unique. Raises StaleEntity, and UsageError for values that a manifest can't contain.
    """
    world = app.world
    roots = tops(world, handles)
    roots = roots[np.argsort(tree_order(app).rows_of(roots))]
    scene = _Copied(app, roots)
    entries: list[Data] = []
    where: dict[int, tuple[int, Steps]] = {}
    for number, handle in enumerate(reported("writing entries:", roots.tolist())):
        written: dict[int, Steps | None] = {}
        entries.append(entry_of(scene, handle, written))
        where.update({inner: (number, path) for inner, path in written.items() if path is not None})
    for handle, name in scene.given.items():
        if handle in where:
            number, path = where[handle]
            entries[number] = _named(entries[number], path, name)
    if scene.problems:
        listed = "\n".join(f"  {text}" for text in scene.problems[:20])
        raise UsageError(f"not everything can be copied:\n{listed}", hint="Change these values first")
    _write_poses(world, roots, entries)
    said = [item_text(plain(entry), 2, flow=True) for entry in reported("writing entries:", entries)]
    body = "".join(f"\n  {each}" for each in said) or " []"
    return f"rish: {FORMAT}\nentities:{body}\n"


def _named(entry: Data, path: Steps, name: str) -> Data:
    """Return an entry in which the entry at a path has a name, before its other keys."""
    if path:
        child: Any = entry
        for step in path[:-1]:
            child = child[step]
        child[path[-1]] = _named(child[path[-1]], (), name)
        return entry
    return {key: entry[key] for key in ("prefab",) if key in entry} | {"name": name} | entry | {"name": name}


def _write_poses(world: World, roots: Column, entries: list[Data]) -> None:
    """Write the poses of children of others as they are in the world."""
    hung = np.flatnonzero(parents_of(world, roots) != 0)
    if not len(hung):
        return
    for table in world.trees:
        here: Column = hung[table.lookup(roots[hung]) >= 0]
        cls, fields = table.schema.cls, table.schema.fields
        values = poses_in_world(world, table, roots[here])
        indices: list[int] = here.tolist()
        for k, index in enumerate(indices):
            entry = entries[index]
            said = {name: text_value(fields[name], each[k], lambda _: None) for name, each in values.items()}  # pyright: ignore[reportArgumentType]
            own: Data = entry.setdefault(kind_of(cls).name, {})
            if cls is Transform and ("at" in entry or "prefab" in entry):
                entry["at"] = said.pop("position")
                own.pop("position", None)
            own.update(said)


# Pasting


def paste_entities(
    app: App, text: str, *, parent: int | None = None, offset: Sequence[float] | None = None
) -> list[int]:  # fmt: skip
    """Spawn the entities of a text from `copy_entities`; return the handles of its entries, marked as authored.

    They are the last children of `parent`, in the poses that the text gives them in the world, moved by `offset` in
    units of 2D. A taken name gets a number. References among them go to the new entities; names that are not found give
    empty references. Raises UsageError with the places of all mistakes; then nothing is spawned.
    """
    world, above = app.world, int(parent or 0)
    if above:
        require_place(world, chosen(world, [above]))
        require_depth(world, above)
    by = np.asarray((0, 0) if offset is None else offset, np.float32)
    if by.shape != (2,) or not np.isfinite(by).all():
        raise UsageError(f"{offset!r} is no offset", hint="Give two finite numbers")
    plan = _compiled(app, _entries_of(text))
    steps = plan.spawn(world)
    made = np.concatenate(steps) if steps else np.zeros(0, np.int64)
    if not len(made):
        return []
    write_origins(world, made, origins_of_uses(world, app.game, made, plan))
    roots = np.concatenate([mine for mine, step in zip(steps, plan.steps, strict=True) if step.parent < 0])
    rename_copies(world, made)
    mark_authored(world, *roots.tolist())
    table = world.table(Transform)
    free = roots[(parents_of(world, roots) == 0) & placed(world, roots)]
    flat = free[table.lookup(free) >= 0]
    if len(flat) and by.any():
        place: Any = table.column("position")[table.rows_of(flat)] + by
        world.set(flat, Transform(position=place, last_position=place))
    if above and len(free):
        hang(world, free, above)
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
    listed = [Problem(p.place, p.path.replace(path_text(("scenes", _SCENE)), "entities"), p.what) for p in problems]
    text = "\n".join(f"  {problem}" for problem in listed[:20])
    return UsageError(f"the clipboard can't be pasted:\n{text}", hint="Copy entities of this game, then paste again")


def _compiled(app: App, entries: YamlList) -> SpawnPlan:
    """Return the checked plan of pasted entries. Raises UsageError with places."""
    spot = Spot(_FILE)
    data = YamlMap(spot)
    for key, value in app.manifest.data.items():
        if key != "scenes":
            data.put(key, value, app.manifest.data.keys_at[key], app.manifest.data.values_at[key])
    names = _names(app.world)
    known = names | _words(entries, "name") | {n for plan in app.game.prefabs.values() for n in plan.names()}
    for entry in entries:
        _drop_unknown(app, entry, known)
    outside = YamlList(spot)
    for name in sorted(names & _words(entries, None)):
        one = YamlMap(spot)
        one.update(name=name, Persistent={})
        outside.append(one)
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
    return {world.text(number) for number in np.unique(world.table(Name).column("value")).tolist()}


def _words(node: Any, key: str | None) -> set[str]:
    """Return all texts below a node; key: only those of this key."""
    if isinstance(node, YamlMap):
        found = {value for name, value in node.items() if isinstance(value, str) and key in (None, name)}
        return found.union(*(_words(value, key) for value in node.values()))
    if isinstance(node, YamlList):
        found = {value for value in node if isinstance(value, str) and key is None}
        return found.union(*(_words(value, key) for value in node))
    return set()


def _drop_unknown(app: App, entry: Any, known: set[str]) -> None:
    """Empty the references of an entry, and of its children, to names that are not known."""
    if not isinstance(entry, YamlMap):
        return
    lost = entry.get("parent")
    if isinstance(lost, str) and lost not in known:
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
