"""Both providers of `physics2d` pass the same contract."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rish_authoring import save_plan
from rish_core import Transform, UsageError, named, open_game
from rish_physics import Body, ray_cast
from rish_physics import plugin as physics
from rish_physics.testing import ContractYard, Physics2DContract
from rish_teach import plugin as teach


class TestPhysics(Physics2DContract):
    """The provider with kernels, which has all capabilities."""

    plugin = physics


class TestTeach(Physics2DContract):
    """The provider in plain Python, which has few."""

    plugin = teach


MANIFEST = """
rish: 1
game: {title: Swap}
plugins: [physics]
settings: {physics: {units_per_meter: 1, gravity: [0, -10]}}
prefabs:
  crate: {Transform: {}, Body: {}, Collider: {size: [1, 1]}}
scenes:
  main:
    - {at: [0, -1], Transform: {}, Collider: {size: [40, 2]}}
    - {name: wedge, at: [5, 0], Transform: {}, Collider: {shape: polygon, points: [[-2, 0], [2, 0], [2, 2]]}}
    - {prefab: crate, count: 2, at: {grid: [1, 2], step: [1, 1.1], origin: [-3, 0.6]}}
    - {name: ball, at: [1, 0.5], Transform: {}, Body: {}, Collider: {shape: circle, radius: 0.5, friction: 0}}
"""


@pytest.mark.slow
def test_a_game_can_be_swapped_from_one_provider_to_the_other(tmp_path: Path) -> None:
    """The same manifest has the same components and the same saved text with both, and bodies rest in equal places."""
    texts, columns, places = [], [], []
    for provider in ("physics", "teach"):
        folder = tmp_path / provider
        folder.mkdir()
        (folder / "game.yaml").write_text(MANIFEST, encoding="utf-8")
        with open_game(folder, headless=True, warm_up=False, more=[f"physics2d={provider}"]) as app:
            assert app.plugins.names == ("core", provider)
            columns.append({cls.__name__: len(table) for cls, table in app.world.tables.items() if len(table)})
            app.world.set(named(app.world, "ball"), Body(velocity=(-1, 0)))
            save_plan(app).apply()
            app.run(75)
            table = app.world.table(Transform)
            places.append(table.position[:].tolist())
        texts.append((folder / "game.yaml").read_text(encoding="utf-8"))
    assert texts[0] == texts[1] != MANIFEST
    assert columns[0] == columns[1]
    assert np.array(places[0]) == pytest.approx(np.array(places[1]), abs=0.03)


def test_the_queries_of_another_provider_are_refused_with_the_way_out() -> None:
    """`ray_cast` without the capability `queries` raises an error that names the capability and the choice."""
    with ContractYard(teach) as yard, pytest.raises(UsageError, match=r"'queries'.*physics2d=physics"):
        ray_cast(yard.world, (0, 0), (1, 0))
