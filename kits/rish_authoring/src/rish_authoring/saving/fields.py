"""Writes the changed fields and components of one entity into its entry, or as overrides next to `prefab:`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rish_core import Group, Name, Tags, Transform, UsageError
from rish_core.manifest import Drawn, Listed, Node
from rish_ecs import kind_of

from ..text.nodes import Steps
from .scene_world import SceneWorld
from .session import Session
from .values import text_value
from .worlds import NAMED, Spawned, same_value, written_fields


@dataclass
class Changes:
    """The differences between an entity and the entity with which it is compared.

    fields: by component, the values of the changed fields. added, removed: components.
    """

    fields: dict[type, dict[str, Any]] = field(default_factory=dict[type, dict[str, Any]])
    added: list[type] = field(default_factory=list[type])
    removed: list[type] = field(default_factory=list[type])

    def __bool__(self) -> bool:
        return bool(self.fields or self.added or self.removed)

    def key(self) -> str:
        """Return a text that is equal for equal changes."""
        pairs = {cls.__name__: {n: np.asarray(v).tolist() for n, v in fs.items()} for cls, fs in self.fields.items()}
        return repr((pairs, [c.__name__ for c in self.added], [c.__name__ for c in self.removed]))


def changes_of(one: Spawned, handle: int, two: Spawned, other: int) -> Changes:
    """Return the differences of `handle` in the World `one` from the entity `other` in the World `two`."""
    changes = Changes()
    components, other_components = one.components(handle), two.components(other)
    changes.added = [cls for cls in components if cls not in other_components]
    changes.removed = [cls for cls in other_components if cls not in components]
    for cls in components:
        if cls in other_components:
            values, other_values = one.read(handle, cls), two.read(other, cls)
            specs = written_fields(cls)
            changed = {n: v for n, v in values.items() if not same_value(specs[n], v, other_values[n], one, two)}
            if changed:
                changes.fields[cls] = changed
    return changes


def changed_values(session: SceneWorld, cls: type, handle: int) -> dict[str, Any]:
    """Return the fields of a component that differ from their defaults, as data of a manifest."""
    specs = written_fields(cls)
    values = session.now.read(handle, cls)
    table = session.app.world.table(cls)
    defaults = table.defaults()
    data: dict[str, Any] = {}
    for name, spec in specs.items():
        row = table.row_of(handle)
        if spec.type.pooled:
            default = spec.default
            is_changed = np.asarray(values[name]).tolist() != np.asarray(default).tolist()
        else:
            is_changed = not np.array_equal(table.column(name)[row], np.asarray(defaults[name], spec.type.dtype))
        if is_changed:
            data[name] = text_value(spec, values[name], session.name_of)
    return data


class EntryWriter:
    """Writes the changes of one entity into an entry.

    path: the entry. node: its node. prefix: the key prefix for a child of a prefab instance, `turret.barrel.`. base:
    the node of the entity's prefab; None: that of `node`.
    """

    def __init__(self, session: Session, path: Steps, node: Node, prefix: str = "", base: Node | None = None) -> None:
        self.session, self.path, self.node, self.prefix = session, path, node, prefix
        self.base = base if base is not None else session.prefab_node(node.prefab)
        self.text = session.text.of(path)

    def write(self, handle: int, changes: Changes) -> None:
        """Write all changes. Changes that a manifest can't contain are added to the problems."""
        for cls in changes.removed:
            self._try(handle, lambda cls=cls: self._remove(cls))
        for cls in changes.added:
            self._try(handle, lambda cls=cls: self._add(cls, handle))
        for cls, values in changes.fields.items():
            for name in values:
                self._try(handle, lambda cls=cls, name=name: self._field(cls, name, handle))

    def _try(self, handle: int, work: Any) -> None:
        """Call a function; a UsageError becomes a problem of the entity."""
        try:
            work()
        except UsageError as error:
            self.session.problems.append(f"{self.session.phrase_for(handle)}: {error}")

    def _note(self, what: str) -> None:
        self.session.edits.append(what)

    def _keys(self, cls: type) -> list[str]:
        """Return the keys of the entry that write a component, or fields of it."""
        kind = kind_of(cls)
        names = {f"{self.prefix}{name}" for name in (kind.name, kind.key, *kind.former_keys)}
        entry = self.text.get(self.path)
        return [key for key in entry if key in names or any(key.startswith(f"{name}.") for name in names)]

    def _place(self, cls: type, name: str) -> Steps | None:
        """Return the path at which the entry sets a field, or None."""
        spec = kind_of(cls).fields[name]
        entry: Any = self.text.get(self.path)
        for key in self._keys(cls):
            for spelling in (name, *spec.was):
                if key.endswith(f".{spelling}"):
                    return (*self.path, key)
                if isinstance(entry[key], dict) and spelling in entry[key]:
                    return (*self.path, key, spelling)
        return None

    def _base_value(self, cls: type, name: str) -> Any:
        """Return the checked value that the prefab gives to a field; the default if it gives none."""
        assert self.base is not None
        return self.base.parts.get(cls, {}).get(name, kind_of(cls).fields[name].default)

    def _is_base(self, cls: type, name: str, value: Any) -> bool:
        """Return whether a value is the one that the prefab gives to a field."""
        if self.base is None or cls not in self.base.parts:
            return False
        spec, base = kind_of(cls).fields[name], self._base_value(cls, name)
        if isinstance(base, (Listed, Drawn)) or spec.type.special == "entity":
            return False
        base_value: Any = cls(**{name: base}).__dict__[name]
        if np.ndim(base_value) or np.ndim(value):
            return np.array_equal(np.asarray(base_value), np.asarray(value))
        return (
            bool(np.asarray(base_value, spec.type.dtype) == value)
            if spec.type.dtype.kind == "f"
            else bool(base_value == value)
        )

    def _field(self, cls: type, name: str, handle: int) -> None:
        """Write a changed field, or delete its override if it has the prefab's value again."""
        session, spec = self.session, kind_of(cls).fields[name]
        if cls in NAMED:
            self._write_named(cls, handle)
            return
        value = session.now.read(handle, cls)[name]
        data = text_value(spec, value, session.name_of)
        if cls is Transform and name == "position" and self.node.at is not None and not self.prefix:
            self._position(data)
            return
        place = self._place(cls, name)
        if place is not None and self._is_base(cls, name, value):
            self._unset(place)
            return
        if place is None:
            dotted = f"{self.prefix}{session.key_name(cls)}"
            place = (*self.path, f"{dotted}.{name}") if self.prefix else (*self.path, dotted, name)
        self.text.put(place, data)
        self._note(f"{session.phrase_for(handle)}: {cls.__name__}.{name} is {data!r}")

    def _unset(self, place: Steps) -> None:
        """Delete an override, and the component's mapping if it is then empty."""
        self.text.delete(place)
        component = place[:-1]
        if component != self.path and self.text.get(component) == {}:
            self.text.delete(component)
        self._note(f"{'.'.join(map(str, place[len(self.path) :]))} is again as in the prefab")

    def _position(self, data: Any) -> None:
        """Write a position as `at:`."""
        at: Any = self.text.get((*self.path, "at")) if self.text.has((*self.path, "at")) else None
        if isinstance(at, list) and at and isinstance(at[0], list):
            self.text.set((*self.path, "at", 0), data)
        else:
            self.text.put((*self.path, "at"), data)
        self._note(f"at is {data!r}")

    def _add(self, cls: type, handle: int) -> None:
        """Write a component that the entry does not have."""
        if cls in NAMED:
            self._write_named(cls, handle)
            return
        values = changed_values(self.session, cls, handle)
        key = f"{self.prefix}{self.session.key_name(cls)}"
        for present_key in self._keys(cls):
            self.text.delete((*self.path, present_key))
        if self.base is not None and cls in self.base.parts:
            prefab_values = self.base.parts[cls]
            for name in prefab_values:
                if name not in values:
                    spec = kind_of(cls).fields[name]
                    values[name] = text_value(spec, self.session.now.read(handle, cls)[name], self.session.name_of)
        self.text.put((*self.path, key), values)
        self._note(f"{self.session.phrase_for(handle)} has {cls.__name__}")

    def _remove(self, cls: type) -> None:
        """Delete a component from the entry; null removes one of the prefab."""
        if cls in NAMED:
            key = {Name: "name", Tags: "tags", Group: "group"}[cls]
            inherited = self.base is not None and bool(getattr(self.base, key))
            present_keys = [*self._keys(cls), *([key] if self.text.has((*self.path, key)) else [])]
            if self.prefix or inherited or not present_keys:
                raise UsageError(f"the {key} comes from a prefab and can't be removed", hint="Change the prefab")
            for present_key in present_keys:
                self.text.delete((*self.path, present_key))
            return
        for present_key in self._keys(cls):
            self.text.delete((*self.path, present_key))
        if self.base is not None and cls in self.base.parts:
            self.text.put((*self.path, f"{self.prefix}{self.session.key_name(cls)}"), None)
        self._note(f"{cls.__name__} is removed")

    def _write_named(self, cls: type, handle: int) -> None:
        """Write the name, the tags or the group."""
        if self.prefix:
            raise UsageError(f"its {cls.__name__.lower()} comes from a prefab", hint="Change the prefab")
        key = {Name: "name", Tags: "tags", Group: "group"}[cls]
        view: Any = self.session.app.world.get(handle, cls)
        value: Any = list(view.values) if cls is Tags else view.value
        if cls is Tags:
            inherited = list(self.base.tags) if self.base is not None else []
            if value[: len(inherited)] != inherited:
                raise UsageError("tags of a prefab can't be removed", hint="Change the prefab")
            value = value[len(inherited) :]
        inherited_value: Any = (
            getattr(self.base, key) if self.base is not None and cls is not Tags else [] if cls is Tags else ""
        )
        written = self._keys(cls)  # in the form of a component, which the short form replaces
        for component_key in written:
            self.text.delete((*self.path, component_key))
        if written and not value and not inherited_value:
            self.text.put((*self.path, kind_of(cls).name), {})
        elif value == inherited_value or not value:
            if self.text.has((*self.path, key)):
                self.text.delete((*self.path, key))
            elif value != inherited_value:
                raise UsageError(f"an empty {key} can't be written")
        else:
            self.text.put((*self.path, key), value)
        self._note(f"{key} is {value!r}")
