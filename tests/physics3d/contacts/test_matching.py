"""Contacts that stay keep their manifolds when others come and go."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rish_core import App, parse_manifest
from rish_physics3d.components.tables import Contacts3D
from rish_physics3d.contacts.matching import match

SHAPES = 6
KEYS = st.sets(st.tuples(st.integers(0, SHAPES - 2), st.integers(1, SHAPES - 1), st.integers(0, 2)), max_size=24)


def _sorted(keys: Any) -> Any:
    return np.array(sorted(k for k in keys if k[0] < k[1]), np.int32).reshape(-1, 3)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(KEYS, st.integers(0, 3)), min_size=2, max_size=5))
def test_rows_follow_their_pairs(steps: list[tuple[set[tuple[int, int, int]], int]]) -> None:
    """Whatever pairs come and go, each one that stays keeps its row, new ones are empty, and the touching ones that are
    gone are returned; also when the shapes have other numbers."""
    manifest = parse_manifest("rish: 1\nplugins: [space3d, physics3d]\nscenes: {main: []}\n")
    app = App(manifest, headless=True, policy="raise")
    contacts: Any = app.world[Contacts3D]
    expected: dict[tuple[int, int, int], int] = {}
    serial = 0
    for keys, dropped in steps:
        entities = np.delete(np.arange(SHAPES), dropped) + 100
        rows = _sorted(keys)
        rows = rows[(rows[:, :2] < len(entities)).all(axis=1)]
        layout: Any = SimpleNamespace(shape_entities=entities)
        near, child = np.ascontiguousarray(rows[:, :2]), np.ascontiguousarray(rows[:, 2])
        ended, bits = match(contacts, layout, near, child)
        names = [(int(entities[a]), int(entities[b]), int(c)) for a, b, c in rows]
        gone = [name for name in sorted(expected) if name not in names and expected[name] % 2]
        assert [tuple(pair) for pair in ended.tolist()] == [name[:2] for name in gone]
        assert bits.tolist() == [1] * len(gone)
        assert list(zip(contacts.a.tolist(), contacts.b.tolist(), contacts.child.tolist(), strict=True)) == names
        numbers = [expected.get(name, 0) for name in names]
        assert contacts.manifold.tolist() == [[float(n)] * 56 for n in numbers]
        assert contacts.info.tolist() == [[n, n % 2] for n in numbers]
        expected = {}
        for row, name in enumerate(names):
            serial += 1
            contacts.manifold[row], contacts.info[row] = serial, (serial, serial % 2)
            expected[name] = serial
    app.close()
