"""The fixed structure of a manifest: its sections and their contents, as far as they do not depend on plugins.

The sections are described as pydantic-core schemas, with which `manifest` checks files and which `jsonschema`
publishes. Parts that plugins define (components, settings) must only be mappings here, and unknown keys are allowed,
because plugins may define them; `check` checks both.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator
    from pydantic_core.core_schema import CoreSchema

FORMAT = 1
"""The supported format version: `rish: 1`."""
SECTIONS = ("rish", "game", "plugins", "include", "settings", "input", "layers", "prefabs", "scene", "demo", "scenes")
INCLUDABLE = ("include", "settings", "input", "prefabs", "scenes")
"""The sections that an included file may have, besides the keys of plugins."""
DEFAULT_LAYERS = ("world", "hud")
"""The layers of a game whose manifest lists none."""
LAYER_SPACES = ("world", "screen")
MAX_PLAYERS = 16
_PLAYER_DOC = "Keys and buttons of the player's own actions."


def _described(schemas: Mapping[str, tuple[CoreSchema, str]]) -> dict[str, Any]:
    """Return copies of the schemas, each with its description."""
    return {
        name: {**schema, "metadata": {"pydantic_js_updates": {"description": text}}}
        for name, (schema, text) in schemas.items()
    }


def _open_mapping(schemas: Mapping[str, CoreSchema]) -> CoreSchema:
    """Return the schema of a mapping in which these keys are optional and other keys are allowed."""
    from pydantic_core import core_schema as cs

    fields = {key: cs.typed_dict_field(schema, required=False) for key, schema in schemas.items()}
    return cs.typed_dict_schema(fields, extra_behavior="allow")


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
    player = cs.dict_schema(text, keys, strict=True, metadata={"pydantic_js_updates": {"description": _PLAYER_DOC}})
    players = cs.typed_dict_field(cs.list_schema(player, strict=True, max_length=MAX_PLAYERS), required=False)
    actions = cs.typed_dict_schema({"players": players}, extras_schema=keys, extra_behavior="allow")
    layer = cs.union_schema([text, cs.dict_schema(text, layer_schema(), min_length=1, max_length=1)])
    layers = cs.no_info_before_validator_function(
        _unchanged, cs.list_schema(cs.any_schema(), strict=True), json_schema_input_schema=cs.list_schema(layer)
    )
    return _described({
        "rish": (cs.int_schema(strict=True, ge=1), "The version of the manifest's format: 1."),
        "game": (game_schema(), "Title and seed, and what plugins add."),
        "plugins": (texts, "The plugins that are loaded, like `physics`, `wind>=0.2`, or optional, `audio?`."),
        "include": (texts, "Files whose prefabs, scenes, settings, input and keys of plugins are added."),
        "settings": (mapping, "The settings of each plugin."),
        "input": (actions, "Keys and buttons of each action, and in `players` those of each player."),
        "layers": (layers, "The layers, from the lowest to the highest."),
        "prefabs": (mapping, "Patterns of entities, by name."),
        "scene": (text, "The first scene to show; default: `main`, or the first one."),
        "demo": (text, "The scene that a film, picture or recording without a player begins with; default: `scene`."),
        "scenes": (mapping, "The entities of each scene, by its name."),
    })  # fmt: skip


def game_schema() -> CoreSchema:
    """Return the schema of the section `game`."""
    from pydantic_core import core_schema as cs

    title, seed = cs.str_schema(strict=True, max_length=200), cs.int_schema(strict=True, ge=0, le=2**63 - 1)
    return _open_mapping(_described({
        "title": (title, "The window's title."),
        "id": (cs.str_schema(strict=True, min_length=1, max_length=200),
               "Whose saved games and preferences these are, whatever the title; default: the title."),
        "seed": (seed, "The seed of all random streams."),
    }))  # fmt: skip


def layer_schema() -> CoreSchema:
    """Return the schema of the options of one layer."""
    from pydantic_core import core_schema as cs

    switch = cs.bool_schema(strict=True)
    return _open_mapping(_described({
        "overlay": (switch, "Draws above all game layers, and gets events first."),
        "space": (cs.literal_schema(list(LAYER_SPACES)), "Moves with the camera (world) or stays (screen)."),
        "visible": (switch, "Whether it is drawn at first."),
        "paused": (switch, "Whether its systems are paused at first."),
    }))  # fmt: skip


@cache
def manifest_validator() -> SchemaValidator:
    """Return the validator of a manifest's structure."""
    from pydantic_core import SchemaValidator

    return SchemaValidator(_open_mapping(section_schemas()))


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


def _unchanged(value: Any) -> Any:
    return value
