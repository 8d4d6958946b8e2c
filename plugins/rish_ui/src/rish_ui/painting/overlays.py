"""What is painted over everything: the ring around the focus, the open list of a Dropdown, and the tooltip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_frame import Painting, Paintings, Part

from ..tree.node import Root
from .painter import Painter

if TYPE_CHECKING:
    from ..tree.context import Context
    from ..tree.node import Node
    from ..tree.state import UiState

NAME = "ui:overlays"
TOOLTIP_DELAY = 0.5
"""Seconds that the pointer or the focus rests on a widget before its tooltip is shown."""
_WIDEST = 320.0
_AWAY = 8.0


def paint_overlays(state: UiState, ui: Context) -> None:
    """Paint the overlays again if they changed."""
    key = _key(state, ui)
    if key == state.memory.get("overlays"):
        return
    state.memory["overlays"] = key
    root = Root(0)
    root.width, root.height = (side / ui.unit for side in ui.frame.logical)
    parts: list[Part] = []
    for node in _rings(state):
        parts.append(_begin(node, root, ui, _ring))
    if state.popup is not None:
        owner = state.tree.nodes.get(state.popup.owner)
        if owner is not None:
            root.width, root.height = owner.root.width, owner.root.height
            part = Part()
            owner.kind.paint_popup(owner, Painter(root, part, ui, ui.density), ui)
            parts.append(part)
    tip = _tip(state)
    if tip is not None:
        parts.append(_begin(tip, root, ui, _tooltip))
    items = ui.world[Paintings].items
    items.pop(NAME, None)
    if any(not part.empty for part in parts):
        items[NAME] = Painting(ui.settings.layer, z=1e6, parts=parts, scale=ui.unit)


def _begin(node: Node, root: Root, ui: Context, paint: object) -> Part:
    part = Part()
    place = Root(0)
    place.width, place.height = node.root.width, node.root.height
    painter = Painter(place, part, ui, ui.density)
    assert callable(paint)
    paint(node, painter, ui)
    return part


def _key(state: UiState, ui: Context) -> tuple[object, ...]:
    """Return what the overlays depend on."""
    popup = state.popup
    open_ = (*vars(popup).values(),) if popup is not None else ()
    rings = tuple((n.entity, *n.kind.ring(n, ui), n.root.height) for n in _rings(state))
    tip = _tip(state)
    return (open_, rings, tip and (tip.entity, tip.x, tip.y), state.memory.get("looks"), state.memory.get("space"))


def _rings(state: UiState) -> list[Node]:
    """Return the widgets with a visible focus on screens over the picture."""
    if not state.shows_focus:
        return []
    found = [state.tree.nodes.get(entity) for entity in dict.fromkeys(state.focus.values())]
    return [node for node in found if node is not None and node.shown and not node.root.world]


def _ring(node: Node, painter: Painter, ui: Context) -> None:
    style = ui.theme.style("Focus", node.variant)
    own = ui.calm(node)
    left, top, right, bottom = style.padding
    if node.clip is not None:
        painter.part.clip = painter.placed(*_grown(node.clip, style.padding))
    x, y, w, h = node.kind.ring(node, ui)
    rect = (x - left, y - top, w + left + right, h + top + bottom)
    corner = own.corner + left if own.corner else style.corner
    painter.box(rect, style.fill, style.fill_end, style.edge, style.edge_width, corner, style.opacity)


def _grown(
    rect: tuple[float, float, float, float], by: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    x, y, w, h = rect
    return x - by[0], y - by[1], w + by[0] + by[2], h + by[1] + by[3]


def _tip(state: UiState) -> Node | None:
    """Return the widget whose tooltip is shown."""
    entity = state.hovered or (next(iter(state.focus.values()), 0) if state.shows_focus else 0)
    node = state.tree.nodes.get(entity)
    while node is not None and not node.tooltip:
        node = node.parent
    if node is None or state.presses or state.popup is not None or state.time - state.rested < TOOLTIP_DELAY:
        return None
    return node


def _tooltip(node: Node, painter: Painter, ui: Context) -> None:
    style = ui.theme.style("Tooltip")
    text = ui.typeset(ui.fill(node, node.tooltip, node.shows), ui.look(style, wrap=_WIDEST))
    left, top, right, bottom = style.padding
    w, h = text.width + left + right, text.height + top + bottom
    space = painter.root
    x = min(max(node.x + node.w / 2 - w / 2, _AWAY), max(space.width - w - _AWAY, 0.0))
    y = node.y + node.h + _AWAY
    if y + h > space.height:
        y = node.y - h - _AWAY
    painter.plate((x, y, w, h), style)
    painter.text(text, x + left, y + top, style)
