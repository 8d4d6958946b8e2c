"""The plugin's declarations and its checks of manifests."""

from __future__ import annotations

import rish_particles
from rish_core import kind_of, parse_manifest
from rish_ecs.declarations import resource_spec
from rish_particles import ParticleSettings, plugin
from rish_particles.plugin.manifest_check import check_particles


def test_every_field_is_described():
    """Each field of each component and event has a description or a unit."""
    for cls in (*plugin.rish_components(), *plugin.rish_events()):
        assert kind_of(cls).doc
        for name, spec in kind_of(cls).fields.items():
            assert spec.doc or spec.unit or spec.hidden, f"{cls.__name__}.{name}"


def test_every_setting_has_a_sentence_and_a_range():
    """Each setting has a description and a range."""
    spec = resource_spec(ParticleSettings)
    assert spec is not None
    assert all(field.doc and field.low is not None and field.high is not None for field in spec.fields.values())


def test_public_names_are_there():
    """Each name in `__all__` exists."""
    for name in rish_particles.__all__:
        assert getattr(rish_particles, name) is not None


def said(text: str) -> list[str]:
    """Return the problems of a manifest."""
    manifest = parse_manifest(f"rish: 1\nplugins: [particles]\n{text}")
    check_particles(manifest)
    return [str(problem) for problem in manifest.problems]


def test_presets_that_are_none_are_told_with_their_place():
    """An unknown preset in scenes and prefabs is reported with its line and the nearest name."""
    found = said("scenes:\n  main:\n    - {Transform: {}, Emitter: {preset: fier}}\n")
    assert "no preset is called 'fier' (did you mean 'fire'?)" in found[0]
    assert ":5:" in found[0]
    assert not said("scenes: {main: [{Transform: {}, Emitter: {preset: effects/mine.particles.yaml}}]}\n")
    assert "must end in .particles.yaml" in said("prefabs: {a: {Emitter: {preset: a/b.txt}}}\n")[0]


def test_reactions_that_are_none_are_told_with_their_place():
    """Wrong keys, missing presets and wrong types of reactions are reported."""
    found = said("settings: {particles: {on: {Hit: {prest: fire, at: point}, Bang: 3}}}\n")
    assert any("a reaction has no key 'prest' (did you mean 'preset'?)" in line for line in found)
    assert any("needs `preset`" in line for line in found)
    assert any("must be a mapping such as {preset: sparks, at: point}, not the number 3" in line for line in found)
