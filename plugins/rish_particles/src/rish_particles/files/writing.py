"""Writes presets as YAML: `write_effect(effect)` returns a text that `read_effect` reads as an equal effect.

Fields with their default value are not written, so the text is as short as an author's. The types of the dataclass
fields in `preset` decide the form: a `Span` is a number or [least, greatest], a `Color` is in hexadecimal digits if
these are exact, a `Curve` is written by its keys. Comments are not kept, except one at the top from the caller.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from rish_core.manifest import written

from ..curves import Curve, ramp
from ..preset import CHILDREN, Child, Effect, Emission, EmitterShape, Forces, ParticleLook, Preset, Pulse, Vortex
from .reading import DEGREES

Node = dict[Any, Any]
_WIDTH = 110
"""The greatest length of a mapping on one line, in characters. A longer mapping is written with one key per line."""
_ANGLES = ("direction", "angle", "spin")
_CURVES = ("size", "speed", "spin", "color", "opacity")
_SPECIAL = (
    "name", "local", "colors", "end_speed", "end_size", "emission", "shape", "forces", "collision", "light", "look",
    *_ANGLES, *CHILDREN, *(f"{key}_over_life" for key in _CURVES),
)  # fmt: skip
"""Fields of a preset that are written in another form or under another name."""


def write_effect(effect: Effect, comment: str = "") -> str:
    """Return an effect as the text of a preset file.

    comment: the first lines of the file, without `#`. Full names, as in a running game, are written as the names in the
    file. Angles that were read from a text are written without loss; an angle that no number of degrees gives is
    written as the nearest one.
    """
    node = _preset(effect.main, effect)
    inner = {name: preset for name, preset in effect.presets.items() if name != effect.name}
    if len(effect.run) > 1:
        node["also"] = [_local(name, effect) for name in effect.run[1:]]
    if inner:
        node["presets"] = {_local(name, effect): _preset(preset, effect) for name, preset in inner.items()}
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    return "\n".join([*lines, *(_lines(node, 0) if node else ["{}"])]) + "\n"


def _local(name: str, effect: Effect) -> str:
    """Return the name of a preset in its file."""
    return name.removeprefix(f"{effect.name}#")


# From the dataclasses to plain values


def _preset(preset: Preset, effect: Effect) -> Node:
    default, node = Preset(), _changed(preset.look, ParticleLook(), ("play",)) | _changed(preset, Preset(), _SPECIAL)
    for key in _ANGLES:
        if getattr(preset, key) != getattr(default, key):
            node[key] = _span(tuple(map(_degrees, getattr(preset, key))))
    if preset.look.play >= 0:
        node["play"] = preset.look.play or "random"
    if preset.local:
        node["space"] = "local"
    if preset.colors != default.colors:
        several = len(preset.colors) > 1
        node["colors" if several else "color"] = [*map(_color, preset.colors)] if several else _color(preset.colors[0])
    ends = {"speed": preset.end_speed, "size": preset.end_size}
    node["at_end"] = {key: _span(value) for key, value in ends.items() if value is not None}
    curves = {key: getattr(preset, f"{key}_over_life") for key in _CURVES}
    node["over_life"] = {key: _curve(c) for key, c in curves.items() if c != getattr(default, f"{key}_over_life")}
    node["emit"] = _emission(preset.emission)
    node["shape"] = _changed(preset.shape, EmitterShape())
    if preset.shape.kind == "circle":
        node["shape"]["radius"] = preset.shape.radius[1]
    node["forces"] = _forces(preset.forces, effect)
    node = {key: value for key, value in node.items() if value != {}}
    for key, part in (("collide", preset.collision), ("light", preset.light)):
        if part is not None:
            node[key] = _changed(part, type(part)())
    for key in CHILDREN:
        child: Child | None = getattr(preset, key)
        if child is not None:
            node[key] = _child(child, effect, trail=key == "trail")
    return node


def _child(child: Child, effect: Effect, trail: bool) -> Node:
    node: Node = {"preset": _local(child.preset, effect), **_changed(child, Child(""), ("preset", "rate"))}
    return {**node, "rate": child.rate} if trail else node


def _emission(emission: Emission) -> Node:
    pulses, node = emission.pulses, _changed(emission, Emission(), ("pulses",))
    if pulses and pulses[0] == Pulse(pulses[0].count):
        node["burst"], pulses = _span(pulses[0].count), pulses[1:]
    if pulses:
        node["pulses"] = [_pulse(pulse) for pulse in pulses]
    return node


def _pulse(pulse: Pulse) -> Node:
    node: Node = {"count": _span(pulse.count), **_changed(pulse, Pulse((0.0, 0.0)), ("count", "times"))}
    if pulse.times != (-1 if "every" in node else 1):
        node["times"] = pulse.times
    return node


def _forces(forces: Forces, effect: Effect) -> Node:
    node = _changed(forces, Forces(), ("vortices", "attractors"))
    if forces.vortices:
        node["vortices"] = [_vortex(vortex, effect) for vortex in forces.vortices]
    if forces.attractors:
        node["attractors"] = [_changed(each, type(each)()) for each in forces.attractors]
    return node


def _vortex(vortex: Vortex, effect: Effect) -> Node:
    node = _changed(vortex, Vortex(), ("emitted", "literal"))
    if vortex.emitted:
        node["emitted"] = _local(vortex.emitted, effect)
    if vortex.literal:
        node["mode"] = "seed"
    return node


def _changed(instance: Any, default: Any, without: tuple[str, ...] = ()) -> Node:
    """Return the fields in which a dataclass differs from its defaults, as plain values."""
    node: Node = {}
    for spec in dataclasses.fields(instance):
        value = getattr(instance, spec.name)
        if spec.name not in without and value != getattr(default, spec.name):
            node[spec.name] = _WRITTEN.get(str(spec.type), _plain)(value)
    return node


def _plain(value: Any) -> Any:
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _span(value: Any) -> Any:
    return value[0] if value[0] == value[1] else list(value)


def _color(value: Any) -> Any:
    """Return a color in hexadecimal digits if these are exact, otherwise as numbers."""
    parts = [round(part * 255) for part in value]
    if all(part / 255 == exact for part, exact in zip(parts, value, strict=True)):
        return "#" + "".join(f"{part:02x}" for part in (parts if parts[3] < 255 else parts[:3]))
    return list(value)


def _curve(curve: Curve) -> Any:
    """Return a curve as its values if they are at even steps and linear, otherwise as its keys."""
    values = [_value(value) for value in curve.values]
    if curve == ramp(*curve.values):
        return values if len(values) > 1 else values[0]
    keys = zip(curve.times, values, curve.easings, strict=True)
    return {time: value if easing == "linear" else [value, easing] for time, value, easing in keys}


def _value(value: tuple[float, ...]) -> Any:
    return value[0] if len(value) == 1 else _color(value)


def _degrees(radians: float) -> float:
    """Return the degrees that are read back as this angle, with as few digits as possible."""
    near = radians / DEGREES
    for digits in range(4, 15):
        if round(near, digits) * DEGREES == radians:
            return round(near, digits)
    exact = (near, math.nextafter(near, math.inf), math.nextafter(near, -math.inf))
    return next((each for each in exact if each * DEGREES == radians), near)


_WRITTEN: dict[str, Callable[[Any], Any]] = {"Span": _span, "Color": _color}
"""The functions that convert fields of some types before writing."""


# From plain values to text


def _lines(node: Node, depth: int) -> list[str]:
    """Return a mapping as lines; an inner mapping that fits into one line is written in braces."""
    space, lines = "  " * depth, list[str]()
    for key, value in node.items():
        flow = f"{space}{_flow(key)}: {_flow(value)}"
        if isinstance(value, dict) and (len(flow) > _WIDTH or (depth == 0 and key == "presets")):
            lines += [f"{space}{_flow(key)}:", *_lines(value, depth + 1)]
        else:
            lines.append(flow)
    return lines


def _flow(value: Any) -> str:
    """Return a value as text on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, float):  # the shortest digits that are read as the same number
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return written(value)
