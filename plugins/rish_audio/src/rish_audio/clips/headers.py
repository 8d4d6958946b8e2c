"""The information of a sound file of any format; the loaders of sounds for `Assets`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from rish_core import AssetError
from rish_system import check_size

from .decoder import mp3_length
from .info import ClipInfo, checked_info
from .ogg import ogg_info
from .riff import wav_info

MAX_BYTES = 2**32
"""The largest sound file, in bytes; this is the limit of WAV. A large file is never completely in memory."""
MAX_MP3 = 2**28
"""The largest MP3 file, in bytes. It is smaller because all frames may have to be counted."""


def read_info(path: Path) -> ClipInfo:
    """Return the information of a sound file, from its header; the format is that of its content, not of its name.

    The length of an MP3 file is in its first frame; otherwise all frames are counted. Raises AssetError if the file is
    malformed, empty or of an unknown format, and OSError if it can't be read or is too large.
    """
    size = check_size(path, MAX_BYTES)
    with path.open("rb") as file:
        magic = file.read(4)
        file.seek(0)
        if not magic:
            raise AssetError("the file is empty")
        if magic == b"OggS":
            return ogg_info(file, size)
        if magic == b"fLaC":
            return _flac_info(file)
        if magic[:3] == b"ID3" or (magic[0] == 0xFF and len(magic) > 1 and magic[1] >= 0xE0):
            check_size(path, MAX_MP3)
            return checked_info("mp3", *mp3_length(path))
        if magic in (b"RIFF", b"RIFX", b"RF64"):
            return wav_info(file, size)
    hint = "Save it as WAV, Ogg Vorbis, MP3 or FLAC"
    raise AssetError(f"the file begins with {magic!r}, which is no sound file", hint=hint)


def _flac_info(file: BinaryIO) -> ClipInfo:
    """Return the information of the block STREAMINFO; RFC 9639, section 8.2."""
    head = file.read(42)
    if len(head) < 42 or head[4] & 0x7F != 0 or head[5:8] != b"\x00\x00\x22":
        raise AssetError("the FLAC file does not begin with the block STREAMINFO")
    packed = int.from_bytes(head[18:26], "big")  # rate: 20 bits, channels - 1: 3, bits - 1: 5, frames: 36
    if packed & (2**36 - 1) == 0:
        raise AssetError("the FLAC file does not give its length", hint="Save it again with a program that seeks")
    return checked_info("flac", packed & (2**36 - 1), packed >> 44, (packed >> 41 & 7) + 1)


SOUND_LOADERS: dict[str, Callable[[Path], ClipInfo]] = dict.fromkeys((".wav", ".ogg", ".mp3", ".flac"), read_info)
"""The loaders that `rish_loaders` returns, by suffix. They have no placeholder: `ClipLibrary` reports the error."""
