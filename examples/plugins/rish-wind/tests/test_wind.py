"""Zones of wind: the velocity of the air, gusts, and the forces on bodies and particles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_core import Transform, UsageError, publish_edges
from rish_physics import Body, Collider, masses_of
from rish_wind import Drag, GustBegan, WindSettings, WindZone, wind_at
from rish_wind.noise import noise

DEMO = Path(__file__).parents[1] / "demo"
STEADY = {"speed": 100, "turbulence": 0}
CALM = {"physics": {"gravity": [0, 0], "units_per_meter": 1}, "wind": {"air_density": 1}}


@pytest.fixture
def make(rish_app: Any) -> Callable[..., Any]:
    """A function that makes a game: `make(zone, *entries)`; one unit is a meter, and there is no gravity."""

    def make(zone: dict[str, Any], *entries: dict[str, Any], strict: bool = True, **options: Any) -> Any:
        entities = [{"Transform": {}, "WindZone": zone}, *entries]
        game = {"scenes": {"main": entities}, "settings": CALM} | options
        return rish_app(game, installed=["wind"], strict=strict)

    return make


def box(x: float = 0, y: float = 0, w: float = 1, h: float = 1, **body: Any) -> dict[str, Any]:
    """Return the entry of a body of w·h kg."""
    return {"at": [x, y], "Transform": {}, "Body": body, "Collider": {"size": [w, h], "contact_events": False}}


@pytest.mark.parametrize(
    ("zone", "there", "outside"),
    [
        ({"shape": "box", "size": [10, 4]}, (4.9, -1.9), (4.9, 2.1)),
        ({"shape": "circle", "size": [10, 4]}, (0, 4.9), (4, 4)),
        ({}, (1e6, -1e6), None),
    ],
)
def test_the_air_moves_inside_of_a_zone(make: Any, zone: dict[str, Any], there: Any, outside: Any) -> None:
    """Inside its form a zone has its speed and direction; outside the air is still."""
    app = make({**STEADY, "direction": 90, **zone})
    assert wind_at(app.world, there) == pytest.approx((0, 100), abs=1e-4)
    if outside is not None:
        assert wind_at(app.world, [there, outside])[1].tolist() == [0, 0]


def test_a_zone_turns_with_its_entity_and_fades_at_its_border(make: Any) -> None:
    """Form and direction turn with the Transform; in the border the speed falls to 0."""
    app = make({**STEADY, "shape": "box", "size": [20, 4], "edge": 4})
    app.world[Transform].rotation[0] = np.pi / 2
    found = wind_at(app.world, [(0, 8), (0, 10.5), (8, 0)])
    assert found == pytest.approx(np.array([(0, 50), (0, 0), (0, 0)]), abs=1e-3)


@pytest.mark.parametrize("points", [(1, 2, 3), "here", [[1], [2]], 4])
def test_what_is_no_point_is_refused(make: Any, points: Any) -> None:
    """`wind_at` names what it expects."""
    with pytest.raises(UsageError, match="wind_at: expected a point"):
        wind_at(make({}).world, points)


def test_noise_is_bounded_smooth_and_the_same_each_time() -> None:
    """Values are within -1 and 1, near places have near values, seeds differ, and what is not finite gives 0."""
    places = np.random.default_rng(3).uniform(-1e6, 1e6, (500, 3))
    values = noise(places, 7)
    assert np.abs(values).max() <= 1
    assert values.std() > 0.2
    assert np.abs(noise(places + 1e-4, 7) - values).max() < 1e-2
    assert (noise(places, 7) == values).all()
    assert not np.allclose(noise(places, 8), values)
    assert noise(np.array([(np.nan, 0, 0), (np.inf, 1, 1)]), 1).tolist() == [[0, 0], [0, 0]]
    assert noise(np.full((1, 3), 1e300), 1).shape == (1, 2)


def test_turbulence_changes_in_space_and_time(make: Any) -> None:
    """With turbulence the air differs from place to place and from tick to tick, around the mean velocity."""
    app = make({"speed": 100, "turbulence": 0.5, "turbulence_size": 10, "turbulence_time": 0.1})
    app.tick()
    places = np.random.default_rng(1).uniform(-500, 500, (800, 2))
    first = wind_at(app.world, places)
    app.run(frames=3)
    later = wind_at(app.world, places)
    assert first.std(axis=0).min() > 5
    assert np.abs(first - later).max() > 5
    assert first.mean(axis=0) == pytest.approx((100, 0), abs=5)


def test_gusts_begin_and_end_and_are_announced(make: Any) -> None:
    """During a gust the air is faster, up to the announced speed; before and after it has the zone's speed."""
    app = make({**STEADY, "gust": 50, "gust_every": 1, "gust_length": 0.5}, strict=False)
    speeds, told = [], []
    for _ in range(180):
        app.tick()
        speeds.append(float(wind_at(app.world, (0, 0))[0]))
        told += app.world.events(GustBegan).speed.tolist()
    assert 2 <= len(told) <= 6
    assert all(30 <= speed <= 50 for speed in told)
    assert 130 <= max(speeds) <= 100 + max(told) + 1e-3
    assert speeds.count(pytest.approx(100)) > 20


@pytest.mark.slow
def test_runs_and_restored_runs_have_the_same_bits(make: Any) -> None:
    """Two runs have the same hash, a run from a snapshot too; another seed gives other gusts."""
    zone = {"turbulence": 0.5, "gust": 80, "gust_every": 0.5, "gust_length": 0.3}
    game = {"game": {"title": "Test", "seed": 5}}
    hashes = []
    for _ in range(2):
        app = make(zone, box(), box(3, 1), strict=False, **game)
        app.run(frames=20)
        kept = app.world.snapshot()
        app.run(frames=20)
        hashes.append(app.world.hash())
    app.world.restore(kept)
    app.run(frames=20)
    other = make(zone, box(), box(3, 1), strict=False, game={"title": "Test", "seed": 6})
    other.run(frames=40)
    assert hashes[0] == hashes[1] == app.world.hash() != other.world.hash()


def test_the_force_is_that_of_quadratic_drag(make: Any) -> None:
    """A plate of width w gets F = ½ ρ C w v², along the wind, for its outline that faces the wind."""
    zone = {"speed": 0.5, "turbulence": 0}
    plate, lying = box(0, 0, 1, 4, mass=1000), box(0, 9, 4, 1, mass=1000)
    app = make(zone, plate, lying, {**box(0, 20, 1, 4, mass=1000), "Drag": {"coefficient": 0}})
    app.tick()
    velocity = app.world[Body].velocity
    expected = 0.5 * 1 * 1 * 4 * 0.5**2 / 1000 / 60
    assert velocity[0] == pytest.approx((expected, 0), rel=1e-3)
    assert velocity[1] == pytest.approx((expected / 4, 0), rel=1e-3)
    assert velocity[2].tolist() == [0, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("collider", "width"),
    [
        ({"shape": "circle", "radius": 2}, 4),
        ({"shape": "circle", "size": [6, 6]}, 6),
        ({"shape": "capsule", "size": [2, 8]}, 8),
        ({"shape": "capsule", "size": [8, 2]}, 2),
        ({"shape": "polygon", "points": [[0, 0], [3, 0], [0, 5]]}, 5),
        ({"size": [1, 1], "rotation": 45}, 2**0.5),
        ({"size": [1, 1], "radius": 1}, 3),
        ({"shape": "segment", "points": [[0, -1], [0, 2]], "radius": 0.5}, 4),
    ],
)
def test_each_form_has_its_width(make: Any, collider: dict[str, Any], width: float) -> None:
    """The width of every form of collider is that of its outline across the wind."""
    body = {"Transform": {}, "Body": {"mass": 1000, "inertia": 1e6}, "Collider": collider}
    app = make({"speed": 0.5, "turbulence": 0}, body)
    app.tick()
    assert app.world[Body].velocity[0, 0] * 60 * 1000 == pytest.approx(0.5 * width * 0.25, rel=1e-3)


def test_a_light_body_is_never_faster_than_the_wind(make: Any) -> None:
    """However light a body is, it approaches the velocity of the air from below."""
    app = make(STEADY, {**box(), "Collider": {"size": [1, 1], "density": 1e-4}}, strict=False)
    fastest = 0.0
    for _ in range(60):
        app.tick()
        fastest = max(fastest, float(app.world[Body].velocity[0, 0]))
    assert 90 < fastest <= 100


def test_colliders_of_children_catch_wind_and_sensors_do_not(make: Any) -> None:
    """A child's collider pushes its body and turns it by its distance; a sensor has no effect."""
    sail = {"at": [0, 3], "Transform": {}, "Collider": {"size": [1, 2], "density": 0}}
    ghost = {"at": [0, 3], "Transform": {}, "Collider": {"size": [1, 2], "sensor": True}}
    ship = {"Transform": {}, "Body": {}, "Collider": {"size": [4, 1]}}
    app = make(
        {"speed": 5, "turbulence": 0}, {**ship, "children": [sail]}, {**ship, "at": [0, 50], "children": [ghost]}
    )
    app.tick()
    body = app.world[Body]
    assert body.velocity[0, 0] > 2 * body.velocity[1, 0] > 0
    assert body.angular_velocity[0] < -1e-3
    assert abs(body.angular_velocity[1]) < 1e-6


def test_walls_give_shelter(make: Any) -> None:
    """Directly behind an edge the air is still, and at the length of the lee it has its full speed again."""
    app = make({**STEADY, "shelter": 10})
    publish_edges(app.world, "test", x0=0.0, y0=-5.0, x1=0.0, y1=5.0, mask=2)
    speeds = wind_at(app.world, [(0.01, 0), (5, 0), (12, 0), (-1, 0), (1, 6)])[:, 0]
    assert speeds == pytest.approx([0.1, 50, 100, 100, 100], abs=0.2)
    app.world[WindZone].shelter_mask[0] = 1
    assert wind_at(app.world, (5, 0))[0] == pytest.approx(100)


def test_a_sleeping_body_is_woken_by_gusts_alone(make: Any) -> None:
    """Steady wind leaves a body asleep; the gust wakes it."""
    app = make(STEADY, box(asleep=True), box(0, 5, mass=1e4))
    app.run(frames=5)
    assert app.world[Body].asleep[0]
    app.world[WindZone].gust[0] = 40
    app.world[WindZone].gust_wait[0] = 0
    app.run(frames=3)
    assert not app.world[Body].asleep[0]


def test_masses_of_bodies_are_public(make: Any) -> None:
    """`masses_of` gives the mass of forms and densities, and infinity for what does not move."""
    app = make(STEADY, box(0, 0, 2, 3), box(9, 9, type="static"))
    entities = app.world.query(Body, Collider).entities
    assert masses_of(app.world, entities) == pytest.approx([6, np.inf])


def test_particles_are_carried_where_they_are_installed(rish_app: Any) -> None:
    """Live particles take on the velocity of the air inside a zone."""
    game = {
        "scenes": {
            "main": [
                {"Transform": {}, "WindZone": {**STEADY, "shape": "box", "size": [80, 80]}},
                {"at": [0, 0], "Transform": {}, "Emitter": {"preset": "still.particles.yaml"}},
                {"at": [500, 0], "Transform": {}, "Emitter": {"preset": "still.particles.yaml"}},
            ]
        }
    }
    still = "capacity: 4\nlife: 9\nemit: {burst: 1}\nspeed: 0\nsize: 2\npicture: rish_particles:pictures/dot.png\n"
    files = {"still.particles.yaml": still}
    app = rish_app(game, installed=["wind", "particles"], files=files, strict=False)
    app.run(frames=30)
    particles = app.world[app.world.kind("particles.Particles")]
    assert sorted(particles.x[:2].tolist())[0] > 5
    assert sorted(particles.x[:2].tolist())[1] == 500


@pytest.mark.parametrize("zone", [{"speed": -1}, {"turbulence_size": 0}, {"shape": "sphere"}, {"gusts": 4}])
def test_mistakes_are_reported_with_their_field(make: Any, zone: dict[str, Any]) -> None:
    """A value outside its range, an unknown form and an unknown field are refused with their place."""
    with pytest.raises(Exception, match=rf"WindZone\.{next(iter(zone))}"):
        make(zone)


def test_without_zones_or_air_nothing_is_pushed(make: Any) -> None:
    """A settings value of 0 turns the forces off; so does an empty zone."""
    settings = {**CALM, "wind": {"air_density": 0}}
    for zone, options in ((STEADY, {"settings": settings}), ({**STEADY, "shape": "box", "size": [0, 0]}, {})):
        app = make(zone, box(7, 7), **options)
        app.run(frames=3)
        assert app.world[Body].velocity.tolist() == [[0, 0]]
    assert WindSettings().drag == 1
    assert Drag().coefficient == 1


@pytest.mark.slow
def test_the_demo_plays(rish_app: Any) -> None:
    """The demo runs, and its leaves move to the right."""
    app = rish_app(DEMO, installed=["wind", "render", "basics"], strict=False)
    app.run(frames=20)
    assert app.world[Body].velocity[:, 0].mean() > 20
    assert app.host.backend.drawn("shapes")
