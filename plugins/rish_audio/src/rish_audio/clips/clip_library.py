"""The clips of one World: they are found by name, decoded on demand, and unloaded when no voice plays them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import field as dataclass_field
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from rish_assets import AssetLibrary, AssetReader
from rish_core import AssetError, describe_error
from rish_ecs import Place, RishError, resource
from rish_jit import Array

from .decoder import tame
from .decoding import decode_whole, fade_edges, loud_edges
from .info import SILENT, ClipInfo
from .sample_file import SampleFile
from .stream import Loop, Window
from .streams import Need, Streams
from .table import SILENT_ROW, ClipTable

if TYPE_CHECKING:
    from rish_ecs import World

Key = tuple[str, bool]
_T = TypeVar("_T")
_LOG = "rish.plugins.audio"


@resource(derived=True)
class ClipLibrary:
    """The clips by name: the path of an asset, or the name of a generated clip (`add`).

    A clip is either *whole* (`row`: all samples are in memory, shared by all voices) or *streamed* (`feed`: each voice
    has a window into the file; a long generated clip is in a temporary one). The lengths and markers that the World
    uses come from `info`, which reads the header at once; so the World never depends on when samples are ready. A file
    that is missing or damaged is silent, which is logged once. Only the thread of the game calls this class; a worker
    thread decodes.

    capacity: rows of the clip table. memory: the bytes of whole clips above which the least recently played ones are
    unloaded. stream_over: bytes of decoded samples above which `info` says that a clip is streamed.
    """

    capacity: int = 1024
    memory: int = 256 * 2**20
    stream_over: int = 4 * 2**20
    window: Window = dataclass_field(default_factory=Window)

    def __post_init__(self) -> None:
        self._table = ClipTable(self.capacity)
        self._streams = Streams(self._table, self.window, self._start)
        self._infos = AssetLibrary("sound", self._read, placeholder=lambda: SILENT, log=_LOG, on_change=self._drop)
        self._places: dict[str, Place | str] = {}
        self._paths: dict[str, Path | SampleFile] = {}
        self._made: dict[str, Callable[[], Array | SampleFile]] = {}
        self._files: dict[str, Future[SampleFile]] = {}
        self._rows: dict[Key, int] = {}
        self._jobs: dict[Key, Future[tuple[Array, bool]]] = {}
        self._worker: ThreadPoolExecutor | None = None

    @property
    def table(self) -> Array:
        """The clip table, int64 (capacity, CLIP_COLUMNS); always the same array."""
        return self._table.rows

    @property
    def size(self) -> int:
        """The bytes of the samples in memory, windows of streams included."""
        return self._table.size

    def info(self, world: World, name: str, place: Place | str | None = None) -> ClipInfo:
        """Return the information in the header of a clip. For a missing or malformed file, return SILENT and log a
        warning once.

        place: the position in the manifest at which the name is written, for the warning.
        """
        if place is not None and name not in self._infos:
            self._places[name] = place
        return self._infos.get(world, name)

    def add(self, name: str, info: ClipInfo, samples: Callable[[], Array | SampleFile]) -> None:
        """Add a generated clip. samples: a function that returns float32 (frames, channels), an array that nobody
        changes later, or a file of them; it is called on the worker thread.
        """
        self._made[name] = samples
        self._infos.put(name, replace(info, streamed=info.size > self.stream_over, sources=info.channels))

    def row(self, world: World, name: str, *, looped: bool = False, wait: bool = False) -> int:
        """Return the row of a whole clip in the table; row 0, which is silent, until it is decoded.

        looped: for voices that repeat, whose samples have no fades at their ends. wait: decode before returning.
        Raises RishError if the table is full of clips that are played.
        """
        row = self._rows.get((name, looped))
        if row is not None:
            return row
        info = self.info(world, name)
        if not info.frames:
            return SILENT_ROW
        key = (name, looped)
        if key not in self._jobs:
            if info.size > self.memory:
                need = f"its samples need {info.size / 2**20:.0f} MB, and {self.memory / 2**20:.0f} MB are allowed"
                self._fail(key, AssetError(need, where=name, hint="Stream it, or allow more"))
                return SILENT_ROW
            job = functools.partial(_samples, self._paths.get(name), info, self._made.get(name), looped)
            self._jobs[key] = self._start(job, wait)
        if wait or self._jobs[key].done():
            row = self._adopt(key)
            if row == SILENT_ROW and key in self._jobs and self._table.is_full:
                what = f"all {self.capacity} rows of the clip table are played, so {name} has none"
                raise RishError(what, where="audio", hint="Play fewer different clips at a time")
            return row
        return SILENT_ROW

    def prepare(self, world: World, names: Iterable[str], *, looped: bool = False) -> None:
        """Decode clips on the worker thread, so that they are ready when they are played. looped: see `row`."""
        for name in names:
            info = self.info(world, name)
            if not info.streamed:
                self.row(world, name, looped=looped)
            elif name in self._made:
                self._stored(name, info, wait=False)

    def feed(
        self,
        world: World,
        name: str,
        voice: int,
        position: float,
        step: float = 0.0,
        *,
        loop: Loop = None,
        wait: bool = False,
    ) -> int:
        """Return the row from which a voice reads its next block of a streamed clip. The row contains the frames that
        the block needs.

        voice: a number that no other voice has, like its serial. position: frames since its start. step: the frames by
        which it moves in the block, negative backwards. loop: the frames between which it repeats. wait: open and seek
        before returning; otherwise the worker thread does that, and row 0 is returned until it is done. The row changes
        when the voice jumps, so that the old place can fade out. The window of a voice is closed if this method is not
        called for it for some blocks.
        """
        info = self.info(world, name)
        if self._infos.failed(name):
            return SILENT_ROW
        path = self._paths.get(name)
        if path is None and info.streamed and name in self._made:
            path = self._stored(name, info, wait)
            if path is None:
                return SILENT_ROW
        if path is None or not info.frames:
            return self.row(world, name, looped=loop is not None, wait=wait)
        if loop is not None and not 0 <= loop[0] < loop[1] <= info.frames:
            loop = None
        need = Need.of(position, step, info, loop)
        try:
            row, problem = self._streams.feed(name, path, info, voice, need, loop, wait)
        except (AssetError, OSError) as error:
            row, problem = SILENT_ROW, error
        if problem is not None:
            self._infos.fail(name, _silent(name, problem))
        return row

    def release(self, playing: Array, newest: int, mixed: int) -> None:
        """Unload clips that no voice plays; called once in each tick.

        playing: the rows that block number `newest` names. mixed: the number of the last block that the mixer has
        finished; samples are freed when no later block can need them, see `clips.table`.
        """
        self._table.settle(newest, mixed)
        self._table.play(playing)
        self._streams.settle()
        for key in [key for key, job in self._jobs.items() if job.done()]:
            self._adopt(key)
        if self._table.size > self.memory:
            for row in self._table.idle(set(self._rows.values()) - {SILENT_ROW}):
                self._unload(row)
                if self._table.size <= self.memory:
                    break

    def forget(self, name: str) -> None:
        """Discard the information and samples of a clip; it is read again at its next use. Voices that play the old
        samples continue.
        """
        self._infos.forget(name)
        self._drop(name)

    def _drop(self, name: str) -> None:
        """Discard the samples of a clip."""
        self._paths.pop(name, None)
        self._files.pop(name, None)
        self._streams.forget(name)
        for key in ((name, False), (name, True)):
            self._jobs.pop(key, None)
            row = self._rows.pop(key, SILENT_ROW)
            if row not in self._rows.values():
                self._table.drop(row)

    def close(self) -> None:
        """Close all files and let the worker thread end after its present job, which may take a second, so a window
        does not wait for it. The library can be used again.
        """
        self._streams.close()
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
            self._worker = None
            self._jobs.clear()
            self._files.clear()

    def _read(self, name: str, read: AssetReader) -> ClipInfo:
        """Return the information in a clip's file, for the library."""
        place = self._places.get(name)
        try:
            info = read(place=place)
            if not isinstance(info, ClipInfo):
                raise AssetError(f"{name} is no sound file", where=place, hint="Name a .wav, .ogg, .mp3 or .flac file")
            self._paths[name] = read.assets.resolve(name, place)
        except AssetError as error:
            raise _silent(name, error) from error
        return replace(info, streamed=info.size > self.stream_over)

    def _start(self, job: Callable[[], _T], wait: bool) -> Future[_T]:
        """Run a job on the worker thread, or immediately if `wait`."""
        if not wait:
            if self._worker is None:
                self._worker = ThreadPoolExecutor(1, thread_name_prefix="rish-audio-clips")
            return self._worker.submit(job)
        future: Future[_T] = Future()
        try:
            future.set_result(job())
        except (RishError, OSError) as error:
            future.set_exception(error)
        return future

    def _stored(self, name: str, info: ClipInfo, wait: bool) -> SampleFile | None:
        """Return the file with the samples of a long generated clip; None until they are rendered, or if that fails."""
        path = self._paths.get(name)
        if isinstance(path, SampleFile):
            return path
        if name not in self._files:
            self._files[name] = self._start(functools.partial(_in_file, info, self._made[name]), wait)
        job = self._files[name]
        if not (wait or job.done()):
            return None
        try:
            self._paths[name] = file = job.result()
        except Exception as error:
            self._infos.fail(name, _silent(name, error))
            return None
        del self._files[name]
        return file

    def _adopt(self, key: Key) -> int:
        """Put decoded samples into the table. If it is full, release unused rows and try again later."""
        try:
            samples, same = self._jobs[key].result()
        except Exception as error:
            self._fail(key, error)
            return SILENT_ROW
        row = self._table.take()
        if row is None:
            self._make_room()
            return SILENT_ROW
        self._table.show(row, samples, 0, len(samples), len(samples))
        del self._jobs[key]
        self._rows[key] = row
        if same:
            self._jobs.pop((key[0], not key[1]), None)
            self._rows.setdefault((key[0], not key[1]), row)
        return row

    def _make_room(self) -> None:
        """Release rows that no voice plays; they become free some blocks later."""
        idle = self._table.idle(set(self._rows.values()) - {SILENT_ROW})
        for row in idle[: max(1, self.capacity // 16)]:
            self._unload(row)

    def _unload(self, row: int) -> None:
        for key in [key for key, each in self._rows.items() if each == row]:
            del self._rows[key]
        self._table.drop(row)

    def _fail(self, key: Key, error: Exception) -> None:
        self._jobs.pop(key, None)
        self._rows[key] = SILENT_ROW
        self._infos.fail(key[0], _silent(key[0], error))


def _silent(name: str, error: Exception) -> AssetError:
    """Return the error that says why a clip is silent."""
    if not isinstance(error, RishError):
        return AssetError(f"{describe_error(error)}; silence is heard instead", where=name)
    located = error.where is not None and str(error.where) != name
    what = f"{name}: {error.what}" if located and name not in error.what else error.what
    return AssetError(
        f"{what}; silence is heard instead",
        where=error.where or name,
        given=error.given,
        choices=error.choices,
        hint=error.hint,
    )


def _samples(
    path: Path | SampleFile | None, info: ClipInfo, make: Callable[[], Array | SampleFile] | None, looped: bool
) -> tuple[Array, bool]:
    """Return the samples of a whole clip, and whether they are the same for voices with and without a loop."""
    if path is not None:
        samples = decode_whole(path, info)
    else:
        samples = _array(info, make() if make is not None else np.zeros(0, np.float32))
    if looped and any(loud_edges(samples)):
        return samples, False
    faded = fade_edges(samples)
    return faded, faded is samples


def _array(info: ClipInfo, made: Array | SampleFile) -> Array:
    """Return generated samples in memory. Raises AssetError if they are not what the information says."""
    samples = made.samples() if isinstance(made, SampleFile) else np.asarray(made, np.float32)
    samples = samples.reshape(len(samples), -1)
    if samples.shape != (info.frames, info.channels):
        raise AssetError(f"the samples have the shape {samples.shape}, expected {(info.frames, info.channels)}")
    tame(samples)
    return samples


def _in_file(info: ClipInfo, make: Callable[[], Array | SampleFile]) -> SampleFile:
    """Return generated samples in a file."""
    made = make()
    if isinstance(made, SampleFile):
        return made
    file = SampleFile(info.rate, info.channels)
    file.append(np.ascontiguousarray(_array(info, made)))
    return file
