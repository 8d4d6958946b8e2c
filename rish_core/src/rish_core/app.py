"""The App: a game assembled from its manifest, and its main loop.

Read this file first to find the other parts of the kernel. Data flows in one direction: the manifest names plugins, the
plugins fill the registry, the registry defines the World, systems change the World, and a host shows the result. Only
input flows back.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from rish_ecs import TICK_STAGES, RishError, Stage, World, describe_error, place_of_error
from rish_ecs.storage import EventReaders

from .assembly import build_world, declared_layers, open_host, read_game, report_degraded
from .assets import Assets
from .errors import PluginError
from .loop.clock import Clock
from .loop.debugging import debugged
from .loop.events import NOTHING, InputRecord, WindowEvent
from .loop.input import Input
from .loop.layers import Layer, LayerFailed, LayerPolicy, LayerStack, put_layers
from .loop.order import BoundSystem
from .loop.profile import Profiler
from .loop.schedule import Policy as SystemPolicy
from .loop.schedule import Schedule, SystemFailed
from .loop.session import Failures, Session
from .loop.slow import SlowSystems
from .loop.ticks import PendingInput, TickHooks
from .manifest.manifest import Manifest, PluginWish
from .manifest.scenes import Scenes, change_scene
from .plugin.calls import Around
from .plugin.kernels import Functions, SceneKernels
from .plugin.plugins import Policy
from .warming import WarmUp

_PREPARE_SECONDS = 0.01
"""Seconds of each frame in which features of the scene are prepared; a feature that takes longer is not interrupted."""
_DEBUGGER_SECONDS = 0.25
"""The length of a frame in seconds above which an attached debugger is assumed to have stopped the game."""


class App:
    """A game that can be run frame by frame or until its end.

    manifest: the game's manifest. headless: no window, one tick per frame, no wall clock. seed: replaces the manifest's
    seed. more: plugins to load in addition to the manifest's. extra: plugins given as modules or objects, by name.
    installed: the plugins that discovery found; an empty list disables discovery. policy: on a failure of a plugin or
    system, `raise` the error, or `disable` the culprit and continue. off: plugins that are not loaded, each with the
    reason. without: plugins that are loaded and then disabled, so that their declarations exist. open_assets: load each
    file that the manifest names once and report failures as mistakes; if False, only check that the files exist.
    warm_up: prepare the kernels of a scene before it is played. personal: whether files of the player, such as chosen
    keys, may change the game; only in a window. watches: whether plugins may watch the game's files and apply changes;
    False for a tool that applies them itself, such as an editor. demo: without a window, begin with the scene that the
    manifest's `demo` names. shown: options for the host; for `rish_frame` these are `backend` (a name or a backend
    object), `size` (of the window in pixels; default: the game's) and `pixels` (True: choose a backend that can return
    images, also when headless).

    The attribute `loading` holds the arguments that decide which plugins are loaded. Raises ManifestError with all
    mistakes, PluginError, and any error of the host.
    """

    def __init__(
        self,
        manifest: Manifest,
        *,
        headless: bool = False,
        seed: int | None = None,
        more: Sequence[str | PluginWish] = (),
        extra: Mapping[str, object] | None = None,
        installed: Sequence[Any] | None = None,
        policy: Policy = "disable",
        off: Mapping[str, str] | None = None,
        without: Collection[str] = (),
        open_assets: bool = False,
        warm_up: bool = True,
        personal: bool = True,
        watches: bool = True,
        demo: bool = False,
        **shown: Any,
    ) -> None:
        self.manifest = manifest
        self.headless = headless
        self.watches = watches
        self._personal = personal
        sources = {"extra": dict(sorted(extra.items())) if extra else None, "installed": installed, "off": off}
        self.loading: dict[str, Any] = {"more": tuple(more), **sources}
        self.plugins, self.registry, self.game = read_game(manifest, more, policy, sources, open_assets=open_assets)
        try:
            self.world = build_world(self.game, self.registry, manifest.seed if seed is None else seed)
            put_layers(self.world, declared_layers(self.game, self.registry), self._layer_failed)
            self.plugins.leave_out(without)
            self._declare_readers()
            self.schedule = self._build_schedule()
            self.schedule.check_layers(self.world[LayerStack].declared)
            self.host, self.host_owner = open_host(self.plugins, self, shown)
            report_degraded(self.plugins, self.host)
            self.demo = demo and not self.windowed
        except BaseException:
            self.plugins.close()
            raise
        self._closed = self._in_host_call = False
        try:
            self._begin(warm_up)
        except BaseException:
            self.kernels.close()
            self.host.close()
            self.plugins.close()
            raise

    # Building

    def _build_schedule(self) -> Schedule:
        schedule = Schedule(self.registry.systems, plugins=self.plugins.names, on_error=self._system_failed)
        self.world.put(schedule.profiler)
        self.plugins.on_aside(lambda aside: self._disable_plugins(schedule, aside))
        self._disable_plugins(schedule, self.plugins.aside)
        return schedule

    def plugins_changed(self, resumed: Collection[str] = ()) -> None:
        """Update the lists of failures, disabled systems, handlers and hooks after plugins changed.

        resumed: the plugins that run again or are new.
        """
        self.world[Failures].outcomes.clear()
        for bound in self.schedule.systems:
            if bound.plugin in resumed:
                self.schedule.enable(bound.name)
        stack: LayerStack = self.world[LayerStack]
        for layer in declared_layers(self.game, self.registry):
            if self.registry.owners.get(("layer", layer.name)) in resumed and layer.name in stack.declared:
                stack.declared[layer.name] = replace(stack.layer(layer.name), on_event=layer.on_event)
        self._disable_plugins(self.schedule, self.plugins.aside)
        self._declare_readers()
        self._has_frame_hook = self.plugins.has("rish_frame_end")

    def _declare_readers(self) -> None:
        """Set which systems read which events; plugins that only show the game (`About.view`) have no influence."""
        views = {plugin.name for plugin in self.plugins.all if plugin.about.view}
        specs = {bound.name: bound.spec for bound in self.registry.systems if bound.plugin not in views}
        every = {name for name, spec in specs.items() if spec.events is None and World in spec.writes}
        kind, settings = self.world.kind, cast("dict[str, Any]", self.manifest.settings)
        texts = {name: of.get("on") for name, of in settings.items() if hasattr(of, "get")}
        reactions = {name: {kind(str(event)) for event in on} for name, on in texts.items() if hasattr(on, "get")}
        self.world.readers = EventReaders(specs, every, reactions)

    def _disable_plugins(self, schedule: Schedule, plugins: Collection[str]) -> None:
        """Disable the systems and the layer event handlers of these plugins for the rest of the run."""
        for bound in schedule.systems:
            if bound.plugin in plugins:
                schedule.disable(bound.name)
        stack: LayerStack = self.world[LayerStack]
        for (what, name), owner in self.registry.owners.items():
            if what == "layer" and owner in plugins:
                stack.declared[name] = replace(stack.layer(name), on_event=None)

    def _system_failed(self, bound: BoundSystem, failure: SystemFailed) -> SystemPolicy:
        cause = failure.__cause__ if failure.__cause__ is not None else failure
        failure.add_hint(self.plugins.hint(cause))
        if self.plugins.failed_on_trial(bound.plugin, failure):
            return "disable"
        answer = self.plugins.system_failed(bound.name, cause, self.world)
        if answer == "disable":
            self.world[Failures].note(f"system '{bound.name}'")
        return answer

    def _layer_failed(self, layer: Layer, failure: LayerFailed) -> LayerPolicy:
        """Apply the policy to a layer's event handler that raised, as for a system."""
        plugin = self.registry.owners.get(("layer", layer.name), "game")
        if self.plugins.failed_on_trial(plugin, failure):
            return "disable"
        if self.plugins.policy == "raise":
            raise PluginError(f"plugin '{plugin}': {failure.what}", where=failure.where) from failure.__cause__
        self.world[Failures].note(f"the handler of layer '{layer.name}'")
        return "disable"

    def _ask_host(self, method: str, *arguments: Any) -> Any:
        """Call a method of the host and return its result; an error is raised again as a PluginError of its plugin."""
        outer, self._in_host_call = self._in_host_call, True
        try:
            return getattr(self.host, method)(*arguments)
        except (RishError, KeyboardInterrupt):
            raise
        except BaseException as error:
            what = f"the host of plugin '{self.host_owner}' failed in {method}: {describe_error(error)}"
            raise PluginError(what, where=place_of_error(error)) from error
        finally:
            self._in_host_call = outer

    def _begin(self, warm_up: bool) -> None:
        self._drawn, self._simulating, self._parts = False, False, list[Callable[[], object]]()
        self.kernels = SceneKernels(self.plugins)
        self._warm_up = WarmUp(self, self._ask_host, on=warm_up)
        self._waiting_events: list[WindowEvent] = []
        self._warm_up.begin_loading()
        if self.windowed:
            self.world[Assets].watch = self._show_loading
            self.kernels.compile_elsewhere(self._poll_while_compiling)
        self._last_time = time.perf_counter()
        self.clock: Clock = self.world[Clock]
        self.clock.dt = self.world.dt
        self.profiler: Profiler = self.world[Profiler]
        self._slow = SlowSystems(self.profiler)
        self._input: Input = self.world[Input]
        self._tick_hooks: TickHooks = self.world[TickHooks]
        self._pending: PendingInput = self.world[PendingInput]
        self._has_frame_hook = self.plugins.has("rish_frame_end")
        if self.demo and self.manifest.demo:
            self.world[Scenes].go(self.manifest.demo)
        self.plugins.gather("rish_ready", app=self)
        self.border()

    def wrap_calls(self, around: Around | None) -> None:
        """Call systems and hooks through other functions, for tools that watch calls.

        around: `around(plugin, name, function)` returns the function to call instead; None: functions are called
        directly. name: of the system or hook. `around` is called once for each system, and before each call of a hook.
        """
        self.schedule.wrap_calls(around)
        self.plugins.wrap_calls(around)

    @property
    def failed(self) -> dict[str, str]:
        """The outcome (`was disabled` for example) of each failed plugin and of all entries of `Failures`, by name."""
        aside = [name for name in self.plugins.aside if name not in self.plugins.left_out]
        return {**{f"plugin '{name}'": "was disabled" for name in aside}, **self.world[Failures].outcomes}

    @property
    def set_aside(self) -> list[str]:
        """What failed and is no longer called: a part of `failed`, by its names for messages."""
        return [what for what, outcome in self.failed.items() if outcome]

    # Running

    @property
    def running(self) -> bool:
        """False after the game requested its end or the window was closed."""
        return not self.world[Session].quit

    @property
    def windowed(self) -> bool:
        """Whether the host has a window that a player can use."""
        return self.host.windowed

    @property
    def personal(self) -> bool:
        """Whether the personal files of the player may change the game; always False without a window."""
        return self._personal and self.windowed

    def run(
        self, frames: int | None = None, *, speed: float | None = None, draw: bool = True,
        each: Callable[[App], None] | None = None,
    ) -> None:  # fmt: skip
        """Run until the game ends, or for a number of frames.

        speed: a factor of real time; None: as fast as possible if headless, otherwise real time. draw: whether to run
        the drawing stages and draw. each: called after every frame.
        """
        self.clock.time_scale = speed or 1.0
        done = 0
        while self.running and (frames is None or done < frames):
            self.frame(draw=draw)
            done += 1
            if each is not None:
                each(self)
            if not self.headless and not self.windowed:
                time.sleep(max(0.0, self.clock.dt - (time.perf_counter() - self._last_time)))

    def frame(self, *, seconds: float | None = None, draw: bool = True) -> Any:
        """Run one frame: poll events, run ticks, draw. Return the drawing statistics of the host, or None.

        seconds: time since the last frame; measured if None, ignored if headless. While a window changes the scene,
        three frames show the last picture: one spawns the scene, one prepares its kernels, one runs its first tick.
        """
        if self._drawn:
            self._last_time += self._warm_up.go_on(_PREPARE_SECONDS)
        self.profiler.begin_frame()
        self._poll_events()
        if self.windowed and self._changes_scene():
            self._last_time = time.perf_counter()
            return self.profiler.end_frame(0)
        ticks = self._count_ticks(seconds)
        self.schedule.run(Stage.FIRST, self.world, self.clock.frame_dt)
        if not ticks:
            self.border()
        ticks = self._run_ticks(ticks)
        stats = self.draw(seconds=self.clock.frame_dt) if draw else None
        self.schedule.run(Stage.LAST, self.world, self.clock.frame_dt)
        self.world.end_frame()
        self.profiler.end_frame(ticks)
        self._slow.look()
        if self._has_frame_hook:
            self.plugins.gather("rish_frame_end", world=self.world, stats=stats)
        return stats

    def _run_ticks(self, count: int) -> int:
        """Run ticks until the game ends; return how many."""
        for done in range(count):
            self.tick()
            if not self.running:
                return done + 1
        return count

    def _changes_scene(self) -> bool:
        """Whether this frame does a part of a change of the scene."""
        if self._parts:
            self._parts.pop(0)()
            return True
        if self._drawn:
            self._parts = [self.prepare_scene, lambda: self._run_ticks(self.clock.advance(self.clock.dt))]
            self.border()
            if self._drawn:
                self._parts = []
        return bool(self._parts)

    def draw(self, *, late: bool = True, seconds: float = 0.0) -> Any:
        """Run the stages LATE, EXTRACT and DRAW and draw the result. Return the host's drawing statistics, or None.

        `frame` calls this at its end; a tool may call it between two ticks, also several times, for other views or
        after edits (see `refresh`). late: False runs only those systems of LATE that derive, so that no script is
        called. seconds: the `dt` of the systems in these stages.
        """
        if not self._drawn:
            self._warm_up.begin_picture()
        self._ask_host("begin", self.world)
        run, world = self.schedule.run, self.world
        run(Stage.LATE, world, seconds, derive=not late)
        run(Stage.EXTRACT, world, seconds)
        run(Stage.DRAW, world, seconds)
        stats = self._ask_host("draw", world)
        if not self._drawn:
            self._drawn = True
            self._warm_up.end_loading()
        return stats

    def refresh(self) -> None:
        """Update derived data after a tool has edited the World, so that the next `draw` shows the edit.

        Runs the tick systems that are declared with `@system(derive=True)`, with a dt of 0 and without a tick. They may
        write hashed columns, so call it in the undo group of the edit.
        """
        for stage in TICK_STAGES:
            self.schedule.run(stage, self.world, 0.0, derive=True)

    def tick(self, record: InputRecord | None = None) -> None:
        """Run one tick: `border`, then the stages INPUT to UPDATE.

        record: the input of the tick; None: the events of the window since the last tick. `TickHooks` may replace it.
        The game's layers get the events here, not when the window reports them, so that changes of state by their
        handlers follow from the recorded input.
        """
        self.border()
        record = self._pending.take() if record is None else record
        if self._tick_hooks.before:
            record = self._tick_hooks.ask(self.world, record)
            if record is None:
                return
        self._advance(record)
        for tell in self._tick_hooks.after:
            tell(self.world, record)

    def simulate(self, record: InputRecord = NOTHING) -> None:
        """Run one tick without calling `TickHooks`; for tools that replay the past or simulate the future.

        A scene that begins in this tick is not warmed up, because it is probably never shown.
        """
        self._simulating = True
        try:
            self.border()
        finally:
            self._simulating = False
        self._advance(record)

    def _advance(self, record: InputRecord) -> None:
        self._input.begin_tick(self._not_consumed(record) if record.events else record)
        self.schedule.tick(self.world, self.world.dt)
        self._input.end_tick()
        self.world.end_tick()

    def border(self) -> None:
        """Run the deferred calls, then change the scene if requested; called between two ticks, changes any state."""
        self.world.run_deferred()
        scenes: Scenes = self.world[Scenes]
        if scenes.requested:
            self._change_scene(scenes)

    def pixels(self) -> Any:
        """Return the last drawn frame as uint8 (h, w, 4), top row first."""
        return self._ask_host("pixels")

    def close(self) -> None:
        """Call `rish_shutdown`, then close the host and the plugins. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self.kernels.close()
        try:
            self.plugins.gather("rish_shutdown", world=self.world)
        finally:
            self.host.close()
            self.plugins.close()

    def __enter__(self) -> App:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The parts of a frame

    def _poll_events(self) -> None:
        """Poll the host's events; events that no layer of a tool consumes become input of the next tick.

        Events are processed in order. After a command with `settle`, later events wait until a tick has applied it.
        """
        events, self._waiting_events = [*self._waiting_events, *self._ask_host("poll")], []
        for event in events:
            if event.kind == "close":
                self.world.defer(_quit)
            elif self._pending.settling and not self.clock.paused:
                self._waiting_events.append(event)
            elif not self.world[LayerStack].route(self.world, event, tools=True):
                self._pending.events.append(event)

    def _not_consumed(self, record: InputRecord) -> InputRecord:
        """Return the events that no layer of the game consumes."""
        route = self.world[LayerStack].route
        return InputRecord(tuple([e for e in record.events if not route(self.world, e, tools=False)]))

    def _count_ticks(self, seconds: float | None) -> int:
        if self.headless:
            ticks = self.clock.step()
        else:
            now = time.perf_counter()
            elapsed = now - self._last_time if seconds is None else seconds
            self._last_time = now
            if elapsed > _DEBUGGER_SECONDS and debugged():
                elapsed = self.clock.dt  # the time in the debugger is not caught up
            ticks = self.clock.advance(elapsed)
        self.world.alpha = self.clock.alpha
        return ticks

    def _change_scene(self, scenes: Scenes) -> None:
        name = scenes.requested
        if not self._simulating:
            self._warm_up.begin_loading(self.game.scenes.get(name))
        if scenes.current:
            self.plugins.gather("rish_scene_unloading", world=self.world, scene=scenes.current)
        change_scene(self.world, self.game, name)
        self.plugins.gather("rish_scene_loaded", world=self.world, scene=name)
        self._drawn = self._drawn and self._simulating
        if not (self._simulating or self._parts):
            self.prepare_scene()

    def prepare_scene(self) -> None:
        """Prepare the kernels of the current scene again, after plugins or the host's backend changed; see `WarmUp`."""
        self._last_time += self._warm_up.begin_scene()

    def _poll_while_compiling(self) -> None:
        """Poll the window while a kernel compiles in the middle of a frame; the next frame processes the events.

        Does nothing during a call of the host, which may be drawing.
        """
        if not self._in_host_call:
            self._waiting_events += self._ask_host("poll")
        self._slow.forgive()

    def _show_loading(self, what: str) -> None:
        """Show the name of the file that is loaded, except during a call of the host, which may be drawing."""
        if not self._in_host_call:
            self._warm_up.tell(what)

    def features(self) -> Functions:
        """Return the functions of plugins and of the host that prepare the scene, by plugin and feature."""
        return {**self.kernels.wanted, **self._ask_host("warm_up", self.world)}


def _quit(world: Any) -> None:
    world[Session].quit = True


def open_game(path: str | Path, overrides: Sequence[str] = (), **options: Any) -> App:
    """Read a game's folder or `game.yaml` and return its App. overrides: see `read_manifest`. options: for `App`."""
    from .manifest.manifest import read_manifest

    return App(read_manifest(path, overrides), **options)
