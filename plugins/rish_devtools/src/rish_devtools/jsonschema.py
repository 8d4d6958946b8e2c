"""The JSON Schema of manifests for exactly the installed plugins; a text editor uses it for completion and checks.

It is made from the same schemas that `rish check` uses, so the two agree. It does not check things that need the
game's files, such as whether an asset or a prefab exists. `rish schema` writes it; a YAML language server reads it.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Collection, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from rish_core import Registry
from rish_core.manifest import (
    FLOAT32_MAX,
    FORMAT,
    MAX_COPIES,
    ROOT_OF_PREFAB,
    FieldsReader,
    range_text,
    section_schemas,
    settings_reader,
    unit_of,
)
from rish_ecs.declarations import FieldSpec, Kind

if TYPE_CHECKING:
    from pydantic_core.core_schema import CoreSchema

Json = dict[str, Any]
_NAMES = re.compile(r"(?<![\w.`])(\w+(?:, \w+)*): ")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _several(count: int, item: Json) -> Json:
    """Return the schema of a list of exactly `count` items."""
    return {"type": "array", "items": item, "minItems": count, "maxItems": count}


def json_schema(registry: Registry, optional: Collection[str] = ()) -> Json:
    """Return a JSON Schema (draft 2020-12) of the manifest, with every component, field, unit, range and default.

    optional: the game's optional plugins. Their names are written in full; those of absent ones are not checked.
    """
    sections = {key: _generate(schema) for key, schema in section_schemas().items()}
    sections["rish"] = {**sections["rish"], "const": FORMAT}
    sections["settings"]["properties"] = {
        plugin: _explained(_mapping(settings_reader(plugin, spec), _doc(spec.cls), copies=False), spec.cls)
        for plugin, spec in registry.settings.items()
    }
    absent = sorted(name for name in optional if name not in registry.plugins)
    sections["settings"]["properties"] |= {plugin: {"type": "object"} for plugin in absent}
    sections["settings"]["additionalProperties"] = False
    sections["prefabs"]["additionalProperties"] = {"anyOf": [{"$ref": "#/$defs/prefab"}, {"type": "null"}]}
    sections["scenes"]["additionalProperties"] = {
        "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/entry"}}, {"type": "null"}]
    }
    sections["game"]["additionalProperties"] = False
    _add_plugins_keys(sections, registry, optional)
    manifest_schema = {
        "$schema": DIALECT,
        "title": "A Rish game",
        "type": "object",
        "required": ["rish"],
        "properties": sections,
        "additionalProperties": False,
        "$defs": _definitions(registry, optional),
    }
    for mapping in (manifest_schema, sections["game"], _layer(sections)) if absent else ():
        mapping["patternProperties"] = {rf"^({'|'.join(absent)})\.": {"description": "Of a plugin that is absent."}}
    return manifest_schema


def _layer(sections: Json) -> Json:
    """Return the schema of the options of a layer."""
    layer = next(option for option in sections["layers"]["items"]["anyOf"] if option.get("type") == "object")
    return layer["additionalProperties"]


def _spellings(name: str, owner: str, optional: Collection[str]) -> list[str]:
    """Return the forms of a plugin's name: in full, and short if the plugin is not optional."""
    return [f"{owner}.{name}", *([name] if owner not in optional else [])]


def _add_plugins_keys(sections: Json, registry: Registry, optional: Collection[str]) -> None:
    """Add the keys that plugins declare for the top level, for `game` and for layers to `sections`."""
    for key, plugin in registry.manifest_keys.items():
        *section, name = key.split(".")
        spec = registry.settings[plugin]
        read = _mapping(settings_reader(plugin, spec, {name}), "", copies=False)
        key_schema = _explained(read, spec.cls)["properties"][name]
        if key == "backend":
            key_schema["enum"] = sorted(registry.of("rish_backends"))
        target = sections[section[0]]["properties"] if section else sections
        target |= dict.fromkeys(_spellings(name, plugin, optional), key_schema)
    layer = _layer(sections)
    layer["additionalProperties"] = False
    for name, spec in registry.layer_options.items():
        key_schema = _mapping(FieldsReader("a layer", spec.fields), "", copies=False)["properties"][name]
        owner = registry.owners.get(("option of layers", name), "")
        layer["properties"] |= dict.fromkeys(_spellings(name, owner, optional), key_schema)


def field_texts(cls: type) -> dict[str, str]:
    """Return the texts in the docstring of a class about its fields, by name, as in `dt: seconds of a tick.

    a, b: ...`.
    """
    names, texts = set(getattr(cls, "__annotations__", ())), dict[str, str]()
    for paragraph in inspect.cleandoc(_doc(cls)).split("\n\n"):
        text = " ".join(paragraph.split())
        heads = [head for head in _NAMES.finditer(text) if names & set(head[1].split(", "))]
        for head, after in zip_longest(heads, heads[1:]):
            text_of_fields = text[head.end() : after.start() if after is not None else None].strip().rstrip(".;")
            texts |= {name: text_of_fields for name in head[1].split(", ") if name not in texts}
    return texts


def _explained(mapping: Json, cls: type) -> Json:
    """Add descriptions from the docstring of a class to its fields without a description."""
    texts = field_texts(cls)
    for name, field_schema in mapping["properties"].items():
        if "description" not in field_schema and name in texts:
            field_schema["description"] = f"{texts[name][:1].upper()}{texts[name][1:]}."
    return mapping


def _doc(cls: type) -> str:
    """Return the class's own docstring; empty if it is only the signature that dataclasses generate."""
    doc = (cls.__doc__ or "").strip()
    return "" if doc.startswith(f"{cls.__name__}(") else doc


def _definitions(registry: Registry, optional: Collection[str]) -> Json:
    kinds = registry.components
    short = [kind.name for kind in kinds.values() if kind.owner not in optional]
    components: Json = {}
    definitions: Json = {}
    for key, kind in sorted(kinds.items()):
        definitions[f"component.{key}"] = _component(kind)
        reference = {"$ref": f"#/$defs/component.{key}"}
        if short.count(kind.name) == 1 and kind.owner not in optional:
            components[kind.name] = reference
        components[key] = reference
    own_keys = _own_keys([*registry.prefabs])
    definitions["at"] = _at()
    definitions["entry"] = _entry(own_keys, components, "One entity, or `count` alike.")
    definitions["prefab"] = _entry(
        {key: own_keys[key] for key in ROOT_OF_PREFAB}, components, "A pattern that entries and systems spawn."
    )
    return definitions


def _entry(own: Json, components: Json, text: str) -> Json:
    return {
        "description": text,
        "type": "object",
        "properties": {**own, **components},
        "patternProperties": {
            r"^([^./]+\.)*[A-Z]\w*\.[a-z_]\w*$": {"description": "A field, of this entity or of a child by its name."},
            r"^([^./]+\.)+[A-Z]\w*$": {
                "type": ["object", "null"],
                "description": "A component of a child by its name.",
            },
        },
        "additionalProperties": False,
    }


def _own_keys(prefabs: list[str]) -> Json:
    """Return the schemas of the lower-case keys of an entry, such as `name` and `at`."""
    word: Json = {"type": "string", "minLength": 1}
    return {
        "prefab": {**word, "description": "The prefab to inherit from.", "examples": prefabs},
        "name": {
            **word,
            "pattern": "^[^/]+$",
            "description": "What the entity is called; others refer to it by this.",
        },
        "tags": {
            "anyOf": [word, {"type": "array", "items": word}],
            "description": "Words that say what it is.",
        },
        "group": {**word, "description": "The group that it belongs to."},
        "count": {"type": "integer", "minimum": 0, "maximum": MAX_COPIES, "description": "How many copies."},
        "at": {"$ref": "#/$defs/at"},
        "parent": {**word, "description": "The name of the entity that it moves with."},
        "children": {
            "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/entry"}}, {"type": "null"}],
            "description": "Entities that move with it; a child of an inherited name changes that one.",
        },
    }


def _at() -> Json:
    grid, pair = _several(2, {"type": "integer", "minimum": 1}), _several(2, {"type": "number"})
    rows = {"grid": grid, "step": pair, "origin": {**pair, "default": [0, 0]}}
    area = {"random": _several(4, {"type": "number"})}
    return {
        "description": "Where the copies stand, in world units; y points up.",
        "anyOf": [
            {**pair, "description": "One place: [x, y]."},
            {"type": "array", "items": pair, "minItems": 1, "description": "A place for each copy."},
            _closed(rows, ["grid", "step"], "Row by row, x first."),
            _closed(area, ["random"], "Anywhere in a rectangle: [x0, y0, x1, y1]."),
        ],
    }


def _component(kind: Kind) -> Json:
    schema = _mapping(FieldsReader(kind.name, kind.fields, per_copy=True), kind.doc, copies=True)
    return {**schema, "type": ["object", "null"]}


def _mapping(reader: FieldsReader, doc: str, *, copies: bool) -> Json:
    """Return the schema of a mapping of fields, each with its description, unit, range and default."""
    schema = _generate(reader.core_schema)
    schema.setdefault("properties", {})
    for name, spec in reader.fields.items():
        value_schema = schema["properties"][name]
        field_schema = {"anyOf": [value_schema, *_copy_forms(spec, value_schema)]} if copies else value_schema
        schema["properties"][name] = {**_annotations(spec), **field_schema}
    if doc:
        schema["description"] = doc
    return schema


def _copy_forms(spec: FieldSpec, plain: Json) -> list[Json]:
    """Return the schemas of the forms that give every copy its own value: `each` and `random`."""
    if spec.type.special == "entity":
        return []
    values: Json = {"type": "array", "items": plain, "minItems": 1}
    hold: Json = {"type": "integer", "minimum": 1, "default": 1}
    forms = [_closed({"each": values, "hold": hold}, ["each"], "A value for each copy in turn.")]
    if not spec.type.special and not spec.choices and spec.type.dtype.kind in "fi":
        forms.append(_closed({"random": _several(2, plain)}, ["random"], "Each copy draws its own: [low, high]."))
    return forms


def _closed(properties: Json, required: list[str], text: str) -> Json:
    return {
        "type": "object",
        "description": text,
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _annotations(spec: FieldSpec) -> Json:
    """Return the description of a field and its default in the form that a manifest uses."""
    between = range_text(spec)
    unit = unit_of(spec)
    parts = [
        spec.doc[:1].upper() + spec.doc[1:] if spec.doc else "",
        f"In {unit}" if unit and not between else "",
        between,
    ]
    text = ". ".join(part.rstrip(".") for part in parts if part)
    default = _plain_default(spec)
    return {
        **({"description": text + "."} if text else {}),
        **({"default": default} if default is not None else {}),
    }


def _plain_default(spec: FieldSpec) -> Any:
    value: Any = spec.default
    if spec.type.special == "entity":
        return None
    if spec.type.enum is not None:
        return value.name.lower()
    value = value.tolist() if hasattr(value, "tolist") else value
    if spec.angle and isinstance(value, float):
        return round(math.degrees(value), 4)
    return list(value) if isinstance(value, tuple) else _rounded(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _rounded(value: Any) -> Any:
    """Round floats to the seven digits of float32: 0.1, not 0.10000000149."""
    if isinstance(value, list):
        return [_rounded(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def _generate(schema: CoreSchema) -> Json:
    """Return pydantic's JSON Schema of a core schema, without titles and without the bounds of float32."""
    from pydantic.json_schema import GenerateJsonSchema

    class Generate(GenerateJsonSchema):
        def field_title_should_be_set(self, schema: Any) -> bool:
            return False

    return _tidy(Generate().generate(schema, mode="validation"))


def _tidy(node: Any) -> Any:
    if isinstance(node, list):
        return [_tidy(item) for item in node]  # pyright: ignore[reportUnknownVariableType]
    if not isinstance(node, Mapping):
        return node
    return {
        key: _tidy(value)
        for key, value in node.items()  # pyright: ignore[reportUnknownVariableType]
        if not (key in ("minimum", "maximum") and isinstance(value, int | float) and abs(value) == FLOAT32_MAX)
    }
