"""The widget below a point, and the actions of a pointer: hover, press, drag, release, scroll."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from ..painting.painter import inner
from ..tree.arranging import place_scrolled
from ..tree.spaces import in_picture
from ..tree.state import Press

if TYPE_CHECKING:
    from ..tree.context import Context
    from ..tree.node import Node, Root

_DRAG = 10.0
"""Units that a finger moves before it scrolls instead of pressing."""


def roots_down(ui: Context) -> list[Root]:
    """Return the visible roots that can be operated, the topmost first, down to the first modal one."""
    roots = (root for root in ui.state.tree.roots if root.visible and root.layout is not None)
    placed = [
        (ui.layer_of(root), root.z, root.number, root) for root in roots if root.solid or root.takes_keys or root.modal
    ]
    reached: list[Root] = []
    for layer, _, _, root in sorted(placed, key=itemgetter(0, 1, 2), reverse=True):
        if layer < 0:
            continue
        reached.append(root)
        if root.modal:
            break
    return reached


def blocked(ui: Context) -> bool:
    """Whether a modal screen keeps all input from the game."""
    return any(root.modal for root in roots_down(ui))


def node_at(ui: Context, x: float, y: float, player: int = 0) -> Node | None:
    """Return the topmost widget at a point (units, y up) that the pointer can use or that blocks it."""
    for root in sorted(roots_down(ui), key=lambda root: in_picture(ui, root, x, y) is not None):  # space is below
        if root.player and player and root.player != player:
            continue
        place_scrolled(root, ui)
        at = ui.inside(root, x, y)
        for node in _drawn_last_first(root):
            if node.kind.solid and node.holds(*at):
                return node
    return None


def _drawn_last_first(root: Root) -> list[Node]:
    return [node for part in reversed(root.members) for node, over in reversed(part) if not over]


def hover(ui: Context, x: float, y: float) -> None:
    """Record the position of the pointer and the widget below it."""
    state = ui.state
    before = state.hovered
    state.pointer = x, y
    popup = state.popup
    if popup is not None:
        owner = state.tree.nodes.get(popup.owner)
        if owner is not None:
            k = popup_row(ui, owner, x, y)
            if k is not None and k >= 0:
                popup.hovered = k
            state.hovered = 0
            return
    node = node_at(ui, x, y, ui.player())
    state.hovered = node.entity if node is not None and node.active else 0
    if state.hovered != before:
        state.rested = state.time
    if node is not None and node.kind.follows:
        ui.repaint(node)


def popup_row(ui: Context, owner: Node, x: float, y: float) -> int | None:
    """Return the row of the open list at a point (units, y up); -1 for its border, None for a point outside."""
    return owner.kind.popup_row(owner, ui, *ui.inside(owner.root, x, y))


def press(ui: Context, pointer: int, x: float, y: float, *, touch: bool) -> bool:
    """Press the widget at a point; return whether the event is used."""
    state = ui.state
    if state.popup is not None:
        owner = state.tree.nodes.get(state.popup.owner)
        k = popup_row(ui, owner, x, y) if owner is not None else None
        if owner is not None and k is not None:
            state.popup.hovered = k if k >= 0 else state.popup.hovered
            _hold(ui, pointer, owner, x, y, touch=touch, popup=True)
            return True
        state.popup = None
        if owner is not None and owner.holds(*ui.inside(owner.root, x, y)):
            return True  # a press on the field closes its list
    node = node_at(ui, x, y, ui.player())
    if node is None:
        if state.focus and not any(root.takes_keys for root in roots_down(ui)):
            state.focus.clear()
        return blocked(ui)
    if not node.active:
        return True
    if node.kind.focusable and node.focusable:
        ui.focus(node, seen=False)
    _hold(ui, pointer, node, x, y, touch=touch)
    if not (touch and _scroller(node)):
        _begin(ui, node, pointer, x, y)
    return True


def _hold(ui: Context, pointer: int, node: Node, x: float, y: float, **options: bool) -> None:
    surface = ui.surface_at(x, y) if in_picture(ui, node.root, x, y) is not None else None
    ui.state.presses[pointer] = Press(node.entity, ui.device, x, y, surface=surface, **options)


def _begin(ui: Context, node: Node, pointer: int, x: float, y: float) -> None:
    if node.kind.focusable:
        ui.send("Pressed", node)
        node.kind.press(node, ui, *ui.inside(node.root, x, y))
        ui.repaint(node)


def drag(ui: Context, pointer: int, x: float, y: float) -> bool:
    """Move a pointer that holds a widget; return whether it holds one."""
    press = ui.state.presses.get(pointer)
    if press is None:
        return False
    ui.held = press.surface
    node = ui.state.tree.nodes.get(press.entity)
    if node is None:
        return True
    if press.popup:
        hover(ui, x, y)
        return True
    scroller = _scroller(node) if press.touch else None
    if scroller is not None:
        if not press.moved and max(abs(x - press.x), abs(y - press.y)) > _DRAG:
            press.moved = True
        if press.moved:
            (x0, y0), (x1, y1) = ui.inside(node.root, press.x, press.y), ui.inside(node.root, x, y)
            scroller.kind.scroll(scroller, ui, x0 - x1, y0 - y1)
            press.x, press.y = x, y
        return True
    node.kind.drag(node, ui, *ui.inside(node.root, x, y))
    return True


def release(ui: Context, pointer: int, x: float, y: float) -> bool:
    """Release a pointer; return whether it held a widget."""
    press = ui.state.presses.pop(pointer, None)
    if press is None:
        return False
    ui.held = press.surface
    node = ui.state.tree.nodes.get(press.entity)
    if node is None:
        return True
    if press.popup:
        k = popup_row(ui, node, x, y) if ui.state.popup is not None else None
        if k is not None and k >= 0:
            node.kind.choose(node, ui, k)
        return True
    ui.repaint(node)
    if press.moved or not node.kind.focusable:
        return True
    at = ui.inside(node.root, x, y)
    if press.touch and _scroller(node):
        ui.send("Pressed", node)
        node.kind.press(node, ui, *at)
    ui.send("Released", node)
    if node.usable:
        node.kind.release(node, ui, *at)
    return True


def _scroller(node: Node) -> Node | None:
    """Return the node, or its nearest parent, that a finger scrolls by dragging; None if there is none."""
    at: Node | None = node
    while at is not None:
        if at.kind.rolls(at):
            return at
        if at.kind.drags:
            return None
        at = at.parent
    return None


def wheel(ui: Context, dx: float, dy: float) -> bool:
    """Scroll the nearest widget below the pointer that can; return whether the event is used."""
    state = ui.state
    if state.popup is not None:
        owner = state.tree.nodes.get(state.popup.owner)
        return owner is not None and owner.kind.wheel(owner, ui, dx, dy)
    node = node_at(ui, *state.pointer, ui.player())
    inside = node is not None
    while node is not None:
        if node.active and node.kind.wheel(node, ui, dx, dy):
            return True
        node = node.parent
    return inside or blocked(ui)


def reveal(ui: Context, node: Node) -> None:
    """Scroll all parents of a widget so that it, or its part with the focus, is visible."""
    left, top, wide, high = node.kind.ring(node, ui)
    at = node.parent
    while at is not None:
        if any(at.kind.scrolls(at)):
            x, y, w, h = inner(at, ui.calm(at))
            at.kind.scroll(at, ui, _toward(left, wide, x, w), _toward(top, high, y, h))
        at = at.parent


def _toward(at: float, size: float, begin: float, room: float) -> float:
    """Return how far to scroll so that a range is within another one."""
    if at < begin:
        return at - begin
    return max(min(at + size - begin - room, at - begin), 0.0)
