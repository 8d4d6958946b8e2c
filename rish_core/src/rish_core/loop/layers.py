"""Layers: the stack in which a game is drawn and receives events.

All game layers are below all overlays: a new layer is put on top of the game layers, a new overlay on top of
everything. Layers are drawn from bottom to top. Events are offered from top to bottom, and a
layer that returns True consumes the event. The game's layers get an event at the beginning of the tick that processes
it, so their handlers may change state. Layers of tools get it when the window reports it, and must not change state.

The names of the layers on the stack, and whether each is visible and paused, are state of the World (`Layers`). The
properties of a layer, such as its handler, are a declaration (`Layer`), which `LayerStack` holds. A layer of a tool,
such as the editor's overlay, is above all others and not part of the state, so that a tool does not change the hash.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from rish_ecs import RishError, UnknownName, UsageError, describe_error, place_of_error, resource
from rish_ecs.declarations import NamedCondition

from .events import WindowEvent

if TYPE_CHECKING:
    from rish_ecs import World

_log = logging.getLogger("rish.layers")
_WHOLE_GAME = "*"
"""The entry of `Layers.stopped` that stands for the whole game."""
MAX_LAYERS = 255
"""The largest number of layers, because a layer's number is one byte of the sort key."""

Handler = Callable[[Any, WindowEvent], "bool | None"]


@dataclass(frozen=True)
class Layer:
    """The declaration of a layer.

    overlay: above all game layers. space: `world` moves with the camera, `screen` is fixed to the screen. visible,
    paused: the initial state. on_event: `(world, event) -> bool`; True consumes the event. tool: belongs to a tool and
    is not part of the game's state. options: values of the plugins' options (`rish_layer_options`) that are set.
    """

    name: str
    overlay: bool = False
    space: Literal["world", "screen"] = "world"
    visible: bool = True
    paused: bool = False
    on_event: Handler | None = None
    tool: bool = False
    doc: str = ""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


@resource
class Layers:
    """The names of the layers from bottom to top: the first `split` are game layers, the others overlays."""

    order: list[str] = field(default_factory=list[str])
    split: int = 0
    hidden: list[str] = field(default_factory=list[str])
    stopped: list[str] = field(default_factory=list[str])

    def __contains__(self, name: object) -> bool:
        """Whether a layer is on the stack."""
        return name in self.order

    def __len__(self) -> int:
        """The number of layers on the stack."""
        return len(self.order)

    def index(self, name: str) -> int:
        """Return the layer's index from the bottom, 0..254: the first part of a sort key. Raises UnknownName."""
        try:
            return self.order.index(name)
        except ValueError:
            raise UnknownName(f"no layer is called {name!r}", given=name, choices=self.order) from None

    def push(self, name: str, *, overlay: bool = False) -> int:
        """Put a layer on top of the game layers, or of everything; return its index. Raises UsageError."""
        if name in self.order:
            raise UsageError(f"layer {name!r} is on the stack already")
        if len(self.order) >= MAX_LAYERS:
            raise UsageError(f"there can't be more than {MAX_LAYERS} layers")
        index = len(self.order) if overlay else self.split
        self.order.insert(index, name)
        self.split += not overlay
        return index

    def pop(self, name: str) -> None:
        """Remove a layer from the stack. Raises UnknownName."""
        index = self.index(name)
        del self.order[index]
        self.split -= index < self.split
        self.show(name)
        self.pause(name, False)

    def arrange(self, names: Sequence[str]) -> None:
        """Sort the named layers into this order, game layers and overlays separately; other layers keep their index."""
        parts = self.order[: self.split], self.order[self.split :]
        self.order = []
        for part in parts:
            sorted_names = iter([name for name in names if name in part])
            self.order += [next(sorted_names) if name in names else name for name in part]

    def show(self, name: str, visible: bool = True) -> None:
        """Show or hide a layer; a hidden layer gets no events."""
        _mark(self.hidden, name, not visible)

    def pause(self, name: str, paused: bool = True) -> None:
        """Pause or resume the tick systems of a layer; a paused layer is still drawn and still gets events."""
        _mark(self.stopped, name, paused)

    def pause_all(self, paused: bool = True) -> None:
        """Pause or resume the whole game, also what belongs to no layer.

        Meanwhile a tick consists of the stage INPUT, and of systems that derive or are declared with `always=True`.
        """
        _mark(self.stopped, _WHOLE_GAME, paused)

    @property
    def all_paused(self) -> bool:
        """Whether the whole game is paused."""
        return _WHOLE_GAME in self.stopped

    def is_visible(self, name: str) -> bool:
        """Whether a layer is on the stack and not hidden."""
        return name in self.order and name not in self.hidden

    def is_paused(self, name: str) -> bool:
        """Whether a layer is paused."""
        return name in self.stopped or self.all_paused

    def runs(self, name: str) -> bool:
        """Whether the tick systems of a layer run: it is on the stack and not paused."""
        return name in self.order and not self.is_paused(name)


def _mark(names: list[str], name: str, marked: bool) -> None:
    """Add a name to the list or remove it; the list stays sorted, so that equal states have equal hashes."""
    if marked and name not in names:
        names.append(name)
        names.sort()
    elif not marked and name in names:
        names.remove(name)


def on_layer(name: str, *, pauses: bool) -> NamedCondition:
    """Return the condition of `@system(layer=...)`: the layer is on the stack and, if `pauses`, not paused."""

    def test(world: World) -> bool:
        layers: Layers = world[Layers]
        return layers.runs(name) if pauses else name in layers

    return NamedCondition(f"layer {name!r}", test)


class LayerFailed(RishError):
    """Raised when a layer's event handler raised. layer: the layer. `__cause__` is the original error."""

    def __init__(self, layer: Layer, event: WindowEvent, error: BaseException) -> None:
        self.layer = layer
        super().__init__(
            f"layer '{layer.name}' failed at a {event.kind} event: {describe_error(error)}", where=place_of_error(error)
        )


LayerPolicy = Literal["raise", "skip", "disable"]
OnLayerError = Callable[[Layer, LayerFailed], LayerPolicy]
"""A function that is called once per failure of a handler and returns the policy; `disable` removes the handler."""


def _skip(layer: Layer, failure: LayerFailed) -> LayerPolicy:
    return "skip"


@resource(derived=True)
class LayerStack:
    """The declarations of the layers by name, the layers of tools, and the policy for a failing handler."""

    declared: dict[str, Layer] = field(default_factory=dict[str, Layer])
    tools: list[str] = field(default_factory=list[str])
    on_error: OnLayerError = _skip

    def push(self, world: World, layer: Layer) -> None:
        """Declare a layer and put it on the stack. Raises UsageError if it is already there."""
        if layer.tool:
            if layer.name in self.tools or layer.name in world[Layers]:
                raise UsageError(f"layer {layer.name!r} is on the stack already")
            self.tools.append(layer.name)
        else:
            layers: Layers = world[Layers]
            layers.push(layer.name, overlay=layer.overlay)
            layers.show(layer.name, layer.visible)
            layers.pause(layer.name, layer.paused)
        self.declared[layer.name] = layer

    def pop(self, world: World, name: str) -> None:
        """Remove a layer from the stack; its declaration is kept for restores. Raises UnknownName."""
        if name in self.tools:
            self.tools.remove(name)
        else:
            world[Layers].pop(name)

    def renew(self, world: World, before: Sequence[Layer], after: Sequence[Layer]) -> None:
        """Replace one list of declared layers by another; only between two ticks.

        Changed declarations take effect, new layers are pushed, missing ones are popped. A layer stays hidden or paused
        as the game set it, unless its declaration of `visible` or `paused` changed. Layers that the game pushed itself
        stay.
        """
        layers: Layers = world[Layers]
        old_layers = {layer.name: layer for layer in before}
        names = [layer.name for layer in after]
        for name in old_layers:
            if name not in names and (name in layers or name in self.tools):
                self.pop(world, name)
        for layer in after:
            if layer != old_layers.get(layer.name):
                self._renew_one(world, old_layers.get(layer.name), layer)
        if names != list(old_layers):
            layers.arrange(names)

    def _renew_one(self, world: World, old: Layer | None, new: Layer) -> None:
        layers: Layers = world[Layers]
        on_stack = new.name in layers or new.name in self.tools
        self.declared[new.name] = new
        if old is None or (old.overlay, old.tool) != (new.overlay, new.tool):
            if on_stack and old is not None:
                self.pop(world, new.name)
            if not on_stack or old is not None:
                self.push(world, new)
            return
        if new.visible != old.visible:
            layers.show(new.name, new.visible)
        if new.paused != old.paused:
            layers.pause(new.name, new.paused)

    def layer(self, name: str) -> Layer:
        """Return the declaration of a layer, or a default one if only a restored state has a layer of this name."""
        return self.declared.get(name) or Layer(name)

    def bottom_up(self, world: World) -> list[Layer]:
        """Return all layers from the bottom, those of tools last; the index is the layer's number in sort keys."""
        return [self.layer(name) for name in (*world[Layers].order, *self.tools)]

    def drawn(self, world: World) -> list[tuple[int, Layer]]:
        """Return the visible layers from the bottom, each with its number."""
        hidden = world[Layers].hidden
        return [(place, layer) for place, layer in enumerate(self.bottom_up(world)) if layer.name not in hidden]

    def route(self, world: World, event: WindowEvent, *, tools: bool | None = None) -> bool:
        """Offer an event to the visible layers from the top; return whether one consumed it.

        tools: True for the layers of tools only, False for those of the game only, None for all. The loop calls tools
        when the window reports an event, and the game when a tick processes its input, so that handlers depend only on
        recorded input.

        Releases (a key up, the focus lost) are offered to all layers and never consumed: a layer that opens while a key
        is held must not leave the key stuck in the layers below.
        """
        if not any(layer.on_event for layer in self.declared.values()):
            return False
        for _, layer in reversed(self.drawn(world)):
            asked = layer.on_event is not None and (tools is None or (layer.name in self.tools) == tools)
            if asked and self._ask(world, layer, event) and not event.releases:
                return True
        return False

    def _ask(self, world: World, layer: Layer, event: WindowEvent) -> bool:
        assert layer.on_event is not None
        try:
            return layer.on_event(world, event) is True
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            failure = LayerFailed(layer, event, error)
            policy = self.on_error(layer, failure)
            if policy == "raise":
                raise failure from error
            if policy == "disable":
                self.declared[layer.name] = replace(layer, on_event=None)
            _log.warning("%s (%s)", failure, "disabled" if policy == "disable" else "skipped once")
            return False


def put_layers(world: World, layers: Iterable[Layer], on_error: OnLayerError = _skip) -> None:
    """Put layers into a world from bottom to top in the given order, overlays above the others."""
    stack = LayerStack(on_error=on_error)
    world.put(Layers())
    world.put(stack)
    for layer in layers:
        stack.push(world, layer)
