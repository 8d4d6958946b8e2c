"""Checks the tracks of clips against declared components, and reads the values of their keys.

This needs the declarations of a game's plugins, so it happens when a manifest is checked or when a clip is used first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core.manifest import FieldsReader, Report, Scope, Spot, YamlMap
from rish_ecs import Place, Problem, RishError
from rish_expressions import ExpressionError, Vocabulary
from rish_jit import Array

from ..fields import Field, field_of
from .model import Interpolation, Key, Track, TrackClip

Checked = tuple[Track, Field, list[Any]]
"""A track, its field, and the checked values of its keys."""


def checked_tracks(clip: TrackClip, words: Vocabulary, problems: list[Problem]) -> list[Checked]:
    """Return the tracks without mistakes, with field and values. Mistakes are appended to `problems`."""
    checked: list[Checked] = []
    for track in clip.tracks:
        place = track.place or Place("a clip from code")
        before = len(problems)
        try:
            field = field_of(words, track.field)
        except RishError as error:
            problems.append(Problem(place, "", error.line if isinstance(error, ExpressionError) else str(error)))
            continue
        values = [_value(field, key, place, problems) for key in track.keys]
        if not field.mixes and track.interpolation is Interpolation.CUBIC:
            problems.append(Problem(place, track.field, f"{field.spec.type.name} can't be interpolated: use step"))
        if len(problems) == before:
            checked.append((track, field, values))
    return checked


def _value(field: Field, key: Key, place: Place, problems: list[Problem]) -> Any:
    """Return the checked value of a key, see `FieldSpec.check`; None after a mistake."""
    spec = field.spec
    try:
        if key.place is None:
            return spec.check(key.value)
        spot = Spot(key.place.file, key.place.line - 1, key.place.column - 1)
        node, report = YamlMap(spot), Report()
        node.put(spec.name, key.value, spot, spot)
        values = FieldsReader(spec.kind.name, {spec.name: spec}).read(node, spot, (field.text,), Scope(), report)
        problems += report.problems
        return spec.check(values[spec.name]) if not report else None
    except ValueError as error:
        problems.append(Problem(key.place or place, field.text, str(error)))
    return None


def slopes(track: Track, field: Field, times: Array, values: Array) -> tuple[Array, Array]:
    """Return float64 (k, width) twice: the slopes before and after each key, as given or of a Catmull-Rom curve.

    The slope of a Catmull-Rom curve at a key is that of the line from the key before to the key after.
    """
    last = len(times) - 1
    ahead, behind = np.minimum(np.arange(last + 1) + 1, last), np.maximum(np.arange(last + 1) - 1, 0)
    smooth = (values[ahead] - values[behind]) / np.maximum(times[ahead] - times[behind], 1e-9)[:, None]
    before, after = smooth.copy(), smooth.copy()
    scale = np.pi / 180.0 if field.spec.angle and track.place is not None else 1.0
    for i, key in enumerate(track.keys):
        for slope, out in ((key.before, before), (key.after, after)):
            if slope is not None:
                out[i] = np.asarray(slope, np.float64) * scale
    return before, after
