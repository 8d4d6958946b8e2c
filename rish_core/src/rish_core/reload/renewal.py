"""Renewal: a running game takes over edited code of its own folder, and the edited text of its manifest.

First everything is prepared, and whatever could go wrong goes wrong there: the new module is asked for its
declarations, the registry and the schedule are built, the manifest is checked against them. Nothing of the game has
changed until then. Only when all of it is good is it put in the place of the old, in one go between two ticks:

    change = prepare(app, module=load_game_plugin(path, afresh=True), manifest=read_manifest(folder))
    world.defer(lambda world: change.apply())

What the author did not touch keeps its state, to the byte: see `World.redeclare` for classes, `live.py` for
entities. When to look for edits, and what becomes of a bad one, is for a plugin to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rish_ecs import kind_of, place_of, place_of_error
from rish_ecs.declarations import FieldSpec, ResourceSpec, fields_of
from rish_ecs.snapshots import reinstate

from ..assembly import declared_layers
from ..assets import Assets
from ..errors import PluginError
from ..loop.input import Input
from ..loop.layers import Layer, LayerStack
from ..loop.order import order_systems
from ..loop.schedule import check_layers
from ..manifest.check import compile_manifest
from ..manifest.manifest import Manifest
from ..manifest.scenes import CompiledManifest, Prefabs, Scenes
from ..plugin.code import module_code
from ..plugin.game import NAME, forget_game_plugin
from ..plugin.loading import Plugins
from ..plugin.registry import Registry, build_registry
from .difference import same
from .live import Reconciled, reconcile
from .reread import settle

if TYPE_CHECKING:
    from rish_ecs import Snapshot, World

    from ..app import App

_AT_START = ("title", "seed", "plugins")
"""What the manifest says for the start of a game only, beside the keys that plugins add."""


@dataclass
class Renewal:
    """A change that was checked and waits to be applied.

    later: what the new text says that only counts at the next start. on_text: called while the change is applied, with
    the World, the new text and `done`, after the entities follow the text. done: what became of the entities, once
    applied. former: the text and the state before, once applied.
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
    done: Reconciled = field(default_factory=Reconciled)
    former: tuple[CompiledManifest, Snapshot] | None = None

    def apply(self) -> None:
        """Put the new in the place of the old, at the tick border, and call `rish_reloaded`.

        Raises PluginError where that fails halfway; everything is as it was before then.
        """
        app = self.app
        plugins = app.plugins.copy() if self.plugins is not None else None
        layers = declared_layers(app.game, app.registry)
        before = Renewal(app, plugins, app.registry, app.manifest, app.game, layers, self.names)
        state, specs = app.world.snapshot(), _specs(app.registry)
        kinds = [kind_of(cls) for cls in app.registry.declared]
        try:
            former = self._take()
        except (Exception, SystemExit) as error:
            reinstate(kinds, specs)
            before._take(follows=False)
            app.plugins.aside.update(plugins.aside if plugins is not None else {})
            app.world.restore(state)
            what = f"what was edited could not be put in the place of the old: {type(error).__name__}: {error}"
            raise PluginError(what, where=str(place_of_error(error))) from error
        self.former = before.game, state
        if self.manifest.main is not None:
            settle(self.manifest.main)
        for module in former:
            if isinstance(module, ModuleType) and NAME in self.names:  # packages stay imported
                forget_game_plugin(module)
        app.plugins.gather("rish_reloaded", app=app, plugins=self.names)

    def _take(self, *, follows: bool = True) -> list[Any]:
        """Let the app go on with this; gives the modules that are in use no more. follows: entities follow the text."""
        app, before = self.app, (self.app.registry, self.app.game, self.app.manifest)
        former = app.plugins.adopt(self.plugins) if self.plugins is not None else []
        app.registry, app.manifest, app.game = self.registry, self.manifest, self.game
        if self.plugins is not None:
            self._take_code(before[0])
        layers: LayerStack = app.world[LayerStack]
        layers.renew(app.world, declared_layers(before[1], before[0]), self.layers)
        app.take_stock()
        other = self.manifest is not before[2] or self.registry.prefabs != before[0].prefabs
        self._take_text(before[1], follow=follows and other)
        return former

    def _take_code(self, before: Registry) -> None:
        """Classes, systems and loaders."""
        app, world, registry = self.app, self.app.world, self.registry
        watcher = app.schedule.watcher
        if watcher is not None:
            watcher.close()
        world.redeclare(registry.declared)
        fresh, keys = _fresh(world, registry), {spec.key for spec in _specs(registry)}
        for spec in _specs(before):
            if spec.key not in keys:
                world.forget(spec.cls)
        made = [(spec, world.renew(spec.cls)) for spec in fresh]
        app.schedule.replace(registry.systems, plugins=app.plugins.names)
        for bound in app.schedule.systems:
            if bound.plugin in self.names:
                app.schedule.enable(bound.name)
        names = {bound.name for bound in registry.systems}
        world.changes.forget(
            [bound.name for bound in before.systems if bound.name not in names], _gone(before, registry)
        )
        world[Assets].loaders = dict(registry.loaders)
        for spec, instance in made:
            try:
                if hasattr(instance, "rebuild"):
                    instance.rebuild(world)
            except (Exception, SystemExit) as error:
                app.plugins.fail(spec.owner, "rebuild", error)
        if watcher is not None:
            app.schedule.watcher = watcher.renewed()

    def _take_text(self, before: CompiledManifest, *, follow: bool) -> None:
        """Prefabs, scenes, settings and keys; where there is anything to follow, the entities that came from them."""
        world, after = self.app.world, self.game
        prefabs: Prefabs = world[Prefabs]
        prefabs.plans = after.prefabs
        for plugin, now in after.settings.items():
            self._set(before.settings.get(plugin), now)
        actions = {action: [binding.key for binding in keys] for action, keys in self.manifest.input.items()}
        if actions != {name: [key.key for key in keys] for name, keys in before.manifest.input.items()}:
            world[Input].set_actions(actions)
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
        """Write the settings that the text says otherwise; what the game set itself stays."""
        live = self.app.world[type(now)]
        was = fields_of(before) if before is not None else {}
        for name, value in fields_of(now).items():
            if name not in was or not same(was[name], value):
                setattr(live, name, value)


def prepare(app: App, *, module: Any = None, manifest: Manifest | None = None, plugin: str = NAME) -> Renewal:
    """Check edited code and text, changing nothing.

    module: the plugin's new code, None where it is the old. manifest: read again, None where it is the old. plugin:
    whose code it is, by default the game's own. Raises PluginError, DeclarationError, ScheduleError and
    ManifestError, each with its place.
    """
    plugins = app.plugins.replaced(plugin, module) if module is not None else None
    registry = build_registry(plugins) if plugins is not None else app.registry
    if manifest is not None:
        running = plugins or app.plugins
        with running.raising():
            running.gather("rish_manifest", manifest=manifest, plugins=running, registry=registry)
    if plugins is not None:
        _try_resources(plugins, _fresh(app.world, registry))
    text = manifest or app.manifest
    alike = registry is app.registry or (manifest is None and same_words(app.registry, registry))
    game = compile_manifest(text, registry, app.game if alike else None)
    layers = declared_layers(game, registry)
    order_systems(registry.systems, registry.plugins)
    check_layers(registry.systems, [*(layer.name for layer in layers), *app.world[LayerStack].declared])
    later = [key for key in _AT_START if _at_start(text, key) != _at_start(app.manifest, key)]
    later += [
        key.rpartition(".")[2]
        for key in registry.manifest_keys
        if text.value_at(tuple(key.split("."))) != app.manifest.value_at(tuple(key.split(".")))
    ]
    later += _made_at_start(app.registry, registry) if plugins is not None else []
    names = (plugin,) if module is not None else ()
    return Renewal(app, plugins, registry, text, game, layers, names, later)


def _at_start(manifest: Manifest, key: str) -> Any:
    """A value of the manifest without its place."""
    value = getattr(manifest, key)
    return [(wish.name, wish.spec) for wish in value] if key == "plugins" else value


def _made_at_start(before: Registry, after: Registry) -> list[str]:
    """What makes things at the start (backends, drawers) and is written otherwise now, each with its place."""
    olds, news = _makers(before), _makers(after)
    changed: list[str] = []
    for name in dict.fromkeys((*news, *olds)):
        old, new = olds.get(name), news.get(name)
        if old is not new and (old is None or new is None or module_code(old) != module_code(new)):
            changed.append(f"{name} ({place_of(news.get(name) or olds[name])})")
    return changed


def _makers(registry: Registry) -> dict[str, Any]:
    """The functions that plugins declare by hooks of plugins, by what they are called."""
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
    """The resources whose classes the world does not know yet."""
    return [spec for spec in _specs(registry) if world.resource_classes.get(spec.key) is not spec.cls]


def _try_resources(plugins: Plugins, specs: Iterable[ResourceSpec]) -> None:
    """Make one of each, so that a class that can't be made is found in time. Raises PluginError."""
    for spec in specs:
        try:
            spec.cls()
        except (Exception, SystemExit) as error:
            plugins.fail(spec.owner, "rish_resources", error)


def same_words(before: Registry, after: Registry) -> bool:
    """Whether a manifest means the same to both, so that what was compiled of it holds for both.

    Members of enums belong to their module; where a class that was loaded again has some, the answer is no.
    """
    if before.prefabs != after.prefabs or before.layers.keys() != after.layers.keys():
        return False
    if before.components.keys() != after.components.keys() or before.manifest_keys != after.manifest_keys:
        return False
    if before.layer_options.keys() != after.layer_options.keys():
        return False
    pairs = ((before.components[key], kind) for key, kind in after.components.items())
    return all(old is new or _face(old.fields) == _face(new.fields) for old, new in pairs)


def _face(fields: Mapping[str, FieldSpec]) -> list[Any]:
    """What a manifest has to do with fields; equal to nothing where there are enums."""
    enums = any(spec.type.enum is not None for spec in fields.values())
    faces: list[Any] = [object()] if enums else []
    for name, spec in fields.items():
        marks = (spec.low, spec.high, spec.choices, spec.angle, spec.hidden)
        faces.append((name, spec.type.schema, marks, np.asarray(spec.default).tolist()))
    return faces


def _gone(before: Registry, after: Registry) -> list[str]:
    """The full names of kinds that are no longer declared."""
    there = {**after.components, **after.events}
    return [key for key in (*before.components, *before.events) if key not in there]
