"""Films of a play: what is in the files, and which moments are remembered."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from painted_plays import PaintedPlay
from rish_core import RishError
from rish_page.filming import Moments, cut_film, record
from tools import needs

av = needs("av", "films")
pytestmark = pytest.mark.slow


def test_a_recording_has_key_frames_each_second_its_sound_and_its_index_first(tmp_path: Path) -> None:
    """A browser can jump to any second, and begins before it has the whole file."""
    counts: list[int] = []
    recorded = record(PaintedPlay(4.0, 0.05, (64, 37)), tmp_path / "a.mp4", counts.append)
    assert counts == list(range(1, 81))
    assert (recorded.seconds, recorded.size, recorded.has_sound) == (pytest.approx(4), (64, 36), True)
    with av.open(str(recorded.path)) as film:
        video = list(film.decode(video=0))
        assert len(video) == 80
        keys = [frame.time for frame in video if frame.key_frame]
        assert max(np.diff([*keys, 4.0])) <= 1.001
        assert film.streams.video[0].codec_context.pix_fmt == "yuv420p"
        assert film.streams.audio[0].codec_context.name == "aac"
    data = recorded.path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")


def test_the_film_is_short_and_silent_and_begins_with_its_poster(tmp_path: Path) -> None:
    """Thirty images a second at most."""
    recorded = record(PaintedPlay(8.5, 1 / 60, (64, 36)), tmp_path / "a.mp4", lambda count: None)
    first, size = cut_film(recorded, tmp_path / "film.mp4")
    assert (first.shape, size) == ((36, 64, 3), (64, 36))
    with av.open(str(tmp_path / "film.mp4")) as film:
        assert not film.streams.audio
        frames = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
    assert 238 <= len(frames) <= 242
    assert np.abs(frames[0].astype(int) - first).mean() < 6


def test_moments_are_at_equal_distances_over_any_length() -> None:
    """Twice as long a play has moments twice as far from each other, and no more memory."""
    moments = Moments()
    for number in range(2000):
        moments.add(number * 0.25, np.full((4, 4, 4), number % 256, np.uint8))
    times = [each.seconds for each in moments.moments]
    assert len(times) < 240
    assert set(np.diff(times)) == {moments.step}
    assert moments.moments[1].pixels()[0, 0].tolist() == [moments.step / 0.25] * 3
    assert len(moments.thumbs) == len(times)


def test_a_game_that_ends_at_once_is_an_error_and_leaves_no_file(tmp_path: Path) -> None:
    """There is nothing to show."""
    with pytest.raises(RishError, match="ended before its first image"):
        record(PaintedPlay(0, 0.1, (64, 36)), tmp_path / "a.mp4", lambda count: None)
    assert not list(tmp_path.iterdir())
