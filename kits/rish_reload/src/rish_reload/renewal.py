"""Renewal: applies edited code, the edited manifest, or another set of plugins to the running game.

First everything is prepared and checked: the declarations of the new modules are read, the registry and the schedule
are built, the manifest is checked against them. The game does not change until then. Only if everything is correct, the
change is applied between two ticks:

    change = prepare(app, module=load_game_plugin(path, afresh=True), manifest=read_manifest(folder))
    world.defer(lambda world: change.apply())

State that the edit does not concern is kept exactly: see `World.redeclare` for classes, `live.py` for entities. Another
plugin watches the files and reports errors; `plugin_swap.py` changes the set of plugins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rish_core import (
    Assets,
    Input,
    Layer,
    LayerStack,
    Manifest,
    PluginError,
    Plugins,
    Prefabs,
    Registry,
    Scenes,
    declared_layers,
)
from rish_core.loop import Schedule
from rish_core.manifest import CompiledManifest, compile_manifest
from rish_core.plugin import GAME, build_registry, forget_game_plugin
from rish_ecs import Disabled, describe_error, kind_of, place_of, place_of_error
from rish_ecs.declarations import FieldSpec, ResourceSpec, fields_of
from rish_ecs.snapshots import reinstate

from .code import module_code
from .entities.defaults import write_defaults
from .entities.difference import same
from .entities.live import Reconciled, reconcile
from .lifecycle_hooks import begin, begin_again, end
from .state_recovery import give_back

if TYPE_CHECKING:
    from rish_core import App
    from rish_ecs import Snapshot, World

ManifestResolver = Callable[[Plugins, Registry], Manifest]
"""Returns the manifest to apply for some plugins and their registry, which may lack what they do not declare."""
_AT_START = ("title", "seed", "plugins")
"""Manifest keys that take effect only at the start of a game. Plugins can add others."""


@dataclass
class Renewal:
    """A change that was checked and can be applied.

    names: the plugins whose code is new, or that are removed. entering: the plugins that begin. leaving: the plugins
    that end, see `lifecycle_hooks.py`. later: the changes that take effect only at the next start. on_text: called
    while the change is applied, after the entities were changed, with the World, the new manifest and `done`.

    Set by `apply`: done, the changes of entities; former, the manifest and the state before the change; dropped, how
    many rows of each class were dropped.
    """

    app: App
    plugins: Plugins | None
    registry: Registry
    manifest: Manifest
    game: CompiledManifest
    layers: list[Layer]
    names: tuple[str, ...] = ()
    later: list[str] = field(default_factory=list[str])
    on_text: Callable[[World, CompiledManifest, Reconciled], object] | None = None
    entering: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    done: Reconciled = field(default_factory=Reconciled)
    former: tuple[CompiledManifest, Snapshot] | None = None
    dropped: dict[str, int] = field(default_factory=dict[str, int])
    _before: Renewal | None = None
    _modules: list[Any] = field(default_factory=list[Any])

    def apply(self, *, entities: bool = True) -> None:
        """Apply the change and call `rish_reloaded`. Only between two ticks.

        entities: change the entities that were spawned from the text; False if the caller has changed them already.
        Raises PluginError if a plugin fails; then everything is restored.
        """
        self.attempt(entities=entities)
        self.accept()

    def attempt(self, *, entities: bool = True) -> None:
        """Apply the change as `apply` does, so that `undo` is possible until `accept`."""
        app = self.app
        plugins = app.plugins.copy() if self.plugins is not None else None
        layers = declared_layers(app.game, app.registry)
        before = Renewal(app, plugins, app.registry, app.manifest, app.game, layers, self.leaving or self.names)
        state = app.world.snapshot()
        self.dropped = _dropped(state, self.registry)
        end(app, self.leaving)
        try:
            self._modules = self._take(follows=entities)
            begin(app, self.entering)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self._end_trial()
            before._return()
            app.world.restore(state)
            begin_again(app, self.leaving)
            what = f"the edited code or manifest could not be applied: {describe_error(error)}"
            raise PluginError(what, where=str(place_of_error(error))) from error
        self._before, self.former = before, (before.game, state)
        if self.manifest.main is not None and self.manifest.main.settle is not None:
            self.manifest.main.settle()
        app.plugins.gather("rish_reloaded", app=app, plugins=self.names)

    def accept(self) -> None:
        """Drop what `undo` needs."""
        self._before = None
        self._end_trial()
        for module in self._modules:
            if isinstance(module, ModuleType) and GAME in self.names:  # packages stay imported
                forget_game_plugin(module)
        self._modules.clear()

    def undo(self) -> None:
        """Undo `attempt`: the former plugins run again, with the current state of the World. Only between two ticks.

        Classes and fields that the new code did not declare get their state from before the attempt.
        """
        app, before = self.app, self._before
        assert before is not None
        assert self.former is not None
        self._end_trial()
        end(app, self.entering)
        before._return()
        give_back(app.world, self.former[1], self.registry)
        write_defaults(app.world, self.registry, before.game)
        begin_again(app, self.leaving)
        app.plugins.gather("rish_reloaded", app=app, plugins=before.names)

    def _end_trial(self) -> None:
        """Take the plugins of this change off trial."""
        for name in self.names:
            self.app.plugins.trial.pop(name, None)

    def _return(self) -> None:
        """Apply this former state of the app again, and restore the declarations of its classes."""
        registry = self.registry
        reinstate(
            [*registry.components.values(), *registry.events.values(), *registry.tables.values()], _specs(registry)
        )
        name_classes(registry)
        self._take(follows=False)

    def _take(self, *, follows: bool = True) -> list[Any]:
        """Set plugins, registry and manifest of the app; return the modules that are no longer in use.

        follows: change the entities as well.
        """
        app, registry, game, manifest = self.app, self.app.registry, self.app.game, self.app.manifest
        name_classes(self.registry)
        idle = {*app.plugins.aside}
        former = app.plugins.adopt(self.plugins) if self.plugins is not None else []
        app.registry, app.manifest, app.game = self.registry, self.manifest, self.game
        if self.plugins is not None:
            self._take_code(registry)
        layers: LayerStack = app.world[LayerStack]
        layers.renew(app.world, declared_layers(game, registry), self.layers)
        app.plugins_changed([*self.names, *(name for name in app.plugins.names if name in idle)])
        changed = self.manifest is not manifest or self.registry.prefabs != registry.prefabs
        changed = changed or self.registry.components.keys() != registry.components.keys()
        self._take_text(game, follow=follows and changed)
        if follows and self.plugins is not None:
            write_defaults(app.world, registry, self.game)
        return former

    def _take_code(self, before: Registry) -> None:
        """Replace classes, resources, systems and loaders in the World and the app. before: the former registry."""
        app, world, registry = self.app, self.app.world, self.registry
        watcher = app.schedule.watcher
        if watcher is not None:
            watcher.close()
        world.redeclare(registry.declared)
        world.view_owners = registry.view_owners
        new_specs, keys = _new_resources(world, registry), {spec.key for spec in _specs(registry)}
        for spec in _specs(before):
            if spec.key not in keys:
                world.forget(spec.cls)
        instances = [(spec, world.renew(spec.cls)) for spec in new_specs]
        app.schedule.replace(registry.systems, plugins=app.plugins.names)
        names = {bound.name for bound in registry.systems}
        world.changes.forget(
            [bound.name for bound in before.systems if bound.name not in names], _gone(before, registry)
        )
        world[Assets].loaders = dict(registry.loaders)
        for spec, instance in instances:
            try:
                if hasattr(instance, "rebuild"):
                    instance.rebuild(world)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                app.plugins.fail(registry.owners.get(("resource", spec.key), spec.owner), "rebuild", error)
        if watcher is not None:
            app.schedule.watcher = watcher.renewed()

    def _take_text(self, before: CompiledManifest, *, follow: bool) -> None:
        """Replace prefabs, scenes, settings and keys. follow: also change the entities that were spawned from them."""
        world, after = self.app.world, self.game
        prefabs: Prefabs = world[Prefabs]
        prefabs.plans = after.prefabs
        for plugin, settings in after.settings.items():
            self._write_settings(before.settings.get(plugin), settings)
        if self.manifest.actions() != before.manifest.actions():
            world[Input].set_actions(*self.manifest.actions())
        scenes: Scenes = world[Scenes]
        scenes.names = tuple(after.scenes)
        if scenes.requested and scenes.requested not in after.scenes:
            scenes.requested = ""
        if scenes.current and scenes.current not in after.scenes:
            scenes.requested = scenes.requested or self.manifest.start
        elif follow and not scenes.requested:
            self.done = reconcile(world, before, after)
            if self.on_text is not None:
                self.on_text(world, after, self.done)

    def _write_settings(self, before: Any, after: Any) -> None:
        """Write the fields of a settings object that changed in the text; fields that the game itself set are kept."""
        live = self.app.world[type(after)]
        old_values = fields_of(before) if before is not None else {}
        for name, value in fields_of(after).items():
            if name not in old_values or not same(old_values[name], value):
                setattr(live, name, value)


def prepare(app: App, *, module: Any = None, manifest: Manifest | None = None, plugin: str = GAME) -> Renewal:
    """Check edited code and text without changing the game; return the change.

    module: the new code of a plugin, None if unchanged. manifest: the new manifest, None if unchanged. plugin: the name
    of the plugin, by default the game's own. Raises PluginError, DeclarationError, ScheduleError and
    ManifestError, each with its place.
    """
    plugins = app.plugins.replaced(plugin, module, keep=disabled_plugins(app)) if module is not None else None
    return check(app, plugins, (plugin,) if module is not None else (), manifest)


def check(
    app: App, plugins: Plugins | None, names: tuple[str, ...], manifest: Manifest | ManifestResolver | None = None
) -> Renewal:  # fmt: skip
    """Check plugins from `Plugins.revised` and a manifest without changing the game; return the change.

    plugins: None if they are unchanged. names: the plugins whose code is new, or that are removed. manifest: the new
    manifest, or a function that returns it for the plugins and their registry; None if unchanged. Raises like
    `prepare`.
    """
    try:
        registry = build_registry(plugins) if plugins is not None else app.registry
        if callable(manifest):
            manifest = manifest(plugins or app.plugins, registry)
        if manifest is not None:
            manifest.names = registry.names
            new_plugins = plugins or app.plugins
            with new_plugins.raising():
                new_plugins.gather("rish_manifest", manifest=manifest, plugins=new_plugins, registry=registry)
        if plugins is not None:
            _try_resources(plugins, _new_resources(app.world, registry))
    finally:
        name_classes(app.registry)  # the registry of the new plugins may have named classes that both use
    new_manifest = manifest or app.manifest
    reusable = registry is app.registry or (manifest is None and _means_same(app.registry, registry))
    game = compile_manifest(new_manifest, registry, app.game if reusable else None)
    layers = declared_layers(game, registry)
    schedule = Schedule(registry.systems, plugins=registry.plugins)
    schedule.check_layers([*(layer.name for layer in layers), *app.world[LayerStack].declared])
    later = [key for key in _AT_START if _at_start(new_manifest, key) != _at_start(app.manifest, key)]
    later += [
        key.rpartition(".")[2]
        for key in registry.manifest_keys
        if new_manifest.value_at(tuple(key.split("."))) != app.manifest.value_at(tuple(key.split(".")))
    ]
    later += _changed_factories(app.registry, registry) if plugins is not None else []
    return Renewal(app, plugins, registry, new_manifest, game, layers, names, later)


def disabled_plugins(app: App) -> list[str]:
    """Return the plugins that are set aside, but whose declarations and data are kept."""
    return [name for name in app.registry.plugins if name in app.plugins.aside]


def name_classes(registry: Registry) -> None:
    """Write the owner into all declarations of a registry.

    A class that is in two registries has the owner of the registry that was built last.
    """
    groups = (registry.components, registry.events, registry.tables, registry.resources, registry.settings)
    for declarations in groups:
        for key, declaration in declarations.items():
            declaration.owner = key.partition(".")[0]


def _at_start(manifest: Manifest, key: str) -> Any:
    """Return a value of the manifest in a form that can be compared."""
    value = getattr(manifest, key)
    return [(wish.name, wish.spec, wish.optional) for wish in value] if key == "plugins" else value


def _changed_factories(before: Registry, after: Registry) -> list[str]:
    """Return the changed functions that are called only at the start (backends, drawers), each with its place."""
    old_ones, new_ones = _factories(before), _factories(after)
    changed: list[str] = []
    for name in dict.fromkeys((*new_ones, *old_ones)):
        old, new = old_ones.get(name), new_ones.get(name)
        if old is not new and (old is None or new is None or module_code(old) != module_code(new)):
            changed.append(f"{name} ({place_of(new_ones.get(name) or old_ones[name])})")
    return changed


def _factories(registry: Registry) -> dict[str, Any]:
    """Return the functions that plugins declare through hooks, by the hook's word and the name: `the backend 'svg'`."""
    factories: dict[str, Any] = {}
    for hook, declarations in registry.more.items():
        for name, declaration in declarations.items():
            factory: Any = cast("tuple[Any, ...]", declaration)[-1] if isinstance(declaration, tuple) else declaration
            if callable(factory):
                factories[f"the {registry.readers[hook].word} {name!r}"] = factory
    return factories


def _specs(registry: Registry) -> list[ResourceSpec]:
    """Return the declarations of resources and settings."""
    return [*registry.resources.values(), *registry.settings.values()]


def _new_resources(world: World, registry: Registry) -> list[ResourceSpec]:
    """Return the resources and settings whose classes are not in the World yet."""
    return [spec for spec in _specs(registry) if world.resource_classes.get(spec.key) is not spec.cls]


def _try_resources(plugins: Plugins, specs: Iterable[ResourceSpec]) -> None:
    """Create one instance of each resource, so that a constructor fails before the change. Raises PluginError."""
    for spec in specs:
        try:
            spec.cls()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            plugins.fail(spec.owner, "rish_resources", error)


def _means_same(before: Registry, after: Registry) -> bool:
    """Return whether a manifest means the same with both registries, so that its compiled form can be reused.

    False if a reloaded class has fields with enums, because the members belong to the old module.
    """
    if before.prefabs != after.prefabs or before.manifest_keys != after.manifest_keys:
        return False
    if any(
        getattr(before, group).keys() != getattr(after, group).keys()
        for group in ("layers", "components", "layer_options")
    ):
        return False
    pairs = ((before.components[key], kind) for key, kind in after.components.items())
    return all(old is new or _manifest_properties(old.fields) == _manifest_properties(new.fields) for old, new in pairs)


def _manifest_properties(fields: Mapping[str, FieldSpec]) -> list[Any]:
    """Return the properties of fields that matter to a manifest; a list that equals no other if there are enums."""
    enums = any(spec.type.enum is not None for spec in fields.values())
    properties: list[Any] = [object()] if enums else []
    for name, spec in fields.items():
        marks = (spec.low, spec.high, spec.choices, spec.angle, spec.hidden)
        properties.append((name, spec.type.schema, marks, np.asarray(spec.default).tolist()))
    return properties


def _dropped(state: Snapshot, after: Registry) -> dict[str, int]:
    """Return the number of rows in a snapshot whose class is not in a registry, by full name of the class."""
    declared = {**after.components, **after.tables}
    rows = {**state.tables, **state.columns}
    return {key: table.length for key, table in rows.items() if key not in declared and key != kind_of(Disabled).key}


def _gone(before: Registry, after: Registry) -> list[str]:
    """Return the full names of components and events that are no longer declared."""
    declared = {**after.components, **after.events}
    return [key for key in (*before.components, *before.events) if key not in declared]
