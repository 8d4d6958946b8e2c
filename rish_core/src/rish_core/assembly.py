"""Builds a World without entities from the declarations of the plugins.

All of its contents come from the registry: components, events and tables become columns, resources get their defaults,
settings get the values of the manifest.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rish_ecs import Problem, RishError, World

from .assets import Assets
from .loop.input import Input
from .loop.layers import Layer
from .manifest.check import check_manifest
from .manifest.manifest import Manifest
from .manifest.scenes import CompiledManifest
from .plugin.loading import Plugins, PluginsRefused, load_plugins
from .plugin.registry import Registry, build_registry

_log = logging.getLogger("rish.plugins")
_MAY_BE_ITS_OWN = re.compile(
    r"(a manifest has no section|`game` has no key|a layer has no option|no (component|prefab|layer))"
    r" (?!.*did you mean)"
)
"""Matches problems that may have their cause in a missing plugin, because the plugin may declare the missing name."""
DEFAULT_LAYERS = (Layer("world"), Layer("hud", space="screen"))
"""The layers of a game whose manifest lists none."""


def report_absent(plugins: Plugins, game: CompiledManifest) -> None:
    """Log one line for each optional plugin that was not loaded, with its uses in the manifest."""
    for name, reason in plugins.absent.items():
        count = game.skipped[name]
        uses = f", {count} {'use' if count == 1 else 'uses'} of it in the manifest left out" if count else ""
        _log.warning("without the optional plugin '%s'%s: %s", name, uses, reason)


def build_world(game: CompiledManifest, registry: Registry, seed: int) -> World:
    """Return a World with all declared components, tables, events and resources, without entities."""
    world = World(registry.declared, seed=seed)
    for spec in registry.resources.values():
        world.put(spec.cls())
    world.put(Assets(game.manifest.root, registry.loaders))
    game.install(world)
    world[Input].set_actions(*game.manifest.actions())
    for instance in list(world.resources.values()):
        rebuild = getattr(instance, "rebuild", None)
        if rebuild is not None:
            rebuild(world)
    return world


def declared_layers(game: CompiledManifest, registry: Registry) -> list[Layer]:
    """Return the layers: those of the manifest, with options that plugins declared, then the plugins' other layers."""
    declared = dict(registry.layers)
    layers: list[Layer] = []
    for wished in game.manifest.layers:
        base = declared.pop(wished.name, None) or Layer(wished.name)
        options = {**base.options, **game.layers.get(wished.name, {})}
        layers.append(replace(base, **wished.options, options=options))
    if not game.manifest.layers:
        layers += [layer for layer in DEFAULT_LAYERS if layer.name not in declared]
    return [*layers, *declared.values()]


def mistakes_without(manifest: Manifest, refused: PluginsRefused, options: Mapping[str, Any]) -> list[Problem]:
    """Return the mistakes of a manifest that can be found without the plugins that were refused.

    options: for `load_plugins`. An unknown name without a similar known name is not reported, because it may belong to
    a missing plugin.
    """
    names = {refusal.plugin for refusal in refused.refusals}
    try:
        plugins = load_plugins([w for w in manifest.plugins if w.name not in names], policy="disable", **options)
    except RishError:
        return manifest.problems
    try:
        problems = check_manifest(manifest, build_registry(plugins))
    except RishError:
        return manifest.problems
    finally:
        plugins.close()
    settings = {f"settings.{name}" for name in names}
    return [p for p in problems if p.path not in settings and not _MAY_BE_ITS_OWN.match(p.what)]
