"""The layer stack as the renderer sees it: which number a layer's name has, and which passes show which layers.

Neighbouring layers of one space share a pass: the world's layers are seen through the camera, those in screen space
in pixels from the bottom left corner. The passes are called `main`, `main.2`, ... and `flat`, `flat.2`, ...
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core.common.names import Name
from rish_core.errors import did_you_mean
from rish_core.frame.passes import ALL_LAYERS, Frame, Pass
from rish_core.loop.layers import Layer, Layers, LayerStack

from .camera import View, screen_view

if TYPE_CHECKING:
    from rish_core.ecs.world import World

Array = npt.NDArray[Any]

_log = logging.getLogger("rish.render")
_SCREEN = "screen"
_FLAT = "flat"


@dataclass
class Stack:
    """The layers of one frame, by their numbers.

    visible, screen, y_sorted: bool a layer. parallax: float32 (layers, 2), how far each follows the camera. by_text:
    the layer's number by the number of its name in the World's texts; -1 where no layer has that name.
    """

    names: tuple[str, ...]
    visible: Array
    screen: Array
    y_sorted: Array
    parallax: Array
    by_text: Array
    told: set[str] = dataclass_field(default_factory=set[str])

    @property
    def stamp(self) -> tuple[Any, ...]:
        """What changes when the layers do."""
        parts = (self.visible, self.screen, self.y_sorted, self.parallax)
        return (self.names, *(part.tobytes() for part in parts))

    def numbers(self, world: World, layer: Array, entities: Array) -> Array:
        """The layer's number for each value of a `layer` column; an unknown name is reported once, and the first
        layer taken.
        """
        numbers = self.by_text[layer]
        strange = numbers < 0
        if strange.any():
            for text in np.unique(layer[strange]).tolist():
                self._warn(world, world.text(text), int(entities[layer == text][0]))
            numbers = np.where(strange, 0, numbers)
        return numbers

    def _warn(self, world: World, name: str, entity: int) -> None:
        if name in self.told:
            return
        self.told.add(name)
        who = f"entity {entity}"
        if Name in world and world.has(entity, Name):
            who = f"{world.get(entity, Name).value!r} ({who})"
        nearest = did_you_mean(name, self.names)
        _log.warning("%s: no layer is called %r%s; it is drawn on %r", who, name, nearest, self.names[0])


def stack_of(world: World, told: set[str]) -> Stack:
    """The layers of a world; one plain layer where it has none. told: the unknown names that were reported."""
    layers = [Layer("world")]
    hidden: list[str] = []
    if LayerStack in world and Layers in world:
        layers = world[LayerStack].bottom_up(world) or layers
        hidden = world[Layers].hidden
    by_text = np.full(len(world.texts), -1, np.int64)
    by_text[0] = 0
    for number, layer in enumerate(layers):
        text = world.texts.find(layer.name)
        if text > 0:
            by_text[text] = number
    return Stack(
        tuple(layer.name for layer in layers),
        np.array([layer.name not in hidden for layer in layers], np.bool_),
        np.array([layer.space == _SCREEN for layer in layers], np.bool_),
        np.array([layer.y_sort for layer in layers], np.bool_),
        np.array([layer.parallax for layer in layers], np.float32).reshape(-1, 2),
        by_text,
        told,
    )


@dataclass
class Round:
    """One pass of the layers: which it shows, and through which view."""

    pass_: Pass
    layers: Array
    view: View


def rounds(frame: Frame, stack: Stack, view: View) -> list[Round]:
    """Set up the passes that show the layers, bottom up; passes of an earlier frame that are not needed are removed."""
    runs = _runs(stack)
    main = frame.passes["main"]
    found: list[Round] = []
    worlds = flats = 0
    wanted: set[str] = set()
    several = sum(not screen for screen, _ in runs) > 1
    for screen, numbers in runs:
        layers = np.zeros(len(stack.names), np.bool_)
        layers[numbers] = True
        if screen:
            flats += 1
            name = _FLAT if flats == 1 else f"{_FLAT}.{flats}"
            pass_ = frame.passes.get(name) or frame.add_pass(Pass(name, rank="screen" if worlds else "lit"))
            seen = screen_view(frame.size)
        else:
            worlds += 1
            name = "main" if worlds == 1 else f"main.{worlds}"
            pass_ = frame.passes.get(name) or frame.add_pass(Pass(name, rank="unlit"))
            pass_.layer_mask = sum(1 << number for number in numbers) if several else ALL_LAYERS
            if pass_ is not main:
                pass_.batches = main.batches
            seen = view
        _look(pass_, seen)
        pass_.after = (found[-1].pass_.name,) if found else ()
        wanted.add(name)
        found.append(Round(pass_, layers, seen))
    if not worlds:
        _look(main, view)
    for name in _ours(frame) - wanted:
        del frame.passes[name]
    return found


def _look(pass_: Pass, view: View) -> None:
    pass_.view, pass_.projection, pass_.viewport = view.view, view.projection, view.viewport


def _ours(frame: Frame) -> set[str]:
    """The passes that `rounds` made in earlier frames, all but `main`."""
    return {name for name in frame.passes if name == _FLAT or name.startswith((f"{_FLAT}.", "main."))}


def _runs(stack: Stack) -> list[tuple[bool, list[int]]]:
    """Neighbouring visible layers of one space: (whether it is the screen's, their numbers), bottom up."""
    runs: list[tuple[bool, list[int]]] = []
    for number in np.flatnonzero(stack.visible).tolist():
        screen = bool(stack.screen[number])
        if runs and runs[-1][0] == screen:
            runs[-1][1].append(number)
        else:
            runs.append((screen, [number]))
    return runs
