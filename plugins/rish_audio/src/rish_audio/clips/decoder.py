"""Decoders read the samples of a file from a given frame on, as float32. miniaudio is imported when the first file is
opened.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import AssetError
from rish_jit import Array
from rish_system import current

from .info import ClipInfo
from .ogg import check_pages
from .sample_file import SampleFile

LOUDEST = 4.0
"""The greatest absolute sample. Greater samples are limited, and NaN is replaced by 0."""

# The speakers of the channels, by their number: Left, Right, Center, Front low (left out), left, right and back.
_WAV = {3: "LRC", 4: "LRlr", 5: "LRClr", 6: "LRCFlr", 7: "LRCFblr", 8: "LRCFlrlr"}
_VORBIS = {3: "LCR", 4: "LRlr", 5: "LCRlr", 6: "LCRlrF", 7: "LCRlrbF", 8: "LCRlrlrF"}
_SHARES = {"L": (1, 0), "R": (0, 1), "C": (0.7, 0.7), "F": (0, 0), "l": (0.7, 0), "r": (0, 0.7), "b": (0.5, 0.5)}


class Decoder:
    """An open file that is decoded from `begin` on. A jump needs a new decoder, because a decoder of FLAC that met a
    damaged frame may crash when it goes back.

    Raises AssetError if the file can't be decoded or is not what its information says.
    """

    def __init__(self, path: Path | SampleFile, info: ClipInfo, begin: int = 0) -> None:
        self._path = path
        self._stamp = _stamp(path)
        self._file: Any = _OPENERS[info.format](path)
        self._fold = None if info.sources <= 2 else fold_matrix(info.sources, info.format)
        self._sources = info.sources
        try:
            if (self._file.channels, self._file.rate) != (info.sources, info.rate):
                raise AssetError("the header contradicts the samples")
            if begin and not self._file.seek(begin):
                raise AssetError(f"frame {begin} can't be found: the file is damaged")
        except AssetError:
            self.close()
            raise

    def read(self, out: Array) -> int:
        """Write the next frames to `out`, float32 (frames, channels) in C order; return their number.

        It is less than the length of `out` at the end of the file, or if no more frames can be decoded. Raises
        AssetError if the file was changed.
        """
        if _stamp(self._path) != self._stamp:
            raise AssetError("the file was changed while it was played")
        target = out if self._fold is None else np.empty((len(out), self._sources), np.float32)
        count = int(self._file.read(target, len(out)))
        tame(target[:count])
        if self._fold is not None:
            out[:count] = target[:count] @ self._fold
        return count

    def close(self) -> None:
        """Close the file; nothing may be read after it."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            self.close()


def tame(samples: Array) -> None:
    """Replace NaN by 0 and limit the other samples to `LOUDEST`, in place."""
    if len(samples) and not (samples.max() <= LOUDEST and samples.min() >= -LOUDEST):
        np.copyto(samples, 0, where=~np.isfinite(samples))
        np.clip(samples, -LOUDEST, LOUDEST, out=samples)


def fold_matrix(channels: int, form: str) -> Array:
    """Return the factors, float32 (channels, 2), that mix the channels of a file to two without increasing the
    greatest sample.
    """
    speakers = (_VORBIS if form == "ogg" else _WAV)[channels]
    shares = np.array([_SHARES[speaker] for speaker in speakers], np.float32)
    return shares / shares.sum(axis=0).max()


def mp3_length(path: Path) -> tuple[int, int, int]:
    """Return the frames, the rate and the channels of an MP3 file. Raises AssetError if it is not an MP3 file."""
    file = _Mp3(path)
    try:
        return file.frames(), file.rate, file.channels
    finally:
        file.close()


def _stamp(path: Path | SampleFile) -> tuple[int, int]:
    stat = path.stat()
    return stat.st_mtime_ns, stat.st_size


class _Library:
    """The functions of miniaudio's formats (`ma_dr_wav` ...), which have the same shape."""

    def __init__(self, path: Path, form: str) -> None:
        from _miniaudio import ffi, lib  # pyright: ignore[reportMissingImports]

        self._ffi, self._lib, self._form = ffi, lib, form
        wide = "_w" if current() == "windows" else ""
        name: Any = ffi.new("wchar_t[]", str(path)) if wide else os.fsencode(path)
        self._open(name, wide)

    def _open(self, name: Any, wide: str) -> None:
        self._handle = self._ffi.new(f"ma_dr_{self._form} *")
        if not self._call(f"init_file{wide}", name, self._ffi.NULL, first=(self._handle,)):
            raise AssetError(f"the file is no {self._form.upper()} file that can be decoded")

    def _call(self, name: str, *arguments: Any, first: tuple[Any, ...] | None = None) -> Any:
        function = getattr(self._lib, f"ma_dr_{self._form}_{name}")
        return function(*((self._handle,) if first is None else first), *arguments)

    @property
    def channels(self) -> int:
        return int(self._handle.channels)

    @property
    def rate(self) -> int:
        return int(self._handle.sampleRate)

    def read(self, out: Array, frames: int) -> int:
        return self._call("read_pcm_frames_f32", frames, self._ffi.from_buffer("float[]", out))

    def seek(self, frame: int) -> bool:
        return bool(self._call("seek_to_pcm_frame", frame))

    def close(self) -> None:
        self._call("uninit")


class _Wav(_Library):
    def __init__(self, path: Path) -> None:
        super().__init__(path, "wav")


class _Mp3(_Library):
    def __init__(self, path: Path) -> None:
        super().__init__(path, "mp3")

    def frames(self) -> int:
        return int(self._call("get_pcm_frame_count"))


class _Flac(_Library):
    def __init__(self, path: Path) -> None:
        super().__init__(path, "flac")

    def _open(self, name: Any, wide: str) -> None:
        self._handle = self._call(f"open_file{wide}", name, self._ffi.NULL, first=())
        if not self._handle:
            raise AssetError("the file is no FLAC file that can be decoded")

    def close(self) -> None:
        self._call("close")


class _Vorbis:
    def __init__(self, path: Path) -> None:
        from _miniaudio import ffi, lib  # pyright: ignore[reportMissingImports]

        check_pages(path)
        self._ffi, self._lib = ffi, lib
        error = ffi.new("int *")
        self._handle = lib.stb_vorbis_open_filename(os.fsencode(path), error, ffi.NULL)
        if not self._handle:
            raise AssetError(f"the file is no Ogg Vorbis file that can be decoded (error {error[0]})")
        info = lib.stb_vorbis_get_info(self._handle)
        self.channels, self.rate = int(info.channels), int(info.sample_rate)

    def read(self, out: Array, frames: int) -> int:
        target = self._ffi.from_buffer("float[]", out)
        size = frames * self.channels
        return self._lib.stb_vorbis_get_samples_float_interleaved(self._handle, self.channels, target, size)

    def seek(self, frame: int) -> bool:
        return bool(self._lib.stb_vorbis_seek(self._handle, frame))

    def close(self) -> None:
        self._lib.stb_vorbis_close(self._handle)


class _Made:
    def __init__(self, file: SampleFile) -> None:
        self._file, self._at = file, 0
        self.channels, self.rate = file.channels, file.rate

    def read(self, out: Array, frames: int) -> int:
        count = self._file.read(self._at, out[:frames])
        self._at += count
        return count

    def seek(self, frame: int) -> bool:
        self._at = frame
        return frame <= self._file.frames

    def close(self) -> None:
        pass


_OPENERS: dict[str, Any] = {"wav": _Wav, "mp3": _Mp3, "flac": _Flac, "ogg": _Vorbis, "made": _Made}
