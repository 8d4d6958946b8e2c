"""Fields with lists: items are added, removed and moved."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ....look import icons
from ....session.target import Target
from ....ui.values import Formula
from .assets import choose_asset
from .entities import choose_entity

if TYPE_CHECKING:
    from rish_ecs.declarations import FieldSpec

    from ..state import State

_MAX_ITEMS = 64
"""The greatest number of items that are drawn."""


def draw_list(state: State, target: Target, spec: FieldSpec) -> None:
    """Draw a list: its length, and below it one line for each item."""
    ui, tr, name = target.ui, target.editor.tr, spec.name
    items = list(target.value(name))
    mixed = target.mixed(name)
    with ui.inside(name):
        text = tr("Different lists") if mixed else tr("{count} {count:item|items}", count=len(items))
        ui.align()
        ui.text(text, "dim")
        ui.mark("count")
        ui.right(ui.px(28))
        if ui.icon_button(icons.PLUS, "add", tr("Add an item")):
            _put(target, spec, [*items, _fresh(spec, items)])
        if mixed:
            return
        for k, item in enumerate(items[:_MAX_ITEMS]):
            with ui.inside(k):
                changed = _item(state, target, spec, items, k, item)
            if changed is not None:
                _put(target, spec, changed)
        if len(items) > _MAX_ITEMS:
            ui.text(tr("{count} more {count:item|items}", count=len(items) - _MAX_ITEMS), "dim")


def _item(state: State, target: Target, spec: FieldSpec, items: list[Any], k: int, item: Any) -> list[Any] | None:
    """Draw an item; return the changed list, or None."""
    ui, tr = target.ui, target.editor.tr
    ui.list_number(k)
    dropped = ui.drop_target(f"item:{spec.name}")
    if dropped is not None and dropped != k and dropped < len(items):
        moved = [other for j, other in enumerate(items) if j != dropped]
        return [*moved[:k], items[dropped], *moved[k:]]
    ui.drag_source(f"item:{spec.name}", k, str(k))
    ui.same_line(4)
    ui.fill_but(ui.px(28))
    new = _value(state, target, spec, item, items, k)
    ui.same_line(2)
    if ui.icon_button(icons.CLOSE, "remove", tr("Remove this item")):
        return [*items[:k], *items[k + 1 :]]
    return None if new is None else [*items[:k], new, *items[k + 1 :]]


def _value(state: State, target: Target, spec: FieldSpec, item: Any, items: list[Any], k: int) -> Any:
    """Draw the widget of an item; return its new value, or None."""
    ui, item_type = target.ui, spec.type.item
    assert item_type is not None
    if item_type.special == "entity":
        choose_entity(
            state, target, "value", int(item), lambda handle: _put(target, spec, [*items[:k], handle, *items[k + 1 :]])
        )
        return None
    if item_type.special == "asset":
        return choose_asset(state, target, "value", str(item), spec)
    if item_type.text:
        if spec.names or spec.choices:
            return ui.suggest("value", str(item), list(spec.choices) or state.names(spec.names))
        return ui.line("value", str(item), done=True)
    if item_type.name == "Color":
        return ui.color("value", item.tolist())
    if item_type.special == "enum":
        return None
    if item_type.dtype.kind == "b":
        return ui.checkbox("", "value", bool(item))
    return _numbers(target, spec, item)


def _numbers(target: Target, spec: FieldSpec, item: Any) -> Any:
    """Draw the number or the vector of an item."""
    ui, item_type = target.ui, spec.type.item
    assert item_type is not None
    whole, turn = item_type.dtype.kind in "iu", math.degrees(1.0) if spec.angle else 1.0
    now = [float(part) * turn for part in np.atleast_1d(item)]
    entered: dict[int, Any] | None
    if item_type.shape:
        entered = ui.vector("value", now, low=spec.low, high=spec.high, whole=whole, speed=spec.step or 0.0)
    else:
        single = ui.formula("value", now[0], low=spec.low, high=spec.high, whole=whole, speed=spec.step or 0.0)
        entered = None if single is None else {0: single}
    if entered is None:
        return None
    for k, part in entered.items():
        value = float(part.of([now[k]])[0]) if isinstance(part, Formula) else float(part)
        value = value if spec.low is None else max(value, spec.low)
        now[k] = value if spec.high is None else min(value, spec.high)
    numbers = np.array(now) / turn
    numbers = np.rint(numbers).astype(item_type.dtype) if whole else numbers.astype(item_type.dtype)
    return numbers.reshape(item_type.shape) if item_type.shape else numbers[0]


def _fresh(spec: FieldSpec, items: list[Any]) -> Any:
    """Return a new item of a list: a copy of the last one; for points, moved a little."""
    item_type = spec.type.item
    assert item_type is not None
    if item_type.special == "entity":
        return 0
    if items:
        last = items[-1]
        if item_type.name == "Vec2" and len(items) > 1:
            return last + (np.asarray(last) - np.asarray(items[-2]))
        return last
    if item_type.text:
        return ""
    zero = item_type.zero
    low = spec.low
    return zero if low is None else np.maximum(zero, low).astype(item_type.dtype)


def _put(target: Target, spec: FieldSpec, items: list[Any]) -> None:
    item_type = spec.type.item
    assert item_type is not None
    if item_type.text:
        target.set(spec.name, tuple(str(item) for item in items))
    else:
        target.set(spec.name, [np.asarray(item, item_type.dtype).tolist() for item in items])
