"""Particles in space: emitters with a Transform3D, from their axes to the billboards that are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Disabled, Transform, UsageError
from rish_frame import Billboards
from rish_particles import Emitter, Preset, emit_3d
from rish_particles.components.tables import SPACE_COLUMNS
from rish_particles.curves import constant, ramp
from rish_particles.pools.pools import Store
from rish_particles.preset import Attractor, Child, Emission, EmitterShape, Forces, ParticleLook, Pulse
from rish_space3d import Transform3D
from view_noise import scramble_view

TICK = 1 / 60
STILL = {"life": (9.0, 9.0), "size": (0.5, 0.5)}


@pytest.fixture
def yard(new_yard: Callable[..., Any]) -> Any:
    """A yard with space."""
    return new_yard(plugins="particles, space3d")


def put(yard: Any, preset: str, place: Any = (0, 0, 0), *, scale: float = 1.0, **pose: Any) -> int:
    """Spawn an emitter in space."""
    return yard.world.spawn(Transform3D(position=place, **pose), Emitter(preset=preset, scale=scale))


def burst(count: int) -> Emission:
    """Emit some particles in the first tick."""
    return Emission(pulses=(Pulse((count, count)),))


def live(yard: Any, name: str = "") -> dict[str, np.ndarray]:
    """Return the columns of the particles in space, of all presets or of one."""
    store = Store.in_space(yard.world)
    parts: dict[str, list[np.ndarray]] = {each: [] for each in SPACE_COLUMNS}
    for row in range(len(store.pools)):
        if store.name(row) and name in ("", store.name(row)):
            for each, column in zip(SPACE_COLUMNS, store.span(row).columns, strict=True):
                parts[each].append(column[: int(store.pools.live[row])].copy())
    return {each: np.concatenate(arrays) if arrays else np.zeros(0) for each, arrays in parts.items()}


def places(particles: dict[str, np.ndarray]) -> np.ndarray:
    """Return places (n, 3)."""
    return np.stack([particles[name] for name in "xyz"], axis=1)


def velocities(particles: dict[str, np.ndarray]) -> np.ndarray:
    """Return velocities (n, 3)."""
    return np.stack([particles[f"v{name}"] for name in "xyz"], axis=1)


def test_directions_are_a_cone_around_an_axis_that_the_emitter_turns(yard: Any) -> None:
    """Particles fly in a cone around the middle of the span of directions, turned with the emitter."""
    preset = yard.add(**STILL, direction=(np.radians(70), np.radians(110)), speed=(2.0, 3.0), emission=burst(600),
                      capacity=600)  # fmt: skip
    quarter = (0.5**0.5, 0, 0, 0.5**0.5)  # around x: y becomes z
    put(yard, preset, rotation=quarter)
    particles = live(yard.run())
    speed = np.linalg.norm(velocities(particles), axis=1)
    assert speed.min() >= 2 - 1e-5
    assert speed.max() <= 3 + 1e-5
    along = velocities(particles)[:, 2] / speed
    assert along.min() >= np.cos(np.radians(20)) - 1e-5
    assert along.min() < np.cos(np.radians(18))
    sideways = velocities(particles)[:, :2] / speed[:, None]
    np.testing.assert_allclose(sideways.mean(axis=0), 0, atol=0.03)  # as many on each side
    assert np.abs(sideways).max(axis=0).min() > np.sin(np.radians(17))


@pytest.mark.parametrize(
    ("shape", "low", "high"),
    [
        (EmitterShape("point"), (0, 0, 0), (0, 0, 0)),
        (EmitterShape("line", size=(2, 9)), (-1, 0, 0), (1, 0, 0)),
        (EmitterShape("box", size=(2, 4)), (-1, -2, -1), (1, 2, 1)),
        (EmitterShape("box", size=(2, 4, 6)), (-1, -2, -3), (1, 2, 3)),
        (EmitterShape("circle", radius=(0, 2)), (-2, -2, -2), (2, 2, 2)),
    ],
)
def test_shapes_fill_their_room(yard: Any, shape: EmitterShape, low: Any, high: Any) -> None:
    """Places are within the shape and reach its ends; the scale and the pose of the emitter enlarge and move it."""
    put(yard, yard.add(**STILL, shape=shape, at=(0, 0, 1), emission=burst(900)), (10, 0, 0), scale=2.0)
    found = places(live(yard.run())) - (10, 0, 2)
    reach = np.maximum(np.subtract(high, low) * 0.2, 1e-4)
    assert (found >= np.multiply(low, 2) - 1e-4).all()
    assert (found <= np.multiply(high, 2) + 1e-4).all()
    assert (found.min(axis=0) <= np.multiply(low, 2) + reach).all()
    assert (found.max(axis=0) >= np.multiply(high, 2) - reach).all()


def test_a_ring_is_hollow_and_outward_leads_away(yard: Any) -> None:
    """A ring is the room between two balls; with `outward`, particles fly away from its middle."""
    shape = EmitterShape("ring", radius=(1, 2), outward=True)
    put(yard, yard.add(**STILL, shape=shape, speed=(1, 1), emission=burst(300)))
    particles = live(yard.run())
    radius = np.linalg.norm(places(particles), axis=1)
    assert radius.min() >= 1 - 1e-5
    assert radius.max() <= 2 + 1e-5
    np.testing.assert_allclose(velocities(particles), places(particles) / radius[:, None], atol=1e-4)


def test_forces_act_along_three_axes(yard: Any) -> None:
    """Gravity and wind have a z; the path is that of the same steps in plain numbers, times the emitter's scale."""
    forces = Forces(gravity=(0, -2, 1), drag=0.5, wind=(4, 0, -3))
    put(yard, yard.add(**STILL, speed=(1, 1), forces=forces, emission=burst(1)), scale=3.0)
    particles = live(yard.run(31))
    place, speed, decay = np.zeros(3), np.array([3.0, 0, 0]), np.exp(-0.5 * TICK)
    for _ in range(30):
        speed = speed * decay + (np.array(forces.wind) * (1 - decay) + np.array(forces.gravity) * TICK) * 3
        place = place + speed * TICK
    np.testing.assert_allclose(velocities(particles)[0], speed, rtol=1e-4)
    np.testing.assert_allclose(places(particles)[0], place, rtol=1e-4)


def test_attractors_pull_and_swallow(yard: Any) -> None:
    """An attractor beside the emitter pulls along the way to it, and particles near it are gone."""
    attractor = Attractor(at=(0, 0, 2), strength=6, swallow=0.3)
    preset = yard.add(**STILL, forces=Forces(attractors=(attractor,)), emission=burst(3))
    put(yard, preset, (1, 1, 1))
    particles = live(yard.run(2))
    np.testing.assert_allclose(velocities(particles), [[0, 0, 6 * TICK]] * 3, atol=1e-5)
    assert not len(live(yard.run(120))["x"])


def test_turbulence_neither_gathers_nor_favors_a_direction(yard: Any) -> None:
    """Turbulence moves particles apart in all three directions alike."""
    shape = EmitterShape("box", size=(8, 8, 8))
    forces = Forces(turbulence=5, turbulence_scale=2)
    put(yard, yard.add(**STILL, shape=shape, forces=forces, emission=burst(900)))
    speed = velocities(live(yard.run(2))) / (5 * TICK)
    np.testing.assert_allclose((speed**2).mean(axis=0), 1 / 3, atol=0.1)
    np.testing.assert_allclose(speed.mean(axis=0), 0, atol=0.1)


def test_particles_die_in_order_and_bear_others(yard: Any) -> None:
    """Dead particles leave their pool, the others stay in their order; children begin where a parent died."""
    child = Preset("#child", life=(9, 9))
    preset = yard.add("parent", child, life=(0.1, 0.5), speed=(1, 2), emission=burst(50),
                      on_death=Child("#child", (2, 2), inherit=0.5))  # fmt: skip
    put(yard, preset, (5, 0, 0))
    ages: list[np.ndarray] = []
    for _ in range(12):
        ages.append(live(yard.run(), preset)["life"])
    left, grown = ages[-1], live(yard, f"{preset}#child")
    assert 0 < len(left) < 50
    assert left.tolist() == [each for each in ages[0].tolist() if each in left.tolist()]
    assert len(grown["x"]) == 2 * (50 - len(left))
    assert (grown["x"] > 5).all()
    assert (grown["vx"] <= 1).all()


def test_a_moving_emitter_leaves_an_even_stream(yard: Any) -> None:
    """A steady stream is spread along the way of a tick, and particles per unit count meters of the way."""
    carrier = put(yard, yard.add(**STILL, emission=Emission(per_unit=10), inherit=0.0))
    yard.run()
    for k in range(1, 11):
        yard.world.get(carrier, Transform3D).position = (0, 0, 0.5 * k)
        yard.run()
    z = np.sort(live(yard)["z"])
    assert len(z) == 50
    np.testing.assert_allclose(np.diff(z), 0.1, atol=1e-3)


def test_view_fields_of_emitters_change_no_state(new_yard: Callable[..., Any]) -> None:
    """The hash of a game with an emitter that moves in space is the same, whatever is in its view fields."""
    hashes: list[list[str]] = []
    for noisy in (False, True):
        game, rng = new_yard(plugins="particles, space3d"), np.random.default_rng(4)
        carrier = put(game, game.add(**STILL, emission=Emission(rate=7, per_unit=10), inherit=0.0))
        hashes.append([])
        for k in range(8):
            game.world.get(carrier, Transform3D).position = (0, 0.1, 0.37 * k)
            assert not noisy or scramble_view(game.world, rng) > 1
            hashes[-1].append(game.run().world.hash())
    assert hashes[0] == hashes[1]


def test_local_particles_and_children_of_entities_follow(yard: Any) -> None:
    """Particles of `space: local` are drawn where their emitter is, which may hang on another entity."""
    ship = yard.world.spawn(Transform3D(position=(1, 0, 0)))
    preset = yard.add(**STILL, local=True, at=(0, 2, 0), emission=burst(1))
    yard.world.spawn(Transform3D(position=(0, 0, 3), parent=ship), Emitter(preset=preset))
    yard.run(2)
    yard.world.get(ship, Transform3D).position = (7, 0, 0)
    yard.run(2)
    (shown,) = yard.world[Billboards].sets
    np.testing.assert_allclose(shown.places, [[7, 2, 3]], atol=1e-5)


def test_what_is_drawn(yard: Any) -> None:
    """Billboards have the sizes, colors, turns, cells and options of the preset, between two ticks."""
    look = ParticleLook("sheet.png", (2, 2), 10.0, "add", aligned=True, stretch=0.1, lit=True)
    over_life = {"size_over_life": ramp((1,), (3,)), "opacity_over_life": constant(0.5)}
    preset = yard.add(life=(2, 2), size=(1, 1), speed=(3, 3), angle=(0.5, 0.5), emission=burst(1), look=look,
                      colors=((1, 0, 0, 1),), **over_life)  # fmt: skip
    put(yard, preset)
    yard.run(31)
    (shown,) = yard.world[Billboards].sets
    assert (shown.picture, shown.cells, shown.additive, shown.lit) == ("sheet.png", (2, 2), True, True)
    assert shown.sizes[0] == pytest.approx(1.5, abs=0.01)
    assert shown.turns[0] == pytest.approx(0.5)
    assert shown.colors[0].tolist() == [255, 0, 0, 128]
    assert shown.cell is not None
    assert shown.along is not None
    assert shown.cell.tolist() == [5 % 4]
    np.testing.assert_allclose(shown.along, [[3, 0, 0]], atol=1e-5)
    assert shown.places[0, 0] == pytest.approx(3 * 0.5, abs=3 * TICK)


def test_an_emitter_with_a_transform_stays_flat(yard: Any) -> None:
    """An entity with both poses emits in 2D, a disabled one not at all."""
    preset = yard.add(**STILL, emission=burst(4))
    yard.world.spawn(Transform(), Transform3D(), Emitter(preset=preset))
    yard.world.spawn(Transform3D(), Disabled(), Emitter(preset=preset))
    yard.run(2)
    assert yard.live() == 4
    assert not len(live(yard)["x"])


def test_the_same_seed_gives_the_same_particles_and_a_restore_goes_on_with_them(new_yard: Callable[..., Any]) -> None:
    """Two games have the same bits, also the one that goes back to a snapshot in between; hashes leave them out."""
    seen: list[bytes] = []
    for goes_back in (False, True):
        yard = new_yard(plugins="particles, space3d")
        child = Preset("#dust", life=(0.2, 0.4))
        preset = yard.add("a", child, life=(0.2, 0.6), speed=(1, 2), direction=(0, 6.28), emission=Emission(rate=300),
                          trail=Child("#dust", rate=9), forces=Forces(turbulence=3, turbulence_scale=1))  # fmt: skip
        put(yard, preset)
        yard.run(12)
        snapshot = yard.world.snapshot()
        yard.run(8)
        if goes_back:
            yard.world.restore(snapshot)
            yard.run(8)
        columns = live(yard)
        assert len(columns["x"]) > 50
        seen.append(b"".join(column.tobytes() for column in columns.values()))
    assert seen[0] == seen[1]


def test_one_shots_are_emitted_at_places_with_rotations(yard: Any) -> None:
    """`emit_3d` emits as many particles as the pulses of the preset, or a given number, at one place or at many."""
    preset = yard.add(**STILL, speed=(2, 2), inherit=0.5, emission=burst(3))
    quarter = (0, 0, 0.5**0.5, 0.5**0.5)  # around z: x becomes y
    emit_3d(yard.world, preset, (1, 2, 3), color=(1, 0, 0, 1))
    emit_3d(yard.world, preset, [(5, 0, 0), (6, 0, 0)], count=2, rotation=quarter, scale=(1, 3), velocity=(0, 0, 2))
    particles = live(yard.run())
    assert sorted(particles["x"].tolist()) == [1, 1, 1, 5, 5, 6, 6]
    red = particles["x"] == 1
    np.testing.assert_allclose(velocities(particles)[red], [[2, 0, 0]] * 3, atol=1e-5)
    np.testing.assert_allclose(velocities(particles)[particles["x"] == 6], [[0, 6, 1]] * 2, atol=1e-5)
    assert set(particles["rgba"][red].view(np.uint32).tolist()) == {0xFF0000FF}
    assert particles["size"].tolist().count(1.5) == 2
    with pytest.raises(UsageError, match="emit_3d"):
        emit_3d(yard.world, preset, (1, 2))


def test_prewarmed_emitters_begin_with_their_stream(yard: Any) -> None:
    """A preset with `prewarm` has particles of all ages in the first frame."""
    put(yard, yard.add(life=(1, 1), speed=(1, 1), emission=Emission(rate=60), prewarm=0.9))
    ages = live(yard.run())["age"]
    assert len(ages) == pytest.approx(54, abs=3)
    assert ages.max() > 0.8
