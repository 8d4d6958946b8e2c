"""The sound of a film: samples that a plugin adds in each frame, and their place in the film.

rish_frame makes no sound. A plugin that does finds the resource by its name, so neither requires the other::

    soundtrack = world.resource("frame.Soundtrack")
    soundtrack.offer(44_100, 2)         # once, before the first frame
    if soundtrack.wanted:
        soundtrack.add(samples)         # in each frame
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import UsageError, resource

Samples = npt.NDArray[np.float32]
LAYOUTS = {1: "mono", 2: "stereo", 3: "3.0", 4: "quad", 5: "5.0", 6: "5.1"}
"""The layout of each number of channels, with the order of channels as in WAV files."""
MAX_CHANNELS = 8
_HALF = 0.5**0.5
_FOLDED = {
    7: ((4, 4, _HALF), (4, 5, _HALF), (5, 4, 1.0), (6, 5, 1.0)),
    8: ((4, 4, 1.0), (5, 5, 1.0), (6, 4, _HALF), (7, 5, _HALF)),
}
"""How 6.1 and 7.1 become 5.1, because PyAV 18 crashes with more than six channels: from, to, factor."""


@resource(derived=True)
class Soundtrack:
    """Samples for the film that is being captured.

    wanted: whether samples are taken; False unless an MP4 is captured. rate: samples a second, 0 if no plugin offers
    sound. channels: 1 or 2. blocks: samples since the last frame, float32 (n, channels).
    """

    wanted: bool = False
    rate: int = 0
    channels: int = 0
    blocks: list[Any] = field(default_factory=list[Any])

    def offer(self, rate: int, channels: int) -> None:
        """Announce that samples will come, before the first frame; channels: 1..8. Raises UsageError."""
        if rate <= 0 or not 1 <= channels <= MAX_CHANNELS:
            raise UsageError(f"a film has sound with 1 to 8 channels, not {channels} at {rate} Hz")
        self.rate, self.channels = rate, channels

    def add(self, samples: Samples) -> None:
        """Append samples to the sound of this frame: float32 (n, channels), -1..1, which are not changed afterwards."""
        if samples.ndim != 2 or samples.shape[1] != self.channels:
            raise UsageError(f"samples of shape (n, {self.channels}) were expected, not {samples.shape}")
        if self.wanted:
            self.blocks.append(samples)

    def take(self) -> Samples:
        """Return the samples of this frame, float32 (n, channels), and forget them."""
        blocks, self.blocks = self.blocks, []
        return np.concatenate([np.zeros((0, self.channels), np.float32), *blocks])


class SoundStream:
    """The stream of sound of a video file, AAC, in step with the frames.

    The samples of a frame follow those of the previous frame. If they are late or early by more than one frame, as in a
    film of a game that is played in real time, silence is added, or their end is cut off.
    """

    def __init__(self, av: Any, container: Any, rate: int, channels: int, dt: float) -> None:
        self._av, self._container, self._rate = av, container, rate
        self._layout = LAYOUTS[min(channels, max(LAYOUTS))]
        self._to_layout = _matrix(channels)
        self._stream = container.add_stream("aac", rate=rate, layout=self._layout)
        self._slack = rate * dt
        self._due = 0.0
        self._written = 0

    def add(self, samples: Samples) -> None:
        """Add the samples of a frame, float32 (n, channels)."""
        self._due += self._slack
        lead = self._written + len(samples) - self._due
        if lead > self._slack:
            samples = samples[: max(0, len(samples) - round(lead - self._slack))]
        elif lead < -self._slack:
            samples = np.pad(samples, ((0, round(-lead)), (0, 0)))
        self._write(samples)

    def finish(self) -> None:
        """Write the remaining samples; the sound ends with the picture."""
        lacking = round(self._due) - self._written
        if lacking > 0:
            self._write(np.zeros((lacking, len(self._to_layout)), np.float32))
        self._mux(self._stream.encode())

    def _write(self, samples: Samples) -> None:
        if not len(samples):
            return
        row = np.clip(samples @ self._to_layout, -1, 1).reshape(1, -1)
        frame = self._av.AudioFrame.from_ndarray(row, format="flt", layout=self._layout)
        frame.sample_rate, frame.pts, frame.time_base = self._rate, self._written, Fraction(1, self._rate)
        self._written += len(samples)
        self._mux(self._stream.encode(frame))

    def _mux(self, packets: Any) -> None:
        for packet in packets:
            self._container.mux(packet)


def _matrix(channels: int) -> Samples:
    """Return the matrix from the channels of the game to those of the film."""
    folded = _FOLDED.get(channels, ())
    matrix = np.eye(channels, min(channels, max(LAYOUTS)), dtype=np.float32)
    matrix[4:] *= not folded
    for source, to, factor in folded:
        matrix[source, to] = factor
    return matrix
