"""Clips: the contents of `.anim.yaml` files. There are three kinds.

A `Clip` is a sequence of the cells of a sprite sheet; the plugin `render` plays it. A `TrackClip` has key-frame tracks
for fields of components; the plugin `animation` plays it. A `ModelClip` names an animation of a 3D model; the plugin
`scene3d` plays it. All have modes and followers of the same names.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_ecs import Place

MAX_STEPS = 10_000
"""The maximum number of steps of a clip, and of keys of a track."""
MIN_SECONDS = 0.001
"""The minimum duration of a step or a clip, and between two keys, in seconds."""


class PlayMode(Enum):
    """The behavior of a clip at its end."""

    LOOP = "loop"
    ONCE = "once"
    PING_PONG = "ping-pong"


@dataclass(frozen=True)
class Clip:
    """A sequence of cells of a sprite sheet.

    times: the seconds of each step. mode: LOOP or ONCE; a ping-pong clip is stored with its way back in `cells`. next:
    the clip that follows a ONCE clip. events: the name of the event at the begin of a step, by the step's index.
    """

    cells: tuple[int, ...]
    times: tuple[float, ...]
    mode: PlayMode = PlayMode.LOOP
    next: str = ""
    events: dict[int, str] = dataclass_field(default_factory=dict[int, str])


class Interpolation(Enum):
    """The values of a track between two keys."""

    LINEAR = "linear"
    STEP = "step"
    CUBIC = "cubic"


@dataclass(frozen=True)
class Key:
    """A value at a time in seconds. easing: the easing up to the next key; "": that of the track.

    before, after: the slopes of a cubic track at this key, in units of the value per second; None: the slopes of a
    Catmull-Rom curve. Angles are degrees in files, and radians in code. place: its place in a file, or None.
    """

    time: float
    value: Any
    easing: str = ""
    before: Any = None
    after: Any = None
    place: Place | None = None


@dataclass(frozen=True)
class Track:
    """Keys of one field, in the order of their times.

    field: `Component.field`, `Component.field.element`, or a field of a child, `lid.Transform.rotation`.
    shortest: whether angles turn by the shortest way from key to key; False: by the difference of their numbers. place:
    its place in a file, whose angles are degrees; None: it was created by code.
    """

    field: str
    keys: tuple[Key, ...]
    interpolation: Interpolation = Interpolation.LINEAR
    easing: str = "linear"
    shortest: bool = True
    place: Place | None = None


@dataclass(frozen=True)
class TrackClip:
    """Tracks that are played together.

    seconds: the duration. mode: LOOP, ONCE or PING_PONG (there and back, again and again). next: the clip that follows
    a ONCE clip. markers: names by time, in the order of the times.
    """

    tracks: tuple[Track, ...]
    seconds: float
    mode: PlayMode = PlayMode.LOOP
    next: str = ""
    markers: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class ModelClip:
    """An animation of a 3D model.

    animation: its name in the file of the model. mode: LOOP, ONCE or PING_PONG. next: the clip that follows a ONCE
    clip. markers: names by time, in the order of the times. place: in a file.
    """

    animation: str
    mode: PlayMode = PlayMode.LOOP
    next: str = ""
    markers: tuple[tuple[float, str], ...] = ()
    place: Place | None = None


@dataclass(frozen=True)
class Clips:
    """The content of a file.

    clips: the clips of sprite sheets, by name. cells: float32 (n, 4), x y w h of the cells of a packed sheet. tracks,
    models: the clips of tracks and of 3D models, by name.
    """

    clips: dict[str, Clip] = dataclass_field(default_factory=dict[str, Clip])
    cells: npt.NDArray[np.float32] = dataclass_field(default_factory=lambda: np.zeros((0, 4), np.float32))
    tracks: dict[str, TrackClip] = dataclass_field(default_factory=dict[str, TrackClip])
    models: dict[str, ModelClip] = dataclass_field(default_factory=dict[str, ModelClip])


def there_and_back(clip: Clip) -> Clip:
    """Return a clip that also plays backwards; its end steps are shown once, events occur in both directions."""
    back = list(range(len(clip.cells) - 2, 0, -1))
    steps = [*range(len(clip.cells)), *back]
    events = {i: clip.events[step] for i, step in enumerate(steps) if step in clip.events}
    cells, times = tuple(clip.cells[i] for i in steps), tuple(clip.times[i] for i in steps)
    return Clip(cells, times, PlayMode.LOOP, clip.next, events)
