"""Assets: no file outside is opened, hostile data is refused, and one bad file stops nothing."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rish_core.assets import LOADERS, Assets, canonical, load_json, load_text, with_placeholder, with_siblings
from rish_core.errors import AssetError
from rish_ecs import Place


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Create a game's folder with a few files, and a secret beside it."""
    root = tmp_path / "game"
    (root / "images").mkdir(parents=True)
    (root / "note.txt").write_text("hello", encoding="utf-8")
    (root / "data.json").write_text('{"a": [1, 2]}')
    (root / "images" / "ball.png").write_bytes(b"a picture")
    (tmp_path / "secret.txt").write_text("secret")
    return root


def test_a_file_of_the_game_is_found_and_loaded_once(game: Path) -> None:
    """A file is loaded once; different spellings of its path give the same object."""
    assets = Assets(game)
    assert assets.resolve("note.txt") == (game / "note.txt").resolve()
    assert assets.load("note.txt") == "hello"
    assert assets.load("data.json") == {"a": [1, 2]}
    assert assets.load(".//./data.json") is assets.load("data.json")
    assert assets.exists("note.txt")
    assert not assets.exists("images")


def test_a_missing_file_offers_the_nearest_name(game: Path) -> None:
    """A missing file is reported with the place and the nearest file."""
    with pytest.raises(
        AssetError, match=r"g\.yaml:3: there is no file 'images/bal\.png' \(did you mean 'images/ball\.png'"
    ):
        Assets(game).resolve("images/bal.png", Place("g.yaml", 3))


def test_an_unknown_suffix_offers_the_nearest_one(game: Path) -> None:
    """An unknown suffix is reported with the nearest suffix."""
    (game / "ball.jsno").write_bytes(b"")
    with pytest.raises(AssetError, match=r"there is no loader for '\.jsno' files.*did you mean '\.json'"):
        Assets(game).load("ball.jsno")
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
    """Over 200 hostile paths are refused with a sentence, and no file outside is opened."""
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
        timeout=600,
    )
    seen = json.loads(run.stdout)
    assert seen["outside"] == []
    assert [text for text, _ in seen["got"] if text not in HARMLESS] == []
    assert not {"email", "numpy.testing"} & set(seen["imported"])


@pytest.mark.parametrize("text", ["C:/x.png", "a/../b.png", "/x.png", "~/x.png", "a%2fb.png", "x\0.png", ":x.png", ""])
def test_hostile_paths_are_refused_before_looking_at_the_disk(text: str) -> None:
    """A hostile path is refused by its spelling alone, with an example of a valid path."""
    with pytest.raises(AssetError, match="package:path"):
        canonical(text)


def test_harmless_paths_keep_their_spelling() -> None:
    """Spaces, dots, other scripts and emoji are allowed in names."""
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
    """A named pipe, which would block forever, counts as missing."""
    os.mkfifo(game / "pipe.txt")
    with pytest.raises(AssetError, match="there is no file"):
        Assets(game).load("pipe.txt")


# Packages


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a package with data that fails when it is imported."""
    folder = tmp_path / "site" / "rish_test_data_package"
    (folder / "assets").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    (folder / "assets" / "words.txt").write_text("from a package")
    (tmp_path / "site" / "rish_test_module.py").write_text("")
    (tmp_path / "site" / "rish_test_namespace").mkdir()
    monkeypatch.syspath_prepend(tmp_path / "site")
    return folder


def test_data_of_a_package_is_found_without_importing_it(package: Path) -> None:
    """`package:path` reads a file of a package without importing it."""
    assets = Assets(None)
    assert assets.load("rish_test_data_package:assets/words.txt") == "from a package"
    assert "rish_test_data_package" not in sys.modules
    with pytest.raises(AssetError, match=r"did you mean 'assets/words\.txt'"):
        assets.resolve("rish_test_data_package:assets/word.txt")


def test_what_is_no_package_with_data_is_refused(package: Path, tmp_path: Path) -> None:
    """A missing package is reported without guessing a name for an index; modules and namespaces have no files."""
    assets = Assets(tmp_path)
    with pytest.raises(AssetError, match=r"no package 'rish_not_there' is installed\. Install the package"):
        assets.resolve("rish_not_there:x.png")
    with pytest.raises(AssetError, match="carries no files"):
        assets.resolve("rish_test_module:x.png")
    with pytest.raises(AssetError, match="carries no files"):
        assets.resolve("rish_test_namespace:x.png")
    with pytest.raises(AssetError, match="which has no folder"):
        Assets(None).resolve("x.png")


# Failing and reloading


def test_a_damaged_file_is_reported_once_and_shown_by_its_placeholder(
    game: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A bad file gives the loader's placeholder and one log line; with `strict` it raises and logs nothing."""

    @with_placeholder(lambda: ["placeholder"])
    def load(path: Path) -> list[str]:
        raise AssetError(f"{path.name} is no word")

    (game / "bad.word").write_bytes(b"")
    assets = Assets(game, {".word": load})
    with pytest.raises(AssetError, match=r"bad\.word is no word"):
        assets.load("bad.word", strict=True)
    assert not caplog.records
    with caplog.at_level(logging.ERROR, "rish.assets"):
        assert assets.load("bad.word") == ["placeholder"]
        assert assets.load("bad.word") is assets.load("bad.word")
        assert assets.load("missing.word") == ["placeholder"]
    assert len(caplog.records) == 2
    assert "bad.word is no word" in str(assets.problems["bad.word"])
    with pytest.raises(AssetError, match=r"bad\.word is no word"):
        assets.load("bad.word", strict=True)


def test_a_failing_loader_without_placeholder_raises_and_is_not_tried_again(game: Path) -> None:
    """A failing loader without a placeholder is tried once, and raises the same AssetError each time."""
    calls = []

    def fails(path: Path) -> object:
        calls.append(path)
        raise KeyError("color")

    assets = Assets(game, {".txt": fails})
    for _ in range(2):
        with pytest.raises(AssetError, match=r"note\.txt can't be loaded: KeyError: 'color'"):
            assets.load("note.txt")
    assert len(calls) == 1


def test_what_is_forgotten_is_read_again(game: Path) -> None:
    """After `forget` an asset is unknown, and the next request reads the file, also one that could not be read."""
    assets = Assets(game)
    before = assets.load("data.json")
    with pytest.raises(AssetError):
        assets.load("absent.json")
    for name in ("./data.json", "absent.json", "never.json", "../outside.json"):
        assets.forget(name)
    assert not assets.knows("data.json")
    assert assets.failed == {"absent.json"}
    (game / "absent.json").write_text("1")
    assert (assets.load("data.json"), assets.load("absent.json")) == (before, 1)
    assert assets.load("data.json") is not before
    assert assets.failed == set()


def test_those_that_use_a_removed_file_are_told(game: Path) -> None:
    """`remove` drops the content and calls the callbacks, so that they ask again."""
    assets, heard = Assets(game), list[str]()
    assets.load("data.json")

    def ask(path: str) -> None:
        heard.append(path)
        with contextlib.suppress(AssetError):
            assets.load(path)

    assets.on_reload(ask)
    (game / "data.json").unlink()
    for name in ("./data.json", "never.json"):
        assets.remove(name)
    assert heard == ["data.json"]
    assert "data.json" in assets.problems
    (game / "data.json").write_text("5")
    assert assets.reload("data.json")
    assert heard == ["data.json"] * 2
    assert assets.load("data.json") == 5


def test_reload_takes_the_new_content_and_keeps_the_old_where_it_is_bad(game: Path) -> None:
    """A reload replaces the content and calls the callbacks; a failed reload keeps the old content."""
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
    """`knows` is true for requested assets, loaded or not, in any spelling."""
    assets = Assets(game)
    assets.load("data.json")
    with pytest.raises(AssetError):
        assets.load("absent.json")
    assert [assets.knows(name) for name in ("./data.json", "absent.json", "note.txt")] == [True, True, False]


def test_the_same_mistake_is_said_once(game: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A file that is saved again with the same mistake is logged once."""
    assets = Assets(game)
    assets.load("data.json")
    for text in ("{", "{", "[1"):
        (game / "data.json").write_text(text)
        assert not assets.reload("data.json")
    assert len(caplog.records) == 2


def test_a_plugin_may_bring_a_loader_with_a_placeholder(game: Path) -> None:
    """A plugin's loader can have a placeholder through the decorator."""

    @with_placeholder(lambda: "silence")
    def load_sound(path: Path) -> str:
        raise OSError("no sound")

    assert Assets(game, {".txt": load_sound}).load("note.txt") == "silence"


# Siblings


@with_siblings
def load_model(path: Path, sibling: Callable[[str], Path]) -> list[str]:
    """Load a file whose lines name files beside it."""
    return [sibling(name).read_text(encoding="utf-8") for name in path.read_text(encoding="utf-8").split()]


@pytest.fixture
def models(game: Path) -> Assets:
    """Create assets with a model that reads two files beside it."""
    (game / "models").mkdir()
    (game / "models" / "skin.txt").write_text("skin", encoding="utf-8")
    (game / "models" / "ship.model").write_text("skin.txt ../note.txt", encoding="utf-8")
    return Assets(game, {".model": load_model, ".txt": load_text})


def test_a_loader_reads_the_files_beside_its_own(models: Assets, game: Path) -> None:
    """A marked loader finds files by names relative to its own file, and they are known as assets of the game."""
    assert models.load("models/ship.model") == ["skin", "hello"]
    assert models.knows("models/skin.txt")
    assert not models.knows("data.json")
    assert models.sibling("models/ship.model", "skin.txt") == (game / "models" / "skin.txt").resolve()


@pytest.mark.parametrize(
    "name",
    ["../../secret.txt", "/etc/passwd", "..\\note.txt", "C:x.txt", "%2e%2e/x.txt", "..", "a/../../../secret.txt", ""],
)
def test_a_sibling_is_never_outside_of_the_game(models: Assets, name: str) -> None:
    """A name that leads out of the game's folder is refused, and so is one that names no file."""
    with pytest.raises(AssetError):
        models.sibling("models/ship.model", name)


def test_a_sibling_through_a_link_out_of_the_game_is_refused(models: Assets, game: Path) -> None:
    """A symbolic link that leads out of the game's folder is refused."""
    (game / "models" / "out.txt").symlink_to(game.parent / "secret.txt")
    with pytest.raises(AssetError, match="outside"):
        models.sibling("models/ship.model", "out.txt")


def test_an_asset_is_loaded_again_with_its_siblings(models: Assets, game: Path) -> None:
    """If a sibling changes, its readers are read again and announced; a file that is read no longer has no reader."""
    heard: list[str] = []
    models.on_reload(heard.append)
    models.load("models/ship.model")
    (game / "models" / "skin.txt").write_text("new skin", encoding="utf-8")
    assert models.reload("models/skin.txt")
    assert models.load("models/ship.model") == ["new skin", "hello"]
    assert heard == ["models/ship.model"]
    models.load("note.txt")
    assert models.reload("note.txt")
    assert heard[1:] == ["note.txt", "models/ship.model"]
    (game / "models" / "ship.model").write_text("skin.txt", encoding="utf-8")
    models.reload("models/ship.model")
    assert models.reload("note.txt")
    assert heard[3:] == ["models/ship.model", "note.txt"]


def test_a_missing_sibling_is_loaded_once_it_exists(models: Assets, game: Path) -> None:
    """An asset whose sibling is missing is loaded when the file appears."""
    (game / "models" / "ship.model").write_text("hull.txt", encoding="utf-8")
    with pytest.raises(AssetError, match=r"hull\.txt"):
        models.load("models/ship.model")
    (game / "models" / "hull.txt").write_text("hull", encoding="utf-8")
    assert models.knows("models/hull.txt")
    assert models.reload("models/hull.txt")
    assert models.load("models/ship.model") == ["hull"]


# Text


def test_text_is_utf_8(tmp_path: Path) -> None:
    """Text is read as UTF-8 without a byte order mark; other encodings and huge files are refused."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfhello")
    assert load_text(path) == "hello"
    path.write_bytes("grün".encode("latin-1"))
    with pytest.raises(AssetError, match="not in UTF-8"):
        load_text(path)
    with path.open("wb") as file:
        file.truncate(17 * 2**20)
    with pytest.raises(AssetError, match="it has 17,825,792 bytes, and 16,777,216 are the most"):
        load_text(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": }', r"a\.json:1:7: Expecting value"),
        ("NaN", "contains NaN"),
        ("[" * 200_000, "nested too deeply"),
        ("1" * 5000, "holds a number that is too long"),
        ("", r"a\.json:1:1"),
    ],
)
def test_bad_json_is_refused_with_its_place(tmp_path: Path, text: str, reason: str) -> None:
    """Bad JSON raises AssetError with its place."""
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(AssetError, match=reason):
        load_json(path)


def test_files_are_listed_by_suffix(tmp_path: Path) -> None:
    """`files` lists the game's files by suffix in any case, sorted, as paths to load; new files appear at once."""
    for name in ("b.txt", "words/A.TXT", "words/a.json", ".hidden/c.txt", "__pycache__/d.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    assets = Assets(tmp_path)
    assert assets.files(".txt") == ["b.txt", "words/A.TXT"]
    assert assets.files(".txt", ".json") == ["b.txt", "words/A.TXT", "words/a.json"]
    (tmp_path / "a.txt").write_text("new")
    assert assets.files() == ["a.txt", "b.txt", "words/A.TXT", "words/a.json"]
    assert all(assets.load(name) is not None for name in assets.files())
    assert Assets().files() == []
