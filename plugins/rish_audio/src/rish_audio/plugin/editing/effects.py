"""The effects of one bus: filters, delay, reverb, limiter and ducking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .values import FIELDS, BusValues

if TYPE_CHECKING:
    from rish_editor import UI, Editor

_MAX_HERTZ = 20_000.0
_GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("filters", "Filters", ("low_pass", "high_pass")),
    ("delay", "Delay", ("delay_mix", "delay", "delay_feedback")),
    ("reverb", "Reverb", ("reverb_mix", "reverb_room", "reverb_damp")),
    ("ducking", "Ducking", ("duck_by", "duck_gain", "duck_threshold", "duck_attack", "duck_release")),
    ("limiter", "Limiter", ("limit",)),
)
_LABELS = {
    "low_pass": "Low-pass", "high_pass": "High-pass", "delay_mix": "Share", "delay": "Time",
    "delay_feedback": "Feedback",
    "reverb_mix": "Share", "reverb_room": "Room", "reverb_damp": "Damping", "duck_by": "Lowered by",
    "duck_gain": "To the factor", "duck_threshold": "From the level", "duck_attack": "Attack",
    "duck_release": "Release",
    "limit": "Greatest sample",
}  # fmt: skip
_NEEDED_BY = {"delay": "delay_mix", "delay_feedback": "delay_mix", "reverb_room": "reverb_mix",
           "reverb_damp": "reverb_mix"}  # fmt: skip
"""Parameters that have an effect only if another parameter is above 0."""


def summary_of(values: BusValues, bus: str) -> str:
    """Return short labels of the effects that are switched on for a bus, to fit into a strip of the mixer."""
    labels = [short for name, short in (("low_pass", "LP"), ("high_pass", "HP"), ("delay_mix", "DL"),
                                       ("reverb_mix", "RV")) if values.get(bus, name) > 0]  # fmt: skip
    if values.get(bus, "duck_by"):
        labels.append("DK")
    return " ".join(labels)


def draw_effects(ui: UI, editor: Editor, values: BusValues, bus: str) -> None:
    """Draw the effects of a bus by group."""
    tr = editor.tr
    ui.text(bus, "bold")
    parent = values.get(bus, "parent")
    if parent:
        ui.same_line()
        ui.text(f"{ui.icon('forward')} {parent}", "dim")
    with ui.inside(bus):
        for name, title, fields in _GROUPS:
            active = any(values.get(bus, field) for field in fields[:1]) or name == "filters"
            with ui.section(tr(title), name, opened=active) as is_open:
                if is_open:
                    for field in fields:
                        _field(ui, editor, values, bus, field)


def _field(ui: UI, editor: Editor, values: BusValues, bus: str, name: str) -> None:
    spec, tr = FIELDS[name], editor.tr
    value: Any = values.get(bus, name)
    off = (name in _NEEDED_BY and not values.get(bus, _NEEDED_BY[name])) or (
        name.startswith("duck_") and name != "duck_by" and not values.get(bus, "duck_by")
    )
    doc = spec.doc[:1].upper() + spec.doc[1:]
    with ui.property(tr(_LABELS[name]), name, tooltip=doc, dim=off), ui.disabled(off):
        if name == "duck_by":
            others = ["", *(each for each in values.names if each not in (bus, "master"))]
            edited: Any = ui.choice(name, value, others, labels=[tr("Nothing"), *others[1:]])
        else:
            high = _MAX_HERTZ if spec.unit == "Hz" else spec.high
            step = max(value * 0.01, 2.0) if spec.unit == "Hz" else 0.0
            form = (
                tr("off") if not value and name in ("low_pass", "high_pass", "delay_mix", "reverb_mix", "limit") else ""
            )
            edited = ui.number(name, value, low=spec.low, high=high, speed=step, unit=spec.unit, form=form)
            edited = None if edited is None else float(edited)
    if edited is not None:
        values.set(bus, name, edited)
