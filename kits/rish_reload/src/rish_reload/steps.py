"""Checked changes of the plugins of a running game, which can be attempted, accepted or undone.

The functions check everything without changing the game, and return the step. Switching off and on uses the mechanism
that sets failed plugins aside (`Plugins.set_aside`); all other steps are a `Renewal`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol

from rish_core import Manifest, PluginError, Plugins, UnknownName, builtin
from rish_core.plugin import GAME, NamedWish, forget_game_plugin, load_game_plugin, load_plugins, make_plan
from rish_ecs import Disabled, kind_of
from rish_jit import package_folder

from .lifecycle_hooks import begin, end
from .package import put_back, reload_package, shared_class
from .renewal import ManifestResolver, Renewal, check, disabled_plugins, prepare

if TYPE_CHECKING:
    from rish_core import App

_CORE = "core"


class Step(Protocol):
    """A checked change. started, stopped: the plugins that begin and end. dropped: rows by class, after `attempt`."""

    started: Sequence[str]
    stopped: Sequence[str]
    dropped: dict[str, int]

    def attempt(self) -> None:
        """Apply the change. Raises PluginError if that fails; then nothing has changed."""
        ...

    def accept(self) -> None:
        """Drop what `undo` needs."""
        ...

    def undo(self) -> None:
        """Undo the change and keep the state of the World."""
        ...

    def discard(self) -> None:
        """Drop a change that was not attempted."""
        ...


class Switch:
    """Switches a plugin and the plugins that require it off, or on again."""

    def __init__(self, app: App, name: str, *, on: bool) -> None:
        self._app, self._name, self._on = app, name, on
        self.started: Sequence[str] = ()
        self.stopped: Sequence[str] = ()
        self.dropped: dict[str, int] = {}

    def attempt(self) -> None:
        """Switch the plugins off or on.

        Raises the exception of a plugin that fails to begin; then all are off again.
        """
        if not self._on:
            self.stopped = self._turn_off()
            return
        app = self._app
        state = app.world.snapshot()
        self.started = app.plugins.resume(self._name)
        app.plugins_changed(self.started)
        try:
            begin(app, self.started)
        except Exception:
            self.undo()
            raise
        finally:
            app.world.restore(state)

    def _turn_off(self) -> tuple[str, ...]:
        """Switch the plugins off and keep the state of the World; return their names."""
        app, name = self._app, self._name
        state = app.world.snapshot()
        end(app, [name, *app.plugins.dependents(name)])
        app.world.restore(state)
        before = {*app.plugins.aside}
        if name in app.plugins:  # otherwise its failure has set it aside
            app.plugins.leave_out([name])
        app.plugins_changed()
        return (name, *(other for other in app.plugins.aside if other != name and other not in before))

    def accept(self) -> None:
        """End the trial."""
        for name in self.started:
            self._app.plugins.trial.pop(name, None)

    def undo(self) -> None:
        """Switch the plugins off again."""
        self.accept()
        self._turn_off()

    def discard(self) -> None:
        """Do nothing."""


class Exchange:
    """Loads, removes or reloads plugins by a `Renewal`.

    undone: called if the change is undone or discarded. later: the changes that take effect only at the next start.
    """

    def __init__(self, renewal: Renewal, undone: Callable[[], object] = lambda: None) -> None:
        self._renewal, self._undone = renewal, undone
        self.later = renewal.later
        self.started: Sequence[str] = renewal.entering or (() if renewal.leaving else renewal.names)
        self.stopped: Sequence[str] = renewal.leaving
        self.dropped: dict[str, int] = {}

    def attempt(self, *, entities: bool = True, prepare: bool = True) -> None:
        """Apply the renewal. entities: see `Renewal.apply`. prepare: wait for the kernels of plugins that begin."""
        renewal, app = self._renewal, self._renewal.app
        app.plugins.trial.update(dict.fromkeys(self.started))
        try:
            renewal.attempt(entities=entities)
        except BaseException:
            self.discard()
            raise
        self.dropped = renewal.dropped
        for plugin in app.plugins:
            file = getattr(plugin.module, "__file__", None) if plugin.name in renewal.entering else None
            if file:
                app.kernels.folders = {**app.kernels.folders, plugin.name: package_folder(file)}
        if renewal.entering and prepare:
            app.prepare_scene()

    @property
    def lost(self) -> dict[str, int]:
        """The number of rows that each component and table loses because its plugin ends, by full name.

        Before `attempt`.
        """
        declared, tables = self._renewal.registry.components, self._renewal.app.world.tables.values()
        counts = {table.schema.key: len(table) for table in tables if len(table)}
        return {key: count for key, count in counts.items() if key not in declared and key != kind_of(Disabled).key}

    def accept(self) -> None:
        """Drop what `undo` needs."""
        self._renewal.accept()

    def undo(self) -> None:
        """Return to the former plugins."""
        self._renewal.undo()
        self._undone()

    def discard(self) -> None:
        """Return to the former modules."""
        for name in self.started:
            self._renewal.app.plugins.trial.pop(name, None)
        self._undone()


def switch_off(app: App, name: str) -> Switch:
    """Check whether a plugin can be switched off. Raises PluginError and UnknownName."""
    check_removable(app, name)
    if name in app.plugins.aside:
        raise PluginError(f"plugin '{name}' does not run: {app.plugins.aside[name]}")
    return Switch(app, name, on=False)


def switch_on(app: App, name: str) -> Switch:
    """Check whether a plugin can be switched on. Raises PluginError and UnknownName."""
    _check_loaded(app, name)
    aside = app.plugins.aside
    if name not in aside:
        raise PluginError(f"plugin '{name}' runs already")
    if name not in app.registry.plugins:
        raise PluginError(
            f"plugin '{name}' was not ready when the game began: {aside[name]}",
            hint="Correct it, then use reload",
        )
    if name in app.plugins.dependent:
        raise PluginError(f"plugin '{name}' can't run: {aside[name]}", hint="Enable that one")
    return Switch(app, name, on=True)


def exchange(app: App, old: str | None, new: str | None, given: object = None) -> Exchange:
    """Check whether a plugin can be replaced by another; return the change. Raises like `plugin_swap.load`.

    old: the plugin to remove, or None. new: the plugin to load, as in a manifest, or None. given: its module or object,
    if it is not installed.
    """
    without: tuple[str, ...] = ()
    if old is not None:
        check_removable(app, old, followers=False)
        without = (old,)
    wishes = [NamedWish.parse(new)] if new is not None else []
    _check_new(app, wishes)
    extra = {} if new is None or given is None else {new: given}
    plan = make_plan(
        wishes, app.plugins.others, extra=extra, core=None, game_file=None, manifest=app.manifest.file, off={}
    )
    plugins = app.plugins.revised(plan, without=without, keep=disabled_plugins(app))
    loaded = {plugin.name for plugin in app.plugins.all}
    entering = tuple(name for name in plugins.names if name not in loaded)
    change = check(app, plugins, (*entering, *without))
    change.entering, change.leaving, change.later = entering, without, []
    return Exchange(change)


def prepare_plugins(
    app: App, manifest: Manifest, resolve: ManifestResolver | None = None, *, own: bool = True
) -> Exchange:  # fmt: skip
    """Check another manifest together with the plugins that it names, without changing the game; return the change.

    The plugins are those that a new App would load, in the same order. Plugins that are loaded already keep their code.
    Plugins that nothing names or requires any more are removed. resolve: returns the manifest to apply, which may lack
    what the plugins do not declare; None: apply the manifest itself. own: whether to load the game's own plugin. Raises
    PluginError, DeclarationError, ScheduleError and ManifestError.
    """
    game = next((plugin.module for plugin in app.plugins.all if plugin.name == GAME), None) if own else None
    options = {**app.loading}
    extra_wishes = options.pop("more")
    if game is not None:
        options["extra"] = {**(options["extra"] or {}), GAME: game}
    aside = app.plugins.aside
    plugins = load_plugins(
        [*manifest.plugins, *extra_wishes], core=builtin,
        game_file=manifest.plugin_file if own and game is None else None,
        policy="disable" if aside else "raise", manifest=manifest.file, **options,
    )  # fmt: skip
    disabled = disabled_plugins(app)
    plugins.resting = {name: aside[name] for name in disabled if name in plugins}
    change = check(app, plugins, (), resolve or manifest)
    for failure in plugins.failures:
        if failure.plugin not in aside:  # the others were set aside before
            raise failure.as_error() from failure.error
    _set_names(change, plugins, {*app.plugins.names, *disabled})
    change.later = [key for key in change.later if key in ("title", "seed")]
    return Exchange(change)


def _set_names(change: Renewal, plugins: Plugins, before: Collection[str]) -> None:
    """Set which plugins of a change begin and end. before: the plugins that are declared now. Raises PluginError."""
    app = change.app
    leaving = tuple(plugin.name for plugin in app.plugins.all if plugin.name in before and plugin.name not in plugins)
    for name in leaving:
        if name != GAME:
            check_removable(app, name, followers=False)
    change.entering, change.leaving = tuple(name for name in plugins.names if name not in before), leaving
    change.names = (*change.entering, *leaving)


def new_code(app: App, name: str) -> Exchange:
    """Load the code of a plugin again and check it. Raises PluginError, UnknownName and any exception of the code."""
    _check_loaded(app, name)
    if name == _CORE:
        raise PluginError("the kernel can't be reloaded in a running game", hint="Start the game again")
    if name == GAME:
        return _new_game(app)
    module = next(plugin.module for plugin in app.plugins.all if plugin.name == name)
    if not isinstance(module, ModuleType) or not module.__file__:
        raise PluginError(f"plugin '{name}' was given as an object and has no file", hint="Use replace")
    package = module.__name__.partition(".")[0]
    shared = shared_class(package)
    if shared is not None:
        what = f"the code of plugin '{name}' can't be loaded again in a running game: {shared}"
        raise PluginError(what, hint="Start the game again")
    new_module, before = reload_package(module.__name__)
    try:
        return Exchange(prepare(app, module=new_module, plugin=name), lambda: put_back(package, before))
    except BaseException:
        put_back(package, before)
        raise


def _new_game(app: App) -> Exchange:
    """Load the game's own plugin again and check it."""
    path: Path | None = app.manifest.plugin_file
    if path is None:
        raise PluginError("the game has no plugin.py")
    module = load_game_plugin(path, afresh=True)
    try:
        return Exchange(prepare(app, module=module), lambda: forget_game_plugin(module))
    except BaseException:
        forget_game_plugin(module)
        raise


def check_removable(app: App, name: str, *, followers: bool = True) -> None:
    """Raise PluginError if a running game can't do without a plugin, and UnknownName if it is not loaded.

    followers: check the plugins that require it as well, because they are switched off with it.
    """
    _check_loaded(app, name)
    reasons = {app.host_owner: "shows the game"}
    backend_owner = app.registry.owners.get(("backend", app.host.name))
    if backend_owner is not None:
        reasons.setdefault(backend_owner, f"draws the game with the backend '{app.host.name}'. Swap the backend first")
    fixed = {_CORE: "is the kernel", GAME: "is the game itself", **reasons}
    for plugin in (name, *(app.plugins.dependents(name) if followers else ())):
        if plugin in fixed:
            because = f"'{plugin}' requires it, and " if plugin != name else ""
            who = "it" if plugin == name else f"'{plugin}'"
            raise PluginError(f"plugin '{name}' can't be taken from a running game: {because}{who} {fixed[plugin]}")


def _check_new(app: App, wishes: Sequence[NamedWish]) -> None:
    """Raise PluginError for a wish that is optional, or whose plugin is loaded."""
    for wish in wishes:
        if wish.optional:
            raise PluginError(f"'{wish.name}?' is optional", hint=f"Name it without the mark: {wish.name}")
        if wish.name in app.plugins.aside:
            raise PluginError(f"plugin '{wish.name}' is loaded, and disabled", hint="Use enable")
        if wish.name in app.plugins:
            raise PluginError(f"plugin '{wish.name}' is loaded already", hint="Use reload for its code")


def _check_loaded(app: App, name: str) -> None:
    """Raise UnknownName if no plugin of that name is loaded."""
    names = [plugin.name for plugin in app.plugins.all]
    if name not in names:
        raise UnknownName(f"no plugin '{name}' is loaded", given=name, choices=names)
