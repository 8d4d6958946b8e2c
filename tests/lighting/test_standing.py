"""A lit scene without changes is not drawn again, and of a scene with changes only the changed parts are."""

from __future__ import annotations

import pytest

from rish_core import Transform

from .conftest import BACKENDS
from .test_scenes import AMBIENT, BALL, BOX, FLOOR, LAMP, SCENES

BLOOM = "{lighting: {post: [bloom, vignette, crt]}}"


class Counted:
    """Counts the batches that a backend draws by drawers, by kind."""

    def __init__(self, backend) -> None:
        self.kinds: list[str] = []
        self._backend = backend
        self._real = dict(backend.drawers)
        for kind, drawer in self._real.items():
            backend.drawers[kind] = self._watched(drawer)

    def _watched(self, drawer):
        counted = self

        class Watched:
            needs = drawer.needs
            steady = getattr(drawer, "steady", False)

            def draw(self, device, target, batch, pass_):
                counted.kinds.append(batch.kind)
                drawer.draw(device, target, batch, pass_)

        return Watched()

    def __enter__(self):
        return self.kinds

    def __exit__(self, *_) -> None:
        self._backend.drawers.update(self._real)


def moved(made, kind: str, **fields) -> None:
    """Change a component of the first entity that has one."""
    table = next(table for table in made.world.tables if table.__name__ == kind)
    entity = int(made.world.query(table).entities[0])

    def change(world) -> None:
        for name, value in fields.items():
            setattr(world.get(entity, table), name, value)

    made.world.defer(change)


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("settings", ["{}", BLOOM])
@pytest.mark.parametrize("name", ["many", "sun", "normals", "emission", "gradient", "textured"])
def test_where_nothing_changes_nothing_is_drawn(hall, backend, name, settings):
    """Without changes no pass is drawn: no layers, light or effects; the frame stays."""
    made = hall(f"{SCENES[name]}\n{AMBIENT}", backend, settings=settings, run=4)
    picture = made.pixels().copy()
    with Counted(made.app.host.backend) as kinds:
        made.app.run(frames=1)  # the counters are drawers that are new to the backend
        kinds.clear()
        made.app.run(frames=3)
    assert kinds == []
    assert made.app.host.shown.draw_calls == 0
    assert (made.pixels() == picture).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_light_stands_while_things_move(hall, backend):
    """While a thing moves, its layer is drawn and combined again, and light is not."""
    made = hall(f"{FLOOR}\n{BOX}\n{LAMP}\n{AMBIENT}", backend, run=4)
    with Counted(made.app.host.backend) as kinds:
        for wide in range(100, 105):
            moved(made, "Shape", size=(wide, 80))
            if wide == 102:
                kinds.clear()
            made.app.run(frames=1)
    assert kinds == ["light.lay"] * 3


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("Light", {"intensity": 0.5}), ("Light", {"color": (1, 0, 0, 1)}), ("Light", {"radius": 30}),
        ("Light", {"layers": ["top"]}), ("Light", {"enabled": False}), ("Light", {"shadows": False}),
        ("Ambient", {"color": (1, 0, 0, 1)}), ("Ambient", {"enabled": False}), ("Occluder", {"size": (30, 30)}),
        ("Camera", {"zoom": 2.0}), ("Shape", {"size": (10, 10)}), ("Sprite", {"color": (1, 0, 0, 1)}),
    ],
)  # fmt: skip
def test_a_change_is_seen_at_once(hall, backend, kind, fields):
    """After a change the frame equals that of a backend without any kept drawings."""
    camera = "- {at: [80, 48], Transform: {}, Camera: {}}"
    made = hall(f"{FLOOR}\n{BOX}\n{BALL}\n{LAMP}\n{AMBIENT}\n{camera}", backend, layers="[world, top]", run=4)
    before = made.pixels().copy()
    moved(made, kind, **fields)
    made.app.run(frames=1)
    now = made.pixels().copy()
    assert (now != before).any()
    made.app.host.backend._standing.forget()
    made.app.run(frames=1)
    assert (made.pixels() == now).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_flicker_and_moving_lamps_are_drawn_each_time(hall, backend):
    """Flickering and moving lamps redraw only their light and the layers that it is applied to."""
    made = hall(f"{FLOOR}\n{LAMP.replace('radius', 'flicker: 0.5, radius')}\n{AMBIENT}", backend, run=4)
    with Counted(made.app.host.backend) as kinds:
        made.app.run(frames=1)
        kinds.clear()
        made.app.run(frames=2)
    assert kinds == ["light.lights", "light.lay"] * 2
    lamp = int(made.world.query(Transform, next(t for t in made.world.tables if t.__name__ == "Light")).entities[0])
    before = made.pixels().copy()
    made.world.defer(lambda world: world.set(lamp, Transform(position=(30, 30))))
    made.app.run(frames=1)
    assert (made.pixels() != before).any()
