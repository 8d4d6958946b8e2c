"""The JSON Schema of manifests."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from rish_core import builtin, component, resource
from rish_core.plugin import build_registry, load_plugins
from rish_devtools.jsonschema import DIALECT, field_texts, json_schema


@pytest.fixture
def schema(registry):
    """The schema for the registry of the tests."""
    return json_schema(registry)


def test_it_is_plain_json_with_all_references_resolved(schema):
    """The schema can be written as JSON, and every $ref leads to a definition."""
    text = json.dumps(schema)
    assert schema["$schema"] == DIALECT

    def references(node):
        if isinstance(node, dict):
            if "$ref" in node:
                yield node["$ref"]
            for value in node.values():
                yield from references(value)
        elif isinstance(node, list):
            for value in node:
                yield from references(value)

    found = set(references(schema))
    assert found
    assert {ref.removeprefix("#/$defs/") for ref in found} <= set(schema["$defs"])
    assert "3.4028" not in text


def test_components_stand_under_short_and_full_names(schema):
    """A component's short and full names lead to one definition, with every field that an author may set."""
    entry = schema["$defs"]["entry"]["properties"]
    assert entry["Body"] == entry["test.Body"] == {"$ref": "#/$defs/component.test.Body"}
    body = schema["$defs"]["component.test.Body"]
    assert "secret" not in body["properties"]
    assert body["additionalProperties"] is False
    assert body["description"] == "A thing with mass."


def test_fields_say_unit_range_and_default(schema):
    """Fields have unit, range and default in the manifest's terms: degrees, words, plain numbers."""
    body = schema["$defs"]["component.test.Body"]["properties"]
    assert body["mass"]["description"] == "0 kg or more."
    assert body["mass"]["anyOf"][0] == {"type": "number", "minimum": 0}
    assert body["velocity"]["description"] == "In units/s."
    assert body["form"]["anyOf"][0]["enum"] == ["box", "circle"]
    assert body["form"]["default"] == "box"
    assert body["spin"]["default"] == 0
    settings = schema["properties"]["settings"]["properties"]["test"]
    assert settings["properties"]["gravity"]["default"] == [0, -9.8]
    assert settings["description"] == "How the world pulls."


def test_a_validator_agrees_with_the_check(schema):
    """If jsonschema is installed, the schema is valid, accepts good manifests and rejects bad ones."""
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator
    validator.check_schema(schema)
    good = {
        "rish": 1,
        "game": {"size": [9, 9]},
        "layers": ["a", {"b": {"lit": False}}],
        "input": {"jump": "SPACE", "go": ["A", 1], "players": [{"left": "A"}, {"left": ["LEFT", 2]}]},
        "prefabs": {"x": {"Body": None, "tags": "a"}},
        "scenes": {"m": [{"prefab": "x", "at": {"grid": [1, 1], "step": [1, 1]}, "Body": {"mass": {"each": [1]}}}]},
    }
    validator(schema).validate(good)
    for bad in (
        {"rish": 2},
        {"rish": 1, "game": {"sise": [1, 1]}},
        {"rish": 1, "scenes": {"m": [{"Body": {"mass": -1}}]}},
        {"rish": 1, "prefabs": {"x": {"count": 3}}},
        {"rish": 1, "input": {"players": {"left": "A"}}},
        {"rish": 1, "input": {"players": [{"left": {}}]}},
        {"rish": 1, "input": {"jump": {}}},
    ):
        assert list(validator(schema).iter_errors(bad)), bad


def test_optional_plugins_are_written_in_full():
    """Names of an optional plugin are offered in full only; where it is absent, they are not checked."""
    jsonschema = pytest.importorskip("jsonschema")

    @component
    class Source:
        volume: float = 1.0

    @resource
    class Sound:
        gain: float = 1.0

    @resource
    class LayerSound:
        muted: bool = False

    audio = SimpleNamespace(
        rish_components=lambda: [Source],
        rish_settings=lambda: Sound,
        rish_layer_options=lambda: LayerSound,
        rish_manifest_keys=lambda: ["game.gain"],
    )

    def valid(entry: str, option: str, key: str, volume: object, **extra: object) -> bool:
        plugins = load_plugins(extra=extra, core=builtin, installed=[])
        game = {
            "rish": 1,
            "plugins": ["audio? >=0.2"],
            "game": {key: 1},
            "settings": {"audio": {}},
            "layers": [{"hud": {option: True}}],
            "scenes": {"main": [{entry: {"volume": volume}, "Transform": {}}]},
        }
        checker = jsonschema.Draft202012Validator(json_schema(build_registry(plugins), {"audio"}))
        return checker.is_valid(game)

    full = ("audio.Source", "audio.muted", "audio.gain")
    assert valid(*full, 0.5, audio=audio)
    assert valid(*full, 0.5)
    assert not valid(*full, "loud", audio=audio)
    for place, name in enumerate(("Source", "muted", "gain")):
        mixed = [name if number == place else word for number, word in enumerate(full)]
        assert not valid(*mixed, 0.5, audio=audio)
        assert not valid(*mixed, 0.5)


def test_fields_without_a_text_take_it_from_the_docstring() -> None:
    """A docstring explains fields as `name: text.`; it describes settings of Python types in the schema too."""

    class Weather:
        """What the sky does.

        wind: towards the right, as in `rain: 3`. rain, snow: how much
        falls. Nothing else: is a field.
        """

        wind: float
        rain: float
        snow: float
        fog: float

    assert field_texts(Weather) == {
        "wind": "towards the right, as in `rain: 3`",
        "rain": "how much falls. Nothing else: is a field",
        "snow": "how much falls. Nothing else: is a field",
    }


def test_settings_and_keys_of_python_types_are_described() -> None:
    """Every setting of a plugin, and every key that a plugin adds to the manifest, has a description."""
    schema = json_schema(build_registry(load_plugins(["render", "rules"], core=builtin)))
    described = {name: part.get("description") for name, part in schema["properties"].items()}
    assert described["backend"].startswith("The backend that draws the game")
    assert all(described.values())
    rules = schema["properties"]["settings"]["properties"]["rules"]["properties"]
    assert rules["variables"]["description"] == "The variables with their first values."
