"""The environment of PettingZoo: one game, an agent for each player of its input."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from rish_core import UsageError

from .environment import MAX_SEED, RENDER_MODES, check_action, check_choice, task_of
from .simulation import Simulation
from .task import Task


class ParallelGame(ParallelEnv[str, Any, Any]):
    """One game with an agent for each player, `player_1`, `player_2`, ...; all act in every step.

    A game whose manifest names no players has one agent. See `make` for the arguments. simulation: the running game.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "name": "rish_game_v0", "is_parallelizable": True}

    def __init__(
        self, game: Path | str, *, task: Task | Path | str | Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        self.render_mode = render_mode
        self.simulation = Simulation(game, task_of(game, task), drawn=render_mode is not None, players=None)
        self._seats = {f"player_{seat.number}": seat for seat in self.simulation.seats}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        self.observation_spaces = {name: seat.observer.space for name, seat in self._seats.items()}
        self.action_spaces = {name: seat.controls.space for name, seat in self._seats.items()}
        self._random = seeding.np_random(None)[0]

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Any]:
        """Begin an episode; return observations and infos by agent. seed: see `Environment.reset`. options: none."""
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        self.simulation.begin(seed if seed is not None else int(self._random.integers(MAX_SEED)))
        self.agents = list(self.possible_agents)
        return self._observations(self.agents), {name: self.simulation.info() for name in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], dict[str, float], Any, Any, Any]:
        """Run the ticks of a step; return observations, rewards, terminations, truncations and infos by agent.

        An agent without an action keeps what it holds. Raises UsageError for an unknown agent, or an action that is not
        in its space.
        """
        actions_by_player: dict[int, Any] = {}
        for name, action in actions.items():
            if name not in self.agents:
                raise UsageError(f"no agent of this episode is called {name!r}", given=name, choices=self.agents)
            check_action(self.action_spaces[name], action)
            actions_by_player[self._seats[name].number] = action
        agents, simulation = self.agents, self.simulation
        simulation.step(actions_by_player)
        ends = {name: simulation.over or self._seats[name].over for name in agents}
        rewards = {name: self._seats[name].rewards.step() for name in agents}
        truncations = {name: simulation.truncated and not ends[name] for name in agents}
        self.agents = [name for name in agents if not ends[name] and not truncations[name]]
        return self._observations(agents), rewards, ends, truncations, {name: simulation.info() for name in agents}

    def _observations(self, names: list[str]) -> dict[str, Any]:
        observations: dict[str, Any] = {}
        for name in names:
            observer = self._seats[name].observer
            arrays = observer.arrays()
            observer.write(arrays)
            observations[name] = observer.shown(arrays)
        return observations

    def render(self) -> Any:
        """Return the frame, uint8 (height, width, 3); None without a render mode."""
        return self.simulation.picture() if self.render_mode is not None else None

    def close(self) -> None:
        """Close the game."""
        self.simulation.app.close()


def parallel_env(
    game: Path | str, *, task: Task | Path | str | Mapping[str, Any] | None = None, render_mode: str | None = None
) -> ParallelGame:
    """Return a game as a parallel environment of PettingZoo; see `make` for the arguments and errors."""
    return ParallelGame(game, task=task, render_mode=render_mode)
