"""One field of a component: its row, and the widget of its declaration."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import RishError

from ....session.plain_values import data_of
from ....session.target import Target
from ....ui.values import Formula, FormulaError, Parts, in_steps, within
from ..menus import field_menu
from .assets import draw_asset
from .entities import draw_entity
from .lists import draw_list
from .rotations import draw_rotation
from .special_numbers import draw_meaning

if TYPE_CHECKING:
    from rish_ecs.declarations import FieldSpec

    from ....session.editor import Editor
    from ..state import State

_LETTERS = (("x y w h", "XYWH"), ("left, top, right, bottom", "LTRB"))
"""Letters of the numbers of a vector, by what its declaration says."""
_SLIDE = 1000.0
"""Numbers with a larger range are dragged by their magnitude, not by their range."""


def label_of(name: str) -> str:
    """Return the label of a field in English: `corner_radius` is `Corner radius`."""
    return name.replace("_", " ").strip().capitalize()


def tooltip_of(editor: Editor, target: Target, spec: FieldSpec) -> str:
    """Return the tooltip of a field: its description, unit, range and default, and its name in code."""
    lines = [spec.doc[:1].upper() + spec.doc[1:]] if spec.doc else []
    unit = "°" if spec.angle else spec.unit
    low, high = (_shown_bound(spec, bound) for bound in (spec.low, spec.high))
    if low and high:
        lines.append(editor.tr("Range: {low} to {high}", low=low, high=high) + f" {unit}".rstrip())
    elif low or high:
        text = "At least {low}" if low else "At most {high}"
        lines.append(editor.tr(text, low=low, high=high) + f" {unit}".rstrip())
    elif unit:
        lines.append(editor.tr("Unit: {unit}", unit=unit))
    default = data_of(target.game.world, spec, spec.default)
    if default not in ("", None, []):
        lines.append(editor.tr("Default: {value}", value=default))
    lines.append(f"{target.cls.__name__}.{spec.name}: {spec.type.name}")
    return "\n".join(lines)


def _shown_bound(spec: FieldSpec, bound: float | None) -> str:
    return "" if bound is None else f"{math.degrees(bound) if spec.angle else bound:g}"


class Fields:
    """Draws the fields of one component in one frame; it is the `draw` of a Target."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._texts: dict[tuple[type, str, str], tuple[str, str]] = {}

    def __call__(self, target: Target, name: str, label: str, tooltip: str, room: float) -> bool:
        """Draw a field if it fits the search and is in view; return whether it was drawn."""
        spec, editor, ui = target.spec(name), target.editor, target.ui
        shown, description = self._words(target, spec)
        if not self.finds(target.cls, name, label or shown) or not ui.begin_part(name):
            return False
        override = self.state.is_override(target, name)
        ui.property_label(label or shown, name, tooltip=tooltip or description, override=override)
        field_menu(self.state, target, spec, override)
        ui.fill_but(ui.px(room) if room else 1.0)
        try:
            draw = widget_of(spec)
            if spec.meanings:
                draw_meaning(self.state, target, spec, draw)
            else:
                draw(self.state, target, spec)
        except (FormulaError, RishError) as error:
            editor.note(str(error).splitlines()[0], "warning")
        finally:
            ui.end_part()
        return True

    def finds(self, cls: type, name: str, label: str) -> bool:
        """Return whether the user's search includes a field."""
        return self.state.finds(cls, name, label)

    def _words(self, target: Target, spec: FieldSpec) -> tuple[str, str]:
        """Return label and tooltip. A text such as `Sprite.normal` is the label of only this field."""
        key = target.cls, spec.name, target.editor.language.code
        texts = self._texts.get(key)
        if texts is None:
            own = target.editor.language.find(f"{target.cls.__name__}.{spec.name}")
            label = own or target.editor.tr(label_of(spec.name))
            texts = self._texts[key] = label, tooltip_of(target.editor, target, spec)
        return texts


Widget = Callable[["State", Target, Any], None]


def widget_of(spec: FieldSpec) -> Widget:
    """Return the function that draws the value of a field."""
    kind = spec.type
    if kind.special:
        return _SPECIAL[kind.special]
    if kind.name == "Color":
        return _color
    if kind.name == "Quat":
        return draw_rotation
    if len(kind.shape) == 1 and kind.dtype.kind in "fiu":
        return _vector
    if not kind.shape:
        return _checkbox if kind.dtype.kind == "b" else _number
    return _data


def _number(state: State, target: Target, spec: FieldSpec) -> None:
    name, whole = spec.name, spec.type.dtype.kind in "iu"
    low, high = bounds_of(spec)
    value = target.value(name)
    entered = target.ui.formula(
        name, math.degrees(value) if spec.angle else value, low=low, high=high, whole=whole, unit=unit_of(spec),
        speed=step_of(spec, low, high), mixed=target.mixed(name),
    )  # fmt: skip
    if entered is not None:
        put_parts(target, spec, {0: entered})


def _vector(state: State, target: Target, spec: FieldSpec) -> None:
    name, value = spec.name, target.value(spec.name)
    low, high = bounds_of(spec)
    shown = np.degrees(value) if spec.angle else value
    entered = target.ui.vector(
        name, shown.tolist(), mixed=target.mixed_parts(name), low=low, high=high, whole=spec.type.dtype.kind in "iu",
        speed=step_of(spec, low, high), letters=letters_of(spec), unit=unit_of(spec),
    )  # fmt: skip
    if entered is not None:
        put_parts(target, spec, entered)


def _color(state: State, target: Target, spec: FieldSpec) -> None:
    entered = target.ui.color_parts(spec.name, target.value(spec.name), mixed=target.mixed_parts(spec.name))
    if entered is not None:
        put_parts(target, spec, entered)


def put_parts(target: Target, spec: FieldSpec, entered: Parts) -> None:
    """Set the entered numbers of a field for all entities; the other numbers of each entity stay. Raises
    FormulaError."""
    low, high = bounds_of(spec)

    def change(values: Any) -> Any:
        columns = values.astype(np.float64).reshape(len(values), -1)
        columns = np.degrees(columns) if spec.angle else columns
        for k, part in entered.items():
            column = part.of(columns[:, k]) if isinstance(part, Formula) else np.full(len(columns), float(part))
            if spec.type.name == "Color":
                column = [in_steps(value) for value in np.asarray(column).tolist()]
            columns[:, k] = np.clip(column, -np.inf if low is None else low, np.inf if high is None else high)
        if spec.type.dtype.kind in "iu":
            bounds = np.iinfo(spec.type.dtype)
            columns = np.clip(np.rint(columns), bounds.min, bounds.max)
        columns = np.radians(columns) if spec.angle else columns
        with np.errstate(over="ignore"):
            return _limited(spec, columns.astype(spec.type.dtype)).reshape(values.shape)

    target.set_each(spec.name, change)


def _limited(spec: FieldSpec, values: Any) -> Any:
    """Clamp numbers to the declared range, which rounding of degrees can exceed."""
    if spec.low is None and spec.high is None:
        return values
    return np.clip(values, spec.low, spec.high).astype(spec.type.dtype)


def bounds_of(spec: FieldSpec) -> tuple[float | None, float | None]:
    """Return the range of a field as it is shown."""
    low, high = spec.low, spec.high
    if spec.angle:
        return None if low is None else math.degrees(low), None if high is None else math.degrees(high)
    return low, high


def letters_of(spec: FieldSpec) -> str:
    """Return the letters of a vector's numbers; none for an array."""
    if not spec.type.name.startswith(("Vec", "Quat")):
        return ""
    return next((letters for words, letters in _LETTERS if words in spec.doc), "XYZW")


def unit_of(spec: FieldSpec) -> str:
    """Return the unit as it is shown; "" for world units, which are the default."""
    if spec.angle:
        return spec.unit.replace("rad", "°") or "°"
    return "" if spec.unit == "units" else spec.unit


def step_of(spec: FieldSpec, low: float | None, high: float | None) -> float:
    """Return the change of a number per unit of a drag; 0 lets the widget choose it."""
    if spec.step is not None:
        return math.degrees(spec.step) if spec.angle else spec.step
    if low is not None and high is not None and high - low <= _SLIDE:
        return 0.0
    if spec.angle:
        return 1.0
    return {"units": 1.0, "px": 1.0, "s": 0.01}.get(spec.unit, 0.0)


def _checkbox(state: State, target: Target, spec: FieldSpec) -> None:
    new = target.ui.checkbox("", spec.name, bool(target.value(spec.name)), mixed=target.mixed(spec.name))
    if new is not None:
        target.set(spec.name, new)


def _enum(state: State, target: Target, spec: FieldSpec) -> None:
    from rish_ecs.declarations import members_of

    assert spec.type.enum is not None
    members = members_of(spec.type.enum)
    names = [member.name.lower() for member in members]
    labels = [target.editor.tr(label_of(name)) for name in names]
    value = "—" if target.mixed(spec.name) else target.value(spec.name).name.lower()
    new = target.ui.choice(spec.name, value, names, labels=labels)
    if new is not None:
        target.set(spec.name, members[names.index(new)])


def _text(state: State, target: Target, spec: FieldSpec) -> None:
    name, ui = spec.name, target.ui
    value, mixed = str(target.value(name)), target.mixed(name)
    if spec.choices:
        new = ui.choice(name, "—" if mixed else value, list(spec.choices))
    elif spec.names:
        choices = state.names(spec.names)
        new = ui.suggest(name, value, ["", *choices], mixed=mixed, wrong=_is_wrong(spec, value, choices))
    else:
        new = ui.line(name, value, mixed=mixed, done=True)
    if new is not None:
        target.set(name, new)


def _is_wrong(spec: FieldSpec, value: str, choices: list[str]) -> bool:
    """Return whether a text is not in a complete list of names, such as layers and materials, which have to be
    declared."""
    return bool(value) and spec.names in ("layers", "materials") and bool(choices) and value not in choices


def _chars(state: State, target: Target, spec: FieldSpec) -> None:
    value, mixed = str(target.value(spec.name)), target.mixed(spec.name)
    lines = min(max(value.count("\n") + 1, 2), 8)
    new = target.ui.paragraph(spec.name, value, lines=lines, mixed=mixed)
    if new is not None:
        target.set(spec.name, new)


def _data(state: State, target: Target, spec: FieldSpec) -> None:
    """Show a value that has no widget."""
    shape = "×".join(str(n) for n in spec.type.shape)
    target.ui.text(f"{spec.type.name} ({shape})", "dim")


_SPECIAL: dict[str, Widget] = {
    "enum": _enum,
    "str": _text,
    "chars": _chars,
    "asset": draw_asset,
    "entity": draw_entity,
    "list": draw_list,
}
__all__ = ["Fields", "bounds_of", "label_of", "put_parts", "within"]
