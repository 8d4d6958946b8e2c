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
_GREATEST = 1000.0
"""A greater range is dragged without bounds, because one pixel would be too much."""


def draw_field(ui: UI, editor: Editor, made: Any, name: str, *, label: str = "") -> Any:
    """Draw one field of a dataclass; return the new value, or None without a change."""
    spec = next(spec for spec in dataclasses.fields(made) if spec.name == name)
    limits = LIMITS.get(type(made), {}).get(name, ())
    value, kind = getattr(made, name), str(spec.type)
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
    shown = _UNITS.get(name, "")
    if kind in ("Span", "Pair", "Span | None"):
        return _two(ui, name, value, low, high, unit, shown, ordered=kind != "Pair")
    if kind == "int":
        return ui.whole(name, value, low=low, high=high)
    if kind == "Color":
        return ui.color(name, value)
    if kind == "str":
        return ui.line(name, value, enter=True)
    if not isinstance(value, float | int):
        ui.text(str(value), "dim")
        return None
    bounded = high is not None and low is not None and high - low <= _GREATEST
    new = ui.number(name, value / unit, low=low, high=high if bounded else None, unit=shown)
    return None if new is None else float(new) * unit


def _two(
    ui: UI, name: str, value: Any, low: Any, high: Any, unit: float, shown: str, *, ordered: bool
) -> tuple[float, float] | None:  # fmt: skip
    """Draw two numbers side by side; of a span, the other one moves along so that the order stays."""
    room = (ui.room[0] - ui.px(6)) / 2
    found: list[float] = [part / unit for part in value]
    changed = False
    for k in (0, 1):
        if k:
            ui.same_line(6)
        new = ui.number(f"{name}.{k}", found[k], low=low, high=high if high is None or high <= _GREATEST else None,
                        unit=shown, width=room)  # fmt: skip
        if new is not None:
            found[k], changed = float(new), True
            if ordered and found[0] > found[1]:
                found[1 - k] = found[k]
    return (found[0] * unit, found[1] * unit) if changed else None


def draw_curve(ui: UI, editor: Editor, name: str, label: str, curve: Curve, top: float) -> Curve | None:
    """Draw a curve of one number with the easings between its keys; return the new one, or None."""
    ui.text(label, "dim")
    points = [(time, value[0]) for time, value in zip(curve.times, curve.values, strict=True)]
    new = ui.curve(name, points, low=min(0.0, *(y for _, y in points)), high=max(top, *(y for _, y in points)),
                   height=72, color="emitter",
                   tooltip=editor.tr("Double-click adds a point; a right click removes it"))  # fmt: skip
    if new is not None:
        return Curve(tuple(x for x, _ in new), tuple((y,) for _, y in new), _easings(curve, [x for x, _ in new]))
    return _draw_easings(ui, editor, name, curve)


def draw_gradient(ui: UI, editor: Editor, name: str, label: str, curve: Curve) -> Curve | None:
    """Draw a gradient; return the new one, or None."""
    ui.text(label, "dim")
    stops = [(time, (*value, 1.0)[:4]) for time, value in zip(curve.times, curve.values, strict=True)]
    tip = editor.tr("Double-click adds a color, a click edits it, a right click removes it")
    new = ui.gradient(name, stops, tooltip=tip)  # pyright: ignore[reportArgumentType]
    if new is None:
        return None
    return Curve(tuple(x for x, _ in new), tuple(color for _, color in new), _easings(curve, [x for x, _ in new]))


def _easings(before: Curve, times: Sequence[float]) -> tuple[str, ...]:
    """Return the easing of each key: that of the same key, or of the key before it in the former curve."""
    if len(times) == len(before.times):
        return before.easings
    return tuple(before.easings[max((k for k, t in enumerate(before.times) if t <= time), default=0)] for time in times)


def _draw_easings(ui: UI, editor: Editor, name: str, curve: Curve) -> Curve | None:
    """Draw the easing between each two keys, if any is not a straight line or the person asks for them."""
    if len(curve.times) < 2:
        return None
    with ui.tree(editor.tr("Easing"), f"{name}.easing") as shown:
        if not shown:
            return None
        for k in range(len(curve.times) - 1):
            with ui.property(f"{curve.times[k]:.2g} – {curve.times[k + 1]:.2g}", f"{name}.easing.{k}"):
                new = ui.choice(f"{name}.easing.{k}", curve.easings[k], list(EASINGS))
            if new is not None:
                made = [*curve.easings]
                made[k] = new
                return dataclasses.replace(curve, easings=tuple(made))
    return None


def degrees(radians: float) -> float:
    """Return an angle in degrees."""
    return radians / DEGREES
