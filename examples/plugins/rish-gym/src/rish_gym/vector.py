"""Many games at once, in this process or in several, as a vector environment of Gymnasium."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as BaseVectorEnv
from gymnasium.vector.utils import batch_space, iterate

from rish_core import UsageError

from .batch import Batch, Infos
from .environment import MAX_SEED, RENDER_MODES, Player, check_action, check_choice, task_of
from .processes import Processes, layout_of
from .task import Task

MAX_GAMES = 10_000


class VectorEnv(BaseVectorEnv[Any, Any, Any]):
    """Many episodes of one game at the same time. A game whose episode has ended begins a new one in the next step.

    num_envs: the number of games. processes: 0 runs all of them in this process, otherwise they are divided among so
    many processes, which write into shared memory. The other arguments are those of `make`. The results are those of
    single environments with the same seeds, whatever the number of processes. A script that uses processes must create
    them below `if __name__ == "__main__":`. Raises UsageError, ManifestError, and ProcessFailed.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self, game: Path | str, num_envs: int = 1, *, processes: int = 0,
        task: Task | Path | str | Mapping[str, Any] | None = None, render_mode: str | None = None,
        player: Player = "agent",
    ) -> None:  # fmt: skip
        if not 1 <= num_envs <= MAX_GAMES or not 0 <= processes <= num_envs:
            hint = f"num_envs is 1 to {MAX_GAMES}, processes 0 to num_envs"
            raise UsageError(f"{num_envs} games in {processes} processes are not possible", hint=hint)
        check_choice("render_mode", render_mode, (None, *RENDER_MODES))
        check_choice("player", player, ("agent", "game"))
        self.num_envs, self.render_mode = num_envs, render_mode
        task_read, drawn, autopilot = task_of(game, task), render_mode is not None, player == "game"
        self._batch: Batch | None = None
        self._processes: Processes | None = None
        if processes:
            counts = [len(part) for part in np.array_split(np.arange(num_envs), processes)]
            self._processes = Processes(game, task_read, counts, drawn=drawn, autopilot=autopilot)
            parts, action_space = self._processes.spaces, self._processes.action_space
            self._arrays = self._processes.arrays
        else:
            self._batch = Batch(game, task_read, num_envs, drawn=drawn, autopilot=autopilot)
            parts, action_space = self._batch.seat.observer.spaces, self._batch.seat.controls.space
            self._arrays = {name: np.zeros(*form) for name, form in layout_of(parts, num_envs).items()}
        self._names = list(parts)
        self.single_action_space = action_space
        self.single_observation_space = parts[self._names[0]] if len(parts) == 1 else spaces.Dict(parts)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin episodes; return observations and infos.

        seed: of the first game, those of the others follow; or one for each. options: `reset_mask`: bool, one for each
        game; the others go on.
        """
        for name in options or {}:
            check_choice("options", name, ("reset_mask",))
        mask = np.asarray((options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_)), np.bool_)
        seeds = [seed + k for k in range(self.num_envs)] if isinstance(seed, int) else seed or [None] * self.num_envs
        if len(seeds) != self.num_envs or mask.shape != (self.num_envs,):
            raise UsageError(f"seeds and reset_mask need one value for each of the {self.num_envs} games")
        super().reset(seed=seed if isinstance(seed, int) else None)
        seed_list = [*map(_whole, seeds)]
        if self._processes is not None:
            infos = self._processes.reset(seed_list, mask.tolist())
        else:
            infos = self._games.reset(seed_list, mask.tolist(), self._arrays)
        return self._observations(), self._infos(infos)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Run one step of all games; return observations, rewards, terminated, truncated and infos."""
        check_action(self.action_space, actions)
        each = list(iterate(self.action_space, actions))
        infos = self._processes.step(each) if self._processes is not None else self._games.step(each, self._arrays)
        rewards, terminated, truncated = (self._arrays[name].copy() for name in ("rewards", "terminated", "truncated"))
        return self._observations(), rewards, terminated, truncated, self._infos(infos)

    def render(self) -> Any:
        """Return the frames of all games, uint8 (height, width, 3) each; None without a render mode."""
        if self.render_mode is None:
            return None
        return tuple(self._processes.pictures() if self._processes is not None else self._games.pictures())

    def close_extras(self, **kwargs: Any) -> None:
        """Close the games and end the processes."""
        if self._processes is not None:
            self._processes.close()
        if self._batch is not None:
            self._batch.close()

    @property
    def _games(self) -> Batch:
        assert self._batch is not None
        return self._batch

    def _observations(self) -> Any:
        copies = {name: self._arrays[name].copy() for name in self._names}
        return copies[self._names[0]] if len(copies) == 1 else copies

    def _infos(self, infos: Infos) -> dict[str, Any]:
        joined: dict[str, Any] = {}
        for k, info in enumerate(infos):
            joined = self._add_info(joined, info, k)
        return joined


def _whole(seed: Any) -> int | None:
    """Return a seed as an int. Raises UsageError for one out of range."""
    if seed is not None and not 0 <= int(seed) < MAX_SEED * 2**32:
        raise UsageError(f"a seed must be from 0 to {MAX_SEED * 2**32 - 1}, not {seed}")
    return None if seed is None else int(seed)
