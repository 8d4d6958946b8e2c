"""The kernel's own plugin uses the same hooks as all plugins and has no privileges."""

from __future__ import annotations

import inspect
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import Clock, Edges, Input, Session, Transform, builtin, component, hookimpl
from rish_core.errors import ManifestError
from rish_core.plugin import hooks
from rish_core.plugin.loading import load_plugins
from rish_core.plugin.registry import build_registry
from rish_ecs import DeclarationError


def test_it_uses_the_hooks_of_all_plugins() -> None:
    """Each of its functions is a public hook with a docstring."""
    own = {name: value for name, value in vars(builtin).items() if name.startswith("rish_")}
    names = ["about", "components", "resources", "warm_up", "loaders", "names", "error_hint"]
    assert set(own) == {f"rish_{name}" for name in names}
    assert all(hasattr(hooks, name) and inspect.getdoc(function) for name, function in own.items())


def test_a_registry_can_be_built_of_it_alone() -> None:
    """All its declarations are in the registry, owned by `core`."""
    registry = build_registry(load_plugins(core=builtin, installed=[]))
    assert set(registry.components) == {
        f"core.{name}" for name in ["Transform", "Name", "Tags", "Group", "Persistent", "Disabled", "Origin"]
    }
    assert set(registry.tables) == {"core.Edges"}
    assert {"core.Clock", "core.Input", "core.Session"} <= set(registry.resources)
    assert not registry.systems
    assert set(registry.loaders) == {".txt", ".json", ".yaml", ".yml"}


def test_its_lists_of_names(rish_app: Any) -> None:
    """Tools get the names of layers, scenes and prefabs, and the tags and groups of the entities that exist."""
    manifest = {
        "layers": ["back", "front"],
        "prefabs": {"tree": {}},
        "scenes": {"meadow": [{"tags": ["tall", "green"], "group": "plants"}, {"tags": "green"}], "night": []},
    }
    app = rish_app(manifest)
    lists = {name: list(found(app.world)) for name, found in app.registry.names.items()}
    expected = {"layers": ["back", "front"], "scenes": ["meadow", "night"], "prefabs": ["tree"]}
    assert lists == {**expected, "tags": ["green", "tall"], "groups": ["plants"]}
    app = rish_app({})
    assert [list(app.registry.names[name](app.world)) for name in ("tags", "groups")] == [[], []]


def test_its_resources_are_in_every_world(rish_app: Any) -> None:
    """Its resources and tables are in every world."""
    world = rish_app({}).world
    for cls in (Clock, Input, Session, Edges, Transform):
        assert cls in world


def test_no_other_plugin_may_be_called_core(rish_app: Any) -> None:
    """The name `core` is reserved, and the kernel's components cannot be declared again."""
    with pytest.raises(ManifestError, match="'core' is the kernel"):
        rish_app({"plugins": ["core"]})
    again = SimpleNamespace(rish_components=hookimpl(lambda: [Transform]))
    with pytest.raises(DeclarationError, match="component 'Transform' comes from both 'core' and 'again'"):
        rish_app(plugins={"again": again})


def test_a_name_of_its_own_may_be_used_again(rish_app: Any) -> None:
    """A plugin may have a component with the name of a kernel's one; then the full name is required."""

    @component
    class Name:
        """Another component called Name."""

        letters: int = 0

    mine = SimpleNamespace(rish_components=lambda: [Name])
    app = rish_app({"scenes": {"main": [{"mine.Name": {"letters": 3}}]}}, plugins={"mine": mine})
    assert app.world[Name].letters.tolist() == [3]
    with pytest.raises(ManifestError, match=r"ambiguous.*core.Name or mine.Name"):
        rish_app({"scenes": {"main": [{"Name": {}}]}}, plugins={"mine": mine})
