"""The samples of sounds for waveforms and previews, read in a separate thread, without access to the World."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Assets, RishError
from rish_jit import Array

from ...clips.decoding import decode_whole, fade_edges
from ...clips.headers import read_info
from ...clips.sample_file import SampleFile
from ...components.settings import AudioSettings
from ...sounds.bank import SoundBank
from ...sounds.generated_clips import made_clip, shipped
from ...sounds.sound import SUFFIXES, Sound

if TYPE_CHECKING:
    from rish_core import World
    from rish_editor import Editor

COLUMNS = 240
"""The number of columns of a waveform."""
MAX_SECONDS = 60.0
"""The longest part of a file that is read, in seconds."""
_MAX_CACHED = 32
"""The greatest number of cached clips."""
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
    peaks = np.zeros((columns, 2), np.float32)
    if len(samples):
        starts = np.arange(columns) * len(samples) // columns
        peaks[:, 0] = np.minimum.reduceat(samples.min(axis=1), starts)
        peaks[:, 1] = np.maximum.reduceat(samples.max(axis=1), starts)
    return peaks


class Clips:
    """The clips of one editor. problems: by name of a clip, the reason why it cannot be read."""

    def __init__(self) -> None:
        self.problems: dict[str, str] = {}
        self._jobs: dict[Any, Future[Clip]] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="rish-audio-preview")

    @classmethod
    def of(cls, editor: Editor) -> Clips:
        """Return the clips of an editor."""
        clips = editor.memory.get(_MEMORY)
        if clips is None:
            clips = editor.memory[_MEMORY] = cls()
        return clips

    def sound(self, world: World, name: str) -> Sound | None:
        """Return the sound of a name; None if there is none. Nothing is logged and nothing is loaded."""
        bank = world[SoundBank].of_world(world)
        sound = bank.sounds.get(name) or shipped().get(name)
        if sound is None and name.lower().endswith(SUFFIXES):
            sound = Sound(clips=[name])
            sound.name = name
        return sound

    def of_sound(self, world: World, sound: Sound, variation: int = 0) -> Clip | None:
        """Return a clip of a sound; None until it is read. If it cannot be read, it stays None and the reason is in
        `problems`.
        """
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
        return self._request(sound.name, (path, stamp), lambda: _decoded(path))

    def made(self, name: str, generator: Any, rate: int) -> Clip | None:
        """Return the clip that a `Synth` or a `Tune` generates; None until it is rendered."""
        return self._request(name, (id(generator), rate), lambda: _rendered(generator, rate), generator)

    def _request(self, name: str, key: Any, work: Callable[[], Clip], owner: Any = None) -> Clip | None:
        job = self._jobs.pop(key, None)
        if job is None:
            job = self._worker.submit(work)
            job.owner = owner  # pyright: ignore[reportAttributeAccessIssue] - so that no other object gets its id
        self._jobs[key] = job
        for old_job in [old_job for old_job, future in self._jobs.items() if future.done()][
            : max(len(self._jobs) - _MAX_CACHED, 0)
        ]:
            del self._jobs[old_job]
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
    part = replace(info, frames=min(info.frames, round(MAX_SECONDS * info.rate)))
    return Clip(fade_edges(decode_whole(path, part)), info.rate, info.seconds)


def _rendered(generator: Any, rate: int) -> Clip:
    info, render = made_clip(generator, rate)
    made = render()
    return Clip(made.samples() if isinstance(made, SampleFile) else made, rate, info.seconds)
