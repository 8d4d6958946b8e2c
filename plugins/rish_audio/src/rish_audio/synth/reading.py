"""Reads sounds and tunes from YAML, every mistake with its file, line and column.

coin: {preset: coin, frequency: 900}
tune: {tempo: 120, tracks: {lead: {preset: lead, notes: "c4 e4 g4:2"}, beat: {drums: "k h s h"}}}
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from rish_core import AssetError, Str, field, resource
from rish_core.manifest import FieldsReader, Mark, Report, Scope, Spot, YamlMap, read_yaml, show
from rish_ecs import did_you_mean

from .notation import WrongNotes, hertz_of
from .parameters import SYNTH_FIELDS, Synth, copy_synth, plain_fields, specs_of
from .presets import PRESETS
from .tune import Track, Tune, notes_of, read_step

Steps = tuple[str | int, ...]

MAX_TRACKS = 32
_TUNE_FIELDS = specs_of(Tune)
_TRACK_FIELDS = specs_of(Track)
_VOICE_FIELDS = {key: spec for key, spec in SYNTH_FIELDS.items() if key not in ("frequency", "gain", "loop")}
"""The fields of a track's sound that are not set by its notes."""
_FOLDER = Path(__file__).parent / "tunes"


@resource
class _Base:
    """The key of a sound's mapping that names the preset."""

    preset: Str = field("", names="synth_presets", doc="a sound that ships, whose other fields these replace")


_PRESET = specs_of(_Base)


@cache
def _reader(what: str) -> FieldsReader:
    from pydantic_core import core_schema

    if what == "a tune":
        return FieldsReader(what, _TUNE_FIELDS, extra={"tracks": core_schema.any_schema()})
    fields = SYNTH_FIELDS if what == "a sound" else {**_TRACK_FIELDS, **_VOICE_FIELDS}
    return FieldsReader(what, {**_PRESET, **fields})


def read_synth(node: Any, mark: Mark, path: Steps, report: Report) -> Synth:
    """Return the sound that a manifest describes: the name of a preset, or fields, with or without `preset`.

    Mistakes are added to the report, and wrong fields keep their defaults.
    """
    if isinstance(node, str):
        return copy_synth(_preset(node, mark, path, report))
    return _synth(_values("a sound", node, mark, path, report), node, path, report)


def read_tune(node: Any, mark: Mark, path: Steps, report: Report) -> Tune:
    """Return the tune that a manifest describes; mistakes are added to the report, as by `read_synth`.

    A mistake in notes is reported at the position of the text, with the number of the note.
    """
    if not isinstance(node, YamlMap):
        report.add(mark, path, f"must be a mapping such as {{tempo: 120, tracks: {{...}}}}, not {show(node)}")
        return Tune()
    tracks = node.get("tracks")
    values = _values("a tune", node, mark, path, report)
    values.pop("tracks", None)
    tune = Tune(**values)
    if not isinstance(tracks, YamlMap) or not 1 <= len(tracks) <= MAX_TRACKS:
        at = node.values_at.get("tracks", node.mark)
        such = f'such as {{lead: {{preset: lead, notes: "c4 e4 g4"}}}}, 1 to {MAX_TRACKS} of them'
        report.add(at, (*path, "tracks"), f"must be a mapping of tracks, {such}, not {show(tracks)}")
        return tune
    for name, item in tracks.items():
        tune.tracks[name] = _track(item, tracks.values_at[name], (*path, "tracks", name), tune.meter, report)
    return tune


def _track(node: Any, mark: Mark, path: Steps, meter: int, report: Report) -> Track:
    values = _values("a track", _with_step(node), mark, path, report)
    track_fields = {key: values.pop(key) for key in list(values) if key in _TRACK_FIELDS}
    track = Track(**track_fields, synth=_synth(values, node, path, report))
    if not isinstance(node, YamlMap):
        return track
    if ("notes" in node) == ("drums" in node):
        report.add(node.mark, path, "needs `notes` or `drums`, and not both")
        return Track(synth=track.synth)
    key = "drums" if "drums" in node else "notes"
    try:
        read_step(track.step)
    except ValueError as error:
        report.add(node.values_at["step"], (*path, "step"), str(error))
        track.step = "1"
    try:
        notes_of(track, meter)
    except WrongNotes as error:
        report.add(node.values_at[key], (*path, key), str(error))
        setattr(track, key, "")
    return track


def _with_step(node: Any) -> Any:
    """Return the mapping with `step` as text, because `step: 0.5` is a number in YAML."""
    if not isinstance(node, YamlMap) or isinstance(node.get("step"), bool):
        return node
    return _replaced(node, "step", str(node["step"])) if isinstance(node.get("step"), int | float) else node


def _values(what: str, node: Any, mark: Mark, path: Steps, report: Report) -> dict[str, Any]:
    """Return the valid fields of a mapping."""
    if what == "a sound" and isinstance(node, YamlMap) and isinstance(node.get("frequency"), str):
        try:
            node = _replaced(node, "frequency", hertz_of(node["frequency"]))
        except ValueError as error:
            report.add(node.values_at["frequency"], (*path, "frequency"), str(error))
            node = _without(node, "frequency")
    return _reader(what).read(node, mark, path, Scope(), report)


def _synth(values: dict[str, Any], node: Any, path: Steps, report: Report) -> Synth:
    """Return a sound from its valid fields."""
    name = values.pop("preset", "")
    if not name:
        return Synth(**values)
    return copy_synth(_preset(name, node.values_at["preset"], (*path, "preset"), report), **values)


def _preset(name: str, mark: Mark, path: Steps, report: Report) -> Synth:
    preset = PRESETS.get(name)
    if preset is None:
        what = f"no sound is called {name!r}{did_you_mean(name, PRESETS)}. Sounds: {', '.join(PRESETS)}"
        report.add(mark, path, what)
    return preset or Synth()


def _replaced(node: YamlMap, key: str, value: Any) -> YamlMap:
    copy = _without(node, key)
    copy.put(key, value, node.keys_at[key], node.values_at[key])
    return copy


def _without(node: YamlMap, key: str) -> YamlMap:
    copy = YamlMap(node.mark)
    for each in node:
        if each != key:
            copy.put(each, node[each], node.keys_at[each], node.values_at[each])
    return copy


def tune_mapping(tune: Tune) -> dict[str, Any]:
    """Return a tune as plain values that `read_tune` reads again, without the defaults."""
    tracks = {
        name: {**plain_fields(track, _TRACK_FIELDS), **plain_fields(track.synth, _VOICE_FIELDS)}
        for name, track in tune.tracks.items()
    }
    return {**plain_fields(tune, _TUNE_FIELDS), "tracks": tracks}


def shipped_tunes() -> list[str]:
    """Return the names of the tunes that ship with the synthesizer."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def load_tune(name: str | Path) -> Tune:
    """Load a tune: the name of one that ships, or the path of a YAML file.

    Raises AssetError with every mistake, each on a line.
    """
    path = name if isinstance(name, Path) else _FOLDER / f"{name}.yaml"
    if not path.is_file():
        raise AssetError(f"no tune is called {str(name)!r}", given=str(name), choices=shipped_tunes())
    document = read_yaml(path)
    report = Report(document.problems)
    tune = read_tune(document.data, Spot(document.file, 0, 0), (), report)
    if report:
        raise AssetError("\n".join([f"{path.name}: {len(report)} mistakes in the tune", *map(str, report.problems)]))
    return tune
