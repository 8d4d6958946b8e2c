"""Everything that writes a file with a name from the user refuses what is no regular file, and says why."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from interrupted import interrupted_everywhere
from rish_audio import WavWriter
from rish_audio.clips import wav
from rish_core import App, RishError, TickHooks, UsageError, parse_manifest
from rish_devtools import profile
from rish_devtools.profile import write_chrome_trace
from rish_frame.pictures import capture, save_png
from rish_frame.pictures.capture import check_formats, save_gif
from rish_history import Recorder, Saves, origin_of
from rish_history.recordings import blocks, recorder
from rish_history.saves import saves
from rish_system import files
from rish_ui.preferences import files as preferences
from rish_ui.preferences.files import Content, write_file

PIXELS = np.zeros((4, 4, 4), np.uint8)
Write = Callable[[App, Path], object]


def record(app: App, path: Path) -> None:
    """Write a recording."""
    Recorder(app, path, origin_of(app)).finish()


def sound(app: App, path: Path) -> None:
    """Write a sound."""
    with WavWriter(path, 44_100) as writer:
        writer.write(np.zeros((10, 2), np.float32))


WRITERS: dict[str, Write] = {
    "a save game": lambda app, path: app.world[Saves].save(path),
    "a recording": record,
    "a sound": sound,
    "a picture": lambda app, path: save_png(path, PIXELS),
    "a film": lambda app, path: save_gif(path, [PIXELS], 0.1),
    "preferences": lambda app, path: write_file(path, Content()),
    "a trace": lambda app, path: write_chrome_trace(SimpleNamespace(frames=[], slots=[]), path),  # type: ignore[arg-type]
}


@pytest.fixture(scope="module")
def app() -> Any:
    """Return a game that can be saved."""
    with App(parse_manifest("rish: 1\nplugins: [history]\n"), headless=True) as app:
        app.run(1)
        yield app


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices of POSIX")
@pytest.mark.parametrize("what", WRITERS)
def test_every_writer_refuses_what_is_no_regular_file(app: App, tmp_path: Path, what: str) -> None:
    """A pipe, a device, a folder and impossible names stay as they are; the error is readable and names the file."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("pipe")
    bad = {
        "pipe": "it is a pipe", "folder": "it is a folder", "link": "it is a pipe", "/dev/full": "it is a device",
        "a\0b": "no file can have this name", "a\ud800b": "no file can have this name", "x" * 300: "too long",
    }  # fmt: skip
    for name, said in bad.items():
        with pytest.raises((OSError, RishError), match=said) as error:
            WRITERS[what](app, tmp_path / name)
        assert isinstance(error.value, RishError) or error.value.filename == str(tmp_path / name)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["folder", "link", "pipe"]
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="symbolic links of POSIX")
@pytest.mark.parametrize("what", WRITERS)
def test_every_writer_writes_through_a_symbolic_link(app: App, tmp_path: Path, what: str) -> None:
    """The file that a link leads to is written, and the link stays."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("inner/file")
    WRITERS[what](app, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "inner" / "file").read_bytes() != b"old"
    assert [each.name for each in (tmp_path / "inner").iterdir()] == ["file"]


def test_captures_are_refused_before_the_game_runs(tmp_path: Path) -> None:
    """A capture that can't be written is a mistake of the command, and not one after minutes of playing."""
    (tmp_path / "film.gif").mkdir()
    with pytest.raises(UsageError, match=r"--capture .*film.gif: it is a folder"):
        check_formats([tmp_path / "film.gif"])


@pytest.mark.parametrize("what", WRITERS)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # of files that are not closed then
def test_an_interrupt_of_any_writer_leaves_the_old_or_the_new_file(app: App, tmp_path: Path, what: str) -> None:
    """Whenever Ctrl-C comes, the file is complete: the old one, or the one that an uninterrupted write makes."""
    path = tmp_path / "file"
    WRITERS[what](app, path)
    whole = path.read_bytes()
    modules = (files, blocks, recorder, saves, capture, wav, preferences, profile)
    path.write_bytes(b"old")
    for _ in interrupted_everywhere(lambda: WRITERS[what](app, path), *modules):
        assert path.read_bytes() in (b"old", whole)
        path.write_bytes(b"old")
    assert path.read_bytes() == whole
    app.world[TickHooks].before.clear()  # of recorders that were interrupted
    app.world[TickHooks].after.clear()
