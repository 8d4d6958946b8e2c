"""Decodes the cells of a layer as Tiled writes them: numbers in text, or base64 bytes, compressed or not.

A map of a thousand by a thousand cells has a million numbers a layer, so numpy reads them, never a Python loop. The
size is known before decompression, and at most that many bytes are decompressed.
"""

from __future__ import annotations

import base64
import binascii
import importlib
import warnings
import zlib
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import AssetError

from .model import MAX_CELLS

Cells = npt.NDArray[np.uint32]

COMPRESSIONS = ("", "zlib", "gzip", "zstd")


def decode_cells(data: Any, width: int, height: int, encoding: str = "csv", compression: str = "") -> Cells:
    """Return the cells of a layer or chunk, uint32 (height, width).

    data: text, or a list of numbers. encoding: `csv` or `base64`. compression: of base64, one of COMPRESSIONS.
    Raises AssetError with a message that does not name the file or line.
    """
    check_size(width, height)
    if isinstance(data, list):
        cells = _from_list(data)
    elif encoding == "base64":
        cells = _from_base64(str(data or ""), width * height * 4, compression)
    elif encoding == "csv":
        cells = _from_csv(str(data or ""))
    else:
        raise AssetError(f"its cells have the unknown encoding {encoding!r}", choices=["csv", "base64"], given=encoding)
    if len(cells) != width * height:
        raise AssetError(f"it has {len(cells)} cells instead of {width}×{height} = {width * height}")
    return cells.reshape(height, width)


def check_size(width: int, height: int) -> None:
    """Raise AssetError for a size that no map can have."""
    if width < 0 or height < 0:
        raise AssetError(f"its size {width}×{height} is not valid")
    if width * height > MAX_CELLS:
        raise AssetError(f"it is too large: {width}×{height} cells", hint=f"At most {MAX_CELLS:,} cells in a layer")


def _from_csv(text: str) -> Cells:
    """Parse numbers separated by commas and line breaks."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return _checked(np.fromstring(text, np.int64, sep=","))
        except (ValueError, DeprecationWarning):
            raise AssetError(f"its cells contain {_odd_word(text)!r}, which is not a number") from None


def _odd_word(text: str) -> str:
    """Return the first word between commas that is not a number."""
    words = (word.strip() for word in text.split(","))
    return next((word[:20] for word in words if not word.isdigit()), "")


def _from_list(numbers: list[Any]) -> Cells:
    try:
        array = np.array(numbers)
    except (ValueError, OverflowError):
        array = np.zeros(0, object)
    if len(numbers) and array.dtype.kind not in "iu":
        raise AssetError("its cells are not all whole numbers")
    return _checked(array)


def _checked(numbers: npt.NDArray[Any]) -> Cells:
    if len(numbers) and (numbers.min() < 0 or numbers.max() > 0xFFFFFFFF):
        odd = numbers[(numbers < 0) | (numbers > 0xFFFFFFFF)][0]
        raise AssetError(f"its cells contain {odd}, which is not a valid tile number")
    return numbers.astype(np.uint32)


def _from_base64(text: str, size: int, compression: str) -> Cells:
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise AssetError("its cells are not valid base64") from None
    try:
        data = _unpack(raw, size, compression)
    except (zlib.error, EOFError) as error:
        raise AssetError(f"its cells can't be unpacked: {error}") from None
    if len(data) % 4:
        raise AssetError(f"its cells have {len(data)} bytes, which is not a multiple of 4")
    return np.frombuffer(data, "<u4").astype(np.uint32)


def _unpack(raw: bytes, size: int, compression: str) -> bytes:
    """Decompress at most `size` + 4 bytes, so that a decompression bomb shows up as a wrong number of cells."""
    if compression == "":
        return raw
    if compression in ("zlib", "gzip"):
        return zlib.decompressobj(wbits=15 | 32).decompress(raw, size + 4)
    if compression == "zstd":
        try:
            zstandard = importlib.import_module("zstandard")
        except ImportError:
            what = "its cells are compressed with zstd, which needs an extra package"
            raise AssetError(what, hint="pip install zstandard") from None
        try:
            with zstandard.ZstdDecompressor().stream_reader(raw) as reader:
                return bytes(reader.read(size + 4))
        except zstandard.ZstdError as error:
            raise AssetError(f"its cells can't be unpacked: {error}") from None
    raise AssetError(
        f"its cells have the unknown compression {compression!r}", choices=COMPRESSIONS[1:], given=compression
    )
