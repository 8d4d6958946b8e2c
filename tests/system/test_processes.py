"""Other processes: running ones, ended ones, those of Windows, and groups."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from other_system import pretend
from rish_system import end_group, group_options, is_running, processes, run_text

posix = pytest.mark.skipif(os.name != "posix", reason="takes functions of POSIX away")
WAITS = "import sys; print('here', flush=True); sys.stdin.read()"


@pytest.fixture
def child() -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that waits."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-S", "-c", WAITS], stdin=pipe, stdout=pipe, **group_options()) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process
        process.kill()


def test_a_process_runs_until_it_has_ended(child: subprocess.Popen[bytes]) -> None:
    """This process and a child run; a child that was ended does not, and neither do impossible numbers."""
    assert is_running(os.getpid())
    assert is_running(child.pid)
    end_group(child)
    assert not any(map(is_running, (child.pid, 0, -1, 10**30)))


def test_texts_from_a_process_are_utf_8_whatever_the_system_prefers() -> None:
    """A Python whose system wants ASCII reads and writes any text; bytes that are no UTF-8 are replaced."""
    ascii_only = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    program = r"import sys; print(sys.stdin.read(), end='', flush=True); sys.stdout.buffer.write(b'\xff')"
    command = [sys.executable, "-S", "-c", program]
    done = run_text(command, input="é 遊戲", variables=ascii_only)
    assert (done.returncode, done.stdout) == (0, "é 遊戲\ufffd"), done.stderr


class Kernel:
    """The functions of Windows for processes: 7 runs, 8 has ended, 9 runs as another user."""

    def __init__(self) -> None:
        self.open, self.error = set[int](), 0

    def OpenProcess(self, access: int, inherit: bool, number: int) -> int | None:  # noqa: N802
        """Return a handle."""
        assert (access, inherit) == (0x101000, False)
        self.error = {7: 0, 8: 0, 9: 5}.get(number, 87)
        self.open |= {number} if self.error == 0 else set()
        return number if self.error == 0 else None

    def WaitForSingleObject(self, handle: int, milliseconds: int) -> int:  # noqa: N802
        """Return whether an object was signaled in time."""
        assert handle in self.open
        assert milliseconds == 0
        return 0x102 if handle == 7 else 0

    def CloseHandle(self, handle: int) -> None:  # noqa: N802
        """Close a handle."""
        self.open.remove(handle)


def test_windows_is_asked_without_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows, where signal 0 is Ctrl-C, nothing is sent; every handle is closed."""
    pretend(monkeypatch, "windows")
    kernel = Kernel()
    monkeypatch.setattr(processes, "_kernel32", lambda: (kernel, lambda: kernel.error))
    monkeypatch.delattr(os, "kill")
    assert [is_running(number) for number in (7, 8, 9, 10, 0, 2**40)] == [True, False, True, False, False, False]
    assert not kernel.open


@posix
def test_windows_ends_the_children_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without process groups and without SIGKILL the tree of processes is ended."""
    pretend(monkeypatch, "windows")
    monkeypatch.delattr(os, "killpg")
    monkeypatch.delattr(signal, "SIGKILL")
    commands: list[list[str]] = []
    ended: list[str] = []
    monkeypatch.setattr(processes.subprocess, "run", lambda command, **_: commands.append(command))
    process: Any = SimpleNamespace(pid=12, kill=lambda: ended.append("kill"), wait=lambda: ended.append("wait"))
    end_group(process)
    assert commands == [["taskkill", "/T", "/F", "/PID", "12"]]
    assert ended == ["kill", "wait"]
    assert group_options() == {"creationflags": 0x200}
