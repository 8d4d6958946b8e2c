"""Other processes: whether one runs, texts from and to one, and ending one with all that it started."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .system import current

_QUERY, _SYNCHRONIZE = 0x1000, 0x100000
_ACCESS_DENIED, _TIMEOUT = 5, 0x102
_NEW_GROUP = 0x200


def is_running(number: int) -> bool:
    """Return whether a process with that number runs, of any user. A number up to 0 is none."""
    if number <= 0:
        return False
    if current() == "windows":
        return _runs_on_windows(number)
    try:
        os.kill(number, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it belongs to another user
        pass
    return True


def _runs_on_windows(number: int) -> bool:
    """Ask Windows; its `os.kill(number, 0)` would send Ctrl-C."""
    if number >= 2**32:
        return False
    kernel, last_error = _kernel32()
    handle = kernel.OpenProcess(_QUERY | _SYNCHRONIZE, False, number)
    if not handle:
        return last_error() == _ACCESS_DENIED
    try:
        return kernel.WaitForSingleObject(handle, 0) == _TIMEOUT  # an ended process is signaled
    finally:
        kernel.CloseHandle(handle)


def _kernel32() -> tuple[Any, Any]:
    """Return the functions of Windows for processes, and that for the last error."""
    import ctypes

    windows: Any = ctypes
    kernel = windows.WinDLL("kernel32", use_last_error=True)
    kernel.OpenProcess.restype = ctypes.c_void_p
    kernel.WaitForSingleObject.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    kernel.CloseHandle.argtypes = [ctypes.c_void_p]
    return kernel, windows.get_last_error


def group_options() -> dict[str, Any]:
    """Return the arguments with which `subprocess.Popen` starts a process that `end_group` can end."""
    return {"creationflags": _NEW_GROUP} if current() == "windows" else {"start_new_session": True}


def text_options(variables: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the arguments with which `subprocess` passes texts from and to a program in UTF-8 on every system.

    variables: the environment of the program, by default that of this process. A program in Python gets
    PYTHONIOENCODING with it. Bytes of other programs that are no UTF-8 are read as the character U+FFFD.
    """
    environment = {**(os.environ if variables is None else variables), "PYTHONIOENCODING": "utf-8"}
    return {"encoding": "utf-8", "errors": "replace", "env": environment}


def run_text(
    command: Sequence[str],
    *,
    input: str | None = None,
    variables: Mapping[str, str] | None = None,
    folder: Path | None = None,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a program, wait for its end, and return its exit code, output and errors.

    input: what it reads. variables: see `text_options`. folder: in which it runs. timeout: seconds. Raises OSError if
    it can't be started, and `subprocess.TimeoutExpired`.
    """
    options = text_options(variables)
    return subprocess.run(
        command, input=input, cwd=folder, timeout=timeout, capture_output=True, check=False, **options
    )


def end_group(process: subprocess.Popen[Any]) -> None:
    """End a process and those that it started at once, and wait for it. It was started with `group_options`."""
    if current() == "windows":
        command = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
        with suppress(OSError):
            subprocess.run(command, check=False, capture_output=True)
        process.kill()
    else:
        import signal

        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
