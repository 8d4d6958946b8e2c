"""Wheels with compiled kernels: what is in them, that they are made the same each time, and that no numba is needed."""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib
import io
import platform
import shutil
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

import rish_jit
from long_runs import long, only_long
from rish_core import open_game
from tools import needing

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "games"
LINUX = sys.platform == "linux" and platform.machine() == "x86_64"
COMPILED = LINUX and rish_jit.available() and hasattr(rish_jit, "image_name")
"""Whether this machine can compile kernels for wheels."""
TAGS = ["cp311-cp311-manylinux_2_27_x86_64", "cp311-cp311-manylinux_2_28_x86_64"]


@pytest.fixture(autouse=True)
def commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the modules of the command be imported."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A wheel of one module, as hatchling writes it."""
    path = tmp_path / "pond-1.0-py3-none-any.whl"
    metadata = (
        "Metadata-Version: 2.4\nName: pond\nVersion: 1.0\nLicense-Expression: MIT\n\n# Pond\n\nLicense-Expression: X\n"
    )
    files = {
        "pond/__init__.py": "depth = 3\n",
        "pond-1.0.dist-info/METADATA": metadata,
        "pond-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "pond-1.0.dist-info/RECORD": "pond/__init__.py,,\n",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 2, 2, 0, 0, 0)), text)
    return path


def add(path: Path, folder: Path) -> Path:
    """Write a wheel with a compiled file and a license more into a new folder."""
    wheel: Any = importlib.import_module("wheel_file").Wheel(path)
    wheel.files["pond/kernels.image"] = bytes(1000)
    wheel.set_tags(reversed(TAGS))
    wheel.add_license("MIT AND BSD-2-Clause", "others/LICENSE", b"as it is\n")
    folder.mkdir()
    return wheel.write(folder)


def contents(path: Path) -> dict[str, bytes]:
    """Return the files of a wheel by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def assert_whole(path: Path) -> None:
    """Fail unless RECORD, the last file, lists each file of a wheel with its hash and size, and itself without."""
    files = contents(path)
    *_, last = files
    assert last.endswith(".dist-info/RECORD")
    for name, digest, size in csv.reader(io.StringIO(files.pop(last).decode())):
        if name != last:
            content = files.pop(name)
            assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            assert size == str(len(content))
    assert not files


def test_a_wheel_with_compiled_files_says_where_it_runs(small: Path, tmp_path: Path) -> None:
    """The tags are in its name and in WHEEL, the licenses in its metadata, and RECORD lists every file."""
    path = add(small, tmp_path / "out")
    assert path.name == "pond-1.0-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl"
    assert_whole(path)
    files = contents(path)
    about = files["pond-1.0.dist-info/WHEEL"].decode().splitlines()
    assert [line for line in about if line.startswith("Tag")] == [f"Tag: {tag}" for tag in TAGS]
    assert "Root-Is-Purelib: false" in about
    assert files["pond-1.0.dist-info/licenses/others/LICENSE"] == b"as it is\n"
    head, _, text = files["pond-1.0.dist-info/METADATA"].decode().partition("\n\n")
    assert head.splitlines()[-2:] == ["License-Expression: MIT AND BSD-2-Clause", "License-File: others/LICENSE"]
    assert text == "# Pond\n\nLicense-Expression: X\n"


def test_a_wheel_is_made_of_its_files_alone(small: Path, tmp_path: Path) -> None:
    """The same files make the same bytes, whatever the time and the order."""
    first = add(small, tmp_path / "first").read_bytes()
    with zipfile.ZipFile(small) as archive:
        others = {name: archive.read(name) for name in reversed(archive.namelist())}
    with zipfile.ZipFile(small, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in others.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 2, 2, 0, 0, 0)), content)
    assert add(small, tmp_path / "second").read_bytes() == first


def test_a_list_names_folders(tmp_path: Path) -> None:
    """Folders are taken from lists of requirements, in their order; without any, all packages are meant."""
    command: Any = importlib.import_module("wheels")
    assert command.folders_of([str(ROOT / "requirements" / "physics.txt")])[:4] == [
        ROOT / "libs" / "rish_system", ROOT / "libs" / "rish_jit", ROOT / "libs" / "rish_ecs", ROOT / "rish_core",
    ]  # fmt: skip
    assert command.folders_of([str(ROOT / "rish_core")]) == [ROOT / "rish_core"]
    everything = command.folders_of([])
    assert everything[-1] == ROOT
    assert {ROOT / "rish_core", ROOT / "examples" / "plugins" / "rish-wind"} < set(everything)


@pytest.mark.slow
@needing("hatchling", "wheels")
@pytest.mark.skipif(not rish_jit.available(), reason="needs numba")
def test_the_wheel_of_the_compiler_has_what_compiled_kernels_call(tmp_path: Path) -> None:
    """rish-jit's wheel holds three modules of numba, for this Python, and numba's licenses."""
    importlib.import_module("wheels").main([str(tmp_path), str(ROOT / "libs" / "rish_jit"), "--for", "x86-64-v3"])
    (path,) = tmp_path.glob("*.whl")
    assert_whole(path)
    files = contents(path)
    added = [name for name in files if name.startswith("rish_jit/numba_runtime/")]
    assert [Path(name).name.partition(".")[0] for name in added] == ["_dynfunc", "_helperlib", "_nrt_python"]
    licenses = {f"rish_jit-0.1.0.dist-info/licenses/numba/{name}" for name in ("LICENSE", "LICENSES.third-party")}
    assert licenses < set(files)
    theirs = distribution("numba").read_text("WHEEL") or ""
    tags = sorted(line for line in theirs.splitlines() if line.startswith("Tag:"))
    assert [line for line in files["rish_jit-0.1.0.dist-info/WHEEL"].decode().splitlines() if "Tag:" in line] == tags


PLAY = """
import importlib.util, sys
from rish_core import open_game
import rish_jit

with open_game(sys.argv[1], headless=True) as app:
    app.run(frames=30)
    compiled = any(kernel.compiled for kernel in rish_jit.kernels())
    print(importlib.util.find_spec("numba"), compiled, dict(rish_jit.plain_calls()), app.world.hash())
"""
FIRE = """
rish: 1
game: {title: Fire, seed: 5}
plugins: [particles]
scenes:
  main:
    - {Transform: {}, Emitter: {preset: fire}}
"""


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the game `physics`, which draws, or a small one with few kernels."""
    folder = tmp_path / request.param
    if request.param == "physics":
        return shutil.copytree(GAMES / "physics", folder, ignore=shutil.ignore_patterns("__pycache__"))
    folder.mkdir()
    (folder / "game.yaml").write_text(FIRE, encoding="utf-8")
    return folder


@pytest.mark.slow
@needing("hatchling", "wheels")
@pytest.mark.skipif(not COMPILED, reason="compiled kernels can't be loaded here")
@only_long
def test_a_wheel_with_compiled_kernels_is_the_same_each_time(tmp_path: Path) -> None:
    """Two wheels whose kernels were compiled from the beginning have the same bytes, and hold an image."""
    command: Any = importlib.import_module("wheels")
    for name in ("first", "second"):
        command.main([str(tmp_path / name), str(ROOT / "plugins" / "rish_frame"), "--for", "x86-64-v2"])
    first, second = (next((tmp_path / name).iterdir()) for name in ("first", "second"))
    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()
    assert f"rish_frame/{rish_jit.image_name('x86-64-v2')}" in contents(first)
    assert_whole(first)


@pytest.mark.slow
@needing("hatchling", "wheels")
@pytest.mark.skipif(not COMPILED, reason="compiled kernels can't be loaded here")
@pytest.mark.parametrize(
    ("game", "parts"),
    long([("fire", "particles"), ("physics", "physics render ui")], [("fire", "particles")]),
    indirect=["game"],
)
def test_a_game_runs_without_numba_on_compiled_wheels(game: Path, parts: str, fresh: Any, tmp_path: Path) -> None:
    """A game on such wheels ends in the same state as here, and no kernel runs as plain Python."""
    out, cache = tmp_path / "wheels", fresh.variables["RISH_CACHE_DIR"]
    levels = long(["x86-64-v2", "x86-64-v3"], [rish_jit.default_level()])
    lists = [str(ROOT / "requirements" / f"{part}.txt") for part in parts.split()]
    importlib.import_module("wheels").main([str(out), *lists, "--cache", cache, "--for", *levels])
    built = {path.name.split("-")[0].replace("_", "-"): path for path in out.iterdir()}
    fresh.install_ours(built, *(f"rish-{part}" for part in parts.split()))
    fresh.variables["RISH_CACHE_DIR"] = str(tmp_path / "cache")
    with open_game(game, headless=True) as app:
        app.run(frames=30)
    for level in levels:
        fresh.variables["RISH_CPU_LEVEL"] = level
        assert fresh.run("python", "-c", PLAY, str(game)) == f"None True {{}} {app.world.hash()}\n"
