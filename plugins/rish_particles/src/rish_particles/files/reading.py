"""Reads presets from YAML: `read_effect(path)` returns an `Effect` and every mistake with its line.

A file is one preset. `presets:` holds inner ones: those named in `also:` are emitted together with the file's preset,
the others are emitted by particles (`on_death: {preset: sparks}`) or are vortices (`vortices: [{emitted: eddy}]`). A
name that is not in the file is another file, or a preset that ships with the plugin. docs/how-to/particles.md lists
every key.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from rish_core import AssetError
from rish_core.manifest import Report, Spot, YamlMap, read_yaml, show
from rish_ecs import did_you_mean

from ..curves import ONE, WHITE
from ..preset import (
    CHILDREN,
    FOR_EVER,
    MAX_PARTS,
    RESPONSES,
    SHAPES,
    SORTS,
    Attractor,
    Child,
    Collision,
    Effect,
    Emission,
    EmitterShape,
    Forces,
    ParticleLight,
    ParticleLook,
    Preset,
    Pulse,
    Vortex,
)
from .fields import Fields, Wrong, color, number, pair

_T = TypeVar("_T")
SUFFIX = ".particles.yaml"
HOME = "rish_particles:presets/"
"""The folder of the presets that ship with the plugin."""
PICTURES = "rish_particles:pictures/"
"""The folder of their images."""
DEGREES = math.pi / 180
MAX_LIVE = 4_000_000
MAX_LIFE = 3600.0


_READERS: Mapping[str, Callable[..., Any]] = {
    "float": Fields.number, "int": Fields.whole, "bool": Fields.flag, "str": Fields.text, "Pair": Fields.pair,
    "Vector": Fields.vector, "Span": Fields.span, "Color": Fields.color,
}  # fmt: skip
"""The functions that read the fields of a dataclass, by the types of the fields."""
LIMITS: Mapping[type, Mapping[str, tuple[Any, ...]]] = {
    Preset: {
        "capacity": (1, MAX_LIVE), "life": (0.001, MAX_LIFE), "size": (0,), "direction": (-3600, 3600, DEGREES),
        "angle": (-3600, 3600, DEGREES), "spin": (-36000, 36000, DEGREES), "inherit": (-10, 10),
        "time_scale": (0, 100), "prewarm": (0, 30), "reach": (0,),
    },
    ParticleLook: {
        "blend": (("alpha", "add", "multiply", "screen"),), "filter": (("nearest", "linear"),), "sort": (SORTS,),
        "stretch": (0, 10),
    },
    Emission: {
        "rate": (0, 1e7), "per_unit": (0, 1000), "duration": (0, MAX_LIFE), "delay": (0, MAX_LIFE),
        "pause": (0, MAX_LIFE),
    },
    Pulse: {"at": (0, MAX_LIFE), "every": (0, MAX_LIFE)},
    EmitterShape: {"size": (0,), "radius": (0,)},
    Forces: {
        "drag": (0, 1000), "turbulence": (0,), "turbulence_scale": (0.1,), "turbulence_drift": (-100, 100),
    },
    Vortex: {"size": (1e-6,)},
    Attractor: {"radius": (0,), "swallow": (0,)},
    Collision: {
        "response": (RESPONSES,), "bounce": (0, 1), "friction": (0, 1), "mask": (-(2**31), 2**31 - 1),
    },
    Child: {"count": (0, 10_000), "chance": (0, 1), "inherit": (-10, 10)},
    ParticleLight: {"radius": (0,), "intensity": (0, 1000)},
}  # fmt: skip
"""The arguments of these functions by dataclass and field: the least value, the greatest value and a unit, or the
allowed words.
"""


def asset_of(name: str) -> str:
    """Return the asset of a preset's name: `fire` is one that ships with the plugin."""
    return name if "/" in name or ":" in name or name.endswith((SUFFIX, ".json")) else f"{HOME}{name}{SUFFIX}"


def load_effect(path: Path) -> Effect:
    """Load a preset file. Raises AssetError with every mistake, each on a line."""
    return raised(path.name, *read_effect(path))


def raised(name: str, effect: Effect | None, report: Report) -> Effect:
    """Return the effect if the report has no mistakes. Raises AssetError with every mistake of the report, each on a
    line.
    """
    if effect is None or report:
        lines = [str(problem) for problem in report.problems]
        count = f"{len(lines)} mistake{'s' if len(lines) != 1 else ''}"
        raise AssetError("\n".join([f"{name}: {count} in the preset", *lines]))
    return effect


def read_effect(source: Path | str, name: str = "") -> tuple[Effect | None, Report]:
    """Read an effect from a file or a text; return it (None if it can't be read at all) and its mistakes."""
    document = read_yaml(source, name or None)
    report = Report(document.problems)
    if not isinstance(document.data, YamlMap):
        if not report:
            report.add(Spot(document.file, 0, 0), (), f"a preset is a mapping, not {show(document.data)}")
        return None, report
    return read_mapping(document.data, report), report


def read_mapping(node: YamlMap, report: Report) -> Effect:
    """Read an effect from a parsed mapping. Preset names are those inside the file, "" for the file's own preset."""
    top = Fields(node, (), report, "a preset")
    inside = top.inner("presets", "presets")
    names = list(inside.node) if inside is not None else []
    presets = {"": _preset(top, "", names)}
    also = top.items("also", (), lambda value: _known(value, names), 0)
    top.end()
    for name in names:
        assert inside is not None
        fields = inside.inner(name, "a preset")
        if fields is not None:
            presets[f"#{name}"] = _preset(fields, f"#{name}", names)
            fields.end()
    for name in names:
        _check_births(name, presets, inside)
    if len(also) >= MAX_PARTS:
        report.add(node.values_at["also"], ("also",), f"an emitter runs at most {MAX_PARTS} presets")
    return Effect("", presets, ("", *(f"#{name}" for name in also[: MAX_PARTS - 1])))


def _check_births(name: str, presets: dict[str, Preset], inside: Fields | None) -> None:
    """Report a preset whose `on_birth` leads back to itself, because it would never end within one tick."""
    way, at = [name], presets.get(f"#{name}")
    while at is not None and at.on_birth is not None and at.on_birth.preset.startswith("#"):
        child = at.on_birth.preset.removeprefix("#")
        if child == name and inside is not None:
            circle = " bears ".join([*way, child])
            node = inside.node[name]
            what = f"`on_birth` leads back to this preset, {circle}: use `on_death` or `trail` for one of them"
            inside.report.add(node.keys_at["on_birth"], ("presets", name, "on_birth"), what)
        if child in way:
            return
        way.append(child)
        at = presets.get(f"#{child}")


def _known(value: Any, names: list[str]) -> str:
    if value not in names:
        listed = ", ".join(names) or "it has none"
        raise Wrong(f"{value!r} is none of its presets{did_you_mean(value, names)}: {listed}")
    return value


def _plain(f: Fields, kind: type, without: Iterable[str] = ()) -> dict[str, Any]:
    """Read the fields of a dataclass that have the same names in the file, by their types; see LIMITS."""
    values: dict[str, Any] = {}
    for spec in dataclasses.fields(kind):
        limits = LIMITS.get(kind, {}).get(spec.name, ())
        reader: Any = Fields.word if limits and isinstance(limits[0], tuple) else _READERS.get(str(spec.type))
        if reader is not None and spec.name not in without:
            values[spec.name] = reader(f, spec.name, spec.default, *limits)
    return values


def _read(f: Fields, cls: type[_T], /, **fields: Any) -> _T:
    """Read a mapping as a dataclass. fields: values of fields that a file writes in another form."""
    instance = cls(**_plain(f, cls, fields), **fields)
    f.end()
    return instance


def _part(f: Fields, key: str, read: Callable[..., _T], default: Any = None, *more: Any) -> _T:
    """Read an inner mapping by a function with more arguments; the default if it is missing."""
    inner = f.inner(key, key)
    return default if inner is None else read(inner, *more)


def _preset(f: Fields, name: str, names: list[str]) -> Preset:
    over = _part(f, "over_life", _over_life, {})
    ends = _part(f, "at_end", _ends, {})
    colors = f.items("colors", None, color)
    preset = Preset(
        name=name,
        colors=colors or (f.color("color", (1.0, 1.0, 1.0, 1.0)),),
        local=f.word("space", "world", ("world", "local")) == "local",
        emission=_part(f, "emit", _emission, Emission()),
        shape=_part(f, "shape", _shape, EmitterShape()),
        forces=_part(f, "forces", _forces, Forces(), names),
        collision=_part(f, "collide", _read, None, Collision),
        **{key: _part(f, key, _child, None, names, 20.0 if key == "trail" else 0.0) for key in CHILDREN},
        light=_part(f, "light", _light),
        look=_look(f),
        **_plain(f, Preset, ("name", "local")),
        **over,
        **ends,
    )
    if preset.on_hit is not None and preset.collision is None:
        f.report.add(f.node.keys_at["on_hit"], (*f.path, "on_hit"), "nothing is hit without `collide: {}`")
    if preset.reach and not preset.view:
        what = "`reach` depends on the camera, so it needs `view: true`"
        f.report.add(f.node.keys_at["reach"], (*f.path, "reach"), what)
    return preset


def _over_life(f: Fields) -> dict[str, Any]:
    curves = {
        "size_over_life": f.curve("size", ONE, low=0),
        "speed_over_life": f.curve("speed", ONE),
        "spin_over_life": f.curve("spin", ONE),
        "color_over_life": f.curve("color", WHITE, color),
        "opacity_over_life": f.curve("opacity", ONE, low=0),
    }
    f.end()
    return curves


def _ends(f: Fields) -> dict[str, Any]:
    ends = {"end_speed": f.span("speed", None), "end_size": f.span("size", None, 0)}
    f.end()
    return ends


def _look(f: Fields) -> ParticleLook:
    wide, high = f.pair("cells", (1, 1), 1, 256)
    play: Any = f.take("play", FOR_EVER, _play)
    picture = f.take("picture", ParticleLook().picture, _picture)
    simple_fields = _plain(f, ParticleLook, ("picture", "play"))
    return ParticleLook(picture=picture, cells=(int(wide), int(high)), play=play, **simple_fields)


def _picture(value: Any) -> str:
    """Read the path of an image; an image that ships with the plugin must exist."""
    if not isinstance(value, str) or not value:
        raise Wrong(f"must be the path of a picture, not {show(value)}")
    if value.startswith(PICTURES):
        pictures = [f"{PICTURES}{path.name}" for path in sorted((Path(__file__).parents[1] / "pictures").glob("*.png"))]
        if value not in pictures:
            names = ", ".join(Path(each).stem for each in pictures)
            raise Wrong(f"{value!r} is not an image that ships{did_you_mean(value, pictures)}: {names}")
    return value


def _play(value: Any) -> float:
    """Read the play mode: cells a second, or `once`, or `random`."""
    if value == "once":
        return FOR_EVER
    return 0.0 if value == "random" else number(value, 0.001, 1000)


def _emission(f: Fields) -> Emission:
    pulses = tuple(_pulse(each) for each in f.many("pulses", "a pulse"))
    burst = f.span("burst", None, 0, MAX_LIVE)
    if burst is not None:
        pulses = (Pulse(burst), *pulses)
    emission = _read(f, Emission, pulses=pulses)
    if emission.loop and emission.duration <= 0:
        f.report.add(f.node.keys_at["loop"], (*f.path, "loop"), "`loop` needs a `duration` above 0")
    return emission


def _pulse(f: Fields) -> Pulse:
    count = f.span("count", (10.0, 10.0), 0, MAX_LIVE)
    return _read(f, Pulse, count=count, times=f.whole("times", -1 if "every" in f.node else 1, -1, 10**9))


def _shape(f: Fields) -> EmitterShape:
    kind = f.word("kind", "point", SHAPES, former={"rectangle": "box"})
    shape = _read(f, EmitterShape, kind=kind, points=f.items("points", (), pair, 2))
    needed_field = {"polygon": "points", "image": "image", "circle": "radius", "ring": "radius"}.get(kind)
    if needed_field is not None and needed_field not in f.node:
        f.report.add(f.node.mark, f.path, f"a {kind} needs `{needed_field}`")
    return dataclasses.replace(shape, radius=(0.0, shape.radius[1])) if kind == "circle" else shape


def _forces(f: Fields, names: list[str]) -> Forces:
    vortices = tuple(_vortex(each, names) for each in f.many("vortices", "a vortex"))
    attractors = tuple(_read(each, Attractor) for each in f.many("attractors", "an attractor"))
    forces = _read(f, Forces, vortices=vortices, attractors=attractors)
    if any(forces.wind) and not forces.drag:
        f.report.add(f.node.keys_at["wind"], (*f.path, "wind"), "wind moves only what has `drag`")
    return forces


def _vortex(f: Fields, names: list[str]) -> Vortex:
    emitted = f.take("emitted", "", lambda value: f"#{_known(value, names)}")
    literal = f.word("mode", "ours", ("ours", "seed")) == "seed"
    return _read(f, Vortex, turn=f.take("turn", (1.0, 1.0), _turn), emitted=emitted, literal=literal)


def _turn(value: Any) -> tuple[float, float]:
    """Read the turn of a vortex: one number, or one for x and one for y."""
    if isinstance(value, list):
        return pair(value)
    turn = number(value)
    return turn, turn


def _child(f: Fields, names: list[str], rate: float = 0.0) -> Child:
    preset = f.text("preset")
    if not preset:
        f.report.add(f.node.mark, f.path, "needs `preset`, the name of what is born")
    elif preset not in names and asset_of(preset).startswith(HOME) and preset not in shipped():
        near = did_you_mean(preset, [*names, *shipped()])
        what = f"no preset is called {preset!r}{near}: name one of `presets:`, one that ships, or a file"
        f.report.add(f.node.values_at["preset"], (*f.path, "preset"), what)
    rate = f.number("rate", rate, 0, 10_000) if rate else 0.0
    return _read(f, Child, preset=f"#{preset}" if preset in names else preset, rate=rate)


def _light(f: Fields) -> ParticleLight:
    return _read(f, ParticleLight, maximum=f.whole(f.present("maximum", "most"), 8, 1, 256))


def shipped() -> list[str]:
    """Return the names of the presets that ship with the plugin."""
    folder = Path(__file__).parents[1] / "presets"
    return sorted(path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}"))
