"""Images: every format becomes RGBA or an error, hostile files are not decoded, and a bad file stops no game."""

from __future__ import annotations

import logging
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from rish_core import AssetError, Assets
from rish_frame.pictures import images
from rish_frame.pictures.images import LOADERS, MAX_SIDE, checkerboard, image_header, image_size, load_image

PIL = pytest.importorskip("PIL.Image")

SIGN = b"\x89PNG\r\n\x1a\n"


def picture(path: Path, size: tuple[int, int] = (6, 4), mode: str = "RGBA") -> Path:
    """Write a small gradient in the format of the suffix; return the path."""
    pixels = np.arange(size[0] * size[1] * 4, dtype=np.uint8).reshape(size[1], size[0], 4)
    PIL.fromarray(pixels).convert(mode).save(path)
    return path


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a PNG chunk with its checksum."""
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def bomb(path: Path, width: int, height: int) -> Path:
    """Write a valid PNG of one color, small on disk and huge in memory; return the path."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x01\x00\x00\x00\x00"
    rows = zlib.compress(bytes((width + 7) // 8 + 1) * height, 9)
    path.write_bytes(SIGN + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
    return path


def test_a_damaged_image_is_reported_once_and_shown_as_a_checkerboard(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged image returns the placeholder and is logged once; with `strict` it raises."""
    (tmp_path / "bad.png").write_bytes(b"no image")
    assets = Assets(tmp_path, LOADERS)
    with caplog.at_level(logging.ERROR, "rish.assets"):
        assert (assets.load("bad.png") == checkerboard()).all()
        assert assets.load("bad.png") is assets.load("bad.png")
        assert (assets.load("missing.png") == checkerboard()).all()
    assert len(caplog.records) == 2
    assert "bad.png is not an image" in str(assets.problems["bad.png"])
    with pytest.raises(AssetError, match=r"bad\.png is not an image"):
        assets.load("bad.png", strict=True)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".jpeg", ".webp", ".bmp", ".PNG"])
@pytest.mark.parametrize("mode", ["RGBA", "RGB", "L", "P"])
def test_every_format_and_mode_becomes_rgba(tmp_path: Path, suffix: str, mode: str) -> None:
    """Every format becomes an array of height, width and four bytes; the header has the same size."""
    if suffix in (".jpg", ".jpeg") and mode in ("RGBA", "P"):
        mode = "RGB"
    if suffix == ".webp" and mode in ("L", "P"):
        mode = "RGB"
    path = picture(tmp_path / f"a{suffix}", (6, 4), mode)
    assert image_header(path)[1] == (6, 4)
    pixels = load_image(path)
    assert (pixels.shape, pixels.dtype) == ((4, 6, 4), np.uint8)
    assert pixels.flags.c_contiguous
    assert pixels.flags.writeable


def test_pixels_are_exact_with_opacity(tmp_path: Path) -> None:
    """A PNG gives the exact bytes, the top row first."""
    path = picture(tmp_path / "a.png")
    assert load_image(path).ravel().tolist() == list(range(96))


def test_webp_of_each_kind_tells_its_size(tmp_path: Path) -> None:
    """The size is read from lossy, lossless and extended files, which have three headers."""
    pixels = np.zeros((300, 500, 4), dtype=np.uint8)
    for name, options in (
        ("lossy", {}),
        ("lossless", {"lossless": True}),
        ("extended", {"exif": b"Exif\0\0MM"}),
    ):
        path = tmp_path / f"{name}.webp"
        mode = "RGBA" if name == "extended" else "RGB"
        PIL.fromarray(pixels).convert(mode).save(path, **options)
        assert image_header(path) == ("WEBP", (500, 300))
        assert load_image(path).shape == (300, 500, 4)


def test_sixteen_bit_gray_keeps_its_upper_byte(tmp_path: Path) -> None:
    """16-bit gray, as in height maps, keeps its upper byte and is not clipped to white."""
    path = tmp_path / "gray.png"
    PIL.fromarray(np.full((2, 2), 0x8040, dtype=np.uint16)).save(path)
    assert load_image(path)[0, 0].tolist() == [0x80, 0x80, 0x80, 255]


@pytest.mark.parametrize(("width", "height"), [(9000, 9000), (20000, 20000), (8193, 1), (1, 8193), (8192, 8192)])
def test_image_bombs_are_refused_from_the_header(
    tmp_path: Path, width: int, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that would decode to gigabytes is rejected by its header."""
    path = bomb(tmp_path / "bomb.png", width, height)
    assert path.stat().st_size < 200_000
    monkeypatch.setattr(images, "load_pillow", lambda missing: pytest.fail("decoding began"))
    with pytest.raises(AssetError, match=f"too large: {width}×{height} pixels"):
        load_image(path)
    assert bomb(tmp_path / "fits.png", MAX_SIDE, 1).exists()


def test_a_file_under_another_format_s_name_is_refused(tmp_path: Path) -> None:
    """A file with the suffix of another format is rejected; the message has the real format and the right name."""
    picture(tmp_path / "a.jpg", mode="RGB").rename(tmp_path / "a.png")
    with pytest.raises(AssetError, match=r"a\.png is a JPEG image. Name it a\.jpg"):
        load_image(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes(b"GIF89a" + bytes(40))
    with pytest.raises(AssetError, match=r"b\.png is not an image"):
        load_image(tmp_path / "b.png")


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp"])
def test_no_damage_gets_past_as_anything_but_an_asset_error(tmp_path: Path, suffix: str) -> None:
    """A file that is cut or has changed bytes is loaded or raises AssetError."""
    whole = picture(tmp_path / f"a{suffix}", (16, 16), "RGB").read_bytes()
    rng = np.random.default_rng(3)
    path = tmp_path / f"b{suffix}"
    variants = [whole[:cut] for cut in range(0, len(whole), max(1, len(whole) // 40))]
    for _ in range(150):
        mutated = bytearray(whole)
        for at in rng.integers(0, len(whole), rng.integers(1, 6)):
            mutated[at] = rng.integers(0, 256)
        variants.append(bytes(mutated))
    refused = 0
    for data in variants:
        path.write_bytes(data)
        try:
            assert load_image(path).shape[2] == 4
        except AssetError:
            refused += 1
    assert refused >= 10


def test_without_pillow_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Pillow, loading an image names the package to install; other assets do not need it."""
    path = picture(tmp_path / "a.png")
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(AssetError, match=r"without Pillow\. pip install pillow"):
        load_image(path)


def test_the_checkerboard_is_opaque_and_loud() -> None:
    """The placeholder has opaque squares of two colors, at any size."""
    board = checkerboard(32)
    assert board.shape == (32, 32, 4)
    assert {tuple(color) for color in board.reshape(-1, 4).tolist()} == {(255, 0, 255, 255), (0, 0, 0, 255)}
    assert board[0, 0].tolist() != board[0, 8].tolist()
    assert checkerboard(1).shape == (1, 1, 4)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp"])
def test_images_are_turned_upright_as_their_exif_orientation_says(tmp_path: Path, suffix: str) -> None:
    """All eight orientations look as Pillow turns them, and the size is known without decoding."""
    from PIL import ImageOps

    pixels = np.zeros((16, 32, 3), np.uint8)
    pixels[:8, :16], pixels[8:, :16], pixels[:8, 16:] = (255, 0, 0), (0, 255, 0), (0, 0, 255)
    for orientation in range(1, 9):
        path = tmp_path / f"o{orientation}{suffix}"
        exif = PIL.Exif()
        exif[0x0112] = orientation
        options = {"lossless": True} if suffix == ".webp" else {"quality": 100} if suffix == ".jpg" else {}
        PIL.fromarray(pixels).save(path, exif=exif, **options)
        with PIL.open(path) as image:
            wanted = np.asarray(ImageOps.exif_transpose(image).convert("RGBA"))
        found = load_image(path)
        assert np.array_equal(found, wanted), orientation
        assert found.flags.c_contiguous
        assert image_size(path) == (found.shape[1], found.shape[0])


@pytest.mark.parametrize(
    "data", [b"Exif\0\0", b"Exif\0\0MM\0*\xff\xff\xff\xff", b"Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01"]
)
def test_damaged_exif_data_leaves_the_image_as_it_is(tmp_path: Path, data: bytes) -> None:
    """An image with damaged metadata is read as it is stored."""
    path = tmp_path / "a.jpg"
    PIL.fromarray(np.zeros((4, 6, 3), np.uint8)).save(path, exif=b"Exif\0\0" + data)
    assert load_image(path).shape == (4, 6, 4)
    assert image_size(path) == (6, 4)
