"""Operating widgets from code, in a tick: for autopilots, bots, rules and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_ecs import UnknownName

from ..components.screen import Screen
from ..tree.context import Context
from ..tree.state import UiState
from .commands import act, find, renew

if TYPE_CHECKING:
    from rish_ecs import World

    from ..tree.node import Node


def click(world: World, widget: int | str, player: int = 0) -> None:
    """Click a widget, by its entity or its path such as `options.back`; a widget that can't be used is not clicked.

    Raises UnknownName if there is no such widget.
    """
    node = _found(world, widget)
    if node.usable:
        act(world, node, "Clicked", 0.0, "", player)


def change(world: World, widget: int | str, value: Any, player: int = 0) -> None:
    """Change the value of a widget as a player would: a number, True or False, an index, or the text of a TextInput.

    Raises UnknownName if there is no such widget.
    """
    node = _found(world, widget)
    if node.usable:
        text, number = (value, 0.0) if isinstance(value, str) else ("", float(value))
        act(world, node, "Changed", number, text, player)


def submit(world: World, widget: int | str, player: int = 0) -> None:
    """Finish the text of a TextInput. Raises UnknownName if there is no such widget."""
    node = _found(world, widget)
    if node.usable:
        act(world, node, "Submitted", 0.0, node.kind.written(node, Context(world)), player)


def valid(world: World, widget: int | str) -> bool:
    """Return whether the text of a TextInput passes its check; True for other widgets.

    Raises UnknownName if there is no such widget.
    """
    node = _found(world, widget)
    ui = Context(world)
    return node.kind.valid(node, ui, node.kind.written(node, ui))


def modal_open(world: World) -> bool:
    """Return whether a modal screen is shown, which keeps input from the game; an autopilot waits meanwhile."""
    table = world.table(Screen)
    return bool((table.column("modal") & table.column("visible")).any())


def _found(world: World, widget: int | str) -> Node:
    state: UiState = world[UiState]
    state.ready(world)
    node = find(state, widget) if isinstance(widget, str) else state.node(widget)
    if node is None:
        paths = [each.path for each in state.tree.nodes.values()]
        raise UnknownName(f"there is no widget {widget!r}", given=widget, choices=paths)
    renew(world, node)
    return node
