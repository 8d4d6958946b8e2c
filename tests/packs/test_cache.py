"""Packs are unpacked into the user's cache, completely or not at all, and nowhere else."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from other_system import pretend
from rish_packs import PackError, open_game, packs_folder
from small_packs import CODE, FILES, changed, packed, tree


def test_a_pack_is_unpacked_under_its_hash(pack: Path, user: Path) -> None:
    """The folder is in the user's cache, named by the pack's hash and its name, and nothing is written elsewhere."""
    before = tree(pack.parent)
    folder = open_game(pack).folder
    assert folder.name == "dots"
    assert folder.is_relative_to(user / "packs")
    assert tree(folder) == FILES
    after = {name: content for name, content in tree(pack.parent).items() if not name.startswith("user")}
    assert after == before


def test_an_unpacked_pack_is_used_again(pack: Path) -> None:
    """The second time the files are compared with their hashes, and none is written."""
    folder = open_game(pack).folder
    before = (folder / "game.yaml").stat().st_mtime_ns
    pack.rename(pack.with_name("other.rishgame"))
    assert open_game(pack.with_name("other.rishgame")).folder == folder
    assert (folder / "game.yaml").stat().st_mtime_ns == before


def damage(folder: Path, kind: str) -> None:
    """Change an unpacked folder in one way."""
    match kind:
        case "changed":
            (folder / "game.yaml").write_bytes(b"rish: 2" + FILES["game.yaml"][7:])
        case "shorter":
            (folder / "words.json").write_bytes(b"")
        case "missing":
            (folder / "words.json").unlink()
        case "more":
            (folder / "plugin.py").write_bytes(b"raise SystemExit")
        case "link":
            (folder / "words.json").unlink()
            (folder / "words.json").symlink_to(folder / "game.yaml")
        case "linked folder":
            shutil.rmtree(folder / "pictures")
            (folder / "pictures").symlink_to(folder.parent)
        case _:
            shutil.rmtree(folder)
            folder.write_bytes(b"a file")


@pytest.mark.parametrize("kind", ["changed", "shorter", "missing", "more", "link", "linked folder", "file"])
def test_a_changed_folder_is_unpacked_again(pack: Path, kind: str) -> None:
    """A folder that is not as it was packed is replaced."""
    damage(open_game(pack).folder, kind)
    assert tree(open_game(pack).folder) == FILES
    assert [path.name for path in packs_folder().iterdir() if path.name.endswith(".part")] == []


def test_what_python_made_of_trusted_code_stays(tmp_path: Path) -> None:
    """Compiled code in `__pycache__` does not count as a change."""
    pack = tmp_path / "dots.rishgame"
    pack.write_bytes(packed(CODE))
    cache = open_game(pack).folder / "__pycache__"
    cache.mkdir()
    (cache / "plugin.pyc").write_bytes(b"made here")
    assert (open_game(pack).folder / "__pycache__" / "plugin.pyc").exists()


class Failing:
    """A write that fails after some bytes."""

    def __init__(self, error: BaseException) -> None:
        self.error, self.count = error, 0

    def __call__(self, archive: Any, folder: Path) -> None:
        """Write half a file, then raise the error."""
        folder.mkdir(parents=True)
        (folder / "half").write_bytes(b"h")
        raise self.error


def test_a_full_disk_is_reported_and_leaves_nothing(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the error names the pack, the place, the size and the next step, and no file is left."""
    monkeypatch.setattr("rish_packs.cache.write_files", Failing(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    with pytest.raises(PackError, match=r"dots\.rishgame.*No space left.*RISH_USER_FOLDER"):
        open_game(pack)
    assert list(packs_folder().iterdir()) == []


def test_an_interrupt_leaves_nothing(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while files are written leaves no folder, and the next time the pack is unpacked."""
    with monkeypatch.context() as patch:
        patch.setattr("rish_packs.cache.write_files", Failing(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            open_game(pack)
    assert list(packs_folder().iterdir()) == []
    assert tree(open_game(pack).folder) == FILES


def test_a_damaged_pack_leaves_nothing(tmp_path: Path) -> None:
    """If a file is not the one that was packed, no folder is left."""

    def change(entries: list[Any]) -> None:
        entries[-1] = entries[-1][0], b'{"hello": "w0rld"}'

    pack = tmp_path / "odd.rishgame"
    pack.write_bytes(changed(packed(), change))
    with pytest.raises(PackError, match="not the one that was packed"):
        open_game(pack)
    assert list(packs_folder().iterdir()) == []


def test_a_cache_that_can_not_be_written_is_reported(pack: Path, user: Path) -> None:
    """A folder that can't be created is named, with the next step; a pack that is there already opens nevertheless."""
    user.write_bytes(b"no folder")
    with pytest.raises(PackError, match=r"can't be unpacked to .*Make room there, or set RISH_USER_FOLDER"):
        open_game(pack)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_an_unpacked_pack_opens_from_a_read_only_cache(pack: Path) -> None:
    """A pack that was unpacked before is opened without a write."""
    folder = open_game(pack).folder
    packs_folder().chmod(0o500)
    try:
        assert open_game(pack).folder == folder
    finally:
        packs_folder().chmod(0o700)


def test_an_opened_pack_is_only_read(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack that was unpacked before is opened without a write."""
    folder = open_game(pack).folder
    monkeypatch.setattr("rish_packs.cache.write_files", Failing(PermissionError(errno.EROFS, "read only")))
    assert open_game(pack).folder == folder


def test_two_processes_unpack_one_pack(tmp_path: Path) -> None:
    """Two processes that open a pack at the same time both get the whole folder."""
    files = {**FILES, **{f"files/{number}.txt": b"%d" % number for number in range(150)}}
    pack = tmp_path / "dots.rishgame"
    pack.write_bytes(packed(files))
    text = (
        "from pathlib import Path; from rish_packs.cache import unpacked; from rish_packs import open_archive\n"
        f"with open_archive(Path({str(pack)!r})) as archive: print(unpacked(archive))"
    )
    processes = [subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    folders = [process.communicate()[0].strip() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert folders[0] == folders[1]
    assert tree(Path(folders[0])) == files
    assert len(list(packs_folder().iterdir())) == 1


def test_another_process_may_be_faster(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If another process has put the folder in place meanwhile, that one stays."""
    from rish_packs import cache

    write = cache.write_files

    def late(archive: Any, folder: Path) -> None:
        monkeypatch.setattr(cache, "write_files", write)
        faster.append(open_game(pack).folder)
        times.append((faster[0] / "game.yaml").stat().st_ino)
        write(archive, folder)

    faster: list[Path] = []
    times: list[int] = []
    monkeypatch.setattr(cache, "write_files", late)
    assert open_game(pack).folder == faster[0]
    assert (faster[0] / "game.yaml").stat().st_ino == times[0]


def test_folders_of_killed_processes_are_removed(pack: Path) -> None:
    """An unfinished folder of a process that was killed a day ago is removed; a new one stays."""
    packs_folder().mkdir(parents=True)
    old, new = packs_folder() / ".x-1-2.part", packs_folder() / ".y-1-2.part"
    old.mkdir()
    new.mkdir()
    os.utime(old, (time.time() - 2 * 86400,) * 2)
    open_game(pack)
    assert (old.exists(), new.exists()) == (False, True)


@pytest.mark.parametrize(
    ("system", "folder"),
    [("linux", ".cache/rish/packs"), ("macos", "Library/Caches/rish/packs"),
     ("windows", "AppData/Local/rish/packs")],
)  # fmt: skip
def test_each_system_has_its_folder(monkeypatch: pytest.MonkeyPatch, system: str, folder: str) -> None:
    """Packs are unpacked where programs of the system keep such files; XDG_CACHE_HOME names another place."""
    for name in ("RISH_USER_FOLDER", "XDG_CACHE_HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    pretend(monkeypatch, system)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    assert packs_folder() == Path("/home/ann") / folder
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert (packs_folder() == Path("/cache/rish/packs")) is (system == "linux")
