"""Entries: the items of scenes, prefabs and `children`, read and checked at the place where they are written.

An entry is a mapping. Keys in CapWords (`Body`, or `physics.Body` if two plugins have one) are components; keys in
lower case are the entry's own: `prefab name tags group count at parent children`. Keys with dots name a field, or
components of children: `Body.mass`, `barrel.Sprite`, `barrel.Sprite.color`. Each component is checked once, where it is
written, before inheritance; inheriting then merges checked values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rish_ecs import RishError, did_you_mean
from rish_ecs.declarations import Kind, show

from .nodes import Mark, YamlList, YamlMap
from .optional import Components, OptionalNames
from .placing import MAX_COPIES, Placing, read_placing
from .schema import FieldsReader, Ref, Scope
from .validate import Report, Steps

RESERVED = ("prefab", "name", "tags", "group", "count", "at", "parent", "children")
"""The lower-case keys of an entry."""
ROOT_OF_PREFAB = ("prefab", "name", "tags", "group", "children")
"""The reserved keys allowed at the top of a prefab; the others belong to the entry that uses the prefab."""
_NAME = re.compile(r"[^\s/][^/\n]*\Z")
_COMPONENT = re.compile(r"([a-z][\w-]*\.)?[A-Z]\w*\Z")


@dataclass
class Entry:
    """One entry as written, with checked values, before inheritance.

    parts: the written values of each component, by class; None for `Component: null`, which removes an inherited one.
    changes: whether it comes from a key with dots, so that it must change an inherited child. lost: whether its prefab
    belongs to an absent plugin.
    """

    mark: Mark
    path: Steps
    prefab: str = ""
    prefab_mark: Mark | None = None
    name: str = ""
    group: str = ""
    tags: tuple[str, ...] = ()
    count: int | None = None
    at: Placing | None = None
    parent: Ref | None = None
    parts: dict[type, dict[str, Any] | None] = field(default_factory=dict[type, "dict[str, Any] | None"])
    children: list[Entry] = field(default_factory=list["Entry"])
    changes: bool = False
    lost: bool = False


class EntryReader:
    """Reads entries and checks them against the components of a registry."""

    def __init__(
        self, registry: Components, scope: Scope, report: Report, prefabs: Mapping[str, Any], names: OptionalNames
    ) -> None:
        self.registry, self.scope, self.report, self.prefabs, self.names = registry, scope, report, prefabs, names
        self._readers: dict[str, FieldsReader | str] = {}
        self._kinds: dict[str, Kind] = {}
        self._key_readers: dict[str, Callable[[Entry, YamlMap, Any, Mark, Steps], None]] = {
            "prefab": self._prefab, "name": self._name, "tags": self._tags, "group": self._group,
            "count": self._count, "at": self._at, "parent": self._parent, "children": self._children,
        }  # fmt: skip

    def of_plugins(self) -> EntryReader:
        """Return a reader for prefabs that plugins declare, in which short names of optional plugins are allowed."""
        return EntryReader(self.registry, self.scope, self.report, self.prefabs, self.names.of_plugins())

    def read(self, node: Any, mark: Mark, path: Steps, *, prefab: bool = False) -> Entry:
        """Return one entry; mistakes are reported. prefab: the node is the top level of a prefab."""
        entry = Entry(mark, path)
        if not isinstance(node, YamlMap):
            if node is not None or not prefab:
                what = f"must be an entry such as {{prefab: crate}} or {{Transform: {{}}}}, not {show(node)}"
                self.report.add(mark, path, what)
            return entry
        dotted: list[str] = []
        for key, value in node.items():
            read_key = self._key_readers.get(key)
            if read_key is None and "." in key and not self._is_component(key):
                dotted.append(key)
            elif read_key is None:
                self._component(entry, node, key, value)
            elif prefab and key not in ROOT_OF_PREFAB:
                what = f"'{key}' belongs to an entry of a scene or of children, not to a prefab"
                self.report.add(node.keys_at[key], (*path, key), what)
            else:
                read_key(entry, node, value, node.values_at[key], (*path, key))
        for key in dotted:
            self._dotted(entry, node, key)
        if entry.at is not None:
            self._check_count(entry, node)
        return entry

    def _is_component(self, key: str) -> bool:
        """Whether a key is the name of a component, as in `plugin.Component`."""
        return _COMPONENT.match(key) is not None and key in self.registry.components

    def _dotted(self, entry: Entry, node: YamlMap, key: str) -> None:
        """Read a key such as `barrel.Sprite.color` into the entry, or into the child that it names."""
        *names, last = key.split(".")
        field, name = (last, names.pop()) if last[:1].islower() and names else ("", last)
        if names and (names[-1] in self.names.optional or self._is_component(f"{names[-1]}.{name}")):
            name = f"{names.pop()}.{name}"
        if not all((*names, name)) or not _COMPONENT.match(name):
            what = f"{key!r} is not a valid key: write Component.field, child.Component or child.Component.field"
            self.report.add(node.keys_at[key], (*entry.path, key), what)
            return
        if self.names.skip(name):
            return
        for child_name in names:
            child = next((each for each in entry.children if each.name == child_name), None)
            if child is None:
                child = Entry(node.keys_at[key], (*entry.path, child_name), name=child_name, changes=True)
                entry.children.append(child)
            entry = child
        fields = YamlMap(node.values_at[key])
        if field:
            fields.put(field, node[key], node.keys_at[key], node.values_at[key])
        component = YamlMap(node.mark)
        component.put(name, fields if field else node[key], node.keys_at[key], node.values_at[key])
        entry_parts = entry.parts
        entry.parts = {}
        self._component(entry, component, name, component[name])
        for cls, values in entry.parts.items():
            written = entry_parts.get(cls)
            twice = sorted({*(written or {})} & {*(values or {})})
            if cls in entry_parts and (written is None or values is None or twice):
                what = f"{'.'.join([name, *twice[:1]])} is given twice in this entry"
                self.report.add(node.keys_at[key], (*entry.path, key), what)
            else:
                entry_parts[cls] = values if written is None or values is None else {**written, **values}
        entry.parts = entry_parts

    def _component(self, entry: Entry, node: YamlMap, key: str, value: Any) -> None:
        reader = self._reader(key)
        if isinstance(reader, str):
            self.report.add(node.keys_at[key], (*entry.path, key), reader)
            return
        cls = self._kinds[key].cls
        if cls in entry.parts:
            self.report.add(node.keys_at[key], (*entry.path, key), f"{reader.name} is given twice, under two names")
        elif value is None:
            entry.parts[cls] = None
        else:
            path = (*entry.path, key)
            entry.parts[cls] = reader.read(value, node.values_at[key], path, self.scope, self.report)

    def _reader(self, key: str) -> FieldsReader | str:
        """Return the reader of a component, or a message if its name is wrong."""
        reader = self._readers.get(key)
        if reader is None:
            reader = self._readers[key] = self._find(key)
        return reader

    def _find(self, key: str) -> FieldsReader | str:
        names = sorted({kind.name for kind in self.registry.components.values() if kind.shown or not kind.fields})
        if not _COMPONENT.match(key):
            near = did_you_mean(key, [*RESERVED, *names])
            choices = f"{', '.join(RESERVED)} and components, in CapWords"
            return f"an entry has no key {key!r}{near}. Choices: {choices}"
        try:
            kind = self.registry.component(self.names.full(key, self.registry.components))
        except (RishError, LookupError) as error:
            return self.registry.not_named("component", key) or f"{error}{self.names.hint(key)}"
        if "." not in key and (mistake := self.names.mistake(kind.owner, key)) is not None:
            return mistake
        self._kinds[key] = kind
        return FieldsReader(kind.name, kind.fields, per_copy=True)

    def _prefab(self, entry: Entry, node: YamlMap, value: Any, mark: Mark, path: Steps) -> None:
        name = self.names.short("prefab", value) if isinstance(value, str) else ""
        if not isinstance(value, str):
            self.report.add(mark, path, f"must be the name of a prefab, not {show(value)}")
        elif name in self.prefabs:
            entry.prefab, entry.prefab_mark = name, mark
            owner = self.registry.owners.get(("prefab", value), "") if value not in self.names.manifest.prefabs else ""
            if (mistake := self.names.mistake(owner, value)) is not None:
                self.report.add(mark, path, mistake)
        elif self.names.skip(value):
            entry.lost = True
        else:
            names = list(self.prefabs)
            listed = f". Prefabs: {', '.join(names[:12])}" if names else ": the manifest defines none"
            what = f"no prefab is called {value!r}{did_you_mean(value, names)}{listed}{self.names.hint(value)}"
            self.report.add(mark, path, self.registry.not_named("prefab", value, names) or what)

    def _name(self, entry: Entry, node: YamlMap, value: Any, mark: Mark, path: Steps) -> None:
        if not isinstance(value, str) or not _NAME.match(value):
            self.report.add(mark, path, f"must be a name, without '/', not {show(value)}")
        else:
            entry.name = value

    def _group(self, entry: Entry, node: YamlMap, value: Any, mark: Mark, path: Steps) -> None:
        if not isinstance(value, str) or not value:
            self.report.add(mark, path, f"must be the name of a group, not {show(value)}")
        else:
            entry.group = value

    def _tags(self, entry: Entry, node: YamlMap, value: Any, mark: Mark, path: Steps) -> None:
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) and item for item in items):  # pyright: ignore[reportUnknownVariableType]
            self.report.add(mark, path, f"must be a list of words such as [enemy, slow], not {show(value)}")
        else:
            entry.tags = tuple(dict.fromkeys(items))  # pyright: ignore[reportUnknownArgumentType]

    def _count(self, entry: Entry, node: YamlMap, value: Any, mark: Mark, path: Steps) -> None:
        if isinstance(value, bool) or not isinstance(value, int):
            self.report.add(mark, path, f"must be a whole number of copies, not {show(value)}")
        elif not 0 <= value <= MAX_COPIES:
            self.report.add(mark, path, f"{value} is out of range: 0 to {MAX_COPIES:,} copies")
        else:
            entry.count = value

    def _at(self, entry: Entry, node: YamlMap, value: Any, mark: Mark, path: Steps) -> None:
        entry.at = read_placing(value, mark, path, self.report)

    def _parent(self, entry: Entry, node: YamlMap, value: Any, mark: Mark, path: Steps) -> None:
        if not isinstance(value, str):
            self.report.add(mark, path, f"must be the name of an entity, not {show(value)}")
        else:
            entry.parent = Ref(value, mark, path)

    def _children(self, entry: Entry, node: YamlMap, value: Any, mark: Mark, path: Steps) -> None:
        if value is not None and not isinstance(value, YamlList):
            self.report.add(mark, path, f"must be a list of entries, not {show(value)}")
            return
        for index, item in enumerate(value if value is not None else ()):
            assert isinstance(value, YamlList)
            child = self.read(item, value.items_at[index], (*path, index))
            if child.parent is not None:
                what = "a child's parent is the entry that contains it: delete this line"
                self.report.add(child.parent.mark, child.parent.path, what)
            entry.children.append(child)

    def _check_count(self, entry: Entry, node: YamlMap) -> None:
        """Check that `count` is at most the number of places of `at`; set it to that number if it is missing."""
        assert entry.at is not None
        places = entry.at.copies
        if places is None:
            return
        if entry.count is None:
            entry.count = places
        elif entry.count > places:
            what = f"{entry.count} copies, but `at` has {places} places"
            self.report.add(node.values_at["count"], (*entry.path, "count"), what)
