"""Video files: each image is encoded immediately, so the memory needed does not depend on the length of the film.

The format is MP4 with H.264 in 4:2:0, which every player supports. It has even sizes only, so an odd row at the
bottom or column at the right is cut off. Sound is AAC, see `soundtrack`. PyAV does the encoding; it is an optional
dependency, imported when needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rish_system import make_folders, part_of, put_in_place

from ..errors import BackendError
from .soundtrack import Samples, SoundStream, Soundtrack

Pixels = npt.NDArray[np.uint8]
_QUALITY = {"crf": "18", "preset": "veryfast"}
"""Encoder options. crf is the constant rate factor; at 18 most people see no difference from the original."""
_BT709, _SRGB, _LIMITED = 1, 13, 1
"""Codes of H.273 for color matrix and primaries, transfer, and range. Without them players guess."""
_MAX_DENOMINATOR = 1_000_000
"""The greatest denominator of a frame rate in images per second."""


def load_encoder() -> Any:
    """Return the module of PyAV. Raises BackendError with a hint if it is missing, or has no H.264."""
    try:
        import av
    except ImportError:
        message = "videos are written by PyAV, which is not installed"
        raise BackendError(message, hint="pip install av") from None
    if "libx264" not in av.codecs_available:
        raise BackendError("the PyAV that is installed can't write H.264", hint="pip install av brings one that can")
    return av


class VideoFile:
    """One MP4 file that is being written; it has a temporary name in the same folder until it is complete.

    path: the final path. dt: seconds that each image is shown. soundtrack: has the rate and the channels of the sound
    when the first image is added; without a rate the film has no sound. options: of the encoder x264. Raises
    BackendError, see `load_encoder`.
    """

    def __init__(
        self, path: Path, dt: float, soundtrack: Soundtrack | None = None, options: Mapping[str, str] = _QUALITY
    ) -> None:
        self._av = load_encoder()
        self._dt, self._soundtrack, self._options = dt, soundtrack, dict(options)
        self._sound: SoundStream | None = None
        self._path, self._part = part_of(path)
        self._rate = Fraction(1 / dt).limit_denominator(_MAX_DENOMINATOR)
        self._is_open = False
        self._container: Any = None
        self._stream: Any = None

    def add(self, pixels: Pixels, samples: Samples | None = None) -> None:
        """Add an image: uint8 (h, w, 3 or 4), top row first. The first one sets the size; others are scaled to it.

        samples: the sound while it is shown, float32 (n, channels).
        """
        height, width = (max(2, side // 2 * 2) for side in pixels.shape[:2])
        if not self._is_open:
            self._open(width, height)
        if pixels.shape[0] < 2 or pixels.shape[1] < 2:
            pixels = np.pad(pixels, ((0, 1), (0, 1), (0, 0)), mode="edge")
        frame = self._av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels[:height, :width, :3]), format="rgb24")
        size = {"width": self._stream.width, "height": self._stream.height}
        frame = frame.reformat(**size, format="yuv420p", dst_colorspace="ITU709")
        for packet in self._stream.encode(frame):
            self._container.mux(packet)
        if self._sound is not None and samples is not None:
            self._sound.add(samples)

    def finish(self) -> bool:
        """Write the remaining data and rename the file to its final path. Return False, without a file, if no image was
        added."""
        if not self._is_open:
            return False
        for packet in self._stream.encode():
            self._container.mux(packet)
        if self._sound is not None:
            self._sound.finish()
        self._container.close()
        self._is_open = False
        put_in_place(self._part, self._path)
        return True

    def abandon(self) -> None:
        """Remove the incomplete file; do nothing after `finish`."""
        if self._is_open:
            self._container.close()
            self._is_open = False
        self._part.unlink(missing_ok=True)

    def _open(self, width: int, height: int) -> None:
        make_folders(self._path.parent)
        options = {"movflags": "faststart"}
        self._container = self._av.open(str(self._part), "w", format="mp4", container_options=options)
        self._is_open = True
        self._stream = stream = self._container.add_stream("libx264", rate=self._rate, options=self._options)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        context = stream.codec_context
        context.colorspace, context.color_primaries = _BT709, _BT709
        context.color_trc, context.color_range = _SRGB, _LIMITED
        heard = self._soundtrack
        if heard is not None and heard.rate:
            self._sound = SoundStream(self._av, self._container, heard.rate, heard.channels, self._dt)
