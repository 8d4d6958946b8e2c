"""The focus: which widget gets it first, and how keys and sticks move it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .pointing import reveal, roots_down

if TYPE_CHECKING:
    from ..painting.painter import Rect
    from ..tree.context import Context
    from ..tree.node import Node, Root

_ASIDE = 2.0
"""The weight of a distance sideways, relative to one ahead."""
AHEAD = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
"""Directions, y down."""


def can_focus(node: Node) -> bool:
    """Whether a widget can get the focus now."""
    return node.kind.focusable and node.focusable and node.shown and node.active


def root_for_keys(ui: Context, player: int) -> Root | None:
    """Return the topmost screen that takes keys of a player, or the one with the player's focus."""
    for root in roots_down(ui):
        if root.player and root.player != player:
            continue
        if root.takes_keys or root.modal:
            return root
    focused = ui.state.tree.nodes.get(ui.state.focus.get(player, ui.state.focus.get(0, 0)))
    return focused.root if focused is not None and focused.shown else None


def slot(root: Root) -> int:
    """Return the player whose focus a screen has: its own player, or 0 for all."""
    return root.player


def focused(ui: Context, root: Root) -> Node | None:
    """Return the widget of a screen that has the focus."""
    node = ui.state.tree.nodes.get(ui.state.focus.get(slot(root), 0))
    return node if node is not None and node.root is root and can_focus(node) else None


def first(ui: Context, root: Root) -> Node | None:
    """Return the widget that gets the focus first."""
    nodes = tab_order(root)
    return next((node for node in nodes if root.first and node.name == root.first), nodes[0] if nodes else None)


def begin_focus(ui: Context) -> None:
    """Give the focus to the first widget of the topmost screens that take keys, where they have none.

    A screen over which another one was opened gets its focus back; nothing below a modal one is hovered.
    """
    state, down = ui.state, roots_down(ui)
    hovered = state.tree.nodes.get(state.hovered)
    if hovered is not None and hovered.root not in down:
        state.hovered = 0
    for player, entity in list(state.focus.items()):
        node = state.tree.nodes.get(entity)
        if node is None or not can_focus(node):
            del state.focus[player]
    players: set[int] = set()
    for root in down:
        if not (root.takes_keys or root.modal) or root.player in players:
            continue
        players.add(root.player)
        if focused(ui, root) is None:
            start = state.tree.nodes.get(state.left.pop(root.entity, 0))
            if start is None or not can_focus(start):
                start = first(ui, root)
            if start is not None:
                ui.focus(start, seen=state.shows_focus)


def tab_order(root: Root) -> list[Node]:
    """Return the widgets in the order of the TAB key: by `tab`, then as written."""
    return sorted((node for node in root.nodes if can_focus(node) and node.tab >= 0), key=lambda node: node.tab)


def step(ui: Context, root: Root, back: bool) -> bool:
    """Move the focus to the next or previous widget in tab order; the first follows the last."""
    nodes = tab_order(root)
    if not nodes:
        return False
    current = focused(ui, root)
    k = nodes.index(current) if current in nodes else (0 if back else -1)
    ui.focus(nodes[(k + (-1 if back else 1)) % len(nodes)], seen=True)
    reveal(ui, ui.state.tree.nodes[ui.state.focus[slot(root)]])
    return True


def move(ui: Context, root: Root, direction: str) -> bool:
    """Let the focused widget use a direction, otherwise move the focus; return whether either was possible."""
    current = focused(ui, root)
    if current is None:
        return _go(ui, first(ui, root))
    if not ui.state.shows_focus:
        ui.focus(current, seen=True)
    if current.kind.move(current, ui, direction):
        reveal(ui, current)
        return True
    target = ui.state.tree.nodes.get(current.beside.get(direction, 0))
    if target is None or not can_focus(target):
        target = _nearest(ui, current, *AHEAD[direction])
    return _go(ui, target)


def go_round(ui: Context, root: Root, direction: str) -> bool:
    """Move the focus up or down to the farthest widget in the opposite direction, if there is one.

    Return whether the screen has a focus, which keeps the key from the game.
    """
    current = focused(ui, root)
    if current is not None and direction in ("up", "down"):
        _go(ui, _nearest(ui, current, 0, -AHEAD[direction][1], far=True))
    return current is not None


def _go(ui: Context, target: Node | None) -> bool:
    """Give the focus to a widget and scroll to it."""
    if target is None:
        return False
    ui.focus(target, seen=True)
    reveal(ui, target)
    return True


def _nearest(ui: Context, node: Node, dx: int, dy: int, *, far: bool = False) -> Node | None:
    """Return the nearest widget in a direction, or the farthest; a distance sideways counts twice."""
    ring = node.kind.ring(node, ui)
    best: tuple[float, Node] | None = None
    for candidate in node.root.nodes:
        if candidate is node or candidate.tab < 0 or not can_focus(candidate):
            continue
        distance = _distance(ring, candidate.kind.ring(candidate, ui), dx, dy)
        if distance is None:
            continue
        score = distance[1] - distance[0] if far else distance[1] + distance[0]
        if best is None or score < best[0]:
            best = score, candidate
    return best[1] if best is not None else None


def _distance(a: Rect, b: Rect, dx: int, dy: int) -> tuple[float, float] | None:
    """Return the distance of rectangle `b` from `a` in a direction, and sideways; None if `b` is not in that
    direction."""
    ax, ay, aw, ah = a
    bx, by, bw, bh = b
    if dx:
        gap = bx - ax - aw if dx > 0 else ax - bx - bw
        ahead = (bx + bw / 2 - ax - aw / 2) * dx
        aside, off = max(ay - by - bh, by - ay - ah, 0.0), abs(by - ay)
    else:
        gap = by - ay - ah if dy > 0 else ay - by - bh
        ahead = (by + bh / 2 - ay - ah / 2) * dy
        aside, off = max(ax - bx - bw, bx - ax - aw, 0.0), abs(bx - ax)
    if ahead <= 0 or gap < -min(aw, ah) / 2:
        return None
    return max(gap, 0.0), _ASIDE * aside + off * 0.01
