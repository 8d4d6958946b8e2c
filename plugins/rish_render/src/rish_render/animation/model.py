"""Clips: sequences of sheet cells with their times and events."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import Enum

import numpy as np
import numpy.typing as npt

MAX_STEPS = 10_000
"""The most steps that a clip may have."""
MIN_SECONDS = 0.001
"""The shortest time of a step."""


class PlayMode(Enum):
    """The behaviour of a clip at its end."""

    LOOP = "loop"
    ONCE = "once"
    PING_PONG = "ping-pong"


@dataclass(frozen=True)
class Clip:
    """Cells in the order in which they are shown.

    times: seconds of each. mode: LOOP or ONCE; a ping-pong clip is stored with its way back in `cells`. next: the clip
    that follows a ONCE clip. events: the name of the event at the begin of a step, by the step's index.
    """

    cells: tuple[int, ...]
    times: tuple[float, ...]
    mode: PlayMode = PlayMode.LOOP
    next: str = ""
    events: dict[int, str] = dataclass_field(default_factory=dict[int, str])


@dataclass(frozen=True)
class Clips:
    """The content of a file: the clips by name, and for a packed sheet the cells, float32 (n, 4) x y w h."""

    clips: dict[str, Clip] = dataclass_field(default_factory=dict[str, Clip])
    cells: npt.NDArray[np.float32] = dataclass_field(default_factory=lambda: np.zeros((0, 4), np.float32))


def there_and_back(clip: Clip) -> Clip:
    """Return a clip that also plays backwards; its end steps are shown once, events occur in both directions."""
    back = list(range(len(clip.cells) - 2, 0, -1))
    steps = [*range(len(clip.cells)), *back]
    events = {k: clip.events[step] for k, step in enumerate(steps) if step in clip.events}
    cells, times = tuple(clip.cells[k] for k in steps), tuple(clip.times[k] for k in steps)
    return Clip(cells, times, PlayMode.LOOP, clip.next, events)
