"""What the kernel declares is explained. The reference is made of it; plugins are checked by the conformance kit."""

from __future__ import annotations

from rish_core import builtin, kind_of


def test_every_field_is_described() -> None:
    """Each component has a description, and each of its fields has a description or a unit, or is hidden."""
    declared = builtin.rish_components()
    assert len(declared) > 5
    for cls in declared:
        assert kind_of(cls).doc, cls.__name__
        for field, spec in kind_of(cls).fields.items():
            assert spec.doc or spec.unit or spec.hidden, f"{cls.__name__}.{field}"


def test_fields_name_lists_that_exist() -> None:
    """Each list of names that a field refers to is declared, so a tool can offer its names."""
    for cls in builtin.rish_components():
        for field, spec in kind_of(cls).fields.items():
            assert not spec.names or spec.names in builtin.rish_names(), f"{cls.__name__}.{field}"
