"""Plays the worlds of one process, one after the other, in the same running game.

The game is opened once for each set of changes. A world restores the state from before the first scene and sets its
seed, so its hash is that of a new process (`rish_gym.Simulation`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rish_core import UsageError, describe_error, message_of
from rish_expressions import Bound, Expression, ExpressionError
from rish_gym import PlayerTask, Simulation, Task
from rish_system import peak_memory

from .autopilot import Autopilots
from .jobs import Job, Outcome, Trial

_CONDITIONS = ("truth", "any", "number")


@dataclass(frozen=True)
class _Opened:
    """A running game with the expressions of the trial."""

    key: tuple[tuple[str, ...], int]
    simulation: Simulation
    until: Bound | None
    columns: tuple[Bound, ...]


class Player:
    """Plays jobs of a trial; a call plays one and returns its `Outcome`.

    A world that raises has the outcome `error`, and the game is opened anew for the next one. Raises RishError for
    mistakes in the manifest, the changes, the expressions and the autopilots.
    """

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._opened: _Opened | None = None

    def __call__(self, job: Job) -> Outcome:
        """Play one world."""
        opened = self._open(job)
        simulation = opened.simulation
        ticks, error = 0, ""
        try:
            simulation.begin(job.seed)
            autopilots = Autopilots(job.autopilots, simulation.world)
            end = self._play(opened, autopilots)
            ticks = simulation.ticks
            values = tuple(_value(column) for column in opened.columns)
            return Outcome(ticks, simulation.world.hash(), end, "", values, peak_memory() or 0)
        except Exception as failure:
            error = " ".join(_line(failure).split())
        self.close()
        return Outcome(simulation.ticks, "", "error", error, (None,) * len(self._trial.columns), peak_memory() or 0)

    def _play(self, opened: _Opened, autopilots: Autopilots) -> str:
        """Play until the end; return why it ended."""
        simulation, until = opened.simulation, opened.until
        while True:
            simulation.step(autopilots.actions() if autopilots else None)
            if until is not None and until():
                return "until"
            if simulation.over:
                return "quit"
            if simulation.truncated:
                return "ticks"

    def _open(self, job: Job) -> _Opened:
        key = (job.changes, len(job.autopilots))
        if self._opened is not None and self._opened.key == key:
            return self._opened
        self.close()
        trial = self._trial
        task = Task(changes=job.changes, optional=trial.optional, limit=trial.ticks, common=PlayerTask(observation={}))
        simulation = Simulation(trial.game, task, players=max(1, len(job.autopilots)))
        try:
            until = _bound(simulation, "until", trial.until) if trial.until is not None else None
            if until is not None and until.type not in _CONDITIONS:
                raise UsageError(f"until: {trial.until} is of the type {until.type}, and must be true or false")
            columns = tuple(_bound(simulation, "columns", text) for text in trial.columns)
        except BaseException:
            simulation.app.close()
            raise
        self._opened = _Opened(key, simulation, until, columns)
        return self._opened

    def close(self) -> None:
        """Close the running game; the next job opens it again."""
        if self._opened is not None:
            opened, self._opened = self._opened, None
            opened.simulation.app.close()


def _bound(simulation: Simulation, option: str, text: str) -> Bound:
    try:
        return Expression.parse(text).bind(simulation.world)
    except ExpressionError as error:
        raise UsageError(f"{option}: {text}: {error.line}") from None


def _value(column: Bound) -> Any:
    """Return a value as a number, a truth value or a text; None if there is none, as of an entity that is gone."""
    try:
        value = column()
    except ExpressionError:
        return None
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def _line(failure: Exception) -> str:
    return (
        message_of(failure)
        if failure.__cause__ is None
        else f"{message_of(failure)} ({describe_error(failure.__cause__)})"
    )
