"""The App: a game put together from its manifest, and its loop.

This file is the kernel's table of contents. Data flows one way: the manifest names plugins, the plugins fill the
registry, the registry shapes the World, systems work on the World, EXTRACT fills a Frame, and the backend draws it.
Only input comes back.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rish_ecs.declarations.system import Stage
from rish_ecs.errors import RishError, place_of_error

from . import builtin
from .assembly import build_layers, build_world, mistakes_without
from .errors import BackendError, ManifestError, PluginError
from .frame.backend import Backend, DrawStats, open_backend, sync_pages, wish
from .frame.passes import Frame
from .loop.clock import Clock
from .loop.events import NOTHING, POINTING, InputRecord, WindowEvent
from .loop.input import Input
from .loop.layers import Layer, LayerFailed, LayerPolicy, LayerStack
from .loop.profile import VERBS, Profiler
from .loop.schedule import BoundSystem, Schedule, SystemFailed, check_layers
from .loop.schedule import Policy as SystemPolicy
from .loop.session import Session
from .loop.slow import SlowSystems
from .loop.strict import Strict
from .loop.ticks import Taps
from .manifest.check import compile_manifest
from .manifest.manifest import Manifest
from .manifest.scenes import CompiledManifest, Scenes, change_scene
from .plugin.guarded import GuardedDrawer
from .plugin.loading import Plugins, PluginsRefused, Policy, load_plugins
from .plugin.plan import Wish
from .plugin.registry import Registry, build_registry
from .rehearsal import rehearse

_log = logging.getLogger("rish.app")
_UNATTENDED = ("null",)
"""Backends that are chosen only by name: they draw nothing that a person could see."""
_DRAWING = (Stage.LATE, Stage.EXTRACT, Stage.DRAW)


class App:
    """One game, run frame by frame or all at once.

    manifest: of the game. backend: a name, or a backend itself; None chooses. headless: no window, one tick a frame,
    no wall clock. pixels: pictures are wanted, so that headless chooses a backend that has some. seed: instead of the
    manifest's. more: plugins to load besides the manifest's. extra: plugins given as modules or objects, by name.
    installed: what discovery found; an empty list refuses discovery. strict: watch every system, see `Strict`.
    policy: what a failing plugin or system does: `raise`, or `disable` it and go on. size: width and height of the
    window in pixels, else the game's. open_assets: load each file that the manifest names once, and count what fails
    as a mistake; else files are only looked for.

    Raises ManifestError with all mistakes at once, PluginError and BackendError.
    """

    def __init__(
        self,
        manifest: Manifest,
        *,
        backend: str | Backend | None = None,
        headless: bool = False,
        pixels: bool = False,
        seed: int | None = None,
        more: Sequence[str | Wish] = (),
        extra: Mapping[str, object] | None = None,
        installed: Sequence[Any] | None = None,
        strict: bool = False,
        policy: Policy = "disable",
        size: tuple[int, int] | None = None,
        open_assets: bool = False,
    ) -> None:
        self.manifest = manifest
        self._open_assets = open_assets
        self.headless = headless
        self._failed: dict[str, str] = {}
        self.plugins, self.registry, self.game = self._read_game(more, extra, installed, policy)
        try:
            self.world = build_world(self.game, self.registry, manifest.seed if seed is None else seed)
            build_layers(self.world, manifest, self.registry, self._layer_failed)
            self.schedule = self._build_schedule()
            check_layers(self.schedule.systems, self.world[LayerStack].declared)
            if strict:
                self.schedule.watcher = Strict(self.world, self.schedule)
            self.backend, self.reason = self._open_backend(backend, pixels, size or manifest.size)
        except BaseException:
            self.plugins.close()
            raise
        self.shown: DrawStats = DrawStats()
        self.skipped: dict[str, str] = {}
        self._closed = False
        try:
            self._begin()
        except BaseException:
            self.backend.close()
            self.plugins.close()
            raise

    # Building

    def _read_game(
        self,
        more: Sequence[str | Wish],
        extra: Mapping[str, object] | None,
        installed: Sequence[Any] | None,
        policy: Policy,
    ) -> tuple[Plugins, Registry, CompiledManifest]:
        """The plugins, what they declare, and the checked manifest.

        A manifest with mistakes of its own can lack what a plugin needs, for instance a line of `plugins:` behind the
        place where the text breaks off. So its mistakes are reported, and not what a plugin then fails with.
        """
        mistakes = self.manifest.problems
        try:
            plugins = self._load_plugins(more, extra, installed, "raise" if mistakes else policy)
            try:
                registry = build_registry(plugins)
                self.manifest.loaders = registry.loaders if self._open_assets else None
                plugins.gather("rish_manifest", manifest=self.manifest, plugins=plugins)
                return plugins, registry, compile_manifest(self.manifest, registry)
            except BaseException:
                plugins.close()
                raise
        except ManifestError:
            raise
        except RishError as error:
            if not mistakes:
                raise
            raise ManifestError(mistakes) from error

    def _load_plugins(
        self,
        more: Sequence[str | Wish],
        extra: Mapping[str, object] | None,
        installed: Sequence[Any] | None,
        policy: Policy,
    ) -> Plugins:
        root = self.manifest.root
        own = root / "plugin.py" if root is not None else None
        options: dict[str, Any] = {
            "extra": dict(sorted(extra.items())) if extra else None,
            "game_file": own if own is not None and own.is_file() else None,
            "core": builtin,
            "installed": installed,
            "manifest": self.manifest.file,
        }
        try:
            return load_plugins([*self.manifest.plugins, *more], policy=policy, **options)
        except PluginsRefused as refused:
            others = mistakes_without(self.manifest, refused, options)
            raise ManifestError([*refused.problems, *others]) from refused

    def _build_schedule(self) -> Schedule:
        profiler = Profiler()
        self.world.put(profiler)
        names = self.plugins.names
        schedule = Schedule(self.registry.systems, plugins=names, on_error=self._system_failed, profiler=profiler)
        self.plugins.on_aside(lambda aside: self._silence(schedule, aside))
        self._silence(schedule, self.plugins.aside)
        return schedule

    def take_stock(self) -> None:
        """Look anew at what the plugins do; called when one of them was replaced, and perhaps mended."""
        self._failed.clear()
        self._silence(self.schedule, self.plugins.aside)
        self._has_frame_hook = self.plugins.has("rish_frame")

    def _silence(self, schedule: Schedule, plugins: Collection[str]) -> None:
        """Nothing of these plugins runs from here on: no system, and no handler of a layer."""
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
        answer = self.plugins.system_failed(bound.name, cause, self.world)
        if answer == "disable":
            self._failed[f"system '{bound.name}'"] = str(failure)
        return answer

    def _layer_failed(self, layer: Layer, failure: LayerFailed) -> LayerPolicy:
        """A handler that raised is as good as a system that did: the policy decides about it."""
        if self.plugins.policy == "raise":
            plugin = self.registry.owner("layer", layer.name)
            raise PluginError(f"plugin '{plugin}': {failure.what}", where=failure.where) from failure.__cause__
        self._failed[f"the handler of layer '{layer.name}'"] = failure.what
        return "disable"

    def _open_backend(self, wanted: str | Backend | None, pixels: bool, size: tuple[int, int]) -> tuple[Backend, str]:
        manifest = self.manifest
        if wanted is not None and not isinstance(wanted, str):
            wanted.open(manifest.title, size, not self.headless)
            return wanted, f"the backend is '{wanted.name}' because it was given"
        name, reason = wish(wanted, None if self.headless else os.environ.get("RISH_BACKEND"), manifest.backend)
        if self.headless and wanted is None:
            name, reason = ("software", "pictures are wanted") if pixels else ("null", "nobody looks")
        candidates = {
            key: make for key, make in self.registry.backends.items() if key not in _UNATTENDED or key == name
        }
        if not candidates or (name is not None and name not in candidates):
            candidates = dict(self.registry.backends)
        if pixels and self.headless and name not in self.registry.backends:
            raise BackendError(
                f"a picture needs a backend with pixels, and '{name}' is not among the game's",
                choices=self.registry.backends,
                hint="Add 'render' to plugins in the manifest, or use --with render",
            )
        return open_backend(
            candidates,
            name,
            reason,
            fallback=wanted is None,
            title=manifest.title,
            size=size,
            visible=not self.headless,
        )

    def _begin(self) -> None:
        _log.info("%s", self.reason)
        self._pages: dict[int, int] = {}
        self._told: set[str] = set()
        self._drawn, self._rehearsed, self._unseen = False, True, False
        self._events: list[WindowEvent] = []
        self._last = time.perf_counter()
        self.clock: Clock = self.world[Clock]
        self.clock.dt = self.world.dt
        self.profiler: Profiler = self.world[Profiler]
        self._slow = SlowSystems(self.profiler)
        self._input: Input = self.world[Input]
        self._taps: Taps = self.world[Taps]
        self._has_frame_hook = self.plugins.has("rish_frame")
        self._add_drawers()
        self.world[Frame].size = self.backend.size
        self.plugins.gather("rish_ready", app=self)
        if self.backend.device is not None:
            self.plugins.gather("rish_device_ready", backend=self.backend, world=self.world)
        self.border()

    def _add_drawers(self) -> None:
        """Bring the backend its drawers, and those of the backend that it draws like."""
        names = dict.fromkeys((getattr(self.backend, "draws_like", ""), self.backend.name))
        drawers = [(name, *item) for name in names for item in self.registry.drawers.get(name, {}).items()]
        for name, kind, factory in drawers:
            plugin = self.registry.owner("drawer", f"{name}/{kind}")
            if plugin in self.plugins:
                what = f"the drawer of {kind!r}"
                try:
                    drawer = GuardedDrawer(factory(), partial(self._drawer_failed, plugin, what))
                    self.backend.add_drawer(kind, drawer)
                except (Exception, SystemExit) as error:
                    self.plugins.fail(plugin, "rish_drawers", error)

    def _drawer_failed(self, plugin: str, what: str, error: BaseException) -> None:
        """A drawer that raises draws no more; its plugin goes on."""
        place = place_of_error(error)
        sentence = f"{what} of plugin '{plugin}' failed: {type(error).__name__}: {error}"
        if self.plugins.policy == "raise":
            raise PluginError(sentence, where=place) from error
        _log.error("%s: %s (set aside)", place, sentence)
        self._failed[what] = sentence

    def _ask_backend(self, verb: str, *given: Any) -> Any:
        """Call a verb of the backend and measure it; what it raises is reported as its fault."""
        begin = time.perf_counter()
        try:
            answer = getattr(self.backend, verb)(*given)
            if verb in VERBS:
                self.profiler.add_verb(verb, time.perf_counter() - begin)
            return answer
        except RishError:
            raise
        except Exception as error:
            name = self.backend.name
            owner = self.registry.owners.get(("backend", name), "the program")
            raise BackendError(
                f"the backend '{name}' of {owner} failed in {verb}: {type(error).__name__}: {error}",
                where=place_of_error(error),
            ) from error

    @property
    def set_aside(self) -> list[str]:
        """What failed in this run and was set aside: plugins, systems, layers' handlers and drawers."""
        return [*(f"plugin '{name}'" for name in self.plugins.aside), *self._failed]

    # Running

    @property
    def running(self) -> bool:
        """False once the game asked for its end, or the window was closed."""
        return not self.world[Session].quit

    @property
    def windowed(self) -> bool:
        """Whether the backend shows a window."""
        return "window" in self.backend.capabilities and not self.headless

    def run(
        self, frames: int | None = None, *, speed: float | None = None, draw: bool = True,
        each: Callable[[App], None] | None = None,
    ) -> None:  # fmt: skip
        """Run until the game ends, or for a number of frames.

        speed: None as fast as it goes where headless, else in real time; a number multiplies real time. draw: fill
        and draw frames at all. each: called after every frame.
        """
        self.clock.speed = speed or 1.0
        done = 0
        while self.running and (frames is None or done < frames):
            self.frame(draw=draw)
            done += 1
            if each is not None:
                each(self)
            if not self.headless and not self.windowed:
                time.sleep(max(0.0, self.clock.dt - (time.perf_counter() - self._last)))

    def frame(self, *, seconds: float | None = None, draw: bool = True) -> DrawStats:
        """One frame: events, ticks, picture. seconds: since the last frame, else measured; not used where headless."""
        if self._drawn and not self._rehearsed:
            self._rehearse()
            self._last = time.perf_counter()
        self.profiler.begin_frame()
        self._listen()
        ticks = self._ticks(seconds)
        self._run(Stage.FIRST)
        if not ticks:
            self.border()
        for done in range(ticks):
            self.tick()
            if not self.running:
                ticks = done + 1
                break
        if draw:
            self._draw()
        self._run(Stage.LAST)
        self.world.end_frame()
        self.profiler.end_frame(ticks)
        self._slow.look()
        if self._has_frame_hook:
            self.plugins.gather("rish_frame", world=self.world, stats=self.shown)
        return self.shown

    def tick(self, record: InputRecord | None = None) -> None:
        """One tick: the border, then the stages INPUT to UPDATE. record: the input, else what the window brought.

        See `Taps` for who may stand in between. The game's layers are asked about the input here, and not when the
        window tells it: what their handlers do to the state then follows from the recorded input.
        """
        self.border()
        if record is None:
            record = InputRecord(tuple(self._events)) if self._events else NOTHING
            self._events.clear()
        if self._taps.before:
            record = self._taps.ask(self.world, record)
            if record is None:
                return
        self._advance(record)
        for tell in self._taps.after:
            tell(self.world, record)

    def simulate(self, record: InputRecord = NOTHING) -> None:
        """One tick that no tap hears of: for tools that go through the past, or try what might come.

        A scene that begins in it is not rehearsed, for most likely nobody is going to see it.
        """
        self._unseen = True
        try:
            self.border()
        finally:
            self._unseen = False
        self._advance(record)

    def _advance(self, record: InputRecord) -> None:
        self._input.begin_tick(self._past_layers(record) if record.events else record)
        self.schedule.tick(self.world, self.world.dt)
        self._input.end_tick()
        self.world.end_tick()

    def border(self) -> None:
        """Between two ticks: what was put off until now, then a change of scene; anything may change here."""
        self.world.cross_border()
        scenes: Scenes = self.world[Scenes]
        if scenes.requested:
            self._change_scene(scenes)

    def go(self, scene: str) -> None:
        """Change the scene at the next border. Raises UnknownName."""
        self.world[Scenes].go(scene)

    def pixels(self) -> Any:
        """The picture that was drawn last: uint8 (h, w, 4), top row first."""
        return self._ask_backend("pixels")

    def close(self) -> None:
        """End the game: plugins are told, the backend is closed. May be called twice."""
        if self._closed:
            return
        self._closed = True
        try:
            self.plugins.gather("rish_shutdown", world=self.world)
        finally:
            self.backend.close()
            self.plugins.close()

    def __enter__(self) -> App:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The parts of a frame

    def _listen(self) -> None:
        """Ask the backend what happened; tools may swallow it, the rest becomes the next tick's input.

        Positions of the pointer become logical ones, as the picture lies on the screen that was shown last.
        """
        stack: LayerStack = self.world[LayerStack]
        fit = self.world[Frame].fit
        for event in self._ask_backend("poll"):
            if fit is not None and event.kind in POINTING:
                x, y = fit.to_logical(event.x, event.y)
                event = replace(event, x=x, y=y)
            if event.kind == "close":
                self.world.at_border(_quit)
            elif not stack.route(self.world, event, tools=True):
                self._events.append(event)

    def _past_layers(self, record: InputRecord) -> InputRecord:
        """What the game's layers let through."""
        stack: LayerStack = self.world[LayerStack]
        return InputRecord(tuple([e for e in record.events if not stack.route(self.world, e, tools=False)]))

    def _ticks(self, seconds: float | None) -> int:
        if self.headless:
            ticks = self.clock.step()
        else:
            now = time.perf_counter()
            elapsed = now - self._last if seconds is None else seconds
            self._last = now
            ticks = self.clock.advance(elapsed)
        self.world.alpha = self.clock.alpha
        return ticks

    def _draw(self) -> None:
        frame: Frame = self.world[Frame]
        frame.size = self.backend.size
        frame.reset()
        frame.time = (self.world.tick + self.world.alpha) * self.world.dt
        run, world, dt = self.schedule.run, self.world, self.clock.frame_dt
        for stage in _DRAWING:
            run(stage, world, dt)
        stats = self._ask_backend("draw", frame) if not frame.pages and not self._pages else self._draw_pages(frame)
        self._ask_backend("present")
        self._drawn = True
        counters = self.profiler.counters
        counters["draw_calls"], counters["instances"] = stats.draw_calls, stats.instances
        counters["bytes_uploaded"], counters["static_batches"] = stats.bytes_uploaded, stats.static_batches
        counters["culled"] = frame.culled
        self._tell(stats)
        self.shown = stats

    def _tell(self, stats: DrawStats) -> None:
        """Log what could not be drawn, each thing once."""
        if stats.skipped:
            for line in stats.news(self._told):
                _log.warning("%s", line)
            self.skipped |= stats.skipped

    def _draw_pages(self, frame: Frame) -> DrawStats:
        """Bring the backend the pictures that changed, then draw."""
        begin = time.perf_counter()
        uploaded = sync_pages(self.backend, frame, self._pages)
        self.profiler.add_verb("pages", time.perf_counter() - begin)
        stats = self._ask_backend("draw", frame)
        stats.bytes_uploaded += uploaded
        return stats

    def _run(self, stage: Stage) -> None:
        self.schedule.run(stage, self.world, self.clock.frame_dt)

    def _change_scene(self, scenes: Scenes) -> None:
        name = scenes.requested
        if scenes.current:
            self.plugins.gather("rish_scene_unloading", world=self.world, scene=scenes.current)
        change_scene(self.world, self.game, name)
        self.plugins.gather("rish_scene_loaded", world=self.world, scene=name)
        if self._unseen:
            return
        self._drawn = self._rehearsed = False
        if not self.windowed:
            self._rehearse()

    def _rehearse(self) -> None:
        """Get what a scene may show ready to be drawn; in a window after its first picture, so that it shows sooner."""
        self._rehearsed = True
        self._tell(rehearse(self.plugins, self.world, self.backend))


def _quit(world: Any) -> None:
    world[Session].quit = True


def open_game(path: str | Path, overrides: Sequence[str] = (), **options: Any) -> App:
    """Read a game's folder or `game.yaml` and put it together; options as for `App`."""
    from .manifest.manifest import read_manifest

    return App(read_manifest(path, overrides), **options)
