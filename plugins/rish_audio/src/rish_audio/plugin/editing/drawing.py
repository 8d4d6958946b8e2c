"""Waveforms, meters and faders, drawn on canvases of the editor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from .clips import Clips
from .player import Player

if TYPE_CHECKING:
    from rish_editor import UI, Editor

    from ...sounds.sound import Sound
    from .clips import Clip

SILENT = -60.0
"""The level at the bottom of a meter, decibels; lower levels are drawn as silence."""
TOP = 6.0
"""The level at the top of faders and meters, decibels."""
_WARM, _HOT = -12.0, -1.0
"""The levels from which a meter has the color of a warning and of an error, decibels."""


def decibels(gain: float) -> float:
    """Convert a factor to decibels, at least `SILENT`."""
    return 20.0 * math.log10(gain) if gain > 10.0 ** (SILENT / 20.0) else SILENT


def factor(level: float) -> float:
    """Convert decibels to a factor; `SILENT` is converted to 0."""
    return 0.0 if level <= SILENT else 10.0 ** (level / 20.0)


def shown_level(gain: float) -> str:
    """Return a factor as text in decibels, such as `-6.0`."""
    level = decibels(gain)
    return "-∞" if level <= SILENT else f"{level:+.1f}" if level > 0.05 else f"{min(level, 0.0):.1f}"


def height_of(level: float) -> float:
    """Return the position of a level in decibels on a fader or a meter, from 0 at the bottom to 1. High levels take
    more room than low ones.
    """
    share = (level - SILENT) / (TOP - SILENT)
    return min(max(share, 0.0), 1.0) ** 1.8


def level_at(height: float) -> float:
    """Return the decibels at a height of a fader, the inverse of `height_of`."""
    return SILENT + min(max(height, 0.0), 1.0) ** (1 / 1.8) * (TOP - SILENT)


def draw_wave(canvas: Any, peaks: Array, color: str, *, played: float = 0.0) -> None:
    """Draw lowest and highest samples (n, 2) over a canvas. played: the share, 0 to 1, that is drawn in the accent
    color.
    """
    width, height = canvas.size
    middle, reach = height / 2, height / 2 - 2
    canvas.line((0, middle), (width, middle), "grid_major")
    count = len(peaks)
    x = np.repeat((np.arange(count) + 0.5) * (width / count), 2)
    y = middle - np.clip(peaks[:, ::-1], -1, 1) * reach
    y[:, 1] = np.maximum(y[:, 1], y[:, 0] + 1.0)
    points = np.stack([x, y.reshape(-1)], axis=1).tolist()
    with canvas.clipped():
        split = 2 * min(max(round(played * count), 0), count)
        canvas.polyline(points[max(split - 1, 0) :], color, 1.5)
        if split:
            canvas.polyline(points[:split], "accent", 1.5)
            canvas.line((played * width, 0), (played * width, height), "text")


def draw_meter(canvas: Any, x: float, width: float, peak: float, peak_hold: float) -> None:
    """Draw a bar from the bottom of a canvas up to a peak, and a line at the held peak. peak, peak_hold: factors."""
    bottom = canvas.size[1]
    canvas.rect(x, 0, width, bottom, "stripe")
    level = decibels(peak)
    low = 0.0
    for limit, color in ((_WARM, "ok"), (_HOT, "warning"), (TOP, "error")):
        high = height_of(min(level, limit))
        if high > low:
            canvas.rect(x, bottom * (1 - high), width, bottom * (high - low), color)
            low = high
    mark = decibels(peak_hold)
    if mark > SILENT:
        color = "error" if mark >= _HOT else "warning" if mark >= _WARM else "ok"
        canvas.rect(x, bottom * (1 - height_of(mark)), width, 2, color)


def draw_fader(canvas: Any, x: float, gain: float, unit: float, *, muted: bool) -> None:
    """Draw the groove and the knob of a fader around x, with a line at 0 dB. unit: pixels per unit."""
    height, thick = canvas.size[1], 5.0 * unit
    canvas.rect(x - 2 * unit, 0, 4 * unit, height, "border_strong", rounding=2 * unit)
    zero = height * (1 - height_of(0.0))
    canvas.line((x - 8 * unit, zero), (x + 8 * unit, zero), "text_dim")
    at = min(max(height * (1 - height_of(decibels(gain))), thick), height - thick)
    color = "text_disabled" if muted else "accent_hover" if canvas.held or canvas.hovered else "accent"
    canvas.rect(x - 10 * unit, at - thick, 20 * unit, 2 * thick, color, rounding=2 * unit)
    canvas.line((x - 7 * unit, at), (x + 7 * unit, at), "on_accent", 1.5 * unit)


def beside(ui: UI, gap: float, width: float) -> None:
    """Put the next widget onto the same line if there is room for its width, in units; otherwise onto the next one."""
    ui.same_line(gap)
    if ui.room[0] < ui.px(width):
        ui.raw.new_line()


def preview_of(
    ui: UI, editor: Editor, sound: Sound | None, *, gain: float = 1.0, pitch: float = 1.0, loop: bool | None = None,
    generator: Any = None, height: float = 36.0,
) -> Clip | None:  # fmt: skip
    """Draw a button that plays a sound, and its waveform; return the clip if it is read.

    loop: None uses the loop of the sound. generator: a `Synth` or `Tune` that is played instead of the one of the
    sound.
    """
    tr, player, clips, game = editor.tr, Player.of(editor), Clips.of(editor), editor.game
    assert game is not None
    name = sound.name if sound is not None else ""
    source = sound.made if generator is None and sound is not None else generator

    def load() -> Clip | None:
        if source is not None:
            return clips.made(name, source, 44_100)
        return clips.of_sound(game.world, sound) if sound is not None else None

    clip = load()
    plays = bool(name) and player.name == name
    tip = tr("Stop") if plays else tr("Play a preview; the game is not changed")
    if ui.icon_button(ui.icon("stop" if plays else "play"), "preview", tip, enabled=sound is not None, active=plays):
        if plays:
            player.stop()
        elif sound is not None:
            repeats = sound.loop if loop is None else loop
            player.play(name, load, gain=gain * sound.gain, pitch=pitch * sound.pitch, loop=repeats)
    ui.same_line(4)
    canvas = ui.canvas("wave", height, background="input")
    problem = clips.problems.get(name, "") if clip is None else ""
    if clip is not None:
        draw_wave(canvas, clip.peaks, "sound", played=player.place if plays else 0.0)
        canvas.text((canvas.size[0] - 6, 3), f"{clip.seconds:.2f} s", "text_dim", right=True)
    elif sound is None:
        canvas.text((8, canvas.size[1] / 2 - 8), tr("No sound is chosen"), "text_disabled")
    elif not problem:
        canvas.text((8, canvas.size[1] / 2 - 8), tr("Reading…"), "text_disabled")
    if problem or player.problem:
        ui.text(problem or tr("No preview: {why}", why=player.problem), "warning", wrap=True)
        ui.mark("problem")
    return clip
