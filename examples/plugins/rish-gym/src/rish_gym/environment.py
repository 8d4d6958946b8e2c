"""The environment of Gymnasium: one game, one agent."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from rish_core import Host, UsageError

from .registration import ID
from .simulation import Simulation
from .task import Task, read_task

Player = Literal["agent", "game"]
RENDER_MODES = ("rgb_array",)
MAX_SEED = 2**31
"""The seeds of episodes without a given one are below this."""


class Environment(gymnasium.Env[Any, Any]):
    """One game as an environment; see `make`. simulation: the running game, with its `app` and `world`."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 60}

    def __init__(
        self, game: Path | str, *, task: Task | Path | str | Mapping[str, Any] | None = None,
        render_mode: str | None = None, player: Player = "agent",
    ) -> None:  # fmt: skip
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.render_mode = render_mode
        self.autopilot = _is_game(player)
        self.simulation = Simulation(game, task_of(game, task), drawn=render_mode is not None)
        self._seat = self.simulation.seats[0]
        self.observation_space = self._seat.observer.space
        self.action_space = self._seat.controls.space
        app, skip = self.simulation.app, self.simulation.task.frame_skip
        modes = [] if type(app.host) is Host else list(RENDER_MODES)  # that of a game that draws nothing
        self.metadata = {"render_modes": modes, "render_fps": round(1 / (app.world.dt * skip))}
        self._steps = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; return the observation and the info.

        seed: of all random streams; None: the next one of `np_random`. options: `player`: "agent", or "game" for an
        episode in which no input is sent, so that a game with an autopilot plays itself; it stays until it is changed.
        """
        super().reset(seed=seed)
        for name in options or {}:
            check_choice("options", name, ("player",))
        if options and "player" in options:
            self.autopilot = _is_game(options["player"])
        self.simulation.begin(seed if seed is not None else int(self.np_random.integers(MAX_SEED)))
        self._steps = True
        return self._observation(), self.simulation.info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Run the ticks of a step; return observation, reward, terminated, truncated and info.

        Raises ResetNeeded before `reset`, UsageError for an action out of the space, and all errors of the game.
        """
        if not self._steps:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        simulation = self.simulation
        if self.autopilot:
            simulation.step(None)
        else:
            check_action(self.action_space, action)
            simulation.step({1: action})
        reward = self._seat.rewards.step()
        terminated = simulation.over or self._seat.over
        return self._observation(), reward, terminated, simulation.truncated and not terminated, simulation.info()

    def render(self) -> Any:
        """Return the frame, uint8 (height, width, 3); None without a render mode."""
        return self.simulation.picture() if self.render_mode is not None else None

    def close(self) -> None:
        """Close the game; a second call does nothing."""
        self.simulation.app.close()

    def _observation(self) -> Any:
        observer = self._seat.observer
        arrays = observer.arrays()
        observer.write(arrays)
        return observer.shown(arrays)


def make(
    game: Path | str, *, task: Task | Path | str | Mapping[str, Any] | None = None, render_mode: str | None = None,
    player: Player = "agent", **options: Any,
) -> gymnasium.Env[Any, Any]:  # fmt: skip
    """Return a game as an environment, as `gymnasium.make` does.

    game: the folder or its `game.yaml`. task: a file like `gym.yaml`, or a mapping with its keys; None: `gym.yaml` of
    the folder, or the defaults. render_mode: "rgb_array", or None. player: "agent", or "game": no input is sent, so
    that a game with an autopilot plays itself. options: for `gymnasium.make`. Raises ManifestError with all mistakes of
    the manifest or of the task, and UsageError for wrong arguments.
    """
    all_options = {"disable_env_checker": True, **options}
    return gymnasium.make(ID, game=game, task=task, render_mode=render_mode, player=player, **all_options)


def task_of(game: Path | str, task: Task | Path | str | Mapping[str, Any] | None) -> Task:
    """Return the task that the arguments name."""
    if isinstance(task, Task):
        return task
    if task is not None:
        return read_task(task)
    path = Path(game)
    return read_task(path if path.is_dir() else path.parent)


def check_choice(what: str, given: object, choices: tuple[object, ...]) -> None:
    """Raise UsageError if an argument is none of the choices."""
    if given not in choices:
        raise UsageError(f"{what} can't be {given!r}", given=given, choices=[str(choice) for choice in choices])


def check_action(space: gymnasium.Space[Any], action: Any) -> None:
    """Raise UsageError for an action that is not in the space."""
    if type(space) is Discrete and type(action) in (int, np.int64):
        is_known = space.start <= action < space.start + space.n  # `contains` makes objects of numpy: 10 µs
    else:
        is_known = space.contains(action)
    if not is_known:
        raise UsageError(f"the action {action!r} is not in the space {space}")


def _is_game(player: object) -> bool:
    check_choice("player", player, ("agent", "game"))
    return player == "game"
