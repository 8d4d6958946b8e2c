"""The overlays, painted over everything: the ring around the focus, the open list of a Dropdown, and the tooltip."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rish_frame import Painting, Paintings, Part

from ..tree.spaces import corner
from .aiming import aim, density_of
from .painter import Painter

if TYPE_CHECKING:
    from ..tree.context import Context
    from ..tree.node import Node
    from ..tree.state import UiState

Paint = Callable[["Node", Painter, "Context"], None]

NAME = "ui:overlays"
TOOLTIP_DELAY = 0.5
"""Seconds that the pointer or the focus rests on a widget before its tooltip is shown."""
_WIDEST = 320.0
_AWAY = 8.0


def paint_overlays(state: UiState, ui: Context) -> None:
    """Paint the overlays again if they changed."""
    key = _key(state, ui)
    if key == state.noticed.overlays:
        return
    state.noticed.overlays = key
    painted: list[tuple[Node, Paint]] = [(node, _ring) for node in _rings(state)]
    owner = state.tree.nodes.get(state.popup.owner) if state.popup is not None else None
    if owner is not None and owner.shown:
        painted.append((owner, owner.kind.paint_popup))
    tip = _tip(state)
    if tip is not None:
        painted.append((tip, _tooltip))
    items = ui.world[Paintings].items
    for name in [name for name in items if name.startswith(NAME)]:
        del items[name]
    for node, paint in painted:
        part = Part()
        paint(node, Painter(node.root, part, ui, density_of(node.root, ui)), ui)
        name = f"{NAME}:{node.root.entity}" if node.root.world else NAME
        if not part.empty:
            painting = items.setdefault(name, Painting(ui.settings.layer, z=1e6, scale=ui.unit))
            painting.parts.append(part)
            if node.root.world:
                aim(painting, node.root, ui)
                painting.z += 1e6


def _key(state: UiState, ui: Context) -> tuple[object, ...]:
    """Return a key of all values that the overlays depend on."""
    popup = state.popup
    popup_fields = (*vars(popup).values(),) if popup is not None else ()
    rings = tuple((n.entity, *n.kind.ring(n, ui), n.root.height, *corner(n.root)) for n in _rings(state))
    tip = _tip(state)
    return (popup_fields, rings, tip and (tip.entity, tip.x, tip.y), state.noticed.space)


def _rings(state: UiState) -> list[Node]:
    """Return the widgets with a visible focus."""
    if not state.shows_focus:
        return []
    nodes = [state.tree.nodes.get(entity) for entity in dict.fromkeys(state.focus.values())]
    return [node for node in nodes if node is not None and node.shown]


def _ring(node: Node, painter: Painter, ui: Context) -> None:
    style = ui.theme.style("Focus", node.variant)
    style_of_node = ui.calm(node)
    left, top, right, bottom = style.padding
    if node.clip is not None:
        painter.part.clip = painter.placed(*_grown(node.clip, style.padding))
    x, y, w, h = node.kind.ring(node, ui)
    rect = (x - left, y - top, w + left + right, h + top + bottom)
    corner = style_of_node.corner + left if style_of_node.corner else style.corner
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
    space = node.root
    x, y = node.x + node.w / 2 - w / 2, node.y + node.h + _AWAY
    if not space.world:
        x = min(max(x, _AWAY), max(space.width - w - _AWAY, 0.0))
    if y + h > space.height and not space.world:
        y = node.y - h - _AWAY
    painter.plate((x, y, w, h), style)
    painter.text(text, x + left, y + top, style)
