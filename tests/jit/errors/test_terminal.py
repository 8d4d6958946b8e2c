"""What commands print: through closed, full and left streams, in any encoding, on every way to the same end."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_ecs import say
from rish_jit.errors.terminal import prepare_streams, say_traceback
from rish_system import is_terminal

MANIFEST = "rish: 1\ngame: {title: T}\nscenes:\n  main:\n    - {Transform: {}}\n"


class Closed(io.StringIO):
    """A stream that fails with an error."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def write(self, text: str) -> int:
        """Fail."""
        raise self.error


def closed() -> io.StringIO:
    """Return a closed stream."""
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("error", [False, True])
@pytest.mark.parametrize(
    "stream", [None, closed(), Closed(BrokenPipeError(32, "gone"))], ids=["none", "closed", "broken pipe"]
)
def test_nothing_is_said_where_nobody_listens(monkeypatch: pytest.MonkeyPatch, stream: Any, error: bool) -> None:
    """Printing to an absent, closed or left stream does nothing."""
    monkeypatch.setattr(sys, "stderr" if error else "stdout", stream)
    say("a", error=error)
    assert not is_terminal(stream)


def test_a_full_disk_is_an_error_of_output_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """What can't be written to standard output is an error, unlike what can't be written to standard error."""
    full = Closed(OSError(28, "No space left on device"))
    monkeypatch.setattr(sys, "stderr", full)
    say("a", error=True)
    monkeypatch.setattr(sys, "stdout", full)
    with pytest.raises(OSError, match="No space"):
        say("a")


@given(st.text(), st.sampled_from(["ascii", "latin-1", "cp437", "utf-8", "utf-16"]))
def test_every_text_can_be_said_in_every_encoding(text: str, encoding: str) -> None:
    """Characters that a stream can't encode are escaped."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding))
        say(text)
        sys.stdout.flush()


def test_a_long_line_of_an_error_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """A line of standard error has at most about 2,000 characters; standard output, which programs read, is whole."""
    say("x" * 10_000 + "\nb", error=True)
    say("x" * 10_000)
    said = capsys.readouterr()
    assert said.err.endswith("… (10,000 characters)\nb\n")
    assert len(said.out) == 10_001


def test_a_traceback_that_can_not_be_formatted_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    """An exception whose attributes break Python's own traceback is printed as a sentence."""
    broken: Any = ("f", "a", "b", "t")
    say_traceback(SyntaxError("x", broken))
    assert "SyntaxError: x" in capsys.readouterr().err


def test_a_failing_thread_prints_no_codes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Exceptions of threads and of __del__ pass through the same place as all messages."""
    for module, name in ((sys, "unraisablehook"), (threading, "excepthook"), (sys, "stdout"), (sys, "stderr")):
        monkeypatch.setattr(module, name, getattr(module, name))
    prepare_streams()

    def fail() -> None:
        raise ValueError("\x1b[2J")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    said = capsys.readouterr().err
    assert r"ValueError: \x1b[2J" in said
    assert "\x1b" not in said


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix closes the streams")
@pytest.mark.parametrize(
    ("streams", "code"),
    [("2>&-", 0), (">&-", 0), ("<&- >&- 2>&-", 0), ("| head -c 1", 0), ("2>&1 | head -c 1", 0), ("> /dev/full", 2),
     ("2> /dev/full", 0)],
)  # fmt: skip
def test_commands_work_with_any_streams(tmp_path: Path, streams: str, code: int) -> None:
    """A run prints its hash wherever that is possible, and its exit code is right; only a full disk is a failure."""
    (tmp_path / "game.yaml").write_text(MANIFEST)
    command = f"{sys.executable} -m rish_core run . --headless --frames 2 --hash"
    done = subprocess.run(
        ["bash", "-c", f"{command} {streams}; echo ${{PIPESTATUS[0]}} > code"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert int((tmp_path / "code").read_text()) == code, done
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if streams == "2>&-":
        assert done.stdout.startswith("hash ")
