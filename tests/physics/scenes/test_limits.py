"""At the limits of the supported range and beyond: distance, overlap, speed, mass, and NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_core import Transform
from rish_physics import Body, Collider, RevoluteJoint, overlap_point, ray_cast
from rish_physics.components.tables import QUARANTINED, Bodies, Contacts, Shapes

EDGE = 7980.0
"""The distance from the origin in meters. The limit is 8000."""


def _write(cls: type, **values: Any) -> Callable[[Any, int], None]:
    """Return a function that writes into columns without any check."""

    def write(scene: Any, entity: int) -> None:
        table = scene.world[cls]
        for name, value in values.items():
            getattr(table, name)[table.row_of(entity)] = value
        table.mark()

    return write


@pytest.mark.parametrize("unit", [1, 64])
def test_a_stack_stands_at_the_edge_of_the_range(yard: Callable[..., Any], unit: int):
    """At the edge of the range, with a resolution of half a millimeter, ten boxes sag as at the origin, and rest."""
    scene = yard(sleeping=False, units_per_meter=unit)
    x = y = EDGE * unit
    scene.wall(x, y - unit / 2, 30 * unit, unit)
    boxes = np.array([scene.box(x, y + (k + 0.5) * unit, unit, unit) for k in range(10)])
    table = scene.world[Transform]
    rows = table.rows_of(boxes)
    scene.run(300)
    early = table.position[rows] / unit
    scene.run(300)
    late = table.position[rows] / unit
    assert np.abs(late - early).max() < 1e-3
    assert late[-1, 1] - EDGE == pytest.approx(9.47, abs=0.02)
    assert np.abs(late[:, 0] - EDGE).max() < 0.02


def test_a_chain_swings_at_the_edge_of_the_range(yard: Callable[..., Any]):
    """At the edge of the range ten links on pins stay together within 3 cm while they swing."""
    scene = yard(sleeping=False)
    links = [scene.put(EDGE, EDGE, Body(type="static"), Collider(shape="circle", radius=0.1))]
    for k in range(10):
        link = scene.box(EDGE + k + 0.5, EDGE, 1, 0.2)
        scene.world.spawn(RevoluteJoint(a=links[-1], b=link, anchor_a=(0.5 if k else 0, 0), anchor_b=(-0.5, 0)))
        links.append(link)
    for _ in range(120):
        scene.run()
        places, turns = np.array([scene.place(e) for e in links]), np.array([scene.angle(e) for e in links])
        arms = np.column_stack([np.cos(turns), np.sin(turns)]) / 2
        arms[0] = 0
        apart = (places + arms)[:-1] - (places - arms)[1:]
        assert np.hypot(*apart.T).max() < 0.03
    assert scene.place(links[-1])[1] < EDGE - 5


def test_rays_and_places_are_exact_at_the_edge_of_the_range(yard: Callable[..., Any]):
    """Queries at the edge of the range are exact to a millimeter, the resolution of float32 there."""
    scene = yard()
    boxes = [scene.wall(-EDGE + 3 * k, EDGE, 1, 1) for k in range(4)]
    scene.run()
    starts = np.array([[-EDGE + 3 * k, EDGE + 5] for k in range(4)])
    hits = ray_cast(scene.world, starts, starts - [0, 10])
    assert hits.entity.tolist() == boxes
    np.testing.assert_allclose(hits.point, starts - [0, 4.5], atol=1e-3)
    assert (hits.normal == [0, 1]).all()
    assert ray_cast(scene.world, (-EDGE + 1.5, EDGE + 5), (-EDGE + 1.5, EDGE - 5)) is None
    assert list(overlap_point(scene.world, (-EDGE + 3.4, EDGE + 0.4))) == [boxes[1]]


@pytest.mark.parametrize("far", [8001.0, 1e6, 1e30])
def test_what_is_beyond_the_range_is_set_aside_with_a_message(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture, far: float
):
    """A body beyond the range does not move or have contacts and is logged once; other bodies fall as usual."""
    scene = yard()
    scene.wall(0, -0.5, 20, 1)
    lost, other = scene.box(far, 0), scene.box(0, 3)
    scene.run(60)
    assert scene.place(lost) == pytest.approx([far, 0])
    assert scene.place(other)[1] == pytest.approx(0.5, abs=0.02)
    (record,) = caplog.records
    assert "removed from the simulation" in record.message
    assert "8000" in record.message


def test_who_leaves_the_range_is_set_aside_where_he_left_it(yard: Callable[..., Any], caplog: pytest.LogCaptureFixture):
    """A body that leaves the range is set aside there, and continues as soon as it is placed inside again."""
    scene = yard(gravity=[0, 0])
    ball = scene.ball(7999, 0, body={"velocity": (120, 0)})
    scene.run(10)
    assert "removed from the simulation" in caplog.text
    assert 7999 <= scene.place(ball)[0] <= 8000
    _write(Transform, position=(0, 0))(scene, ball)
    _write(Body, velocity=(6, 0))(scene, ball)
    scene.run(60)
    assert scene.place(ball)[0] == pytest.approx(6, abs=0.2)


@pytest.mark.parametrize("shape", [pytest.param("box", marks=pytest.mark.slow), "circle"])
def test_bodies_in_one_spot_come_apart(yard: Callable[..., Any], shape: str):
    """Hundreds of boxes or circles with the same pose come apart.

    No number becomes NaN, no body is set aside, and after some seconds no two overlap by more than a slop.
    """
    scene = yard(sleeping=False, gravity=[0, 0])
    count = long(1000, 300) if shape == "box" else 200
    scene.world.spawn_many(count, Transform(position=(3, 4)), Body(), Collider(shape=shape, size=(0.5, 0.5)))
    scene.run(120)
    bodies, contacts = scene.world[Bodies], scene.world[Contacts]
    assert np.isfinite(scene.world[Transform].position).all()
    assert np.isfinite(bodies.state).all()
    assert not (bodies.flags & QUARANTINED).any()
    assert len(np.unique(scene.world[Transform].position, axis=0)) == count
    touching = contacts.info[:, 0] > 0
    assert not touching.any() or contacts.manifold[touching, 12].min() > -0.01


ABUSE: dict[str, Callable[[Any, int], None]] = {
    "nan velocity": _write(Body, velocity=(np.nan, 0)),
    "nan place": _write(Transform, position=(np.nan, 0)),
    "infinite turn": _write(Transform, rotation=np.inf),
    "infinite spin": _write(Body, angular_velocity=np.inf),
    "huge velocity": _write(Body, velocity=(3e38, -3e38)),
    "huge spin": _write(Body, angular_velocity=1e30),
    "huge mass": _write(Body, mass=1e30),
    "negative mass": _write(Body, mass=-1),
    "nan mass": _write(Body, mass=np.nan),
    "nan size": _write(Collider, radius=np.nan),
    "no size": _write(Collider, radius=0.0, size=(0, 0)),
    "huge size": _write(Collider, radius=1e30),
    "nan scale": _write(Transform, scale=(np.nan, 1)),
    "no scale": _write(Transform, scale=(0, 0)),
    "huge force": _write(Body, force=(3e38, 3e38)),
    "nan damping": _write(Body, linear_damping=np.nan),
    "far away": _write(Transform, position=(1e6, 1e6)),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", ABUSE)
def test_abuse_of_one_hurts_no_other(yard: Callable[..., Any], what: str):
    """Invalid values in every second body of a heap do not affect the others.

    No NaN reaches them, they come to rest on the ground, and the number of contacts stays below five times the usual
    one.
    """
    scene = yard(sleeping=False)
    scene.wall(0, -0.5, 6000, 1)
    things = [scene.ball(1.2 * (k % 8) - 4 + 0.1 * (k // 8), 0.7 + 1.2 * (k // 8), 0.5) for k in range(24)]
    scene.run(20)
    normal = max(len(scene.world[Contacts]), 8)
    for ball in things[::2]:
        ABUSE[what](scene, ball)
    maximum = 0
    for _ in range(120):
        scene.run()
        maximum = max(maximum, len(scene.world[Contacts]))
    assert maximum < 5 * normal
    for ball in things[1::2]:
        x, y = scene.place(ball)
        assert np.isfinite([x, y]).all()
        assert y > 0.3
    state = scene.world[Bodies].state
    assert np.isfinite(state).all()
    assert np.isfinite(scene.world[Shapes].fat).all()


def test_a_body_that_is_too_fast_is_slowed_down_and_reported(
    yard: Callable[..., Any], caplog: pytest.LogCaptureFixture
):
    """A body that is too fast is slowed down to `max_speed` in the same direction, with one log message."""
    scene = yard(gravity=[0, 0], restitution_threshold=0)
    written, spun = scene.ball(0, 0, body={"velocity": (3e3, 4e3)}), scene.ball(9, 9)
    scene.run()
    assert scene.velocity(written) == pytest.approx([240, 320], rel=1e-4)
    assert "is reduced to the maximum of 400" in caplog.text
    for _ in range(3):
        _write(Body, torque=1e6)(scene, spun)
        scene.run(5)
    (record,) = [record for record in caplog.records if "max_speed" in record.message]
    assert "400" in record.message
