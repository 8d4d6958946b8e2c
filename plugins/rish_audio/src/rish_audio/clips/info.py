"""The information about a clip that is available before it is decoded."""

from __future__ import annotations

from dataclasses import dataclass

from rish_core import AssetError

MIN_RATE, MAX_RATE = 1_000, 384_000
"""The sample rates that a file may have, in Hz."""
MAX_SOURCES = 8
"""The greatest number of channels of a file; more than two are mixed to two."""
MAX_FRAMES = 2**40


@dataclass(frozen=True, slots=True)
class ClipInfo:
    """The header of a sound. frames: its length. rate: frames a second. channels: 1 or 2, after mixing.

    streamed: whether it is decoded while it is played. loop: the first frame that is repeated and the frame after the
    last one. markers: names and frames, sorted by frame. format: `wav`, `ogg`, `mp3`, `flac`, or `made` for generated
    samples. sources: the channels of the file.
    """

    frames: int
    rate: int
    channels: int
    streamed: bool = False
    loop: tuple[int, int] | None = None
    markers: tuple[tuple[str, int], ...] = ()
    format: str = "made"
    sources: int = 0

    @property
    def seconds(self) -> float:
        """The length in seconds."""
        return self.frames / self.rate

    @property
    def size(self) -> int:
        """The bytes of the decoded samples."""
        return self.frames * self.channels * 4


SILENT = ClipInfo(0, 44_100, 1)
"""The information of a clip that is missing or malformed: no frames."""


def checked_info(
    form: str,
    frames: int,
    rate: int,
    sources: int,
    loop: tuple[int, int] | None = None,
    markers: tuple[tuple[str, int], ...] = (),
) -> ClipInfo:
    """Return the information of a file. Raises AssetError if a number in its header is impossible."""
    if not MIN_RATE <= rate <= MAX_RATE:
        what = f"the header gives a sample rate of {rate} Hz, expected {MIN_RATE} to {MAX_RATE}"
        raise AssetError(what)
    if not 1 <= sources <= MAX_SOURCES:
        raise AssetError(f"the header gives {sources} channels, expected 1 to {MAX_SOURCES}")
    if not 0 < frames < MAX_FRAMES:
        raise AssetError("the file has no samples" if frames <= 0 else f"the header gives {frames} frames")
    return ClipInfo(frames, rate, min(sources, 2), False, loop, markers, form, sources)
