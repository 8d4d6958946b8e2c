"""The page of docs/reference with the methods of the classes that systems work with."""

from __future__ import annotations

import inspect
import re
from typing import Any

from reference_text import code, prose, table

from rish_core import Columns, EntityView, Input, Query, Stream, Table, World
from rish_ecs import RowChanges
from rish_ecs.storage import EventBatch
from rish_frame import Compute, DeviceArray, Frame, Pass, Recorder, Target

CLASSES: dict[type, str] = {
    World: "Systems get it as `world`. It holds all state.",
    Query: "From `world.query(...)`.",
    Table: "From `world[Component]` or `world.table(Component)`: the columns of a component, a row an entity. It has "
    "all methods of `Columns` as well.",
    Columns: "From `world[Table]` of a class marked `@table`: rows that are no entities.",
    RowChanges: "From `table.changes(version)`, and from `changes[Component]` in the `patch` of a derived value.",
    EntityView: "From `world.entity(handle)`.",
    EventBatch: "From `world.events(Event)`.",
    Stream: "From `world.random(name)`.",
    Input: "The resource `world[Input]`.",
    Frame: "The resource `world[Frame]`: what is drawn.",
    Pass: "A step of drawing, in a `Frame`.",
    Target: "What a pass draws on.",
    Recorder: "From `world[Frame].record(name)`.",
    Compute: "Work on arrays, declared by `rish_compute`.",
    DeviceArray: "An array for such work; a plugin keeps it in a derived resource.",
}
KERNELS = {
    World: "redeclare renew forget not_yet signature flush pending_operations check_stage has_deferred "
    "run_deferred emit_rows locate hold drop derived_value",
    Query: "refresh",
    Table: "take_rows insert_row insert_rows remove_row remove_rows reset_rows",
    Columns: "take_kind pool_of encode encode_all put_rows put_all defaults compact_pools reset_transient drop_spans "
    "start_versions",
    Frame: "rebuild declare run_fallbacks",
    Recorder: "begin retain take_off",
    Compute: "dispatch",
    DeviceArray: "changed",
    Stream: "key",
    Input: "rebuild",
}
"""Methods that only the kernel calls. Plugins do not need them."""
OPERATORS = {
    "__getitem__": "{0}[...]", "__setitem__": "{0}[...] = ...", "__len__": "len({0})", "__iter__": "for ... in {0}",
    "__contains__": "... in {0}",
}  # fmt: skip


def methods_page() -> str:
    """Return the page of the classes with their public methods and properties."""
    parts = [
        "# Methods\n\nOf the classes that systems work with. Fields of resources and components stand under [resources]"
        "(resources.md) and\n[components](components.md).\n"
    ]
    for cls, origin in CLASSES.items():
        parts.append(f"## {cls.__name__}\n\n{origin}\n\n{prose(cls.__doc__)}\n")
        rows = [row for name, member in _members(cls).items() if (row := _row(cls, name, member)) is not None]
        parts += [table(("call", "what"), rows)] if rows else []
    return "\n".join(parts)


def _members(cls: type) -> dict[str, Any]:
    """Return the members of a class, including those from bases that have no section of their own."""
    elsewhere = {object} | {base for other in cls.__mro__[1:] if other in CLASSES for base in other.__mro__}
    return {name: member for base in cls.__mro__ if base not in elsewhere for name, member in vars(base).items()}


def _row(cls: type, name: str, member: Any) -> tuple[str, str] | None:
    """Return a member's call and docstring; None if it is not public or has no docstring."""
    doc = inspect.getdoc(member) or ""
    inner = name.startswith("_") and name not in OPERATORS
    if inner or name in KERNELS.get(cls, "").split() or not (callable(member) or isinstance(member, property)):
        return None
    own = cls.__name__.lower()
    if name in OPERATORS:
        return (code(OPERATORS[name].format(own)), _text(doc)) if member.__doc__ else None
    if isinstance(member, property):
        return code(f".{name}"), _text(doc)
    return code(f".{name}({_arguments(member)})"), _text(doc)


def _arguments(method: Any) -> str:
    """Return the arguments without types, with their defaults."""
    found: list[str] = []
    for argument in list(inspect.signature(method).parameters.values())[1:]:
        star = {argument.VAR_POSITIONAL: "*", argument.VAR_KEYWORD: "**"}.get(argument.kind, "")
        if argument.kind is argument.KEYWORD_ONLY and not any(text.startswith("*") for text in found):
            found.append("*")
        default = "" if argument.default is argument.empty else f"={argument.default!r}"
        found.append(f"{star}{argument.name}{default}")
    return ", ".join(found)


def _text(doc: str) -> str:
    """Return a docstring as one line, without its examples."""
    paragraphs = [part for part in doc.split("\n\n") if not part.startswith("    ")]
    return re.sub(r"\s+", " ", " ".join(paragraphs)).strip()
