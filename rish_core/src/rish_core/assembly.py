"""The parts from which an App is assembled: plugins, registry, checked manifest, World, layers and host.

All contents of the World come from the registry: components, events and tables become columns, resources get their
defaults, settings get the values of the manifest.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rish_ecs import Problem, RishError, World, describe_error, nearest, repr_of

from . import builtin
from .assets import Assets
from .errors import ManifestError, PluginError
from .loop.host import Host, unseen
from .loop.input import Input
from .loop.layers import Layer
from .manifest.check import check_manifest, compile_manifest
from .manifest.manifest import Manifest, PluginWish
from .manifest.scenes import CompiledManifest
from .manifest.validate import STOP_MESSAGE
from .plugin.importing import PluginsRefused
from .plugin.loading import load_plugins
from .plugin.plugins import Plugins, Policy
from .plugin.registry import Registry, build_registry

_log = logging.getLogger("rish.app")
_UNKNOWN = re.compile(
    r"(a manifest has no section|`game` has no key|a layer has no option|no (component|prefab|layer|child)) "
    r"(.*?'(?P<name>[^']+)' \(did you mean '(?P<meant>[^']+)')?"
)
"""Matches mistakes that may follow from a missing plugin, because the plugin may declare the name."""
DEFAULT_LAYERS = (Layer("world"), Layer("hud", space="screen"))
"""The layers of a game whose manifest lists none."""


def read_game(
    manifest: Manifest, more: Sequence[str | PluginWish], policy: Policy, options: Mapping[str, Any], *,
    open_assets: bool,
) -> tuple[Plugins, Registry, CompiledManifest]:  # fmt: skip
    """Load the plugins; return them, the registry of their declarations and the checked manifest.

    options: for `load_plugins`. If the manifest itself has mistakes, a plugin may fail because of them, for instance
    when the text ends before the line of `plugins:` that it needs. In that case the manifest's mistakes are reported,
    not the plugin's failure.
    """
    mistakes = manifest.problems
    try:
        plugins = read_plugins(manifest, more, "raise" if mistakes else policy, **options)
        try:
            registry = build_registry(plugins)
            manifest.loaders, manifest.names = registry.loaders if open_assets else None, registry.names
            plugins.gather("rish_manifest", manifest=manifest, plugins=plugins, registry=registry)
            game = compile_manifest(manifest, registry)
            _report_absent(plugins, game)
            return plugins, registry, game
        except BaseException:
            plugins.close()
            raise
    except ManifestError:
        raise
    except RishError as error:
        if not mistakes:
            raise
        raise ManifestError(mistakes) from error


def read_plugins(manifest: Manifest, more: Sequence[str | PluginWish], policy: Policy, **options: Any) -> Plugins:
    """Load the plugins of a manifest. options: for `load_plugins`. Raises ManifestError if they are refused."""
    options = {**options, "game_file": manifest.plugin_file, "core": builtin, "manifest": manifest.file}
    try:
        return load_plugins([*manifest.plugins, *more], policy=policy, **options)
    except PluginsRefused as refused:
        raise ManifestError([*refused.problems, *mistakes_without(manifest, refused, options)]) from refused


def _report_absent(plugins: Plugins, game: CompiledManifest) -> None:
    """Log one line for each optional plugin that was not loaded, with its uses in the manifest."""
    for name, reason in plugins.absent.items():
        count = sum(uses[name] for uses in (game.skipped, *game.manifest.skipped.values()))
        uses = f", {count} {'use' if count == 1 else 'uses'} of it in the manifest left out" if count else ""
        _log.warning("without the optional plugin '%s'%s: %s", name, uses, reason)


def build_world(game: CompiledManifest, registry: Registry, seed: int) -> World:
    """Return a World with all declared components, tables, events and resources, without entities."""
    world = World(registry.declared, seed=seed)
    world.view_owners = registry.view_owners
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


def open_host(plugins: Plugins, app: object, options: Mapping[str, Any]) -> tuple[Host, str]:
    """Return the first host that a plugin opens and the plugin's name; otherwise a host without output, and ""."""
    set_options = {name: value for name, value in options.items() if value is not None}
    for plugin, opener in plugins.gather("rish_host"):
        try:
            if not callable(opener):
                raise TypeError(f"rish_host returned {repr_of(opener)}, expected a function that opens a host")
            host = opener(app, set_options)
            if host is not None and not isinstance(host, Host):
                raise TypeError(f"it gave {repr_of(host)}, which is no rish_core.Host")
        except (RishError, KeyboardInterrupt):
            raise
        except BaseException as error:
            what = f"plugin '{plugin}' failed to open its host: {describe_error(error)}"
            raise PluginError(what, where=plugins.blame(plugin, "rish_host", error)) from error
        if host is not None:
            return host, plugin
    _log.info("the game runs without output: none of its plugins draws")
    return unseen(set_options), ""


def report_degraded(plugins: Plugins, host: Host) -> None:
    """Log the optional features that plugins lack because of the capabilities of this host."""
    for degraded in plugins.degraded(host.capabilities):
        if degraded.effect:
            _log.debug("%s", degraded)


def mistakes_without(manifest: Manifest, refused: PluginsRefused, options: Mapping[str, Any]) -> list[Problem]:
    """Return the mistakes of a manifest that can be found without the plugins that were refused.

    options: for `load_plugins`. An unknown name is reported only if it is a misspelling of a declared one, because it
    may belong to a missing plugin.
    """
    names = {refusal.plugin for refusal in refused.refusals}
    if names & (options.get("off") or {}).keys():
        return manifest.problems  # other mistakes may only be there because a plugin is switched off
    log = logging.getLogger("rish.plugins")
    level = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        plugins = load_plugins([w for w in manifest.plugins if w.name not in names], policy="disable", **options)
        try:
            problems = check_manifest(manifest, build_registry(plugins))
        finally:
            plugins.close()
    except RishError:
        return manifest.problems
    finally:
        log.setLevel(level)
    settings = {f"settings.{name}" for name in (*names, *plugins.aside)}
    return [p for p in problems if p.path not in settings and not _may_follow(p.what)]


def _may_follow(what: str) -> bool:
    """Whether a mistake with this message may only be there because a plugin is missing."""
    unknown = _UNKNOWN.match(what)
    if unknown is None:
        return what.endswith(STOP_MESSAGE)
    name, meant = unknown["name"], unknown["meant"]
    if not meant or abs(len(name) - len(meant)) > 1:
        return True
    return sorted(name) != sorted(meant) and nearest(name, [meant], 0.85) is None  # swapped letters, or few wrong ones
