"""Widgets that are pressed: Button and Toggle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import Scenes, Session, spawn_prefab
from rish_ecs import RishError

from ..components.screen import Screen
from ..components.widgets import Button, Toggle
from ..painting.painter import faded, inner
from ..themes import State
from .kind import Kind

if TYPE_CHECKING:
    from ..painting.painter import Painter
    from ..themes import Style
    from ..tree.context import Context
    from ..tree.node import Node

_WHITE = (255, 255, 255, 255)
_DISABLED_TINT = (255, 255, 255, 100)
"""The tint of a colored icon on a button that is disabled."""


class ButtonKind(Kind):
    """A button with an icon and a text, or with its children."""

    component = Button
    name = "Button"
    focusable = True
    solid = True

    def read(self, view: Any) -> Any:
        return view.text, view.icon, view.goto, view.opens, view.closes, view.quits, view.tint_icon

    def texts(self, node: Node) -> dict[str, str]:
        return {"": node.values[0]}

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        style = ui.calm(node)
        width = _icon_width(node, style)
        words = ui.shown(node, "")
        if words:
            width += ui.typeset(words, ui.look(style)).width
        return width, width

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        style = ui.calm(node)
        text = ui.typeset(ui.shown(node, "") or " ", ui.look(style))
        node.texts[""] = text
        return max(text.height, style.icon_size if node.values[1] else 0.0), text.baseline

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        text = node.texts.get("")
        if node.children or text is None:
            return
        x, y, w, h = inner(node, style)
        icon = node.values[1]
        words = text.text.strip()
        total = _icon_width(node, style) + (text.width if words else 0.0)
        left = x + (w - total) / 2
        if icon:
            side = style.icon_size
            at = left + total - side if ui.locales.right_to_left else left
            tint = style.icon if node.values[6] else _DISABLED_TINT if node.states & State.DISABLED else _WHITE
            painter.image(icon, (at, y + (h - side) / 2, side, side), tint=faded(tint, style.opacity))
            left += 0.0 if ui.locales.right_to_left else _icon_width(node, style)
        if words:
            painter.text_in(text, (left, y, text.width, h), style, 0.0)

    def clicked(self, node: Node, ui: Context) -> None:
        """Do the actions of a button: go to a scene, open a screen, close its own, end the game."""
        goto, opens, closes, quits = node.values[2:6]
        try:
            if goto:
                ui.world[Scenes].go(goto)
            if opens:
                _open(ui, opens)
        except RishError as error:
            ui.tell(node, str(error))
        if closes:
            ui.close(node)
        if quits:
            ui.world[Session].quit = True


def _open(ui: Context, name: str) -> None:
    """Show the hidden screen of this name, otherwise spawn the prefab."""
    for root in ui.state.tree.roots:
        if root.base.name == name and not root.visible:
            ui.world.set(root.entity, Screen(visible=True))
            return
    spawn_prefab(ui.world, name)


def _icon_width(node: Node, style: Style) -> float:
    """Return the width of a button's icon with the gap beside it."""
    if not node.values[1]:
        return 0.0
    return style.icon_size + (style.gap[0] if node.values[0] else 0.0)


class ToggleKind(Kind):
    """A switch, or with a group a round mark in a box."""

    component = Toggle
    name = "Toggle"
    focusable = True
    solid = True

    def read(self, view: Any) -> Any:
        return view.text, view.on, view.group, view.bind

    def texts(self, node: Node) -> dict[str, str]:
        return {"": node.values[0]}

    def bindings(self, node: Node) -> dict[str, str]:
        return {"value": node.values[3]} if not node.values[2] else {}

    def on(self, node: Node, ui: Context) -> bool:
        return bool(ui.value(node, "value", node.values[1]))

    def _parts(self, node: Node, ui: Context) -> tuple[str, float, float]:
        """Return the theme's part for the box or the switch, and its width and height."""
        part = "box" if node.values[2] else "track"
        w, h = ui.theme.style("Toggle", node.variant, part).least
        return part, w, h

    def measure(self, node: Node, ui: Context) -> tuple[float, float]:
        style = ui.calm(node)
        _, w, _ = self._parts(node, ui)
        words = ui.shown(node, "")
        if words:
            w += style.gap[0] + ui.typeset(words, ui.look(style)).width
        return w, w

    def height(self, node: Node, ui: Context, width: float) -> tuple[float, float]:
        text = ui.typeset(ui.shown(node, "") or " ", ui.look(ui.calm(node)))
        node.texts[""] = text
        return max(text.height, self._parts(node, ui)[2]), text.baseline

    def paint(self, node: Node, painter: Painter, ui: Context) -> None:
        style = painter.background(node)
        x, y, w, h = inner(node, style)
        part, wide, high = self._parts(node, ui)
        rtl = ui.locales.right_to_left
        left = x + w - wide if rtl else x
        top = y + (h - high) / 2
        box = ui.style(node, part)
        on = self.on(node, ui)
        painter.plate((left, top, wide, high), box)
        if part == "box":
            if on:
                mark = ui.style(node, "mark")
                painter.circle(left + wide / 2, top + high / 2, min(mark.least) / 2 or wide / 4, mark)
        else:
            knob = ui.style(node, "knob")
            radius = min(knob.least) / 2 or high * 0.4
            inset = high / 2
            at = left + wide - inset if on != rtl else left + inset
            painter.circle(at, top + high / 2, radius, knob)
        text = node.texts.get("")
        if text is not None and text.text.strip():
            gap = style.gap[0]
            rect = (x, y, w - wide - gap, h) if rtl else (left + wide + gap, y, w - wide - gap, h)
            painter.text_in(text, rect, style, 1.0 if rtl else 0.0)

    def click(self, node: Node, ui: Context) -> None:
        on = self.on(node, ui)
        if node.values[2] and on:
            return
        ui.send("Changed", node, 0.0 if on else 1.0)

    def apply(self, node: Node, ui: Context, verb: str, value: float, text: str) -> Any:
        return {"on": bool(value)} if verb == "Changed" else None

    def bound(self, node: Node, ui: Context, value: float, text: str) -> Any:
        return bool(value)
