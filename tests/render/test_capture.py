"""Pictures and films as files."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from rish_core.errors import UsageError
from rish_render.capture import GifWriter, save_png


def picture(colour, size=(40, 30)):
    """One colour, uint8 (h, w, 4)."""
    return np.full((size[1], size[0], 4), colour, np.uint8)


def test_a_png_holds_the_picture(tmp_path):
    """Opaque pictures have no alpha; the folder is made; nothing else is left behind."""
    path = save_png(tmp_path / "deep" / "a.png", picture((1, 2, 3, 255)))
    with Image.open(path) as image:
        assert image.mode == "RGB"
        assert np.asarray(image)[0, 0].tolist() == [1, 2, 3]
    assert [file.name for file in path.parent.iterdir()] == ["a.png"]


def test_transparent_pictures_are_written_straight(tmp_path):
    """Files hold colours that are not multiplied by alpha."""
    path = save_png(tmp_path / "a.png", picture((100, 0, 0, 128)))
    with Image.open(path) as image:
        assert np.asarray(image)[0, 0].tolist() == [199, 0, 0, 128]


def test_a_film_has_its_pictures_rate_and_colours(tmp_path):
    """Three pictures of three colours, each exactly as it was, 50 milliseconds apart, for ever."""
    colours = [(200, 10, 10), (10, 200, 10), (10, 10, 200)]
    with GifWriter(tmp_path / "a.gif", fps=20) as film:
        for colour in colours:
            film.add(picture((*colour, 255)))
        assert len(film) == 3
    with Image.open(tmp_path / "a.gif") as image:
        assert image.n_frames == 3
        assert image.info["duration"] == 50
        assert image.info["loop"] == 0
        for number, colour in enumerate(colours):
            image.seek(number)
            assert np.abs(np.asarray(image.convert("RGB"))[0, 0].astype(int) - colour).max() <= 1


def test_a_film_is_made_smaller(tmp_path):
    """Every picture has the size asked for."""
    film = GifWriter(tmp_path / "a.gif", size=(20, 15))
    film.add(picture((9, 9, 9, 255)))
    film.close()
    with Image.open(tmp_path / "a.gif") as image:
        assert image.size == (20, 15)


def test_a_film_without_pictures_is_no_file(tmp_path):
    """Nothing is written."""
    assert GifWriter(tmp_path / "a.gif").close() is None
    assert list(tmp_path.iterdir()) == []


def test_what_can_not_be_written_is_refused(tmp_path):
    """A rate of zero, and an array that is no picture."""
    with pytest.raises(UsageError, match="rate"):
        GifWriter(tmp_path / "a.gif", fps=0)
    with pytest.raises(UsageError, match="uint8"):
        save_png(tmp_path / "a.png", np.zeros((2, 2, 3), np.uint8))
