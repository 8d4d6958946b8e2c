"""EXTRACT: from columns to batches, once a frame.

Reads the components and the interpolated matrices, writes the Frame, and touches nothing else. A plugin that
draws things of its own between these puts its batches into the pass `main` before this system runs
(`@system(Stage.EXTRACT, before="render.extract")`), and they take their place by layer and z.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_core.common.transform import Transform, WorldMatrices
from rish_core.ecs.resource import resource
from rish_core.ecs.system import Stage, system
from rish_core.frame.passes import Frame

from .camera import View, main_view, screen_view
from .components import Camera, Settings, Shape, Sprite, Text
from .drawables import Drawables, emit
from .pictures import Pictures
from .stack import Stack, rounds, stack_of

if TYPE_CHECKING:
    from rish_core.ecs.world import World

Array = npt.NDArray[Any]


@resource(derived=True)
class RenderCache:
    """What extraction keeps from frame to frame: texts that are set, polygons that are cut, what was reported."""

    told: set[str] = dataclass_field(default_factory=set[str])
    parts: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    kinds: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    batches: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])

    def rebuild(self, world: World) -> None:
        """After a restore rows may hold other entities."""
        self.parts.clear()
        self.kinds.clear()
        self.batches.clear()


class Seen(NamedTuple):
    """What may be seen of a component: rows of its table, matrices float32 (n, 6), and layer numbers."""

    rows: Array
    matrix: Array
    numbers: Array

    def some(self, which: Array) -> Seen:
        """Those that a bool array chooses."""
        return self if which.all() else Seen(self.rows[which], self.matrix[which], self.numbers[which])


@dataclass
class Scene:
    """What the extraction of each kind needs.

    view, flat: the camera's view, and the screen's own.
    """

    world: World
    stack: Stack
    view: View
    flat: View
    pictures: Pictures
    cache: RenderCache

    def visible(self, kind: Any) -> Seen:
        """The rows of a component that may be seen.

        Left out are invisible things and hidden layers. The matrices follow each layer's parallax.
        """
        query = self.world.query(kind, Transform)
        table = self.world[kind]
        rows = query.rows(kind)
        places = query.rows(Transform)
        if not len(rows):
            return Seen(rows, np.zeros((0, 6), np.float32), np.zeros(0, np.int64))
        numbers = self.stack.numbers(self.world, table.layer[rows], query.entities)
        shown = table.visible[rows] & self.stack.visible[numbers]
        if not shown.all():
            rows, places, numbers = rows[shown], places[shown], numbers[shown]
        matrix = self.world[WorldMatrices].matrix[places]
        if (self.stack.parallax != 1).any():
            follow = np.where(self.stack.screen[:, None], np.float32(1), self.stack.parallax)
            matrix[:, 4:] += (1 - follow[numbers]) * np.array(self.view.centre, np.float32)
        return Seen(rows, matrix, numbers)

    def seen(self, centre: Array, reach: Array, numbers: Array) -> Array:
        """bool n: whether boxes (centre and half extents, float32 (n, 2)) touch what is seen of their layers."""
        bounds = np.array([self.view.bounds, self.flat.bounds], np.float32)
        screen = self.stack.screen[numbers].astype(np.intp)
        low, high = bounds[screen, :2], bounds[screen, 2:]
        inside: Array = (centre + reach >= low) & (centre - reach <= high)
        return inside[:, 0] & inside[:, 1]

    def density(self, numbers: Array) -> Array:
        """float32 n: pixels a unit on the layers of these numbers."""
        return np.where(self.stack.screen[numbers], np.float32(1), np.float32(self.view.density))


@system(
    Stage.EXTRACT,
    reads=(Sprite, Shape, Text, Camera, Transform, WorldMatrices),
    writes=(Frame, Pictures, RenderCache),
)
def extract(world: World, dt: float) -> None:
    """Fill the frame with everything that the cameras see."""
    frame, pictures, cache = world[Frame], world[Pictures], world[RenderCache]
    pictures.atlas.reserve(frame)
    view = main_view(world, interpolated=True)
    stack = stack_of(world, cache.told)
    scene = Scene(world, stack, view, screen_view(frame.size), pictures, cache)
    things = extract_all(scene)
    for turn in rounds(frame, stack, view):
        emit(things, turn.layers, stack.y_sorted, turn.pass_, cache.batches)
    red, green, blue, alpha = view.background or tuple(float(c) for c in world[Settings].background)
    frame.set_clear((red, green, blue, alpha))
    pictures.atlas.publish(frame)


def extract_all(scene: Scene) -> list[Drawables]:
    """The drawables of every kind, in the order of drawing where layer and z are equal.

    A kind of which nothing changed is not extracted again: no system that declares to write it ran, and its things
    stand where they stood before the same camera.
    """
    from .extract_shapes import extract_boxes, extract_pointed, is_pointed
    from .extract_sprites import extract_sprites
    from .extract_text import extract_text

    things: list[Drawables] = []
    shapes = scene.visible(Shape)
    if len(shapes.rows):
        pointed = is_pointed(scene, shapes)
        things += _remembered(scene, "boxes", Shape, shapes.some(~pointed), extract_boxes)
        things += _remembered(scene, "pointed", Shape, shapes.some(pointed), extract_pointed)
    things += _remembered(scene, "sprites", Sprite, scene.visible(Sprite), extract_sprites)
    things += _remembered(scene, "texts", Text, scene.visible(Text), extract_text)
    return things


def _remembered(
    scene: Scene, name: str, kind: type, seen: Seen, make: Callable[[Scene, Seen], list[Drawables]]
) -> list[Drawables]:
    """What `make` gives, or what it gave in the last frame where nothing has changed since."""
    if not len(seen.rows):
        return []
    table = scene.world.table(kind)
    stamp = (table.version, table.membership, scene.view, scene.stack.stamp, scene.pictures.version)
    memory = scene.cache.kinds.get(name)
    if (
        memory is not None
        and memory[0] == stamp
        and np.array_equal(memory[1].rows, seen.rows)
        and np.array_equal(memory[1].matrix, seen.matrix)
    ):
        return memory[2]
    things = make(scene, seen)
    scene.cache.kinds[name] = (stamp, seen, things)
    return things
