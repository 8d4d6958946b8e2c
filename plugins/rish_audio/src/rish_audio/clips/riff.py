"""The header of a WAV file: format, length, loop points (`smpl`) and markers (`cue `, `labl`)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO

from rish_core import AssetError

from .info import ClipInfo, checked_info

_PCM, _FLOAT, _A_LAW, _MU_LAW, _EXTENSIBLE = 1, 3, 6, 7, 0xFFFE
_BITS = {_PCM: (8, 16, 24, 32), _FLOAT: (32, 64), _A_LAW: (8,), _MU_LAW: (8,)}
_UNKNOWN_SIZE = 0xFFFFFFFF  # the size that a program writes that does not know the length
_MAX_READ = 2**20  # most bytes of a chunk that is read into memory
_MAX_MARKERS = 4096  # most markers of a file


def wav_info(file: BinaryIO, size: int) -> ClipInfo:
    """Return the information of an open WAV file of `size` bytes. Raises AssetError if it is malformed."""
    head = file.read(12)
    if len(head) < 12 or head[:4] != b"RIFF" or head[8:] != b"WAVE":
        what = f"the WAV file begins with {head[:4]!r}, expected RIFF"
        raise AssetError(what, hint="Save it as a plain WAV file")
    form: tuple[int, int, int] | None = None
    frames = 0
    loop: tuple[int, int] | None = None
    cues: dict[int, int] = {}
    labels: dict[int, str] = {}
    for name, begin, length in _chunks(file, size):
        if name == b"fmt ":
            form = _format(file.read(min(length, 40)))
        elif name == b"data":
            if form is None:
                raise AssetError("the samples come before the chunk 'fmt '")
            frames = _length(begin, length, size) // form[2]
        elif name == b"smpl":
            loop = _loop(file.read(min(length, _MAX_READ)))
        elif name == b"cue ":
            cues = _cues(file.read(min(length, _MAX_READ)))
        elif name == b"LIST":
            labels |= _labels(file.read(min(length, _MAX_READ)))
    if form is None:
        raise AssetError("the WAV file has no chunk 'fmt '")
    if loop is not None and not 0 <= loop[0] < loop[1] <= frames:
        loop = None
    named_frames = ((labels.get(key, str(key)), frame) for key, frame in cues.items() if frame <= frames)
    markers = tuple(sorted(named_frames, key=lambda each: (each[1], each[0])))
    return checked_info("wav", frames, form[0], form[1], loop, markers)


def _chunks(file: BinaryIO, size: int) -> Iterator[tuple[bytes, int, int]]:
    """Yield the name, the offset and the bytes of each chunk, with the file positioned at that offset. A chunk of odd
    length is padded.
    """
    at = 12
    while at + 8 <= size:
        file.seek(at)
        head = file.read(8)
        if len(head) < 8:
            return
        name, length = struct.unpack("<4sI", head)
        yield name, at + 8, length
        at += 8 + length + length % 2
        if name == b"data" and length == _UNKNOWN_SIZE:
            return


def _length(begin: int, length: int, size: int) -> int:
    """Return the bytes of the samples. Raises AssetError if the file ends before them."""
    available = size - begin
    if length == _UNKNOWN_SIZE:
        return available
    if length > available:
        raise AssetError(f"the header gives {length} bytes of samples, and {available} follow: the file is cut off")
    return length


def _format(data: bytes) -> tuple[int, int, int]:
    """Return the rate, the channels and the bytes of a frame. Raises AssetError for formats that are not supported."""
    if len(data) < 16:
        raise AssetError("the chunk 'fmt ' is too short")
    tag, channels, rate, _, align, bits = struct.unpack("<HHIIHH", data[:16])
    if tag == _EXTENSIBLE:
        if len(data) < 40:
            raise AssetError("the chunk 'fmt ' is too short")
        tag = struct.unpack("<H", data[24:26])[0]
    if tag not in _BITS:
        hint = "Save it as PCM of 16 bits, Ogg Vorbis, MP3 or FLAC"
        raise AssetError(f"the samples have the format {tag:#x}, which is not played", hint=hint)
    if bits not in _BITS[tag]:
        raise AssetError(f"the samples have {bits} bits", choices=[str(each) for each in _BITS[tag]])
    if channels == 0 or align != channels * bits // 8:
        raise AssetError(f"a frame of {channels} channels of {bits} bits can't have {align} bytes")
    return rate, channels, align


def _loop(data: bytes) -> tuple[int, int] | None:
    """Return the first loop of a chunk `smpl`; its end in the file is the last frame that is played."""
    if len(data) < 60 or struct.unpack_from("<I", data, 28)[0] == 0:
        return None
    begin, last = struct.unpack_from("<II", data, 44)
    return begin, last + 1


def _cues(data: bytes) -> dict[int, int]:
    """Return the frame of each cue point by its number."""
    count = struct.unpack_from("<I", data)[0] if len(data) >= 4 else 0
    count = min(count, _MAX_MARKERS, (len(data) - 4) // 24)
    points = (struct.unpack_from("<II4sIII", data, 4 + 24 * i) for i in range(count))
    return {point[0]: point[5] for point in points}


def _labels(data: bytes) -> dict[int, str]:
    """Return the texts of a list of labels (`adtl`) by the numbers of their cue points."""
    labels: dict[int, str] = {}
    at = 4 if data[:4] == b"adtl" else len(data)
    while at + 8 <= len(data) and len(labels) < _MAX_MARKERS:
        name, length = struct.unpack_from("<4sI", data, at)
        if name == b"labl" and 4 <= length <= len(data) - at - 8:
            text = data[at + 12 : at + 8 + length].partition(b"\0")[0]
            labels[struct.unpack_from("<I", data, at + 8)[0]] = text.decode("utf-8", "replace").strip()
        at += 8 + length + length % 2
    return labels
