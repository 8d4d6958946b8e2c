"""Files are written completely or not at all, and only regular files are replaced."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from interrupted import interrupted_everywhere
from other_system import pretend
from rish_system import files, part_of, put_in_place, sweep, target_of, write_whole

posix = pytest.mark.skipif(os.name != "posix", reason="pipes, devices and permissions of POSIX")


def left_beside(path: Path) -> list[str]:
    """Return the names of temporary files in the folder of a file."""
    return [each.name for each in path.parent.iterdir() if each.name.endswith((".rish-tmp", ".part"))]


@posix
@pytest.mark.parametrize("what", ["a folder", "a pipe", "a socket", "a device"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, what: str) -> None:
    """A folder, pipe, socket or device is not replaced; the error names it, also behind a symbolic link."""
    path = tmp_path / "it"
    with contextlib.ExitStack() as stack:
        if what == "a folder":
            path.mkdir()
        elif what == "a pipe":
            os.mkfifo(path)
        elif what == "a socket":
            stack.enter_context(socket.socket(socket.AF_UNIX)).bind(os.path.relpath(path))
        else:
            path = Path("/dev/full")
        before = path.stat().st_mode
        (tmp_path / "link").symlink_to(path)
        for name in (path, tmp_path / "link"):
            for write in (lambda name: write_whole(name, b"new"), target_of, part_of):
                with pytest.raises(OSError, match=f"it is {what}, not a regular file") as error:
                    write(name)
                assert error.value.filename == str(name)
    assert path.stat().st_mode == before
    assert left_beside(tmp_path / "it") == []


@posix
def test_a_symbolic_link_stays_and_its_file_is_written(tmp_path: Path) -> None:
    """A write follows a chain of links, to a file that exists or not; the links stay."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "link").symlink_to("second")
    (tmp_path / "second").symlink_to("inner/file")
    for data in (b"first", b"then"):
        write_whole(tmp_path / "link", data)
        assert (tmp_path / "inner" / "file").read_bytes() == data
    target, part = part_of(tmp_path / "link")
    part.write_bytes(b"last")
    put_in_place(part, target)
    assert (tmp_path / "inner" / "file").read_bytes() == b"last"
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "second").is_symlink()
    assert left_beside(target) == []


@posix
def test_temporary_names_that_are_links_or_pipes_are_refused(tmp_path: Path) -> None:
    """What has the name of the temporary file is not followed, and no pipe is waited for."""
    part_of(tmp_path / "film")[1].symlink_to(tmp_path / "other")
    os.mkfifo(part_of(tmp_path / "sound")[1])
    with pytest.raises(OSError, match="it is a symbolic link"):
        part_of(tmp_path / "film")
    with pytest.raises(OSError, match="it is a pipe"):
        part_of(tmp_path / "sound")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a\0b", "no file can have this name"),
        ("a\ud800b", "no file can have this name"),
        ("a\0b/c", "no file can have this name"),
        ("x" * 300, "too long"),
        ("absent/file", "No such file"),
        ("file/inner", "Not a directory"),
        ("loop", "[Tt]oo many levels"),
    ],
)
@posix
def test_names_that_no_file_can_have_are_an_error_with_a_reason(tmp_path: Path, name: str, said: str) -> None:
    """Whatever is wrong with a name, the error is an OSError with a reason and the name."""
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match=said) as error:
        write_whole(tmp_path / name, b"new")
    assert error.value.strerror
    assert error.value.filename == str(tmp_path / name)
    assert (tmp_path / "file").read_bytes() == b"old"
    assert left_beside(tmp_path / "file") == []


def test_the_longest_names_can_be_written(tmp_path: Path) -> None:
    """A name of 255 bytes is written, though its temporary name can't be longer."""
    for name in ("x" * 255, "ü" * 127):
        write_whole(tmp_path / name, b"data")
        target, part = part_of(tmp_path / name)
        part.write_bytes(b"more")
        put_in_place(part, target)
        assert (tmp_path / name).read_bytes() == b"more"


@posix
def test_permissions_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new file has the permissions of the old one, and one that may not be written is refused."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_whole(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    monkeypatch.setattr(files.os, "access", lambda path, mode: False)  # `root` may write everything
    with pytest.raises(PermissionError):
        write_whole(path, b"newer")
    assert path.read_bytes() == b"new"


@posix
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """If the file can't be written completely, the old one stays and nothing is left beside it."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    code = (
        "import resource, sys; from pathlib import Path; from rish_system import write_whole\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "try: write_whole(Path(sys.argv[1]), b'x' * 5000)\n"
        "except OSError as error: print(error.filename)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(path)
    assert path.read_bytes() == b"old"
    assert left_beside(path) == []


def _in_parts(path: Path, data: bytes) -> None:
    target, part = part_of(path)
    part.write_bytes(data)
    put_in_place(part, target)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of files that are not closed then
@pytest.mark.parametrize("write", [write_whole, _in_parts])
def test_an_interrupt_at_any_instruction_leaves_the_old_or_the_new_file(
    tmp_path: Path, write: Callable[[Path, bytes], None]
) -> None:
    """Whenever Ctrl-C comes, the file is complete: the old or the new one."""
    path = tmp_path / "file"
    path.write_bytes(b"old" * 100)
    for _ in interrupted_everywhere(lambda: write(path, b"new" * 100), files):
        assert path.read_bytes() in (b"old" * 100, b"new" * 100)
        if write is write_whole:
            assert left_beside(path) == []
        path.write_bytes(b"old" * 100)


class Busy:
    """`os.replace` of Windows: another program has the file open for some calls. waits: the seconds between them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, calls: int) -> None:
        self.calls, self.waits, real = calls, list[float](), os.replace

        def replace(source: Path, target: Path) -> None:
            self.calls -= 1
            if self.calls >= 0:
                raise PermissionError(13, "Access is denied")
            real(source, target)

        monkeypatch.setattr(os, "replace", replace)
        monkeypatch.setattr("rish_system.files.time.sleep", self.waits.append)


@posix
@pytest.mark.parametrize(
    ("system", "calls", "written"), [("windows", 3, True), ("windows", 99, False), ("linux", 1, False)]
)
def test_windows_waits_for_a_file_that_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, calls: int, written: bool
) -> None:
    """The call is repeated for half a second there; then, and elsewhere at once, the old file stays with an error."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    pretend(monkeypatch, system)
    busy = Busy(monkeypatch, calls)
    if written:
        write_whole(path, b"new")
    else:
        with pytest.raises(OSError, match="denied"):
            write_whole(path, b"new")
    assert path.read_bytes() == (b"new" if written else b"old")
    assert len(busy.waits) == {"linux": 0, "windows": 3 if written else 6}[system]
    assert sum(busy.waits) <= 0.5
    assert left_beside(path) == []


def test_windows_opens_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder can't be opened there, so it is not flushed; the file is written all the same."""
    pretend(monkeypatch, "windows")
    monkeypatch.setattr(os, "open", lambda *_: pytest.fail("a folder is opened"))
    write_whole(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"


def test_files_of_running_writers_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A temporary file is removed if its writer has ended, or had the number of this process."""
    monkeypatch.setattr(files, "is_running", lambda number: number == 7)
    names = [".a.7.rish-tmp", ".b.8.rish-tmp", f".c.{os.getpid()}.rish-tmp", ".d.x.rish-tmp"]
    for name in names:
        (tmp_path / name).touch()
    assert [path.name for path in sweep(tmp_path)] == sorted([names[1], names[2]])
