"""Assembly: a registry and a checked manifest become a World without entities."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import (
    Assets,
    Input,
    Layer,
    Layers,
    LayerStack,
    Prefabs,
    Scenes,
    Transform,
    builtin,
    component,
    field,
    parse_manifest,
    resource,
)
from rish_core.assembly import DEFAULT_LAYERS, build_world, declared_layers, mistakes_without
from rish_core.loop.layers import LayerFailed, put_layers
from rish_core.manifest import structure
from rish_core.manifest.check import compile_manifest
from rish_core.manifest.manifest import Manifest
from rish_core.plugin.importing import PluginsRefused
from rish_core.plugin.loading import load_plugins
from rish_core.plugin.registry import Registry, build_registry
from rish_ecs import Vec2, World


@component
class Ship:
    """A component with one field."""

    speed: float = field(2.0, low=0)


@resource(derived=True)
class Cache:
    """A derived resource."""

    worlds: int = 0

    def rebuild(self, world: World) -> None:
        """Count the calls."""
        self.worlds += 1


def never(layer: Layer, failure: LayerFailed) -> Any:
    """Raise, because no handler fails in these tests."""
    raise AssertionError


def build(text: str, root: Path | None = None, **hooks: Any) -> tuple[World, Registry, Manifest]:
    """Return a world made from a text and one plugin."""
    plugin = SimpleNamespace(**{f"rish_{name}": (lambda value=value: value) for name, value in hooks.items()})
    registry = build_registry(load_plugins(extra={"sea": plugin}, core=builtin, installed=[]))
    manifest = parse_manifest(f"rish: 1\n{text}", root=root)
    world = build_world(compile_manifest(manifest, registry), registry, seed=5)
    return world, registry, manifest


def test_nothing_is_spawned_yet() -> None:
    """The first scene is requested, but nothing is spawned yet."""
    world, _, _ = build("scenes: {main: [{Ship: {}}]}", components=[Ship])
    assert (len(world[Ship]), world.seed, world.tick) == (0, 5, 0)
    assert (world[Scenes].current, world[Scenes].requested) == ("", "main")


def test_everything_declared_is_there() -> None:
    """The world has all declared tables, resources, prefabs, loaders and actions."""
    world, registry, _ = build(
        "input: {go: [SPACE, gamepad.a]}\nprefabs: {boat: {Ship: {}}}\nscenes: {main: []}",
        components=[Ship],
        resources=[Cache],
        loaders={".sea": lambda path: "waves"},
    )
    assert world[Prefabs].names == ["boat"]
    assert world[Input].actions == {"go": ["SPACE", "gamepad.a"]}
    assert set(registry.loaders) >= {".sea", ".txt"}
    assert Transform in world


def test_what_is_derived_is_built_once() -> None:
    """Derived resources are built once, so that the first hook can use them."""
    world, _, _ = build("scenes: {main: []}", resources=[Cache])
    assert world[Cache].worlds == 1


def test_assets_are_found_in_the_games_folder(tmp_path: Path) -> None:
    """Assets are found in the game's folder and read by the plugin's loader."""
    (tmp_path / "a.sea").write_text("calm")
    world, _, _ = build("scenes: {main: []}", tmp_path, loaders={".sea": lambda path: path.read_text()})
    assert world[Assets].load("a.sea") == "calm"


# Layers


def layers_of(text: str, *declared: Layer) -> tuple[list[str], dict[str, Layer]]:
    """Return the order of the layers and their declarations."""

    @resource
    class Look:
        lit: bool = True
        parallax: Vec2 = field((1, 1))

    world, registry, manifest = build(f"{text}\nscenes: {{main: []}}", layers=list(declared), layer_options=Look)
    put_layers(world, declared_layers(compile_manifest(manifest, registry), registry), never)
    return world[Layers].order, world[LayerStack].declared


def test_a_game_without_layers_gets_two() -> None:
    """A game without layers gets the defaults "world" and "hud", which the manifest's check accepts as well."""
    order, declared = layers_of("")
    assert order == ["world", "hud"] == [layer.name for layer in DEFAULT_LAYERS] == list(structure.DEFAULT_LAYERS)
    assert declared["hud"].space == "screen"


def test_a_plugin_may_stand_in_for_a_default() -> None:
    """A plugin's layer replaces a default layer of the same name."""
    order, declared = layers_of("", Layer("hud", space="screen", doc="mine"))
    assert order == ["world", "hud"]
    assert declared["hud"].doc == "mine"


def test_the_author_decides_about_order_and_options() -> None:
    """The manifest determines order and options of layers; other properties stay as the plugin declared them."""
    text = "layers: [back, {front: {lit: false, parallax: [0.5, 1]}}]"
    order, declared = layers_of(text, Layer("front", doc="mine"), Layer("extra"), Layer("top", overlay=True))
    assert order == ["back", "front", "extra", "top"]
    assert declared["front"] == Layer("front", doc="mine", options={"lit": False, "parallax": (0.5, 1.0)})


def test_tools_lie_in_no_state() -> None:
    """A tool's layer is not in the state."""
    order, declared = layers_of("", Layer("editor", tool=True))
    assert (order, "editor" in declared) == (["world", "hud"], True)


# Other mistakes beside missing plugins


def refused(text: str) -> tuple[Manifest, PluginsRefused]:
    """Return a manifest whose plugins are refused, and the error."""
    manifest = parse_manifest(f"rish: 1\n{text}")
    with pytest.raises(PluginsRefused) as caught:
        load_plugins(manifest.plugins, core=builtin, installed=[])
    return manifest, caught.value


def test_a_missing_plugin_hides_no_other_mistake() -> None:
    """Mistakes that do not depend on a missing plugin are reported; names that may be the plugin's are not."""
    manifest, error = refused(
        "plugins: [sea]\nbackend: waves\nlayers: [world]\nsettings: {sea: {deep: 3}}\n"
        "prefabs: {a: {Transform: {rotaton: 1}}}\n"
        "scenes: {main: [{Ship: {}}, {prefab: boat}, {Transfrom: {}}, {Transform: {rotation: x}}]}\n"
    )
    found = mistakes_without(manifest, error, {"core": builtin, "installed": []})
    assert [problem.path for problem in found] == [
        "prefabs.a.Transform.rotaton", "scenes.main[2].Transfrom", "scenes.main[3].Transform.rotation",
    ]  # fmt: skip


def test_what_can_not_be_loaded_at_all_leaves_the_mistakes_of_the_form() -> None:
    """If no plugins can be loaded, only mistakes of the manifest's form are reported."""
    manifest, error = refused("plugins: [sea]\ngame: {seed: A}\nscenes: {main: []}")
    bad = SimpleNamespace(rish_components=lambda: [Transform])
    found = mistakes_without(manifest, error, {"core": builtin, "installed": [], "extra": {"bad": bad}})
    assert [problem.path for problem in found] == ["game.seed"]
