"""The names that paths and expressions may use: of a registry before the game runs, or of a World."""

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
    """The names that paths and expressions may use.

    registry: components, resources, settings. variables: their values by name. layers, scenes, actions: the names that
    exist; None: any name is allowed. players: the number of players; None: unknown.
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
        for key, resource_class in world.resource_classes.items():
            spec = resource_spec(resource_class)
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

        A World has no list of settings. So a resource of the plugin that has the field is returned, preferably one
        whose name ends in `Settings`.
        """
        if plugin in self.registry.settings:
            return self.registry.settings[plugin]
        specs = [spec for key, spec in self.registry.resources.items() if key.partition(".")[0] == plugin]
        specs.sort(key=lambda spec: not spec.name.endswith("Settings"))
        return next((spec for spec in specs if name in field_names(spec)), specs[0] if specs else None)

    @property
    def plugins(self) -> list[str]:
        """The plugins that have settings or resources, for messages."""
        owners = {key.partition(".")[0] for key in self.registry.resources} - {""}
        return sorted({*self.registry.settings, *owners})


def actions_of(world: World) -> tuple[tuple[str, ...], int]:
    """Return the names of all actions, including actions that only players have, and the number of players."""
    input: Input = world[Input]
    return (*dict.fromkeys(name for source in (input, *input.players) for name in source.actions),), len(input.players)


def no_player(player: Any, players: int) -> str:
    """Return the message for a player who does not exist."""
    players_text = f"`input:` has the players 1 to {players}" if players > 1 else "`input:` lists no `players`"
    return f"there is no player {player!r}: {players_text}"


def _full(key: str) -> str:
    """Return a full name.

    The name of a class without a plugin gets a dot in front, so that the registry finds its end.
    """
    return key if "." in key else f".{key}"


def field_names(declaration: Kind | ResourceSpec) -> list[str]:
    """Return the names of the fields of a component, or of all fields of a resource."""
    if isinstance(declaration, ResourceSpec):
        return [each.name for each in dataclasses.fields(declaration.cls)]
    return [name for name, spec in declaration.fields.items() if not spec.hidden]
