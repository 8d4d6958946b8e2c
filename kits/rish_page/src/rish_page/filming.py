"""Films of a play: the whole of it with sound, a short silent loop, and the moments of which pictures are chosen.

The format is MP4 with H.264 and AAC, which all browsers play; VP9 and Opus do not play on many telephones, and take
several times as long to encode. There is a key frame each second, so that a jump to any place is quick, and the index
is at the beginning of the file, so that a browser needs no more than that to begin.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from rish_core import RishError
from rish_frame import VideoFile, load_encoder

from .choosing import Thumbs, choose_stretch, main_picture
from .playing import Pixels, Playing

_THUMB = (64, 36)
_STEP = 0.5
"""Seconds between two moments."""
_MAX_MOMENTS = 240
"""The greatest number of moments. At that number every second one is removed, and they are taken half as often."""
_QUALITY = {"crf": "23", "preset": "medium", "maxrate": "6M", "bufsize": "12M"}
"""Encoder options: at 23 a film is half as large as at 18, the value of captures, and differs little from it.

The rates, in bits a second, hold where thousands of small things move: games/sprites would have 13.
"""
_FILM_QUALITY = {"crf": "25", "preset": "medium", "maxrate": "3M", "bufsize": "6M"}
_FILM_SECONDS, _FILM_RATE, _FILM_WIDTH = 8.0, 30.0, 1280


class Moment(NamedTuple):
    """A moment of a play. seconds: since its beginning. packed: the image, as `packed` returns it."""

    seconds: float
    packed: bytes
    shape: tuple[int, ...]

    def pixels(self) -> Pixels:
        """Return the image, uint8 (h, w, 3)."""
        return np.frombuffer(zlib.decompress(self.packed), np.uint8).reshape(self.shape)


@dataclass
class Moments:
    """Moments at equal distances over a whole play, of any length. step: seconds between two."""

    step: float = _STEP
    moments: list[Moment] = field(default_factory=list[Moment])
    _thumbs: list[Pixels] = field(default_factory=list[Pixels])

    def add(self, seconds: float, pixels: Pixels) -> None:
        """Add an image if it is time for the next moment: uint8 (h, w, 4)."""
        if seconds < len(self.moments) * self.step - 1e-6:
            return
        image = np.ascontiguousarray(pixels[..., :3])
        small = Image.fromarray(image).resize(_THUMB, Image.Resampling.BOX)
        self.moments.append(Moment(seconds, zlib.compress(image.tobytes(), 1), image.shape))
        self._thumbs.append(np.asarray(small))
        if len(self.moments) >= _MAX_MOMENTS:
            del self.moments[1::2], self._thumbs[1::2]
            self.step *= 2

    @property
    def main(self) -> int:
        """The index of the moment that shows most."""
        return main_picture(self.thumbs, self.film_length)

    @property
    def film_length(self) -> int:
        """The number of moments in the short film."""
        return max(1, round(_FILM_SECONDS / self.step))

    @property
    def thumbs(self) -> Thumbs:
        """The thumbnails, float32 (n, 36, 64, 3), 0 to 1."""
        return np.stack(self._thumbs).astype(np.float32) / np.float32(255)


class Recorded(NamedTuple):
    """A play as a film. size: width and height of the film in pixels."""

    path: Path
    seconds: float
    size: tuple[int, int]
    has_sound: bool
    moments: Moments


def record(playing: Playing, path: Path, each: Callable[[int], object]) -> Recorded:
    """Play to the end, and write a film of it. each: called with the number of images so far.

    Raises RishError if the game ends before its first image, and BackendError without PyAV.
    """
    moments, dt = Moments(), playing.dt
    options = {**_QUALITY, "g": str(max(1, round(1 / dt)))}
    video = VideoFile(path, dt, playing.soundtrack, options)
    count = 0
    try:
        for count, (pixels, samples) in enumerate(playing.images(), 1):
            video.add(pixels, samples)
            moments.add((count - 1) * dt, pixels)
            each(count)
        if not video.finish():
            raise RishError("the game ended before its first image, so there is nothing to show")
    finally:
        video.abandon()
    height, width = (side // 2 * 2 for side in moments.moments[0].shape[:2])
    return Recorded(path, count * dt, (width, height), bool(playing.soundtrack.rate), moments)


def cut_film(recorded: Recorded, path: Path) -> tuple[Pixels, tuple[int, int]]:
    """Write the stretch of a film in which most moves, smaller and without sound; return its first image and its size.

    The first image is uint8 (h, w, 3).
    """
    av = load_encoder()
    moments = recorded.moments
    begin = moments.moments[choose_stretch(moments.thumbs, moments.film_length)].seconds
    width = min(_FILM_WIDTH, recorded.size[0])
    height = max(2, round(recorded.size[1] * width / recorded.size[0]) // 2 * 2)
    with av.open(str(recorded.path)) as source:
        stream = source.streams.video[0]
        every = max(1, round(float(stream.average_rate) / _FILM_RATE))
        dt = every / float(stream.average_rate)
        video = VideoFile(path, dt, options={**_FILM_QUALITY, "g": str(round(1 / dt))})
        first = None
        try:
            for image in _images(source, stream, begin, every, (width, height)):
                first = image if first is None else first
                video.add(image)
            video.finish()
        finally:
            video.abandon()
    assert first is not None
    return first, (width, height)


def _images(source: Any, stream: Any, begin: float, every: int, size: tuple[int, int]) -> Any:
    """Yield every n-th image of a film from a time on, for the length of the short film."""
    source.seek(int(begin / stream.time_base), stream=stream)
    number = 0
    for frame in source.decode(stream):
        if frame.time < begin - 1e-3:
            continue
        if frame.time > begin + _FILM_SECONDS:
            break
        if number % every == 0:
            yield frame.reformat(width=size[0], height=size[1], format="rgb24", interpolation="AREA").to_ndarray()
        number += 1
