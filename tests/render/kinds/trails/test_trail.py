"""Trails follow their entities, fade, and break when an entity jumps."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import Transform, teleport
from rish_ecs import Stage, system
from rish_render import plugin
from rish_render.kinds.trails import ribbon
from rish_render.kinds.trails.ribbon import make_ribbons
from rish_render.kinds.trails.trail import PLACES, Trail, TrailPlaces


class Legs:
    """A plugin that moves entities: `way` is called with the world in every tick."""

    def __init__(self):
        self.way = lambda world: None

        @system(Stage.STEP, writes=Transform)
        def walk(world, dt):
            self.way(world)

        self.rish_systems = lambda: [walk]


@pytest.fixture
def walk(rish_app):
    """Make a game whose entities are moved by `app.legs.way`."""

    def make(strict=False, backend=None):
        legs = Legs()
        app = rish_app(
            {"game": {"size": [200, 100]}},
            plugins={"render": plugin, "legs": legs},
            backend=backend or plugin.make_software(),
            strict=strict,
        )
        app.legs = legs
        return app

    return make


def runner(app, speed=4.0, start=20.0, **values):
    """Spawn an entity that moves to the right by `speed` units in each tick."""
    thing = app.world.spawn(Transform(position=(start, 50)), Trail(**{"color": (1, 1, 1, 1), **values}))
    app.legs.way = lambda world: world.set(
        thing, Transform(position=(world.get(thing, Transform).position[0] + speed, 50))
    )
    return thing


def row(app, y=50):
    """Return the brightness of the row of pixels at y."""
    return app.pixels()[::-1][y, :, 0].astype(int)


def test_a_trail_lies_behind_its_thing_and_fades(walk):
    """A trail is bright at its entity, reaches only half its width beyond it, and fades to nothing."""
    app = walk()
    runner(app, seconds=0.4, width=10)
    for _ in range(31):
        app.frame()
    head = app.world[Transform].position[0, 0]
    light = row(app)
    assert light[int(head) + 7 :].max() < 30
    assert light[int(head) - 4] > 200
    assert light[int(head) - 50] < light[int(head) - 20] < light[int(head) - 6]
    assert light[int(head) - 24 * 4 - 4] < 30


def test_the_length_is_a_time(walk):
    """The length of a trail is a time, so a fast entity has a long trail."""
    for speed in (1.0, 4.0):
        app = walk()
        runner(app, speed, seconds=0.25, color_end=(1, 1, 1, 1), width_end=8)
        for _ in range(40):
            app.frame()
        assert (row(app) > 200).sum() == pytest.approx(speed * 15 + 4, abs=3)


def test_a_teleport_breaks_it(walk):
    """After a teleport nothing is drawn between the two places, and the old part fades where it is."""
    app = walk()
    thing = runner(app, 2.0, color_end=(1, 1, 1, 1), width_end=8, seconds=2)
    for _ in range(20):
        app.frame()
    way = app.legs.way
    app.legs.way = lambda world: teleport(world, thing, (150, 50))
    app.frame()
    app.legs.way = way
    for _ in range(10):
        app.frame()
    light = row(app)
    assert light[90:145].max() < 40
    assert light[40] > 200
    assert light[160] > 200


def test_a_long_jump_breaks_it_if_asked(walk):
    """A trail with `jump` breaks where the entity moves farther than that in one frame."""
    for jump, between in ((0.0, True), (30.0, False)):
        app = walk()
        thing = runner(app, 2.0, color_end=(1, 1, 1, 1), width_end=8, seconds=2, jump=jump)
        for _ in range(10):
            app.frame()
        way = app.legs.way
        app.legs.way = lambda world, thing=thing: world.set(thing, Transform(position=(150, 50)))
        app.frame()
        app.legs.way = way
        for _ in range(5):
            app.frame()
        assert (row(app)[100] > 200) == between


def test_a_restore_brings_it_back_as_it_was(walk):
    """A restore brings the trail back; it is in the snapshot but not in the hash."""
    app = walk()
    runner(app)
    for _ in range(5):
        app.frame()
    snapshot, before = app.world.snapshot(), app.world[TrailPlaces].place.copy()
    for _ in range(5):
        app.frame()
    app.world.restore(snapshot)
    places = app.world[TrailPlaces]
    assert places.place.tolist() == before.tolist()
    count = int(places.count[0])
    before_hash = app.world.hash()
    places.count[0] = 0
    assert app.world.hash() == before_hash
    places.count[0] = count
    app.frame()
    assert app.world[TrailPlaces].count.tolist() == [count + 1]


def test_it_grows_while_every_system_is_watched(walk):
    """The trail grows in strict mode too, although strict mode takes snapshots of the World and restores them."""
    app = walk(strict=True)
    runner(app)
    for _ in range(5):
        app.frame()
    assert int(app.world[TrailPlaces].count[0]) >= 4


def test_a_thing_that_stands_has_no_trail(walk):
    """An entity that does not move has no trail."""
    app = walk()
    app.world.spawn(Transform(position=(50, 50)), Trail())
    for _ in range(20):
        app.frame()
    assert row(app).max() < 40


def test_others_keep_their_places_when_one_goes(walk):
    """When an entity is despawned the others keep their places, which are stored by entity and not by row."""
    app = walk()
    things = [app.world.spawn(Transform(position=(x, 50)), Trail()) for x in (10, 50, 90)]
    for _ in range(4):
        app.frame()
    app.world.despawn(things[0])
    app.frame()
    places = app.world[TrailPlaces]
    assert sorted(places.entities.tolist()) == sorted(things[1:])
    assert sorted(places.place[:, 0, 0].tolist()) == [50, 90]
    assert (places.count > 3).all()


def ribbons(points, **more):
    """Return ribbons through one row of points, newest first, at intervals of 0.01 seconds."""
    place = np.zeros((1, PLACES, 2), np.float32)
    place[0, : len(points)] = points
    given = {
        "age": np.arange(PLACES)[None] * 0.01,
        "broken": np.zeros((1, PLACES), bool),
        "count": np.array([len(points)]),
        "length": np.array([1.0]),
        "half": np.array([[4.0, 4.0]]),
        "colors": np.ones((1, 2, 4)),
        "pixel": np.array([1.0]),
        **more,
    }
    return make_ribbons(place, **given)


def test_a_ribbon_has_four_corners_a_section():
    """A section has four corners: its two edges, and two transparent ones a pixel outside."""
    found = ribbons([(20, 0), (10, 0), (0, 0)])
    assert found.positions.shape == (16 + 12, 3)
    np.testing.assert_allclose(found.positions[16:20, 1], [-4.5, -3.5, 3.5, 4.5])
    assert found.colors[16:20, 3].tolist() == [0, 255, 255, 0]
    assert len(found.indices) == 6 * 6


def test_the_front_is_round():
    """The front is a half circle with half the ribbon's width as its radius."""
    found = ribbons([(20, 0), (10, 0), (0, 0)])
    assert found.positions[:, 0].max() == pytest.approx(24)
    reach = np.hypot(found.positions[:16, 0] - 20, found.positions[:16, 1])
    assert reach.min() >= 3
    assert reach.max() <= 5
    assert found.bounds[0].tolist() == [[-4.0, -4.0]]


def test_a_sharp_turn_has_two_sections():
    """A sharp turn has two sections, one for each direction."""
    assert len(ribbons([(20, 0), (0, 0), (20, 1)]).positions) == 16 + 16


def test_the_end_lies_where_it_would_be_at_that_age():
    """The end is interpolated between two places, so that it does not jitter."""
    found = ribbons([(20, 0), (10, 0), (0, 0)], length=np.array([0.015]))
    assert found.positions[:, 0].min() == pytest.approx(5, abs=1e-3)


@pytest.mark.parametrize(
    "points",
    [[(0, 0)], [(0, 0)] * 5, [(np.nan, 0), (np.inf, 2)], [(0, 0), (1e30, 0)], [(0, 0), (5, 0), (0, 0), (5, 0)]],
    ids=["one", "same", "nan", "far", "back"],
)
def test_hostile_places_break_nothing(points):
    """Degenerate places give finite corners, or none."""
    found = ribbons(points)
    assert np.isfinite(found.positions).all()
    assert not len(found.indices) or found.indices.max() < len(found.positions)


def test_the_kernel_does_what_it_does_as_plain_python(monkeypatch):
    """The compiled kernel and plain Python give the same corners and colors."""
    walk = np.cumsum(np.random.default_rng(3).normal(0, 6, (40, 2)), axis=0)
    broken = np.zeros((1, PLACES), bool)
    broken[0, 12] = True
    compiled = ribbons(walk, broken=broken, half=np.array([[6.0, 0.0]]))
    monkeypatch.setattr(ribbon, "_section", ribbon._section.py_func)
    monkeypatch.setattr(ribbon, "fill_ribbons", ribbon.fill_ribbons.py_func)
    plain = ribbons(walk, broken=broken, half=np.array([[6.0, 0.0]]))
    np.testing.assert_allclose(compiled.positions, plain.positions, atol=1e-4)
    np.testing.assert_array_equal(compiled.indices, plain.indices)
    assert np.abs(compiled.colors.astype(int) - plain.colors).max() <= 1
