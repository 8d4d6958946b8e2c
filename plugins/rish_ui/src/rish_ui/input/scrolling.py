"""Scrolling by keys and the right stick, of text in which nothing can get the focus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import focusing

if TYPE_CHECKING:
    from ..tree.context import Context
    from ..tree.node import Node, Root

_STEP = 48.0
"""Units that a key scrolls, the same as a notch of the wheel."""
_PAGE = 0.9
"""The fraction of the visible height that PAGEUP and PAGEDOWN scroll."""
_SPEED = 900.0
"""Units a second that the right stick scrolls at its limit."""
_DEAD_ZONE = 0.2
"""The value of the right stick, 0 to 1, from which it scrolls."""
_PAGES = {"PAGEUP": -_PAGE, "PAGEDOWN": _PAGE}
_ENDS = {"HOME": -1, "END": 1}


def step(ui: Context, root: Root, direction: str) -> bool:
    """Scroll the nearest content of a screen that can move in a direction; return whether there is one."""
    dx, dy = focusing.AHEAD[direction]
    return any(node.kind.scroll(node, ui, dx * _STEP, dy * _STEP) for node in _around(ui, root))


def page(ui: Context, root: Root, name: str) -> bool:
    """Scroll by PAGEUP, PAGEDOWN, HOME or END; return whether the key is one of them and something moved."""
    for node in _around(ui, root):
        by = _PAGES[name] * node.h if name in _PAGES else _ENDS.get(name, 0) * node.content[1]
        if by and node.kind.scroll(node, ui, 0.0, by):
            return True
    return False


def push(ui: Context, value: float) -> bool:
    """Record how far the right stick is pushed up, -1 to 1; return whether it scrolls something."""
    root = focusing.root_for_keys(ui, ui.player())
    if abs(value) < _DEAD_ZONE or root is None or not any(node.kind.rolls(node) for node in _around(ui, root)):
        ui.state.rolling.pop(ui.device, None)
        return False
    _, since = ui.state.rolling.get(ui.device, (0.0, ui.state.time))
    ui.state.rolling[ui.device] = value, since
    return True


def roll(ui: Context) -> None:
    """Scroll the contents of the players whose right sticks are pushed, once a frame."""
    state = ui.state
    for device, (value, since) in list(state.rolling.items()):
        ui.device = device
        root = focusing.root_for_keys(ui, ui.player())
        by = -value * _SPEED * (state.time - since)
        state.rolling[device] = value, state.time
        if root is not None and by:
            any(node.kind.scroll(node, ui, 0.0, by) for node in _around(ui, root))


def _around(ui: Context, root: Root) -> list[Node]:
    """Return the nodes of a screen that scroll and cannot get the focus, the nearest to the focus first."""
    nodes = [
        node
        for node in root.nodes
        if any(node.kind.scrolls(node)) and not node.kind.focusable and node.shown and node.active
    ]
    focused_node = focusing.focused(ui, root)
    if focused_node is None:
        return nodes
    x, y, w, h = focused_node.kind.ring(focused_node, ui)

    def distance(node: Node) -> tuple[float, int]:
        aside = max(node.x - x - w, x - node.x - node.w, 0.0)
        return aside + max(node.y - y - h, y - node.y - node.h, 0.0), -node.depth

    return sorted(nodes, key=distance)
