"""A game made of a plugin's declarations, by which the plugin is tried without knowing what it is for.

The game has each component with its defaults and with values drawn from the declared ranges, alone and together with
other components of the plugin and of those that it requires; each of its prefabs; and drawn settings. What the plugin
refuses when it checks the manifest is taken out again: first the drawn value, then the component, then the entity. A
component that can't be used without more (a file, another entity) is tried in a game of the plugin's own, the folder
`conformance` in its package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from rish_core import ManifestError, Place, Problem, Registry, RishError, UsageError
from rish_ecs.declarations import Kind

from .values import value_for

Entity = dict[str, Any]
_SIZE = (320, 180)
_DRAWN = 2
"""Entities with drawn values for each component."""
_ROUNDS = 40
"""How often the game is read again without what was refused."""
_ENTITY = re.compile(r"scenes\.(?P<scene>\w+)\[(?P<place>\d+)\](\.(?P<rest>.*))?$", re.S)
SCENES = ("main", "other")
WHOLE = ("whole", "whole_too")
"""The names of two entities with all components of the plugin that refer to no others."""


@dataclass
class Sample:
    """A game as plain data. path: of its manifest. refused: what the plugin did not accept, each with the
    reason.
    """

    data: dict[str, Any]
    path: Path = Path()
    refused: list[Problem] = field(default_factory=list[Problem])

    def take_out(self, problems: Iterable[Problem]) -> bool:
        """Take out what the problems are about, at most one thing of each entity; return whether anything was."""
        done: set[tuple[str, str]] = set()
        for problem in problems:
            match = _ENTITY.match(problem.path)
            where = (match["scene"], match["place"]) if match is not None else (problem.path, "")
            if where in done:
                continue
            if match is not None:
                entities: list[Entity] = self.data["scenes"][match["scene"]]
                entities[int(match["place"])] = _without(entities[int(match["place"])], match["rest"] or "")
            elif not self._drop_setting(problem.path):
                continue
            done.add(where)
            self.refused.append(problem)
        return bool(done)

    def sift(self, read: Callable[[dict[str, Any]], Any], why: str) -> bool:
        """Take out the entities that are refused in a game of their own; return whether there were any."""
        entities: list[Entity] = self.data["scenes"]["main"]
        accepted = [entity for entity in entities if self._accepts(entity, read)]
        if len(accepted) == len(entities):
            return False
        gone = {key for entity in entities for key in entity} - {key for entity in accepted for key in entity}
        self.refused += [Problem(Place("conformance"), f"scenes.{key}", why) for key in sorted(gone)]
        self.data["scenes"] = _scenes(accepted)
        return True

    def _accepts(self, entity: Entity, read: Callable[[dict[str, Any]], Any]) -> bool:
        """Whether an entity is accepted beside empty ones with the names of the others."""
        named = [{"name": each["name"], "Transform": {}} for each in self.data["scenes"]["main"] if "name" in each]
        others = [each for each in named if each["name"] != entity.get("name")]
        try:
            read({**self.data, "scenes": {"main": [entity, *others]}})
        except RishError as error:
            return not (isinstance(error, ManifestError) or isinstance(error.__cause__, UsageError))
        return True

    def _drop_setting(self, path: str) -> bool:
        parts = path.split(".")
        inside: Any = self.data
        for part in parts[:-1]:
            inside = inside.get(part) if isinstance(inside, Mapping) else None
        return parts[0] == "settings" and isinstance(inside, dict) and inside.pop(parts[-1], None) is not None


def _without(entity: Entity, rest: str) -> Entity:
    """Return an entity without the drawn value that a path names, otherwise without the component, or an empty one."""
    for key, values in entity.items():
        short = key if rest == key or rest.startswith(f"{key}.") else key.rpartition(".")[2]
        if rest == short or rest.startswith(f"{short}."):
            name = re.split(r"[.\[]", rest[len(short) + 1 :])[0]
            if isinstance(values, dict) and name in values:
                return {**entity, key: {each: value for each, value in values.items() if each != name}}
            return {each: value for each, value in entity.items() if each != key}
    return {"Transform": {}}


def make_sample(registry: Registry, plugin: str, seed: int) -> Sample:
    """Return the game for a plugin, with the defaults of its settings."""
    random = Random(f"{plugin} {seed}")
    own = _kinds(registry, lambda owner: owner == plugin)
    others = _kinds(registry, lambda owner: owner not in (plugin, "core"))
    whole = {key: {} for key, kind in own.items() if all(f.type.special != "entity" for f in kind.fields.values())}
    entities: list[Entity] = [{"name": name, "Transform": {}, **deepcopy(whole)} for name in WHOLE]
    names = [*WHOLE, *WHOLE, *(_named(each) for each in own)]
    for name, kind in own.items():
        links = [field for field, spec in kind.fields.items() if spec.type.special == "entity" and not spec.hidden]
        linked = {field: WHOLE[place % len(WHOLE)] for place, field in enumerate(links)}
        entities += [{"name": _named(name), "Transform": {}, name: {}}, {name: linked}]
        for _ in range(_DRAWN):
            more = {key: each for key, each in own.items() if key != name and random.random() < 0.3}
            more |= {key: each for key, each in others.items() if random.random() < 0.15}
            entities.append(_entity({name: kind, **more}, random, names))
        entities.append(_entity({name: kind}, random, names, 1.0))
    entities.append(_entity(own, random, names))
    entities += [{"prefab": name} for name in registry.prefabs if registry.owners["prefab", name] == plugin]
    data: dict[str, Any] = {
        "rish": 1,
        "game": {"title": "Conformance", "seed": seed, **_size(registry)},
        "plugins": [plugin],
        "settings": {},
        "scenes": _scenes(entities),
    }
    return Sample(data)


def with_settings(sample: Sample, registry: Registry, plugin: str, seed: int) -> Sample:
    """Return a sample with the same entities and with drawn settings of the plugin."""
    data = deepcopy(sample.data)
    keys = [key for key, owner in registry.owners.items() if key[0] == "settings" and owner == plugin]
    game_keys = {key.rpartition(".")[2] for key in registry.manifest_keys if key.partition(".")[0] == "game"}
    for _, key in keys:
        drawn = _drawn(registry.settings[key].fields, Random(f"{plugin} {seed} settings"), 0.8)
        data["settings"][key] = {name: value for name, value in drawn.items() if name not in game_keys}
    return Sample(data)


def _scenes(entities: list[Entity]) -> dict[str, list[Entity]]:
    """Return the scenes: one with all entities, one with every second one."""
    scenes = {"main": entities, "other": entities[::2]}
    return {name: deepcopy(each) for name, each in scenes.items()}


def fitted(sample: Sample, read: Callable[[dict[str, Any]], Any]) -> Any:
    """Call `read(data)` until nothing is refused, taking out what was; return its result.

    A plugin refuses values by a ManifestError, or by a UsageError when the game runs. Raises the error if there is
    nothing to take out, and errors of other kinds.
    """
    for _ in range(_ROUNDS):
        try:
            return read(sample.data)
        except ManifestError as error:
            if not sample.take_out(error.problems):
                raise
        except RishError as error:
            if not isinstance(error.__cause__, UsageError) or not sample.sift(read, str(error.__cause__)):
                raise
    return read(sample.data)


def _size(registry: Registry) -> dict[str, Any]:
    return {"size": list(_SIZE)} if "game.size" in registry.manifest_keys else {}


def _kinds(registry: Registry, wanted: Callable[[str], bool]) -> dict[str, Kind]:
    """Return the components that an author can write, by full name, whose plugin is wanted."""
    kinds = {key: kind for key, kind in registry.components.items() if kind.shown or not kind.fields}
    return {key: kind for key, kind in kinds.items() if wanted(registry.owners["component", key])}


def _named(component: str) -> str:
    """Return the name of the entity with a component's defaults, to which fields of others refer."""
    return f"plain_{component.rpartition('.')[2]}"


def _entity(kinds: Mapping[str, Kind], random: Random, names: Sequence[str], share: float = 0.5) -> Entity:
    """Return an entity with drawn values for a share of the fields of its components."""
    place = [round(random.uniform(0, _SIZE[0])), round(random.uniform(0, _SIZE[1]))]
    drawn = {key: _drawn(kind.fields, random, share, names) for key, kind in kinds.items()}
    return {"Transform": {"position": place}, **drawn}


def _drawn(fields: Mapping[str, Any], random: Random, share: float, names: Sequence[str] = ()) -> dict[str, Any]:
    """Return drawn values for a share of the fields. names: of the entities to which a field may refer."""
    chosen = {name: value_for(spec, random, names) for name, spec in fields.items() if random.random() < share}
    return {name: value for name, value in chosen.items() if value is not None}
