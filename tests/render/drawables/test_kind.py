"""Kinds of drawables: a kind of a stranger's plugin is drawn, sorted, picked and measured like the built-in ones."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from rish_core import Failures, PluginError
from rish_ecs import Str, component, field
from rish_frame import ArraySpec, Batch, BatchKind, Frame, pick
from rish_render import (
    Camera,
    CanvasGroup,
    DrawableKind,
    Drawables,
    Shape,
    Sprite,
    drawn_boxes,
    main_view,
    plugin,
    region_at,
)

SIZE = (64, 48)
BLUE, GREEN, RED = [0, 0, 255], [0, 255, 0], [255, 0, 0]
WHITE = np.full((1, 4), 255, np.uint8)
PATCH = BatchKind(
    "vanes.patch", "Squares.", {"place": ArraySpec(np.dtype(np.float32), ("n", 3), "x, y and half a side, units")}
)


@component
class Vane:
    """A square."""

    radius: float = field(8.0, unit="units", low=0)
    layer: Str = field("")
    z: float = field(0.0)
    visible: bool = field(True)


class Vanes(DrawableKind):
    """Squares as lines that are as wide as they are long."""

    component, steady = Vane, True

    def __init__(self) -> None:
        self.made = 0

    def extract(self, scene):
        """Return the squares, those of the last frame if nothing has changed."""
        return scene.remembered("vanes", Vane, scene.visible(Vane), self.things)

    def things(self, scene, seen):
        """Return the visible squares."""
        self.made += 1
        table = scene.world.table(Vane)
        rows, center = seen.rows, seen.matrix[:, 4:]
        radius = table.column("radius")[rows]
        shown = scene.seen(center, radius[:, None], seen.numbers)
        center, radius, rows, numbers = center[shown], radius[shown], rows[shown], seen.numbers[shown]

        def make(some, state):
            return self.batch(center[some], radius[some])

        return [Drawables(numbers, table.column("z")[rows], center[:, 1], np.zeros(len(rows), np.int64), make)]

    def batch(self, center, radius):
        """Return the batch of some squares."""
        n = len(center)
        points = np.column_stack([center, center]).astype(np.float32)
        rgba = np.tile(np.array([*GREEN, 255], np.uint8), (n, 1))
        return Batch("lines", {"points": points, "width": 2 * radius, "rgba": rgba}, source="vanes")

    def pick(self, scene):
        """Return the squares near the region."""
        seen, radius = scene.visible(Vane), scene.world.table(Vane).column("radius")
        near = scene.region.near(seen.matrix[:, 4:], radius[seen.rows])
        seen = seen.some(near)
        return scene.hits(Vane, seen.rows, seen.numbers, seen.matrix[:, 5])

    def boxes(self, world, rows):
        """Return the squares."""
        radius = world.table(Vane).column("radius")[rows].astype(np.float64)[:, None]
        return radius * np.array([[-1, -1, 1, 1]])


class Patches(Vanes):
    """The same squares in a kind of batches of their own."""

    def batch(self, center, radius):
        """Return the batch of some squares."""
        return Batch(PATCH, {"place": np.column_stack([center, radius]).astype(np.float32)}, source="vanes")


class PatchDrawer:
    """Fills the squares on the software backend."""

    needs = frozenset()

    def draw(self, device, target, batch, pass_):
        """Fill the squares of a batch."""
        width, height = target.size
        for x, y, half in batch.arrays["place"].tolist():
            at = (pass_.projection @ pass_.view) @ (x, y, 0, 1)
            column, row = round((at[0] + 1) / 2 * width), round((1 - at[1]) / 2 * height)
            side = int(half)
            target.colors[0][row - side : row + side, column - side : column + side] = (*GREEN, 255)


def vanes(kind=Vanes):
    """Return a plugin with a kind of its own."""
    return SimpleNamespace(
        rish_components=lambda: [Vane],
        rish_drawables=lambda: [kind()],
        rish_drawers=lambda: {"software": {PATCH: PatchDrawer}},
    )


@pytest.fixture
def field_of_vanes(studio):
    """Make a scene: a red shape behind a vane, a blue shape before it, on one layer."""

    def make(kind=Vanes, **options):
        black = {"render": {"background": "#000000"}}
        made = studio(SIZE, plugins={"vanes": vanes(kind)}, settings=black, **options)
        made.put(32, 24, Camera())
        made.red = made.put(32, 24, Shape(size=(40, 40), color=(1, 0, 0, 1), z=-1))
        made.vane = made.put(32, 24, Vane())
        made.blue = made.put(32, 24, Shape(size=(4, 4), color=(0, 0, 1, 1), z=1))
        return made

    return make


def test_hook_rish_drawables(rish_app):
    """The kinds of all plugins are in the registry by plugin and component, those of `render` first."""
    app = rish_app({}, plugins={"render": plugin, "vanes": vanes()})
    names = [*app.registry.of("rish_drawables")]
    assert names[0] == "render.TileMap"
    assert names[-1] == "vanes.Vane"


def test_something_else_than_a_kind_disables_the_plugin(studio):
    """A list with another object is refused with the hook and the object."""
    with pytest.raises(PluginError, match="rish_drawables returned"):
        studio(plugins={"vanes": SimpleNamespace(rish_drawables=lambda: [Sprite])})


@pytest.mark.parametrize("kind", [Vanes, Patches])
def test_a_new_kind_is_sorted_with_the_others(field_of_vanes, kind):
    """Its things are drawn over what has a lower z, and below what has a higher one."""
    made = field_of_vanes(kind)
    made.shoot()
    assert [made.pixel(*at) for at in ((32, 24), (36, 28), (44, 24))] == [BLUE, GREEN, RED]
    assert [batch.source for batch in made.batches] == ["render", "vanes", "render"]


@pytest.mark.gl
def test_a_new_kind_is_drawn_with_opengl(field_of_vanes):
    """A kind of standard batches needs no code for a backend: OpenGL draws the same picture."""
    made = field_of_vanes()
    ours = made.shoot()
    theirs = made.rivals.picture("arcade", made.world[Frame])
    assert (np.abs(ours.astype(int) - theirs).max(axis=2) > 8).mean() < 0.01


def test_things_of_a_new_kind_share_batches(field_of_vanes):
    """Neighbors in the drawing order are packed into one batch."""
    made = field_of_vanes()
    for k in range(5):
        made.put(8 * k, 10, Vane(radius=2))
    made.shoot()
    assert [batch.count for batch in made.batches if batch.source == "vanes"] == [6]


def test_a_new_kind_is_picked_and_measured(field_of_vanes):
    """Tools find its things in drawing order, and their boxes."""
    made = field_of_vanes()
    made.shoot()
    assert pick(made.app, region_at(made.world, (32, 24))).distinct == [made.blue, made.vane, made.red]
    assert pick(made.app, region_at(made.world, (38, 24))).distinct == [made.vane, made.red]
    boxes = drawn_boxes(made.world, [made.vane], main_view(made.world))
    assert boxes.local.tolist() == [[-8, -8, 8, 8]]


def test_a_new_kind_in_a_group(field_of_vanes):
    """It is drawn into the image of a group, and fades with it."""
    made = field_of_vanes()
    group = made.put(0, 0, CanvasGroup(opacity=0.5))
    made.put(10, 10, Vane(radius=4), parent=group)
    made.shoot()
    assert made.pixel(10, 10)[1] in (127, 128)


def test_a_steady_kind_is_not_extracted_again(field_of_vanes):
    """A still picture asks it nothing, and each change of its table does."""
    made = field_of_vanes(strict=False)
    (kind,) = (kind for name, kind in made.app.registry.of("rish_drawables").items() if name == "vanes.Vane")
    for _ in range(4):
        made.shoot()
    before = kind.made
    made.shoot()
    assert kind.made == before
    made.world.get(made.vane, Vane).radius = 2
    made.shoot()
    assert kind.made == before + 1
    assert made.pixel(36, 28) == RED


def test_edited_code_is_drawn_at_once(field_of_vanes, monkeypatch):
    """After the code of its plugin was loaded again, nothing that the former code made is drawn."""
    made = field_of_vanes(strict=False)
    for _ in range(4):
        made.shoot()

    def batch(self, center, radius):
        return Batch("lines", {"points": np.hstack([center, center]), "width": radius, "rgba": WHITE}, source="vanes")

    monkeypatch.setattr(Vanes, "batch", batch)
    plugin.rish_reloaded(made.app, ("vanes",))
    made.shoot()
    assert [made.pixel(*at) for at in ((34, 25), (39, 24))] == [[255, 255, 255], RED]


class Broken(Vanes):
    """A kind that raises."""

    def extract(self, scene):
        """Fail."""
        raise ValueError("no vanes today")


def test_a_kind_that_raises_is_reported_once(field_of_vanes, caplog):
    """The other kinds are drawn, and the failure names the plugin that declared it."""
    made = field_of_vanes(Broken, strict=False)
    made.app.plugins.policy = "disable"
    for _ in range(2):
        made.shoot()
    assert made.pixel(36, 28) == RED
    assert caplog.text.count("the drawing of Vane of plugin 'vanes' failed: ValueError: no vanes today") == 1
    assert "the drawing of Vane" in str(vars(made.world[Failures]))
