"""Ogg Vorbis files: the header, and the check that makes them safe to decode.

The decoder of Vorbis reads outside its memory for some damaged files. Every page of an Ogg file carries a checksum, so
a file is decoded only if all its pages are whole and follow each other. This check does not find a file that was made
as an attack, with correct checksums. Format: RFC 3533, "The Ogg Encapsulation Format"; Xiph.Org, "Vorbis I
specification", section 4.2.
"""

from __future__ import annotations

import functools
import struct
import zlib
from pathlib import Path
from typing import BinaryIO

from rish_core import AssetError

from .info import ClipInfo, checked_info

_HEAD = struct.Struct("<4sBBqIIIB")
_MAX_PAGE = 65_307  # most bytes of a page
_FIRST, _END = 2, 4  # flags of a page
_REVERSED = bytes(int(f"{i:08b}"[::-1], 2) for i in range(256))
_NO_POSITION = -1  # the position of a page in which no packet ends


def ogg_info(file: BinaryIO, size: int) -> ClipInfo:
    """Return the information of an open Ogg Vorbis file of `size` bytes. Raises AssetError if it is malformed."""
    head = file.read(128)
    packet = head[_HEAD.size + head[_HEAD.size - 1] :] if len(head) >= _HEAD.size else b""
    if packet[:7] != b"\x01vorbis" or len(packet) < 23:
        hint = "Save it as Ogg Vorbis, WAV, MP3 or FLAC"
        raise AssetError("the Ogg file does not begin with a Vorbis stream", hint=hint)
    version, channels, rate = struct.unpack_from("<IBI", packet, 7)
    if version != 0:
        raise AssetError(f"the Vorbis stream has version {version}, expected 0")
    file.seek(max(0, size - _MAX_PAGE))
    tail = file.read(_MAX_PAGE)
    at = tail.rfind(b"OggS")
    if at < 0 or len(tail) - at < _HEAD.size:
        raise AssetError("the file has no last page: it is cut off")
    return checked_info("ogg", _HEAD.unpack_from(tail, at)[3], rate, channels)


def check_pages(path: Path) -> None:
    """Raise AssetError if a page is damaged or missing. The result is cached until the file changes."""
    stat = path.stat()
    _check_pages(path, stat.st_mtime_ns, stat.st_size)


@functools.lru_cache(maxsize=256)
def _check_pages(path: Path, changed: int, size: int) -> None:
    with open(path, "rb") as file:
        stream, number, flags, place = None, 0, 0, 0
        while head := file.read(_HEAD.size):
            table = file.read(head[-1]) if len(head) == _HEAD.size else b""
            body = file.read(sum(table))
            if len(head) < _HEAD.size or len(table) < head[-1] or len(body) < sum(table) or head[:5] != b"OggS\0":
                raise AssetError(f"page {number + 1} of the Ogg file is cut off or damaged")
            _, _, flags, position, serial, sequence, crc, _ = _HEAD.unpack(head)
            if ogg_crc(head[:22] + b"\0\0\0\0" + head[26:] + table + body) != crc:
                raise AssetError(f"page {number + 1} of the Ogg file is damaged: its checksum is wrong")
            if stream is None:
                stream = serial
            if serial != stream or bool(flags & _FIRST) != (number == 0):
                raise AssetError("the Ogg file has several streams", hint="Save it with one Vorbis stream")
            if sequence != number or (position != _NO_POSITION and position < place):
                raise AssetError(f"page {number + 1} of the Ogg file is missing or in the wrong place")
            number, place = number + 1, max(place, position)
        if not flags & _END:
            raise AssetError("the Ogg file ends without a last page: it is cut off")


def ogg_crc(data: bytes) -> int:
    """Return the checksum of Ogg: a CRC of 32 bits with the polynomial 0x04c11db7, from 0, not reflected.

    zlib computes the reflected CRC with the same polynomial, so the bits of each byte and of the result are reversed.
    """
    crc = zlib.crc32(data.translate(_REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int.from_bytes(crc.to_bytes(4, "little").translate(_REVERSED), "big")
