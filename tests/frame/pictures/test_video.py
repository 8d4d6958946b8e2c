"""Videos: every frame in order, the right duration, even sizes, and no incomplete file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_ecs import UsageError
from rish_frame.errors import BackendError
from rish_frame.pictures.capture import Capture, check_formats
from rish_frame.pictures.video import VideoFile, load_encoder
from tools import needs

av: Any = needs("av", "films")
DT = 1 / 60


class Screen:
    """A source of frames: returns `picture()` when a capture requests a frame."""

    picture: Any = None

    def __call__(self) -> Any:
        """Return the current image."""
        return self.picture()


def picture(shade: int, size: tuple[int, int] = (48, 64)) -> np.ndarray:
    """Return a dark image whose brightness identifies it, with a white corner at the top left."""
    made = np.full((*size, 4), (shade, 60, 40, 255), np.uint8)
    made[:16, :16, :3] = 255
    return made


def film(path: Path) -> tuple[list[np.ndarray], Any]:
    """Return the images of a video as uint8 (h, w, 3), and its stream."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        facts = stream.codec_context.name, stream.codec_context.pix_fmt, float(stream.average_rate)
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)], facts


def test_every_frame_is_there_in_its_order(tmp_path: Path) -> None:
    """Every frame is in the video in order: H.264, 4:2:0, sixty images a second, colors close to the game's."""
    screen = Screen()
    with Capture([tmp_path / "a.mp4"], DT, screen) as kept:
        for frame in range(40):
            screen.picture = lambda frame=frame: picture(frame * 5)
            kept.take()
        assert kept.finish() == [tmp_path / "a.mp4"]
    pictures, facts = film(tmp_path / "a.mp4")
    assert facts == ("h264", "yuv420p", 60.0)
    assert len(pictures) == 40
    for frame, found in enumerate(pictures):
        assert np.abs(found[40, 40].astype(int) - (frame * 5, 60, 40)).max() <= 8
        assert found[4, 4].min() >= 245


def test_odd_sizes_lose_a_row_or_a_column(tmp_path: Path) -> None:
    """Odd sizes lose a row or a column, since the format needs even sizes; one pixel becomes four."""
    for size, expected in (((47, 63), (46, 62)), ((1, 1), (2, 2)), ((48, 33), (48, 32))):
        video = VideoFile(tmp_path / "odd.mp4", DT)
        video.add(picture(99, size))
        assert video.finish()
        assert film(tmp_path / "odd.mp4")[0][0].shape[:2] == expected


def test_a_change_of_size_is_scaled_to_the_first(tmp_path: Path) -> None:
    """After a change of size the video continues, scaled to the first size."""
    video = VideoFile(tmp_path / "a.mp4", DT)
    for size in ((48, 64), (96, 128), (30, 31), (1, 1)):
        video.add(picture(80, size))
    video.finish()
    assert [found.shape for found in film(tmp_path / "a.mp4")[0]] == [(48, 64, 3)] * 4


def test_a_film_in_the_making_holds_no_pictures(tmp_path: Path) -> None:
    """Each frame is requested once and encoded immediately; until the end the file has a temporary name."""
    asked: list[int] = []
    screen = Screen()
    with Capture([tmp_path / "sub" / "a.mp4"], DT, screen) as kept:
        for frame in range(5):
            screen.picture = lambda frame=frame: asked.append(frame) or picture(frame)
            kept.take()
            assert asked == list(range(frame + 1))
        assert not (tmp_path / "sub" / "a.mp4").exists()
        kept.finish()
    assert [path.name for path in (tmp_path / "sub").iterdir()] == ["a.mp4"]


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    """After a failure no incomplete file is left, and an earlier file is kept."""
    (tmp_path / "a.mp4").write_bytes(b"earlier")

    def broken() -> np.ndarray:
        raise ValueError("lost")

    screen = Screen()
    kept = Capture([tmp_path / "a.mp4"], DT, screen)
    screen.picture = lambda: picture(1)
    kept.take()
    screen.picture = broken
    with pytest.raises(ValueError, match="lost"), kept:
        kept.take()
    assert [path.name for path in tmp_path.iterdir()] == ["a.mp4"]
    assert (tmp_path / "a.mp4").read_bytes() == b"earlier"


def test_no_frame_is_no_file(tmp_path: Path) -> None:
    """A game that ends at once leaves no video."""
    screen = Screen()
    with Capture([tmp_path / "a.mp4"], DT, screen) as kept:
        assert kept.finish() == []
    assert not VideoFile(tmp_path / "b.mp4", DT).finish()
    assert list(tmp_path.iterdir()) == []


def test_slow_and_fast_ticks_give_their_rate(tmp_path: Path) -> None:
    """The tick rate is the frame rate, also if it is not an integer."""
    for dt, rate in ((1 / 30, 30.0), (1 / 144, 144.0), (0.04, 25.0), (1001 / 60000, 59.94005994)):
        video = VideoFile(tmp_path / "a.mp4", dt)
        for shade in range(4):
            video.add(picture(shade))
        video.finish()
        assert film(tmp_path / "a.mp4")[1][2] == pytest.approx(rate, rel=1e-4)


def test_without_pyav_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PyAV an error before the start of the game names the package to install."""
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(BackendError, match=r"which is not installed\. pip install av"):
        check_formats([tmp_path / "a.mp4"])
    with pytest.raises(BackendError, match="PyAV"):
        load_encoder()
    check_formats([tmp_path / "a.png", tmp_path / "a.gif"])


def test_an_unknown_format_is_refused_with_the_choices(tmp_path: Path) -> None:
    """An unknown format is rejected with the three choices."""
    with pytest.raises(UsageError, match=r"\.gif, \.mp4, \.png"):
        check_formats([tmp_path / "a.webm"])
