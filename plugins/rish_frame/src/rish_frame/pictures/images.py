"""Reads images from files that may be damaged or hostile.

A PNG of nine kilobytes can decode to gigabytes, so the size is read from the file's header without Pillow, and checked
before decoding. Only PNG, JPEG, WebP and BMP are read, and only if the suffix matches the format. Pillow does the
decoding; it is imported at the first image. The result is always RGBA with 8 bits per channel, turned as the file's
EXIF orientation says: cameras store what they see lying on its side.
"""

from __future__ import annotations

import struct
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from rish_core import AssetError, AssetNames, with_placeholder
from rish_system import check_size

Pixels = npt.NDArray[np.uint8]
"""(height, width, 4) bytes: red, green, blue, opacity; top row first, colors not multiplied by opacity."""

MAX_SIDE = 8192
"""The longest side of an image that is read, in pixels."""
MAX_PIXELS = 64_000_000
"""The greatest number of pixels of an image that is read. Decoded, they take 256 MB, and 512 MB during decoding."""
MAX_BYTES = 4 * MAX_PIXELS + 2**20
"""The largest size of an image file that is read: the bytes of MAX_PIXELS without compression, and 1 MiB for the other
data."""
_STRIP = 256
"""The number of rows of an image that are converted together."""
FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP", ".bmp": "BMP"}
"""The supported formats, by the suffix that a file of that format must have."""

_ORIENTATION = 0x0112
"""The EXIF tag of the orientation."""
_FIRST_LYING = 5
"""The orientations from here on swap width and height."""
_EXIF_WITHIN = 1 << 18
"""EXIF data is looked for in this many bytes at the start of a file."""
_TURNS: dict[int, Callable[[Pixels], Pixels]] = {
    2: lambda p: p[:, ::-1],
    3: lambda p: p[::-1, ::-1],
    4: lambda p: p[::-1],
    5: lambda p: p.swapaxes(0, 1),
    6: lambda p: np.rot90(p, -1),
    7: lambda p: p[::-1, ::-1].swapaxes(0, 1),
    8: lambda p: np.rot90(p),
}
"""How the pixels of each EXIF orientation are turned upright."""
_NO_SIZE_IN = frozenset((0xC4, 0xC8, 0xCC))  # JPEG markers among the frame headers that are not frame headers


def checkerboard(size: int = 32) -> Pixels:
    """Return the placeholder for a missing image: magenta and black squares."""
    rows, columns = np.indices((size, size)) * 4 // max(size, 1)
    pixels = np.zeros((size, size, 4), dtype=np.uint8)
    pixels[(rows + columns) % 2 == 0] = (255, 0, 255, 255)
    pixels[..., 3] = 255
    return pixels


def load_image(path: Path) -> Pixels:
    """Read an image file into (height, width, 4) bytes.

    Raises AssetError if the file is not an image, is damaged, has the suffix of another format, or is too large, in
    bytes or pixels; and if Pillow is not installed.
    """
    format_name, size = check_image(path)
    pillow = load_pillow(AssetError("images can't be read without Pillow", hint="pip install pillow"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _decode(pillow, path, format_name, size)
    except Exception as error:
        raise AssetError(f"{path.name} is damaged: {error}", hint="Save it again") from error


def check_image(path: Path) -> tuple[str, tuple[int, int]]:
    """Return the format and (width, height) of an image that may be decoded. Raises like `load_image`."""
    try:
        check_size(path, MAX_BYTES)
    except OSError as error:
        raise AssetError(f"{path.name} can't be read: {error.strerror}") from error
    format_name, size = image_header(path)
    expected = FORMATS.get(path.suffix.lower())
    if expected != format_name:
        fitting = next(suffix for suffix, name in FORMATS.items() if name == format_name)
        raise AssetError(f"{path.name} is a {format_name} image", hint=f"Name it {path.stem}{fitting}")
    if max(size) > MAX_SIDE or size[0] * size[1] > MAX_PIXELS:
        raise AssetError(
            f"{path.name} is too large: {size[0]}×{size[1]} pixels",
            hint=f"At most {MAX_SIDE} a side and {MAX_PIXELS // 1_000_000} million in all",
        )
    return format_name, size


def image_size(path: Path) -> tuple[int, int]:
    """Return width and height of the image that `load_image` returns, without decoding it. Raises AssetError."""
    format_name, (width, height) = image_header(path)
    return (height, width) if _orientation(path, format_name) >= _FIRST_LYING else (width, height)


def image_header(path: Path) -> tuple[str, tuple[int, int]]:
    """Return the format and (width, height) of an image file from its header, without decoding or turning the image."""
    try:
        with path.open("rb") as file:
            head = file.read(32)
            if head.startswith(b"\xff\xd8"):
                return "JPEG", _jpeg_size(file)
        header = _size_in(head)
    except (struct.error, ValueError):
        header = None
    except OSError as error:
        raise AssetError(f"{path.name} can't be read: {error.strerror}") from error
    if header is None:
        raise AssetError(f"{path.name} is not an image, or it is damaged", choices=sorted(set(FORMATS.values())))
    return header


def _size_in(head: bytes) -> tuple[str, tuple[int, int]] | None:
    """Return the format and size for the formats that hold both within their first 32 bytes, or None."""
    if head.startswith(b"\x89PNG\r\n\x1a\n") and head[12:16] == b"IHDR":
        return _checked("PNG", *struct.unpack(">II", head[16:24]))
    if head.startswith(b"BM"):
        if struct.unpack("<I", head[14:18])[0] == 12:
            return _checked("BMP", *struct.unpack("<HH", head[18:22]))
        width, height = struct.unpack("<ii", head[18:26])
        return _checked("BMP", width, abs(height))
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        return _webp_size(head)
    return None


def _webp_size(head: bytes) -> tuple[str, tuple[int, int]] | None:
    kind = head[12:16]
    if kind == b"VP8X":
        width, height = int.from_bytes(head[24:27], "little"), int.from_bytes(head[27:30], "little")
        return _checked("WEBP", width + 1, height + 1)
    if kind == b"VP8L":
        bits = struct.unpack("<I", head[21:25])[0]
        return _checked("WEBP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", head[26:30])
        return _checked("WEBP", width & 0x3FFF, height & 0x3FFF)
    return None


def _checked(name: str, width: int, height: int) -> tuple[str, tuple[int, int]] | None:
    return (name, (width, height)) if width > 0 and height > 0 else None


def _jpeg_size(file: BinaryIO) -> tuple[int, int]:
    """Return width and height from a JPEG's frame header, which may follow any number of other segments."""
    file.seek(2)
    while True:
        lead, marker = struct.unpack(">BB", file.read(2))
        if lead != 0xFF or marker in (0xD9, 0xDA):
            raise ValueError("no frame header")
        if marker == 0xFF:
            file.seek(-1, 1)
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_SIZE_IN:
            _, _, height, width = struct.unpack(">HBHH", file.read(7))
            if not height or not width:
                raise ValueError("no size")
            return width, height
        elif not (0xD0 <= marker <= 0xD8 or marker == 0x01):
            length = struct.unpack(">H", file.read(2))[0]
            file.seek(max(length, 2) - 2, 1)


def load_pillow(failure: Exception) -> Any:
    """Import and return Pillow's module of images; raise `failure` if it is not installed."""
    try:
        import PIL.Image
    except ImportError as error:
        raise failure from error
    return PIL.Image


def _decode(pillow: Any, path: Path, name: str, size: tuple[int, int]) -> Pixels:
    with pillow.open(path, formats=[name]) as image:
        if tuple(image.size) != size:
            raise ValueError("its header and its data have different sizes")
        if image.mode.startswith("I"):  # 16-bit gray; the upper 8 bits are kept
            gray = np.asarray(image).astype(np.int64) >> 8
            image = pillow.fromarray(np.clip(gray, 0, 255).astype(np.uint8))
        width, height = size
        pixels = np.empty((height, width, 4), np.uint8)
        for top in range(0, height, _STRIP):  # in strips, because Pillow copies the converted pixels three times
            strip = image.crop((0, top, width, min(top + _STRIP, height)))
            pixels[top : top + _STRIP] = np.asarray(strip.convert("RGBA"))
        return np.ascontiguousarray(_TURNS.get(_orientation(path, name), _as_stored)(pixels))


def _orientation(path: Path, name: str) -> int:
    """Return the EXIF orientation of a file, 1 to 8; 1 for none. Only files that mention EXIF are opened for it."""
    with path.open("rb") as file:
        head = file.read(_EXIF_WITHIN)
    if not any(mark in head for mark in (b"Exif\0\0", b"eXIf", b"EXIF")):
        return 1
    pillow = load_pillow(AssetError("images can't be read without Pillow", hint="pip install pillow"))
    try:
        with warnings.catch_warnings(), pillow.open(path, formats=[name]) as image:
            warnings.simplefilter("ignore")
            orientation = image.getexif().get(_ORIENTATION, 1)
    except Exception:  # damaged metadata; the pixels may be intact
        return 1
    return orientation if orientation in _TURNS else 1


def _as_stored(pixels: Pixels) -> Pixels:
    return pixels


LOADERS: dict[str, Callable[[Path], Pixels]] = dict.fromkeys(FORMATS, with_placeholder(checkerboard)(load_image))
"""The loaders of images, by suffix. A checkerboard replaces a file that can't be loaded."""
IMAGES = AssetNames(*LOADERS)
"""The game's images, for the list `images` of names."""
