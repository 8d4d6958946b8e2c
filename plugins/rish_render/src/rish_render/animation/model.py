"""Clips: which cells of a sheet follow one another, for how long, and what happens on the way."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import Enum

import numpy as np
import numpy.typing as npt

MAX_STEPS = 10_000
"""The most steps that a clip may have."""
MIN_SECONDS = 0.001
"""How long a step lasts at least."""


class PlayMode(Enum):
    """The behaviour of a clip at its end."""

    LOOP = "loop"
    ONCE = "once"
    PING_PONG = "ping-pong"


@dataclass(frozen=True)
class Clip:
    """Cells in the order in which they are shown.

    times: seconds of each. mode: LOOP or ONCE; going there and back is written out in the cells. next: the clip that
    follows one that is shown once. events: the name of what happens when a step begins, by the step's number.
    """

    cells: tuple[int, ...]
    times: tuple[float, ...]
    mode: PlayMode = PlayMode.LOOP
    next: str = ""
    events: dict[int, str] = dataclass_field(default_factory=dict[int, str])


@dataclass(frozen=True)
class Clips:
    """The content of a file: the clips by name; of a packed sheet the place of each cell, float32 (n, 4) x y w h."""

    clips: dict[str, Clip] = dataclass_field(default_factory=dict[str, Clip])
    cells: npt.NDArray[np.float32] = dataclass_field(default_factory=lambda: np.zeros((0, 4), np.float32))


def there_and_back(clip: Clip) -> Clip:
    """A clip that turns round at its ends, which are shown once each; with the events of both ways."""
    back = list(range(len(clip.cells) - 2, 0, -1))
    steps = [*range(len(clip.cells)), *back]
    events = {k: clip.events[step] for k, step in enumerate(steps) if step in clip.events}
    cells, times = tuple(clip.cells[k] for k in steps), tuple(clip.times[k] for k in steps)
    return Clip(cells, times, PlayMode.LOOP, clip.next, events)
