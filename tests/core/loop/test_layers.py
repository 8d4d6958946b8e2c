"""The layer stack: order, events passed from top to bottom, and state (except for layers of tools)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core.loop.events import WindowEvent
from rish_core.loop.layers import Layer, LayerFailed, Layers, LayerStack, on_layer, put_layers
from rish_ecs import UnknownName, UsageError, World
from rish_ecs.declarations import fields_of
from rish_ecs.declarations.resource import copy_plain

PRESS, RELEASE = WindowEvent("key", "A", down=True), WindowEvent("key", "A")


def world_of(*layers: Layer, **options: Any) -> World:
    """Return a world with these layers."""
    world = World()
    put_layers(world, layers, **options)
    return world


def listener(log: list[str], name: str, swallows: bool = False, **marks: Any) -> Layer:
    """Return a layer that logs its events."""

    def on_event(world: World, event: WindowEvent) -> bool:
        log.append(f"{name} {event.kind}")
        return swallows

    return Layer(name, on_event=on_event, **marks)


def test_overlays_lie_above_layers() -> None:
    """Layers are below overlays, both in the order in which they were pushed."""
    layers = Layers()
    for name, overlay in (("hud", True), ("sky", False), ("menu", True), ("world", False)):
        layers.push(name, overlay=overlay)
    assert layers.order == ["sky", "world", "hud", "menu"]
    assert [layers.index(name) for name in layers.order] == [0, 1, 2, 3]


@given(st.lists(st.tuples(st.integers(0, 9), st.sampled_from(["layer", "overlay", "pop"])), max_size=40))
def test_the_stack_is_two_lists(moves: list[tuple[int, str]]) -> None:
    """For any pushes and pops the stack equals a list of layers followed by a list of overlays."""
    layers, lower, upper = Layers(), list[str](), list[str]()
    for number, what in moves:
        name = f"l{number}"
        if what == "pop":
            if name in layers:
                layers.pop(name)
                (lower if name in lower else upper).remove(name)
        elif name not in layers:
            place = layers.push(name, overlay=what == "overlay")
            (upper if what == "overlay" else lower).append(name)
            assert layers.order[place] == name
        assert layers.order == lower + upper
        assert layers.split == len(lower)


def test_wrong_pushes_and_pops_are_refused() -> None:
    """A duplicate name, an unknown name and more than 255 layers are refused."""
    world = world_of(Layer("world"), Layer("tools", tool=True))
    with pytest.raises(UsageError, match="on the stack already"):
        world[Layers].push("world")
    with pytest.raises(UnknownName, match="did you mean 'world'"):
        world[LayerStack].pop(world, "wrld")
    with pytest.raises(UsageError, match="on the stack already"):
        world[LayerStack].push(world, Layer("tools", tool=True))
    layers = Layers(order=[f"l{i}" for i in range(255)], split=255)
    with pytest.raises(UsageError, match="more than 255"):
        layers.push("one more")


def test_events_go_from_the_top_until_swallowed() -> None:
    """Events go through the layers from the top until a handler returns True."""
    log: list[str] = []
    world = world_of(
        listener(log, "world"),
        listener(log, "menu", swallows=True),
        listener(log, "hud", overlay=True),
        Layer("sky"),
    )
    assert world[LayerStack].route(world, PRESS)
    assert log == ["hud key", "menu key"]


def test_an_event_that_no_layer_swallows_remains() -> None:
    """Only True stops an event; None and other true values do not."""
    world = world_of(Layer("a", on_event=lambda world, event: None), Layer("b", on_event=lambda world, event: 1))  # type: ignore[arg-type, return-value]
    assert not world[LayerStack].route(world, PRESS)


def test_releases_are_never_swallowed() -> None:
    """Releases reach all layers, so that no layer keeps a stuck key."""
    log: list[str] = []
    world = world_of(listener(log, "world"), listener(log, "menu", swallows=True))
    stack = world[LayerStack]
    assert not stack.route(world, RELEASE)
    assert not stack.route(world, WindowEvent("focus"))
    assert log == ["menu key", "world key", "menu focus", "world focus"]


def test_hidden_layers_are_neither_drawn_nor_asked() -> None:
    """A hidden layer is not drawn and gets no events, but keeps its number; a paused one gets events."""
    log: list[str] = []
    world = world_of(listener(log, "world", paused=True), listener(log, "menu", visible=False), Layer("hud"))
    stack, layers = world[LayerStack], world[Layers]
    assert [(i, layer.name) for i, layer in stack.drawn(world)] == [(0, "world"), (2, "hud")]
    stack.route(world, PRESS)
    assert log == ["world key"]
    assert (layers.is_visible("menu"), layers.is_paused("world"), layers.runs("world")) == (
        False,
        True,
        False,
    )
    layers.show("menu")
    layers.pause("world", False)
    assert layers.is_visible("menu")
    assert layers.runs("world")


def failing(log: list[str], policy: Any = None) -> World:
    """Return a world whose upper layer raises at every event."""

    def broken(world: World, event: WindowEvent) -> bool:
        log.append("broken")
        raise ValueError("no such button")

    options = {} if policy is None else {"on_error": policy}
    return world_of(listener(log, "world"), Layer("menu", on_event=broken), **options)


def test_a_handler_that_raises_is_named_and_the_event_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    """A failing handler is logged with layer and line, and the event is passed to the layers below."""
    log: list[str] = []
    world = failing(log)
    assert not world[LayerStack].route(world, PRESS)
    assert log == ["broken", "world key"]
    assert "layer 'menu' failed at a key event: ValueError: no such button" in caplog.text
    assert "test_layers.py:" in caplog.text


def test_a_failing_handler_can_be_set_aside() -> None:
    """With the policy `disable` a failing handler is not called again; its layer stays."""
    log: list[str] = []
    world = failing(log, lambda layer, failure: "disable")
    for _ in range(2):
        world[LayerStack].route(world, PRESS)
    assert log == ["broken", "world key", "world key"]
    assert "menu" in world[Layers]


def test_a_failing_handler_can_stop_everything() -> None:
    """With the policy `raise` the failure is raised with the layer's name."""
    world = failing([], lambda layer, failure: "raise")
    with pytest.raises(LayerFailed, match="layer 'menu'") as caught:
        world[LayerStack].route(world, PRESS)
    assert isinstance(caught.value.__cause__, ValueError)


def test_layers_come_and_go_at_run_time() -> None:
    """A layer that is pushed by a handler gets events from the next event on."""
    log: list[str] = []

    def open_menu(world: World, event: WindowEvent) -> bool:
        if "menu" not in world[Layers]:
            world[LayerStack].push(world, listener(log, "menu", swallows=True, overlay=True))
        return False

    world = world_of(Layer("world", on_event=open_menu))
    stack = world[LayerStack]
    assert [stack.route(world, PRESS) for _ in range(2)] == [False, True]
    stack.pop(world, "menu")
    assert world[Layers].order == ["world"]


def test_the_stack_is_state_and_declarations_outlive_it() -> None:
    """A restore brings back order, visibility and pause, also of a layer that was popped since."""
    world = world_of(Layer("world"), Layer("menu", overlay=True, space="screen", visible=False, paused=True))
    snapshot, before = world.snapshot(), world.hash()
    assert copy_plain(fields_of(world[Layers]))
    world[LayerStack].pop(world, "menu")
    world[Layers].pause("world")
    assert world.hash() != before
    world.restore(snapshot)
    assert world.hash() == before
    assert world[Layers].order == ["world", "menu"]
    assert world[LayerStack].layer("menu").space == "screen"


def test_equal_stacks_have_equal_hashes() -> None:
    """The order in which layers were hidden or paused does not affect the hash."""
    one, other = world_of(Layer("a"), Layer("b")), world_of(Layer("a"), Layer("b"))
    for world, names in ((one, "ab"), (other, "ba")):
        for name in names:
            world[Layers].show(name, False)
            world[Layers].pause(name)
    assert one.hash() == other.hash()


def test_a_tools_layer_is_above_all_and_no_state() -> None:
    """A tool's layer is drawn last, gets events first, and is not in the hash."""
    log: list[str] = []
    world = world_of(Layer("world"), Layer("hud", overlay=True))
    before = world.hash()
    stack = world[LayerStack]
    stack.push(world, listener(log, "editor", swallows=True, tool=True))
    assert world.hash() == before
    assert [(i, layer.name) for i, layer in stack.drawn(world)] == [(0, "world"), (1, "hud"), (2, "editor")]
    assert stack.route(world, PRESS)
    stack.pop(world, "editor")
    assert not stack.route(world, PRESS)


def test_a_restored_name_that_is_not_declared_is_a_plain_layer() -> None:
    """A restored layer that is not declared is an ordinary layer."""
    world = world_of(Layer("world"))
    world[Layers].push("fog")
    assert [layer for _, layer in world[LayerStack].drawn(world)] == [Layer("world"), Layer("fog")]


def renewed(before: list[Layer], after: list[Layer], world: World | None = None) -> World:
    """Return a world whose layers are declared differently while it runs."""
    world = world or world_of(*before)
    world[LayerStack].renew(world, before, after)
    return world


def test_declared_layers_come_go_and_change_places() -> None:
    """After a renewal the stack equals that of a start with the new list."""
    a, b, c, top = Layer("a"), Layer("b"), Layer("c"), Layer("top", overlay=True)
    lists = [[a, b], [b, a], [a, b, c], [c, a, top], [top, b], [], [a, Layer("b", overlay=True), top]]
    for before in lists:
        for after in lists:
            world, fresh = renewed(before, after), world_of(*after)
            assert fields_of(world[Layers]) == fields_of(fresh[Layers]), (before, after)


def test_a_layers_new_handler_is_asked() -> None:
    """A renewal uses the new handlers and options, and keeps the visibility that the game has set."""
    log: list[str] = []
    before = [listener(log, "a"), Layer("b")]
    world = world_of(*before)
    world[Layers].show("b", False)
    renewed(before, [listener(log, "a", True), Layer("b", options={"lit": False})], world)
    assert world[LayerStack].route(world, PRESS)
    assert not world[Layers].is_visible("b")
    assert world[LayerStack].layer("b").options == {"lit": False}


def test_a_layers_new_beginning_counts() -> None:
    """If the declared visibility or pause changed, the new one is applied."""
    world = renewed([Layer("a"), Layer("b")], [Layer("a", visible=False), Layer("b", paused=True)])
    assert not world[Layers].is_visible("a")
    assert world[Layers].is_paused("b")


def test_what_the_game_did_with_layers_stays() -> None:
    """Layers that the game pushed stay, and layers that it popped are not pushed again."""
    before = [Layer("a"), Layer("b")]
    world = world_of(*before)
    world[LayerStack].push(world, Layer("mine"))
    world[LayerStack].pop(world, "a")
    renewed(before, [Layer("a", options={"lit": False}), Layer("b"), Layer("c")], world)
    assert world[Layers].order == ["b", "mine", "c"]
    tool = Layer("tool", tool=True)
    world = renewed([], [tool])
    assert world[LayerStack].tools == ["tool"]
    assert renewed([tool], [], world)[LayerStack].tools == []


def test_on_layer_follows_the_stack() -> None:
    """A layer's tick systems stop while it is paused, and all its systems stop once it is popped."""
    world = World()
    put_layers(world, [Layer("play")])
    tick, frame = on_layer("play", pauses=True), on_layer("play", pauses=False)
    assert tick(world)
    world[Layers].pause("play")
    assert (tick(world), frame(world)) == (False, True)
    world[Layers].pop("play")
    assert (tick(world), frame(world)) == (False, False)
    assert str(tick) == "layer 'play'"
