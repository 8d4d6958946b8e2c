"""The cells of a layer in Tiled's formats."""

from __future__ import annotations

import base64
import gzip
import zlib

import numpy as np
import pytest

from rish_core import AssetError
from rish_render.tiles.tile_data import decode_cells

CELLS = np.array([[1, 2, 0x80000003], [0, 5, 0xE0000006]], np.uint32)
RAW = CELLS.astype("<u4").tobytes()


@pytest.mark.parametrize(
    ("data", "encoding", "compression"),
    [
        ("1,2,2147483651,\n0,5,3758096390\n", "csv", ""),
        (CELLS.ravel().tolist(), "csv", ""),
        ("\n   " + base64.b64encode(RAW).decode() + "\n", "base64", ""),
        (base64.b64encode(zlib.compress(RAW)).decode(), "base64", "zlib"),
        (base64.b64encode(gzip.compress(RAW, mtime=0)).decode(), "base64", "gzip"),
    ],
)
def test_cells_are_the_same_in_every_form(data: object, encoding: str, compression: str) -> None:
    """Cells as text, as numbers, and as bytes with and without compression decode to the same array."""
    found = decode_cells(data, 3, 2, encoding, compression)
    assert found.dtype == np.uint32
    assert np.array_equal(found, CELLS)


def test_zstd_is_read_where_its_package_is_installed() -> None:
    """Zstandard is read if its package is installed."""
    zstandard = pytest.importorskip("zstandard")
    data = base64.b64encode(zstandard.ZstdCompressor().compress(RAW)).decode()
    assert np.array_equal(decode_cells(data, 3, 2, "base64", "zstd"), CELLS)


def test_without_that_package_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without zstandard the error names the package to install."""
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    with pytest.raises(AssetError, match=r"zstd.*pip install zstandard"):
        decode_cells("AAAA", 1, 1, "base64", "zstd")


@pytest.mark.parametrize(
    ("data", "encoding", "compression", "what"),
    [
        ("1,2,x,4,5,6", "csv", "", "'x', which is not a number"),
        ("1,2,,4,5,6", "csv", "", "not a number"),
        ("1,2,3", "csv", "", "3 cells instead of 3×2 = 6"),
        ("1,2,3,4,5,-6", "csv", "", "-6, which is not a valid tile"),
        ("1,2,3,4,5,4294967296", "csv", "", "4294967296"),
        ([1, 2, "a"], "csv", "", "whole numbers"),
        ([1, 2, 3.5], "csv", "", "whole numbers"),
        ([[1], [2, 3]], "csv", "", "whole numbers"),
        ("!!!", "base64", "", "not valid base64"),
        ("AAAA", "base64", "zlib", "can't be unpacked"),
        ("AAAA", "base64", "gzip", "can't be unpacked"),
        ("AAAA", "base64", "", "not a multiple of 4"),
        ("AAAA", "base64", "rar", "'rar'"),
        ("1", "hex", "", "'hex'"),
    ],
)
def test_damaged_cells_are_refused_with_a_sentence(data: object, encoding: str, compression: str, what: str) -> None:
    """Invalid data raises AssetError with a description of the problem."""
    with pytest.raises(AssetError, match=what):
        decode_cells(data, 3, 2, encoding, compression)


def test_a_packed_bomb_is_not_unpacked() -> None:
    """A compressed megabyte is unpacked only up to the size of the layer."""
    bomb = base64.b64encode(zlib.compress(bytes(2**20))).decode()
    with pytest.raises(AssetError, match="7 cells instead of"):
        decode_cells(bomb, 3, 2, "base64", "zlib")


@pytest.mark.parametrize("size", [(100_000, 100_000), (-1, 5)])
def test_a_size_that_no_map_has_is_refused_before_anything_is_read(size: tuple[int, int]) -> None:
    """An impossible size is refused before the data is read."""
    with pytest.raises(AssetError):
        decode_cells("1", *size)
