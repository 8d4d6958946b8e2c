"""The kernels that write the columns of events, compared with numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_physics.components import tables as t
from rish_physics.contacts import event_kernels as kernels

FLAGS = (0, t.CONTACT_EVENTS, t.SENSOR, t.SENSOR | t.CONTACT_EVENTS, t.HIT_EVENTS, t.PIECE)
MARKS = (0, t.BEGAN | t.TOUCHING, t.ENDED, t.ENDED | t.SILENT, t.TOUCHING, t.BEGAN | t.IS_COLD)


def tables(seed: int, count: int = 200) -> dict[str, Any]:
    """Return random contacts of thirty shapes of twelve bodies, with distinct numbers."""
    random = np.random.default_rng(seed)
    body = random.integers(0, 12, 30).astype(np.int32)
    pair = random.integers(0, 30, (count, 4)).astype(np.int32)
    pair[:, 2:] = body[pair[:, :2]]
    info = np.stack([random.integers(0, 3, count), random.choice(MARKS, count)], 1).astype(np.int32)
    return {
        "pair": pair, "info": info, "body": body, "flags": random.choice(FLAGS, 30).astype(np.int32),
        "entity": random.integers(1, 1 << 40, 30), "body_entity": random.integers(1, 1 << 40, 12),
        "manifold": random.normal(size=(count, 24)).astype(np.float32),
        "pose": random.normal(size=(12, 4)).astype(np.float32),
        "rows": np.sort(random.choice(count, count // 2, replace=False)).astype(np.int32),
    }  # fmt: skip


def test_changes_are_sorted() -> None:
    """Contacts and sensor visits are listed by whether they began or ended, in the order of the rows.

    A begin that is not listed makes its contact silent, and so its end is not listed.
    """
    made = tables(1)
    rows = made["rows"]
    lists = np.zeros(4 * len(rows), np.int32)
    info = made["info"].copy()
    *counts, began, pieces = kernels.sort_changes(rows, made["pair"].ravel(), info.ravel(), made["flags"], lists)
    either = made["flags"][made["pair"][rows, :2]]
    either, marks = either[:, 0] | either[:, 1], made["info"][rows, 1]
    sensor, requested_events = (either & t.SENSOR) != 0, (either & t.CONTACT_EVENTS) != 0
    wanted = [
        rows[~sensor & requested_events & ((marks & t.BEGAN) != 0)],
        rows[~sensor & ((marks & (t.ENDED | t.SILENT)) == t.ENDED)],
        rows[sensor & ((marks & t.BEGAN) != 0)], rows[sensor & ((marks & t.ENDED) != 0)],
    ]  # fmt: skip
    for k, (count, expected) in enumerate(zip(counts, wanted, strict=True)):
        assert len(expected) > 0
        assert lists[k * len(rows) : k * len(rows) + count].tolist() == expected.tolist()
    assert began == np.count_nonzero(marks & t.BEGAN)
    assert pieces == np.count_nonzero(either & t.PIECE) > 0
    quiet = ~sensor & ~requested_events & ((marks & t.BEGAN) != 0)
    assert quiet.any()
    assert ((info[rows[quiet], 1] & t.SILENT) != 0).all()


def test_sides_and_places_are_those_of_the_tables() -> None:
    """Events contain both colliders, both bodies, the middle of the contact points in the world, and the normal."""
    made = tables(2)
    rows = made["rows"]
    count = len(rows)
    sides = [np.zeros(count, np.int64) for _ in range(4)]
    point, normal = np.zeros(2 * count, np.float32), np.zeros(2 * count, np.float32)
    names = ("pair", "info", "manifold", "entity", "body", "body_entity", "pose")
    given = [made[name].ravel() for name in names]
    kernels.write_contacts(rows, *given, *sides, point, normal)
    pair = made["pair"][rows]
    expected = [made["entity"][pair[:, 0]], made["entity"][pair[:, 1]]]
    expected += [made["body_entity"][pair[:, 2]], made["body_entity"][pair[:, 3]]]
    assert all(np.array_equal(found, wanted) for found, wanted in zip(sides, expected, strict=True))
    shown = made["manifold"][rows]
    both = np.float32(0.5) * (shown[:, 8:10] + shown[:, 16:18])
    middle = np.where(made["info"][rows, :1] > 1, both, shown[:, 8:10])
    assert np.array_equal(point.reshape(-1, 2), made["pose"][pair[:, 2], :2] + middle)
    assert np.array_equal(normal.reshape(-1, 2), shown[:, :2])
    again = [np.zeros(count, np.int64) for _ in range(4)]
    kernels.write_contacts(rows, *given, *again, point[:0], normal[:0])
    assert all(np.array_equal(found, wanted) for found, wanted in zip(again, expected, strict=True))


def test_hits_are_the_fast_contacts_that_push() -> None:
    """Contacts of shapes with `hit_events` that are faster than the limit and push are listed in the order of the rows,
    with their greatest speed and the sum of their impulses.
    """
    made, random = tables(3, 2000), np.random.default_rng(4)
    rows, cold = made["rows"], random.normal(size=(2000, 8)).astype(np.float32)
    found, speeds, impulses = np.zeros(len(rows), np.int32), *(np.zeros(len(rows), np.float32) for _ in range(2))
    given = [made[name].ravel() for name in ("pair", "info")]
    least = np.float32(0.3)
    count, pieces = kernels.list_hits(rows, *given, cold.ravel(), made["flags"], least, found, speeds, impulses)
    flags = made["flags"][made["pair"][rows, :2]]
    either, marks = flags[:, 0] | flags[:, 1], made["info"][rows, 1]
    speed, impulse = cold[rows, 3:5].max(axis=1), cold[rows, 1:3].sum(axis=1)
    touches = ((marks & t.TOUCHING) != 0) & ((marks & t.IS_SENSOR) == 0)
    hits = touches & ((either & t.HIT_EVENTS) != 0) & (speed > least) & (impulse > 0)
    assert 0 < hits.sum() < len(rows)
    assert found[:count].tolist() == rows[hits].tolist()
    assert np.array_equal(speeds[:count], speed[hits])
    assert np.array_equal(impulses[:count], impulse[hits])
    assert pieces == np.count_nonzero(either[hits] & t.PIECE) > 0
