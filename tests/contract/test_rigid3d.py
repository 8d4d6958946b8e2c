"""Both providers of `rigid3d` pass the same contract."""

from __future__ import annotations

import logging

import pytest

from rish_core import App, named, parse_manifest
from rish_physics3d import plugin as physics3d
from rish_physics3d.testing import ContractYard, Rigid3DContract
from rish_space3d import Transform3D
from rish_teach.teach3d import plugin as teach3d


class TestPhysics3D(Rigid3DContract):
    """The provider with kernels, which has all capabilities but the choice of a method."""

    plugin = physics3d


class TestTeach3D(Rigid3DContract):
    """The provider in plain Python, which has few."""

    plugin = teach3d


MANIFEST = """
rish: 1
plugins: [space3d, rigid3d={provider}]
settings: {{physics3d: {{gravity: [0, -10, 0]}}}}
prefabs:
  crate: {{Transform3D: {{}}, Body3D: {{}}, Collider3D: {{density: 200}}}}
scenes:
  main:
    - {{Transform3D: {{}}, Collider3D: {{shape: plane}}}}
    - {{prefab: crate, name: crate, Transform3D: {{position: [0, 1, 0], rotation: [0, 30, 0]}}}}
"""


def test_one_line_of_the_manifest_changes_the_provider() -> None:
    """With both providers the same manifest has the same components, and its crate rests in the same place."""
    columns, places = [], []
    for provider in ("physics3d", "teach3d"):
        app = App(parse_manifest(MANIFEST.format(provider=provider)), headless=True, policy="raise")
        assert provider in app.plugins.names
        columns.append({cls.__name__ for cls, table in app.world.tables.items() if len(table)})
        for _ in range(60):
            app.tick()
        places.append(tuple(app.world.get(named(app.world, "crate"), Transform3D).position))
        app.close()
    assert columns[0] == columns[1]
    assert places[0] == pytest.approx(places[1], abs=0.01)


def test_what_a_provider_lacks_is_named(caplog: pytest.LogCaptureFixture) -> None:
    """A capsule with teach3d, and another method with physics3d, are each logged once, with the entity or setting."""
    scene = "[{name: pill, Transform3D: {}, Body3D: {}, Collider3D: {shape: capsule}}]"
    for plugin, words in ((teach3d, "'pill'"), (physics3d, "settings.physics3d.method")):
        with caplog.at_level(logging.WARNING), ContractYard(plugin, scene, method="naive") as yard:
            yard.run(0.05)
        messages = [record.getMessage() for record in caplog.records if words in record.getMessage()]
        assert len(messages) == 1
        assert "capability" in messages[0]
