"""Sounds that ship with the synthesizer, by name: effects, loops, instruments and drums."""

from __future__ import annotations

from .notation import hertz_of
from .parameters import Synth, Wave

_SQUARE, _SAW, _TRIANGLE, _SINE, _NOISE, _PINK, _ = Wave

EFFECTS: dict[str, Synth] = {
    "coin": Synth(
        frequency=hertz_of("b5"), arpeggio=[0, 5], arpeggio_time=0.07, duty=0.4, hold=0.09, punch=0.4, decay=0.4,
        decay_power=2, low_pass=9000, gain=0.4,
    ),
    "laser": Synth(
        frequency=1500, slide=-130, slide_change=120, duty=0.3, duty_slide=0.8, hold=0.06, punch=0.5, decay=0.2,
        high_pass=180, flanger=0.4, flanger_slide=8, gain=0.4,
    ),
    "explosion": Synth(
        wave=_PINK, frequency=500, slide=-30, attack=0.002, hold=0.12, punch=1.2, decay=1.2, decay_power=3,
        low_pass=5000, low_pass_slide=-36, resonance=0.2, high_pass=35, flanger=6, flanger_slide=-4, gain=0.9,
    ),
    "jump": Synth(
        frequency=240, slide=75, slide_change=-80, duty=0.4, attack=0.004, hold=0.07, punch=0.2, decay=0.16,
        low_pass=5000, gain=0.4,
    ),
    "hit": Synth(
        wave=_SAW, frequency=320, slide=-130, noise=0.55, attack=0.001, hold=0.02, punch=0.8, decay=0.16,
        decay_power=2, low_pass=6000, low_pass_slide=-60, high_pass=60, gain=0.7,
    ),
    "power_up": Synth(
        frequency=hertz_of("c5"), arpeggio=[0, 4, 7, 12, 16, 19], arpeggio_time=0.06, duty=0.3, vibrato=0.3,
        vibrato_rate=14, hold=0.36, punch=0.2, decay=0.35, decay_power=2, low_pass=8000, gain=0.4,
    ),
    "blip": Synth(frequency=880, duty=0.4, attack=0.001, hold=0.03, decay=0.05, low_pass=7000, gain=0.35),
    "click": Synth(
        wave=_TRIANGLE, frequency=1900, slide=-500, noise=0.3, attack=0.0005, hold=0.003, decay=0.03, decay_power=2,
        high_pass=300, gain=0.4,
    ),
    "hurt": Synth(
        wave=_SAW, frequency=420, slide=-70, vibrato=1.5, vibrato_rate=28, noise=0.2, attack=0.003, hold=0.06,
        punch=0.5, decay=0.24, low_pass=3500, low_pass_slide=-30, resonance=0.3, gain=0.5,
    ),
    "step": Synth(
        wave=_NOISE, frequency=120, slide=-60, attack=0.002, hold=0.012, punch=0.6, decay=0.08, decay_power=2,
        low_pass=1400, low_pass_slide=-120, resonance=0.2, high_pass=90, gain=0.5,
    ),
    "door": Synth(
        wave=_SAW, frequency=75, slide=14, vibrato=2.5, vibrato_rate=17, noise=0.1, attack=0.03, hold=0.3, decay=0.25,
        low_pass=900, low_pass_slide=18, resonance=0.7, high_pass=120, gain=0.45,
    ),
    "splash": Synth(
        wave=_NOISE, frequency=700, slide=-6, attack=0.012, hold=0.08, punch=0.9, decay=0.7, decay_power=3,
        low_pass=5500, low_pass_slide=-28, resonance=0.35, high_pass=350, flanger=1.2, flanger_slide=6, gain=0.6,
    ),
    "thud": Synth(
        wave=_SINE, frequency=130, slide=-70, noise=0.12, attack=0.001, hold=0.03, punch=0.5, decay=0.22,
        decay_power=2, low_pass=700, gain=0.7,
    ),
    "whoosh": Synth(
        wave=_PINK, frequency=600, attack=0.16, hold=0.04, decay=0.24, decay_power=2, low_pass=600,
        low_pass_slide=75, resonance=0.65, high_pass=200, gain=0.6,
    ),
    "alarm": Synth(
        frequency=hertz_of("a5"), arpeggio=[0, -5], arpeggio_time=0.2, repeat=0.4, duty=0.45, attack=0.005, hold=1.55,
        decay=0.045, low_pass=4500, gain=0.25,
    ),
    "win": Synth(
        frequency=hertz_of("g4"), arpeggio=[0, 5, 9, 12, 12, 9, 12], arpeggio_time=0.11, duty=0.35, detune=0.12,
        attack=0.004, hold=0.85, decay=0.7, decay_power=2, low_pass=6000, gain=0.4,
    ),
    "lose": Synth(
        wave=_SAW, frequency=hertz_of("e4"), arpeggio=[0, -1, -2, -3], arpeggio_time=0.24, vibrato=0.25, vibrato_rate=7,
        detune=0.1, attack=0.01, hold=0.9, decay=0.6, decay_power=2, low_pass=2200, low_pass_slide=-8, resonance=0.2,
        gain=0.45,
    ),
}  # fmt: skip

LOOPS: dict[str, Synth] = {
    "engine": Synth(
        wave=_SAW, frequency=55, vibrato=0.25, vibrato_rate=9, detune=0.3, noise=0.12, hold=1.9, attack=0.05,
        decay=0.05, low_pass=650, low_pass_vibrato=4, resonance=0.35, high_pass=30, gain=0.45, loop=True,
    ),
    "hum": Synth(
        wave=_SAW, frequency=100, detune=0.06, hold=1.9, attack=0.05, decay=0.05, low_pass=320, resonance=0.1, gain=0.3,
        loop=True,
    ),
    "wind": Synth(
        wave=_PINK, frequency=600, vibrato_rate=0.5, hold=5.9, attack=0.05, decay=0.05, low_pass=650,
        low_pass_vibrato=9, resonance=0.75, high_pass=150, gain=0.4, loop=True,
    ),
}  # fmt: skip
"""Effects without an end; see `Synth.loop`."""

INSTRUMENTS: dict[str, Synth] = {
    "lead": Synth(
        duty=0.3, detune=0.08, vibrato=0.12, vibrato_rate=5.5, attack=0.006, hold=0.2, punch=0.3, decay=0.09,
        low_pass=5200,
    ),
    "bass": Synth(
        wave=_SAW, attack=0.003, hold=0.15, punch=0.6, decay=0.06, low_pass=700, low_pass_slide=-10, resonance=0.35,
    ),
    "pad": Synth(
        wave=_SAW, detune=0.09, attack=0.25, hold=1, decay=0.7, decay_power=2, low_pass=1500, resonance=0.1,
        high_pass=120,
    ),
    "pluck": Synth(
        wave=_SAW, detune=0.05, attack=0.002, hold=0, decay=0.6, decay_power=3, low_pass=4200, low_pass_slide=-40,
        resonance=0.25,
    ),
    "bell": Synth(wave=_TRIANGLE, detune=12.02, attack=0.002, hold=0, decay=1.3, decay_power=4),
    "flute": Synth(
        wave=_TRIANGLE, noise=0.04, vibrato=0.18, vibrato_rate=5, attack=0.05, hold=0.3, decay=0.14, low_pass=3200,
    ),
    "organ": Synth(wave=_SINE, detune=12, attack=0.015, hold=0.3, decay=0.08),
}  # fmt: skip
"""Sounds for the tracks of a tune, which set their frequency and their hold."""

DRUMS: dict[str, Synth] = {
    "kick": Synth(
        wave=_SINE, frequency=170, slide=-250, slide_change=1700, attack=0.001, hold=0.03, punch=0.3, decay=0.2,
        decay_power=2, noise=0.02, low_pass=3000,
    ),
    "snare": Synth(
        wave=_TRIANGLE, frequency=210, slide=-60, noise=0.72, attack=0.001, hold=0.02, punch=0.7, decay=0.15,
        decay_power=2, high_pass=220, low_pass=8500,
    ),
    "hat": Synth(
        wave=_NOISE, frequency=1400, attack=0.0005, hold=0.004, decay=0.045, decay_power=2, high_pass=7000,
    ),
    "open_hat": Synth(
        wave=_NOISE, frequency=1400, attack=0.001, hold=0.03, decay=0.26, decay_power=2, high_pass=6500,
    ),
    "tom": Synth(
        wave=_SINE, frequency=150, slide=-55, noise=0.05, attack=0.001, hold=0.03, punch=0.4, decay=0.26,
        decay_power=2, low_pass=2500,
    ),
    "clap": Synth(
        wave=_NOISE, frequency=500, attack=0.001, hold=0.015, punch=0.5, decay=0.17, decay_power=3, low_pass=3200,
        resonance=0.45, high_pass=800,
    ),
    "crash": Synth(
        wave=_NOISE, frequency=1400, attack=0.001, hold=0.02, punch=0.5, decay=1.3, decay_power=3, high_pass=4200,
    ),
}  # fmt: skip

PRESETS: dict[str, Synth] = {**EFFECTS, **LOOPS, **INSTRUMENTS, **DRUMS}
"""All sounds that ship with the synthesizer; change a copy (`copy_synth`, `vary`), not these."""
