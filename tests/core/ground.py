"""A small registry for checking manifests: bodies, sprites, text, and the kernel's own components."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field as dataclass_field
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core.common.names import Group, Name, Persistent, Tags
from rish_core.common.transform import Transform
from rish_core.manifest.check import check_manifest, compile_manifest
from rish_core.manifest.manifest import parse_manifest
from rish_core.manifest.scenes import CompiledManifest, Origin
from rish_core.plugin.registry import Registry
from rish_ecs import Array, Asset, Chars, Color, Entity, Str, Vec2, World, component, field, kind_of, resource
from rish_ecs.declarations import resource_spec


class Form(Enum):
    """The form of a body."""

    BOX = 0
    CIRCLE = 1


@component
class Body:
    """A thing with mass."""

    velocity: Vec2 = field((0, 0), unit="units/s")
    mass: float = field(1.0, unit="kg", low=0)
    spin: float = field(0.0, unit="rad/s", angle=True)
    form: Form = Form.BOX
    target: Entity = 0
    hits: int = field(1, low=0, high=9)
    fixed: bool = False
    grid: Array[int, 4] = (0, 0, 0, 0)
    path: list[Vec2] = ()
    secret: int = field(0, hidden=True)


@component
class Sprite:
    """An image."""

    image: Asset = ""
    layer: Str = "world"
    color: Color = (1, 1, 1, 1)
    mode: Str = field("fill", choices=("fill", "line"))
    text: Chars = ""


@resource
class Settings:
    """How the world pulls."""

    gravity: Vec2 = field((0, -9.8), unit="units/s²")
    steps: int = field(4, low=1, high=64)
    title: str = "none"
    masks: dict[str, list[str]] = dataclass_field(default_factory=dict)


@resource
class Look:
    """Settings of the window; they are written at the top level and in `game`."""

    size: Array[int, 2] = field((960, 540), low=1, high=8192, unit="px")
    backend: str = ""


@resource
class LayerLook:
    """Options of a layer."""

    lit: bool = field(True)
    parallax: Vec2 = field((1, 1))


PARTS = (Body, Sprite, Transform, Name, Tags, Group, Persistent, Origin)


@pytest.fixture(scope="session")
def registry() -> Registry:
    """Return the registry of the plugins `test` and `core`."""
    spec, look, layer = resource_spec(Settings), resource_spec(Look), resource_spec(LayerLook)
    assert spec is not None
    assert look is not None
    assert layer is not None
    owned = {"test": (Body, Sprite)}
    components = {}
    for cls in PARTS:
        owner = "test" if cls in owned["test"] else "core"
        components[f"{owner}.{cls.__name__}"] = kind_of(cls)
    prefabs = {"pebble": {"Transform": {}, "Body": {"mass": 0.5}}}
    return Registry(
        components=components,
        settings={"test": spec, "show": look},
        prefabs=prefabs,
        manifest_keys={"game.size": "show", "backend": "show"},
        layer_options={"lit": layer, "parallax": layer},
    )


@pytest.fixture
def kinds() -> SimpleNamespace:
    """The component classes of the registry, as attributes."""
    return SimpleNamespace(Form=Form, Settings=Settings, **{cls.__name__: cls for cls in PARTS})


@pytest.fixture
def problems(registry: Registry) -> Callable[..., list[str]]:
    """Provide a function that checks a text and returns its mistakes as sentences."""

    def check(text: str, **options: Any) -> list[str]:
        return [str(problem) for problem in check_manifest(parse_manifest(text, **options), registry)]

    return check


@pytest.fixture
def compiled(registry: Registry) -> Callable[..., CompiledManifest]:
    """Provide a function that compiles a text without mistakes."""

    def compile_text(text: str, **options: Any) -> CompiledManifest:
        return compile_manifest(parse_manifest("rish: 1\n" + text, **options), registry)

    return compile_text


@pytest.fixture
def play(compiled: Callable[..., CompiledManifest]) -> Callable[..., tuple[World, CompiledManifest]]:
    """Provide a function that compiles a text and returns a world with the game installed and nothing spawned."""

    def make(text: str, seed: int = 0) -> tuple[World, CompiledManifest]:
        game = compiled(text)
        world = World(PARTS, seed=seed)
        game.install(world)
        return world, game

    return make
