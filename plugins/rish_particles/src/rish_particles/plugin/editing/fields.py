"""Fields of presets: the widgets for the values of a dataclass, by their types and limits."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rish_jit import EASINGS

from ...curves import Curve
from ...files.reading import DEGREES, LIMITS

if TYPE_CHECKING:
    from rish_editor import UI, Editor

_UNITS = {
    "rate": "1/s", "per_unit": "1/unit", "duration": "s", "delay": "s", "pause": "s", "life": "s", "prewarm": "s",
    "speed": "/s", "end_speed": "/s", "drag": "1/s", "spin": "°/s", "angle": "°", "direction": "°", "at": "",
    "gravity": "/s²", "wind": "/s", "turbulence": "/s²", "stretch": "s",
}  # fmt: skip
_MAX_RANGE = 1000.0
"""A field with a greater range is dragged without bounds, because one pixel would change it too much."""


def draw_field(ui: UI, editor: Editor, instance: Any, name: str, *, label: str = "") -> Any:
    """Draw one field of a dataclass; return the new value, or None without a change."""
    spec = next(spec for spec in dataclasses.fields(instance) if spec.name == name)
    limits = LIMITS.get(type(instance), {}).get(name, ())
    value, kind = getattr(instance, name), str(spec.type)
    with ui.property(label or label_of(editor, name), name):
        return _widget(ui, name, value, kind, limits)


def label_of(editor: Editor, name: str) -> str:
    """Return the label of a field or a section of a preset; `Preset.drag` is a translation only for presets."""
    return editor.language.find(f"Preset.{name}") or editor.tr(name.replace("_", " ").capitalize())


def _widget(ui: UI, name: str, value: Any, kind: str, limits: tuple[Any, ...]) -> Any:
    if limits and isinstance(limits[0], tuple):
        return ui.choice(name, value, list(limits[0]))
    if kind == "bool":
        return ui.checkbox("", name, value)
    low = limits[0] if limits else None
    high = limits[1] if len(limits) > 1 else None
    unit = limits[2] if len(limits) > 2 else 1.0
    unit_label = _UNITS.get(name, "")
    if kind in ("Span", "Pair", "Vector", "Span | None"):
        return _several(ui, name, value, low, high, unit, unit_label, ordered=kind.startswith("Span"))
    if kind == "int":
        return ui.whole(name, value, low=low, high=high)
    if kind == "Color":
        return ui.color(name, value)
    if kind == "str":
        return ui.line(name, value, enter=True)
    if not isinstance(value, float | int):
        ui.text(str(value), "dim")
        return None
    bounded = high is not None and low is not None and high - low <= _MAX_RANGE
    edited = ui.number(name, value / unit, low=low, high=high if bounded else None, unit=unit_label)
    return None if edited is None else float(edited) * unit


def _several(
    ui: UI, name: str, value: Any, low: Any, high: Any, unit: float, unit_label: str, *, ordered: bool
) -> tuple[float, ...] | None:  # fmt: skip
    """Draw two or three numbers side by side. In a span, the other number follows an edited one, so that the first
    stays the least.
    """
    parts: list[float] = [part / unit for part in value]
    room = (ui.room[0] - ui.px(6) * (len(parts) - 1)) / len(parts)
    changed = False
    for k in range(len(parts)):
        if k:
            ui.same_line(6)
        edited = ui.number(f"{name}.{k}", parts[k], low=low, high=high if high is None or high <= _MAX_RANGE else None,
                        unit=unit_label, width=room)  # fmt: skip
        if edited is not None:
            parts[k], changed = float(edited), True
            if ordered and parts[0] > parts[1]:
                parts[1 - k] = parts[k]
    return tuple(part * unit for part in parts) if changed else None


def draw_curve(ui: UI, editor: Editor, name: str, label: str, curve: Curve, top: float) -> Curve | None:
    """Draw a curve of one number with the easings between its keys; return the new one, or None."""
    ui.text(label, "dim")
    points = [(time, value[0]) for time, value in zip(curve.times, curve.values, strict=True)]
    edited = ui.curve(name, points, low=min(0.0, *(y for _, y in points)), high=max(top, *(y for _, y in points)),
                   height=72, color="emitter",
                   tooltip=editor.tr("Double-click adds a point; a right click removes it"))  # fmt: skip
    if edited is not None:
        return Curve(
            tuple(x for x, _ in edited), tuple((y,) for _, y in edited), _easings(curve, [x for x, _ in edited])
        )
    return _draw_easings(ui, editor, name, curve)


def draw_gradient(ui: UI, editor: Editor, name: str, label: str, curve: Curve) -> Curve | None:
    """Draw a gradient; return the new one, or None."""
    ui.text(label, "dim")
    stops = [(time, (*value, 1.0)[:4]) for time, value in zip(curve.times, curve.values, strict=True)]
    tip = editor.tr("Double-click adds a color, a click edits it, a right click removes it")
    edited = ui.gradient(name, stops, tooltip=tip)  # pyright: ignore[reportArgumentType]
    if edited is None:
        return None
    return Curve(
        tuple(x for x, _ in edited), tuple(color for _, color in edited), _easings(curve, [x for x, _ in edited])
    )


def _easings(before: Curve, times: Sequence[float]) -> tuple[str, ...]:
    """Return the easing of each key (times 0..1): that of the same key in the former curve, or of the key before
    it.
    """
    if len(times) == len(before.times):
        return before.easings
    return tuple(before.easings[max((k for k, t in enumerate(before.times) if t <= time), default=0)] for time in times)


def _draw_easings(ui: UI, editor: Editor, name: str, curve: Curve) -> Curve | None:
    """Draw the easing between each two keys, in a tree that is open if any of them is not linear."""
    if len(curve.times) < 2:
        return None
    with ui.tree(editor.tr("Easing"), f"{name}.easing") as is_open:
        if not is_open:
            return None
        for k in range(len(curve.times) - 1):
            with ui.property(f"{curve.times[k]:.2g} – {curve.times[k + 1]:.2g}", f"{name}.easing.{k}"):
                chosen = ui.choice(f"{name}.easing.{k}", curve.easings[k], list(EASINGS))
            if chosen is not None:
                easings = [*curve.easings]
                easings[k] = chosen
                return dataclasses.replace(curve, easings=tuple(easings))
    return None


def degrees(radians: float) -> float:
    """Return an angle in degrees."""
    return radians / DEGREES
