"""Captures: pictures and short films as files.

A PNG is written at once. A film is collected picture by picture, each made smaller and squeezed in memory, and written
in the end as a GIF with one palette for all of it, chosen from samples of the whole film and without dithering: flat
colours stay flat, do not flicker, and pack well. Files appear whole or not at all.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from rish_core.errors import UsageError

from .atlas import straighten

Pixels = npt.NDArray[np.uint8]

_SAMPLES = 24
_COLOURS = 255
_SHORTEST = 2


def save_png(path: str | Path, pixels: Pixels) -> Path:
    """Write a picture, uint8 (h, w, 4) premultiplied with the top row first, and return the path.

    A picture without a transparent pixel is written without alpha.
    """
    from PIL import Image

    _check(pixels)
    opaque = bool((pixels[..., 3] == 255).all())
    data = np.ascontiguousarray(pixels[..., :3] if opaque else straighten(pixels))
    image = Image.fromarray(data)
    return _write(Path(path), lambda file: image.save(file, "PNG", optimize=True))


class GifWriter:
    """Collects pictures and writes a GIF; as a context manager it does so at the end of the block.

    path: of the file. fps: pictures a second; a GIF counts in hundredths, so it is rounded (50 at most). size: of the
    film, pixels; None takes that of the first picture. Raises UsageError for a rate or size below 1.
    """

    def __init__(self, path: str | Path, fps: float = 20.0, size: tuple[int, int] | None = None) -> None:
        if fps <= 0 or (size is not None and min(size) < 1):
            raise UsageError(f"a film needs a rate and a size above 0, not {fps} and {size}")
        self.path = Path(path)
        self.size = size
        self._hundredths = max(round(100 / fps), _SHORTEST)
        self._pictures: list[bytes] = []

    def __len__(self) -> int:
        return len(self._pictures)

    def add(self, pixels: Pixels) -> None:
        """Add a picture, uint8 (h, w, 4) premultiplied with the top row first."""
        from PIL import Image

        _check(pixels)
        image = Image.fromarray(np.ascontiguousarray(pixels[..., :3]))
        self.size = self.size or image.size
        if image.size != self.size:
            smaller = image.width > self.size[0]
            image = image.resize(self.size, Image.Resampling.BOX if smaller else Image.Resampling.NEAREST)
        self._pictures.append(zlib.compress(image.tobytes(), 1))

    def close(self) -> Path | None:
        """Write the file and return its path; None where there is no picture. The writer is empty afterwards."""
        if not self._pictures:
            return None
        palette = self._palette()
        frames = [image.quantize(palette=palette, dither=0) for image in self._images(self._pictures)]
        options: dict[str, Any] = {"append_images": frames[1:], "duration": self._hundredths * 10, "loop": 0}
        _write(self.path, lambda file: frames[0].save(file, "GIF", save_all=True, optimize=False, **options))
        self._pictures.clear()
        return self.path

    def _images(self, packed: list[bytes]) -> Iterator[Any]:
        from PIL import Image

        assert self.size is not None
        for data in packed:
            yield Image.frombytes("RGB", self.size, zlib.decompress(data))

    def _palette(self) -> Any:
        """The colours of the film, from some of its pictures."""
        from PIL import Image

        step = max(1, -(-len(self._pictures) // _SAMPLES))
        some = list(self._images(self._pictures[::step]))
        sheet = Image.new("RGB", (some[0].width, some[0].height * len(some)))
        for number, image in enumerate(some):
            sheet.paste(image, (0, number * image.height))
        return sheet.quantize(_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)

    def __enter__(self) -> GifWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _check(pixels: Pixels) -> None:
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 4 or not pixels.size:
        raise UsageError(f"a picture is uint8 (h, w, 4), not {pixels.dtype} {pixels.shape}")


def _write(path: Path, save: Callable[[IO[bytes]], object]) -> Path:
    """Write beside the file, then put that in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            save(file)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
    return path
