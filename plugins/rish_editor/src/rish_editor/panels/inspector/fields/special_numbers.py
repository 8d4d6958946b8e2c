"""Numbers with a special meaning, such as -1 for "as the settings say", which are shown by name, with a button for a
number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....look import icons

if TYPE_CHECKING:
    from rish_ecs.declarations import FieldSpec

    from ....session.target import Target
    from ..state import State

_NUMBER = "number"


def draw_meaning(state: State, target: Target, spec: FieldSpec, draw: Callable[[State, Target, Any], None]) -> None:
    """Draw the name of a value that has a meaning, otherwise the number with a button that offers the names.

    While the user drags or types a number it stays one. draw: draws the number.
    """
    ui, name, key = target.ui, spec.name, (target.cls, spec.name)
    value, mixed = target.value(name), target.mixed(name)
    meant = None if mixed or state.typed == key else spec.meaning(value)
    if meant is None and not mixed:
        state.numbers[key] = value
    keys = [f"{number:g}" for number in spec.meanings]
    labels = [said(target, text) for text in spec.meanings.values()]
    if meant is not None:
        shown = keys[list(spec.meanings.values()).index(meant)]
        new = ui.choice(name, shown, [*keys, _NUMBER], labels=[*labels, target.editor.tr("Number…")])
    else:
        with ui.group():
            ui.fill_but(ui.row_height + ui.px(3))
            draw(state, target, spec)
        state.typed = key if ui.active() else None if state.typed == key else state.typed
        ui.same_line(3)
        new = None
        if ui.icon_button(icons.DOWN, f"{name}:meanings", target.editor.tr("Values with a name")):
            ui.open_popup(f"{name}:names")
        with ui.popup(f"{name}:names") as opened:
            for number, label in zip(keys, labels, strict=True) if opened else ():
                new = number if ui.item(label, number) else new
    if new == _NUMBER:
        target.set(name, state.numbers.get(key, usual_number(spec)))
    elif new is not None:
        target.set(name, throughout(spec, float(new)))


def said(target: Target, text: str) -> str:
    """Return a meaning in the user's language, with a capital letter."""
    text_shown = target.editor.tr(text)
    return text_shown[:1].upper() + text_shown[1:]


def usual_number(spec: FieldSpec) -> Any:
    """Return the initial number of a field that has shown a special one: the default, or the allowed number nearest to
    1."""
    if spec.meaning(spec.default) is None:
        return spec.default
    one = math.radians(1) if spec.angle else 1.0
    low, high = -math.inf if spec.low is None else spec.low, math.inf if spec.high is None else spec.high
    return throughout(spec, min(max(one, low), high))


def throughout(spec: FieldSpec, number: float) -> Any:
    """Return a number as the value of a field; for a vector, in all its parts."""
    one = spec.type.dtype.type(number).item()
    return [one] * spec.type.width if spec.type.shape else one
