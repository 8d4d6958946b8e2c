"""Hooks: everything that a plugin can say to the kernel, and the kernel to a plugin. This file is the manual.

A plugin is a module. A function in it whose name is that of a hook implements the hook; no decorator is
needed::

    def rish_components():
        return [Wind]

Rules that hold for all of them:

- Hooks *declare*, systems *work*: nothing that happens for each entity, particle or contact goes through a
  hook.
- Plugins are called in dependency order, plugins that don't depend on each other in the manifest's order, the
  game's own `plugin.py` last; the hooks that take down (`rish_scene_unloading`, `rish_shutdown`) go the other
  way round.
- An implementation names only the arguments it wants, in any order. A hook may get new arguments, never lose
  one.
- A function `rish_*` that no hook is known by is refused with the nearest name. If it belongs to a plugin
  that need not be there, mark it: `@hookimpl(optional=True)`.
- A hook is stable, or provisional: then a minor version may change it.
- An exception in an implementation is named with plugin, hook, file and line. Policy `raise` stops there;
  policy `disable` sets the plugin aside, together with those that require it, and the game goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

import pluggy

if TYPE_CHECKING:
    from types import ModuleType

    from .about import About
    from .declared import Reader

PROJECT = "rish"
PREFIX = "rish_"
UNWINDING = frozenset({"rish_scene_unloading", "rish_shutdown"})
"""Hooks that are called in reverse order: what was built up last is taken down first."""

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
    """Mark the hooks that a plugin adds, in the module that its `rish_hookspecs` returns.

    firstresult: the first answer that is not None counts. declares: the answers are also answers of that declaring
    hook of the kernel: what a plugin returns from a hook that declares `rish_components` are components of that
    plugin. reads: the hook declares something of its own; its answers are checked by this reader when the registry is
    built, and found by `registry.of("rish_weather")`. provisional: the hook may change with a minor version.
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
    """Say more of an implementation than its name does; without options it changes nothing.

    optional: the hook may be unknown, because the plugin that adds it need not be loaded. tryfirst, trylast: be called
    before or after all other plugins. Wrappers, as other users of pluggy know them, do not exist here.
    """
    marker = _mark(optionalhook=optional, tryfirst=tryfirst, trylast=trylast)
    return marker if function is None else marker(function)


# ----------------------------------------------------------------------------------------------------
# Declare: once, before there is a World. They take no arguments; what they return is checked.
# ----------------------------------------------------------------------------------------------------


@hookspec
def rish_about() -> About:  # pyright: ignore[reportReturnType]
    """The plugins that this one requires, conflicts with and provides.

    When: first of all, right after the plugin was imported; its answer decides the order of the others.
    How often: once.
    Arguments: none.
    Returns: an `About`. Without this hook the plugin needs nothing and conflicts with nothing.
    Failures: the plugin is set aside with those that require it; a requirement that can't be met refuses the
        game.
    Example::

        def rish_about():
            return About(requires=["physics>=0.2,<1"], conflicts=["oldwind"], api=">=1,<2")
    """


@hookspec
def rish_hookspecs() -> ModuleType:  # pyright: ignore[reportReturnType]
    """Further hooks, which other plugins may implement.

    When: after all plugins were put in order, before their functions are matched with the hooks.
    How often: once.
    Arguments: none.
    Returns: a module (or class, or a list of these) with functions marked `@hookspec`, named `rish_*`.
    Failures: the plugin is set aside; a hook that exists already is a failure, both owners are named.
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
    Returns: a class marked `@resource`; it is filled from the manifest and found as `world[Settings]`.
    Failures: anything else than one such class sets the plugin aside.
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
    Failures: anything else in the list sets the plugin aside; a class declared by two plugins refuses the
        game.
    Example::

        @component
        class Wind:
            strength: float = field(4.0, unit="kg·units/s²", low=0)

        def rish_components():
            return [Wind]
    """


@hookspec
def rish_resources() -> list[type]:  # pyright: ignore[reportReturnType]
    """What a World holds one of: state that belongs to no entity, and tables of rows that are no entities.

    When: while the registry is built; each class is made once with its defaults when the World is.
    How often: once.
    Arguments: none.
    Returns: a list of classes marked `@resource` or `@table`.
    Failures: anything else in the list sets the plugin aside; a class declared by two plugins refuses the
        game.
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
    Failures: anything else in the list sets the plugin aside; a class declared by two plugins refuses the
        game.
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
    Returns: a list of functions marked `@system`; their order in the list decides where nothing else does.
    Failures: an unmarked function, two systems of one name, or an unregistered component in reads or writes
        sets the
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
    """Layers that the plugin brings: a console, a debug view, an editor.

    When: while the registry is built; the manifest's own layers lie below the overlays.
    How often: once.
    Arguments: none.
    Returns: a list of `Layer`.
    Failures: anything else in the list sets the plugin aside; a name used by two plugins refuses the game.
    Example::

        def rish_layers():
            return [Layer("console", overlay=True, space="screen", on_event=type_into_console)]
    """


@hookspec(provisional=True)
def rish_host() -> Callable[..., Any]:  # pyright: ignore[reportReturnType]
    """The host that shows the game and reports window events.

    When: when the game opens, after the World was made and before `rish_ready`. The first host that is not None counts,
        in the order of the plugins; without one the game runs unseen.
    How often: once.
    Arguments: none.
    Returns: a function `open(app, options)` that gives a `Host`, or None where it has none for this game. options: what
        the command line or the program asks for, such as {"backend": "software", "size": (640, 360)}.
    Failures: the plugin is set aside; what `open` raises ends the game.
    Example::

        def rish_host():
            return lambda app, options: Projector(app.manifest.title)
    """


@hookspec(provisional=True)
def rish_manifest_keys() -> list[str]:  # pyright: ignore[reportReturnType]
    """Keys of the manifest outside of `settings:` in which some of the plugin's settings are written.

    When: while the registry is built, before the manifest is checked.
    How often: once.
    Arguments: none.
    Returns: a list of keys, `backend` for the top level or `game.size` for the section `game`; each ends in the name
        of a field of the class that `rish_settings` returns.
    Failures: anything else sets the plugin aside; a key of two plugins refuses the game.
    Example::

        def rish_manifest_keys():
            return ["game.climate"]
    """


@hookspec(provisional=True)
def rish_layer_options() -> type:  # pyright: ignore[reportReturnType]
    """Further options of a line of `layers:`, found as `layer.options["fog"]`.

    When: while the registry is built, before the manifest is checked.
    How often: once.
    Arguments: none.
    Returns: a class marked `@resource`; each of its fields is an option, with its default.
    Failures: anything else sets the plugin aside; an option of two plugins refuses the game.
    Example::

        @resource
        class LayerFog:
            fog: float = field(0.0, low=0, high=1)

        def rish_layer_options():
            return LayerFog
    """


@hookspec
def rish_loaders() -> Mapping[str, Callable[..., Any]]:  # pyright: ignore[reportReturnType]
    """Readers of asset files, by the end of the file's name.

    When: while the registry is built.
    How often: once.
    Arguments: none.
    Returns: {suffix: function(path) -> object}; a suffix is lower case and begins with a dot.
    Failures: anything else sets the plugin aside; a suffix used by two plugins refuses the game.
    Example::

        def load_words(path):
            return path.read_text(encoding="utf-8").split()

        def rish_loaders():
            return {".words": load_words}
    """


@hookspec(provisional=True)
def rish_prefabs() -> Mapping[str, Mapping[str, Any]]:  # pyright: ignore[reportReturnType]
    """Prefabs that every manifest may name, written as in a manifest.

    When: while the registry is built, before the manifest is checked; a manifest's prefab of the same name
        wins.
    How often: once.
    Arguments: none.
    Returns: {name: {Component: {field: value}}}, plain data as YAML would give it.
    Failures: anything else sets the plugin aside; a name used by two plugins refuses the game.
    Example::

        def rish_prefabs():
            return {"gust": {"Transform": {}, "Wind": {"strength": 12}}}
    """


# ----------------------------------------------------------------------------------------------------
# Moments: rare, for the side of a game that is not the simulation.
# ----------------------------------------------------------------------------------------------------


@hookspec
def rish_manifest(manifest: Any, plugins: Any, registry: Any) -> None:
    """The manifest was read; look at it, or fill in what the author left out.

    When: after the plugins were loaded, before the manifest is checked against the registry.
    How often: once a start, and once more each time the manifest is read again.
    Arguments: manifest: the `Manifest`; changes to its settings, layers and prefabs count. plugins: those that run,
        whose hooks can be called: `plugins.gather("rish_weather")`. registry: what they declared.
    Returns: nothing.
    Failures: the plugin is set aside; what it changed stays and is checked like the author's own lines.
    Example::

        def rish_manifest(manifest):
            manifest.settings.setdefault("wind", {"direction": -1})
    """


@hookspec
def rish_ready(app: Any) -> None:
    """Everything is put together: registry, schedule and World are there, nothing has been spawned.

    When: after the World was made, before the first scene.
    How often: once.
    Arguments: app: the `App`, to look at; `app.world` may be given resources.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it.
    Example::

        def rish_ready(app):
            app.world[Score].points = 100
    """


@hookspec
def rish_scene_loaded(world: Any, scene: str) -> None:
    """A scene was spawned.

    When: at the tick border, after all of the scene's entities exist, before its first tick.
    How often: once a scene change.
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
    """Prepare what the scene needs, kernels above all, so that nothing compiles once it is played.

    When: after `rish_scene_loaded`, before the scene's first tick; in a window after its first picture, if no kernel
        has to be compiled for it.
    How often: once a scene change.
    Arguments: world: the World with the scene's entities.
    Returns: a function for each feature that the scene needs, by the feature's name; or None. A function calls each
        kernel of its feature once, with arguments of the types that come later. It is called once a process. Kernels
        that the package's `kernels.txt` lists for the feature are compiled before that, in parallel.
    Failures: the plugin is set aside, its systems with it.
    Example::

        def rish_warm_up(world):
            if len(world.table(Wind)):
                return {"wind": lambda: blow_kernel(np.zeros((1, 2), np.float32), 0.0)}
    """


@hookspec
def rish_scene_unloading(world: Any, scene: str) -> None:
    """A scene is about to go.

    When: at the tick border, before its entities are despawned. Plugins are called in reverse order.
    How often: once a scene change.
    Arguments: world: the World, which may be changed here. scene: the name of the scene that goes.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it; the scene goes all the same.
    Example::

        def rish_scene_unloading(world, scene):
            world[Best].points = max(world[Best].points, world[Score].points)
    """


@hookspec
def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Edited code or text was taken over while the game runs.

    When: at the tick border, after classes, systems, settings and entities follow the new code and the new manifest.
    How often: once a reload that succeeded; never where nothing is reloaded.
    Arguments: app: the `App`, with the new registry and manifest. plugins: the names of the plugins whose code is new;
        empty where only the manifest was edited.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it; a game's own comes back with its next good edit.
    Example::

        def rish_reloaded(app, plugins):
            app.world[Paths].rebuild(app.world)
    """


@hookspec
def rish_shutdown(world: Any) -> None:
    """The game ends: close files, threads and devices.

    When: after the last frame, also when the game ends with an error. Plugins are called in reverse order.
    How often: once.
    Arguments: world: the World as it ended.
    Returns: nothing.
    Failures: named; the other plugins are still called, under policy `raise` as well.
    Example::

        def rish_shutdown(world):
            recording.close()
    """


# ----------------------------------------------------------------------------------------------------
# Errors and tools: called when something went wrong, or once a frame.
# ----------------------------------------------------------------------------------------------------


@hookspec(firstresult=True, provisional=True)
def rish_system_failed(system: str, error: BaseException, world: Any) -> str | None:
    """A system raised; say what becomes of it.

    When: right after the exception, before the next system runs. The first plugin that answers decides.
    How often: once an exception.
    Arguments: system: its name, `wind.blow`. error: what it raised. world: the World, perhaps half written.
    Returns: "raise" (end the game), "skip" (go on, call it again next time), "disable" (never call it again),
        or None
        for no opinion; where no plugin has one, the policy decides.
    Failures: the plugin is set aside and has no say; another answer counts as a failure.
    Example::

        def rish_system_failed(system, error, world):
            return "skip" if system == "wind.blow" else None
    """


@hookspec(firstresult=True)
def rish_error_hint(error: BaseException) -> str | None:
    """Help a person with an error that is about to be shown.

    When: when an error is printed or shown in the editor. The first plugin that answers is shown.
    How often: once an error.
    Arguments: error: the exception.
    Returns: one sentence that says what to do, or None.
    Failures: the plugin is set aside and has no say; the error is shown without a hint.
    Example::

        def rish_error_hint(error):
            if isinstance(error, NoDevice):
                return "Is the wind machine plugged in?"
            return None
    """


@hookspec(provisional=True)
def rish_frame_end(world: Any, stats: Any) -> None:
    """A frame is over; for profilers, recorders and overlays of numbers.

    When: after LAST, outside the simulation.
    How often: once a frame; costs nothing where no plugin implements it.
    Arguments: world: the World, to look at. stats: what drawing took, as the host has it (`DrawStats`); None where
        nothing is drawn.
    Returns: nothing.
    Failures: the plugin is set aside, its systems with it.
    Example::

        def rish_frame_end(world, stats):
            history.append(stats.draw_calls)
    """
