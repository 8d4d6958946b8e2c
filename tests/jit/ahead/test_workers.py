"""Worker processes compile lists of kernels: all of them, each once, whatever happens to the processes."""

from __future__ import annotations

import json
import logging
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import rish_jit
from rish_jit import Listed
from rish_jit.ahead import workers
from rish_jit.ahead.workers import Workers

from ..conftest import ADD, Workshop, finish, needs_numba, run

pytestmark = needs_numba
CHAIN = ADD.format(1) + "".join(
    f"@njit\ndef step_{i}(x):\n    return {f'step_{i - 1}' if i else 'add'}(x) * 2\n" for i in range(2)
)
"""A kernel, and two that each call the one before."""
SOME = [Listed("parts.add", "(i8,)"), Listed("parts.add", "(f8,)")]


def record(workshop: Workshop) -> list[Listed]:
    """Compile the last kernel of the chain for two types; return what was compiled, and empty the cache."""
    module = workshop.start(CHAIN)
    assert (module.step_1(1), module.step_1(0.5)) == (8, 6)
    found = [Listed(entry.key.kernel, entry.key.types) for entry in workshop.used]
    assert len(found) == 6
    for path in workshop.entries():
        path.unlink()
    workshop.start(CHAIN)
    return found


def is_running(number: int) -> bool:
    """Return whether there is a process with this number."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


CHECK = """
import json
import rish_jit
import parts
print(json.dumps([parts.step_1(1), parts.step_1(0.5), rish_jit.compilations]))
"""


@pytest.mark.slow
def test_a_list_is_compiled_completely(workshop: Workshop) -> None:
    """All kernels of a list are compiled, each once and not by this process, and a new process only loads them."""
    found = record(workshop)
    assert rish_jit.missing(found) == found
    seconds = rish_jit.compile_ahead(found, count=2)
    assert seconds > 0
    assert rish_jit.missing(found) == []
    assert len(workshop.entries()) == len(found)
    assert workshop.compiled == []
    before = {path: path.stat().st_mtime_ns for path in workshop.entries()}
    results = run(CHECK, workshop.folder, RISH_CACHE_DIR=os.environ["RISH_CACHE_DIR"])
    assert json.loads(results) == [8, 6.0, 0]
    assert {path: path.stat().st_mtime_ns for path in workshop.entries()} == before


NOISY = """
import os, sys
print("a word")
sys.stdout.write('{"error": "no"}')
os.write(1, b"bytes without an end of line")
"""


@pytest.mark.slow
def test_what_fails_or_prints_does_not_stop_the_rest(workshop: Workshop, caplog: pytest.LogCaptureFixture) -> None:
    """A kernel that can't be compiled is logged, and the rest is compiled, though its module prints at its import."""
    workshop.start(NOISY + CHAIN + "@njit\ndef broken(x):\n    return x.no_such_thing\n")
    wrong = [Listed("parts.broken", "(i8,)"), Listed("parts.add", "(nothing,)")]
    with caplog.at_level(logging.INFO, "rish.jit"), Workers([wrong[0], *SOME, wrong[1]], count=1) as crew:
        assert finish(crew)
        assert (crew.done, crew.total) == (4, 4)
    assert "parts.broken failed in a worker process" in caplog.text
    assert "no_such_thing" in caplog.text
    assert "'(nothing,)' is no signature" in caplog.text
    assert rish_jit.missing(SOME) == []
    assert len(workshop.entries()) == len(SOME)


DEADLY = """
import os, pathlib
died = pathlib.Path({path!r})
if os.getpid() != {parent} and (not died.exists() or {always}):
    died.open("a").write("x")
    os._exit(1)
"""


@pytest.mark.slow
@pytest.mark.parametrize("always", [False, True])
def test_a_worker_that_dies_does_not_stop_the_rest(always: bool, workshop: Workshop, tmp_path: Path) -> None:
    """A kernel whose worker dies is given to another one, once; all others are compiled."""
    died = tmp_path / "died"
    workshop.start(CHAIN)
    workshop.start(DEADLY.format(path=str(died), parent=os.getpid(), always=always) + ADD.format(5), "deadly")
    deadly = Listed("deadly.add", "(i8,)")
    with Workers([deadly, *SOME], count=2) as crew:
        assert finish(crew)
        assert crew.done == 3
    assert len(died.read_text()) == (2 if always else 1)
    assert rish_jit.missing([deadly, *SOME]) == ([deadly] if always else [])


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed in another way")
def test_a_worker_that_is_killed_is_replaced(workshop: Workshop) -> None:
    """If a worker is killed while it compiles, everything is compiled in the end."""
    found = record(workshop)
    with Workers(found, count=2) as crew:
        while not crew.done:
            assert not crew.wait(0.05)
        victim = random.Random(2).choice(sorted(crew._processes, key=lambda process: process.pid))
        victim.send_signal(signal.SIGKILL)
        assert finish(crew)
        assert crew.done == len(found)
    assert rish_jit.missing(found) == []
    assert len(workshop.entries()) == len(found)


@pytest.mark.skipif(sys.platform == "win32", reason="looks for processes in another way")
def test_closing_ends_all_processes(workshop: Workshop) -> None:
    """Closing while processes work does not wait for them, and leaves none of them and none of the threads."""
    before = set(threading.enumerate())
    workshop.start(CHAIN + f"import time, os\nif os.getpid() != {os.getpid()}:\n    time.sleep(200)\n")
    with Workers(SOME, count=2) as crew:
        while len(crew._processes) < 2:
            crew.wait(0.01)
        processes = tuple(crew._processes)
        begin = time.monotonic()
    assert time.monotonic() - begin < 100
    assert processes
    assert not [process for process in processes if process.poll() is None or is_running(process.pid)]
    assert set(threading.enumerate()) <= before
    assert crew.done == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="looks for processes in another way")
def test_closing_at_once_ends_all_processes(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing while a process starts does not wait for what this process would compile."""
    started = threading.Event()
    begin = subprocess.Popen

    def slow_start(*arguments: object, **options: object) -> subprocess.Popen[str]:
        process = begin(*arguments, **options)  # pyright: ignore[reportCallIssue, reportArgumentType]
        started.set()
        time.sleep(0.3)
        return process  # pyright: ignore[reportReturnType]

    monkeypatch.setattr(workers.subprocess, "Popen", slow_start)
    workshop.start(CHAIN + f"import time, os\nif os.getpid() != {os.getpid()}:\n    time.sleep(200)\n")
    crew = Workers(SOME, count=1)
    assert started.wait(60)
    closing = time.monotonic()
    crew.close()
    assert time.monotonic() - closing < 100


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "nice"), reason="the system has no such priorities")
def test_what_is_waited_for_is_not_compiled_at_the_lowest_priority(workshop: Workshop, tmp_path: Path) -> None:
    """`IN_BACKGROUND` puts a worker after the game and not last; only what may be needed later is compiled last."""
    said = tmp_path / "priority"
    workshop.start(f"import os, pathlib\npathlib.Path({str(said)!r}).write_text(str(os.nice(0)))\n" + ADD.format(1))
    own = int(said.read_text())
    rish_jit.compile_ahead(SOME[:1], loads=rish_jit.IN_BACKGROUND)
    assert int(said.read_text()) == min(own + 5, 19)
    assert rish_jit.Features({})._workers([], background=True)._loads == workers.LOWEST_PRIORITY == [("os", "nice", 19)]


@pytest.mark.slow
def test_loads_and_the_path_of_this_process_make_modules_importable(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker imports from where this process does, after the calls that make more modules importable."""
    hidden, later = tmp_path / "hidden", tmp_path / "later"
    for folder in (hidden, later):
        folder.mkdir()
    (later / "opener.py").write_text("import sys\ndef open_folder(folder):\n    sys.path.append(folder)\n")
    monkeypatch.syspath_prepend(later)
    workshop.start(ADD.format(1), "concealed")
    (workshop.folder / "concealed.py").rename(hidden / "concealed.py")
    listed = Listed("concealed.add", "(i8,)")
    crew_loads = [("opener", "open_folder", str(hidden))]
    rish_jit.compile_ahead([listed], loads=crew_loads)
    assert len(list((tmp_path / "cache" / "hidden").iterdir())) == 1
