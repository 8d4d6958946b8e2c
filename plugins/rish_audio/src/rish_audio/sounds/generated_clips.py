"""Clips that are made: sounds of the synthesizer and tunes, of the settings and of those that ship."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import Any

from rish_core.manifest import Mark, Report

from ..clips.info import ClipInfo
from ..synth.filters import compile_filter
from ..synth.parameters import Synth, frames_of
from ..synth.presets import PRESETS
from ..synth.reading import load_tune, read_synth, read_tune, shipped_tunes
from ..synth.render import synthesize
from ..synth.tune import Tune, render_tune, tune_frames
from .sound import Sound

Steps = tuple[str | int, ...]


def read_made(key: str, node: Any, mark: Mark, path: Steps, report: Report) -> Synth | Tune:
    """Return what makes a clip. key: `synth` or `tune`, whose value may be the name of a tune that ships."""
    if key == "synth":
        return read_synth(node, mark, path, report)
    if isinstance(node, str) and node in shipped_tunes():
        return load_tune(node)
    return read_tune(node, mark, path, report)


@cache
def shipped() -> dict[str, Sound]:
    """Return the sounds that ship with the plugin, by name: those of the synthesizer, then tunes."""
    found: dict[str, Sound] = {}
    for name, synth in PRESETS.items():
        found[name] = sound = Sound(clips=[f"synth:{name}"], loop=synth.loop)
        sound.made = synth
    for name in shipped_tunes():
        found[name] = sound = Sound(clips=[f"tune:{name}"], loop=True, bus="music", spatial=False)
        sound.made = name
    for name, sound in found.items():
        sound.name = name
    return found


def made_clip(made: Any, rate: int) -> tuple[ClipInfo, Callable[[], Any]]:
    """Return the information of a clip that is made, and the function that renders its samples.

    made: a `Synth`, a `Tune`, or the name of a tune that ships.
    """
    tune: Any = load_tune(made) if isinstance(made, str) else made
    if isinstance(tune, Tune):
        return ClipInfo(tune_frames(tune, rate), rate, 2), lambda: _render(render_tune, tune, rate)
    frames = frames_of(tune, rate)
    return ClipInfo(frames, rate, 1), lambda: _render(synthesize, tune, rate).reshape(-1, 1)


def _render(render: Callable[[Any, int], Any], made: Any, rate: int) -> Any:
    """Render samples; in a thread, the kernel that this may need is compiled in another process before."""
    if threading.current_thread() is not threading.main_thread():
        compile_filter()
    return render(made, rate)
