"""Renewal: applies edited code, the edited manifest, or another set of plugins to the running game.

First everything is prepared and checked: the declarations of the new modules are read, the registry and the schedule
are built, the manifest is checked against them. The game does not change until then. Only if everything is correct, the
change is applied between two ticks:

    change = prepare(app, module=load_game_plugin(path, afresh=True), manifest=read_manifest(folder))
    world.defer(lambda world: change.apply())

State that the edit does not concern is kept exactly: see `World.redeclare` for classes, `live.py` for entities. A
plugin decides when to look for edits and how to report bad ones; `plugin_swap.py` changes the set of plugins.
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
from .returning import give_back

if TYPE_CHECKING:
    from rish_core import App
    from rish_ecs import Snapshot, World

Understood = Callable[[Plugins, Registry], Manifest]
"""Returns a manifest as it is understood with some plugins and their declarations."""
_AT_START = ("title", "seed", "plugins")
"""Manifest keys that take effect only at the start of a game. Plugins can add others."""


@dataclass
class Renewal:
    """A change that was checked and can be applied.

    names: the plugins whose code is new, or that were taken out. entering: those of them that begin, leaving: those
    that end, see `lifecycle_hooks.py`. later: the changes that take effect only at the next start. on_text: called
    while the change is applied, after the entities were changed, with the World, the new manifest and `done`. done: the
    changes of entities, after `apply`. former: the manifest and the state before the change, after `apply`. dropped:
    how many rows of each class were dropped, after `apply`.
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
        """Apply the change, only between two ticks, and call `rish_reloaded`.

        entities: change the entities that were spawned from the text; False: the caller has made them fit it.
        Raises PluginError if that fails; then everything is restored.
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
        """Take an attempt back, only between two ticks: the former plugins run, with the state that the World has now.

        State of classes and fields that the attempt did not know comes from before it.
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
        for name in self.names:
            self.app.plugins.trial.pop(name, None)

    def _return(self) -> None:
        """Take this, which was in use before, and give its classes their declarations back."""
        registry = self.registry
        reinstate(
            [*registry.components.values(), *registry.events.values(), *registry.tables.values()], _specs(registry)
        )
        own(registry)
        self._take(follows=False)

    def _take(self, *, follows: bool = True) -> list[Any]:
        """Apply this to the app; return the modules that are no longer in use. follows: change the entities as well."""
        app, before = self.app, (self.app.registry, self.app.game, self.app.manifest)
        own(self.registry)
        idle = {*app.plugins.aside}
        former = app.plugins.adopt(self.plugins) if self.plugins is not None else []
        app.registry, app.manifest, app.game = self.registry, self.manifest, self.game
        if self.plugins is not None:
            self._take_code(before[0])
        layers: LayerStack = app.world[LayerStack]
        layers.renew(app.world, declared_layers(before[1], before[0]), self.layers)
        app.plugins_changed([*self.names, *(name for name in app.plugins.names if name in idle)])
        other = self.manifest is not before[2] or self.registry.prefabs != before[0].prefabs
        other = other or self.registry.components.keys() != before[0].components.keys()
        self._take_text(before[1], follow=follows and other)
        if follows and self.plugins is not None:
            write_defaults(app.world, before[0], self.game)
        return former

    def _take_code(self, before: Registry) -> None:
        """Replace classes, resources, systems and loaders."""
        app, world, registry = self.app, self.app.world, self.registry
        watcher = app.schedule.watcher
        if watcher is not None:
            watcher.close()
        world.redeclare(registry.declared)
        world.view_owners = registry.view_owners
        fresh, keys = _fresh(world, registry), {spec.key for spec in _specs(registry)}
        for spec in _specs(before):
            if spec.key not in keys:
                world.forget(spec.cls)
        made = [(spec, world.renew(spec.cls)) for spec in fresh]
        app.schedule.replace(registry.systems, plugins=app.plugins.names)
        names = {bound.name for bound in registry.systems}
        world.changes.forget(
            [bound.name for bound in before.systems if bound.name not in names], _gone(before, registry)
        )
        world[Assets].loaders = dict(registry.loaders)
        for spec, instance in made:
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
        """Replace prefabs, scenes, settings and keys; with `follow`, change the entities spawned from them."""
        world, after = self.app.world, self.game
        prefabs: Prefabs = world[Prefabs]
        prefabs.plans = after.prefabs
        for plugin, now in after.settings.items():
            self._set(before.settings.get(plugin), now)
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

    def _set(self, before: Any, now: Any) -> None:
        """Write the settings that changed in the text; other values that the game set are kept."""
        live = self.app.world[type(now)]
        was = fields_of(before) if before is not None else {}
        for name, value in fields_of(now).items():
            if name not in was or not same(was[name], value):
                setattr(live, name, value)


def prepare(app: App, *, module: Any = None, manifest: Manifest | None = None, plugin: str = GAME) -> Renewal:
    """Check edited code and text without changing the game; return the change.

    module: the plugin's new code, None if unchanged. manifest: the new manifest, None if unchanged. plugin: the owner
    of the code, by default the game's own plugin. Raises PluginError, DeclarationError, ScheduleError and
    ManifestError, each with its place.
    """
    plugins = app.plugins.replaced(plugin, module, keep=resting(app)) if module is not None else None
    return check(app, plugins, (plugin,) if module is not None else (), manifest)


def check(
    app: App, plugins: Plugins | None, names: tuple[str, ...], manifest: Manifest | Understood | None = None
) -> Renewal:  # fmt: skip
    """Check plugins from `Plugins.revised` and a manifest without changing the game; return the change.

    names: the plugins whose code is new, or that are taken out. manifest: itself, or a function that returns it for the
    plugins and their registry. Raises like `prepare`.
    """
    try:
        registry = build_registry(plugins) if plugins is not None else app.registry
        if callable(manifest):
            manifest = manifest(plugins or app.plugins, registry)
        if manifest is not None:
            manifest.names = registry.names
            running = plugins or app.plugins
            with running.raising():
                running.gather("rish_manifest", manifest=manifest, plugins=running, registry=registry)
        if plugins is not None:
            _try_resources(plugins, _fresh(app.world, registry))
    finally:
        own(app.registry)  # the registry of the new plugins may have named classes that both use
    text = manifest or app.manifest
    alike = registry is app.registry or (manifest is None and same_words(app.registry, registry))
    game = compile_manifest(text, registry, app.game if alike else None)
    layers = declared_layers(game, registry)
    schedule = Schedule(registry.systems, plugins=registry.plugins)
    schedule.check_layers([*(layer.name for layer in layers), *app.world[LayerStack].declared])
    later = [key for key in _AT_START if _at_start(text, key) != _at_start(app.manifest, key)]
    later += [
        key.rpartition(".")[2]
        for key in registry.manifest_keys
        if text.value_at(tuple(key.split("."))) != app.manifest.value_at(tuple(key.split(".")))
    ]
    later += _made_at_start(app.registry, registry) if plugins is not None else []
    return Renewal(app, plugins, registry, text, game, layers, names, later)


def resting(app: App) -> list[str]:
    """Return the plugins that are set aside and whose declarations, and so their data, are kept."""
    return [name for name in app.registry.plugins if name in app.plugins.aside]


def own(registry: Registry) -> None:
    """Give the classes of a registry their full names; another registry may have named those that both contain."""
    named = (registry.components, registry.events, registry.tables, registry.resources, registry.settings)
    for things in named:
        for key, thing in things.items():
            thing.owner = key.partition(".")[0]


def _at_start(manifest: Manifest, key: str) -> Any:
    """Return a value of the manifest without its place."""
    value = getattr(manifest, key)
    return [(wish.name, wish.spec, wish.optional) for wish in value] if key == "plugins" else value


def _made_at_start(before: Registry, after: Registry) -> list[str]:
    """Return the changed functions that are used only at the start (backends, drawers), each with its place."""
    olds, news = _makers(before), _makers(after)
    changed: list[str] = []
    for name in dict.fromkeys((*news, *olds)):
        old, new = olds.get(name), news.get(name)
        if old is not new and (old is None or new is None or module_code(old) != module_code(new)):
            changed.append(f"{name} ({place_of(news.get(name) or olds[name])})")
    return changed


def _makers(registry: Registry) -> dict[str, Any]:
    """Return the functions that are declared through hooks of plugins, by word and name."""
    made: dict[str, Any] = {}
    for hook, things in registry.more.items():
        for name, thing in things.items():
            maker: Any = cast("tuple[Any, ...]", thing)[-1] if isinstance(thing, tuple) else thing
            if callable(maker):
                made[f"the {registry.readers[hook].word} {name!r}"] = maker
    return made


def _specs(registry: Registry) -> list[ResourceSpec]:
    return [*registry.resources.values(), *registry.settings.values()]


def _fresh(world: World, registry: Registry) -> list[ResourceSpec]:
    """Return the resources whose classes are not in the world yet."""
    return [spec for spec in _specs(registry) if world.resource_classes.get(spec.key) is not spec.cls]


def _try_resources(plugins: Plugins, specs: Iterable[ResourceSpec]) -> None:
    """Create one instance of each, so that errors of constructors are found before the change. Raises PluginError."""
    for spec in specs:
        try:
            spec.cls()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            plugins.fail(spec.owner, "rish_resources", error)


def same_words(before: Registry, after: Registry) -> bool:
    """Whether a manifest means the same with both registries, so that its compiled form can be reused.

    Members of enums belong to their module, so the result is False if a reloaded class has fields with enums.
    """
    if before.prefabs != after.prefabs or before.manifest_keys != after.manifest_keys:
        return False
    if any(getattr(before, of).keys() != getattr(after, of).keys() for of in ("layers", "components", "layer_options")):
        return False
    pairs = ((before.components[key], kind) for key, kind in after.components.items())
    return all(old is new or _face(old.fields) == _face(new.fields) for old, new in pairs)


def _face(fields: Mapping[str, FieldSpec]) -> list[Any]:
    """Return the properties of fields that matter to a manifest; unequal to everything if there are enums."""
    enums = any(spec.type.enum is not None for spec in fields.values())
    faces: list[Any] = [object()] if enums else []
    for name, spec in fields.items():
        marks = (spec.low, spec.high, spec.choices, spec.angle, spec.hidden)
        faces.append((name, spec.type.schema, marks, np.asarray(spec.default).tolist()))
    return faces


def _dropped(state: Snapshot, after: Registry) -> dict[str, int]:
    """Return how many rows of a snapshot have no class in a registry, by full name."""
    known = {**after.components, **after.tables}
    rows = {**state.tables, **state.columns}
    return {key: each.length for key, each in rows.items() if key not in known and key != kind_of(Disabled).key}


def _gone(before: Registry, after: Registry) -> list[str]:
    """Return the full names of components and events that are no longer declared."""
    there = {**after.components, **after.events}
    return [key for key in (*before.components, *before.events) if key not in there]
