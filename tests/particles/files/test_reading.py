"""Presets from YAML: the values that are read, and the message for each mistake."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from rish_core import AssetError
from rish_particles import load_effect, read_effect, shipped
from rish_particles.curves import Curve, constant
from rish_particles.preset import Preset, Pulse

FOLDER = Path(__file__).parents[3] / "plugins" / "rish_particles" / "src" / "rish_particles" / "presets"
NAMES = [
    "confetti", "dust", "explosion", "fire", "fireworks", "leaves", "magic", "portal", "rain", "smoke", "snow",
    "sparks", "splash", "thruster", "waterfall",
]  # fmt: skip


def read(text: str) -> Preset:
    """Return the main preset of a text without mistakes."""
    effect, report = read_effect(text, "x.yaml")
    assert not report, [str(problem) for problem in report.problems]
    assert effect is not None
    return effect.presets[""]


def wrong(text: str) -> list[str]:
    """Return the messages about a text."""
    return [str(problem) for problem in read_effect(text, "x.yaml")[1].problems]


def test_an_empty_mapping_is_the_default():
    """An empty mapping is the default preset."""
    assert read("{}") == Preset()


def test_degrees_become_radians_and_numbers_spans():
    """Degrees become radians, and a single number becomes both ends of a span."""
    preset = read("life: 2\ndirection: [0, 180]\nspin: 90\n")
    assert preset.life == (2, 2)
    assert preset.direction == pytest.approx((0, math.pi))
    assert preset.spin == pytest.approx((math.pi / 2, math.pi / 2))


def test_curves_take_numbers_lists_and_keys():
    """Curves can be numbers, lists or keys with easing; colors can have every form."""
    preset = read(
        "over_life:\n  size: 2\n  speed: [1, 0]\n  opacity: {0: 0, 0.25: [1, quad_out], 1: 0}\n"
        "  color: {0: '#ff0000', 1: [0, 0, 1]}\n"
    )
    assert preset.size_over_life == constant(2)
    assert preset.speed_over_life.values == ((1,), (0,))
    assert preset.opacity_over_life == Curve((0, 0.25, 1), ((0,), (1,), (0,)), ("linear", "quad_out", "linear"))
    assert preset.color_over_life.at(0.5) == pytest.approx((0.5, 0, 0.5, 1))


def test_earlier_names_of_easings_are_replaced(caplog):
    """A file with an easing of an earlier name is read with the present name, and a notice names both."""
    preset = read("over_life: {size: {0: [1, in_out], 0.5: [2, hold], 1: 0}}")
    assert preset.size_over_life.easings == ("smooth", "step", "linear")
    assert "'in_out' is called 'smooth' now" in caplog.text


def test_bursts_and_pulses():
    """A burst is a pulse at the start."""
    preset = read("emit: {burst: [3, 5], pulses: [{count: 2, at: 1, every: 0.5}]}")
    assert preset.emission.pulses == (Pulse((3, 5)), Pulse((2, 2), at=1, every=0.5, times=-1))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- 1", "x.yaml:1:1: a preset is a mapping, not a list of 1"),
        ("lief: 2", "x.yaml:1:1: lief: a preset has no key 'lief' (did you mean 'life'?)"),
        ("life: long", "x.yaml:1:7: life: must be a number or [least, greatest], not the text 'long'"),
        ("life: [3, 1]", "x.yaml:1:7: life: [3, 1] is in the wrong order: write the smaller value first"),
        ("life: 0", "x.yaml:1:7: life: 0 is out of range: from 0.001 to 3600"),
        (
            "capacity: 1e9",
            "x.yaml:1:11: capacity: must be a whole number from 1 to 4000000",
        ),
        ("emit: 5", "x.yaml:1:7: emit: must be a mapping, not the number 5"),
        ("shape: {kind: blob}", "x.yaml:1:15: shape.kind: must be one of point, line, circle"),
        ("shape: {kind: circle}", "a circle needs `radius`"),
        ("color: '#12'", "x.yaml:1:8: color: '#12' is no color"),
        (
            "over_life: {size: {2: 1}}",
            "x.yaml:1:19: over_life.size: '2' is not a valid time of a curve",
        ),
        ("over_life: {size: {0: [1, bouncy]}}", "no easing is called 'bouncy'"),
        ("forces: {wind: [3, 0]}", "wind moves only what has `drag`"),
        ("on_hit: {preset: sparks}", "nothing is hit without `collide: {}`"),
        ("on_death: {preset: sprks}", "no preset is called 'sprks' (did you mean 'sparks'?)"),
        ("also: [mist]", "'mist' is none of its presets: it has none"),
        ("reach: 50", "`reach` depends on the camera, so it needs `view: true`"),
        ("emit: {loop: true}", "`loop` needs a `duration` above 0"),
        ("life: [1, 2", "is missing in a list"),
    ],
)
def test_mistakes_are_reported_with_their_place(text: str, said: str):
    """A message names the mistake, the allowed values and the nearest valid name."""
    found = wrong(text)
    assert found
    assert said in found[0]


def listed(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


NUMBERS = listed("""
capacity life at direction speed size angle spin spin_growth inherit time_scale prewarm reach stretch z
at_end.speed at_end.size emit.rate emit.per_unit emit.burst emit.duration emit.delay emit.pause shape.size shape.radius
forces.gravity forces.drag forces.wind forces.turbulence forces.turbulence_scale forces.turbulence_drift
collide.bounce collide.friction collide.mask light.radius light.intensity light.maximum cells play
over_life.size over_life.speed over_life.spin over_life.opacity
on_death.count on_death.chance on_death.inherit trail.rate
""")
POSITIVE = listed("""
capacity life size time_scale prewarm reach stretch at_end.size emit.rate emit.per_unit emit.burst emit.duration
emit.delay emit.pause forces.drag forces.turbulence forces.turbulence_scale collide.bounce collide.friction light.radius
light.intensity light.maximum play on_death.count on_death.chance trail.rate over_life.size over_life.opacity
""")
WORDS = listed("""
picture blend filter sort layer space view blended aligned visible color colors shape.kind shape.points shape.image
shape.outward collide.response emit.loop emit.active emit.pulses forces.vortices forces.attractors light.color
over_life.color on_death.preset on_death.tint also presets
""")


def nested(path: str, value: str) -> str:
    """Return a text in which the key at a path has a value."""
    for key in reversed(path.split(".")):
        value = f"{key}: {value}" if key == path.split(".", maxsplit=1)[0] else f"{{{key}: {value}}}"
    return value


@pytest.mark.parametrize("path", [*NUMBERS, *WORDS])
@pytest.mark.parametrize("value", ["{odd: [1]}", ".nan", "[[]]"])
def test_every_key_refuses_what_it_can_not_be(path: str, value: str):
    """Every key rejects mappings, lists of lists and NaN, with line and column."""
    found = wrong(nested(path, value))
    assert found
    assert all(line.startswith("x.yaml:1:") for line in found), found


@pytest.mark.parametrize("path", POSITIVE)
def test_what_can_not_be_negative_is_refused(path: str):
    """A negative value of a non-negative key is rejected, with the key and its range."""
    found = [line for line in wrong(nested(path, "-3")) if path in line]
    assert found, path
    assert "out of range: from" in found[0] or "must be a whole number from" in found[0]


@pytest.mark.parametrize("path", [path for path in [*NUMBERS, *WORDS] if "." in path])
def test_every_section_knows_its_keys(path: str):
    """An unknown key of a section is reported with the nearest valid key."""
    section, _, key = path.partition(".")
    found = [line for line in wrong(f"{section}: {{{key}x: 1}}") if "has no key" in line]
    assert found
    assert f"did you mean '{key}'?" in found[0]


def test_births_that_go_in_a_circle_are_refused():
    """A cycle of `on_birth` is rejected, since it would not end within a tick; a cycle of `on_death` is allowed."""
    circle = "presets: {a: {on_birth: {preset: b}}, b: {on_birth: {preset: a}}, c: {on_birth: {preset: a}}}"
    found = wrong(circle)
    assert len(found) == 2
    assert "presets.a.on_birth: `on_birth` leads back to this preset, a bears b bears a" in found[0]
    assert not wrong("presets: {a: {on_death: {preset: a}}}")


def test_pictures_that_do_not_ship_are_reported():
    """An unknown image of the package is reported with the nearest valid name; a game's own images are not checked."""
    assert "(did you mean 'rish_particles:pictures/glow.png'?)" in wrong("picture: rish_particles:pictures/glo.png")[0]
    assert not wrong("picture: mine/star.png")


def test_all_mistakes_are_reported_at_once(tmp_path: Path):
    """The loader reports all mistakes together, each on a line of its own."""
    file = tmp_path / "bad.particles.yaml"
    file.write_text("life: x\nsize: y\nemit: {rat: 1}\n", encoding="utf-8")
    with pytest.raises(AssetError) as caught:
        load_effect(file)
    assert len(str(caught.value).splitlines()) == 4


@pytest.mark.parametrize("depth", [10, 1000])
def test_hostile_files_are_refused(depth: int):
    """Deep nesting and binary data are rejected with messages."""
    assert wrong("forces: " + "[" * depth + "]" * depth)
    assert wrong("\x00\x01\x02")


def test_the_presets_that_ship_are_those_that_are_promised():
    """The package contains exactly the fifteen presets of the list."""
    assert shipped() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_what_ships_is_right(name: str):
    """Each preset of the package has no mistakes, existing images, a comment at the top, and reads the same twice."""
    path = FOLDER / f"{name}.particles.yaml"
    effect = load_effect(path)
    assert effect == load_effect(path)
    assert path.read_text(encoding="utf-8").startswith("# ")
    for preset in effect.presets.values():
        package, _, picture = preset.look.picture.partition(":")
        assert package == "rish_particles"
        assert (FOLDER.parent / picture).is_file(), picture
