"""Writes a WAV file in parts."""

from __future__ import annotations

import struct
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import numpy as np

from rish_ecs import RishError
from rish_jit import Array
from rish_system import make_folders, part_of, put_in_place

_HEAD = 44
_MAX_BYTES = 2**32 - _HEAD  # the sizes of a WAV file have 32 bits


class WavWriter:
    """Writes samples as integers of 16 bits to a temporary file beside `path`, which `close` renames to `path`.

    rate: frames a second. channels: 1 to 8. Raises RishError with the path if the file can't be written.
    """

    def __init__(self, path: Path | str, rate: int, channels: int = 2) -> None:
        self.path = Path(path)
        self.rate, self.channels, self.frames = rate, channels, 0
        try:
            make_folders(self.path.parent)
            self._target, self._part = part_of(self.path)
            self._file = open(self._part, "wb")  # noqa: SIM115
            self._file.write(self._header())
        except OSError as error:
            raise self._error(error) from error

    def write(self, samples: Array) -> None:
        """Append float32 samples (frames, channels): rounded to the nearest integer and limited, without dither.

        NaN is written as 0. Raises RishError if the disk is full, or beyond 4 GB.
        """
        if (self.frames + len(samples)) * self.channels * 2 > _MAX_BYTES:
            raise RishError("a WAV file can't have more than 4 GB", where=str(self.path))
        scaled = np.rint(np.nan_to_num(samples, nan=0.0) * 32_768.0)
        try:
            self._file.write(np.clip(scaled, -32_768, 32_767).astype("<i2").tobytes())
        except OSError as error:
            self.abandon()
            raise self._error(error) from error
        self.frames += len(samples)

    def close(self) -> None:
        """Write the length into the header and rename the file; do nothing if that was done before. Raises
        RishError.
        """
        if self._file.closed:
            return
        try:
            self._file.seek(0)
            self._file.write(self._header())
            self._file.close()
            put_in_place(self._part, self._target)
        except OSError as error:
            self.abandon()
            raise self._error(error) from error

    def abandon(self) -> None:
        """Remove the incomplete file; do nothing after `close`."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            self._part.unlink(missing_ok=True)

    def __enter__(self) -> WavWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Finish the file, or remove it after an error."""
        if error is None:
            self.close()
        else:
            self.abandon()

    def _header(self) -> bytes:
        size = self.frames * self.channels * 2
        form = (16, 1, self.channels, self.rate, self.rate * self.channels * 2, self.channels * 2, 16)
        return struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + size, b"WAVE", b"fmt ", *form, b"data", size)

    def _error(self, error: OSError) -> RishError:
        hint = "Name a file in a folder that can be written"
        return RishError(f"the WAV file can't be written: {error.strerror}", where=str(self.path), hint=hint)
