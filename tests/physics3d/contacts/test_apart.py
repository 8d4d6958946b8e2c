"""Boxes that are apart are found eight at a time, with the numbers of the test of two boxes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_physics3d.components.tables import Contacts3D
from rish_physics3d.contacts import narrow
from rish_space3d import Transform3D


def _play(yard: Callable[..., Any]) -> list[bytes]:
    rng = np.random.default_rng(3)
    game = yard(gravity=-10)
    game.ground()
    for _ in range(60):
        place = rng.uniform((-2, 0.5, -2), (2, 5, 2))
        game.box(*place, rng.uniform(0.2, 1.5, 3).tolist(), rotation=rng.normal(size=4).tolist())
    for _ in range(5):
        game.ball(*rng.uniform((-2, 1, -2), (2, 5, 2)), 0.4)
    game.run(20)
    poses, contacts = game.world.table(Transform3D), game.world[Contacts3D]
    return [column.tobytes() for column in (poses.position, poses.rotation, contacts.manifold, contacts.info)]


def test_boxes_that_are_apart_have_the_numbers_of_their_test(
    yard: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Poses and contacts of falling boxes are the same bits if each pair is tested alone."""
    fast = _play(yard)
    left = list[int]()

    def test_alone(others: Any, count: int, *_: Any) -> int:
        left.append(count)
        return count

    monkeypatch.setattr(narrow, "set_apart", test_alone)
    assert _play(yard) == fast
    assert sum(left) > 1000
