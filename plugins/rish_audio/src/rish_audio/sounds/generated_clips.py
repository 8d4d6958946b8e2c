"""Generated clips: sounds of the synthesizer and tunes, from the settings or shipped with the plugin."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from rish_core.manifest import Mark, Report
from rish_jit import Array
from rish_system import release_memory

from ..clips.info import ClipInfo
from ..clips.sample_file import SampleFile
from ..synth.filters import compile_filter
from ..synth.parameters import Synth, frames_of
from ..synth.presets import PRESETS
from ..synth.reading import load_tune, read_synth, read_tune, shipped_tunes
from ..synth.render import synthesize
from ..synth.tune import Tune, render_tune, tune_frames
from .sound import Sound

Steps = tuple[str | int, ...]


def read_made(key: str, node: Any, mark: Mark, path: Steps, report: Report) -> Synth | Tune:
    """Read the generator of a clip. key: `synth` or `tune`; the value of `tune` may be the name of a tune that
    ships.
    """
    if key == "synth":
        return read_synth(node, mark, path, report)
    if isinstance(node, str) and node in shipped_tunes():
        return load_tune(node)
    return read_tune(node, mark, path, report)


@cache
def shipped() -> dict[str, Sound]:
    """Return the sounds that ship with the plugin, by name: those of the synthesizer, then tunes."""
    sounds: dict[str, Sound] = {}
    for name, synth in PRESETS.items():
        sounds[name] = sound = Sound(clips=[f"synth:{name}"], loop=synth.loop)
        sound.made = synth
    for name in shipped_tunes():
        sounds[name] = sound = Sound(clips=[f"tune:{name}"], loop=True, bus="music", spatial=False)
        sound.made = name
    for name, sound in sounds.items():
        sound.name = name
    return sounds


def made_clip(generator: Any, rate: int) -> tuple[ClipInfo, Callable[[], Array | SampleFile]]:
    """Return the information of a generated clip, and the function that renders its samples; those of a tune are in
    a file.

    generator: a `Synth`, a `Tune`, or the name of a tune that ships.
    """
    tune: Any = load_tune(generator) if isinstance(generator, str) else generator
    if isinstance(tune, Tune):
        return ClipInfo(tune_frames(tune, rate), rate, 2), lambda: _render(render_tune, tune, rate)
    frames = frames_of(tune, rate)
    return ClipInfo(frames, rate, 1), lambda: _render(synthesize, tune, rate).reshape(-1, 1)


def _render(render: Callable[[Any, int], Any], generator: Any, rate: int) -> Any:
    """Render samples; in a thread, the kernel for it is first compiled in another process."""
    if threading.current_thread() is threading.main_thread():
        return render(generator, rate)
    compile_filter()
    samples = render(generator, rate)
    release_memory()  # a note needs ten times the memory of its samples
    return samples
