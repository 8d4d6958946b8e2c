"""Reads presets from YAML: `read_effect(path)` returns an `Effect` and every mistake with its line.

A file is one preset. `presets:` holds inner ones: those named in `also:` are emitted together with the file's preset,
the others are emitted by particles (`on_death: {preset: sparks}`) or are vortices (`vortices: [{emitted: eddy}]`). A
name that is not in the file is another file, or a preset that ships with the plugin. docs/how-to/particles.md lists
every key.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from rish_core import AssetError
from rish_core.manifest import Report, Spot, YamlMap, read_yaml, show
from rish_ecs import did_you_mean

from ..curves import ONE, WHITE
from ..preset import (
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
from .fields import Fields, Wrong, colour, number, pair

SUFFIX = ".particles.yaml"
HOME = "rish_particles:presets/"
"""The folder of the presets that ship with the plugin."""
PICTURES = "rish_particles:pictures/"
"""The folder of their images."""
DEGREES = math.pi / 180
MAX_LIVE = 4_000_000
MAX_LIFE = 3600.0


def asset_of(name: str) -> str:
    """Return the asset of a preset's name: `fire` is one that ships with the plugin."""
    return name if "/" in name or ":" in name or name.endswith((SUFFIX, ".json")) else f"{HOME}{name}{SUFFIX}"


def load_effect(path: Path) -> Effect:
    """Load a preset file. Raises AssetError with every mistake, each on a line."""
    return _raised(path.name, *read_effect(path))


def _raised(name: str, effect: Effect | None, report: Report) -> Effect:
    if effect is None or report:
        lines = [str(problem) for problem in report.problems]
        raise AssetError("\n".join([f"{name}: {len(lines)} mistakes in the preset", *lines]))
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
        report.add(node.values_at["also"], ("also",), f"an emitter runs {MAX_PARTS} presets at the most")
    return Effect("", presets, ("", *(f"#{name}" for name in also[: MAX_PARTS - 1])))


def _check_births(name: str, presets: dict[str, Preset], inside: Fields | None) -> None:
    """Report a preset whose `on_birth` leads back to itself, because it would never end within one tick."""
    way, at = [name], presets.get(f"#{name}")
    while at is not None and at.on_birth is not None and at.on_birth.preset.startswith("#"):
        child = at.on_birth.preset.removeprefix("#")
        if child == name and inside is not None:
            circle = " bears ".join([*way, child])
            node = inside.node[name]
            what = f"its births go in a circle, {circle}: use `on_death` or `trail` for one of them"
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


def _preset(f: Fields, name: str, names: list[str]) -> Preset:
    curves = f.inner("over_life", "over_life")
    over = _over_life(curves) if curves is not None else {}
    end = f.inner("at_end", "at_end")
    ends: dict[str, Any] = {}
    if end is not None:
        ends = {"end_speed": end.span("speed", None), "end_size": end.span("size", None, 0)}
        end.end()
    colors = f.items("colors", None, colour)
    made = Preset(
        name=name,
        capacity=f.whole("capacity", 1000, 1, MAX_LIVE),
        life=f.span("life", (1.0, 1.0), 0.001, MAX_LIFE),
        at=f.pair("at", (0.0, 0.0)),
        direction=f.span("direction", (0.0, 0.0), -3600, 3600, DEGREES),
        speed=f.span("speed", (0.0, 0.0)),
        size=f.span("size", (16.0, 16.0), 0),
        angle=f.span("angle", (0.0, 0.0), -3600, 3600, DEGREES),
        spin=f.span("spin", (0.0, 0.0), -36000, 36000, DEGREES),
        spin_growth=f.number("spin_growth", 0.0),
        colors=colors or (f.colour("color", (1.0, 1.0, 1.0, 1.0)),),
        blended=f.flag("blended"),
        inherit=f.number("inherit", 0.0, -10, 10),
        local=f.word("space", "world", ("world", "local")) == "local",
        view=f.flag("view"),
        time_scale=f.number("time_scale", 1.0, 0, 100),
        prewarm=f.number("prewarm", 0.0, 0, 30),
        reach=f.number("reach", 0.0, 0),
        emission=_emission(f.inner("emit", "emit")),
        shape=_shape(f.inner("shape", "shape")),
        forces=_forces(f.inner("forces", "forces"), names),
        collision=_collision(f.inner("collide", "collide")),
        on_birth=_child(f.inner("on_birth", "on_birth"), names),
        on_death=_child(f.inner("on_death", "on_death"), names),
        on_hit=_child(f.inner("on_hit", "on_hit"), names),
        trail=_child(f.inner("trail", "trail"), names, 20.0),
        light=_light(f.inner("light", "light")),
        look=_look(f),
        **over,
        **ends,
    )
    if made.on_hit is not None and made.collision is None:
        f.report.add(f.node.keys_at["on_hit"], (*f.path, "on_hit"), "nothing is hit without `collide: {}`")
    if made.reach and not made.view:
        what = "what depends on the camera can't be state: add `view: true`"
        f.report.add(f.node.keys_at["reach"], (*f.path, "reach"), what)
    return made


def _over_life(f: Fields) -> dict[str, Any]:
    found = {
        "size_over_life": f.curve("size", ONE, low=0),
        "speed_over_life": f.curve("speed", ONE),
        "spin_over_life": f.curve("spin", ONE),
        "color_over_life": f.curve("color", WHITE, colour),
        "opacity_over_life": f.curve("opacity", ONE, low=0),
    }
    f.end()
    return found


def _look(f: Fields) -> ParticleLook:
    cells = f.pair("cells", (1, 1), 1, 256)
    play: Any = f.take("play", FOR_EVER, _play)
    return ParticleLook(
        picture=f.take("picture", ParticleLook().picture, _picture),
        cells=(int(cells[0]), int(cells[1])),
        play=play,
        blend=f.word("blend", "alpha", ("alpha", "add", "multiply", "screen")),
        filter=f.word("filter", "linear", ("nearest", "linear")),
        aligned=f.flag("aligned"),
        stretch=f.number("stretch", 0.0, 0, 10),
        sort=f.word("sort", "oldest_first", SORTS),
        layer=f.text("layer"),
        z=f.number("z", 0.0),
        visible=f.flag("visible", True),
    )


def _picture(value: Any) -> str:
    """Read the path of an image; an image that ships with the plugin must exist."""
    if not isinstance(value, str) or not value:
        raise Wrong(f"must be the path of a picture, not {show(value)}")
    if value.startswith(PICTURES):
        there = [f"{PICTURES}{path.name}" for path in sorted((Path(__file__).parents[1] / "pictures").glob("*.png"))]
        if value not in there:
            names = ", ".join(Path(each).stem for each in there)
            raise Wrong(f"{value!r} is no picture that ships{did_you_mean(value, there)}: {names}")
    return value


def _play(value: Any) -> float:
    """Read the play mode: cells a second, or `once`, or `random`."""
    if value == "once":
        return FOR_EVER
    return 0.0 if value == "random" else number(value, 0.001, 1000)


def _emission(f: Fields | None) -> Emission:
    if f is None:
        return Emission()
    pulses = tuple(_pulse(each) for each in f.many("pulses", "a pulse"))
    burst = f.span("burst", None, 0, MAX_LIVE)
    if burst is not None:
        pulses = (Pulse(burst), *pulses)
    duration = f.number("duration", FOR_EVER, 0, MAX_LIFE)
    made = Emission(
        rate=f.number("rate", 0.0, 0, 1e7),
        per_unit=f.number("per_unit", 0.0, 0, 1000),
        pulses=pulses,
        duration=duration,
        delay=f.number("delay", 0.0, 0, MAX_LIFE),
        loop=f.flag("loop"),
        pause=f.number("pause", 0.0, 0, MAX_LIFE),
        active=f.flag("active", True),
    )
    if made.loop and duration <= 0:
        f.report.add(f.node.keys_at["loop"], (*f.path, "loop"), "what has no `duration` never ends: nothing to loop")
    f.end()
    return made


def _pulse(f: Fields) -> Pulse:
    made = Pulse(
        count=f.span("count", (10.0, 10.0), 0, MAX_LIVE),
        at=f.number("at", 0.0, 0, MAX_LIFE),
        every=f.number("every", FOR_EVER, 0, MAX_LIFE),
        times=f.whole("times", -1 if "every" in f.node else 1, -1, 10**9),
    )
    f.end()
    return made


def _shape(f: Fields | None) -> EmitterShape:
    if f is None:
        return EmitterShape()
    kind = f.word("kind", "point", SHAPES, former={"rectangle": "box"})
    made = EmitterShape(
        kind=kind,
        size=f.pair("size", (0.0, 0.0), 0),
        radius=f.span("radius", (0.0, 0.0), 0),
        points=f.items("points", (), pair, 2),
        image=f.text("image"),
        outward=f.flag("outward"),
    )
    needed = {"polygon": "points", "image": "image", "circle": "radius", "ring": "radius"}.get(kind)
    if needed is not None and needed not in f.node:
        f.report.add(f.node.mark, f.path, f"a {kind} needs `{needed}`")
    if kind == "circle":
        made = EmitterShape(kind, made.size, (0.0, made.radius[1]), made.points, made.image, made.outward)
    f.end()
    return made


def _forces(f: Fields | None, names: list[str]) -> Forces:
    if f is None:
        return Forces()
    made = Forces(
        gravity=f.pair("gravity", (0.0, 0.0)),
        drag=f.number("drag", 0.0, 0, 1000),
        wind=f.pair("wind", (0.0, 0.0)),
        turbulence=f.number("turbulence", 0.0, 0),
        turbulence_scale=f.number("turbulence_scale", 100.0, 0.1),
        turbulence_drift=f.number("turbulence_drift", 0.3, -100, 100),
        vortices=tuple(_vortex(each, names) for each in f.many("vortices", "a vortex")),
        attractors=tuple(_attractor(each) for each in f.many("attractors", "an attractor")),
    )
    if made.wind != (0.0, 0.0) and not made.drag:
        f.report.add(f.node.keys_at["wind"], (*f.path, "wind"), "wind moves only what has `drag`")
    f.end()
    return made


def _vortex(f: Fields, names: list[str]) -> Vortex:
    made = Vortex(
        at=f.pair("at", (0.0, 0.0)),
        turn=f.take("turn", (1.0, 1.0), _turn),
        size=f.number("size", 1000.0, 1e-6),
        emitted=f.take("emitted", "", lambda value: f"#{_known(value, names)}"),
        literal=f.word("mode", "ours", ("ours", "seed")) == "seed",
    )
    f.end()
    return made


def _turn(value: Any) -> tuple[float, float]:
    """Read one number, or one for x and one for y."""
    if isinstance(value, list):
        return pair(value)
    found = number(value)
    return found, found


def _attractor(f: Fields) -> Attractor:
    made = Attractor(
        at=f.pair("at", (0.0, 0.0)),
        strength=f.number("strength", 100.0),
        radius=f.number("radius", 0.0, 0),
        swallow=f.number("swallow", 0.0, 0),
    )
    f.end()
    return made


def _collision(f: Fields | None) -> Collision | None:
    if f is None:
        return None
    made = Collision(
        response=f.word("response", "bounce", RESPONSES),
        bounce=f.number("bounce", 0.5, 0, 1),
        friction=f.number("friction", 0.1, 0, 1),
        mask=f.whole("mask", -1, -(2**31), 2**31 - 1),
    )
    f.end()
    return made


def _child(f: Fields | None, names: list[str], rate: float = 0.0) -> Child | None:
    if f is None:
        return None
    preset = f.text("preset")
    if not preset:
        f.report.add(f.node.mark, f.path, "needs `preset`, the name of what is born")
    elif preset not in names and asset_of(preset).startswith(HOME) and preset not in shipped():
        near = did_you_mean(preset, [*names, *shipped()])
        what = f"no preset is called {preset!r}{near}: name one of `presets:`, one that ships, or a file"
        f.report.add(f.node.values_at["preset"], (*f.path, "preset"), what)
    made = Child(
        preset=f"#{preset}" if preset in names else preset,
        count=f.span("count", (1.0, 1.0), 0, 10_000),
        chance=f.number("chance", 1.0, 0, 1),
        inherit=f.number("inherit", 0.0, -10, 10),
        rate=f.number("rate", rate, 0, 10_000) if rate else 0.0,
        tint=f.flag("tint", True),
    )
    f.end()
    return made


def _light(f: Fields | None) -> ParticleLight | None:
    if f is None:
        return None
    made = ParticleLight(
        radius=f.number("radius", 64.0, 0),
        color=f.colour("color", (1.0, 1.0, 1.0, 1.0)),
        intensity=f.number("intensity", 1.0, 0, 1000),
        maximum=f.whole(f.present("maximum", "most"), 8, 1, 256),
    )
    f.end()
    return made


def shipped() -> list[str]:
    """Return the names of the presets that ship with the plugin."""
    folder = Path(__file__).parents[1] / "presets"
    return sorted(path.name.removesuffix(SUFFIX) for path in folder.glob(f"*{SUFFIX}"))
