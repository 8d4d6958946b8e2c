"""Makes the pictures of the page about sound again; look at them before committing.

python docs/make_audio_pictures.py [NAME ...]

All curves are results of rish_audio: of its functions, or of samples that its mixer made. Dashed lines are theory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from plots import Plot

from rish_audio import Block, Mixer
from rish_audio.components import block as b
from rish_audio.space.air import air_cutoff
from rish_audio.space.distance import EXPONENTIAL, INVERSE, LINEAR, distance_gain, lengths
from rish_audio.space.layouts import LAYOUTS
from rish_audio.space.listener import directions
from rish_audio.space.motion import doppler
from rish_audio.space.panning import pan_gains
from rish_audio.space.walls import muffled_cutoff, muffled_gain, muffling

Array = np.ndarray[Any, Any]

PICTURES = Path(__file__).parent / "pictures" / "audio"
RATE, TICK, C = 44100, 735, 343.0


def mixed(samples: Array, ticks: int, change: Callable[[int, Block], None] = lambda tick, block: None) -> Array:
    """Return what the mixer makes of one voice that plays samples, float64 (ticks * TICK,).

    change: gets each tick and its block, which plays on at the normal rate, and changes it.
    """
    samples = np.ascontiguousarray(samples, np.float32)
    clips = np.zeros((1, b.CLIP_COLUMNS), np.int64)
    clips[0, : b.LENGTH + 1] = samples.ctypes.data, 1, len(samples), 0, len(samples), len(samples)
    mixer, position, out = Mixer(RATE, 1, 1, 1), 0.0, list[Array]()
    for tick in range(ticks):
        block = Block.empty(1, 1, 1)
        block.head[: b.SEQUENCE + 1] = TICK, 0, tick
        block.whole[0, [b.SERIAL, b.SEND]] = 1, -1
        block.real[0, : b.CUTOFF + 1] = position, 1.0, 1.0, 0.5
        block.gains[0, 0] = 1.0
        block.buses[0, [b.PARENT, b.GAIN, b.DUCK_BY]] = -1, 1, -1
        change(tick, block)
        position = block.real[0, b.POSITION] + TICK * block.real[0, [b.RATE_BEGIN, b.RATE_END]].mean()
        out.append(mixer.mix(block, clips)[:, 0])
    return np.concatenate(out).astype(float)


def tone(hertz: float, seconds: float) -> Array:
    """Return a sine of amplitude 1."""
    return np.sin(2 * np.pi * hertz / RATE * np.arange(round(seconds * RATE)))


def decibels(value: Any) -> Array:
    """Return a gain in decibels, at least -200."""
    return 20 * np.log10(np.maximum(np.abs(value), 1e-10))


def at_angles(degrees: Array) -> Array:
    """Return the directions at angles clockwise from the front."""
    angle = np.radians(degrees)
    return np.stack((np.sin(angle), np.cos(angle), 0 * angle), axis=1)


def attenuation() -> Plot:
    """Plot the gain by the distance, for each model."""
    plot = Plot("Gain by distance: from 1 m to 100 m", "distance, m", "gain, dB", log_x=True, legend="bottom left")
    plot.y_range, plot.x_range = (-60.0, 3.0), (0.1, 200.0)
    distance = np.geomspace(0.1, 200, 800)
    one = np.ones_like(distance)
    for name, model, factor in (
        ("inverse", INVERSE, 1),
        ("inverse, factor 4", INVERSE, 4),
        ("exponential, factor 2", EXPONENTIAL, 2),
        ("linear", LINEAR, 1),
    ):
        gain = distance_gain(distance, one, 100 * one, factor * one, np.full(len(one), model, np.uint8))
        plot.line(name, distance, decibels(gain))
    plot.line("1 / distance", distance[distance >= 1], decibels(1 / distance[distance >= 1]), dashed=True)
    return plot


def pan_stereo() -> Plot:
    """Plot the gains of two channels by the angle of the source."""
    return _pan("Two channels: gains by direction", 2)


def pan_surround() -> Plot:
    """Plot the gains of 5.1 channels by the angle of the source."""
    return _pan("5.1 channels: gains by direction", 6)


def _pan(title: str, channels: int) -> Plot:
    plot = Plot(title, "angle from the front, degrees (right is positive)", "gain", size=(880, 420))
    plot.y_range, plot.x_range = (0.0, 1.1), (-180.0, 320.0)
    degrees = np.arange(-180, 181.0)
    gains = pan_gains(at_angles(degrees), channels)
    for index, name in enumerate(LAYOUTS[channels]):
        if name != "LFE":
            plot.line(name, degrees, gains[:, index])
    plot.line("root of the power", degrees, np.sqrt((gains**2).sum(axis=1)), dashed=True)
    return plot


def pan_near() -> Plot:
    """Plot the gains while a source flies through the listener from left to right."""
    plot = Plot("A source flies through the listener", "place, units to the right", "gain", legend="top left")
    plot.y_range, plot.x_range = (0.0, 1.4), (-400.0, 400.0)
    x = np.linspace(-400, 400, 801) + 1e-6
    offset = np.stack((x, 0 * x, 0 * x), axis=1)
    for near, dashed in ((200.0, False), (0.0, True)):
        gains = pan_gains(directions(offset, lengths(offset), np.full(len(x), near)), 2)
        for side, name in enumerate(("left", "right")):
            plot.line(f"{name}, {'least distance 200' if near else 'without it'}", x, gains[:, side], dashed=dashed)
    return plot


def doppler_pass() -> Plot:
    """Plot the frequency of a siren that passes, measured in the samples, and by the formula."""
    plot = Plot("440 Hz pass at 40 m/s, 10 m away", "time, s", "frequency, Hz", legend="bottom left")
    plot.x_range, plot.y_range = (-1.5, 1.5), (380.0, 510.0)
    times = np.arange(-90, 91) / 60
    place = np.stack((40 * times, np.full(len(times), 10.0), 0 * times), axis=1)
    velocity = np.tile([40.0, 0.0, 0.0], (len(times), 1))
    rates = doppler(place, lengths(place), velocity, np.zeros(3), C)

    def change(tick: int, block: Block) -> None:
        block.real[0, [b.RATE_BEGIN, b.RATE_END]] = rates[tick : tick + 2]

    samples = mixed(tone(440, 4), len(rates) - 1, change)
    when, hertz = frequencies(samples, 1323)
    plot.line("measured, every 30 ms", when - 1.5, hertz, dots=True)
    closing = -40.0 * place[:, 0] / lengths(place)
    plot.line("440 c / (c - v)", times, 440 * C / (C - closing), dashed=True)
    return plot


def frequencies(samples: Array, step: int) -> tuple[Array, Array]:
    """Return times in seconds and the frequency around each, from the places where the samples cross zero upwards."""
    rising = np.flatnonzero((samples[:-1] < 0) & (samples[1:] >= 0))
    crossing = rising + samples[rising] / (samples[rising] - samples[rising + 1])
    edges = np.arange(step, len(samples) - step, step)
    first, last = np.searchsorted(crossing, edges), np.searchsorted(crossing, edges + step)
    hertz = (last - first) / (crossing[last] - crossing[first]) * RATE
    return (crossing[first] + crossing[last]) / 2 / RATE, hertz


def _at_rate(hertz: float, rate: float) -> tuple[float, float, Array]:
    """Play a sine at a rate; return the amplitude that is wanted, that of all else, and the samples."""

    def change(tick: int, block: Block) -> None:
        block.real[0, [b.RATE_BEGIN, b.RATE_END]] = rate

    samples = mixed(tone(hertz, 1.5), 30, change)[2000:20000]
    n = np.arange(len(samples)) * 2 * np.pi * hertz * rate / RATE
    basis = np.stack((np.sin(n), np.cos(n)), axis=1)
    fit = np.linalg.lstsq(basis, samples, rcond=None)[0]
    return float(np.hypot(*fit)), float(np.std(samples - basis @ fit) * np.sqrt(2)), samples


def resampling_levels() -> Plot:
    """Plot how loud a tone of a clip is at another rate, and all frequencies that should not be there."""
    plot = Plot("A clip a semitone higher: a tone, and what is added to it", "frequency in the clip, kHz", "level, dB")
    plot.y_range, plot.x_range, plot.legend = (-120.0, 10.0), (0.0, 20.0), "bottom right"
    hertz = np.linspace(300, 19700, 98)
    played = [_at_rate(each, 2 ** (1 / 12))[:2] for each in hertz]
    plot.line("the tone", hertz / 1000, decibels([wanted for wanted, _ in played]))
    plot.line("what is added", hertz / 1000, decibels([added for _, added in played]))
    x = np.linspace(-2, 2, 4001)
    far = np.abs(x)
    kernel = np.where(far < 1, 1.5 * far**3 - 2.5 * far**2 + 1, -0.5 * far**3 + 2.5 * far**2 - 4 * far + 2)
    response = [np.sum(kernel * np.cos(2 * np.pi * each / RATE * x)) * 0.001 for each in hertz]
    plot.line("the tone, theory", hertz / 1000, decibels(response), dashed=True)
    return plot


def resampling_spectrum() -> Plot:
    """Plot the spectrum of a tone of 5 kHz that is played a major third higher."""
    plot = Plot("A tone of 5 kHz, a major third higher", "frequency, kHz", "level, dB", legend="top right")
    plot.y_range, plot.x_range = (-140.0, 10.0), (0.0, 22.05)
    samples = _at_rate(5000, 2 ** (4 / 12))[2][:16384]
    window = np.blackman(len(samples))
    spectrum = np.abs(np.fft.rfft(samples * window)) * 2 / window.sum()
    plot.line("mixed samples", np.arange(len(spectrum)) * RATE / 16384 / 1000, decibels(spectrum))
    return plot


def _responses(change: Callable[[int, Block], None], ticks: int = 60) -> Array:
    """Return the response to one sample of 1, in the second tick, of a bus or voice that `change` sets up."""
    impulse = np.zeros(ticks * TICK)
    impulse[TICK] = 1.0
    return mixed(impulse, ticks, change)[TICK:]


def filters() -> Plot:
    """Plot the responses of the filters of buses and voices."""
    plot = Plot("Filters at 1 kHz", "frequency, Hz", "level, dB", log_x=True, legend="bottom left")
    plot.y_range, plot.x_range = (-60.0, 6.0), (1.0, 22050.0)
    hertz = np.geomspace(1, 22000, 500)

    def bus(column: int) -> Callable[[int, Block], None]:
        return lambda tick, block: block.buses[0].__setitem__(column, 1000 / RATE)

    def voice(tick: int, block: Block) -> None:
        block.real[0, b.CUTOFF] = 1000 / RATE

    for name, change in (("low-pass", bus(b.LOW_PASS)), ("high-pass", bus(b.HIGH_PASS)), ("of a voice", voice)):
        response = np.abs(np.fft.rfft(_responses(change)))
        plot.line(name, hertz, decibels(np.interp(hertz, np.linspace(0, RATE / 2, len(response)), response)))
    warped = np.tan(np.pi * hertz / RATE) / np.tan(np.pi * 1000 / RATE)
    plot.line("low-pass, theory", hertz, -10 * np.log10(1 + warped**4), dashed=True)
    return plot


def reverb() -> Plot:
    """Plot how the reverb decays: the energy that is still to come after each time."""
    plot = Plot("Reverb: energy that is left", "time after a clap, s", "level, dB", legend="top right")
    plot.y_range, plot.x_range = (-70.0, 5.0), (0.0, 3.0)
    for room, damp in ((0.2, 0.4), (0.6, 0.4), (0.9, 0.4), (0.9, 1.0)):

        def change(tick: int, block: Block, room: float = room, damp: float = damp) -> None:
            block.buses[0, [b.REVERB_MIX, b.REVERB_ROOM, b.REVERB_DAMP]] = 1, room, damp

        energy = np.cumsum(_responses(change, 240)[::-1] ** 2)[::-1][: 3 * RATE]
        plot.line(f"room {room}, damp {damp}", np.arange(len(energy)) / RATE, decibels(energy / energy[0]) / 2)
    return plot


def splice() -> Plot:
    """Plot the samples around a jump to another position of a clip."""
    plot = Plot("A seek in a tone of 440 Hz", "time, ms", "sample", legend="top right")
    plot.x_range, plot.y_range = (-5.0, 12.0), (-1.2, 1.8)
    samples, jump = tone(440, 2), 20050.0

    def change(tick: int, block: Block) -> None:
        if tick == 10:
            block.real[0, b.POSITION] = jump

    made = mixed(samples, 20, change)
    plain = np.concatenate((samples[: 10 * TICK], samples[int(jump) :]))
    for name, line in (("put together", plain), ("mixed: a cross-fade", made)):
        around = line[10 * TICK - 220 : 10 * TICK + 529]
        plot.line(name, (np.arange(len(around)) - 220) / RATE * 1000, around, dashed=line is plain)
    return plot


def air() -> Plot:
    """Plot the cutoff by the distance, and the frequency that loses 3 dB by ISO 9613-1."""
    plot = Plot("Air: the frequency that has lost 3 dB", "distance, m", "frequency, Hz", log_x=True, log_y=True)
    plot.x_range, plot.y_range = (5.0, 1000.0), (100.0, 30000.0)
    meters = np.geomspace(5, 1000, 100)
    plot.line("air_cutoff", meters, air_cutoff(meters))
    hertz = np.geomspace(100, 30000, 2000)
    for humidity in (70, 30):
        loss = absorption(hertz, 293.15, humidity)
        plot.line(f"ISO 9613-1, {humidity} % humidity", meters, np.interp(3 / meters, loss, hertz), dashed=True)
    return plot


def absorption(hertz: Array, kelvin: float, humidity: float) -> Array:
    """Return the absorption of air at sea level in dB/m, by ISO 9613-1, equations 3 to 5 and B.3."""
    t = kelvin / 293.15
    h = humidity * 10 ** (-6.8346 * (273.16 / kelvin) ** 1.261 + 4.6151)
    oxygen = 24 + 4.04e4 * h * (0.02 + h) / (0.391 + h)
    nitrogen = t**-0.5 * (9 + 280 * h * np.exp(-4.17 * (t ** (-1 / 3) - 1)))
    square = hertz**2
    relaxing = 0.01275 * np.exp(-2239.1 / kelvin) / (oxygen + square / oxygen)
    relaxing += 0.1068 * np.exp(-3352.0 / kelvin) / (nitrogen + square / nitrogen)
    return 8.686 * square * (1.84e-11 * t**0.5 + t**-2.5 * relaxing)


def walls() -> Plot:
    """Plot what is heard of each frequency behind walls, measured in mixed samples."""
    plot = Plot("Behind walls", "frequency, Hz", "level, dB", log_x=True, legend="bottom left")
    plot.y_range, plot.x_range = (-60.0, 3.0), (20.0, 20000.0)
    hertz = np.geomspace(20, 20000, 300)
    for edges in (0, 1, 2, 4):
        share = muffling(np.array([float(edges)]))

        def change(tick: int, block: Block, share: Array = share) -> None:
            block.real[0, b.CUTOFF] = muffled_cutoff(share)[0] / RATE
            block.gains[0, 0] = muffled_gain(share)[0]

        response = np.abs(np.fft.rfft(_responses(change)))
        level = decibels(np.interp(hertz, np.linspace(0, RATE / 2, len(response)), response))
        plot.line(f"{edges} edge{'s' * (edges != 1)} between", hertz, level)
    return plot


PLOTS: dict[str, Callable[[], Plot]] = {
    plot.__name__: plot
    for plot in (
        attenuation, pan_stereo, pan_surround, pan_near, doppler_pass, air, walls, resampling_levels,
        resampling_spectrum, splice, filters, reverb,
    )
}  # fmt: skip


def main(names: list[str]) -> int:
    """Draw the named plots, all of them if none is named."""
    PICTURES.mkdir(exist_ok=True)
    for name in names or PLOTS:
        PLOTS[name]().save(PICTURES / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
