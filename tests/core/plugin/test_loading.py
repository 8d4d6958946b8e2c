"""Loading: only named plugins are loaded, in a reproducible order, and broken ones are disabled."""

from __future__ import annotations

import json.decoder
import logging
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core.errors import PluginError
from rish_core.plugin import hooks
from rish_core.plugin.discovery import Candidate
from rish_core.plugin.importing import PluginsRefused
from rish_core.plugin.loading import load_plugins
from rish_core.plugin.plan import NamedWish
from rish_core.plugin.plugins import Plugins
from rish_core.plugin.solving.about import About
from rish_core.plugin.solving.packages import how_to_get_plugin
from rish_ecs import Place, UnknownName, how_to_update


def plugin(*requires: str, **functions: Callable[..., Any]) -> SimpleNamespace:
    """Return a plugin in memory that requires others."""
    return SimpleNamespace(rish_about=lambda: About(requires=requires), **functions)


def load(extra: Mapping[str, object], *wishes: str, **options: Any) -> Plugins:
    """Load plugins given in memory; failing ones are disabled."""
    options = {"installed": [], "policy": "disable", **options}
    return load_plugins(wishes, extra=extra, **options)


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Candidate]:
    """Provide a function that writes an importable module and returns its candidate."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def write(name: str, text: str, version: str = "1.0") -> Candidate:
        module = f"planted_{name}"
        (tmp_path / f"{module}.py").write_text(text, encoding="utf-8")
        return Candidate(name, f"rish-{name}", version, module)

    yield write  # pyright: ignore[reportReturnType]
    for name in set(sys.modules) - before:
        if name.startswith("planted_"):
            del sys.modules[name]


# Selection and order


def test_only_what_is_named_is_imported(on_path: Callable[..., Candidate]) -> None:
    """Only named plugins are imported, in the order in which they are named."""
    candidates = [on_path("wind", "N = 1"), on_path("box", "N = 2"), on_path("bomb", "raise SystemExit(9)")]
    plugins = load_plugins(["wind", "box>=1"], installed=candidates)
    assert plugins.names == ("wind", "box")
    assert plugins["box"].module.N == 2
    assert (plugins["box"].version, plugins["box"].distribution) == ("1.0", "rish-box")
    assert "planted_bomb" not in sys.modules


def test_the_kernel_comes_first_and_the_game_last(tmp_path: Path) -> None:
    """The order is: kernel, plugins of the manifest, plugins in memory, the game's own plugin."""
    file = tmp_path / "plugin.py"
    file.write_text("from rish_core import About\ndef rish_about(): return About(requires=['b'])\n")
    plugins = load({"b": plugin(), "a": plugin()}, "a", game_file=file, core=plugin())
    assert plugins.names == ("core", "a", "b", "game")
    assert len(plugins) == 4
    plugins.close()
    assert not [name for name in sys.modules if plugins["game"].module.__name__ == name]


@given(st.permutations(["a", "b", "c", "d", "e"]), st.randoms(use_true_random=False))
@pytest.mark.slow
def test_discovery_order_never_matters(named: list[str], chance: random.Random) -> None:
    """The order of plugins does not depend on the order in which discovery lists them."""
    requires = {"a": ("d",), "b": (), "c": ("a",), "d": (), "e": ("b",)}
    modules = {name: plugin(*requires[name], rish_prefabs=lambda name=name: {name: {}}) for name in sorted(requires)}

    def answers() -> list[str]:
        shuffled = dict(chance.sample(sorted(modules.items()), len(modules)))
        return [name for name, _ in load(shuffled, *named).gather("rish_prefabs")]

    first = answers()
    assert first == answers() == answers()
    for name, others in requires.items():
        for other in others:
            assert first.index(other) < first.index(name)


# Refusals


def refused(extra: Mapping[str, object], *wishes: Any, **options: Any) -> str:
    """Return the message with which a set of plugins is refused."""
    with pytest.raises(PluginsRefused) as caught:
        load_plugins(wishes, extra=extra, **{"installed": [], "policy": "disable", **options})
    return str(caught.value)


def test_what_is_not_installed_is_refused_with_the_command() -> None:
    """A plugin that is not installed is refused with the place, the nearest plugin, and advice."""
    wish = NamedWish("phisics", ">=0.2", Place("game.yaml", 3, 11))
    said = refused({}, wish, installed=[Candidate("physics", "rish-physics", "1", "rish_physics")])
    assert said == (
        "game.yaml:3:11: plugins: plugin 'phisics' is not installed (did you mean 'physics'?). "
        "Its documentation says which package to install; `rish plugins` lists the plugins that are installed"
    )


def test_two_packages_of_one_name_are_refused_only_where_it_is_named() -> None:
    """Two packages with a plugin of the same name are refused only if the plugin is named."""
    clash = [Candidate("wind", "gale", "0.2", "no_gale.plugin"), Candidate("wind", "storm", "1", "json.decoder")]
    said = refused({}, "wind", installed=clash)
    assert f"2 packages offer it, gale 0.2 in no_gale.plugin and storm 1 in {json.decoder.__file__}" in said
    assert said.endswith("Keep one of them. Run: pip uninstall gale, or pip uninstall storm")
    assert load({"box": plugin()}, "box", installed=clash).names == ("box",)


@pytest.mark.parametrize("impostor", ["aaa-physics", "rish-physics-fast", "zzz"])
def test_of_two_packages_the_one_that_is_not_genuine_is_named(impostor: str, on_path: Callable[..., Candidate]) -> None:
    """A plugin of this project is to be removed from the other package, also where another plugin requires it."""
    clash = [Candidate("physics", "rish-physics", "0.1.0", "x"), Candidate("physics", impostor, "1", "y")]
    text = "from rish_core import About\ndef rish_about(): return About(requires=['physics'])"
    for wish in ("physics", "wind"):
        said = refused({}, wish, installed=[*clash, on_path("wind", text)])
        assert "rish-physics 0.1.0 in x" in said
        assert f"{impostor} 1 in y" in said
        assert said.endswith(f"It belongs to rish-physics. Run: pip uninstall {impostor}")
    assert load({"box": plugin()}, "box", "wind?", installed=[*clash, on_path("wind", text)]).names == ("box",)


def test_a_version_that_the_manifest_rules_out_is_refused(on_path: Callable[..., Candidate]) -> None:
    """A version outside the manifest's range is refused with both versions and the command to install."""
    said = refused({}, "wind>=2", installed=[on_path("wind", "", "1.5")], manifest="breezy.yaml")
    assert said == (
        "breezy.yaml: plugins: breezy.yaml asks for wind>=2, but rish-wind 1.5 is installed. "
        + how_to_update("rish-wind", ">=2")
    )


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("core", "'core' is the kernel, always loaded"),
        ("game", "'game' is the game's own plugin.py"),
        ("wind>=x", "'>=x' is not a version range"),
        ("!", "'!' names no plugin"),
    ],
)
def test_names_that_no_plugin_has(wish: str, said: str) -> None:
    """Reserved and invalid names are refused with a sentence."""
    assert said in refused({}, wish)
    assert "can't be a plugin's name" in refused({"My Wind": plugin()})


def test_everything_is_reported_at_once() -> None:
    """Missing plugins, conflicts and cycles are reported together."""
    extra = {
        "a": plugin("b"),
        "b": plugin("a"),
        "c": SimpleNamespace(rish_about=lambda: About(conflicts=["a"])),
        "d": plugin("nowhere"),
    }
    with pytest.raises(PluginsRefused) as caught:
        load_plugins(["nowhere2", "a"], extra=extra, installed=[])
    text = str(caught.value)
    assert len(caught.value.problems) == 3
    for part in ("'nowhere2' is not installed", "circle: 'a' requires 'b'", "'c' conflicts with 'a'"):
        assert part in text


# Disabled plugins


def test_a_plugin_that_raises_on_import_is_set_aside(
    on_path: Callable[..., Candidate], caplog: pytest.LogCaptureFixture
) -> None:
    """A plugin that raises on import is logged and disabled with those that require it; the game continues."""
    broken = on_path("wind", "x = 1\nraise ValueError('no wind')")
    with caplog.at_level(logging.ERROR):
        plugins = load({"kite": plugin("wind"), "box": plugin()}, "wind", installed=[broken])
    assert plugins.names == ("box",)
    assert "planted_wind.py:2: plugin 'wind' could not be imported: ValueError: no wind" in caplog.text
    assert plugins.aside["kite"] == "it requires 'wind', which can't be loaded"
    with pytest.raises(UnknownName, match="'wind' is disabled: plugin 'wind' could not be imported"):
        plugins["wind"]


@pytest.mark.parametrize("text", ["def f(:\n", "import nosuchmodule\n", "raise SystemExit(0)\n", "1 / 0\n"])
def test_policy_raise_stops_at_a_broken_import(on_path: Callable[..., Candidate], text: str) -> None:
    """With the policy "raise" a broken import raises PluginError with file and line."""
    with pytest.raises(PluginError, match=r"planted_wind\.py:1.*plugin 'wind' could not be imported"):
        load_plugins(["wind"], installed=[on_path("wind", text)])


def test_an_about_that_is_none_is_a_fault() -> None:
    """A `rish_about` that returns no About disables its plugin, and its line is reported."""
    plugins = load({"wind": SimpleNamespace(rish_about=lambda: {"requires": []}), "box": plugin()})
    assert plugins.names == ("box",)
    assert "test_loading.py:" in str(plugins.failures[0])
    assert "plugin 'wind' failed in rish_about: it returned {'requires': []}" in str(plugins.failures[0])


def test_a_hook_that_raises_sets_the_plugin_aside_with_its_dependants() -> None:
    """A plugin that raises in a hook is disabled with its dependants, and listeners are notified."""
    seen: list[str] = []
    told: list[tuple[str, ...]] = []
    plugins = load(
        {
            "wind": plugin(rish_ready=lambda app: 1 / 0, rish_frame_end=lambda: seen.append("wind")),
            "kite": plugin(
                "wind", rish_ready=lambda: seen.append("kite ready"), rish_frame_end=lambda: seen.append("kite")
            ),
            "box": plugin(rish_frame_end=lambda: seen.append("box")),
        }
    )
    plugins.on_aside(told.append)
    plugins.gather("rish_ready", app=None)
    plugins.gather("rish_frame_end", world=None, stats=None)
    assert seen == ["box"]
    assert told == [("wind", "kite")]
    assert plugins.failures[0].aside == ("wind", "kite")
    assert str(plugins.failures[0]).endswith("ZeroDivisionError: division by zero. Disabled with it: kite")


def test_policy_raise_ends_at_a_hook_that_raises() -> None:
    """With the policy "raise" a failing hook raises PluginError with the original error as its cause."""
    plugins = load({"wind": plugin(rish_ready=lambda app: 1 / 0)}, policy="raise")
    with pytest.raises(PluginError, match=r"test_loading\.py:\d+: plugin 'wind' failed in rish_ready") as caught:
        plugins.gather("rish_ready", app=None)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_the_kernel_is_never_set_aside() -> None:
    """A failure of the kernel's own hooks is raised under every policy."""
    plugins = load({}, core=plugin(rish_ready=lambda app: 1 / 0))
    with pytest.raises(PluginError, match="plugin 'core'"):
        plugins.gather("rish_ready", app=None)


def test_a_provider_that_is_left_keeps_its_dependants() -> None:
    """A requirement that two plugins satisfy holds while one of them runs."""
    box = SimpleNamespace(rish_about=lambda: About(provides=["physics"]))
    plugins = load({"wind": plugin("physics"), "physics": plugin(), "box": box})
    assert plugins.set_aside("physics", "a test") == ("physics",)
    assert plugins.set_aside("box", "a test") == ("box", "wind")
    assert plugins.names == ()


def test_misspelt_hooks_are_refused() -> None:
    """A misspelt hook is raised, or disables its plugin with the nearest name in the reason."""
    broken = plugin(rish_compnents=list)
    with pytest.raises(PluginError, match="did you mean 'rish_components'"):
        load({"wind": broken}, policy="raise")
    plugins = load({"wind": broken, "box": plugin()})
    assert plugins.names == ("box",)
    assert "did you mean 'rish_components'" in plugins.aside["wind"]


def test_plugins_add_hooks_for_others() -> None:
    """A hook from `rish_hookspecs` is known to all plugins, in any order."""

    @hooks.hookspec
    def rish_weather(day: int) -> None: ...

    class Specs:
        pass

    Specs.rish_weather = staticmethod(rish_weather)  # pyright: ignore[reportAttributeAccessIssue]
    wind = plugin(rish_hookspecs=lambda: Specs)
    plugins = load({"sun": plugin(rish_weather=lambda day: f"sunny {day}"), "wind": wind}, policy="raise")
    assert plugins.gather("rish_weather", day=3) == [("sun", "sunny 3")]
    assert plugins.hook_manager.owners["rish_weather"] == "wind"
    with pytest.raises(PluginError, match="no hook is called 'rish_weather'"):
        load({"sun": plugin(rish_weather=lambda day: None)}, policy="raise")


def test_a_failing_hookspecs_sets_its_plugin_aside() -> None:
    """A plugin with invalid hook specifications is disabled, and the others still run."""
    plugins = load({"wind": plugin(rish_hookspecs=lambda: [3]), "box": plugin()})
    assert plugins.names == ("box",)
    assert "rish_hookspecs returned 3, which has no hooks" in plugins.aside["wind"]


# Error handling


def test_plugins_decide_what_becomes_of_a_system() -> None:
    """The first valid decision on a failed system applies, otherwise the policy; an invalid one disables its plugin."""
    wrong = plugin(rish_system_failed=lambda: "explode")
    skip = plugin(rish_system_failed=lambda system: "skip" if system == "wind.blow" else None)
    plugins = load({"wrong": wrong, "skip": skip})
    assert plugins.system_failed("wind.blow", ValueError(), None) == "skip"
    assert "answered 'explode'" in plugins.aside["wrong"]
    assert plugins.system_failed("wind.rest", ValueError(), None) == "disable"
    assert load({}, policy="raise").system_failed("wind.rest", ValueError(), None) == "raise"


def test_a_hint_never_hides_the_error(caplog: pytest.LogCaptureFixture) -> None:
    """A plugin that fails in `rish_error_hint` is skipped, under every policy."""
    broken = plugin(rish_error_hint=lambda error: 1 / 0)
    helper = plugin(rish_error_hint=lambda error: f"Mind {error}.")
    assert load({"broken": broken, "helper": helper}).hint(ValueError("x")) == "Mind x."
    with caplog.at_level(logging.ERROR):
        assert load({"broken": broken}, policy="raise").hint(ValueError("x")) is None
    assert "plugin 'broken' failed in rish_error_hint" in caplog.text


def test_another_module_takes_the_place_of_one() -> None:
    """`replaced` returns a changed copy; `adopt` takes it over and keeps the policy."""
    plugins = load({"a": plugin(rish_error_hint=lambda error: "old"), "b": plugin("a")}, policy="disable")
    other = plugins.replaced("a", plugin(rish_error_hint=lambda error: "new"))
    assert plugins.hint(ValueError()) == "old"
    assert other.hint(ValueError()) == "new"
    plugins.adopt(other)
    assert plugins.hint(ValueError()) == "new"
    assert plugins.names == ("a", "b")
    plugins.fail("a", "rish_ready", ValueError("late"))
    assert set(plugins.aside) == {"a", "b"}


def test_a_plugin_that_was_set_aside_comes_back() -> None:
    """A disabled plugin works again after its code is replaced."""
    plugins = load({"a": plugin(rish_manifest=lambda manifest: 1 / 0), "z": plugin()}, policy="disable")
    plugins.gather("rish_manifest", manifest=None, plugins=None, registry=None)
    assert "a" not in plugins
    plugins.adopt(plugins.replaced("a", plugin(rish_error_hint=lambda error: "back")))
    assert "a" in plugins
    assert plugins.aside == {}
    assert plugins.hint(ValueError()) == "back"


def test_a_module_that_asks_for_too_much_is_refused() -> None:
    """A replacement with a missing requirement, an unknown hook or a failing about raises and changes nothing."""
    plugins = load({"a": plugin(rish_error_hint=lambda error: "old")}, policy="disable")
    for wrong in (plugin("sound"), plugin(rish_erorr_hint=lambda error: ""), SimpleNamespace(rish_about=lambda: 1 / 0)):
        with pytest.raises(PluginError):
            plugins.replaced("a", wrong)
    assert plugins.hint(ValueError()) == "old"
    assert plugins.failures == []


def test_raising_for_a_while() -> None:
    """Within `raising` a failing plugin is raised and not disabled."""
    plugins = load({"a": plugin(rish_manifest=lambda manifest: 1 / 0)}, policy="disable")
    with pytest.raises(PluginError), plugins.raising():
        plugins.gather("rish_manifest", manifest=None, plugins=None, registry=None)
    assert plugins.aside == {}
    assert plugins.policy == "disable"


# Optional plugins


def about(**lists: Any) -> SimpleNamespace:
    """Return a plugin in memory with this description."""
    return SimpleNamespace(rish_about=lambda: About(**lists))


def test_an_optional_plugin_is_loaded_if_it_is_there(on_path: Callable[..., Candidate]) -> None:
    """A plugin named with `?` is loaded like any other; one that is not installed is named in `absent`."""
    plugins = load({}, "wind?>=1", "audio?", installed=[on_path("wind", "N = 1")])
    assert (plugins.names, plugins.optional) == (("wind",), {"wind"})
    assert plugins.absent == {"audio": f"plugin 'audio' is not installed. {how_to_get_plugin('audio')}"}


def test_an_optional_plugin_brings_what_it_requires(on_path: Callable[..., Candidate]) -> None:
    """What an optional plugin requires is loaded and optional with it, unless another plugin requires it as well."""
    text = "from rish_core import About\ndef rish_about(): return About(requires=['mixer', 'base'])"
    candidates = [on_path("audio", text), on_path("mixer", ""), on_path("base", "")]
    plugins = load({"game": plugin("base")}, "audio?", installed=candidates)
    assert plugins.names == ("mixer", "base", "audio", "game")
    assert plugins.optional == {"audio", "mixer"}


def test_a_broken_optional_plugin_is_set_aside_or_raised(
    on_path: Callable[..., Candidate], caplog: pytest.LogCaptureFixture
) -> None:
    """An optional plugin that raises on import is set aside, and raised with policy `raise`, like any other."""
    candidates = [on_path("audio", "1 / 0")]
    plugins = load({}, "audio?", installed=candidates)
    assert plugins.absent == {"audio": "it failed to load"}
    assert "division by zero" in plugins.aside["audio"]
    assert "division by zero" in caplog.text
    with pytest.raises(PluginError, match="division by zero"):
        load({}, "audio?", installed=candidates, policy="raise")


@pytest.mark.parametrize(
    ("audio", "other", "reason"),
    [
        (about(requires=["nowhere"]), about(), "'audio' requires 'nowhere', which is not installed"),
        (about(requires=["other>=2"]), about(version="1"), "requires other>=2, but 'other' is version 1"),
        (about(conflicts=["other"]), about(), "'audio' conflicts with 'other'"),
        (about(), about(conflicts=["audio"]), "'other' conflicts with 'audio'"),
        (about(api=">=9"), about(), "'audio' is for plugin API >=9"),
        (about(requires=["audio"]), about(), "requires itself"),
        (about(version="1"), about(optional=["audio>=2"]), "requires audio>=2, but 'audio' is version 1"),
        (about(requires=["other"]), about(optional=["audio"]), "in a circle"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_an_optional_plugin_that_does_not_fit_is_left_out(audio: Any, other: Any, reason: str, first: bool) -> None:
    """An optional plugin that does not fit the others is absent with the reason; the game is not refused."""
    wishes = ["audio?", "other"] if first else ["other", "audio?"]
    plugins = load({"audio": audio, "other": other}, *wishes)
    assert plugins.names == ("other",)
    assert reason in plugins.absent["audio"]
    assert not plugins.optional


def test_what_only_a_left_out_plugin_required_is_left_out(on_path: Callable[..., Candidate]) -> None:
    """An optional plugin is left out with the plugins that only it required, also if one of them is at fault."""
    text = "from rish_core import About\ndef rish_about(): return About(requires=['mixer'])"
    mixer = "from rish_core import About\ndef rish_about(): return About(conflicts=['other'])"
    plugins = load({"other": plugin()}, "audio?", installed=[on_path("audio", text), on_path("mixer", mixer)])
    assert plugins.names == ("other",)
    assert "'mixer' 1.0 conflicts with 'other'" in plugins.absent["audio"]


def test_of_two_optional_plugins_the_first_one_stays() -> None:
    """Of two optional plugins that conflict, the one that is named later is left out."""
    extra = {"a": about(conflicts=["b"]), "b": about()}
    assert load(extra, "a?", "b?").names == ("a",)
    assert load(extra, "b?", "a?").names == ("b",)


def test_required_plugins_are_refused_in_spite_of_an_optional_one() -> None:
    """A conflict of two required plugins refuses the game; the optional ones are not blamed."""
    said = refused({"a": about(conflicts=["b"]), "b": about(), "audio": about(conflicts=["a"])}, "a", "b", "audio?")
    assert "'a' conflicts with 'b'" in said
    assert "audio" not in said


def test_a_range_holds_for_a_plugin_that_another_one_requires(on_path: Callable[..., Candidate]) -> None:
    """A plugin outside the optional range that a required plugin loads is refused, and leaves an optional one out."""
    candidates = [on_path("audio", "", "0.1")]
    said = refused({"other": plugin("audio")}, "other", "audio?>=0.2", installed=candidates)
    assert "asks for audio>=0.2, but rish-audio 0.1 is installed" in said
    plugins = load({"other": plugin("audio")}, "other?", "audio?>=0.2", installed=candidates)
    assert (plugins.names, [*plugins.absent]) == ((), ["audio", "other"])


def test_two_packages_with_an_optional_plugin_are_an_absence() -> None:
    """An optional plugin that two packages offer is left out, with the reason."""
    both = [Candidate("audio", "rish-audio", "1", "x"), Candidate("audio", "other-audio", "1", "y")]
    assert "2 packages offer it" in load({}, "audio?", installed=both).absent["audio"]


def test_a_plugin_named_firmly_somewhere_is_not_optional() -> None:
    """If one of two wishes for a plugin is firm, the plugin is not optional."""
    assert "not installed" in refused({}, "audio?", "audio")
    assert load({"audio": plugin()}, "audio?", "audio").optional == set()


def test_an_optional_requirement_comes_first() -> None:
    """A plugin comes after the plugins that it names as optional, if they are loaded; they are not loaded for it."""
    user = about(optional=["audio>=0.2"])
    assert load({"user": user, "audio": about(version="0.3")}).names == ("audio", "user")
    assert load({"user": user}).names == ("user",)
    assert load({"user": user}, installed=[Candidate("audio", "rish-audio", "1", "x")]).names == ("user",)
    assert "'user' requires audio>=0.2, but 'audio' is version 0.1" in refused(
        {"user": user, "audio": about(version="0.1")}
    )


def test_a_plugin_survives_the_failure_of_one_that_it_uses_optionally() -> None:
    """A plugin that fails is set aside without those that only name it as optional."""
    plugins = load({"user": about(optional=["audio"]), "audio": plugin(rish_components=lambda: 1 / 0)})
    plugins.gather("rish_components")
    assert plugins.names == ("user",)
