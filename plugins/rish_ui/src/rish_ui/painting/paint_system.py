"""The system that shows the interface: it detects the widgets that changed, and lays out and paints only these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core import Layers, Name
from rish_ecs import Inputs, Stage, system
from rish_frame import Frame, Painting, Paintings

from ..components.layout import Layout
from ..components.screen import Screen, Widget
from ..input.focusing import begin_focus
from ..locales import Locales
from ..themes import State, Themes
from ..tree.arranging import arrange, place_scrolled
from ..tree.building import is_there, read_kind, read_screen, read_widget
from ..tree.context import Context
from ..tree.node import Node, Root
from ..tree.state import UiState
from .aiming import aim, density_of
from .dealing import deal
from .overlays import NAME as OVERLAYS
from .overlays import paint_overlays
from .painter import Painter

if TYPE_CHECKING:
    from rish_ecs import World

_SLACK = 0.01
_TRANSIENT_STATES = ~(State.DISABLED | State.ON | State.INVALID)
"""The states that come from the pointer and the focus."""


@system(Stage.EXTRACT, reads=(Screen, Widget, Layout, Name, Layers), writes=(Frame, Paintings), before="render.extract")
def show(world: World, dt: float) -> None:
    """Bring the paintings of all screens up to date. Without code that sets texts nothing is shown."""
    if world[Frame].typesetter is None:
        return
    state: UiState = world[UiState]
    state.time += dt
    ui = Context(world, state)
    ui.locales.update(world)
    ui.frame.language = ui.locales.language
    _notice(world, state, ui)
    tree = state.tree
    for root in [root for root in tree.outdated_roots() if root.visible]:
        placed_all = root.unsolved and arrange(root, ui)
        if placed_all or not root.dealt:
            deal(root)
        if placed_all:
            root.stale_parts.update(range(len(root.parts)))
        place_scrolled(root, ui)
    begin_focus(ui)
    _set_states(state)
    _advance(state)
    outdated = tree.outdated_roots()
    for root in [root for root in outdated if root.visible]:
        _paint(root, ui)
    paint_overlays(state, ui)
    _publish(world, state, outdated, ui)
    tree.outdated.clear()


def _notice(world: World, state: UiState, ui: Context) -> None:
    """Find out which widgets changed since the last frame."""
    tree = state.ready(world)
    noticed, space = state.noticed, _space(ui)
    if _looks_changed(world, state, ui):
        noticed.texts.clear()
        noticed.keys.clear()
        noticed.overlays = None
        for root in tree.roots:
            root.renew()
            root.relayout()
        state.moving.clear()
    if noticed.space != space:
        noticed.space = space
        for root in tree.roots:
            ui.relayout(root)
    for cls, entities in tree.written.items():
        for node in [tree.nodes[entity] for entity in entities if entity in tree.nodes]:
            _reread(world, node, cls, ui)
    tree.written.clear()
    for root in [root for root in tree.outdated_roots() if root.arrived]:
        _begin(root, ui)
    noticed.watched.mark(world, tree.roots)
    for root in tree.roots if tree.moved else ():
        if root.world and root.visible != (root.wanted and is_there(world, root)):
            root.visible = not root.visible
            ui.relayout(root)
    for root in [root for root in tree.roots if root.restless and root.visible]:
        _poll(root, state, ui)
    tree.moved = False


def _looks_changed(world: World, state: UiState, ui: Context) -> bool:
    """Return whether what the sizes of all widgets depend on has changed: theme, language or fonts."""
    noticed = state.noticed
    if noticed.looks is None or ui.setter not in noticed.looks.sources:
        noticed.looks = Inputs((Themes, Locales, ui.setter))
    return noticed.looks.changed(world)


def _space(ui: Context) -> tuple[Any, ...]:
    """Return a key of the values that the places of all widgets depend on: the size of the picture, the pixels of a
    unit, the default layers."""
    settings, layers = ui.settings, ui.world[Layers].order[:1]
    return ui.frame.logical, ui.unit, tuple(settings.safe_area), ui.density, settings.layer, layers


def _begin(root: Root, ui: Context) -> None:
    """Read the texts and fields of the nodes that arrived in a root; of all after a change of the theme or the
    language."""
    arrived = [node for node in root.arrived if node in root]
    root.arrived.clear()
    for node in arrived:
        if not node.begun:
            node.begun = True
            ui.refresh(node)
            root.unstyled.add(node)
            root.unmeasured.add(node)
        ui.watch(node)


def _reread(world: World, node: Node, cls: type, ui: Context) -> None:
    """Read a widget whose row of a table was written, and mark what is out of date."""
    if cls is Screen:
        owner = node.root.owner
        read_screen(world, node.root)
        ui.relayout(node.root)
        for each in node.root.nodes if node.root.owner != owner else ():
            ui.watch(each)
    elif cls is Widget:
        visible, enabled, variant, z, needs = node.visible, node.enabled, node.variant, node.z, node.needs
        read_widget(world, node)
        if (visible, needs) != (node.visible, node.needs):
            node.root.refill(node)
            (node.parent or node).repaint()
        if z != node.z:
            node.root.dealt = False
            node.repaint()
        if enabled != node.enabled:
            for each in node.walk():
                each.repaint()
        if variant != node.variant:
            ui.restyle(node)
    elif cls is Layout:
        node.root.refill(node)
    elif cls is node.kind.component and read_kind(world, node):
        ui.watch(node)
        if ui.refresh(node) or node.kind.sizes_by_value:
            ui.resize(node)
        else:
            ui.repaint(node)


def _poll(root: Root, state: UiState, ui: Context) -> None:
    """Fill in templates and read bound fields again, as the state may have changed; of hidden nodes when a layout shows
    them."""
    moved, root.restless = state.noticed.moved, False
    for node in root.live or ():
        if not (node.polls or node.outdated):
            continue
        if node.hidden:
            node.outdated = True
            continue
        node.outdated = False
        if node.polls:
            root.restless = True
            moves = node.kind.moves(node, ui)
            if moves is not None and moves != moved.get(node.entity):
                moved[node.entity] = moves
                node.repaint()
        before = node.shows
        if ui.refresh(node):
            texts = [k for k, v in before.items() if k[:1] != "=" and node.shows.get(k) != v]
            ui.resize(node) if texts or node.kind.sizes_by_value else node.repaint()


def _set_states(state: UiState) -> None:
    """Set the states of the widgets below the pointer, with the focus, or pressed."""
    hovered, pressed = state.hovered, {press.entity for press in state.presses.values() if not press.moved}
    focused = set(state.focus.values()) if state.shows_focus else set[int]()
    marked = {hovered, *pressed, *focused} - {0}
    for entity in state.noticed.marked | marked:
        node = state.tree.nodes.get(entity)
        if node is None:
            continue
        states = node.states & ~(State.HOVERED | State.PRESSED | State.FOCUSED)
        states |= State.HOVERED * (entity == hovered) | State.PRESSED * (entity in pressed)
        states |= State.FOCUSED * (entity in focused)
        _change(node, states)
    state.noticed.marked = marked


def _change(node: Node, states: int) -> None:
    if states != node.states:
        node.states = states
        node.repaint()


def _advance(state: UiState) -> None:
    """Let the widgets be painted whose transitions are under way."""
    for node, part in list(state.moving):
        mixed = node.mixes.get(part) if state.tree.nodes.get(node.entity) is node else None
        if mixed is not None:
            node.repaint()
        if mixed is None or state.time - mixed[2] > mixed[1].seconds + _SLACK:
            state.moving.pop((node, part))
            if mixed is not None:
                mixed[0] = mixed[1]


def _lasting(node: Node, ui: Context) -> bool:
    """Set the states that do not come from the pointer and the focus; return whether they changed."""
    kind, before = node.kind, node.states
    lasting = before & _TRANSIENT_STATES
    if not node.active:
        lasting |= State.DISABLED
    if kind.on(node, ui):
        lasting |= State.ON
    if kind.invalid(node, ui):
        lasting |= State.INVALID
    node.states = lasting
    return lasting != before


def _paint(root: Root, ui: Context) -> None:
    """Paint the parts that are out of date, or the widgets of them that are."""
    density, (parts, members) = density_of(root, ui), (root.parts, root.members)
    repainted = {node for node in root.repainted if node.root is root}
    whole, root.stale_parts = root.stale_parts, set()
    stale = sorted(whole.union([node.part for node in repainted]))
    root.repainted.clear()
    for part, mine, all_changed in [(parts[k], members[k], k in whole) for k in stale if k < len(parts)]:
        painter = Painter(root, part, ui, density)
        clip = mine[0][0].clip
        part.clip = None if clip is None else painter.placed(*clip)
        changed = {node for node, _ in mine if _lasting(node, ui)} | repainted

        def paint(member: tuple[Node, bool], painter: Painter = painter) -> None:
            node, over = member
            if over:
                node.kind.paint_over(node, painter, ui)
            elif _seen(node):
                node.kind.paint(node, painter, ui)

        part.paint(mine, None if all_changed else {member for member in mine if member[0] in changed}, paint)


def _seen(node: Node) -> bool:
    """Return True if a node is at least partly within its clip rectangle."""
    if node.clip is None:
        return True
    x, y, w, h = node.clip
    return node.x < x + w and node.x + node.w > x and node.y < y + h and node.y + node.h > y


def _publish(world: World, state: UiState, outdated: list[Root], ui: Context) -> None:
    """Put the paintings of visible roots that changed into the resource of the frame, and remove those of others."""
    items, tree = world[Paintings].items, state.tree
    for root in outdated:
        if not root.visible:
            items.pop(root.name, None)
            continue
        painting = items.get(root.name)
        if painting is None or not root.aimed:
            if painting is None:
                painting = items[root.name] = Painting()
            aim(painting, root, ui)
            root.aimed = True
        painting.parts = [*root.parts]
    if not tree.listed:
        names = {root.name for root in tree.roots if root.visible}
        for name in [name for name in items if name.startswith("ui:") and name not in names and OVERLAYS not in name]:
            del items[name]
    tree.listed = True
