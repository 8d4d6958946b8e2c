"""The fixed structure of a manifest: its sections and their contents, as far as they do not depend on plugins.

The sections are described as pydantic-core schemas, with which `manifest` checks files and which `jsonschema`
publishes. Parts that plugins define (components, settings) must only be mappings here, and unknown keys are allowed,
because plugins may define them; `check` checks both.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator
    from pydantic_core.core_schema import CoreSchema

FORMAT = 1
"""The supported format version: `rish: 1`."""
SECTIONS = (
    "rish",
    "game",
    "plugins",
    "include",
    "settings",
    "input",
    "layers",
    "prefabs",
    "scene",
    "scenes",
)
INCLUDABLE = ("include", "settings", "input", "prefabs", "scenes")
"""The sections that an included file may have."""
DEFAULT_LAYERS = ("world", "hud")
"""The layers of a game whose manifest lists none."""
LAYER_SPACES = ("world", "screen")


def _described(schema: CoreSchema, text: str) -> Any:
    """Return a copy of a schema with a description."""
    return {**schema, "metadata": {"pydantic_js_updates": {"description": text}}}


def section_schemas() -> dict[str, CoreSchema]:
    """Return the schema of each section, by key."""
    from pydantic_core import core_schema as cs

    text = cs.str_schema(strict=True, min_length=1)
    texts = cs.list_schema(text, strict=True)
    mapping = cs.dict_schema(text, cs.any_schema(), strict=True)
    key = cs.union_schema([text, cs.int_schema(ge=0, le=9)])
    keys = cs.no_info_before_validator_function(
        _as_list, texts, json_schema_input_schema=cs.union_schema([key, cs.list_schema(key)])
    )
    layer = cs.union_schema([text, cs.dict_schema(text, layer_schema(), min_length=1, max_length=1)])
    layers = cs.no_info_before_validator_function(
        _same, cs.list_schema(cs.any_schema(), strict=True), json_schema_input_schema=cs.list_schema(layer)
    )
    sections: dict[str, tuple[CoreSchema, str]] = {
        "rish": (cs.int_schema(strict=True, ge=1), "The version of the manifest's format: 1."),
        "game": (game_schema(), "Title and seed, and what plugins add."),
        "plugins": (texts, "The plugins that are loaded, like `physics` or `wind>=0.2`."),
        "include": (texts, "Files whose prefabs, scenes, settings and input are added."),
        "settings": (mapping, "The settings of each plugin."),
        "input": (cs.dict_schema(text, keys, strict=True), "Keys and buttons of each action."),
        "layers": (layers, "The layers, from the lowest to the highest."),
        "prefabs": (mapping, "Patterns of entities, by name."),
        "scene": (text, "The scene to begin with; else `main`, else the first."),
        "scenes": (mapping, "The entities of each scene, by its name."),
    }
    return {name: _described(schema, words) for name, (schema, words) in sections.items()}


def game_schema() -> CoreSchema:
    """Return the schema of the section `game`."""
    from pydantic_core import core_schema as cs

    fields = {
        "title": _described(cs.str_schema(strict=True, max_length=200), "The window's title."),
        "seed": _described(cs.int_schema(strict=True, ge=0, le=2**63 - 1), "The seed of all random streams."),
    }
    made = {key: cs.typed_dict_field(schema, required=False) for key, schema in fields.items()}
    return cs.typed_dict_schema(made, extra_behavior="allow")


def layer_schema() -> CoreSchema:
    """Return the schema of the options of one layer."""
    from pydantic_core import core_schema as cs

    switch = cs.bool_schema(strict=True)
    fields: dict[str, tuple[CoreSchema, str]] = {
        "overlay": (switch, "Above all game layers, and first to be asked for events."),
        "space": (cs.literal_schema(list(LAYER_SPACES)), "Moves with the camera (world) or stays (screen)."),
        "visible": (cs.bool_schema(strict=True), "Whether it is drawn at first."),
        "paused": (cs.bool_schema(strict=True), "Whether its systems rest at first."),
    }
    made = {
        key: cs.typed_dict_field(_described(schema, text), required=False) for key, (schema, text) in fields.items()
    }
    return cs.typed_dict_schema(made, extra_behavior="allow")


@cache
def manifest_validator() -> SchemaValidator:
    """Return the validator of a manifest's structure."""
    from pydantic_core import SchemaValidator
    from pydantic_core import core_schema as cs

    fields = {key: cs.typed_dict_field(schema, required=False) for key, schema in section_schemas().items()}
    return SchemaValidator(cs.typed_dict_schema(fields, extra_behavior="allow"))


@cache
def layer_validator() -> SchemaValidator:
    """Return the validator of the options of one layer."""
    from pydantic_core import SchemaValidator

    return SchemaValidator(layer_schema())


def keys_of(schema: Any) -> list[str]:
    """Return the keys of a typed mapping's schema."""
    return list(schema.get("fields", {}))


def _as_list(value: Any) -> Any:
    """Convert a single key to a list, and the digit keys, which may be written without quotes, to text."""
    values = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
    return [str(item) if type(item) is int and 0 <= item <= 9 else item for item in values]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def _same(value: Any) -> Any:
    return value
