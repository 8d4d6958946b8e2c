"""Makes the pages of docs/reference from the declarations themselves, so that they can't be wrong.

    python docs/make_reference.py            write the pages
    python docs/make_reference.py --check    name the pages that are out of date; exit with 1 if there are any

Components, settings, resources and events are read from the registry, hooks from their specifications, the manifest
from its JSON Schema, the command line from the commands' own arguments. A test compares the pages with the
declarations.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from reference_code import command_page, drawing_page, names_page
from reference_effects import effects_page
from reference_methods import methods_page
from reference_modules import modules_page
from reference_plugins import plugins_page
from reference_signatures import signatures_page
from reference_text import as_fences, code, fields_table, first_sentence, prose, table

from rish_core import Registry, builtin
from rish_core.manifest import FORMAT
from rish_core.plugin import Candidate, build_registry, hooks, installed_plugins, load_plugins
from rish_devtools import field_texts, json_schema

FOLDER = Path(__file__).parent / "reference"
PLUGINS = {
    "frame": "rish_frame",
    "animation": "rish_animation",
    "basics": "rish_basics",
    "history": "rish_history",
    "net": "rish_net",
    "lighting": "rish_lighting",
    "audio": "rish_audio",
    "particles": "rish_particles",
    "physics": "rish_physics",
    "physics3d": "rish_physics3d",
    "render": "rish_render",
    "rules": "rish_rules",
    "scene3d": "rish_scene3d",
    "scripts": "rish_scripts",
    "space3d": "rish_space3d",
    "ui": "rish_ui",
    "editor": "rish_editor",
}
"""The plugins of this repository that declare more than a backend, and their packages."""
TOOLS = ("watchdog",)
"""Plugins of `rish_devtools` that have settings."""
LIBRARIES = (
    "rish_assets", "rish_authoring", "rish_bundle", "rish_devtools", "rish_dynamics", "rish_export", "rish_expressions",
    "rish_gltf", "rish_jit", "rish_packs", "rish_page", "rish_reload", "rish_system", "rish_teach",
)  # fmt: skip
"""The other packages whose public names are listed."""
NOTE = "<!-- made by docs/make_reference.py from the declarations; not to be edited -->\n<!-- fmt: off -->\n\n"
HEADING = re.compile(r"# (Declare|Moments|Errors[^:]*): (.*)")
"""Matches the comment at the start of each group of hooks in `hooks.py`."""


def registry() -> Registry:
    """Return the registry of everything that the kernel and the plugins of this repository declare."""
    here: list[Candidate] = [found for found in installed_plugins() if found.name in (*PLUGINS, *TOOLS)]
    return build_registry(load_plugins([*PLUGINS, *TOOLS], core=builtin, installed=here, policy="raise"))


# Components, settings, resources, events


def declared(title: str, things: Iterable[Any], known: Registry, what: str) -> str:
    """Return a chapter about declared classes: a heading, the docstring and the fields of each."""
    parts = [f"## {title}\n"]
    for thing in things:
        owner = known.owner(what, thing.key if what != "settings" else thing.owner)
        head = f"`settings: {owner}:`" if what == "settings" else thing.name
        parts.append(f"### {head}\n")
        doc = prose(thing.cls.__doc__)
        parts.append(("" if doc.startswith(f"{thing.cls.__name__}(") else doc) + "\n")
        parts.append(fields_table(thing.fields, field_texts(thing.cls)))
        if what == "settings":
            parts.append(annotated_table(thing))
    return "\n".join(parts)


def annotated_table(thing: Any) -> str:
    """Return a table of the settings that have a Python type instead of a column type."""
    others = [spec for spec in dataclasses.fields(thing.cls) if spec.name not in thing.fields]
    texts = field_texts(thing.cls)
    rows = ((code(spec.name), code(spec.type), texts.get(spec.name, "")) for spec in others)
    return table(("field", "type", "meaning"), rows) if others else ""


def components_page(known: Registry) -> str:
    """Return the page of the components, plugin by plugin."""
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
    """Return the page of settings, resources, tables and events."""
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
    """Return the hook specifications by the headings of `hooks.py`, in its order."""
    groups: dict[str, list[Callable[..., Any]]] = {}
    for line in inspect.getsource(hooks).splitlines():
        if heading := HEADING.fullmatch(line):
            members = groups[f"{heading[1]}\n\n{heading[2][:1].upper()}{heading[2][1:]}"] = []
        elif line.startswith(f"def {hooks.PREFIX}"):
            members.append(getattr(hooks, line.removeprefix("def ").partition("(")[0]))
    return groups


def plugin_hooks() -> dict[str, list[Callable[..., Any]]]:
    """Return the hooks that plugins of this repository, and the doctor, add for other plugins, by headings."""
    found: dict[str, list[Callable[..., Any]]] = {}
    modules = {name: importlib.import_module(f"{package}.plugin") for name, package in PLUGINS.items()}
    specified = {name: module.rish_hookspecs() for name, module in modules.items() if hasattr(module, "rish_hookspecs")}
    for name, specs in {**specified, "doctor": importlib.import_module("rish_devtools.hooks")}.items():
        parts = specs if isinstance(specs, list) else [specs]
        members = [fn for part in parts for key, fn in vars(part).items() if key.startswith(hooks.PREFIX)]
        found[
            f"Of `{name}`\n\nFor plugins that go with it; mark them `@hookimpl(optional=True)` to load without it too."
        ] = members
    return found


def hooks_page() -> str:
    """Return the page of all hooks with their specifications."""
    groups = hook_groups() | plugin_hooks()
    parts = ["# Hooks\n", prose(hooks.__doc__).partition("\n")[2].strip() + "\n"]
    for title, members in groups.items():
        parts.append(f"## {title}\n")
        parts.append(table(("hook", "what"), ((hook_link(fn), first_sentence(fn.__doc__)) for fn in members)))
    parts += [hook_text(fn) for members in groups.values() for fn in members]
    return as_fences("\n".join(parts))


def hook_link(fn: Callable[..., Any]) -> str:
    """Return the hook's call as a link to its chapter."""
    arguments = ", ".join(inspect.signature(fn).parameters)
    return f"[`{fn.__name__}({arguments})`](#{fn.__name__})"


def hook_text(fn: Callable[..., Any]) -> str:
    """Return a hook's chapter: its specification, with the labels in bold."""
    text = prose(fn.__doc__)
    text = re.sub(r"^(When|How often|Arguments|Returns|Failures): ", r"- **\1:** ", text, flags=re.M)
    text = re.sub(r"^Example:$", r"\nExample:", text, flags=re.M)
    first, _, rest = text.partition("\n")
    kind = "provisional, a minor version may change it" if getattr(fn, "provisional", False) else "stable"
    return f"### {fn.__name__}\n\n{first}\n\n- **Stability:** {kind}\n{rest.lstrip(chr(10))}\n"


# The manifest


def manifest_page(known: Registry) -> str:
    """Return the page of the sections of a manifest, from its JSON Schema."""
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
        table(("option", "what"), layer_rows(sections)),
        "## Entries of `scenes`, `prefabs` and `children`\n\nCapWords are [components](components.md); these are the "
        "entry's own:\n",
        properties_table(lower_case(schema["$defs"]["entry"]["properties"])),
        "A key with dots reaches a field, or into a child by its name: `Body.mass: 2`, `barrel.Sprite: {color: red}`,\n"
        "`barrel.Sprite.color: red`.\n",
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
    ("color", '`"#rrggbb"`, `"#rrggbbaa"`, a name like `orange`, or `[r, g, b]`, `[r, g, b, a]` from 0 to 1'),
    ("angle", "degrees, counter-clockwise"),
    ("entity", "the name of another entity of the scene"),
    ("asset", "a path inside the game's folder, or `package:path` for data of an installed package"),
    ("one value a copy", "`{each: [a, b, c]}` in turn, `{random: [low, high]}` drawn for each"),
    ("an inherited component that is not wanted", "`Component: null`"),
)


def lower_case(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry's own keys, without components."""
    return {name: part for name, part in properties.items() if name.islower() and "." not in name}


def properties_table(properties: Mapping[str, Any]) -> str:
    """Return a table of the keys of a mapping with their descriptions."""
    rows = ((code(name), part.get("description", "See [`at`](#at).")) for name, part in properties.items())
    return table(("key", "what"), rows)


def layer_rows(sections: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the rows of the table of a layer's options."""
    layer = next(option for option in sections["layers"]["items"]["anyOf"] if option.get("type") == "object")
    found = layer["additionalProperties"]["properties"]
    return [(code(name), part.get("description", "")) for name, part in found.items()]


PAGES: dict[str, str] = {
    "plugins.md": "what plugins require, provide and do without; the contracts",
    "components.md": "what entities may carry",
    "resources.md": "settings, resources, tables, events",
    "hooks.md": "everything that a plugin can say, and be told",
    "manifest.md": "the sections of `game.yaml`",
    "command-line.md": "every command and its arguments",
    "drawing.md": "the verbs of a backend, the kinds of batches",
    "effects.md": "effects over the picture, and their parameters",
    "methods.md": "what `World`, `Query`, `Frame` and their like can do",
    "names.md": "the public names of every package",
    "signatures.md": "their signatures, one line a name",
    "modules.md": "every module of every package in one line",
}


def pages() -> dict[str, str]:
    """Return the text of all pages by file name."""
    known = registry()
    made = {
        "plugins.md": plugins_page(),
        "components.md": components_page(known),
        "resources.md": resources_page(known),
        "hooks.md": hooks_page(),
        "manifest.md": manifest_page(known),
        "command-line.md": command_page(),
        "drawing.md": drawing_page(),
        "effects.md": effects_page(),
        "methods.md": methods_page(),
        "names.md": names_page([*PLUGINS.values(), *LIBRARIES]),
        "signatures.md": signatures_page(),
        "modules.md": modules_page(),
    }
    index = "# Reference\n\nMade from the declarations by `python docs/make_reference.py`.\n\n"
    made["README.md"] = index + "".join(f"- [{name.removesuffix('.md')}]({name}): {PAGES[name]}\n" for name in made)
    return {name: NOTE + text.rstrip("\n") + "\n" for name, text in made.items()}


def main(arguments: list[str]) -> int:
    """Write the pages; with --check only print the names of those that differ, and return 1 if there are any."""
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
