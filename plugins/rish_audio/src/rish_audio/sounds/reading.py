"""Reads `sounds`, `buses` and `mixes` of the settings. Mistakes are collected with their places."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from typing import Any

from rish_ecs import did_you_mean, kind_of

from ..components.tables import Buses
from .fields import Fields, Mistake
from .sound import SUFFIXES, Sound

STANDARD = {
    "master": {"limit": 0.98},
    "music": {"parent": "master"},
    "effects": {"parent": "master"},
    "ui": {"parent": "master"},
    "echo": {"parent": "master", "delay_mix": 1.0, "delay": 0.24, "delay_feedback": 0.4, "low_pass": 4000.0},
}
"""The buses that every game has, with what differs from the defaults."""
_HZ = 96_000.0
_LONG = 86_400.0
_MAKERS = ("synth", "tune")
_KEYS = tuple(field.name for field in dataclasses.fields(Sound) if field.name not in ("name", "made")) + _MAKERS
_RANGES: Mapping[str, tuple[float, float]] = {
    "gain": (0, 100), "pitch": (0.01, 16), "gain_spread": (0, 1), "pitch_spread": (0, 24), "cooldown": (0, _LONG),
    "min_distance": (0, math.inf), "max_distance": (0, math.inf), "low_pass": (0, _HZ), "echo": (0, 1),
    "loop_from": (0, _LONG), "loop_to": (0, _LONG),
}  # fmt: skip
Makers = Mapping[str, Callable[[Any, str, list[Mistake]], Any]]
"""Readers of what makes a clip, by the key: data, path and mistakes to what `Sound.made` holds (None if wrong)."""


def read_sounds(data: Any, path: str, makers: Makers, mistakes: list[Mistake]) -> dict[str, Sound]:
    """Return the named sounds of the settings."""
    given = Fields({"sounds": data}, path.rpartition(".")[0], mistakes)
    return {name: read_sound(name, item, f"{path}.{name}", makers, mistakes) for name, item in given.inner("sounds")}


def read_sound(name: str, data: Any, path: str, makers: Makers, mistakes: list[Mistake]) -> Sound:
    """Return one named sound. data: a file, a list of files, or a mapping of the fields of `Sound`."""
    if isinstance(data, (str, list)):
        data = {"clips": data}
    fields = Fields(data, path, mistakes)
    fields.only(_KEYS, "a sound")
    clips, made = fields.texts("clips"), None
    for clip in clips:
        if not clip.lower().endswith(SUFFIXES):
            fields.wrong("clips", f"{clip!r} is no sound file: it must end in {', '.join(SUFFIXES)}")
    sources = [key for key in ("clips", *_MAKERS) if key in fields.data]
    if len(sources) != 1:
        fields.wrong("", "needs one of `clips`, `synth` and `tune`")
    elif sources[0] in makers:
        made = makers[sources[0]](fields.data[sources[0]], f"{path}.{sources[0]}", mistakes)
        clips = (f"{sources[0]}:{name}",)
    numbers = {key: fields.number(key, getattr(Sound, key), *span) for key, span in _RANGES.items() if key in fields.data}
    music = sources == ["tune"]
    return Sound(
        name,
        clips,
        made,
        bus=fields.text("bus", "music" if music else "effects"),
        priority=int(fields.number("priority", 0, -100, 100)),
        loop=fields.flag("loop", music),
        most=int(fields.number("most", 0, 0, 256)),
        spatial=fields.flag("spatial", not music),
        streamed=fields.flag("streamed", False) if "streamed" in fields.data else None,
        markers=_markers(fields),
        **numbers,
    )


def _markers(fields: Fields) -> tuple[tuple[str, float], ...]:
    found: list[tuple[str, float]] = []
    inner = Fields(fields.data.get("markers", {}), f"{fields.path}.markers", fields.mistakes)
    for name in inner.data:
        found.append((str(name), inner.number(name, 0.0, 0, _LONG)))
    return tuple(sorted(found, key=lambda marker: marker[1]))


def read_buses(data: Any, path: str, mistakes: list[Mistake]) -> list[dict[str, Any]]:
    """Return the rows of `Buses`, master first and parents before their children."""
    wanted: dict[str, dict[str, Any]] = {name: {"name": name, **values} for name, values in STANDARD.items()}
    given = Fields({"buses": data}, path.rpartition(".")[0], mistakes)
    places: dict[str, Fields] = {}
    for name, item in given.inner("buses"):
        values = _bus_values(Fields(item, f"{path}.{name}", mistakes), places, name)
        wanted.setdefault(name, {"name": name, "parent": "master"}).update(values)
    for name, values in wanted.items():
        for key in ("parent", "duck_by"):
            other = values.get(key, "")
            if other and other not in wanted and name in places:
                places[name].wrong(key, f"there is no bus {other!r}{did_you_mean(other, wanted)}: {', '.join(wanted)}")
                values[key] = "master" if key == "parent" else ""
    wanted["master"]["parent"] = ""
    return _in_order(wanted, places)


def _bus_values(fields: Fields, places: dict[str, Fields], name: str) -> dict[str, Any]:
    places[name] = fields
    specs = {key: spec for key, spec in kind_of(Buses).fields.items() if key != "name"}
    fields.only([*specs], "a bus")
    values: dict[str, Any] = {}
    for key, spec in specs.items():
        if key not in fields.data:
            continue
        if spec.type.special == "str":
            values[key] = fields.text(key)
        elif spec.type.name == "bool":
            values[key] = fields.flag(key, False)
        else:
            low = -math.inf if spec.low is None else spec.low
            values[key] = fields.number(key, float(spec.default), low, _HZ if spec.high is None else spec.high)
    return values


def _in_order(wanted: dict[str, dict[str, Any]], places: dict[str, Fields]) -> list[dict[str, Any]]:
    """Return the buses with parents before children; a bus in a ring of parents becomes a child of the master."""
    done: dict[str, dict[str, Any]] = {"master": wanted["master"]}
    left = [name for name in wanted if name != "master"]
    while left:
        ready = [name for name in left if wanted[name].get("parent", "master") in done]
        if not ready:
            name = left[0]
            if name in places:
                places[name].wrong("parent", "the parents form a ring")
            wanted[name]["parent"] = "master"
            continue
        for name in ready:
            done[name] = wanted[name]
        left = [name for name in left if name not in done]
    return [*done.values()]


def read_mixes(data: Any, path: str, buses: list[str], mistakes: list[Mistake]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the mixes: by name and bus the parameters that they set."""
    given = Fields({"mixes": data}, path.rpartition(".")[0], mistakes)
    mixes: dict[str, dict[str, dict[str, Any]]] = {}
    for mix, item in given.inner("mixes"):
        inner = Fields(item, f"{path}.{mix}", mistakes)
        inner.only(buses, "the game")
        mixes[mix] = {
            bus: _bus_values(Fields(inner.data[bus], f"{path}.{mix}.{bus}", mistakes), {}, bus)
            for bus in inner.data
            if bus in buses
        }
        for bus, values in mixes[mix].items():
            for key in [key for key in values if isinstance(values[key], str)]:
                inner.wrong(bus, f"a mix can't change {key!r} of a bus")
                del values[key]
    return mixes
