"""Assets: nothing outside is ever opened, nothing hostile is decoded, and one bad file stops nobody."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import textwrap
import zlib
from pathlib import Path

import numpy as np
import pytest

from rish_core import images
from rish_core.assets import LOADERS, Assets, canonical, load_json, load_text, with_placeholder
from rish_core.errors import AssetError
from rish_core.images import MAX_SIDE, checkerboard, image_header, load_image
from rish_ecs.errors import Place

PIL = pytest.importorskip("PIL.Image")

SIGN = b"\x89PNG\r\n\x1a\n"


def picture(path: Path, size: tuple[int, int] = (6, 4), mode: str = "RGBA") -> Path:
    """A small gradient, saved in the format that the suffix names."""
    pixels = np.arange(size[0] * size[1] * 4, dtype=np.uint8).reshape(size[1], size[0], 4)
    PIL.fromarray(pixels).convert(mode).save(path)
    return path


def chunk(kind: bytes, data: bytes) -> bytes:
    """A PNG chunk with its checksum."""
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def bomb(path: Path, width: int, height: int) -> Path:
    """A valid PNG of one colour, tiny on the disk and huge in memory."""
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x01\x00\x00\x00\x00"
    rows = zlib.compress(bytes((width + 7) // 8 + 1) * height, 9)
    path.write_bytes(SIGN + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b""))
    return path


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game's folder with a few files, and a secret beside it."""
    root = tmp_path / "game"
    (root / "images").mkdir(parents=True)
    (root / "note.txt").write_text("hello", encoding="utf-8")
    (root / "data.json").write_text('{"a": [1, 2]}')
    picture(root / "images" / "ball.png")
    (tmp_path / "secret.txt").write_text("secret")
    return root


def test_a_file_of_the_game_is_found_and_loaded_once(game: Path) -> None:
    """Spellings of one path share one object."""
    assets = Assets(game)
    assert assets.resolve("note.txt") == (game / "note.txt").resolve()
    assert assets.load("note.txt") == "hello"
    assert assets.load("data.json") == {"a": [1, 2]}
    ball = assets.load("images/ball.png")
    assert ball.shape == (4, 6, 4)
    assert ball.dtype == np.uint8
    assert assets.load("./images//ball.png") is ball
    assert assets.exists("note.txt")
    assert not assets.exists("images")


def test_a_missing_file_offers_the_nearest_name(game: Path) -> None:
    """The error names place, path, and the file that was probably meant."""
    with pytest.raises(
        AssetError, match=r"g\.yaml:3: there is no file 'images/bal\.png' \(did you mean 'images/ball\.png'"
    ):
        Assets(game).resolve("images/bal.png", Place("g.yaml", 3))


def test_an_unknown_suffix_offers_the_nearest_one(game: Path) -> None:
    """A slip in the suffix is named with the suffixes that exist."""
    (game / "ball.pgn").write_bytes(b"")
    with pytest.raises(AssetError, match=r"nothing loads '\.pgn' files.*did you mean '\.png'"):
        Assets(game).load("ball.pgn")
    (game / "README").write_text("")
    with pytest.raises(AssetError, match="'README' has no suffix"):
        Assets(game).load("README")


def test_the_longest_suffix_wins(game: Path) -> None:
    """A loader for `.tmx.json` is preferred to that for `.json`; letter case does not matter."""
    (game / "Level.TMX.json").write_text("{}")
    assets = Assets(game, {**LOADERS, ".tmx.json": lambda path: "level"})
    assert assets.load("Level.TMX.json") == "level"
    assert assets.load("data.json") == {"a": [1, 2]}


# Hostile paths

UP = [
    "..",
    "../secret.txt",
    "a/../../secret.txt",
    "images/../../secret.txt",
    "./../secret.txt",
    "....//secret.txt",
]
UP += [
    "..\\secret.txt",
    "images\\..\\..\\secret.txt",
    ".. /secret.txt",
    "../",
    "images/..",
    "..;/secret.txt",
    ".../x.txt",
]
ABSOLUTE = [
    "/etc/passwd",
    "//etc/passwd",
    "///etc/passwd",
    "/",
    "/dev/zero",
    "/proc/self/environ",
    "/secret.txt",
]
HOME = ["~", "~/secret.txt", "~root/x.txt", "images/~/x.txt", "~/.ssh/id_rsa"]
DRIVES = [
    "C:\\secret.txt",
    "C:/secret.txt",
    "c:secret.txt",
    "Z:x.txt",
    "C:",
    "\\\\?\\C:\\x.txt",
    "\\\\.\\PhysicalDrive0",
]
SHARES = ["\\\\server\\share\\x.txt", "//server/share/x.txt", "\\\\?\\UNC\\server\\x.txt", "\\secret.txt"]
URLS = [
    "file:///etc/passwd",
    "http://host/x.txt",
    "ftp://host/x.txt",
    "data:text/plain,x",
    "file:/etc/passwd",
    "zip:/x.txt",
]
ESCAPES = [
    "%2e%2e/secret.txt",
    "%2e%2e%2fsecret.txt",
    "..%2fsecret.txt",
    "..%5csecret.txt",
    "%252e%252e/x.txt",
]
ESCAPES += ["%c0%ae%c0%ae/secret.txt", "%uff0e%uff0e/secret.txt", "images/%2E%2E/%2E%2E/secret.txt"]
CONTROL = [
    "\0",
    "note.txt\0.png",
    "../secret.txt\0note.txt",
    "note\n.txt",
    "a\rb.txt",
    "\x1b[2J.txt",
    "\x7f.txt",
    "\x85.txt",
]
UNICODE = [
    "\uff0e\uff0e/secret.txt",
    "\u2025/secret.txt",
    "..\uff0fsecret.txt",
    "..\uff3csecret.txt",
    "\uff0fetc/passwd",
]
UNICODE += [
    "\u202egnp.txt",
    "\ud800.txt",
    "\uff5e/x.txt",
    "c\uff1a/secret.txt",
    "\ufe52\ufe52/x.txt",
    "\u2024\u2024/x.txt",
]
LINKS = [
    "out.txt",
    "up/secret.txt",
    "up",
    "loop.txt",
    "images/out.txt",
    "up/up/secret.txt",
    "abs.txt",
    "up/game/../secret.txt",
]
DEVICES = [
    "CON",
    "nul",
    "aux.txt",
    "images/COM1.png",
    "lpt9.txt",
    "NUL.txt",
    "prn",
    "note.txt ",
    "note.txt.",
    "note.txt:stream",
]
OTHERS = [
    "",
    ".",
    "./",
    "/.",
    "note.txt/",
    "note.txt/x",
    "*",
    "?.txt",
    "<x>.txt",
    "|x.txt",
    "a" * 5000,
    "a/" * 3000 + "x.txt",
]
PACKAGES = [
    "os:x.txt",
    "no_such_package_here:x.txt",
    "email:../os.py",
    "email:/etc/passwd",
    "email:",
    ":x.txt",
    "a.b:x.txt",
]
PACKAGES += [
    "email:..\\x.txt",
    "__main__:x.txt",
    "numpy:%2e%2e/x.txt",
    "sys:x.txt",
    "e mail:x.txt",
    "game:note.txt",
    ".:x.txt",
]
BASE = [
    *UP,
    *ABSOLUTE,
    *HOME,
    *DRIVES,
    *SHARES,
    *URLS,
    *ESCAPES,
    *CONTROL,
    *UNICODE,
    *LINKS,
    *DEVICES,
    *OTHERS,
    *PACKAGES,
]
HOSTILE = list(
    dict.fromkeys([*BASE, *(f"images/{text}" for text in BASE if text not in ("", ".", "./", "/.", "note.txt/"))])
)
HARMLESS = {"images/out.txt", "note.txt/"}

WATCHED = """
import json, os, sys
from rish_core.assets import Assets
from rish_core.errors import AssetError
import PIL.Image, encodings.idna
root, texts = sys.argv[1], json.loads(sys.stdin.read())
opened, got = [], []
def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        opened.append(os.path.realpath(os.fsdecode(arguments[0])))
os.chdir(root)
assets = Assets(root)
sys.addaudithook(watch)
before = set(sys.modules)
for text in texts:
    try:
        got.append([text, repr(assets.load(text, strict=True))[:40]])
    except AssetError as error:
        str(error)
home = os.path.realpath(root) + os.sep
code = (".py", ".pyc", ".so")
outside = [path for path in opened if not path.startswith(home) and not path.endswith(code)]
print(json.dumps({"outside": outside, "got": got, "imported": sorted(set(sys.modules) - before)}))
"""


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights on Windows")
def test_no_hostile_path_opens_a_file_outside(game: Path) -> None:
    """Over 200 hostile spellings are refused with a sentence; no file outside is ever opened."""
    (game / "out.txt").symlink_to(game.parent / "secret.txt")
    (game / "abs.txt").symlink_to("/etc/passwd")
    (game / "up").symlink_to(game.parent, target_is_directory=True)
    (game / "loop.txt").symlink_to(game / "loop.txt")
    assert len(HOSTILE) >= 200
    run = subprocess.run(
        [sys.executable, "-c", WATCHED, str(game)],
        input=json.dumps(HOSTILE),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    seen = json.loads(run.stdout)
    assert seen["outside"] == []
    assert [text for text, _ in seen["got"] if text not in HARMLESS] == []
    assert not {"email", "numpy.testing"} & set(seen["imported"])


@pytest.mark.parametrize("text", ["C:/x.png", "a/../b.png", "/x.png", "~/x.png", "a%2fb.png", "x\0.png", ":x.png", ""])
def test_hostile_paths_are_refused_before_looking_at_the_disk(text: str) -> None:
    """The spelling alone is enough; the sentence says what is wrong and what a path looks like."""
    with pytest.raises(AssetError, match="package:path"):
        canonical(text)


def test_harmless_paths_keep_their_spelling() -> None:
    """Spaces, dots, other scripts and emoji are fine in names."""
    for text in (
        "a b/c.d.png",
        "Straße/ö.png",
        "图/球.png",
        "🎈.png",
        "100%.png",
        "pkg_name:data/x.png",
        ".hidden/x.png",
    ):
        assert canonical(text) == text
    assert canonical("./a//./b.png") == "a/b.png"


@pytest.mark.skipif(os.name == "nt", reason="named pipes are a Unix matter")
def test_only_regular_files_are_assets(game: Path) -> None:
    """A named pipe, which would block for ever, counts as missing."""
    os.mkfifo(game / "pipe.txt")
    with pytest.raises(AssetError, match="there is no file"):
        Assets(game).load("pipe.txt")


# Packages


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with data that fails when it is imported."""
    folder = tmp_path / "site" / "rish_test_data_package"
    (folder / "assets").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    (folder / "assets" / "words.txt").write_text("from a package")
    (tmp_path / "site" / "rish_test_module.py").write_text("")
    (tmp_path / "site" / "rish_test_namespace").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "site")
    return folder


def test_data_of_a_package_is_found_without_importing_it(package: Path) -> None:
    """`package:path` reads the file of a package whose import would fail."""
    assets = Assets(None)
    assert assets.load("rish_test_data_package:assets/words.txt") == "from a package"
    assert "rish_test_data_package" not in sys.modules
    with pytest.raises(AssetError, match=r"did you mean 'assets/words\.txt'"):
        assets.resolve("rish_test_data_package:assets/word.txt")


def test_what_is_no_package_with_data_is_refused(package: Path, tmp_path: Path) -> None:
    """A missing package names the command that installs it; modules and mere folders carry no data."""
    assets = Assets(tmp_path)
    with pytest.raises(AssetError, match=r"no package 'rish_not_there' is installed\. pip install rish-not-there"):
        assets.resolve("rish_not_there:x.png")
    with pytest.raises(AssetError, match="carries no files"):
        assets.resolve("rish_test_module:x.png")
    with pytest.raises(AssetError, match="carries no files"):
        assets.resolve("rish_test_namespace:x.png")
    with pytest.raises(AssetError, match="which has no folder"):
        Assets(None).resolve("x.png")


# Failing and reloading


def test_a_damaged_image_is_reported_once_and_shown_as_a_checkerboard(
    game: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The placeholder comes back, one line is logged, and `strict` still raises."""
    (game / "bad.png").write_bytes(b"no image")
    assets = Assets(game)
    with caplog.at_level(logging.ERROR, "rish.assets"):
        assert (assets.load("bad.png") == checkerboard()).all()
        assert assets.load("bad.png") is assets.load("bad.png")
        assert (assets.load("missing.png") == checkerboard()).all()
    assert len(caplog.records) == 2
    assert "bad.png is no image" in str(assets.problems["bad.png"])
    with pytest.raises(AssetError, match=r"bad\.png is no image"):
        assets.load("bad.png", strict=True)


def test_a_failing_loader_without_placeholder_raises_and_is_not_tried_again(game: Path) -> None:
    """The same AssetError comes each time, from one attempt, and names what the loader said."""
    calls = []

    def fails(path: Path) -> object:
        calls.append(path)
        raise KeyError("colour")

    assets = Assets(game, {".txt": fails})
    for _ in range(2):
        with pytest.raises(AssetError, match=r"note\.txt can't be loaded: KeyError: 'colour'"):
            assets.load("note.txt")
    assert len(calls) == 1


def test_reload_takes_the_new_content_and_keeps_the_old_where_it_is_bad(game: Path) -> None:
    """Callbacks hear of good reloads only; a failed one leaves what was there."""
    assets, heard = Assets(game), []
    stop = assets.on_reload(heard.append)
    assert assets.load("data.json") == {"a": [1, 2]}
    (game / "data.json").write_text("{")
    assert not assets.reload("data.json")
    assert assets.load("data.json") == {"a": [1, 2]}
    assert "data.json" in assets.problems
    (game / "data.json").write_text("[3]")
    assert assets.reload("./data.json")
    assert assets.load("data.json") == [3]
    assert assets.problems == {}
    stop()
    assets.reload("data.json")
    assert heard == ["data.json"]


def test_what_was_asked_for_is_known(game: Path) -> None:
    """Loaded or not, in any spelling; what nobody asked for is not."""
    assets = Assets(game)
    assets.load("data.json")
    with pytest.raises(AssetError):
        assets.load("absent.json")
    assert [assets.knows(name) for name in ("./data.json", "absent.json", "note.txt")] == [True, True, False]


def test_the_same_mistake_is_said_once(game: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file that is saved again with the same mistake in it."""
    assets = Assets(game)
    assets.load("data.json")
    for text in ("{", "{", "[1"):
        (game / "data.json").write_text(text)
        assert not assets.reload("data.json")
    assert len(caplog.records) == 2


def test_a_plugin_may_bring_a_loader_with_a_placeholder(game: Path) -> None:
    """The mark is all that it takes."""

    @with_placeholder(lambda: "silence")
    def load_sound(path: Path) -> str:
        raise OSError("no sound")

    assert Assets(game, {".txt": load_sound}).load("note.txt") == "silence"


# Text


def test_text_is_utf_8(tmp_path: Path) -> None:
    """A byte order mark is dropped; another encoding and a huge file are refused with the reason."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfhello")
    assert load_text(path) == "hello"
    path.write_bytes("grün".encode("latin-1"))
    with pytest.raises(AssetError, match="not in UTF-8"):
        load_text(path)
    with path.open("wb") as file:
        file.truncate(17 * 2**20)
    with pytest.raises(AssetError, match="larger than 16 MB"):
        load_text(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": }', r"a\.json:1:7: Expecting value"),
        ("NaN", "holds NaN"),
        ("[" * 200_000, "nested too deeply"),
        ("1" * 5000, "holds a number that is too long"),
        ("", r"a\.json:1:1"),
    ],
)
def test_bad_json_is_refused_with_its_place(tmp_path: Path, text: str, reason: str) -> None:
    """No shape of text gets past with anything but an AssetError."""
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(AssetError, match=reason):
        load_json(path)


# Images


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".jpeg", ".webp", ".bmp", ".PNG"])
@pytest.mark.parametrize("mode", ["RGBA", "RGB", "L", "P"])
def test_every_format_and_mode_becomes_rgba(tmp_path: Path, suffix: str, mode: str) -> None:
    """Height, width and four bytes, whatever the file holds; the header tells the same size."""
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
    """A PNG gives back the very bytes, top row first."""
    path = picture(tmp_path / "a.png")
    assert load_image(path).ravel().tolist() == list(range(96))


def test_webp_of_each_kind_tells_its_size(tmp_path: Path) -> None:
    """Lossy, lossless and extended files have three headers."""
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


def test_sixteen_bit_grey_keeps_its_upper_byte(tmp_path: Path) -> None:
    """Height maps come as 16 bits of grey; they are not clipped to white."""
    path = tmp_path / "grey.png"
    PIL.fromarray(np.full((2, 2), 0x8040, dtype=np.uint16)).save(path)
    assert load_image(path)[0, 0].tolist() == [0x80, 0x80, 0x80, 255]


@pytest.mark.parametrize(("width", "height"), [(9000, 9000), (20000, 20000), (8193, 1), (1, 8193), (8192, 8192)])
def test_image_bombs_are_refused_from_the_header(
    tmp_path: Path, width: int, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that would decode to gigabytes is refused without decoding anything."""
    path = bomb(tmp_path / "bomb.png", width, height)
    assert path.stat().st_size < 200_000
    monkeypatch.setattr(images, "_pillow", lambda: pytest.fail("decoding began"))
    with pytest.raises(AssetError, match=f"too large: {width}×{height} pixels"):
        load_image(path)
    assert bomb(tmp_path / "fits.png", MAX_SIDE, 1).exists()


def test_a_file_under_another_format_s_name_is_refused(tmp_path: Path) -> None:
    """The sentence says what the file is and how to name it."""
    picture(tmp_path / "a.jpg", mode="RGB").rename(tmp_path / "a.png")
    with pytest.raises(AssetError, match=r"a\.png is a JPEG image. Name it a\.jpg"):
        load_image(tmp_path / "a.png")
    (tmp_path / "b.png").write_bytes(b"GIF89a" + bytes(40))
    with pytest.raises(AssetError, match=r"b\.png is no image"):
        load_image(tmp_path / "b.png")


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".webp", ".bmp"])
def test_no_damage_gets_past_as_anything_but_an_asset_error(tmp_path: Path, suffix: str) -> None:
    """Cut anywhere, or with any bytes changed, a file loads or is refused with a sentence."""
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
    """Images need Pillow, everything else does not."""
    path = picture(tmp_path / "a.png")
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(AssetError, match=r"without Pillow\. pip install pillow"):
        load_image(path)


def test_importing_assets_imports_no_pillow() -> None:
    """Pillow is imported at the first picture."""
    code = "import sys, rish_core.assets; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False, timeout=60).returncode == 0


def test_the_checkerboard_is_opaque_and_loud() -> None:
    """Two colours in squares, all of it solid, at any size."""
    board = checkerboard(32)
    assert board.shape == (32, 32, 4)
    assert {tuple(color) for color in board.reshape(-1, 4).tolist()} == {(255, 0, 255, 255), (0, 0, 0, 255)}
    assert board[0, 0].tolist() != board[0, 8].tolist()
    assert checkerboard(1).shape == (1, 1, 4)
