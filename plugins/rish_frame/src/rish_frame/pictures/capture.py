"""Captures: drawn frames as an image or a short film.

A PNG holds the last frame. A GIF holds every n-th frame, made smaller, with one palette for the complete film, so
that colors don't flicker. An MP4 holds every frame. Files are written completely or not at all. Pillow does the
encoding, PyAV that of MP4 (see `video`); both are imported only when they are needed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import Captures
from rish_ecs import UsageError
from rish_system import make_folders, part_of, put_in_place, target_of

from ..errors import BackendError
from .images import load_pillow
from .soundtrack import Soundtrack
from .video import VideoFile, load_encoder

Pixels = npt.NDArray[np.uint8]
FORMATS = (".png", ".gif", ".mp4")
GIF_WIDTH = 480
GIF_RATE = 20
"""Images per second of a film."""
GIF_MAX = 600
"""The greatest number of images of a film. At that number, every second one is removed, and images are added half as
often."""


def save_png(path: Path, pixels: Pixels) -> None:
    """Write an image, uint8 (h, w, 4) with the top row first; alpha is written if any pixel is not opaque."""
    opaque = bool((pixels[..., 3] == 255).all())
    image = _pillow().fromarray(np.ascontiguousarray(pixels[..., :3] if opaque else pixels))
    _write(path, lambda file: image.save(file, "PNG", optimize=True))


def check_formats(paths: Sequence[Path]) -> None:
    """Raise UsageError for a file that can't be written or has an unknown format, BackendError without PyAV for MP4."""
    for path in paths:
        try:
            target_of(path)
        except OSError as error:
            raise UsageError(f"--capture {path}: {error.strerror}", hint="Name another file") from None
        if path.suffix not in FORMATS:
            raise UsageError(f"--capture {path}: unknown format", given=path.suffix, choices=FORMATS)
        if path.suffix == ".mp4":
            load_encoder()


class Capture(Captures):
    """Collects images while a game runs and writes the files at the end.

    paths: `.png`, `.gif` and `.mp4` files. dt: seconds between two frames. pixels: returns the image that was drawn
    last; called only if it is needed. soundtrack: gets the sound of an MP4 in each frame. As a context manager it
    removes incomplete files if it was not finished.
    """

    def __init__(
        self, paths: Sequence[Path], dt: float, pixels: Callable[[], Pixels], soundtrack: Soundtrack | None = None
    ) -> None:
        self._paths = tuple(paths)
        self._pixels = pixels
        self._videos = {path: VideoFile(path, dt, soundtrack) for path in paths if path.suffix == ".mp4"}
        self._soundtrack = soundtrack if self._videos else None
        if self._soundtrack is not None:
            self._soundtrack.wanted = True
        self._film = any(path.suffix == ".gif" for path in paths)
        self._every = max(1, round(1 / (GIF_RATE * dt)))
        self._dt = dt
        self._count = 0
        self._pictures: list[tuple[bytes, tuple[int, ...]]] = []

    def take(self) -> None:
        """Add the current frame to the films."""
        pixels = self._pixels
        if self._film and self._count % self._every == 0:
            small = _smaller(pixels())
            self._pictures.append((zlib.compress(small.tobytes(), 1), small.shape))
            if len(self._pictures) >= GIF_MAX:
                del self._pictures[1::2]
                self._every *= 2
        samples = None if self._soundtrack is None else self._soundtrack.take()
        for video in self._videos.values():
            video.add(pixels(), samples)
        self._count += 1

    def finish(self) -> list[Path]:
        """Write the files and return their paths, or [] if no frame was taken. Raises BackendError without Pillow."""
        if not self._count:
            return []
        for path in self._paths:
            if path in self._videos:
                self._videos[path].finish()
            elif path.suffix == ".gif":
                save_gif(path, [_unpacked(*picture) for picture in self._pictures], self._every * self._dt)
            else:
                save_png(path, self._pixels())
        return list(self._paths)

    def __exit__(self, *_: object) -> None:
        if self._soundtrack is not None:
            self._soundtrack.wanted = False
        for video in self._videos.values():
            video.abandon()


def save_gif(path: Path, pictures: Sequence[Pixels], seconds: float) -> None:
    """Write a film of images, each shown for `seconds`, that repeats forever."""
    pillow = _pillow()
    images = [pillow.fromarray(np.ascontiguousarray(picture[..., :3])) for picture in pictures]
    sample = np.concatenate(
        [np.asarray(image)[::4, ::4].reshape(-1, 3) for image in images[:: max(1, len(images) // 16)]]
    )
    palette = pillow.fromarray(sample.reshape(1, -1, 3)).quantize(255, method=0)
    frames = [image.quantize(palette=palette, dither=0) for image in images]
    milliseconds = max(20, round(seconds * 1000))
    options: dict[str, Any] = {"append_images": frames[1:], "duration": milliseconds, "loop": 0, "optimize": False}
    _write(path, lambda file: frames[0].save(file, "GIF", save_all=True, **options))


def _smaller(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    if width <= GIF_WIDTH:
        return pixels[..., :3].copy()
    size = GIF_WIDTH, max(1, round(height * GIF_WIDTH / width))
    pillow = _pillow()
    image = pillow.fromarray(np.ascontiguousarray(pixels[..., :3]))
    return np.asarray(image.resize(size, pillow.Resampling.BOX))


def _unpacked(packed: bytes, shape: tuple[int, ...]) -> Pixels:
    return np.frombuffer(zlib.decompress(packed), np.uint8).reshape(shape)


def _pillow() -> Any:
    error = BackendError("pictures are written by Pillow, which is not installed", hint="pip install pillow")
    return load_pillow(error)


def _write(path: Path, save: Callable[[Any], None]) -> None:
    """Write to a temporary file in the same folder, then rename it, so that no incomplete file has the name `path`.

    Raises OSError with the path itself.
    """
    make_folders(path.parent)
    target, part = part_of(path)
    try:
        with part.open("wb") as file:
            save(file)
        put_in_place(part, target)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
