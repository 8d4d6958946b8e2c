"""The instruments: meters of the buses, the newest samples, their spectrum. They read the mixer and only draw."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_audio import AudioOutput, AudioSettings, Buses
from rish_core import Stage, World, system
from rish_jit import Array

from .components import Needles
from .desk import STRIPS
from .pen import AMBER, CYAN, DIM, GOLD, GREEN, PANEL, RED, WHITE, Pen, faded
from .table import ink_of

_FLOOR = -60.0
"""Decibels at the lower end of the meters."""
_BASE, _TALL = 36.0, 114.0
"""Lower end and height of the meters."""
_FALL = 12.0
"""Decibels a second by which held peaks and the spectrum fall."""
_LEAST = 0.05
"""The amplitude that fills the picture of the samples; a louder one is scaled to fit."""
_BANDS = 60
_LOWEST, _HIGHEST = 40.0, 16_000.0
"""Hz, of the spectrum."""
_QUIETEST = -84.0
"""Decibels at the bottom of the spectrum."""


def decibels(values: Any) -> Array:
    """Return amplitudes in dB, at least -120; only for drawing."""
    return 20 * np.log10(np.maximum(values, 1e-6))


@system(Stage.EXTRACT, before="render.extract", writes=Needles)
def draw_instruments(world: World, dt: float) -> None:
    """Draw all instruments over the line that says that there is no output."""
    mixer = world[AudioOutput].mixer
    if mixer is None or not mixer.frames:
        return
    pen, needles = Pen(world, "hud", 1), world[Needles]
    for x, width in ((24, 294), (352, 244), (628, 238)):
        pen.box(x, 28, width, 124, PANEL)
    fall = _FALL / 60
    _meters(world, pen, needles, fall, mixer.peak, mixer.rms)
    wave = np.array(mixer.wave)
    _scope(pen, wave)
    _spectrum(pen, needles, fall, wave.mean(axis=1), world[AudioSettings].rate)
    pen.done()


def _meters(world: World, pen: Pen, needles: Needles, fall: float, peak: Array, rms: Array) -> None:
    """Draw for each bus its rms as a bar, its peak as a thin bar, and the peak that is held as a line."""
    peaks = decibels(peak.max(axis=1))
    if len(needles.held) != len(peaks):
        needles.held = np.full(len(peaks), _FLOOR)
    needles.held = np.maximum(needles.held - fall, peaks)
    names = [world.text(int(number)) for number in world[Buses].column("name")]
    for level in (0, -12, -24, -36, -48):
        pen.lines([[48, _height(level), 314, _height(level)]], faded(DIM, 0.9) if level else faded(RED, 0.6), 1)
    for number, name in enumerate(STRIPS):
        if name not in names:
            continue
        row, middle = names.index(name), 72 + 46 * number
        for channel, x in enumerate((middle - 14, middle + 1)):
            side = min(channel, rms.shape[1] - 1)
            pen.box(x, _BASE, 13, _TALL, (8, 11, 22, 255), 2)
            _bar(pen, x, 13, float(decibels(peak[row, side])), 0.35)
            _bar(pen, x + 2, 9, float(decibels(rms[row, side])), 1.0)
        held = float(needles.held[row])
        if held > _FLOOR:
            pen.box(middle - 14, _height(min(held, 0)) - 1, 28, 2, RED if held > -0.3 else WHITE)


def _height(level: float) -> float:
    return _BASE + _TALL * (1 - level / _FLOOR)


def _bar(pen: Pen, x: float, width: float, level: float, share: float) -> None:
    pen.box(x, _BASE, width, min(max(_height(level) - _BASE, 0), _TALL), faded(ink_of(level), share), 1)


def _scope(pen: Pen, wave: Array) -> None:
    """Draw the newest samples, left above and right below: between the least and the greatest of each column."""
    wave = wave / max(float(np.abs(wave).max()), _LEAST)
    for channel, (middle, ink) in enumerate(((121.0, CYAN), (59.0, AMBER))):
        pen.lines([[352, middle, 596, middle]], DIM, 1)
        samples = wave[:, min(channel, wave.shape[1] - 1)].reshape(512, -1)
        ends = np.column_stack([samples.min(axis=1), samples.max(axis=1)])
        x = 352 + 244 * np.arange(512) / 511
        y = middle + 28 * ends
        pen.path(np.column_stack([np.repeat(x, 2), y.ravel()]), ink, 1.1)


def _spectrum(pen: Pen, needles: Needles, fall: float, samples: Array, rate: int) -> None:
    """Draw the spectrum in bands of equal width in octaves."""
    window = np.hanning(len(samples))
    found = np.abs(np.fft.rfft(samples * window)) * (2 / window.sum())
    edges = np.geomspace(_LOWEST, _HIGHEST, _BANDS + 1) * len(samples) / rate
    first = np.minimum(edges[:-1].astype(int), len(found) - 1)
    last = np.maximum(np.minimum(edges[1:].astype(int), len(found)), first + 1)
    levels = decibels([found[a:b].max() for a, b in zip(first, last, strict=True)])
    if len(needles.spectrum) != _BANDS:
        needles.spectrum = np.full(_BANDS, _QUIETEST)
    needles.spectrum = np.maximum(needles.spectrum - 4 * fall, levels)
    step = 238 / _BANDS
    for hertz in (100, 1000, 10_000):
        x = 628 + 238 * np.log(hertz / _LOWEST) / np.log(_HIGHEST / _LOWEST)
        pen.lines([[x, 34, x, 152]], DIM, 1)
    for band, level in enumerate(needles.spectrum.tolist()):
        tall = 116 * min(max(1 - level / _QUIETEST, 0.0), 1.0)
        ink = GOLD if level > -20 else GREEN if level > -44 else CYAN
        pen.box(628 + step * band + 0.5, 34, step - 1, tall, ink, 1)
