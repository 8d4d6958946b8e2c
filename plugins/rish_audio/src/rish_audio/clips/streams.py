"""The streams of the voices of one World: opened, moved and closed as voices are played."""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from rish_core import AssetError

from .info import ClipInfo
from .sample_file import SampleFile
from .stream import Loop, Stream, Window
from .table import SILENT_ROW, WAIT_BLOCKS, ClipTable

_MARGIN = 8  # frames beside a position that an interpolation reads
_MIN_DECODE = 2048  # least frames that are worth decoding
_MAX_DECODE = 8192  # most frames that one call decodes beyond what it needs, so that no tick is long
Start = Callable[[Callable[[], Stream], bool], "Future[Stream]"]
"""Runs a function on the worker thread, or immediately if the second argument is True."""


@dataclass(slots=True)
class _Seat:
    """The stream of one voice. fed: the number of the newest block at the last call of `feed`."""

    name: str
    stream: Stream | None = None
    row: int = SILENT_ROW
    job: Future[Stream] | None = None
    fed: int = 0


@dataclass(frozen=True, slots=True)
class Need:
    """The frames since the start that the next block of a voice reads, and whether it plays backwards."""

    low: int
    high: int
    backward: bool

    @classmethod
    def of(cls, position: float, step: float, info: ClipInfo, loop: Loop) -> Need:
        """Return the frames that a voice needs which is at `position` and moves by `step` frames in the block."""
        last = info.frames if loop is None else 2**62
        low = math.floor(min(position, position + step)) - _MARGIN
        high = math.ceil(max(position, position + step)) + _MARGIN
        return cls(min(max(low, 0), last), min(max(high, 0), last), step < 0)

    def within(self, stream: Stream) -> bool:
        """Whether the stream contains these frames, or will contain them soon if it continues decoding."""
        return stream.first <= self.low <= stream.end + stream.ahead


class Streams:
    """The streams by the numbers of their voices. start: see `Start`."""

    def __init__(self, table: ClipTable, window: Window, start: Start) -> None:
        self.table, self.window = table, window
        self._start = start
        self._seats: dict[int, _Seat] = {}

    def feed(
        self, name: str, path: Path | SampleFile, info: ClipInfo, voice: int, need: Need, loop: Loop, wait: bool
    ) -> tuple[int, AssetError | None]:
        """Return the row of the clip table from which a voice reads its next block, and the problem of the file, None
        if there is none.

        Raises AssetError if the file can't be opened.
        """
        seat = self._seats.get(voice)
        if seat is None or seat.name != name:
            self.leave(voice)
            seat = self._seats[voice] = _Seat(name)
        seat.fed = self.table.made
        if seat.stream is not None and not seat.stream.same_with(loop):
            self._stand(seat)
        self._adopt(seat, need, loop, wait)
        if seat.job is None and self._must_move(seat, need, wait):
            self._move(seat, path, info, need, loop, wait)
        stream = seat.stream
        if stream is None or not need.within(stream):
            return SILENT_ROW, None
        until = need.high if need.backward else min(need.high + stream.ahead, stream.most_from(need.low))
        if stream.end < need.high or until - stream.end >= min(_MIN_DECODE, stream.ahead):
            stream.fill(until, max(_MAX_DECODE, need.high - stream.end), self.table.rows[seat.row])
        return seat.row, stream.problem

    def leave(self, voice: int) -> None:
        """Close the stream of a voice, if it has one."""
        seat = self._seats.pop(voice, None)
        if seat is not None:
            self._stand(seat)
            if seat.job is not None:
                seat.job.add_done_callback(_close_result)

    def forget(self, name: str) -> None:
        """Close the streams of a file; they are opened again when their voices are fed."""
        for voice in [voice for voice, seat in self._seats.items() if seat.name == name]:
            self.leave(voice)

    def settle(self) -> None:
        """Close the streams of voices for which `feed` is no longer called."""
        unused = [voice for voice, seat in self._seats.items() if seat.fed + WAIT_BLOCKS <= self.table.made]
        for voice in unused:
            self.leave(voice)

    def close(self) -> None:
        """Close all streams."""
        for voice in list(self._seats):
            self.leave(voice)

    def _must_move(self, seat: _Seat, need: Need, wait: bool) -> bool:
        """Whether a new window is needed. For a voice that plays backwards and is decoded by the worker, this is so
        before the old window ends.
        """
        stream = seat.stream
        if stream is None or not need.within(stream):
            return True
        return need.backward and not wait and stream.first > 0 and need.low - stream.first < stream.ahead // 3

    def _move(self, seat: _Seat, path: Path | SampleFile, info: ClipInfo, need: Need, loop: Loop, wait: bool) -> None:
        """Open a new window around the position. The old window stays readable until the fade-out from it has
        ended.
        """
        window = self.window
        back = window.ahead if need.backward else window.behind
        begin = max(0, (need.high if need.backward else need.low) - int(back * info.rate))

        def job() -> Stream:
            stream = Stream(path, info, begin, loop, window)
            until = need.high if need.backward else need.high + _MAX_DECODE
            stream.fill(min(until, stream.most_from(begin + stream.behind)), 2**62)
            return stream

        seat.job = self._start(job, wait)
        self._adopt(seat, need, loop, wait)

    def _adopt(self, seat: _Seat, need: Need, loop: Loop, wait: bool) -> None:
        """Use the window that the worker thread has opened, if it is ready and still contains the position."""
        if seat.job is None or not (wait or seat.job.done()):
            return
        job, seat.job = seat.job, None
        stream = job.result()
        if not (stream.same_with(loop) and need.within(stream)):
            stream.close()
            return
        row = self.table.take()
        if row is None:
            seat.job = job
            return
        self._stand(seat)
        seat.stream, seat.row = stream, row
        self.table.show(row, stream.ring, stream.first, stream.end, stream.info.frames)

    def _stand(self, seat: _Seat) -> None:
        if seat.stream is not None:
            seat.stream.close()
            self.table.drop(seat.row)
            seat.stream, seat.row = None, SILENT_ROW


def _close_result(job: Future[Stream]) -> None:
    """Close the stream of a job whose voice has ended."""
    if not job.cancelled() and job.exception() is None:
        job.result().close()
