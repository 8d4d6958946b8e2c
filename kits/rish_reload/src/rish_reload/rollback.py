"""The trial of a change of plugins: if a plugin that begins fails within its first ticks, the change is undone.

Each change of plugins is an `Operation`; the World has a list of them for tools, in a derived resource, `Surgery`. Only
one operation at a time is on trial: the next operation ends the trial of the former one.
"""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, Literal

from rish_core import Interventions, TickHooks, resource

if TYPE_CHECKING:
    from rish_core import App, World

    from .steps import Step

_log = logging.getLogger("rish.reload")
_MAX_OPERATIONS = 32
"""The number of operations that the list keeps."""


@dataclass
class Operation:
    """One change of the plugins of a running game.

    what: a text like `replace physics by teach`. state: `waiting` for the tick border, on `trial`, `done`, `undone`, or
    `refused` by the check at the tick border. started, stopped: the plugins that began and ended. dropped: the number
    of dropped rows of each class. later: the changes that take effect only at the next start. seconds: the time that
    applying took. problem: why it was undone or refused.
    """

    what: str
    state: Literal["waiting", "trial", "done", "undone", "refused"] = "waiting"
    started: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()
    dropped: dict[str, int] = dataclass_field(default_factory=dict[str, int])
    later: list[str] = dataclass_field(default_factory=list[str])
    seconds: float = 0.0
    problem: BaseException | None = None

    def __str__(self) -> str:
        rows = ", ".join(f"{count} rows of {name}" for name, count in self.dropped.items())
        details = [f"with {', '.join(self.stopped[1:])}"] if len(self.stopped) > 1 and not self.started else []
        details += [f"dropped {rows}"] if rows else []
        return f"{self.what}{''.join(f', {each}' for each in details)}"


@resource(derived=True)
class Surgery:
    """The last 32 changes of plugins in this run. operations: oldest first. trial: the one on trial, or None."""

    operations: deque[Operation] = dataclass_field(default_factory=lambda: deque[Operation](maxlen=_MAX_OPERATIONS))

    def __post_init__(self) -> None:
        """Start without a trial."""
        self.trial: Trial | None = None


def surgery_of(world: World) -> Surgery:
    """Return the changes of plugins in a World's run."""
    if Surgery not in world.resources:
        world.put(Surgery())
    surgery: Surgery = world[Surgery]
    return surgery


class Trial:
    """Watches the plugins of an operation for some ticks, and undoes it after their first failure."""

    def __init__(self, app: App, operation: Operation, step: Step, ticks: int) -> None:
        self._app, self._operation, self._step, self._ticks_left = app, operation, step, ticks
        self._registry = app.registry
        self._hooks: TickHooks = app.world[TickHooks]
        self._hooks.after.append(self._after_tick)
        operation.state = "trial"
        surgery_of(app.world).trial = self

    def _after_tick(self, world: World, record: Any) -> None:
        """Count the ticks; end the trial at the next tick border if it is over or a plugin has failed."""
        self._ticks_left -= 1
        if self._ticks_left <= 0 or self._error is not None:
            world.defer(lambda world: self.end())

    @property
    def _error(self) -> BaseException | None:
        """The first failure of a plugin that has begun, or None."""
        trial = self._app.plugins.trial
        return next((trial[name] for name in self._operation.started if trial.get(name) is not None), None)

    def end(self) -> None:
        """Accept the change, or undo it if a plugin has failed. Only between two ticks; may be called twice.

        If edited code was loaded meanwhile, the former plugins no longer fit it, so the change is accepted.
        """
        surgery = surgery_of(self._app.world)
        if surgery.trial is not self:
            return
        surgery.trial = None
        self._hooks.after.remove(self._after_tick)
        operation, error = self._operation, self._error
        if error is None or self._app.registry is not self._registry:
            self._step.accept()
            operation.state = "done"
            return
        self._step.undo()
        operation.state, operation.problem = "undone", error
        self._app.world[Interventions].note(f"undone: {operation.what}")
        _log.error("%s was undone, and the game goes on as before: %s", operation.what, error)
