"""The files of a program."""

from __future__ import annotations

import importlib.util
import marshal
from pathlib import Path

import pytest

from rish_core import RishError
from rish_export.contents import File, contents, libraries_of, with_bytecode, write_files
from rish_export.plan import make_plan


def test_a_full_disk_is_named_by_the_file_that_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error of a copy has the target's path, and not that of the file that is read."""

    def fail(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device", str(source), None, str(target))

    monkeypatch.setattr("shutil.copyfile", fail)
    with pytest.raises(OSError, match="No space left") as raised:
        write_files([File("a.txt", tmp_path / "source.txt", "")], tmp_path / "out")
    assert raised.value.filename == str(tmp_path / "out" / "a.txt")


def test_a_program_holds_packages_their_entry_points_and_the_game(pond: Path) -> None:
    """Packages lie as in `site-packages`; of their metadata only what finds plugins is kept."""
    files = {file.name: file for file in contents(make_plan(str(pond)))}
    assert files["games/pond/game.yaml"].part == "the game"
    assert b"rish_cli.run" in files["rish_cli-0.1.0.dist-info/entry_points.txt"].read()
    assert files["rish_core/app.py"].part == "rish-core"
    assert "numpy/__init__.py" in files
    assert not any(name.endswith(("RECORD", "direct_url.json", ".pyi")) for name in files)


def test_bytecode_is_valid_whatever_the_date_of_its_source(tmp_path: Path) -> None:
    """Each Python file is followed by bytecode that Python does not compare with it; it is compiled once."""
    cache = tmp_path / "kept"
    cache.mkdir()
    source = File("lake/deep.py", b"DEPTH = 3\n", "lake")
    _, compiled = with_bytecode([source], cache)
    tag = Path(importlib.util.cache_from_source("deep.py")).as_posix()
    assert compiled.name == f"lake/{tag}"
    data = compiled.read()
    assert data[:8] == importlib.util.MAGIC_NUMBER + bytes([1, 0, 0, 0])
    names: dict[str, int] = {}
    exec(marshal.loads(data[16:]), names)
    assert names["DEPTH"] == 3
    (kept,) = cache.iterdir()
    assert kept.read_bytes() == data
    kept.write_bytes(b"damaged")
    assert [*with_bytecode([source], cache)][1].read() == data


def test_libraries_are_packed_without_their_sources(tmp_path: Path) -> None:
    """Bytecode takes the place of a library's Python files; data files stay."""
    files = [File("lake/deep.py", b"DEPTH = 3\n", "lake"), File("lake/map.txt", b"", "lake")]
    assert [file.name for file in with_bytecode(files, tmp_path, {"lake"})] == ["lake/deep.pyc", "lake/map.txt"]


def test_packages_of_rish_keep_their_sources(pond: Path) -> None:
    """Everything that neither belongs to Rish nor has an entry point of it is a library."""
    libraries = libraries_of(make_plan(str(pond)).distributions)
    assert "numpy" in libraries
    assert not any(name.startswith("rish") for name in libraries)


def test_code_that_is_no_python_is_named(tmp_path: Path) -> None:
    """The message has the file."""
    with pytest.raises(RishError, match=r"lake/deep.py can't be compiled"):
        list(with_bytecode([File("lake/deep.py", b"(", "lake")], tmp_path))
