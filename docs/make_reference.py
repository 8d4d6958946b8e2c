"""Makes the pages of docs/reference from the declarations themselves, so that they can't be wrong.

    python docs/make_reference.py            write the pages
    python docs/make_reference.py --check    say which page is out of date, and answer 1 if one is

Components, settings, resources and events come from the registry, hooks from their specifications, the manifest from
its JSON Schema, the command line from the commands' own arguments. A test holds pages and declarations together.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import rish_core
from rish_core import builtin, cli
from rish_core.ecs.columns import column_type
from rish_core.frame import backend as contract
from rish_core.frame import batches
from rish_core.frame.kinds import STANDARD_KINDS, find_kind
from rish_core.manifest.jsonschema import json_schema
from rish_core.manifest.schema import range_of, unit_of
from rish_core.manifest.structure import FORMAT, layer_schema
from rish_core.plugin import hooks
from rish_core.plugin.discovery import Candidate, installed_plugins
from rish_core.plugin.loading import load_plugins
from rish_core.plugin.registry import Registry, build_registry

FOLDER = Path(__file__).parent / "reference"
PLUGINS = {
    "history": "rish_history",
    "particles": "rish_particles",
    "physics": "rish_physics",
    "render": "rish_render",
    "scripts": "rish_scripts",
}
"""The plugins of this repository that declare more than a backend, and their packages."""
NOTE = "<!-- made by docs/make_reference.py from the declarations; not to be edited -->\n<!-- fmt: off -->\n\n"
HEADING = re.compile(r"# (Declare|Moments|Trouble[^:]*): (.*)")
"""How `hooks.py` begins each group of hooks."""


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table without the columns that are empty throughout; `|` within a cell is escaped."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    heads = [(k, name) for k, name in enumerate(head) if any(row[k] for row in cells)]
    lines = ["| " + " | ".join(name for _, name in heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(row[k] or " " for k, _ in heads) + " |" for row in cells]
    return "\n".join(lines) + "\n"


def code(text: object) -> str:
    """A word set as code; nothing for an empty one."""
    return f"`{text}`" if str(text) else ""


def prose(doc: str | None) -> str:
    """A docstring as running text: one paragraph a block, code where there is code."""
    return inspect.cleandoc(doc or "").replace("::\n", ":\n")


def first_sentence(doc: str | None) -> str:
    """The first sentence of a docstring, on one line."""
    text = " ".join(inspect.cleandoc(doc or "").partition("\n\n")[0].split())
    return re.split(r"(?<=[.;]) (?=[A-Z])", text)[0].rstrip(":;")


def registry() -> Registry:
    """What the kernel and the plugins of this repository declare."""
    here: list[Candidate] = [found for found in installed_plugins() if found.name in PLUGINS]
    return build_registry(load_plugins([*PLUGINS], core=builtin, installed=here, policy="raise"))


# Components, settings, resources, events


def fields_table(fields: Mapping[str, Any]) -> str:
    """The fields that an author sets: type, default, range, meaning."""
    rows = [
        (code(name), type_text(spec), code(shown(spec)), limits(spec), spec.doc)
        for name, spec in fields.items()
        if not spec.hidden
    ]
    return table(("field", "type", "default", "range, unit", "meaning"), rows) if rows else ""


def type_text(spec: Any) -> str:
    """The type, with the words that an enum or a choice takes."""
    words = [member.name.lower() for member in spec.type.enum] if spec.type.enum is not None else spec.choices
    return ", ".join(code(word) for word in words) if words else spec.type.name


def shown(spec: Any) -> str:
    """The default as a manifest would write it."""
    value = spec.default
    if isinstance(value, Enum):
        return value.name.lower()
    if spec.type.special == "entity":
        return "none"
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(f"{number:g}" for number in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value) or '""'


def limits(spec: Any) -> str:
    """Range and unit: `0 to 1`, `from 0, units`."""
    low, high = range_of(spec)
    span = f"{low:g} to {high:g}" if low is not None and high is not None else ""
    span = span or (f"from {low:g}" if low is not None else f"up to {high:g}" if high is not None else "")
    marks = [mark for mark in ("transient", "view") if getattr(spec, mark)]
    return ", ".join(part for part in (span, unit_of(spec), *marks) if part)


def declared(title: str, things: Iterable[Any], known: Registry, what: str) -> str:
    """A chapter on declared classes: a heading, the docstring and the fields of each."""
    parts = [f"## {title}\n"]
    for thing in things:
        owner = known.owner(what, thing.key if what != "settings" else thing.owner)
        head = f"`settings: {owner}:`" if what == "settings" else thing.name
        parts.append(f"### {head}\n")
        doc = prose(thing.cls.__doc__)
        parts.append(("" if doc.startswith(f"{thing.cls.__name__}(") else doc) + "\n")
        parts.append(fields_table(thing.fields))
        if what == "settings":
            parts.append(annotated_table(thing))
    return "\n".join(parts)


def annotated_table(thing: Any) -> str:
    """The settings that are no columns but have a type of Python; their meaning stands in the docstring."""
    others = [spec for spec in dataclasses.fields(thing.cls) if spec.name not in thing.fields]
    return table(("field", "type"), ((code(spec.name), code(spec.type)) for spec in others)) if others else ""


def components_page(known: Registry) -> str:
    """What entities may carry, plugin by plugin."""
    intro = (
        "# Components\n\nWhat an entity may carry. The fields are written in manifests as they stand here; angles "
        "are degrees there and\nradians in code. *view* fields are for the eye and never hashed, *transient* ones are "
        "reset after each tick.\n"
    )
    parts = [intro]
    for plugin in known.plugins:
        kinds = [kind for kind in known.components.values() if kind.owner == plugin]
        kinds = [kind for kind in kinds if any(not spec.hidden for spec in kind.fields.values()) or not kind.fields]
        if kinds:
            parts.append(declared(f"of `{plugin}`", kinds, known, "component"))
    return "\n".join(parts)


def resources_page(known: Registry) -> str:
    """Settings, resources, tables and events."""
    parts = [
        "# Settings, resources, tables, events\n\nWhat a World holds beside its entities. `world[Clock]` is the one "
        "clock of a world; a table has rows that are no entities.\n"
    ]
    parts.append(declared("Settings", known.settings.values(), known, "settings"))
    parts.append(declared("Resources", known.resources.values(), known, "resource"))
    parts.append(declared("Tables", known.tables.values(), known, "resource"))
    events = declared("Events", known.events.values(), known, "event")
    if not known.events:
        events += (
            "\nNeither the kernel nor `render` declares one. Games do: see `games/breakout/components.py`, and\n"
            "`rish_events` in [hooks](hooks.md).\n"
        )
    return "\n".join([*parts, events])


# Hooks


def hook_groups() -> dict[str, list[Callable[..., Any]]]:
    """The hook specifications by the headings of `hooks.py`, in its order."""
    groups: dict[str, list[Callable[..., Any]]] = {}
    for line in inspect.getsource(hooks).splitlines():
        if heading := HEADING.fullmatch(line):
            members = groups[f"{heading[1]}\n\n{heading[2][:1].upper()}{heading[2][1:]}"] = []
        elif line.startswith(f"def {hooks.PREFIX}"):
            members.append(getattr(hooks, line.removeprefix("def ").partition("(")[0]))
    return groups


def plugin_hooks() -> dict[str, list[Callable[..., Any]]]:
    """The hooks that plugins of this repository add for others, by headings."""
    found: dict[str, list[Callable[..., Any]]] = {}
    for name, package in PLUGINS.items():
        hookspecs = getattr(importlib.import_module(f"{package}.plugin"), "rish_hookspecs", None)
        if hookspecs is None:
            continue
        specs = hookspecs()
        members = [fn for key, fn in vars(specs).items() if key.startswith(hooks.PREFIX)]
        found[
            f"Of `{name}`\n\nFor plugins that go with it; mark them `@hookimpl(optional=True)` to load without it too."
        ] = members
    return found


def hooks_page() -> str:
    """Every hook with its specification."""
    groups = hook_groups() | plugin_hooks()
    parts = ["# Hooks\n", prose(hooks.__doc__).partition("\n")[2].strip() + "\n"]
    for title, members in groups.items():
        parts.append(f"## {title}\n")
        parts.append(table(("hook", "what"), ((hook_link(fn), first_sentence(fn.__doc__)) for fn in members)))
    parts += [hook_text(fn) for members in groups.values() for fn in members]
    return as_fences("\n".join(parts))


def hook_link(fn: Callable[..., Any]) -> str:
    """The hook's call as a link to its chapter."""
    arguments = ", ".join(inspect.signature(fn).parameters)
    return f"[`{fn.__name__}({arguments})`](#{fn.__name__})"


def hook_text(fn: Callable[..., Any]) -> str:
    """A hook's chapter: its specification, the labels in bold."""
    text = prose(fn.__doc__)
    text = re.sub(r"^(When|How often|Arguments|Returns|Failures): ", r"- **\1:** ", text, flags=re.M)
    text = re.sub(r"^Example:$", r"\nExample:", text, flags=re.M)
    return f"### {fn.__name__}\n\n{text}\n"


def as_fences(text: str) -> str:
    """Indented examples as fenced code."""
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
    """A fenced block, and a blank line after it."""
    while block and not block[-1]:
        block.pop()
    return ["```python", *block, "```", ""] if block else []


# The manifest


def manifest_page(known: Registry) -> str:
    """The sections of a manifest, from its JSON Schema."""
    schema = json_schema(known)
    sections = schema["properties"]
    parts = [
        f"# The manifest\n\n`game.yaml`, format {FORMAT}. `rish schema` writes all of this as a JSON Schema for text "
        "editors; `rish check` reports every\nmistake with its place.\n",
        "## Sections\n",
        table(("section", "what"), ((code(name), part.get("description", "")) for name, part in sections.items())),
        "## `game`\n",
        properties_table(sections["game"]["properties"]),
        "## `layers`\n\nA list from the lowest to the highest: a name, or a name with options: "
        "`- hud: {space: screen, lit: false}`.\n",
        table(("option", "what"), layer_rows()),
        "## Entries of `scenes`, `prefabs` and `children`\n\nCapWords are [components](components.md); these are the "
        "entry's own:\n",
        properties_table(lower_case(schema["$defs"]["entry"]["properties"])),
        "## `at`\n\n" + schema["$defs"]["at"]["description"] + "\n",
        table(("form", "what"), AT_FORMS),
        "## Values\n",
        table(("value", "written"), VALUES),
    ]
    return "\n".join(parts)


AT_FORMS = (
    ("`at: [100, 40]`", "One place for every copy."),
    ("`at: [[0, 0], [10, 0], [20, 0]]`", "A place for each copy."),
    ("`at: {grid: [20, 10], step: [40, 40], origin: [0, 0]}`", "Row by row, x first."),
    ("`at: {random: [0, 0, 960, 540]}`", "Anywhere in the rectangle x0, y0, x1, y1."),
)
VALUES = (
    ("colour", '`"#rrggbb"`, `"#rrggbbaa"`, a name like `orange`, or `[r, g, b]`, `[r, g, b, a]` from 0 to 1'),
    ("angle", "degrees, counter-clockwise"),
    ("entity", "the name of another entity of the scene"),
    ("asset", "a path inside the game's folder, or `package:path` for data of an installed package"),
    ("one value a copy", "`{each: [a, b, c]}` in turn, `{random: [low, high]}` drawn for each"),
    ("an inherited component that is not wanted", "`Component: null`"),
)


def lower_case(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The entry's own keys, without components."""
    return {name: part for name, part in properties.items() if name.islower() and "." not in name}


def properties_table(properties: Mapping[str, Any]) -> str:
    """Keys of a mapping with their sentences."""
    rows = ((code(name), part.get("description", "See [`at`](#at).")) for name, part in properties.items())
    return table(("key", "what"), rows)


def layer_rows() -> list[tuple[str, str]]:
    """Options of a layer."""
    from rish_core.manifest.jsonschema import _generate  # pyright: ignore[reportPrivateUsage]

    found = _generate(layer_schema())["properties"]
    return [(code(name), part.get("description", "")) for name, part in found.items()]


# The command line


def command_page() -> str:
    """Every command with its arguments."""
    parts = [
        "# The command line\n\nExit codes: 0 fine, 2 a mistake of the user, 1 a fault of Rish. `python -m rish_core` "
        "is the same as `rish`.\n",
        table(("command", "what"), ((f"[`rish {n}`](#rish-{n})", text) for n, text in cli.COMMANDS.items())),
    ]
    for name, text in cli.COMMANDS.items():
        parser = argparse.ArgumentParser(prog=f"rish {name}", add_help=False)
        importlib.import_module(f"rish_core.commands.{name}").add_arguments(parser)
        parts.append(f"## rish {name}\n\n{text[:1].upper()}{text[1:]}.\n")
        rows = [(argument_text(action), action.help or "") for action in parser._actions]  # pyright: ignore[reportPrivateUsage]
        parts.append(table(("argument", "what"), rows) if rows else "It takes no arguments.\n")
    parts.append(
        "## Environment\n\n"
        + table(
            ("variable", "what"),
            (
                ("`RISH_BACKEND`", "the backend to draw with, where `--backend` and `--headless` are not given"),
                ("`RISH_NO_JIT=1`", "run every kernel as plain Python: slow, the same bits"),
                ("`RISH_THREADS`", "how many threads draw in `software`, where the settings say nothing"),
                ("`RISH_CACHE_DIR`", "a folder for compiled kernels, instead of the package's own or the user's cache"),
                ("`RISH_SAVE_PICTURES=1`", "tests write their reference pictures anew"),
            ),
        )
    )
    return "\n".join(parts)


def argument_text(action: argparse.Action) -> str:
    """An argument as it is typed."""
    value = action.metavar or (action.dest.upper() if action.nargs != 0 else "")
    if action.choices:
        value = ",".join(str(choice) for choice in action.choices)
    if not action.option_strings:
        return code(value + (" ..." if action.nargs == "+" else ""))
    return ", ".join(code(f"{option} {value}".strip()) for option in action.option_strings)


# Drawing


def drawing_page() -> str:
    """The contract of a backend, and the kinds of batches."""
    verbs = (
        (code(f"{name}({', '.join(parameters)})"), " ".join(prose(getattr(contract.Backend, name).__doc__).split()))
        for name, parameters in contract.VERBS.items()
    )
    parts = [
        "# Drawing\n\nWhat a backend must do, and what it is given. How to write one: "
        "[write a backend](../how-to/write-a-backend.md).\n",
        "## Verbs\n",
        table(("verb", "what"), verbs),
        "## Capabilities\n",
        table(("name", "what"), ((code(k), v) for k, v in contract.CAPABILITIES.items())),
        "## Options of `configure`\n",
        table(("name", "what"), ((code(k), v) for k, v in contract.OPTIONS.items())),
        "## Blend modes\n",
        as_fences("With " + prose(batches.__doc__).partition("Blend modes, with ")[2]).replace("```python", "```"),
        "## Kinds of batches\n",
    ]
    for name in sorted(STANDARD_KINDS):
        kind = find_kind(name)
        assert kind is not None
        parts.append(f"### {name}\n\n{kind.doc}\n")
        rows = (
            (code(key), str(spec), spec.doc + (" (may be left out)" if spec.optional else ""))
            for key, spec in kind.arrays.items()
        )
        parts.append(table(("array", "form", "what"), rows))
    return "\n".join(parts)


# Names


def names_page() -> str:
    """Every public name of rish_core with its first sentence."""
    rows: dict[str, list[tuple[str, str]]] = {}
    for name in rish_core.__all__:
        thing = getattr(rish_core, name)
        module = rish_core._MODULE_OF.get(name, "")  # pyright: ignore[reportPrivateUsage]
        wing = (module.partition(".")[0] or "modules") if "." in module or not module else "the rest"
        text = first_sentence(thing.__doc__)
        column = None if isinstance(thing, type) else column_type(thing)
        if column is not None:
            text = f"column type: {column.dtype.name}" + (f" x {column.width}" if column.width > 1 else "")
        elif isinstance(thing, (str, tuple)):
            text = code(shown_constant(thing))
        rows.setdefault(wing, []).append((code(name), text))
    parts = ["# Public names\n\n`from rish_core import ...`; the docstring of each says more.\n"]
    for wing, members in sorted(rows.items()):
        parts += [f"## {wing}\n", table(("name", "what"), members)]
    for package in PLUGINS.values():
        module = importlib.import_module(package)
        found = ((code(name), first_sentence(getattr(module, name).__doc__)) for name in module.__all__)
        parts += [f"## of `{package}`\n\n`from {package} import ...`\n", table(("name", "what"), found)]
    return "\n".join(parts)


def shown_constant(value: Any) -> str:
    """A constant of few words."""
    return ", ".join(item.name for item in value) if isinstance(value, tuple) else str(value)


PAGES: dict[str, str] = {
    "components.md": "what entities may carry",
    "resources.md": "settings, resources, tables, events",
    "hooks.md": "everything that a plugin can say, and be told",
    "manifest.md": "the sections of `game.yaml`",
    "command-line.md": "every command and its arguments",
    "drawing.md": "the verbs of a backend, the kinds of batches",
    "names.md": "the public names of `rish_core` and of its plugins",
}


def pages() -> dict[str, str]:
    """All pages by file name."""
    known = registry()
    made = {
        "components.md": components_page(known),
        "resources.md": resources_page(known),
        "hooks.md": hooks_page(),
        "manifest.md": manifest_page(known),
        "command-line.md": command_page(),
        "drawing.md": drawing_page(),
        "names.md": names_page(),
    }
    index = "# Reference\n\nMade from the declarations by `python docs/make_reference.py`.\n\n"
    made["README.md"] = index + "".join(f"- [{name.removesuffix('.md')}]({name}): {PAGES[name]}\n" for name in made)
    return {name: NOTE + text.rstrip("\n") + "\n" for name, text in made.items()}


def main(arguments: list[str]) -> int:
    """Write the pages, or with --check name those that differ."""
    FOLDER.mkdir(exist_ok=True)
    stale = []
    for name, text in pages().items():
        path = FOLDER / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(text, encoding="utf-8")
    print(("out of date: " if "--check" in arguments else "written: ") + (", ".join(stale) or "none"))
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
