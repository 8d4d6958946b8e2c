"""Captures: the last frame is exact, a film has the right length, and files are complete or not written at all."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rish_frame.errors import BackendError
from rish_frame.pictures import capture as module
from rish_frame.pictures.capture import GIF_WIDTH, Capture, save_gif, save_png

DT = 1 / 60


class Screen:
    """A source of frames: returns `picture()` when a capture requests a frame."""

    picture: Any = None

    def __call__(self) -> Any:
        """Return the current image."""
        return self.picture()


def picture(shade: int = 0, size: tuple[int, int] = (48, 64)) -> np.ndarray:
    """Return an image with a bright square at a place given by `shade`, uint8 (h, w, 4)."""
    made = np.full((*size, 4), (20, 30, 60, 255), np.uint8)
    x = 2 + shade % (size[1] - 12)
    made[10:18, x : x + 8, :3] = (250, 220, 40)
    return made


def film(path: Path) -> tuple[list[np.ndarray], list[int]]:
    """Return the images of a GIF and their durations in milliseconds."""
    with Image.open(path) as image:
        pictures: list[np.ndarray] = []
        times: list[int] = []
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            pictures.append(np.asarray(image.convert("RGB")))
            times.append(int(image.info["duration"]))
        return pictures, times


def test_a_png_holds_the_picture_with_its_alpha(tmp_path: Path) -> None:
    """A PNG has the exact image with its alpha, the top row first."""
    pixels = picture()
    pixels[0, :, 3] = np.arange(64)
    save_png(tmp_path / "a.png", pixels[:, ::1])
    with Image.open(tmp_path / "a.png") as found:
        assert (np.asarray(found) == pixels).all()


def test_only_the_last_picture_is_asked_for(tmp_path: Path) -> None:
    """A PNG of a long run requests only one frame."""
    asked: list[int] = []
    screen = Screen()
    kept = Capture([tmp_path / "a.png"], DT, screen)
    for frame in range(50):
        screen.picture = lambda frame=frame: asked.append(frame) or picture(frame)
        kept.take()
    assert kept.finish() == [tmp_path / "a.png"]
    assert asked == [49]


def test_a_film_runs_as_long_as_the_game(tmp_path: Path) -> None:
    """Two seconds of frames are two seconds of film, at 20 images a second."""
    screen = Screen()
    kept = Capture([tmp_path / "a.gif"], DT, screen)
    for frame in range(120):
        screen.picture = lambda frame=frame: picture(frame)
        kept.take()
    kept.finish()
    pictures, times = film(tmp_path / "a.gif")
    assert len(pictures) == 40
    assert sum(times) == 2000
    assert [int(p[14].sum(axis=1).argmax()) for p in pictures[:4]] == [2, 5, 8, 11]


def test_colors_of_a_film_are_near_those_of_the_game(tmp_path: Path) -> None:
    """The colors of a film are close to the game's, with one palette for all images."""
    save_gif(tmp_path / "a.gif", [picture(k)[..., :3] for k in (0, 20, 40)], 0.1)
    for found, shade in zip(film(tmp_path / "a.gif")[0], (0, 20, 40), strict=True):
        assert np.abs(found.astype(int) - picture(shade)[..., :3]).max() <= 8


def test_a_long_film_is_thinned_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long film has fewer images, the same duration, and a limited memory."""
    monkeypatch.setattr(module, "GIF_MAX", 16)
    screen = Screen()
    kept = Capture([tmp_path / "a.gif"], DT, screen)
    for frame in range(480):
        screen.picture = lambda frame=frame: picture(frame // 6)
        kept.take()
        assert len(kept._pictures) < 16  # pyright: ignore[reportPrivateUsage]
    kept.finish()
    assert sum(film(tmp_path / "a.gif")[1]) == pytest.approx(8000, rel=0.11)


def test_wide_pictures_are_made_smaller_in_films(tmp_path: Path) -> None:
    """Wide images are reduced in films and keep their proportions; a PNG keeps its size."""
    screen = Screen()
    kept = Capture([tmp_path / "a.gif", tmp_path / "a.png"], DT, screen)
    screen.picture = lambda: picture(0, (540, 960))
    kept.take()
    kept.finish()
    with Image.open(tmp_path / "a.gif") as found:
        assert found.size == (GIF_WIDTH, 270)
    with Image.open(tmp_path / "a.png") as found:
        assert found.size == (960, 540)


def test_a_window_that_changes_its_size_spoils_no_film(tmp_path: Path) -> None:
    """After a change of size, later images are scaled to the first one."""
    screen = Screen()
    kept = Capture([tmp_path / "a.gif"], DT, screen)
    for frame in range(12):
        screen.picture = lambda frame=frame: picture(frame, (48, 64) if frame < 6 else (96, 128))
        kept.take()
    kept.finish()
    assert {found.shape for found in film(tmp_path / "a.gif")[0]} == {(48, 64, 3)}


def test_nothing_is_written_of_nothing(tmp_path: Path) -> None:
    """Without a frame no file is written."""
    assert Capture([tmp_path / "a.png", tmp_path / "a.gif"], DT, Screen()).finish() == []
    assert list(tmp_path.iterdir()) == []


def test_folders_are_made_and_nothing_is_left_beside(tmp_path: Path) -> None:
    """Folders are created; if writing fails, the old file stays and no temporary file is left."""
    target = tmp_path / "deep" / "down" / "a.png"
    save_png(target, picture())
    old = target.read_bytes()

    def fail(file: Any) -> None:
        file.write(b"half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        module._write(target, fail)  # pyright: ignore[reportPrivateUsage]
    assert target.read_bytes() == old
    assert [path.name for path in target.parent.iterdir()] == ["a.png"]


def test_without_pillow_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Pillow the error names the package to install and the reason."""
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(BackendError, match="pip install pillow"):
        save_png(tmp_path / "a.png", picture())
