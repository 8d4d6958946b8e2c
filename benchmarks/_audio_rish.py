"""Rish's side of the benchmark `audio`: the mixer alone, the step of a tick, one-shots, a stream."""

from __future__ import annotations

import statistics
import tempfile
import time
import tracemalloc
from pathlib import Path

import numpy as np

from rish_audio import AudioOutput, AudioSource, Block, ClipLibrary, Mixer, Voices, WavWriter, play
from rish_audio.components import block as layout
from rish_core import App, Stage, Transform, parse_manifest

from ._task import Task, figure

RATE, FRAMES = 44_100, 735
_SECONDS = 570
"""Of the long music file: 100 MB of stereo at 44,100 Hz."""


def _clips() -> tuple[np.ndarray, np.ndarray]:
    """Return a table with one clip, a second of 440 Hz, and its samples."""
    samples = np.sin(np.arange(RATE) * (2 * np.pi * 440 / RATE)).astype(np.float32).reshape(-1, 1)
    table = np.zeros((2, layout.CLIP_COLUMNS), np.int64)
    table[1, : layout.LENGTH + 1] = samples.ctypes.data, 1, RATE, 0, RATE, RATE
    return table, samples


def _mixing(count: int, *, moving: bool) -> Task:
    table, samples = _clips()
    mixer, block = Mixer(RATE, 2, count, 1), Block.empty(count, 2, 1)
    slots = np.arange(count)
    block.whole[:, layout.SERIAL], block.whole[:, layout.CLIP], block.whole[:, layout.LOOPS] = slots + 1, 1, 1
    block.whole[:, layout.LOOP_END], block.whole[:, layout.SEND] = RATE, -1
    block.buses[0, layout.PARENT], block.buses[0, layout.GAIN], block.buses[0, layout.DUCK_BY] = -1, 1, -1
    block.head[layout.FRAMES] = FRAMES
    block.real[:, layout.RATE_BEGIN : layout.RATE_END + 1] = 1
    block.real[:, layout.CUTOFF] = 0.5
    block.gains[:] = 0.5 / count
    step = 0

    def run() -> None:
        nonlocal step
        step += 1
        advance = 0.5 * (block.real[:, layout.RATE_BEGIN] + block.real[:, layout.RATE_END])
        block.real[:, layout.POSITION] += FRAMES * advance
        if moving:
            swing = 0.1 * np.sin(slots + 0.1 * step)
            block.real[:, layout.RATE_BEGIN] = block.real[:, layout.RATE_END]
            block.real[:, layout.RATE_END] = 1 + swing
            block.real[:, layout.CUTOFF] = 0.1 + swing * 0.5
            block.gains[:, 0, 0], block.gains[:, 0, 1] = (0.5 + swing) / count, (0.5 - swing) / count
        mixer.mix(block, table)

    run()
    assert len(samples)
    return Task(run)


def moving_64() -> Task:
    """64 voices with changing rates, pans and low-passes."""
    return _mixing(64, moving=True)


def moving_256() -> Task:
    """256 of them."""
    return _mixing(256, moving=True)


def plain_64() -> Task:
    """64 voices at their own rate, without a filter."""
    return _mixing(64, moving=False)


def _app(output: str, **settings: object) -> App:
    given = {"output": output, **settings}
    lines = "".join(f"    {name}: {value}\n" for name, value in given.items())
    return App(parse_manifest(f"rish: 1\nplugins: [audio]\nsettings:\n  audio:\n{lines}"), headless=True)


def one_shot() -> Task:
    """A call of `play`, as from a script, with a place; 100 of them a run."""
    app = _app("none")
    world = app.world

    def run() -> None:
        for _ in range(100):
            play(world, "coin", (100.0, 50.0), gain=0.5)

    def before() -> None:
        world.stage = None
        app.tick()
        world[Voices].clear()
        world.stage = Stage.UPDATE

    return Task(run, before=before, after=app.close, parts=100)


def _starting(count: int) -> Task:
    app = _app("none")
    world = app.world

    def before() -> None:
        world[Voices].clear()
        world.stage = Stage.UPDATE
        for _ in range(count):
            play(world, "coin", (100.0, 50.0), gain=0.5)
        world.stage = None

    return Task(app.tick, before=before, after=app.close, parts=count)


def sound_started_1000() -> Task:
    """A tick in which 1,000 sounds start."""
    return _starting(1000)


def sound_started_3000() -> Task:
    """A tick in which 3,000 sounds start, of which the last 1,024 stay."""
    return _starting(3000)


def _ticking(count: int, output: str) -> Task:
    app = _app(output)
    angle = np.linspace(0, 6, count)
    places = np.column_stack([np.cos(angle), np.sin(angle)]).astype(np.float32) * 500
    handles = app.world.spawn_many(count, Transform(position=places), AudioSource(clip="hum", loop=True))
    for _ in range(3):
        app.tick()
    table = app.world.table(Transform)
    rows = table.rows_of(handles)

    def run() -> None:
        table.position[rows, 0] += 1
        table.mark(rows)
        app.tick()

    return Task(run, after=app.close)


def source_still() -> Task:
    """A tick with one source that plays and stands still, less a tick without it; medians, in turns."""
    apps = _app("none"), _app("none")
    apps[1].world.spawn(Transform(position=(50, 0)), AudioSource(clip="hum", loop=True))

    def timed(app: App) -> float:
        start = time.process_time()
        for _ in range(50):
            app.tick()
        return (time.process_time() - start) / 50

    def measure() -> float:
        turns = [[timed(app) for app in apps] for _ in range(41)]
        without, with_source = (statistics.median(times) for times in zip(*turns, strict=True))
        return with_source - without

    def close() -> None:
        for app in apps:
            app.close()

    return figure(measure, close)


def tick_1() -> Task:
    """A tick with one moving source, not mixed."""
    return _ticking(1, "none")


def tick_64() -> Task:
    """A tick with 64 moving sources, not mixed."""
    return _ticking(64, "none")


def tick_64_mixed() -> Task:
    """A tick with 64 moving sources, packed and mixed."""
    return _ticking(64, "'null'")


def stream() -> Task:
    """The memory that ten seconds of a music file of 100 MB take, with its window, in bytes."""
    folder = tempfile.TemporaryDirectory()
    with WavWriter(Path(folder.name) / "long.wav", RATE, 2) as writer:
        noise = np.random.default_rng(1).uniform(-0.3, 0.3, (RATE, 2)).astype(np.float32)
        for _ in range(_SECONDS):
            writer.write(noise)
    text = "rish: 1\nplugins: [audio]\nsettings: {audio: {output: 'null'}}\n"
    (Path(folder.name) / "game.yaml").write_text(text)

    def measure() -> float:
        from rish_core import open_game

        with open_game(folder.name, headless=True) as app:
            app.tick()
            tracemalloc.start()
            app.world.spawn(AudioSource(clip="long.wav", loop=True, spatial=False))
            for _ in range(600):
                app.tick()
            assert app.world[AudioOutput].mixer is not None
            assert app.world[ClipLibrary].size > 0
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        return float(peak)

    return figure(measure, folder.cleanup)
