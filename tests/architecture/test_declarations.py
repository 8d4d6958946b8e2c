"""What the kernel declares fits together; the declarations of plugins are checked by the conformance kit."""

from __future__ import annotations

from rish_core import builtin, kind_of


def test_fields_name_lists_that_exist() -> None:
    """Each list of names that a field of the kernel refers to is declared by it, so a tool can offer its names."""
    for cls in builtin.rish_components():
        for field, spec in kind_of(cls).fields.items():
            assert not spec.names or spec.names in builtin.rish_names(), f"{cls.__name__}.{field}"
            assert not spec.names or spec.type.text or spec.type.special, f"{cls.__name__}.{field} holds no text"
