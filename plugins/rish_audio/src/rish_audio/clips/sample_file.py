"""Samples that are too many to be in memory while little of them is played."""

from __future__ import annotations

import os
import tempfile
import threading

import numpy as np

from rish_jit import Array


class SampleFile:
    """Samples in a temporary file without a name, float32 (frames, channels), which is deleted with this object.

    rate: frames a second. Threads may read it at the same time. Its methods raise OSError, for example if the disk is
    full.
    """

    def __init__(self, rate: int, channels: int) -> None:
        self.rate, self.channels, self.frames = rate, channels, 0
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self._lock = threading.Lock()

    def append(self, samples: Array) -> int:
        """Append samples, float32 (n, channels) in C order or (n,); return the number of their first frame."""
        first = self.frames
        with self._lock:
            self._file.seek(0, os.SEEK_END)
            self._file.write(samples.data)
            self._file.flush()
        self.frames += len(samples)
        return first

    def read(self, first: int, out: Array) -> int:
        """Write the frames from `first` on to `out`, float32 (n, channels) in C order or (n,); return their number."""
        count = max(min(len(out), self.frames - first), 0)
        if count:
            with self._lock:
                self._file.seek(first * self.channels * 4)
                self._file.readinto(out[:count].data.cast("B"))
        return count

    def samples(self) -> Array:
        """Return all samples, float32 (frames, channels)."""
        samples = np.empty((self.frames, self.channels), np.float32)
        self.read(0, samples)
        return samples

    def stat(self) -> os.stat_result:
        """Return the size and the times of the file."""
        return os.stat(self._file.fileno())

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self._file.close()
