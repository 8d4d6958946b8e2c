"""The names that paths and expressions may use: those of a registry, before a game runs, or those of a World."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from rish_core import Input, Layers, Registry, Scenes, World
from rish_ecs.declarations import Kind, ResourceSpec, resource_spec

from .variables import Variables


def _none() -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True)
class Vocabulary:
    """Names for checks. registry: components, resources, settings. variables: values by name.

    layers, scenes, actions: the known names; None: any name is allowed. players: how many there are; None: unknown.
    """

    registry: Registry
    variables: Mapping[str, Any] = field(default_factory=_none)
    layers: Collection[str] | None = None
    scenes: Collection[str] | None = None
    actions: Collection[str] | None = None
    players: int | None = None

    @classmethod
    def of_world(cls, world: World) -> Vocabulary:
        """Return the names of a World."""
        kinds = {_full(table.schema.key): table.schema for table in world.tables.values()}
        specs: dict[str, ResourceSpec] = {}
        for key, held in world.resource_classes.items():
            spec = resource_spec(held)
            if spec is not None:
                specs[_full(key)] = spec
        registry = Registry(components=kinds, resources=specs)
        values: Mapping[str, Any] = world[Variables].values if Variables in world else {}
        layers = world[Layers].order if Layers in world else None
        scenes = world[Scenes].names if Scenes in world else None
        actions, players = actions_of(world) if Input in world else (None, None)
        return cls(registry, values, layers, scenes, actions, players)

    def settings(self, plugin: str, name: str) -> ResourceSpec | None:
        """Return the settings class of a plugin, or None.

        A World has no list of settings; there it is the resource of the plugin that has the field and, if several have,
        the one whose name ends in `Settings`.
        """
        if plugin in self.registry.settings:
            return self.registry.settings[plugin]
        own = [spec for key, spec in self.registry.resources.items() if key.partition(".")[0] == plugin]
        own.sort(key=lambda spec: not spec.name.endswith("Settings"))
        return next((spec for spec in own if name in field_names(spec)), own[0] if own else None)

    @property
    def plugins(self) -> list[str]:
        """The plugins that have settings or resources, for messages."""
        owners = {key.partition(".")[0] for key in self.registry.resources} - {""}
        return sorted({*self.registry.settings, *owners})


def actions_of(world: World) -> tuple[tuple[str, ...], int]:
    """Return the names of all actions, with those that only players have, and the number of players."""
    held: Input = world[Input]
    return (*dict.fromkeys(name for each in (held, *held.players) for name in each.actions),), len(held.players)


def no_player(given: Any, players: int) -> str:
    """Return the message for a player who does not exist."""
    there = f"`input:` has the players 1 to {players}" if players > 1 else "`input:` lists no `players`"
    return f"there is no player {given!r}: {there}"


def _full(key: str) -> str:
    """Return a full name; that of a class without a plugin begins with a dot, as the registry finds it by its end."""
    return key if "." in key else f".{key}"


def field_names(found: Kind | ResourceSpec) -> list[str]:
    """Return the names of the fields of a component, or of all fields of a resource."""
    if isinstance(found, ResourceSpec):
        return [each.name for each in dataclasses.fields(found.cls)]
    return [name for name, spec in found.fields.items() if not spec.hidden]
