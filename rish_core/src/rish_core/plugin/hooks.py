"""Hooks: the functions with which a plugin extends the kernel. This file is their manual.

A plugin is a module. A function in it with the name of a hook implements the hook; no decorator is needed::

    def rish_components():
        return [Wind]

Rules for all hooks:

- Hooks *declare*, systems *work*: no hook is called for each entity, particle or contact.
- Plugins are called in dependency order, independent plugins in the manifest's order, the game's own `plugin.py` last.
  `rish_scene_unloading` and `rish_shutdown` are called in reverse order.
- An implementation names only the arguments that it needs, in any order. Later versions of a hook may add arguments but
  never remove one.
- A function `rish_*` without a hook of that name is refused with the nearest name. If its hook belongs to a plugin that
  may be absent, mark it with `@hookimpl(optional=True)`.
- A hook is either stable or provisional; a minor version may change provisional hooks.
- An exception in an implementation is reported with plugin, hook, file and line. Policy `raise` raises it; policy
  `disable` disables (sets aside) the plugin and all plugins that require it, and the game continues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

import pluggy

if TYPE_CHECKING:
    from types import ModuleType

    from .declaration_checks import Reader
    from .solving.about import About

PROJECT = "rish"
PREFIX = "rish_"
UNWINDING = frozenset({"rish_scene_unloading", "rish_shutdown"})
"""Hooks that are called in reverse order, because teardown reverses the order of setup."""

_F = TypeVar("_F", bound=Callable[..., Any])
_mark = pluggy.HookimplMarker(PROJECT)

_specify = pluggy.HookspecMarker(PROJECT)


@overload
def hookspec(function: _F, /) -> _F: ...
@overload
def hookspec(
    *, firstresult: bool = ..., declares: str | None = ..., reads: Reader | None = ..., provisional: bool = ...
) -> Callable[[_F], _F]: ...
def hookspec(
    function: Any = None,
    /,
    *,
    firstresult: bool = False,
    declares: str | None = None,
    reads: Reader | None = None,
    provisional: bool = False,
) -> Any:
    """Mark a function as a hook that a plugin adds; it must be in the module that `rish_hookspecs` returns.

    firstresult: the first result that is not None counts. declares: a declaring hook of the kernel; the results are
    treated like results of that hook, so a hook that declares `rish_components` returns components. reads: the reader
    that checks the results when the registry is built; the items are then in `registry.of("rish_weather")`.
    provisional: a minor version may change the hook.
    """

    def mark(function: Any) -> Any:
        marked = _specify(firstresult=firstresult)(function)
        marked.declares, marked.reads, marked.provisional = declares, reads, provisional
        return marked

    return mark if function is None else mark(function)


@overload
def hookimpl(function: _F, /) -> _F: ...
@overload
def hookimpl(*, optional: bool = ..., tryfirst: bool = ..., trylast: bool = ...) -> Callable[[_F], _F]: ...
def hookimpl(function: Any = None, /, *, optional: bool = False, tryfirst: bool = False, trylast: bool = False) -> Any:
    """Set options of an implementation; without options it has no effect.

    optional: the hook may be unknown, because the plugin that adds it may be absent. tryfirst, trylast: call it before
    or after all other plugins. pluggy's wrappers are not supported.
    """
    marker = _mark(optionalhook=optional, tryfirst=tryfirst, trylast=trylast)
    return marker if function is None else marker(function)


# ----------------------------------------------------------------------------------------------------
# Declare: hooks that are called once, before the World exists, without arguments. Their results are checked.
# ----------------------------------------------------------------------------------------------------


@hookspec
def rish_about() -> About:  # pyright: ignore[reportReturnType]
    """The plugins that this one requires, conflicts with and provides.

    When: right after the plugin was imported, before all other hooks; the results decide the order of the plugins.
    How often: once.
    Arguments: none.
    Returns: an `About`. Without this hook the plugin requires nothing and conflicts with nothing.
    Failures: the plugin is set aside with those that require it; an unsatisfied requirement refuses the game.
    Example::

        def rish_about():
            return About(requires=["physics>=0.2,<1"], conflicts=["oldwind"], api=">=1,<2")
    """


@hookspec
def rish_hookspecs() -> ModuleType:  # pyright: ignore[reportReturnType]
    """Hooks that the plugin adds, which other plugins may implement.

    When: after all plugins were put in order, before their functions are matched with the hooks.
    How often: once.
    Arguments: none.
    Returns: a module (or class, or a list of these) with functions marked `@hookspec`, named `rish_*`.
    Failures: the plugin is set aside, also if a hook exists already; the message names both owners.
    Example::

        @hookspec
        def rish_weather():
            "What the weather can be: a list of names."

        def rish_hookspecs():
            return sys.modules[__name__]
    """


@hookspec
def rish_settings() -> type:  # pyright: ignore[reportReturnType]
    """The settings of the plugin, `settings: <plugin>:` in the manifest.

    When: while the registry is built, before the manifest is checked.
    How often: once.
    Arguments: none.
    Returns: a class marked `@resource`; its instance is filled from the manifest and available as `world[Settings]`.
    Failures: any other result sets the plugin aside.
    Example::

        @resource
        class Settings:
            direction: float = field(1.0, low=-1, high=1)

        def rish_settings():
            return Settings
    """


@hookspec
def rish_components() -> list[type]:  # pyright: ignore[reportReturnType]
    """The components of the plugin.

    When: while the registry is built. The components get their full names, `wind.Wind`.
    How often: once.
    Arguments: none.
    Returns: a list of classes marked `@component`.
    Failures: any other item sets the plugin aside; a class declared by two plugins refuses the game.
    Example::

        @component
        class Wind:
            strength: float = field(4.0, unit="kg·units/s²", low=0)

        def rish_components():
            return [Wind]
    """


@hookspec
def rish_resources() -> list[type]:  # pyright: ignore[reportReturnType]
    """The resources (one object per World) and tables (rows that are not entities) of the plugin.

    When: while the registry is built; one instance of each resource is created with its defaults in a new World.
    How often: once.
    Arguments: none.
    Returns: a list of classes marked `@resource` or `@table`.
    Failures: any other item sets the plugin aside; a class declared by two plugins refuses the game.
    Example::

        @resource
        class Score:
            points: int = 0

        def rish_resources():
            return [Score]
    """


@hookspec
def rish_events() -> list[type]:  # pyright: ignore[reportReturnType]
    """The events of the plugin, which systems emit and read as columns.

    When: while the registry is built.
    How often: once.
    Arguments: none.
    Returns: a list of classes marked `@event`.
    Failures: any other item sets the plugin aside; a class declared by two plugins refuses the game.
    Example::

        @event
        class Gust:
            strength: float

        def rish_events():
            return [Gust]
    """


@hookspec
def rish_systems() -> list[Callable[..., None]]:  # pyright: ignore[reportReturnType]
    """The systems of the plugin.

    When: while the registry is built; the schedule is sorted and frozen afterwards.
    How often: once.
    Arguments: none.
    Returns: a list of functions marked `@system`; their order decides between systems without a declared order.
    Failures: an unmarked function, two systems of one name, or an undeclared component in reads or writes sets the
        plugin aside.
    Example::

        @system(Stage.FORCES, reads=Wind, writes=Body)
        def blow(world, dt):
            ...

        def rish_systems():
            return [blow]
    """


@hookspec(provisional=True)
def rish_layers() -> list[Any]:  # pyright: ignore[reportReturnType]
    """The layers of the plugin, such as a console, a debug view or an editor.

    When: while the registry is built; the manifest's layers are below the overlays.
    How often: once.
    Arguments: none.
    Returns: a list of `Layer`.
    Failures: any other item sets the plugin aside; a name used by two plugins refuses the game.
    Example::

        def rish_layers():
            return [Layer("console", overlay=True, space="screen", on_event=type_into_console)]
    """


@hookspec(provisional=True)
def rish_host() -> Callable[..., Any]:  # pyright: ignore[reportReturnType]
    """The host that shows the game and reports window events.

    When: when the game opens, after the World was created and before `rish_ready`. The first host that is not None
        counts, in the order of the plugins; without one the game runs without output.
    How often: once.
    Arguments: none.
    Returns: a function `open(app, options)` that returns a `Host`, or None if it has none for this game. options: the
        requests of the command line or program, such as {"backend": "software", "size": (640, 360)}.
    Failures: the plugin is set aside; an error of `open` ends the game.
    Example::

        def rish_host():
            return lambda app, options: Projector(app.manifest.title)
    """


@hookspec(provisional=True)
def rish_manifest_keys() -> list[str]:  # pyright: ignore[reportReturnType]
    """Keys of the manifest outside `settings:` that set fields of the plugin's settings.

    When: while the registry is built, before the manifest is checked.
    How often: once.
    Arguments: none.
    Returns: a list of keys, `backend` for the top level or `game.size` for the section `game`; each ends in the name
        of a field of the class that `rish_settings` returns.
    Failures: any other result sets the plugin aside; a key of two plugins refuses the game.
    Example::

        def rish_manifest_keys():
            return ["game.climate"]
    """


@hookspec(provisional=True)
def rish_layer_options() -> type:  # pyright: ignore[reportReturnType]
    """Additional options for a line of `layers:`, available as `layer.options["fog"]`.

    When: while the registry is built, before the manifest is checked.
    How often: once.
    Arguments: none.
    Returns: a class marked `@resource`; each of its fields is an option, with its default.
    Failures: any other result sets the plugin aside; an option of two plugins refuses the game.
    Example::

        @resource
        class LayerFog:
            fog: float = field(0.0, low=0, high=1)

        def rish_layer_options():
            return LayerFog
    """


@hookspec
def rish_loaders() -> Mapping[str, Callable[..., Any]]:  # pyright: ignore[reportReturnType]
    """Loaders of asset files, by suffix of the file name.

    When: while the registry is built.
    How often: once.
    Arguments: none.
    Returns: {suffix: function(path) -> object}; a suffix is lower case and begins with a dot. A loader that reads files
        beside its own is marked by `with_siblings`.
    Failures: any other result sets the plugin aside; a suffix with different functions of two plugins refuses the game.
    Example::

        def load_words(path):
            return path.read_text(encoding="utf-8").split()

        def rish_loaders():
            return {".words": load_words}
    """


@hookspec(provisional=True)
def rish_prefabs() -> Mapping[str, Mapping[str, Any]]:  # pyright: ignore[reportReturnType]
    """Prefabs that all manifests may use, written as in a manifest.

    When: while the registry is built, before the manifest is checked; a manifest's prefab of the same name
        wins.
    How often: once.
    Arguments: none.
    Returns: {name: {Component: {field: value}}}, plain data as read from YAML.
    Failures: any other result sets the plugin aside; a name used by two plugins refuses the game.
    Example::

        def rish_prefabs():
            return {"gust": {"Transform": {}, "Wind": {"strength": 12}}}
    """


@hookspec(provisional=True)
def rish_names() -> Mapping[str, Callable[[Any], Iterable[str]]]:  # pyright: ignore[reportReturnType]
    """Lists of names that tools offer for fields declared with `field(names="climates")`.

    When: while the registry is built; the functions are called when a tool shows such a field.
    How often: once.
    Arguments: none.
    Returns: {list: function(world) -> the names}, in the order in which tools show them. A list of files is an
        `AssetNames`: then manifests can't name other files in such fields, and `rish check` reads those that they name.
    Failures: any other result sets the plugin aside; a list with different functions of two plugins refuses the game.
    Example::

        def rish_names():
            return {"climates": lambda world: world[Climates].known}
    """


# ----------------------------------------------------------------------------------------------------
# Moments: hooks that are called rarely, for the parts of a game outside the simulation.
# ----------------------------------------------------------------------------------------------------


@hookspec
def rish_manifest(manifest: Any, plugins: Any, registry: Any) -> None:
    """Called after the manifest was read; may read it or add values that the author left out.

    When: after the plugins were loaded, before the manifest is checked against the registry.
    How often: once at the start, and once each time the manifest is read again.
    Arguments: manifest: the `Manifest`; changes to its settings, layers, prefabs and scenes take effect. plugins: the
        running plugins, whose hooks can be called: `plugins.gather("rish_weather")`. registry: their declarations.
    Returns: nothing.
    Failures: the plugin is set aside; its changes stay and are checked like the author's own lines.
    Example::

        def rish_manifest(manifest):
            manifest.settings.setdefault("wind", {"direction": -1})
    """


@hookspec
def rish_ready(app: Any) -> None:
    """Called when the game is built: registry, schedule and World exist, nothing has been spawned.

    When: after the World was created, before the first scene; in a running game when the plugin is loaded or enabled.
    How often: once, and once more each time that it is enabled after `rish_shutdown`.
    Arguments: app: the `App`, to be read only; resources of `app.world` may be added or changed.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it.
    Example::

        def rish_ready(app):
            app.world[Score].points = 100
    """


@hookspec
def rish_scene_loaded(world: Any, scene: str) -> None:
    """Called after a scene was spawned.

    When: between two ticks, when all entities of the scene exist, before its first tick.
    How often: once for each scene change.
    Arguments: world: the World, which may be changed here. scene: the scene's name.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it; the scene stays.
    Example::

        def rish_scene_loaded(world, scene):
            if scene == "play":
                world[Score].points = 0
    """


@hookspec
def rish_warm_up(world: Any) -> dict[str, Callable[[], object]] | None:
    """Prepares a scene, above all its kernels, so that none compiles while it is played.

    When: after `rish_scene_loaded`, before the scene's first tick.
    How often: once for each scene change; an editor also asks after edits.
    Arguments: world: the World with the scene's entities.
    Returns: a function for each feature that the scene needs, by the feature's name; or None. A function calls each
        kernel of its feature once, with the argument types of later calls. Each function is called once per app;
        kernels that the package's `kernels.txt` lists for the feature are compiled before, in parallel. In a window
        whose kernels are compiled already, the functions are called after the scene's first frame.
    Failures: the plugin is set aside, its systems with it.
    Example::

        def rish_warm_up(world):
            if len(world.table(Wind)):
                return {"wind": lambda: blow_kernel(np.zeros((1, 2), np.float32), 0.0)}
    """


@hookspec
def rish_scene_unloading(world: Any, scene: str) -> None:
    """Called before a scene ends.

    When: between two ticks, before its entities are despawned. Plugins are called in reverse order.
    How often: once for each scene change.
    Arguments: world: the World, which may be changed here. scene: the name of the scene that ends.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it; the scene ends nevertheless.
    Example::

        def rish_scene_unloading(world, scene):
            world[Best].points = max(world[Best].points, world[Score].points)
    """


@hookspec
def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Called after edited code or text was applied to the running game.

    When: between two ticks, after classes, systems, settings and entities were changed to the new code and manifest.
    How often: once for each successful reload.
    Arguments: app: the `App`, with the new registry and manifest. plugins: the names of the plugins whose code is new,
        or that were taken out; empty if only the manifest was edited.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it; the game's own plugin is enabled again by its next good
        edit.
    Example::

        def rish_reloaded(app, plugins):
            app.world[Paths].rebuild(app.world)
    """


@hookspec
def rish_shutdown(world: Any) -> None:
    """Called when the game ends, to close files, threads and devices.

    When: after the last frame, also when the game ends with an error; and when the plugin is disabled or taken out of a
        running game, so undo here what `rish_ready` did outside the state. Plugins are called in reverse order.
    How often: once for each `rish_ready`.
    Arguments: world: the World in its last state.
    Returns: nothing.
    Failures: reported; the other plugins are still called, also with policy `raise`.
    Example::

        def rish_shutdown(world):
            recording.close()
    """


# ----------------------------------------------------------------------------------------------------
# Errors and tools: hooks that are called after an error, or once per frame.
# ----------------------------------------------------------------------------------------------------


@hookspec(firstresult=True, provisional=True)
def rish_system_failed(system: str, error: BaseException, world: Any) -> str | None:
    """Decides what happens to a system that raised.

    When: right after the exception, before the next system runs. The first result that is not None decides.
    How often: once for each exception.
    Arguments: system: its name, `wind.blow`. error: the exception. world: the World, perhaps partly written.
    Returns: "raise" (end the game), "skip" (continue, call it again next time), "disable" (never call it again), or
        None for no decision; if all plugins return None, the policy of the App decides.
    Failures: the plugin is set aside and its result ignored; any other result is a failure.
    Example::

        def rish_system_failed(system, error, world):
            return "skip" if system == "wind.blow" else None
    """


@hookspec(firstresult=True)
def rish_error_hint(error: BaseException) -> str | None:
    """Returns a hint for an error that is about to be shown.

    When: when an error is printed or shown in the editor. The first hint is shown.
    How often: once for each error.
    Arguments: error: the exception.
    Returns: one sentence that says what to do, or None.
    Failures: the plugin is set aside; the error is shown without its hint.
    Example::

        def rish_error_hint(error):
            if isinstance(error, NoDevice):
                return "Is the wind machine plugged in?"
            return None
    """


@hookspec(provisional=True)
def rish_frame_end(world: Any, stats: Any) -> None:
    """Called after each frame; for profilers, recorders and overlays of numbers.

    When: after LAST, outside the simulation.
    How often: once per frame; no cost if no plugin implements it.
    Arguments: world: the World, to be read only. stats: the drawing statistics of the host (`DrawStats`); None if
        nothing is drawn.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it.
    Example::

        def rish_frame_end(world, stats):
            history.append(stats.draw_calls)
    """
