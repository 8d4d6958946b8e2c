"""Reads `sounds`, `buses` and `mixes` of the settings. Mistakes are collected in a report, with their places."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

from rish_core.manifest import FieldsReader, Mark, Report, Scope, Spot, YamlList, YamlMap, marked, show
from rish_ecs import did_you_mean, kind_of
from rish_ecs.declarations import FieldSpec

from ..components.tables import Buses
from .generated_clips import read_made
from .sound import SUFFIXES, Sound

Steps = tuple[str | int, ...]
Values = dict[str, Any]
STANDARD_BUSES: dict[str, Values] = {
    "master": {"limit": 0.98},
    "music": {"parent": "master"},
    "effects": {"parent": "master"},
    "ui": {"parent": "master"},
    "echo": {"parent": "master", "delay_mix": 1.0, "delay": 0.24, "delay_feedback": 0.4, "low_pass": 4000.0},
}
"""The buses that every game has, with the values that differ from the defaults."""
MAKERS = ("synth", "tune")
_SOURCES = ("clips", *MAKERS)
_ROOT: Steps = ("settings", "audio")
_SOUND_FIELDS: dict[str, FieldSpec] = Sound.__dict__["__resource__"].fields
_SPOT = Spot("settings.audio")


@cache
def _reader(what: str) -> FieldsReader:
    from pydantic_core import core_schema as schemas

    specs: dict[str, FieldSpec] = {**kind_of(Buses).fields}
    del specs["name"]
    if what == "a bus":
        return FieldsReader(what, specs)
    if what == "a mix":
        return FieldsReader(what, {key: spec for key, spec in specs.items() if spec.type.special != "str"})
    extra: Any = {"streamed": schemas.bool_schema(strict=True), **{key: schemas.any_schema() for key in MAKERS}}
    return FieldsReader(what, dict(_SOUND_FIELDS), extra={**extra, "markers": schemas.any_schema()})


def _items(node: Any, key: str, report: Report) -> Iterator[tuple[str, Any, Mark, Steps]]:
    """Yield the entries of a section of the settings: name, value, position in the file, path."""
    node = marked(node, _SPOT)
    if node is None:
        return
    if not isinstance(node, YamlMap):
        report.add(getattr(node, "mark", _SPOT), (*_ROOT, key), f"must be a mapping of names, not {show(node)}")
        return
    for name, item in node.items():
        yield str(name), item, node.values_at[name], (*_ROOT, key, str(name))


def read_sounds(node: Any, report: Report, scope: Scope) -> dict[str, Sound]:
    """Return the named sounds of the settings."""
    return {
        name: read_sound(name, item, mark, path, report, scope)
        for name, item, mark, path in _items(node, "sounds", report)
    }


def read_sound(name: str, node: Any, mark: Mark, path: Steps, report: Report, scope: Scope) -> Sound:
    """Return one named sound. node: a file, a list of files, or a mapping of the fields of `Sound`."""
    if isinstance(node, str | YamlList):
        files = node
        node = YamlMap(mark)
        node.put("clips", files, mark, mark)
    if isinstance(node, YamlMap) and isinstance(node.get("clips"), str):
        node = _with(node, "clips", marked([node["clips"]], node.values_at["clips"]))
    inner = {key: node[key] for key in (*MAKERS, "markers") if key in node} if isinstance(node, YamlMap) else {}
    values = _reader("a sound").read(_without(node, inner), mark, path, Scope(), report)
    streamed = values.pop("streamed", None)
    source_keys = [key for key in _SOURCES if isinstance(node, YamlMap) and key in node]
    sound = Sound(**{**({"bus": "music", "loop": True, "spatial": False} if source_keys == ["tune"] else {}), **values})
    sound.name, sound.streamed = name, streamed
    if isinstance(node, YamlMap) and len(source_keys) != 1:
        report.add(mark, path, "needs one of `clips`, `synth` and `tune`")
    elif source_keys and source_keys[0] in MAKERS:
        key = source_keys[0]
        sound.made = read_made(key, node[key], node.values_at[key], (*path, key), report)
        sound.clips = [f"{key}:{name}"]
        if key == "synth" and "loop" not in values:
            sound.loop = sound.made.loop
    for clip in sound.clips if sound.made is None else ():
        wrong = f"{clip!r} is no sound file: it must end in {', '.join(SUFFIXES)}"
        if clip.lower().endswith(SUFFIXES):
            wrong = scope.asset_problem(clip, names="sounds")
        if wrong is not None:
            report.add(node.values_at["clips"], (*path, "clips"), wrong)
    if "markers" in inner:
        sound.markers = _markers(inner["markers"], node.values_at["markers"], (*path, "markers"), report)
    return sound


def _with(node: YamlMap, key: str, value: Any) -> YamlMap:
    copy = _without(node, (key,))
    copy.put(key, value, node.keys_at[key], node.values_at[key])
    return copy


def _without(node: Any, keys: Collection[str]) -> Any:
    if not isinstance(node, YamlMap):
        return node
    copy = YamlMap(node.mark)
    for key in node:
        if key not in keys:
            copy.put(key, node[key], node.keys_at[key], node.values_at[key])
    return copy


def _markers(node: Any, mark: Mark, path: Steps, report: Report) -> tuple[tuple[str, float], ...]:
    markers: list[tuple[float, str]] = []
    if not isinstance(node, YamlMap):
        report.add(mark, path, f"must be a mapping of names to seconds, not {show(node)}")
        return ()
    for name, at in node.items():
        if isinstance(at, bool) or not isinstance(at, int | float) or not 0 <= at < 1e6:
            report.add(node.values_at[name], (*path, str(name)), f"must be seconds from the start, not {show(at)}")
        else:
            markers.append((float(at), str(name)))
    return tuple((name, at) for at, name in sorted(markers))


def read_buses(node: Any, report: Report) -> list[Values]:
    """Return the rows of `Buses`, master first and parents before their children."""
    buses: dict[str, Values] = {name: {"name": name, **values} for name, values in STANDARD_BUSES.items()}
    places: dict[str, tuple[YamlMap, Steps]] = {}
    for name, item, mark, path in _items(node, "buses", report):
        values = _reader("a bus").read(item, mark, path, Scope(), report)
        buses.setdefault(name, {"name": name, "parent": "master"}).update(values)
        if isinstance(item, YamlMap):
            places[name] = item, path
    for name, (item, path) in places.items():
        for key in ("parent", "duck_by"):
            other = buses[name].get(key, "")
            if other and other not in buses:
                what = f"there is no bus {other!r}{did_you_mean(other, buses)}. Buses: {', '.join(buses)}"
                report.add(item.values_at[key], (*path, key), what)
                buses[name][key] = "master" if key == "parent" else ""
    buses["master"]["parent"] = ""
    return _in_order(buses, places, report)


def _in_order(buses: dict[str, Values], places: dict[str, tuple[YamlMap, Steps]], report: Report) -> list[Values]:
    """Return the buses with parents before children; a bus that is its own ancestor becomes a child of the master."""
    ordered: dict[str, Values] = {"master": buses["master"]}
    remaining = [name for name in buses if name != "master"]
    while remaining:
        ready = [name for name in remaining if (buses[name].get("parent") or "master") in ordered]
        if not ready:
            item, path = places[remaining[0]]
            report.add(item.values_at.get("parent", item.mark), (*path, "parent"), "the parents form a ring")
            buses[remaining[0]]["parent"] = "master"
            continue
        ordered.update({name: buses[name] for name in ready})
        remaining = [name for name in remaining if name not in ordered]
    return [*ordered.values()]


def read_mixes(node: Any, buses: Collection[str], report: Report) -> dict[str, dict[str, Values]]:
    """Return the mixes: by name and bus the parameters that they set."""
    mixes: dict[str, dict[str, Values]] = {}
    for mix, item, mark, path in _items(node, "mixes", report):
        mixes[mix] = {}
        if not isinstance(item, YamlMap):
            report.add(mark, path, f"must be a mapping of buses, such as {{music: {{gain: 0.5}}}}, not {show(item)}")
            continue
        for bus, values in item.items():
            at, place = item.values_at[bus], (*path, str(bus))
            if bus not in buses:
                what = f"there is no bus {str(bus)!r}{did_you_mean(str(bus), buses)}. Buses: {', '.join(buses)}"
                report.add(item.keys_at[bus], place, what)
            else:
                mixes[mix][bus] = _reader("a mix").read(values, at, place, Scope(), report)
    return mixes
