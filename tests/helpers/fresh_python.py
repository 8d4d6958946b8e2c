"""Runs Python in a new process, as `subprocess.run([sys.executable, ...])` does, without the time that imports take.

A server process imports what nearly every run of Rish imports, and forks itself for each call. So calls know nothing of
each other and nothing of the process that runs the tests. Where a system has no fork, an ordinary process is started.
Tests of imports, of hash seeds and of `RISH_NO_JIT` need an ordinary process.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import importlib.metadata
import json
import os
import runpy
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import types
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

IMPORTED = ("pytest", "PIL.Image", "PIL.PngImagePlugin", "rish_core.app", "rish_cli.run")
"""What the server imports, besides numba, the plugins and the commands."""
SERVE = "import sys; sys.path.insert(0, sys.argv[1]); import fresh_python; fresh_python.serve_streams()"
seconds = 0.0
"""The processor time that the calls and the server used."""


@dataclass
class _Server:
    """The pipes to a server, and its process: a Popen, or the number of a forked one."""

    orders: TextIO
    replies: TextIO
    process: subprocess.Popen[str] | int

    def end(self) -> None:
        """Let the server end, and wait for it."""
        self.orders.close()
        self.replies.close()
        if isinstance(self.process, int):
            os.waitpid(self.process, 0)
        else:
            self.process.wait()


_server: _Server | None = None
_inside = False
"""Whether this process was forked by a server."""


def run_python(*arguments: str, cwd: Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run `python ARGUMENTS`; return the exit code and the output.

    arguments: begin with a file, `-m NAME` or `-c CODE`. env: the environment, instead of that of this process.
    """
    global seconds
    env = os.environ if env is None else env
    command = [sys.executable, *arguments]
    if not hasattr(os, "fork"):
        return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder) / "out", Path(folder) / "err"
        order = {"arguments": arguments, "cwd": str(cwd), "env": dict(env), "out": str(out), "err": str(err)}
        server = start_server()
        print(json.dumps(order), file=server.orders, flush=True)
        reply = json.loads(server.replies.readline())
        seconds += reply["seconds"]
        return subprocess.CompletedProcess(
            command, reply["code"], out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")
        )


def start_server() -> _Server:
    """Start the server, unless it runs.

    In a process that a server forked it is a copy of this process, so such a process calls this before it does anything
    else.
    """
    global _server
    if _server is None:
        _server = _fork_server() if _inside else _spawn_server()
    return _server


def _spawn_server() -> _Server:
    env = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "RISH_NO", "PYTHONPATH"))
    }
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, str(Path(__file__).parent)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=env,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    server = _Server(process.stdin, process.stdout, process)
    atexit.register(server.end)
    return server


def _fork_server() -> _Server:
    (order_out, order_in), (reply_out, reply_in) = os.pipe(), os.pipe()
    number = os.fork()
    if number == 0:
        os.close(order_in)
        os.close(reply_out)
        serve(os.fdopen(order_out, encoding="utf-8"), os.fdopen(reply_in, "w", encoding="utf-8"))
        os._exit(0)
    os.close(order_out)
    os.close(reply_in)
    return _Server(os.fdopen(order_in, "w", encoding="utf-8"), os.fdopen(reply_out, encoding="utf-8"), number)


def serve_streams() -> None:
    """Import what most runs import; then answer the orders of the standard input at the standard output."""
    del sys.path[0]
    orders, replies = (os.fdopen(os.dup(number), mode, encoding="utf-8") for number, mode in ((0, "r"), (1, "w")))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for name in IMPORTED:
        importlib.import_module(name)
    importlib.import_module("rish_jit.compiler.kernel").load_numba()
    for group in ("rish.plugins", "rish.commands"):
        for point in importlib.metadata.entry_points(group=group):
            with suppress(ImportError):
                point.load()
    gc.collect()
    gc.freeze()
    serve(orders, replies)


def serve(orders: TextIO, replies: TextIO) -> None:
    """Run each order in a fork of this process, and reply with its exit code and processor time."""
    before = 0.0
    while line := orders.readline():
        number = os.fork()
        if number == 0:
            os._exit(_obey(json.loads(line)))
        _, status, usage = os.wait4(number, 0)
        now = time.process_time()
        used = usage.ru_utime + usage.ru_stime + now - before
        before = now
        reply = {"code": os.waitstatus_to_exitcode(status), "seconds": used}
        print(json.dumps(reply), file=replies, flush=True)


def _obey(order: dict[str, Any]) -> int:
    """Run an order in this process, and return its exit code."""
    global _inside, _server, seconds
    _inside, _server, seconds = True, None, 0.0
    for number, path in ((1, order["out"]), (2, order["err"])):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    os.chdir(order["cwd"])
    os.environ.clear()
    os.environ.update(order["env"])
    sys.path[:0] = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    code = 1
    try:
        _run(order["arguments"])
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        if _server is not None:
            _server.end()
    return code


def _run(arguments: list[str]) -> None:
    """Do what `python ARGUMENTS` does."""
    kind = arguments[0]
    if kind == "-m":
        sys.path.insert(0, os.getcwd())
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif kind == "-c":
        sys.path.insert(0, "")
        sys.argv = ["-c", *arguments[2:]]
        main = sys.modules["__main__"] = types.ModuleType("__main__")
        exec(compile(arguments[1], "<string>", "exec"), vars(main))
    else:
        sys.path.insert(0, str(Path(kind).parent))
        sys.argv = arguments
        runpy.run_path(kind, run_name="__main__")
