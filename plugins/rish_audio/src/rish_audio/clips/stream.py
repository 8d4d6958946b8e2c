"""Streams: files that are decoded while they are played, through a window of samples around the position."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rish_core import AssetError
from rish_jit import Array

from ..components.block import END, FIRST
from .decoder import Decoder
from .decoding import EDGE, MAX_EDGE, damaged, edge_gains
from .info import ClipInfo
from .sample_file import SampleFile

Loop = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Window:
    """Which part of a stream is decoded, in seconds: ahead of the position and behind it.

    The part behind the position is for blocks that the mixer has not mixed yet, and for small steps backwards. With
    1.5 s ahead, music continues while a game stalls for that long.
    """

    ahead: float = 1.5
    behind: float = 0.25


class Stream:
    """One voice's window into a file.

    Frames are counted since the start of the voice, so they grow over loops. `first` <= i < `end` are decoded, frame i
    in row i % capacity of `ring`, float32 (capacity, channels). begin: the first frame. loop: the frames of the file
    between which it repeats; None: it ends at the end of the file, with a fade if that is off zero.
    Raises AssetError if the file can't be decoded.
    """

    def __init__(self, path: Path | SampleFile, info: ClipInfo, begin: int, loop: Loop, window: Window) -> None:
        self.path, self.info, self.loop = path, info, loop
        self.first = self.end = begin
        self.problem: AssetError | None = None
        self.ahead, self.behind = (int(each * info.rate) for each in (window.ahead, window.behind))
        self.ring = np.zeros((self.ahead + 2 * self.behind, info.channels), np.float32)
        self._decoder = Decoder(path, info, self.frame_of(begin)) if self._left() else None

    def frame_of(self, at: int) -> int:
        """Return the frame of the file for `at`, a frame since the start of the voice."""
        if self.loop is None or at < self.loop[1]:
            return min(at, self.info.frames)
        begin, end = self.loop
        return begin + (at - end) % (end - begin)

    def same_with(self, loop: Loop) -> bool:
        """Return True if the decoded frames are the same with another loop; then use that loop from now on."""
        if loop != self.loop:
            turns = [each[1] for each in (loop, self.loop) if each is not None]
            if self.end >= min(turns):
                return False
            self.loop = loop
        return True

    def fill(self, until: int, max_frames: int, row: Array | None = None) -> None:
        """Decode up to the frame `until`, and at most `max_frames` frames. row: the row of the clip table, which is
        updated.

        If the file ends too early or was changed, the error is stored in `problem`, and the rest is silent.
        """
        stop = min(until, self.end + max_frames)
        while self.end < stop and self.problem is None:
            if self._repeat(stop, row):
                return
            at = self.end % len(self.ring)
            count = min(stop - self.end, self._left(), len(self.ring) - at)
            if count == 0:
                return
            self._make_room(count, row)
            try:
                self._decode(at, count)
            except AssetError as error:
                self.problem = error
            if row is not None:
                row[END] = self.end

    def most_from(self, low: int) -> int:
        """Return the last frame up to which the window can be filled while it still begins well before the frame
        `low`.
        """
        return low + len(self.ring) - self.behind

    def close(self) -> None:
        """Close the file; the window stays readable."""
        if self._decoder is not None:
            self._decoder.close()
            self._decoder = None

    def _left(self) -> int:
        """Return the number of frames up to the end of the loop or of the file."""
        return (self.info.frames if self.loop is None else self.loop[1]) - self.frame_of(self.end)

    def _make_room(self, count: int, row: Array | None) -> None:
        """Discard the oldest frames to make room for `count` new ones. The row is updated first, so that the mixer
        does not read frames that are being overwritten.
        """
        self.first = max(self.first, self.end + count - len(self.ring))
        if row is not None:
            row[FIRST] = self.first

    def _repeat(self, stop: int, row: Array | None) -> bool:
        """Copy the frames up to `stop` from the previous repetition of the loop if the window still contains them;
        return whether it does.
        """
        if self.loop is None or self.end < self.loop[1]:
            return False
        turn = self.loop[1] - self.loop[0]
        count = min(stop - self.end, len(self.ring) - turn)
        if self.end - self.first < turn or count <= 0:
            return False
        self._make_room(count, row)
        ahead = np.arange(count)
        size = len(self.ring)
        self.ring[(self.end + ahead) % size] = self.ring[(self.end - turn + ahead % turn) % size]
        self.end += count
        self.close()  # a longer loop afterwards opens the file at its place
        if row is not None:
            row[END] = self.end
        return True

    def _decode(self, at: int, count: int) -> None:
        if self._decoder is None:
            self._decoder = Decoder(self.path, self.info, self.frame_of(self.end))
        count_read = self._decoder.read(self.ring[at : at + count])
        if count_read < count:
            decoded = self.frame_of(self.end) + count_read
            raise AssetError(damaged(decoded, self.info.frames))
        turns = count_read == self._left()
        self.end += count_read
        if turns:
            self.close()
            if self.loop is None:
                self._fade()

    def _fade(self) -> None:
        """Fade the last frames before `end` to zero if the last one is not near zero."""
        length = min(EDGE, self.end - self.first)
        rows = np.arange(self.end - length, self.end) % len(self.ring)
        if np.abs(self.ring[rows[-1]]).max() > MAX_EDGE:
            self.ring[rows] *= edge_gains(length)
