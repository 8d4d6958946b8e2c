"""Builds complete entries for entities without an entry: new entities, and changed copies of a group."""

from __future__ import annotations

import copy
from typing import Any

from rish_core import Group, Name, Origin, Tags, Transform, UsageError
from rish_core.manifest import Drawn
from rish_ecs import kind_of

from ..text.nodes import Steps
from .fields import changed_values, changes_of
from .scene_world import SceneWorld
from .values import text_value
from .worlds import NAMED, Key, Spawned

PREFAB = "prefab:"


def prefab_of(session: SceneWorld, handle: int) -> str:
    """Return the prefab that an entity was spawned from, or ""."""
    key = session.now.keys.get(handle)
    if key is not None:
        return session.steps[key[0]].node.prefab
    world = session.app.world
    if world.has(handle, Origin):
        origin: Any = world.get(handle, Origin)
        if origin.scene.startswith(PREFAB) and origin.entry == 0:
            name = origin.scene.removeprefix(PREFAB)
            return name if name in session.compiled.prefabs else ""
    return ""


def entry_of(session: SceneWorld, handle: int, written: dict[int, Steps | None], at: Steps = ()) -> dict[str, Any]:
    """Return the entry that spawns an entity with its children, as data.

    written: filled with the handles that the entry contains, each with the path of its own entry below `at`; None for
    entities that a prefab spawns. Children that have entries already are left out. If overrides can't express the
    changes of a prefab instance, the entry is written without the prefab. Values that a manifest can't contain are
    added to the problems.
    """
    problems, contained = list(session.problems), dict(written)
    data = _entry(session, handle, written, prefab_of(session, handle), at)
    if "prefab" in data and session.problems != problems:
        prefab_problems = list(session.problems)
        session.problems[:] = problems
        written.clear()
        written.update(contained)
        data = _entry(session, handle, written, "", at)
        session.notes.append(
            f"{session.phrase_for(handle)} is written without its prefab: {prefab_problems[len(problems)]}"
        )
    return data


def _entry(
    session: SceneWorld, handle: int, written: dict[int, Steps | None], prefab: str, at: Steps
) -> dict[str, Any]:
    """Return the entry of an entity as an instance of a prefab; prefab: "" for none."""
    written[handle] = at
    data: dict[str, Any] = {"prefab": prefab} if prefab else {}
    brought = brought_by(session, handle, prefab) if prefab else {}
    if prefab:
        _override(session, handle, brought, data, written)
    else:
        _write_name_tags_group(session, handle, data, None)
        for cls in session.now.components(handle):
            if cls not in NAMED:
                data[session.key_name(cls)] = _values(session, handle, cls)
    children = [child for child in session.now.children.get(handle, ()) if child not in brought]
    base = session.prefab_node(prefab)
    names = {child.name for child in base.children if child.name} if base is not None else set[str]()
    if any(session.now.name(child) in names for child in children):
        session.problems.append(f"{session.phrase_for(handle)}: a new child has the name of one that its prefab brings")
    children = sorted((child for child in children if child not in session.entries), key=session.row)
    entries = [entry_of(session, child, written, at=(*at, "children", i)) for i, child in enumerate(children)]
    if entries:
        data["children"] = entries
    return data


def _values(session: SceneWorld, handle: int, cls: type) -> dict[str, Any]:
    """Return the fields of a component that differ from the defaults; a UsageError becomes a problem."""
    try:
        return changed_values(session, cls, handle)
    except UsageError as error:
        session.problems.append(f"{session.phrase_for(handle)}, {cls.__name__}: {error}")
        return {}


def _write_name_tags_group(session: SceneWorld, handle: int, data: dict[str, Any], base: Any) -> None:
    """Add name, tags and group to an entry. base: the node of the prefab, or None."""
    world = session.app.world
    for cls, key in ((Name, "name"), (Tags, "tags"), (Group, "group")):
        view: Any = world.get(handle, cls) if world.has(handle, cls) else None
        value: Any = None if view is None else [*view.values] if cls is Tags else view.value
        inherited: Any = getattr(base, key) if base is not None else ()
        if cls is Tags and base is not None:
            if (value or [])[: len(inherited)] != list(inherited):
                session.problems.append(f"{session.phrase_for(handle)}: tags of its prefab can't be removed")
            value = [] if value is None else value[len(inherited) :]
        if value and value != inherited:
            data[key] = value
        elif inherited and not value and cls is not Tags:
            session.problems.append(f"{session.phrase_for(handle)}: the {key} of its prefab can't be removed")


def brought_by(session: SceneWorld, handle: int, prefab: str) -> dict[int, Key]:
    """Return the entities of a prefab instance by handle, with their keys in a World with one copy of the prefab."""
    steps = session.compiled.prefabs[prefab].steps
    keys: dict[int, Key] = {}

    def pair(entity: int, number: int, copy_number: int) -> None:
        keys[entity] = (number, copy_number)
        below = [i for i, step in enumerate(steps) if step.parent == number]
        key = session.now.keys.get(entity)
        child_steps = session.inside(key[0])[: len(below)] if key is not None else below
        for number_now, base in zip(child_steps, below, strict=False):
            children = [
                child for child in session.now.children.get(entity, ()) if _number(session, child) == number_now
            ]
            count = steps[base].node.count
            for index, child in enumerate(children[:count]):
                pair(child, base, copy_number * count + index)

    pair(handle, 0, 0)
    return keys


def _number(session: SceneWorld, handle: int) -> int | None:
    """Return the number of the step from which an entity was spawned, or None."""
    key = session.now.keys.get(handle)
    if key is not None:
        return key[0]
    world = session.app.world
    return int(world.get(handle, Origin).entry) if world.has(handle, Origin) else None


def _override(
    session: SceneWorld, handle: int, brought: dict[int, Key], data: dict[str, Any], written: dict[int, Steps | None]
) -> None:  # fmt: skip
    """Add the differences from the prefab: its root by plain keys, its children by keys with dots."""
    prefab = data["prefab"]
    anew = session.prefab_world(prefab)
    now: Spawned = copy.copy(session.now)
    now.keys = brought
    steps = session.compiled.prefabs[prefab].steps
    _write_name_tags_group(session, handle, data, steps[0].node)
    for key in anew.handles:
        if key not in brought.values():
            session.problems.append(f"{session.phrase_for(handle)}: a child of its prefab can't be removed")
    for entity, key in brought.items():
        written.setdefault(entity, None)
        changes = changes_of(now, entity, anew, anew.handles[key])
        prefix = ""
        if key[0]:
            prefix = _prefix(steps, key[0])
            if any(cls in NAMED for cls in (*changes.fields, *changes.added, *changes.removed)):
                session.problems.append(f"{session.phrase_for(entity)}: its name and tags come from the prefab")
            if any(child not in brought for child in session.now.children.get(entity, ())):
                session.problems.append(
                    f"{session.phrase_for(entity)}: a child of a prefab's child needs an entry above it"
                )
            if changes and not prefix:
                session.problems.append(
                    f"{session.phrase_for(entity)}: a child without a name of its own can't be changed here"
                )
                continue
        for cls in changes.removed:
            if cls not in NAMED:
                data[f"{prefix}{session.key_name(cls)}"] = None
        for cls in changes.added:
            if cls not in NAMED:
                data[f"{prefix}{session.key_name(cls)}"] = _values(session, entity, cls)
        random_fields = {
            cls: {name for name, value in values.items() if isinstance(value, Drawn)}
            for cls, values in steps[key[0]].parts.items()
        }
        for cls in session.now.components(entity):
            names = random_fields.get(cls, set[str]()) | set(changes.fields.get(cls, ()))
            if cls not in NAMED and cls not in changes.added and names:
                _put_fields(session, entity, cls, sorted(names), prefix, data)


def _put_fields(
    session: SceneWorld, handle: int, cls: type, names: list[str], prefix: str, data: dict[str, Any]
) -> None:  # fmt: skip
    values = session.now.read(handle, cls)
    for name in names:
        try:
            value = text_value(kind_of(cls).fields[name], values[name], session.name_of)
        except UsageError as error:
            session.problems.append(f"{session.phrase_for(handle)}: {error}")
            continue
        if prefix:
            data[f"{prefix}{session.key_name(cls)}.{name}"] = value
        elif cls is Transform and name == "position":
            data["at"] = value
        else:
            data.setdefault(session.key_name(cls), {})[name] = value


def _prefix(steps: Any, number: int) -> str:
    """Return the key prefix of a child of a prefab, `turret.barrel.`; "" if a name is missing or not unique."""
    names: list[str] = []
    while number:
        step = steps[number]
        namesakes = [other for other in steps if other.parent == step.parent and other.node.name == step.node.name]
        if not step.node.name or len(namesakes) > 1 or step.node.count != 1 or "." in step.node.name:
            return ""
        names.append(step.node.name)
        number = step.parent
    return "".join(f"{name}." for name in reversed(names))
