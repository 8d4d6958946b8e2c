"""The system that carries out commands on widgets: it writes values and bound fields, and emits the events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import Input, Layers
from rish_ecs import Stage, World, resource, system

from ..components.events import Changed, Clicked, Pressed, Released, Submitted
from ..components.screen import Screen
from ..components.widgets import Toggle
from ..tree.building import read_kind, read_screen, read_widget
from ..tree.context import Context
from ..tree.state import UiState

if TYPE_CHECKING:
    from rish_core import WindowEvent

    from ..tree.node import Node

_EVENTS = {"Pressed": Pressed, "Released": Released, "Clicked": Clicked}


@resource
class UiPauses:
    """Whether this plugin has paused the game. paused: True while a visible screen with `pauses` pauses it."""

    paused: bool = False


@system(Stage.INPUT, reads=(Input, Screen), writes=World, events=())
def obey_commands(world: World, dt: float) -> None:
    """Carry out the commands of this tick, in order."""
    for event in world[Input].commands:
        verb, _, path = event.name.partition(" ")
        if verb in (*_EVENTS, "Changed", "Submitted", "Closed"):
            _obey(world, verb, path, event)
    _open(world)
    _pause(world)


def _obey(world: World, verb: str, path: str, event: WindowEvent) -> None:
    state: UiState = world[UiState]
    state.ready(world)
    node = find(state, path)
    if node is None:
        state.log(f"the input has the command '{event.name}', but there is no widget '{path}' now", key=path)
        return
    renew(world, node)
    if not node.usable and verb != "Released":
        return
    act(world, node, verb, event.value, event.text, world[Input].player_of(event.device))


def find(state: UiState, path: str) -> Node | None:
    """Return the widget with a path."""
    return state.tree.paths.get(path)


def renew(world: World, node: Node) -> None:
    """Read a widget and all its parents as they are in this tick, because frames may be drawn less often than ticks."""
    owner = node.root.owner
    read_screen(world, node.root)
    has_changed = read_kind(world, node) or node.root.owner != owner
    at: Node | None = node
    while at is not None:
        before = at.visible, at.enabled, at.variant
        read_widget(world, at)
        has_changed = has_changed or before != (at.visible, at.enabled, at.variant)
        at = at.parent
    if has_changed:
        node.root.renew()  # the next picture reads the complete screen again


def act(world: World, node: Node, verb: str, value: float, text: str, player: int) -> None:
    """Carry out a command on a widget: change its values and bound field, emit the event, do the action of a button."""
    ui = Context(world)
    changes = node.kind.apply(node, ui, verb, value, text)
    if verb == "Changed":
        if changes is None:
            return
        _write(world, node, ui, changes, value, text)
        world.emit(Changed, widget=node.entity, value=value, text=text, player=player)
    elif verb == "Submitted":
        valid = node.kind.valid(node, ui, text)
        world.emit(Submitted, widget=node.entity, text=text, valid=valid, player=player)
    elif verb == "Closed":
        ui.close(node)
    else:
        world.emit(_EVENTS[verb], widget=node.entity, player=player)
        if verb == "Clicked":
            node.kind.clicked(node, ui)


def _write(world: World, node: Node, ui: Context, changes: dict[str, Any], value: float, text: str) -> None:
    cls = node.kind.component
    assert cls is not None
    for path in node.kind.bindings(node).values():
        if path:
            ui.write(node, path, node.kind.bound(node, ui, value, text))
            break
    world.set(node.entity, cls(**changes))
    if cls is Toggle and node.values[2] and value:
        for other in node.root.nodes:
            if other is not node and other.kind is node.kind:
                view = world.get(other.entity, Toggle)
                if view.group == node.values[2]:
                    view.on = False


def _open(world: World) -> None:
    """Show and hide the screens whose key or action was pressed."""
    table, keys = world.table(Screen), world[Input]
    for entity in table.entities.tolist() if len(table) and keys.touched else ():
        view = world.get(entity, Screen)
        if view.opens_by and keys.knows(view.opens_by) and keys.pressed(view.opens_by):
            view.visible = not view.visible


def _pause(world: World) -> None:
    """Pause all layers while a visible screen has `pauses`, unless something else has paused them."""
    pauses, layers = world[UiPauses], world[Layers]
    table = world.table(Screen)
    should_pause = len(table) > 0 and bool((table.column("pauses") & table.column("visible")).any())
    if should_pause and not layers.all_paused:
        layers.pause_all()
        pauses.paused = True
    elif pauses.paused and not should_pause:
        layers.pause_all(False)
        pauses.paused = False
