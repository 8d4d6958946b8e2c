"""The building blocks of the pages of docs/reference: tables, code, sentences of docstrings, tables of fields."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from rish_core.manifest import range_of, unit_of


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table without the columns that are empty in every row; `|` within a cell is escaped."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    heads = [(k, name) for k, name in enumerate(head) if any(row[k] for row in cells)]
    lines = ["| " + " | ".join(name for _, name in heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(row[k] or " " for k, _ in heads) + " |" for row in cells]
    return "\n".join(lines) + "\n"


def code(text: object) -> str:
    """Return a text marked as code; an empty one stays empty."""
    return f"`{text}`" if str(text) else ""


def prose(doc: str | None) -> str:
    """Return a docstring as Markdown: dedented, with `::` reduced to `:`."""
    return inspect.cleandoc(doc or "").replace("::\n", ":\n")


def first_sentence(doc: str | None) -> str:
    """Return the first sentence of a docstring, on one line."""
    text = " ".join(inspect.cleandoc(doc or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.;]) (?=[A-Z])", text)[0].rstrip(":;")


def fields_table(fields: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """Return the table of the fields that an author sets: type, default, range, meaning.

    texts: what the class's docstring says about fields that say nothing themselves.
    """
    rows = [
        (code(name), type_text(spec), code(shown(spec)), limits(spec), spec.doc or texts.get(name, ""))
        for name, spec in fields.items()
        if not spec.hidden
    ]
    return table(("field", "type", "default", "range, unit", "meaning"), rows) if rows else ""


def type_text(spec: Any) -> str:
    """Return the type, or the allowed words of an enum or a choice."""
    words = [member.name.lower() for member in spec.type.enum] if spec.type.enum is not None else spec.choices
    return ", ".join(code(word) for word in words) if words else spec.type.name


def shown(spec: Any) -> str:
    """Return the default as it is written in a manifest."""
    value = spec.default
    if isinstance(value, Enum):
        return value.name.lower()
    if spec.type.special == "entity":
        return "none"
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(each if isinstance(each, str) else f"{each:g}" for each in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value) or '""'


def limits(spec: Any) -> str:
    """Return range and unit: `0 to 1`, `from 0, units`."""
    low, high = range_of(spec)
    span = f"{low:g} to {high:g}" if low is not None and high is not None else ""
    span = span or (f"from {low:g}" if low is not None else f"up to {high:g}" if high is not None else "")
    marks = [mark for mark in ("transient", "view") if getattr(spec, mark)]
    return ", ".join(part for part in (span, unit_of(spec), *marks) if part)


def as_fences(text: str) -> str:
    """Return a text with its indented examples as fenced code."""
    lines, made, block = text.split("\n"), [], []
    bullet = False
    for line in [*lines, ""]:
        indented = line.startswith("    ")
        if block and (indented or (not line and block)):
            block.append(line[4:])
            continue
        if block:
            made += close_block(block)
            block = []
        if indented and not bullet:
            block = [line[4:]]
            continue
        bullet = line.startswith("- ") or (bullet and (indented or line.startswith("  ")))
        made.append(line[2:] if indented and bullet else line)
    made += close_block(block)
    return "\n".join(made).rstrip("\n") + "\n"


def close_block(block: list[str]) -> list[str]:
    """Return a fenced block and a blank line after it; an empty list for an empty block."""
    while block and not block[-1]:
        block.pop()
    return ["```python", *block, "```", ""] if block else []
