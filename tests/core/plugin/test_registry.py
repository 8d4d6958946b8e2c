"""The registry checks the values that hooks return, prefixes their names with the owner, and is frozen."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core.errors import PluginError
from rish_core.loop.layers import Layer
from rish_core.plugin.discovery import Candidate
from rish_core.plugin.hooks import hookspec
from rish_core.plugin.loading import load_plugins
from rish_core.plugin.plugins import Plugins
from rish_core.plugin.registry import Registry, build_registry
from rish_core.plugin.solving.about import About
from rish_ecs import DeclarationError, Stage, UnknownName, component, event, kind_of, resource, system, table


def load(policy: str = "raise", **extra: object) -> Plugins:
    """Load plugins given in memory."""
    return load_plugins(extra=extra, installed=[], policy=policy)  # pyright: ignore[reportArgumentType]


def registry(**extra: object) -> Registry:
    """Return the registry of plugins given in memory."""
    return build_registry(load(**extra))


def returning(**values: Any) -> SimpleNamespace:
    """Return a plugin whose hooks return these values."""
    return SimpleNamespace(**{f"rish_{name}": lambda value=value: value for name, value in values.items()})


def body() -> type:
    """Return a new component class called Body."""

    @component
    class Body:
        mass: float = 1.0

    return Body


def test_everything_is_gathered_and_named_after_its_owner() -> None:
    """Components, events, tables, resources and systems get full names; others are stored by their own name."""
    Body = body()  # noqa: N806

    @event
    class Hit:
        force: float

    @table
    class Contacts:
        depth: float

    @resource
    class Score:
        points: int = 0

    @resource
    class Settings:
        gravity: float = -9.8

    @system(Stage.UPDATE, reads=Body, writes=(Score, Contacts))
    def step(world: Any, dt: float) -> None: ...

    hud = Layer("hud")
    found = registry(
        physics=returning(
            components=[Body],
            events=(Hit,),
            resources=[Score, Contacts],
            settings=Settings,
            systems=[step],
            layers=[hud],
            loaders={".words": str},
            prefabs={"ball": {"Body": {}}},
        )
    )
    assert list(found.components) == ["physics.Body"]
    assert kind_of(Body).key == "physics.Body"
    assert found.declared == (Body, Hit, Contacts)
    assert found.component("Body") is found.component("physics.Body") is kind_of(Body)
    assert found.event("Hit").cls is Hit
    assert found.table("Contacts").cls is Contacts
    assert found.resource("Score").key == "physics.Score"
    assert found.settings["physics"].cls is Settings
    assert found.system("step").name == "physics.step"
    assert found.layers["hud"] is hud
    assert found.loaders[".words"] is str
    assert found.prefabs["ball"] == {"Body": {}}
    assert found.plugins == ("physics",)
    assert found.owner("layer", "hud") == "physics"
    with pytest.raises(UnknownName, match="no layer is called 'hut'"):
        found.owner("layer", "hut")


def test_the_registry_is_frozen() -> None:
    """A registry cannot be changed."""
    found = registry(wind=returning(components=[body()]))
    with pytest.raises(TypeError):
        found.components["x"] = None  # pyright: ignore[reportIndexIssue]
    with pytest.raises(AttributeError):
        found.plugins = ()  # pyright: ignore[reportAttributeAccessIssue]


def test_declarations_keep_the_order_of_the_plugins() -> None:
    """Declarations have the order of the plugins, then that of each list."""

    def systems(*names: str) -> list[Callable[..., None]]:
        def make(name: str) -> Callable[..., None]:
            @system(Stage.UPDATE, name=name)
            def act(world: Any, dt: float) -> None: ...

            return act

        return [make(name) for name in names]

    b = returning(systems=systems("z", "a"))
    a = returning(systems=systems("y"), about=About(requires=["b"]))
    found = registry(a=a, b=b)
    assert [bound.name for bound in found.systems] == ["b.z", "b.a", "a.y"]


def test_short_names_work_where_they_are_clear() -> None:
    """A short name works if it is unique; otherwise the full names are offered, or the nearest name."""
    found = registry(physics=returning(components=[body()]), box=returning(components=[body()]))
    with pytest.raises(UnknownName, match=r"component 'Body' is ambiguous: physics and box each declare one"):
        found.component("Body")
    with pytest.raises(UnknownName, match=r"Write box\.Body or physics\.Body"):
        found.component("Body")
    assert found.component("box.Body").owner == "box"
    with pytest.raises(UnknownName, match=r"no component is called 'box\.Bodi' \(did you mean 'box\.Body'\?\)"):
        found.component("box.Bodi")
    with pytest.raises(UnknownName, match=r"did you mean 'Body'"):
        registry(physics=returning(components=[body()])).component("Bdoy")


class Plain:
    """A class without a decorator."""


@component
class Marked:
    """A component."""

    x: float


def plain(world: Any, dt: float) -> None:
    """A function without a decorator."""


@pytest.mark.parametrize(
    ("hook", "value", "said"),
    [
        (
            "components",
            Marked,
            "returned the class Marked .*expected a list of classes marked @component. Put it in a list",
        ),
        (
            "components",
            [Plain],
            r"returned the class Plain \(.*test_registry.py:\d+\), expected a class marked @component",
        ),
        ("components", [Marked(x=1)], "returned a Marked, .* Return the class, Marked"),
        ("components", [type("Heir", (Marked,), {})], "the class Heir"),
        ("events", [Marked], "It is marked @component: return it from rish_components"),
        ("resources", [Plain], "expected a class marked @resource or @table"),
        ("resources", [Marked], "return it from rish_components"),
        ("settings", [Plain], "returned a list, .* expected one class marked @resource"),
        ("settings", Plain, "Write @resource above the class"),
        ("systems", [plain], r"the function plain .* Write @system\(Stage.UPDATE\) above it"),
        ("systems", "blow", "returned a str, 'blow', expected a list"),
        ("layers", ["hud"], "expected a Layer"),
        ("manifest_keys", ["game size"], "returned a str, 'game size', expected a key such as 'game.size'"),
        ("manifest_keys", "size", "returned a str, 'size', expected a list of keys"),
        ("layer_options", [Plain], "expected one class marked @resource"),
        ("loaders", {"png": str}, "the suffix 'png', expected lower case after a dot. Write '.png'"),
        ("loaders", {7: str}, "returned the name 7, expected a text"),
        ("prefabs", {"ball": []}, "expected {Component"),
    ],
)
def test_what_a_hook_returns_is_checked(hook: str, value: Any, said: str) -> None:
    """A wrong return value is reported with plugin, hook, place, and the expected form."""
    with pytest.raises(PluginError, match=rf"test_registry.py:\d+: plugin 'wind' failed in rish_{hook}: .*{said}"):
        registry(wind=returning(**{hook: value}))


def test_under_disable_a_wrong_answer_sets_the_plugin_aside() -> None:
    """With the policy "disable" a wrong value disables the plugin with its dependants and all their declarations."""
    plugins = load(
        "disable",
        wind=returning(components=[body()], layers=["hud"]),
        kite=returning(components=[body()], about=About(requires=["wind"])),
        box=returning(components=[body()]),
    )
    found = build_registry(plugins)
    assert list(found.components) == ["box.Body"]
    assert found.plugins == ("box",)
    assert "expected a Layer" in plugins.aside["wind"]


@pytest.mark.parametrize(
    ("hook", "value", "said"),
    [
        ("components", [Marked], "component 'Marked' comes from both 'a' and 'b'"),
        ("layers", [Layer("hud")], "layer 'hud' comes from both 'a' and 'b'"),
        ("manifest_keys", ["game.size"], "key of the manifest 'game.size' comes from both"),
        ("prefabs", {"ball": {}}, "prefab 'ball' comes from both"),
    ],
)
def test_what_two_plugins_declare_alike_is_refused(hook: str, value: Any, said: str) -> None:
    """A name that two plugins declare is refused with both owners, under every policy."""
    for policy in ("raise", "disable"):
        plugins = load(policy, a=returning(**{hook: value}), b=returning(**{hook: value}))
        with pytest.raises(DeclarationError, match=said):
            build_registry(plugins)


def test_plugins_share_a_loader_or_are_refused() -> None:
    """Two plugins may return the same loader for a suffix; two different ones are refused with both owners."""
    words, others = returning(loaders={".words": list}), returning(loaders={".words": tuple})
    assert registry(a=words, b=words).loaders[".words"] is list
    with pytest.raises(DeclarationError, match=r"loader '\.words' comes from both 'a' and 'b'"):
        registry(a=words, b=others)


def test_declaring_twice_is_refused() -> None:
    """A class that one plugin returns twice is refused."""
    with pytest.raises(DeclarationError, match="plugin 'wind' declares the component 'Marked' twice"):
        registry(wind=returning(components=[Marked, Marked]))


def test_two_systems_of_one_name_are_refused() -> None:
    """Two systems of a plugin with the same name are refused."""

    @system(Stage.UPDATE)
    def blow(world: Any, dt: float) -> None: ...

    with pytest.raises(PluginError, match=r"two systems are called 'wind\.blow'"):
        registry(wind=returning(systems=[blow, blow]))


def test_a_system_needs_what_it_reads() -> None:
    """A system that uses an undeclared component is refused with the plugin to require."""
    Body = body()  # noqa: N806

    @system(Stage.UPDATE, writes=Body)
    def blow(world: Any, dt: float) -> None: ...

    with pytest.raises(
        PluginError, match=r"system 'wind\.blow' names the component 'Body', .* from rish_components\(\)"
    ):
        registry(wind=returning(systems=[blow]))
    Body.__module__ = "rish_box.parts"
    plugins = load(wind=returning(systems=[blow]))
    with pytest.raises(PluginError, match=r"It belongs to rish_box\. Require the plugin that declares it"):
        build_registry(plugins)
    plugins.others = (Candidate("box", "rish-box", "1.0", "rish_box.plugin"),)
    with pytest.raises(
        PluginError, match=r"It belongs to the plugin 'box': add box to `plugins:`, and to About\(requires="
    ):
        build_registry(plugins)
    assert registry(wind=returning(systems=[blow]), box=returning(components=[Body])).systems


def test_losing_a_plugin_may_cost_another() -> None:
    """A system whose component belongs to a disabled plugin disables its own plugin, and no others."""
    Body = body()  # noqa: N806

    @system(Stage.UPDATE, writes=Body)
    def blow(world: Any, dt: float) -> None: ...

    plugins = load(
        "disable",
        wind=returning(systems=[blow]),
        box=returning(components=[Body], layers=3),
        hud=returning(components=[body()]),
    )
    assert build_registry(plugins).plugins == ("hud",)
    assert set(plugins.aside) == {"wind", "box"}


def test_the_kernel_has_no_privileges() -> None:
    """The kernel's declarations go through the same hooks and conflict like others."""
    core = returning(components=[Marked])
    plugins = load_plugins(core=core, extra={"wind": returning(components=[Marked])}, installed=[])
    with pytest.raises(DeclarationError, match="both 'core' and 'wind'"):
        build_registry(plugins)
    assert list(build_registry(load_plugins(core=core, installed=[])).components) == ["core.Marked"]


def test_a_plugins_hook_may_declare_components() -> None:
    """A plugin's hook with `declares="rish_components"` declares components of the plugins that implement it."""

    class Specs:
        @staticmethod
        @hookspec(declares="rish_components")
        def rish_weathers() -> list[type]: ...  # pyright: ignore[reportReturnType]

    Rain, Snow = body(), body()  # noqa: N806
    wind = SimpleNamespace(rish_hookspecs=lambda: Specs, rish_weathers=lambda: [Rain])
    found = registry(wind=wind, alps=returning(weathers=[Snow]))
    assert list(found.components) == ["wind.Body", "alps.Body"]
    assert found.owner("component", "alps.Body") == "alps"
    assert kind_of(Snow).key == "alps.Body"
    with pytest.raises(PluginError, match=r"plugin 'alps' failed in rish_weathers.*returned an? int"):
        registry(wind=wind, alps=returning(weathers=3))


def test_a_hook_declares_what_the_kernel_knows() -> None:
    """`declares` with an unknown hook is refused with the nearest name."""

    class Specs:
        @staticmethod
        @hookspec(declares="rish_component")
        def rish_weathers() -> list[type]: ...  # pyright: ignore[reportReturnType]

    with pytest.raises(PluginError, match=r"'rish_weathers' of plugin 'wind' declares 'rish_component'.*did you mean"):
        registry(wind=SimpleNamespace(rish_hookspecs=lambda: Specs))


def test_a_component_is_found_by_its_former_name(caplog: pytest.LogCaptureFixture) -> None:
    """A component is found by its former name with a notice, unless another component has that name now."""

    @component(was="Pin")
    class Hinge:
        """A component that was called Pin."""

    @component
    class Pin:
        """Another component."""

    found = registry(physics=returning(components=[Hinge]))
    assert found.component("Pin").cls is Hinge
    assert found.component("physics.Pin").cls is Hinge
    assert "'Pin' is called 'Hinge' now" in caplog.text
    assert registry(physics=returning(components=[Hinge, Pin])).component("Pin").cls is Pin
