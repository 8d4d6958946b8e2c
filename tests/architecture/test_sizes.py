"""The size of every file that is read from a game's folder, or from the user, is looked at before it is read."""

from __future__ import annotations

import os
import re
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rish_core import App, AssetError, Assets, RishError, load_text, parse_manifest, read_manifest
from rish_core.manifest import load_yaml, read_yaml
from rish_core.plugin import load_game_plugin
from rish_core.plugin.discovery import installed_plugins
from rish_editor.session.files.journal import read_copy
from rish_history import read_recording
from rish_history.saves.saves import read_save
from rish_ui.preferences.files import keep_copy, read_file

TOOLS = {"debug", "editor", "profile", "profiler", "remote", "strict", "teach", "teach3d", "terminal", "watchdog"}
SIZE = 3 * 2**30
HEADS = {
    ".png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x08\x08\6\0\0\0", ".jpg": b"\xff\xd8", ".glb": b"glTF",
    ".gltf": b"{", ".json": b"[", ".tmx": b"<map", ".mp3": b"ID3", ".rish": b"RISHREC\n\1\0\0\0", ".save": b"RISHSAVE",
}  # fmt: skip
"""The first bytes of formats that are told apart by them."""
SAID = re.compile(r"it has 3,221,225,472 bytes, and [\d,]+ are the most: make it smaller")


def sparse(path: Path) -> Path:
    """Make a file of 3 GB that takes no room on the disk."""
    with path.open("wb") as file:
        file.write(HEADS.get(path.suffix, b""))
        os.truncate(path, SIZE)
    return path


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Return a game with all plugins."""
    root = tmp_path_factory.mktemp("game")
    plugins = sorted({each.name for each in installed_plugins()} - TOOLS)
    with App(parse_manifest(f"rish: 1\nplugins: [{', '.join(plugins)}]\n", root=root), headless=True) as app:
        yield app


def refused(read: Callable[[], object]) -> str:
    """Return the message of the error that a reading ends with, in less than 20 MB of memory; "" if there is none."""
    tracemalloc.start()
    try:
        read()
    except (OSError, RishError) as error:
        return str(error)
    else:
        return ""
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20 * 2**20, f"{peak:,} bytes"


def test_every_kind_of_asset_has_a_limit(app: App) -> None:
    """A file of 3 GB is refused by every loader, with its size, the limit and what to do, and nothing is read.

    Sounds are decoded while they are played, so WAV, Ogg and FLAC may be larger; these are refused as damaged.
    """
    assets: Assets = app.world[Assets]
    root = app.manifest.root or Path()
    said: dict[str, str] = {}
    for suffix in app.registry.loaders:
        path = sparse(root / f"large{suffix}")
        content: list[object] = []
        said[suffix] = refused(lambda suffix=suffix, into=content: into.append(assets.read(f"large{suffix}")))
        if content:  # this loader leaves the reading, or the mistakes, to its plugin
            said[suffix] = refused(lambda path=path: load_yaml(path))
        path.unlink()
    assert [suffix for suffix, text in said.items() if not text] == []
    assert [suffix for suffix, text in said.items() if not SAID.search(text)] == [".wav", ".ogg", ".flac"]


def test_files_beside_a_model_share_its_limit(app: App) -> None:
    """The pictures and buffers of a model count together: one that is too large is not read."""
    assets: Assets = app.world[Assets]
    root = app.manifest.root or Path()
    (root / "model.gltf").write_text('{"asset": {"version": "2.0"}, "images": [{"uri": "skin.png"}]}')
    sparse(root / "skin.png")
    assert SAID.search(refused(lambda: assets.read("model.gltf")))


def test_every_other_file_has_a_limit(tmp_path: Path) -> None:
    """Manifests, code, saves, recordings, preferences and copies of the editor are refused by their size too."""
    path = sparse(tmp_path / "x.yaml")
    readers: dict[str, Callable[[], object]] = {
        "manifest": lambda: read_manifest(path).require(),
        "code": lambda: load_game_plugin(sparse(tmp_path / "plugin.py")),
        "save": lambda: read_save(sparse(tmp_path / "x.save")),
        "recording": lambda: read_recording(sparse(tmp_path / "x.rish")),
        "text": lambda: load_text(path),
        "copy": lambda: read_copy(path),
        "kept": lambda: keep_copy(path),
    }
    assert [name for name, read in readers.items() if not SAID.search(refused(read))] == []
    assert SAID.search(str(read_file(path)[1][0]))


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices of POSIX")
@pytest.mark.parametrize("suffix", [".yaml", ".txt", ".png", ".wav", ".save", ".rish", ".py"])
def test_readers_do_not_wait_for_pipes(app: App, tmp_path: Path, suffix: str) -> None:
    """A pipe in place of a file is refused; reading it would wait for ever."""
    path = tmp_path / f"pipe{suffix}"
    os.mkfifo(path)
    own = {".save": read_save, ".rish": read_recording, ".py": load_game_plugin, ".yaml": load_yaml}
    with pytest.raises((OSError, RishError), match=r"it is a pipe|is missing"):
        own.get(suffix, app.registry.loaders.get(suffix, load_text))(path)


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "x" * 300, "folder"])
def test_readers_of_impossible_names_say_so(tmp_path: Path, name: str) -> None:
    """A name that no file can have, or that of a folder, is an error with a reason, in every reader."""
    (tmp_path / "folder").mkdir()
    path = tmp_path / name
    assert read_yaml(path).problems
    for read in (read_save, read_recording, load_game_plugin, read_manifest_of):
        with pytest.raises(RishError):
            read(path)
    with pytest.raises(AssetError):
        Assets(tmp_path).read(name)


def read_manifest_of(path: Path) -> object:
    """Read a manifest, which must be one."""
    return read_manifest(path).require()
