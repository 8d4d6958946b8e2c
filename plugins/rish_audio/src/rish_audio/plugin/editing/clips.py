"""The samples of sounds for waveforms and previews, read in a thread of their own; the World is not touched."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Assets, RishError

from ...clips.headers import read_info
from ...clips.whole import decode_whole, fade_edges
from ...components.settings import AudioSettings
from ...sounds.bank import SoundBank
from ...sounds.generated_clips import made_clip, shipped
from ...sounds.sound import SUFFIXES, Sound

if TYPE_CHECKING:
    from rish_core import World
    from rish_editor import Editor

Array = npt.NDArray[Any]
COLUMNS = 240
"""Columns of a waveform."""
LONGEST = 60.0
"""Seconds of a file that are read."""
_KEPT = 32
"""The most sounds that are kept."""
_MEMORY = "audio.clips"


@dataclass(frozen=True)
class Clip:
    """Samples, float32 (frames, 1 or 2), and their rate. seconds: of the whole sound, which may be longer."""

    samples: Array
    rate: int
    seconds: float

    @cached_property
    def peaks(self) -> Array:
        """The lowest and highest sample of each part of the clip, float32 (COLUMNS, 2)."""
        return peaks_of(self.samples, COLUMNS)


def peaks_of(samples: Array, columns: int) -> Array:
    """Return the lowest and highest sample of equal parts, float32 (columns, 2). samples: (frames, channels)."""
    found = np.zeros((columns, 2), np.float32)
    if len(samples):
        starts = np.arange(columns) * len(samples) // columns
        found[:, 0] = np.minimum.reduceat(samples.min(axis=1), starts)
        found[:, 1] = np.maximum.reduceat(samples.max(axis=1), starts)
    return found


class Clips:
    """The clips of one editor. problems: by name of a clip, why it can't be read."""

    def __init__(self) -> None:
        self.problems: dict[str, str] = {}
        self._jobs: dict[Any, Future[Clip]] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="rish-audio-preview")

    @classmethod
    def of(cls, editor: Editor) -> Clips:
        """Return the clips of an editor."""
        found = editor.memory.get(_MEMORY)
        if found is None:
            found = editor.memory[_MEMORY] = cls()
        return found

    def sound(self, world: World, name: str) -> Sound | None:
        """Return the sound of a name; None if there is none. Nothing is logged and nothing is loaded."""
        bank = world[SoundBank].of_world(world)
        found = bank.sounds.get(name) or shipped().get(name)
        if found is None and name.lower().endswith(SUFFIXES):
            found = Sound(clips=[name])
            found.name = name
        return found

    def of_sound(self, world: World, sound: Sound, variation: int = 0) -> Clip | None:
        """Return a clip of a sound; None until it is read, and if it can't be: then `problems` says why."""
        rate = world[AudioSettings].rate
        if sound.made is not None:
            return self.made(sound.name, sound.made, rate)
        name = sound.clips[variation % len(sound.clips)] if sound.clips else ""
        if not name:
            return None
        try:
            path = world[Assets].resolve(name)
            stamp = path.stat().st_mtime_ns
        except (RishError, OSError) as error:
            self.problems[sound.name] = str(error).splitlines()[0]
            return None
        return self._ask(sound.name, (path, stamp), lambda: _decoded(path))

    def made(self, name: str, made: Any, rate: int) -> Clip | None:
        """Return the clip that a `Synth` or a `Tune` makes; None until it is rendered."""
        return self._ask(name, (id(made), rate), lambda: _rendered(made, rate), made)

    def _ask(self, name: str, key: Any, work: Callable[[], Clip], owner: Any = None) -> Clip | None:
        job = self._jobs.pop(key, None)
        if job is None:
            job = self._worker.submit(work)
            job.owner = owner  # pyright: ignore[reportAttributeAccessIssue] - so that no other object gets its id
        self._jobs[key] = job
        for old in [old for old, kept in self._jobs.items() if kept.done()][: max(len(self._jobs) - _KEPT, 0)]:
            del self._jobs[old]
        if not job.done():
            return None
        error = job.exception()
        if error is not None:
            self.problems[name] = str(error).splitlines()[0] or type(error).__name__
            return None
        self.problems.pop(name, None)
        return job.result()


def _decoded(path: Path) -> Clip:
    info = read_info(path)
    part = replace(info, frames=min(info.frames, round(LONGEST * info.rate)))
    return Clip(fade_edges(decode_whole(path, part)), info.rate, info.seconds)


def _rendered(made: Any, rate: int) -> Clip:
    info, render = made_clip(made, rate)
    return Clip(np.ascontiguousarray(render(), np.float32).reshape(info.frames, -1), rate, info.seconds)
