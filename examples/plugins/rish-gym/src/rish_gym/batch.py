"""Several games that step together and write observations and rewards into arrays of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.utils import seeding

from .environment import MAX_SEED
from .observations import Arrays
from .simulation import Simulation
from .task import Task

RESULTS = ("rewards", "terminated", "truncated")
Infos = list[dict[str, Any]]


class Batch:
    """A number of simulations of one game, each with a random generator for the seeds of its episodes.

    autopilot: no input is sent.
    """

    def __init__(self, game: Path | str, task: Task, count: int, *, drawn: bool, autopilot: bool) -> None:
        self.games: list[Simulation] = []
        self._autopilot = autopilot
        try:
            for _ in range(count):
                self.games.append(Simulation(game, task, drawn=drawn))
        except BaseException:
            self.close()
            raise
        self._random = [seeding.np_random(None)[0] for _ in self.games]
        self._done = [False] * count

    @property
    def seat(self) -> Any:
        """The seat of the first game, which has the spaces of all."""
        return self.games[0].seats[0]

    def reset(self, seeds: Sequence[int | None], mask: Sequence[bool], out: Arrays) -> Infos:
        """Begin episodes in the games of the mask; write their observations, return their infos.

        seeds: of the episodes; None: the next one of the game's generator.
        """
        infos: Infos = [{} for _ in self.games]
        for k in np.flatnonzero(mask).tolist():
            seed = seeds[k]
            if seed is not None:
                self._random[k] = seeding.np_random(seed)[0]
            infos[k] = self._begin(k, seed, out)
        return infos

    def _begin(self, k: int, seed: int | None, out: Arrays) -> dict[str, Any]:
        self.games[k].begin(seed if seed is not None else int(self._random[k].integers(MAX_SEED)))
        self._done[k] = False
        self._observe(k, out)
        return self.games[k].info()

    def step(self, actions: Sequence[Any], out: Arrays) -> Infos:
        """Run one step of all games; write observations and `RESULTS`, return the infos.

        A game whose episode ended in the step before begins a new one, with a reward of 0; its action is ignored.
        """
        infos: Infos = []
        for k, (game, action) in enumerate(zip(self.games, actions, strict=True)):
            if self._done[k]:
                infos.append(self._begin(k, None, out))
                reward, terminated, truncated = 0.0, False, False
            else:
                game.step(None if self._autopilot else {1: action})
                self._observe(k, out)
                reward, terminated = game.seats[0].rewards.step(), game.over
                truncated = game.truncated and not terminated
                infos.append(game.info())
            out["rewards"][k], out["terminated"][k], out["truncated"][k] = reward, terminated, truncated
            self._done[k] = terminated or truncated
        return infos

    def _observe(self, k: int, out: Arrays) -> None:
        observer = self.games[k].seats[0].observer
        observer.write({name: out[name][k] for name in observer.spaces})

    def pictures(self) -> list[Any]:
        """Return a picture of each game."""
        return [game.picture() for game in self.games]

    def close(self) -> None:
        """Close the games."""
        for game in self.games:
            game.app.close()


def result_arrays(count: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """Return the shapes and dtypes of `RESULTS`."""
    return {name: ((count,), np.dtype(np.float64 if name == "rewards" else np.bool_)) for name in RESULTS}
