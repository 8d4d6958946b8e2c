"""Presets written as text and read again lose nothing."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_jit import EASINGS
from rish_particles import Effect, load_effect, read_effect, shipped, write_effect
from rish_particles.curves import ONE, WHITE, Curve
from rish_particles.files.preset_library import PresetLibrary
from rish_particles.files.reading import DEGREES, HOME, SUFFIX
from rish_particles.files.writing import _degrees
from rish_particles.preset import (
    FOR_EVER,
    RESPONSES,
    SHAPES,
    SORTS,
    Attractor,
    Child,
    Collision,
    Emission,
    EmitterShape,
    Forces,
    ParticleLight,
    ParticleLook,
    Preset,
    Pulse,
    Vortex,
)

FOLDER = Path(__file__).parents[3] / "plugins" / "rish_particles" / "src" / "rish_particles" / "presets"


def again(effect: Effect) -> Effect:
    """Write an effect as text, assert that the text has no mistakes, and return the effect read from it."""
    text = write_effect(effect)
    found, report = read_effect(text, "again.particles.yaml")
    assert not report, (text, [str(problem) for problem in report.problems])
    assert found is not None
    return found


@pytest.mark.parametrize("name", shipped())
def test_what_ships_comes_back_as_it_was(name: str):
    """Each preset of the package is equal after it is written and read again, and so is its second text."""
    effect = load_effect(FOLDER / f"{name}{SUFFIX}")
    assert again(effect) == effect
    assert write_effect(again(effect)) == write_effect(effect)


def test_what_is_not_said_is_not_written():
    """Defaults are not written: the default preset is an empty mapping below its comment."""
    assert write_effect(Effect("", {"": Preset()}, ("",)), "A spark.\nOr two.") == "# A spark.\n# Or two.\n{}\n"


def test_an_effect_of_a_running_game_gets_the_names_of_its_file(yard: Any):
    """A running game's effect has full names, and is written with the short names of its file."""
    for name in ("fire", "explosion", "rain"):
        full = yard.world[PresetLibrary].effect(yard.world, name)
        assert full.name == f"{HOME}{name}{SUFFIX}"
        assert again(full) == load_effect(FOLDER / f"{name}{SUFFIX}")


def test_degrees_have_as_few_digits_as_can_be():
    """Angles are written with the fewest digits that read back as the same value."""
    for degrees in (0.0, 1.0, 82.0, -101.0, 33.3, 0.125, 359.99, 1 / 3):
        assert _degrees(degrees * DEGREES) == pytest.approx(degrees, rel=1e-15)
        assert _degrees(degrees * DEGREES) * DEGREES == degrees * DEGREES
    assert str(_degrees(33.3 * DEGREES)) == "33.3"


def numbers(low: float = -1e6, high: float = 1e6) -> Any:
    """Return a strategy of finite numbers within a range, short and long ones."""
    return st.floats(low, high) | st.integers(math.ceil(low), int(high)).map(float)


def spans(low: float = -1e6, high: float = 1e6) -> Any:
    """Return a strategy of spans (least, greatest)."""
    return st.tuples(numbers(low, high), numbers(low, high)).map(lambda two: (min(two), max(two)))


def turns(maximum: float = 3600.0) -> Any:
    """Return a strategy of spans of angles, which the text has in degrees."""
    return spans(-maximum, maximum).map(lambda span: (span[0] * DEGREES, span[1] * DEGREES))


PAIRS = st.tuples(numbers(), numbers())
SIZES = st.tuples(numbers(0), numbers(0))
BYTES = st.integers(0, 255).map(lambda value: value / 255)
COLORS = st.tuples(*[BYTES] * 4) | st.tuples(*[numbers(0, 1)] * 4)
TEXTS = st.text(min_size=1).filter(lambda text: text.isprintable())


def curves(value: Any) -> Any:
    """Return a strategy of curves with keys at different times, each with an easing."""
    keys = st.dictionaries(
        numbers(0, 1), st.tuples(value, st.sampled_from([*EASINGS, "bezier(0.4, 0, 0.2, 1)"])), min_size=1, max_size=4
    )
    return keys.map(
        lambda found: Curve(
            tuple(sorted(found)), tuple(found[t][0] for t in sorted(found)), tuple(found[t][1] for t in sorted(found))
        )
    )


def _sound_emission(made: Emission) -> bool:
    return not made.loop or made.duration > 0


def _sound_shape(made: EmitterShape) -> bool:
    needs = {"image": made.image, "polygon": made.points}
    return bool(needs.get(made.kind, True)) and not (made.kind == "circle" and made.radius[0])


SECONDS = numbers(0, 3600)
PULSES = st.builds(
    Pulse, spans(0, 4e6), SECONDS, SECONDS | st.just(FOR_EVER), st.integers(-1, 10**9)
)  # fmt: skip
EMISSIONS = st.builds(
    Emission, numbers(0, 1e7), numbers(0, 1000), st.lists(PULSES, max_size=3).map(tuple), SECONDS | st.just(FOR_EVER),
    SECONDS, st.booleans(), SECONDS,
).filter(_sound_emission)  # fmt: skip
POINTS = st.just(()) | st.lists(PAIRS, min_size=2, max_size=4).map(tuple)
SHAPED = st.builds(
    EmitterShape, st.sampled_from(SHAPES), SIZES, spans(0) | st.tuples(st.just(0.0), numbers(0)), POINTS,
    st.just("") | TEXTS, st.booleans(),
).filter(_sound_shape)  # fmt: skip
VORTICES = st.builds(Vortex, PAIRS, PAIRS, numbers(1e-6), st.sampled_from(["", "#inner"]), st.booleans())
ATTRACTORS = st.builds(Attractor, PAIRS, numbers(), numbers(0), numbers(0))
FORCES = st.builds(
    Forces, PAIRS, numbers(0.001, 1000), PAIRS, numbers(0), numbers(0.1), numbers(-100, 100),
    st.lists(VORTICES, max_size=2).map(tuple), st.lists(ATTRACTORS, max_size=2).map(tuple),
)  # fmt: skip
COLLISIONS = st.builds(
    Collision, st.sampled_from(RESPONSES), numbers(0, 1), numbers(0, 1), st.integers(-(2**31), 2**31 - 1)
)
CHILDREN = st.builds(
    Child, st.sampled_from(["#inner", "#odd: name", "sparks", "mine/own.particles.yaml"]), spans(0, 10_000),
    numbers(0, 1), numbers(-10, 10), st.just(0.0), st.booleans(),
)  # fmt: skip
TRAILS = st.builds(
    Child, st.just("#inner"), spans(0, 10_000), numbers(0, 1), numbers(-10, 10), numbers(0, 10_000), st.booleans()
)
LIGHTS = st.builds(ParticleLight, numbers(0), COLORS, numbers(0, 1000), st.integers(1, 256))
LOOKS = st.builds(
    ParticleLook, TEXTS, st.tuples(st.integers(1, 256), st.integers(1, 256)),
    st.sampled_from([FOR_EVER, 0.0, 4.0, 12.5]),
    st.sampled_from(["alpha", "add", "multiply", "screen"]), st.sampled_from(["nearest", "linear"]), st.booleans(),
    numbers(0, 10), st.sampled_from(SORTS), st.just("") | TEXTS, numbers(), st.booleans(),
)  # fmt: skip
ONE_NUMBER = st.tuples(numbers())
NO_LESS = st.tuples(numbers(0))


def presets(name: str) -> Any:
    """Return a strategy of presets with all parts, some of them left at their defaults."""
    parts: dict[str, Any] = {
        "capacity": st.integers(1, 4_000_000), "life": spans(0.001, 3600), "at": PAIRS, "direction": turns(),
        "speed": spans(), "size": spans(0), "angle": turns(), "spin": turns(36_000), "end_speed": st.none() | spans(),
        "end_size": st.none() | spans(0), "spin_growth": numbers(),
        "colors": st.lists(COLORS, min_size=1, max_size=3).map(tuple), "blended": st.booleans(),
        "inherit": numbers(-10, 10), "local": st.booleans(), "view": st.just(True), "time_scale": numbers(0, 100),
        "prewarm": numbers(0, 30), "reach": numbers(0), "size_over_life": st.just(ONE) | curves(NO_LESS),
        "speed_over_life": st.just(ONE) | curves(ONE_NUMBER), "spin_over_life": st.just(ONE) | curves(ONE_NUMBER),
        "color_over_life": st.just(WHITE) | curves(COLORS), "opacity_over_life": st.just(ONE) | curves(NO_LESS),
        "emission": EMISSIONS, "shape": SHAPED, "forces": FORCES, "collision": COLLISIONS,
        "on_birth": st.none() | CHILDREN, "on_death": st.none() | CHILDREN, "on_hit": st.none() | CHILDREN,
        "trail": st.none() | TRAILS, "light": st.none() | LIGHTS, "look": LOOKS,
    }  # fmt: skip
    return st.fixed_dictionaries({}, optional=parts).map(lambda some: _mended(Preset(name=name, **some)))


def _mended(preset: Preset) -> Preset:
    """Remove the parts that have no effect or never end, since the reader rejects them."""
    if preset.collision is None:
        preset = dataclasses.replace(preset, on_hit=None)
    if preset.on_birth is not None and preset.on_birth.preset == preset.name:
        preset = dataclasses.replace(preset, on_birth=None)
    return preset if preset.view else dataclasses.replace(preset, reach=0.0)


@pytest.mark.slow
@settings(max_examples=long(50, 12), deadline=None)
@given(presets(""), presets("#inner"), st.sampled_from([("",), ("", "#inner"), ("", "#odd: name", "#inner")]))
def test_whatever_a_preset_is_it_comes_back(main: Preset, inner: Preset, run: tuple[str, ...]):
    """A random effect is equal after writing and reading: every field, every number to its last bit."""
    presets = {"": main, "#inner": inner, "#odd: name": Preset(name="#odd: name")}
    effect = Effect("", presets, run)
    assert again(effect) == effect
