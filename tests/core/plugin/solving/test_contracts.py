"""Contracts: plugins that stand for one another, the choice between them, and what they can't do."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import App, Stage, component, parse_manifest, resource, system
from rish_core.plugin.discovery import Candidate
from rish_core.plugin.importing import PluginsRefused
from rish_core.plugin.loading import load_plugins
from rish_core.plugin.plan import NamedWish
from rish_core.plugin.plugins import Plugins
from rish_core.plugin.registry import build_registry
from rish_core.plugin.solving.about import About
from rish_ecs import DeclarationError, Place


def plugin(*provides: str, namespace: str | None = None, **more: Any) -> SimpleNamespace:
    """Return a plugin in memory that provides contracts."""
    about = {key: more.pop(key) for key in ("requires", "optional", "before", "after") if key in more}
    return SimpleNamespace(rish_about=lambda: About(provides=provides, namespace=namespace, **about), **more)


EXACT = plugin("solver[deep,wide]==1.0", namespace="solver")
PLAIN = plugin("solver[wide]==1.0", namespace="solver")


def load(extra: Mapping[str, object], *wishes: str, **options: Any) -> Plugins:
    """Load plugins given in memory, of which only those that are named or required count."""
    return load_plugins(wishes, extra=extra, installed=[], **options)


def refused(extra: Mapping[str, object], *wishes: str) -> str:
    """Return the message with which a set of plugins is refused."""
    with pytest.raises(PluginsRefused) as caught:
        load(extra, *wishes)
    return str(caught.value)


def test_a_contract_gets_its_only_provider() -> None:
    """A contract that a game names, or that a plugin requires, is satisfied by the only provider."""
    plugins = load({"plain": PLAIN, "user": plugin(requires=["solver>=1"])}, "solver", "user")
    assert plugins.names == ("plain", "user")
    assert plugins.providers == {"solver": "plain"}
    assert plugins.required["user"] == (("plain",),)


def test_the_metadata_names_the_providers_without_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of installed plugins the entry points say what they provide; the others are not imported."""
    imported: list[str] = []

    def load_it(self: Candidate) -> object:
        imported.append(self.name)
        return PLAIN

    monkeypatch.setattr(Candidate, "load", load_it)
    installed = [Candidate(name, f"rish-{name}", "1.0", name, ("solver",)) for name in ("exact", "plain")]
    assert load_plugins(["solver=plain"], installed=installed).names == ("plain",)
    assert imported == ["plain"]
    with pytest.raises(PluginsRefused, match="'exact' and 'plain' provide: write solver=exact or solver=plain in its"):
        load_plugins(["solver"], installed=installed)


def test_several_providers_need_a_choice() -> None:
    """Two providers are refused with both choices; naming one of them, or `contract=provider`, chooses it."""
    installed = [Candidate(name, f"rish-{name}", "1", "nowhere", ("solver",)) for name in ("exact", "plain")]
    user = {"user": plugin(requires=["solver"])}
    with pytest.raises(PluginsRefused) as caught:
        load_plugins(["user"], extra=user, installed=installed)
    assert "write solver=exact or solver=plain in plugins of game.yaml" in str(caught.value)
    assert load_plugins(["user", "plain"], extra={**user, "plain": PLAIN}, installed=installed).names == (
        "plain",
        "user",
    )


def test_a_choice_replaces_the_other_provider() -> None:
    """A later `contract=provider`, as from the command line, replaces a provider that the manifest names."""
    installed = [Candidate(name, f"rish-{name}", "1", name, ("solver",)) for name in ("exact", "plain")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Candidate, "load", lambda self: {"exact": EXACT, "plain": PLAIN}[self.name])
        assert load_plugins(["exact", "solver=plain"], installed=installed).names == ("plain",)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("solver=none", "'none' does not provide the contract 'solver'. Providers: plain"),
        ("wind=plain", "no installed plugin provides the contract 'wind'. Contracts: solver"),
        ("solver[deep]", "game.yaml needs deep of 'solver', which 'plain' does not offer"),
        ("solver>=2", "game.yaml requires solver>=2, but 'solver' is provided by 'plain' as 1.0"),
    ],
)
def test_a_wish_that_no_provider_fulfills(wish: str, said: str) -> None:
    """A provider, a version or a capability that does not exist is refused, with what there is."""
    assert said in refused({"plain": PLAIN}, wish)


def test_a_missing_capability_names_the_other_provider() -> None:
    """A plugin that needs a capability of a contract is refused with the provider that offers it."""
    installed = [Candidate("exact", "rish-exact", "1", "nowhere", ("solver",))]
    user = plugin(requires=["solver[deep,wide]"])
    with pytest.raises(PluginsRefused) as caught:
        load_plugins(["plain", "user"], extra={"plain": PLAIN, "user": user}, installed=installed)
    assert "plugin 'user' needs deep of 'solver', which 'plain' does not offer. Write solver=exact" in str(caught.value)


def test_two_plugins_of_one_namespace_are_refused() -> None:
    """Two providers that declare under one namespace are refused together, both named."""
    said = refused({"exact": EXACT, "plain": PLAIN}, "exact", "plain")
    assert "plugins 'exact' and 'plain' both declare under the name 'solver'" in said
    assert "Take 'exact' or 'plain' out" in said


def test_before_and_after_order_only_what_is_loaded() -> None:
    """`before` and `after` move plugins, by name or by contract, and ask for nothing."""
    first, last = plugin(before=["plain", "absent"]), plugin(after=["solver"])
    plugins = load({"last": last, "plain": PLAIN, "first": first}, "last", "plain", "first")
    assert plugins.names == ("first", "plain", "last")
    assert "'b' comes after 'a'" in refused({"a": plugin(after=["b"]), "b": plugin(after=["a"])}, "a", "b")


def test_the_smallest_refused_set_is_named() -> None:
    """If plugins that nobody named conflict, the named ones that cannot go together are said."""
    extra = {
        "rain": plugin(requires=["water"]),
        "fire": plugin(requires=["heat"]),
        "calm": plugin(),
        "water": plugin(),
        "heat": SimpleNamespace(rish_about=lambda: About(conflicts=["water"])),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Candidate, "load", lambda self: extra[self.name])
        installed = [Candidate(name, f"rish-{name}", "1", name) for name in extra]
        with pytest.raises(PluginsRefused) as caught:
            load_plugins(["calm", "rain", "fire"], installed=installed)
    assert caught.value.smallest == ("rain", "fire")
    assert "'rain' and 'fire' don't fit together" in str(caught.value)


# What is missing


def test_what_is_done_without_is_told() -> None:
    """Each optional requirement that is not met is told with its reason and its effect; met ones are not."""
    wants = {"solver[deep]": "water is shallow", "solver[wide]": "rivers are narrow", "audio": "it is silent"}
    plugins = load({"plain": PLAIN, "user": plugin(optional=wants)}, "plain", "user")
    assert [str(one) for one in plugins.degraded({})] == [
        "user: water is shallow ('plain' does not offer deep)",
        "user: it is silent ('audio' is not loaded)",
    ]


def test_capabilities_of_what_runs_are_used() -> None:
    """A contract whose capabilities are known only at run time is judged by those that are given."""
    screen = plugin("backend[*]")
    user = plugin(optional={"backend[float]": "light is clipped"}, requires=["backend[depth]"])
    plugins = load({"screen": screen, "user": user}, "screen", "user")
    assert plugins.degraded({}) == []
    assert [one.why for one in plugins.degraded({"backend": {"depth"}})] == ["the backend in use does not offer float"]
    assert plugins.needed("backend") == {"depth": "user"}


def test_a_manifest_can_need_capabilities() -> None:
    """What the manifest itself needs of a contract is known, with the manifest as its place."""
    wish = NamedWish.parse("backend[depth]", Place("game.yaml", 3))
    plugins = load_plugins([wish], extra={"screen": plugin("backend[*]")}, installed=[])
    assert plugins.needed("backend") == {"depth": "game.yaml"}


# Names


@component
class Mass:
    """A thing that falls."""

    amount: float = 1.0


@resource
class Gravity:
    """The settings of each solver."""

    strength: float = 10.0


@system(Stage.STEP, name="step", writes=Mass)
def step_exactly(world: Any, dt: float) -> None:
    """Move everything down."""


def provider(**more: Any) -> SimpleNamespace:
    """Return a provider with a component, settings and a system."""
    return plugin(
        "solver==1.0", namespace="solver", rish_components=lambda: [Mass], rish_settings=lambda: Gravity,
        rish_systems=lambda: [step_exactly], **more,
    )  # fmt: skip


def test_all_that_a_provider_declares_is_named_after_the_namespace() -> None:
    """Components, settings and systems of a provider have the names of the namespace; the plugin keeps its own."""
    registry = build_registry(load({"exact": provider()}, "exact"))
    assert [*registry.components, *registry.settings] == ["solver.Mass", "solver"]
    [bound] = registry.systems
    assert (bound.name, bound.plugin) == ("solver.step", "exact")
    assert registry.owner("component", "solver.Mass") == "exact"


def test_another_provider_takes_the_same_manifest() -> None:
    """A manifest with the names of the namespace runs with each provider, and a rule of order holds for both."""

    @system(Stage.STEP, after="solver.step")
    def look(world: Any, dt: float) -> None:
        """Come after the step."""

    text = "rish: 1\nplugins: [solver]\nsettings: {solver: {strength: 3}}\nscenes: {main: [{solver.Mass: {amount: 2}}]}"
    for name in ("exact", "plain"):
        eye = SimpleNamespace(rish_systems=lambda: [look])
        with App(
            parse_manifest(text), headless=True, installed=[], extra={"eye": eye, name: provider()}, policy="raise"
        ) as app:
            assert app.world[Gravity].strength == 3
            names = [bound.name for bound in app.schedule.stages[Stage.STEP]]
            assert names.index("solver.step") < names.index("eye.look")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"requires": ["solver[Deep]"]}, "'Deep' is no capability"),
        ({"before": ["wind>=1"]}, "before names wind>=1"),
        ({"after": "wind"}, "after is a text"),
    ],
)
def test_what_cannot_be_read_is_refused(given: dict[str, Any], said: str) -> None:
    """Capabilities and names that can't be read are refused with the form that is expected."""
    with pytest.raises(DeclarationError, match=said.replace("[", r"\[")):
        About(**given)
