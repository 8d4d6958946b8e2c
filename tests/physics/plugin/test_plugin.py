"""The plugin's declarations."""

from __future__ import annotations

import rish_physics
from rish_core import kind_of
from rish_ecs.declarations import resource_spec
from rish_physics import PhysicsSettings, plugin


def test_every_field_is_described():
    """Each component and event has a description, and each of its fields has a description or a unit, or is hidden."""
    for cls in (*plugin.rish_components(), *plugin.rish_events()):
        assert kind_of(cls).doc
        for name, spec in kind_of(cls).fields.items():
            assert spec.doc or spec.unit or spec.hidden, f"{cls.__name__}.{name}"


def test_every_setting_has_a_sentence_and_a_range():
    """Every setting has a description, and every numeric one a range."""
    spec = resource_spec(PhysicsSettings)
    assert spec is not None
    for name, field in spec.fields.items():
        assert field.doc, name
        if field.type.dtype.kind in "fi" and field.type.special == "":
            assert field.low is not None, name
            assert field.high is not None, name


def test_public_names_are_there():
    """Every public name can be imported."""
    for name in rish_physics.__all__:
        assert getattr(rish_physics, name) is not None
