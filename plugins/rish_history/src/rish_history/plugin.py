"""The hooks of rish_history: its settings, component and resources."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from time import thread_time
from typing import Any

from rish_core import About, InputRecord, TickHooks, hookimpl, resource

from .replay.capsule import current_error, write_capsule
from .replay.log_tail import LogTail
from .saves.saves import Saves
from .settings import HistorySettings
from .timeline.history import History
from .timeline.rewind import Rewinder
from .timeline.timeless import Timeless
from .timeline.timeline import Timeline

_log = logging.getLogger("rish.plugins.history")


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="recordings, replays, rewind and save games")


def rish_settings() -> type:
    """Return the class of `settings: history:`."""
    return HistorySettings


def rish_components() -> list[type]:
    """Return the component `Timeless`."""
    return [Timeless]


def rish_resources() -> list[type]:
    """Return the resources for the history, the save games, and the hooks of ticks."""
    return [History, Saves, Listener]


def rish_ready(app: Any) -> None:
    """Attach the save games, and start the timeline unless its memory budget is 0."""
    world, settings = app.world, app.world[HistorySettings]
    world[Saves].attach(app)
    if settings.budget_mb > 0:
        world[Listener].listen(app, settings)


def rish_shutdown(world: Any) -> None:
    """Write a capsule if the game ended with an error."""
    world[Listener].close()


@hookimpl(optional=True)
def rish_actions() -> list[Any]:
    """Return the actions of rules: `save` and `load`."""
    from .saves.actions import ACTIONS

    return list(ACTIONS)


@hookimpl(optional=True)
def rish_editor_panels() -> list[type]:
    """Return the panel Timeline of the editor."""
    from .editing import PANELS

    return PANELS


@hookimpl(optional=True)
def rish_editor_commands() -> Mapping[str, Mapping[str, Any]]:
    """Return the editor commands that go back and forward by one tick."""
    from .editing import COMMANDS

    return COMMANDS


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"


@resource(derived=True)
class Listener:
    """Adds the tick hooks of the timeline, and writes a capsule if the game ends with an error."""

    def __post_init__(self) -> None:
        """Set the private fields; `listen` adds the hooks."""
        self._app: Any = None
        self._timeline: Timeline | None = None
        self._rewinder: Rewinder | None = None
        self._pending: InputRecord | None = None
        self._tail = LogTail()
        self._folder = ""
        self._began = 0.0

    def listen(self, app: Any, settings: HistorySettings) -> None:
        """Create the timeline and add its tick hooks."""
        timeline = Timeline(app, int(settings.budget_mb * 1_000_000))
        rewinder = Rewinder(timeline, settings.rewind, settings.speed)
        self._app, self._timeline = app, timeline
        # A game that is used as data only does not choose where a file is written.
        self._folder = HistorySettings().capsules if app.manifest.data_only else settings.capsules
        self._rewinder = rewinder
        app.world[History].attach(timeline, rewinder)
        self._tail.open()

        tick_hooks: TickHooks = app.world[TickHooks]
        tick_hooks.before.append(self._before)
        tick_hooks.after.append(self._after)

    def _before(self, world: Any, record: InputRecord) -> InputRecord | None:
        """Return the input of a tick without the keys that rewind; None while the game rewinds."""
        assert self._rewinder is not None
        self._pending = self._rewinder.before_tick(world, record)
        self._began = thread_time()
        return self._pending

    def _after(self, world: Any, record: InputRecord) -> None:
        """Add a tick to the timeline."""
        assert self._timeline is not None
        self._pending = None
        self._timeline.after_tick(record, thread_time() - self._began)

    def close(self) -> None:
        """Remove the hooks and close the log; write a capsule if an error is ending the game."""
        self._tail.close()
        if self._app is not None:
            tick_hooks: TickHooks = self._app.world[TickHooks]
            tick_hooks.before[:] = [each for each in tick_hooks.before if each != self._before]
            tick_hooks.after[:] = [each for each in tick_hooks.after if each != self._after]
        error = current_error(in_tick=self._pending is not None)
        if self._timeline is None or not self._timeline.frames or not error or not self._folder:
            return
        try:
            path = write_capsule(self._app, self._timeline, self._pending, error, self._tail.text(), Path(self._folder))
        except OSError as problem:
            _log.error("no capsule of the crash can be written to %s: %s", self._folder, problem.strerror or problem)
            return
        _log.error("the last minutes were written to %s. Replay them: rish replay %s", path, path)
