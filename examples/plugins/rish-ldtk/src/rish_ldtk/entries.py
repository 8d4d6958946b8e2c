"""Writes levels as entries of scenes, which the kernel then checks like those of the manifest.

An entity becomes an entry with the prefab of its name, and its fields become fields of components. The marks of the
entries are the lines of the project, so that mistakes are reported there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rish_core import Registry, UnknownName
from rish_core.manifest import Report, Spot, marked
from rish_ecs import did_you_mean

from .components import LdtkSettings
from .model import EntityInstance, Level
from .worlds import Scene

_FIELD = re.compile(r"(?P<component>[A-Z][A-Za-z0-9]*)_(?P<field>[a-z]\w*)\Z")
_PICTURE_Z = 1000.0


@dataclass
class Writer:
    """Writes the entries of levels. prefabs: the names of all prefabs. drawn: whether levels have backgrounds."""

    registry: Registry
    prefabs: frozenset[str]
    settings: LdtkSettings
    report: Report

    def entries(self, scene: Scene) -> list[Any]:
        """Return the entries of a scene: for each level its background, its tiles and its entities."""
        entries: list[Any] = []
        referenced = {iid for level in scene.levels for entity in level.entities for iid in _references(entity)}
        for level in scene.levels:
            corner = scene.corner(level)
            line = Spot(scene.project.file, level.line - 1)
            entries += [marked(entry, line) for entry in self.background(level, corner)]
            value = {"file": scene.project.file, "level": level.name}
            entry = {"name": level.name, "Transform": {"position": [*corner]}, "LdtkLevel": value}
            entries.append(marked(entry, line))
            for entity in level.entities:
                entry_of_entity = self.entity(entity, level, corner, scene, entity.iid in referenced)
                if entry_of_entity is not None:
                    entries.append(marked(entry_of_entity, Spot(scene.project.file, entity.line - 1)))
        return entries

    def background(self, level: Level, corner: tuple[float, float]) -> Iterator[dict[str, Any]]:
        """Yield the color and the picture behind a level."""
        x, y = corner
        z = self.settings.z - _PICTURE_Z
        middle = [x + level.width / 2, y + level.height / 2]
        if level.color:
            yield {
                "at": middle,
                "Transform": {},
                "Shape": {"size": [level.width, level.height], "color": level.color, "z": z},
            }
        picture = level.background
        if picture is not None:
            left, top, width, height = picture.crop
            sprite: dict[str, Any] = {"image": picture.image, "anchor": [0, 1], "z": z + 1}
            if width and height:
                sprite["region"] = [left, top, width, height]
            place = [x + picture.place[0], y + level.height - picture.place[1]]
            yield {"at": place, "Transform": {"scale": [*picture.scale]}, "Sprite": sprite}

    def entity(
        self, entity: EntityInstance, level: Level, corner: tuple[float, float], scene: Scene, has_name: bool
    ) -> dict[str, Any] | None:
        """Return the entry of an entity, or None if it is left out or has mistakes."""
        if entity.name in self.settings.ignore:
            return None
        prefab = self.prefab(entity.name)
        if prefab is None:
            near = did_you_mean(entity.name, self.prefabs)
            hint = f"Add one, or write settings: {{ldtk: {{ignore: [{entity.name}]}}}}"
            return self.wrong(entity, scene, f"no prefab is called {entity.name!r}{near}. {hint}")
        x, y = corner[0] + entity.x, corner[1] + level.height - entity.y
        entry: dict[str, Any] = {"prefab": prefab, "at": [x, y]}
        if has_name:
            entry["name"] = entity.iid
        fields = {**entity.fields, "size": ("Size", [entity.width, entity.height])}
        for name, (kind, value) in fields.items():
            target = self.target(entity, name, scene)
            if target is None or value is None:
                continue
            converted = self.value(kind, value, target, entity, level, corner)
            if converted is not None:
                entry[target] = converted
        return entry

    def prefab(self, name: str) -> str | None:
        """Return the prefab of an entity: of the same name, in lower case, or with underscores."""
        snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
        return next((each for each in (name, name.lower(), snake) if each in self.prefabs), None)

    def target(self, entity: EntityInstance, name: str, scene: Scene) -> str | None:
        """Return `Component.field` for a field of LDtk; None for one that is left out or has a mistake."""
        settings = self.settings
        if name in settings.ignore or f"{entity.name}.{name}" in settings.ignore:
            return None
        mapped = settings.fields.get(f"{entity.name}.{name}") or settings.fields.get(name)
        if mapped is not None:
            return mapped
        if name == "size":
            return None
        split = _FIELD.match(name)
        if split is not None and self._kind(split["component"]) is not None:
            return f"{split['component']}.{split['field']}"
        kind = self._kind(entity.name)
        if kind is not None and name in kind.fields:
            return f"{entity.name}.{name}"
        setting = f"settings: {{ldtk: {{fields: {{{name}: Component.field}}}}}}"
        hint = f"Call it Component_field, or write {setting}, or add it to `ignore:`"
        return self.wrong(entity, scene, f"nothing takes the field {name!r}. {hint}")

    def _kind(self, name: str) -> Any:
        try:
            return self.registry.component(name)
        except UnknownName:
            return None

    def value(
        self, kind: str, value: Any, target: str, entity: EntityInstance, level: Level, corner: tuple[float, float]
    ) -> Any:
        """Return a value of LDtk as it is written in a manifest; None for one that has no meaning there."""
        if kind.startswith("Array<") and isinstance(value, list):
            inner = kind.removeprefix("Array<").removesuffix(">")
            return [self.value(inner, each, target, entity, level, corner) for each in value]
        if kind == "Point" and isinstance(value, Mapping):
            x, y = ((value.get(key, 0) + 0.5) * entity.grid for key in ("cx", "cy"))
            return [corner[0] + x, corner[1] + level.height - y]
        if kind == "EntityRef" and isinstance(value, Mapping):
            return value.get("entityIid")
        if kind.startswith("LocalEnum.") and isinstance(value, str):
            return self._word(target, value)
        return None if kind == "Tile" else value

    def _word(self, target: str, value: str) -> str:
        """Return the value of an enum as its field takes it: as written, or in lower case."""
        component, _, field = target.rpartition(".")
        kind = self._kind(component)
        spec = kind.fields.get(field) if kind is not None else None
        if spec is None:
            return value
        try:
            spec.check(value)
        except ValueError:
            return value.lower()
        return value

    def wrong(self, entity: EntityInstance, scene: Scene, what: str) -> None:
        """Report a mistake at the line of the entity."""
        self.report.add(Spot(scene.project.file, entity.line - 1, -1), (entity.name,), what)


def _references(entity: EntityInstance) -> Iterator[str]:
    for kind, value in entity.fields.values():
        for each in value if isinstance(value, list) else [value]:
            if "EntityRef" in kind and isinstance(each, Mapping):
                yield str(each.get("entityIid"))
