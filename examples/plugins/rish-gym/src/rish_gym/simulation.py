"""A running game that can begin anew at any time, with any seed.

The state before the first scene is kept as a snapshot. An episode restores it, sets the seed of all random streams and
begins the scene, so it has the state that a new process would have. If the beginning does not depend on the seed, the
state after it is kept as well, and an episode restores only that.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rish_core import (
    About,
    App,
    Input,
    InputRecord,
    Interventions,
    Snapshot,
    Stage,
    UnknownName,
    UsageError,
    WindowEvent,
    World,
    read_manifest,
    system,
)
from rish_core.plugin import installed_plugins
from rish_ecs.random import RandomStreams

from .actions import Controls
from .observations import SMALL
from .pictures import least_size
from .seats import Seat
from .task import Picture, Task

PLUGIN = "gym"
NO_INPUT = InputRecord()
_FOCUS_LOST = InputRecord((WindowEvent("focus", down=False),))
"""The event of a window that loses the focus, which releases every key, also for tools that follow keys themselves."""


class Simulation:
    """A game with its players, without a window. See `make` for the arguments.

    drawn: whether pictures are needed. players: how many play; None: all of the manifest. seats: the players. Raises
    ManifestError for mistakes in the manifest or the task, and all errors of the game.
    """

    def __init__(self, game: Path | str, task: Task, *, drawn: bool = False, players: int | None = 1) -> None:
        self.task, self._players = task, players
        self._before: Snapshot | None = None
        self._begun: Snapshot | None = None
        self._listeners: list[Any] = []
        self._still = _still(0.0, 0.0)
        self.app = self._open(game, drawn)
        self.world: World = self.app.world
        try:
            if not drawn and self.app.host.has_pixels:
                self._draw_small()
            self._leave_out()
            self._prepare()
        except BaseException:
            self.app.close()
            raise

    def _pictures(self) -> list[tuple[int, int]]:
        """Return the sizes of the pictures that are observed, but for the default of a game that can be drawn."""
        players = (self.task.common, *self.task.players)
        parts = [part for player in players for part in (player.observation or {}).values()]
        return [part.size for part in parts if isinstance(part, Picture)]

    def _draw_small(self) -> None:
        """Draw frames no larger than observed pictures need; what they cover is reduced once more."""
        host: Any = self.app.host
        host.backend.configure(size=least_size(host.size, self._pictures() or [SMALL]))

    def _open(self, game: Path | str, drawn: bool) -> App:
        default = self.task.common.observation is None
        if drawn or self._pictures():
            return self._app(game, pixels=True, backend="software")
        if not default:
            return self._app(game)
        try:
            return self._app(game, pixels=True, backend="software")
        except UsageError:  # the game draws nothing
            return self._app(game)

    def _app(self, game: Path | str, **shown: Any) -> App:
        self._drawn = bool(shown)
        changes = list(self.task.changes) + ([f"scene={self.task.start}"] if self.task.start else [])
        manifest = read_manifest(game, changes).require()
        unwanted = {wish.name for wish in manifest.plugins if wish.optional} - {*self.task.optional}
        installed = [plugin for plugin in installed_plugins() if plugin.name not in unwanted]
        log, about = logging.getLogger("rish.app"), About(view=True)
        hooks = SimpleNamespace(rish_about=lambda: about, rish_ready=self._ready, rish_systems=self._systems)
        quiet = _LeftOut(unwanted)
        log.addFilter(quiet)
        try:
            return App(
                manifest, headless=True, policy="raise", warm_up=False, installed=installed, more=[PLUGIN],
                extra={PLUGIN: hooks}, **shown,
            )  # fmt: skip
        finally:
            log.removeFilter(quiet)

    def _ready(self, app: App) -> None:
        """Keep the state before the first scene, when all plugins are ready (hook)."""
        app.world.defer(self._keep)

    def _keep(self, world: World) -> None:
        self._before = world.snapshot()

    def _systems(self) -> list[Any]:
        """Declare the system that hands events to the rewards (hook). A system of the frame changes no state."""

        @system(Stage.LAST)
        def count_events(world: World, dt: float) -> None:
            for listener in self._listeners:
                listener.hear(world.events(listener.cls))

        return [count_events]

    def _leave_out(self) -> None:
        """Disable the systems that the task leaves out, unless pictures are drawn; unknown names are refused always."""
        for name in self.task.leave_out:
            try:
                self.app.schedule.disable(name.text)
            except UnknownName as error:
                raise name.failed(str(error)) from None
            if self._drawn:
                self.app.schedule.enable(name.text)

    def _prepare(self) -> None:
        """Begin once with each of two seeds; the beginning is kept if it is the same but for the seed."""
        snapshots: list[bytes] = []
        for seed in (0, 0, 1):  # the first time, texts are added to the table of texts
            self._begin_scene(seed)
            drawn = bool(self.world[RandomStreams].counters)
            self.world[RandomStreams].seed = 0
            snapshots.append(self.world.snapshot().to_bytes())
        if snapshots[1] == snapshots[2] and not drawn:
            self._begun = self.world.snapshot()
        players = len(self.world[Input].players)
        if len(self.task.players) > players:
            place = self.app.manifest.document.place("input")
            raise UsageError(
                f"the task has {len(self.task.players)} players, and the manifest has {players}", where=place,
                hint="The manifest lists players and their keys, `input: {players: [{left: [A]}, {left: [LEFT]}]}`",
            )  # fmt: skip
        self.seats = [
            Seat(self.app, self.task.of_player(number), number) for number in range(1, (self._players or players) + 1)
        ]
        self._listeners = [counter for seat in self.seats for counter in seat.rewards.counters]
        self._infos = {name: (text, text.bind(self.world, {})) for name, text in self.task.info.items()}

    def _begin_scene(self, seed: int) -> None:
        assert self._before is not None
        self.world.restore(self._before)
        self.world.put(RandomStreams(seed=seed))
        self.app.border()

    # Episodes

    def begin(self, seed: int) -> None:
        """Begin an episode: a fresh state with this seed of all random streams."""
        if any(not seat.controls.idle for seat in self.seats):
            self.app.tick(_FOCUS_LOST)
        if self._begun is not None:
            self.world.restore(self._begun)
            self.world.put(RandomStreams(seed=seed))
        else:
            self._begin_scene(seed)
        self.world[Interventions].note("a new episode")
        self._end_frame()
        self.ticks, self.over = 0, False
        for seat in self.seats:
            seat.begin()
            if seat.controls.needs_device:
                self.world[Input].assign(seat.number, seat.number)

    def step(self, actions: Mapping[int, Any] | None) -> None:
        """Run the ticks of one step, fewer if the episode ends. Raises all errors of the game.

        actions: those of the players, by number; None: nobody plays, so a game that can plays itself.
        """
        events = [
            event for number, action in (actions or {}).items() for event in self._controls(number).events(action)
        ]
        for _ in range(self.task.frame_skip):
            self.app.tick(NO_INPUT if actions is None else self._record(events))
            events = []
            self.ticks += 1
            if self._ended() or self.truncated:
                break
        self._end_frame()

    def _controls(self, number: int) -> Controls:
        return self.seats[number - 1].controls

    def _record(self, events: list[WindowEvent]) -> InputRecord:
        """Return the input of a tick. An agent that holds nothing still moves the mouse, to the place where it is.

        So the game counts as played by a person in every tick.
        """
        if not events and all(seat.controls.idle for seat in self.seats):
            x, y = self.world[Input].pointer
            if (self._still.events[0].x, self._still.events[0].y) != (x, y):
                self._still = _still(x, y)
            return self._still
        return InputRecord(tuple(events)) if events else NO_INPUT

    def _ended(self) -> bool:
        ends = [seat.ended() for seat in self.seats]  # each of them is asked
        self.over = not self.app.running or all(ends)
        return self.over

    def _end_frame(self) -> None:
        if self._listeners:
            self.app.schedule.run(Stage.LAST, self.world, 0.0)
        self.world.end_frame()

    @property
    def truncated(self) -> bool:
        """Whether the limit of ticks is reached."""
        return self.task.limit is not None and self.ticks >= self.task.limit

    def info(self) -> dict[str, Any]:
        """Return the number of ticks of the episode, and what the task declares as `info`."""
        return {"ticks": self.ticks, **{name: text.number(bound, {}) for name, (text, bound) in self._infos.items()}}

    def picture(self) -> Any:
        """Draw; return the frame, uint8 (height, width, 3)."""
        self.app.draw()
        return self.app.pixels()[..., :3].copy()


def _still(x: float, y: float) -> InputRecord:
    return InputRecord((WindowEvent("mouse_move", x=x, y=y),))


class _LeftOut(logging.Filter):
    """Drops the lines about optional plugins that are left out on purpose."""

    def __init__(self, plugins: Sequence[str] | set[str]) -> None:
        super().__init__()
        self._plugins = plugins

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is kept."""
        names = record.args if isinstance(record.args, tuple) else ()
        return not (record.msg.startswith("without the optional plugin") and names and names[0] in self._plugins)
