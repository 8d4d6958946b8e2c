"""Declarations: column types, components, events, tables, resources, systems; and the text forms of values."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .columns import Column, ColumnType, column_type, distinct, median, members_of, with_room
    from .component import FieldSpec, Kind, current, declare
    from .conditions import NamedCondition, bare_test, call_text, condition_text
    from .renames import notice_former
    from .resource import ResourceSpec, feed_plain, fields_of, resource_spec
    from .scalars import degrees_of, quaternion_of, resolve, shorten, show, usual, written
    from .system import Condition, SystemSpec, system_spec

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "columns": "Column ColumnType column_type distinct median members_of with_room",
        "component": "FieldSpec Kind current declare",
        "conditions": "NamedCondition bare_test call_text condition_text",
        "renames": "notice_former",
        "resource": "ResourceSpec feed_plain fields_of resource_spec",
        "scalars": "degrees_of quaternion_of resolve shorten show usual written",
        "system": "Condition SystemSpec system_spec",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
