"""The declarations of rish_frame, and the hooks that it adds for plugins that draw."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from in_memory import MakeApp, plugin

from rish_core import (
    App,
    ManifestError,
    PluginError,
    Plugins,
    Registry,
    Stage,
    Transform,
    World,
    builtin,
    parse_manifest,
    system,
)
from rish_core.plugin import build_registry, load_plugins
from rish_ecs import DeclarationError, UnknownName
from rish_frame import ArraySpec, BackendError, Compute, NullBackend, Pass, Target
from rish_frame import plugin as frame

FRAME = {"frame": frame}


def load(policy: str = "raise", **extra: object) -> Plugins:
    """Load plugins given in memory, with those of the kernel and the frame."""
    return load_plugins(core=builtin, extra={"frame": frame, **extra}, installed=[], policy=policy)  # pyright: ignore[reportArgumentType]


def returning(**values: Any) -> SimpleNamespace:
    """Return a plugin whose hooks return these values."""
    return SimpleNamespace(**{f"rish_{name}": lambda value=value: value for name, value in values.items()})


def registry(**extra: object) -> Registry:
    """Return the registry of plugins given in memory."""
    return build_registry(load(**extra))


def declare(**functions: Callable[..., Any]) -> Registry:
    """Return the registry of one plugin."""
    return registry(wind=SimpleNamespace(**functions))


def test_it_declares_the_frame_and_what_belongs_to_it() -> None:
    """The frame and its parts are owned by `frame`."""
    found = registry()
    own = {name for name in (*found.resources, *found.tables) if name.startswith("frame.")}
    names = (
        "Frame Paintings ImageMask WorldMatrices LightPoints Billboards Computes DeviceRequests Soundtrack AssetWatch"
    )
    assert own == {f"frame.{name}" for name in names.split()}
    assert found.manifest_keys == {"game.size": "frame", "backend": "frame"}
    assert set(found.layer_options) == {"lit", "parallax", "y_sort", "behind"}
    assert set(found.of("rish_backends")) == {"null"}
    assert ".png" in found.loaders


def test_poses_are_remembered_and_interpolated_before_all_other_systems(rish_app: MakeApp) -> None:
    """Poses are remembered and interpolated before the systems of all plugins, also of those loaded earlier."""

    @system(Stage.INPUT, writes=Transform)
    def move(world: World, dt: float) -> None:
        """Move things at the start of the tick."""

    @system(Stage.LATE, writes=Transform, view=True)
    def shake(world: World, dt: float) -> None:
        """Read matrices."""

    app = rish_app({}, plugins={"eager": SimpleNamespace(rish_systems=lambda: [move, shake]), **FRAME})
    order = {stage: [bound.name for bound in app.schedule.stages[stage]] for stage in (Stage.INPUT, Stage.LATE)}
    assert order[Stage.INPUT][:2] == ["frame.remember_poses", "eager.move"]
    assert order[Stage.LATE][:4] == [
        "frame.interpolate_poses", "frame.clear_lights", "frame.clear_billboards", "eager.shake",
    ]  # fmt: skip


def test_hook_rish_passes() -> None:
    """Passes and targets are stored separately, and may have the same name."""
    found = declare(rish_passes=lambda: [Target("glow", size=0.5), Pass("glow", targets=("glow",))]).of("rish_passes")
    assert (found["target glow"].size, found["pass glow"].targets) == (0.5, ("glow",))
    found = registry(a=returning(passes=[Pass("glow")]), b=returning(passes=[Target("glow")]))
    assert (found.owner("pass", "glow"), found.owner("target", "glow")) == ("a", "b")


def test_hook_rish_backends() -> None:
    """Factories are stored, and not called."""

    def make() -> Any:
        raise AssertionError

    assert declare(rish_backends=lambda: {"paper": make}).of("rish_backends")["paper"] is make


def test_hook_rish_drawers() -> None:
    """Drawers of several plugins for one backend are combined."""
    sun = SimpleNamespace(rish_drawers=lambda: {"paper": {"lights": list}})
    wind = SimpleNamespace(rish_drawers=lambda: {"paper": {"gusts": dict}, "other": {}})
    assert registry(sun=sun, wind=wind).of("rish_drawers") == {
        "paper/lights": ("paper", "lights", list),
        "paper/gusts": ("paper", "gusts", dict),
    }


def test_hook_rish_pickers() -> None:
    """Pickers are stored by name and not called; a picker that is no function disables its plugin."""

    def find(world: Any, region: Any) -> Any:
        raise AssertionError

    assert declare(rish_pickers=lambda: {"vanes": find}).of("rish_pickers")["vanes"] is find
    with pytest.raises(PluginError, match="a function"):
        declare(rish_pickers=lambda: {"vanes": 3})


def test_hook_rish_compute() -> None:
    """Declared work is stored by name with its owner; anything else disables its plugin."""
    work = Compute("wind.blow", "blow.comp", {"place": ArraySpec(np.dtype("float32"), ("n",), "")}, print)
    found = declare(rish_compute=lambda: [work])
    assert found.of("rish_compute") == {"wind.blow": work}
    assert found.owner("compute", "wind.blow") == "wind"
    with pytest.raises(PluginError, match="a Compute"):
        declare(rish_compute=lambda: ["blow.comp"])


def test_hook_rish_samples() -> None:
    """The hook gets the World, the backend and the hidden frame; its samples are returned with the plugin's name."""
    heard: list[int] = []
    mine = SimpleNamespace(rish_samples=lambda backend: heard.append(backend) or [])
    assert load(wind=mine).gather("rish_samples", world=1, backend=2, frame=3) == [("wind", [])]
    assert heard == [2]


def test_hook_rish_loading() -> None:
    """The first plugin that returns an image of the window's size paints the loading screen."""
    none = SimpleNamespace(rish_loading=lambda: None)
    mine = SimpleNamespace(rish_loading=lambda size, done, total, what: (size, done / total, what))
    given = {"world": 1, "title": "Wind", "size": (4, 3), "done": 1, "total": 4, "what": "a.png"}
    found = load(none=none, mine=mine).first("rish_loading", **given)
    assert found == ("mine", ((4, 3), 0.25, "a.png"))


def test_hook_rish_device_ready() -> None:
    """A plugin whose hook fails is disabled, and the next one is called."""
    heard: list[str] = []
    plugins = load(
        "disable",
        wind=SimpleNamespace(rish_device_ready=lambda backend: backend.shader),
        b=SimpleNamespace(rish_device_ready=lambda backend: heard.append(backend)),
    )
    plugins.gather("rish_device_ready", backend="paper", world=None)
    assert heard == ["paper"]
    assert "AttributeError" in plugins.aside["wind"]


@pytest.mark.parametrize(
    ("hook", "value", "said"),
    [
        ("passes", ["x"], "expected a Pass or Target"),
        ("backends", {"paper": 3}, "returned a int, 3 for 'paper', expected a function"),
        ("backends", ["paper"], "returned a list"),
        ("drawers", {"paper": list}, r"expected \{kind: drawer factory\}"),
    ],
)
def test_what_a_hook_returns_is_checked(hook: str, value: Any, said: str) -> None:
    """A wrong return value is reported with plugin, hook, value, place, expected type and a correction."""
    with pytest.raises(PluginError, match=rf"test_plugin.py:\d+: plugin 'wind' failed in rish_{hook}: .*{said}"):
        registry(wind=returning(**{hook: value}))


@pytest.mark.parametrize(
    ("hook", "value", "said"),
    [
        ("passes", [Pass("glow")], "pass 'glow' comes from both"),
        ("backends", {"paper": list}, "backend 'paper' comes from both"),
        ("drawers", {"paper": {"lights": list}}, "drawer 'paper/lights' comes from both"),
    ],
)
def test_what_two_plugins_declare_alike_is_refused(hook: str, value: Any, said: str) -> None:
    """A conflict is reported with both owners."""
    with pytest.raises(DeclarationError, match=said):
        registry(a=returning(**{hook: value}), b=returning(**{hook: value}))


# The manifest


def test_size_and_backend_come_from_the_manifest(rish_app: MakeApp) -> None:
    """Size and backend are read from `game` and the top level, or from the plugin's settings."""
    for text in ({"game": {"size": [320, 200]}}, {"game": {}, "settings": {"frame": {"size": [320, 200]}}}):
        app = rish_app({**text, "plugins": ["frame"]}, installed=["frame"], backend="null")
        assert (app.host.size, app.world[frame.Frame].design) == ((320, 200), (320, 200))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game: {size: [960, 0]}", r"game\.yaml:2:20: game\.size\[1\]: 0 is out of range: 1 to 8192 px"),
        ("game: {size: 960}", r"game\.yaml:2:14: game\.size: must be 2 numbers in px, not the number 960"),
        ("game: {sise: [1, 1]}", r"game\.yaml:2:8: game\.sise: `game` has no key 'sise' \(did you mean 'size'\?\)"),
        ("backend: nul", r"game\.yaml:2:10: backend: no backend is called 'nul' \(did you mean 'null'\?\)"),
        ("bakend: null", r"a manifest has no section 'bakend' \(did you mean 'backend'\?\)"),
        ("layers: [{hud: {lt: true}}]", r"layers\[0\]\.hud\.lt: a layer has no option 'lt' \(did you mean 'lit'\?\)"),
        ("layers: [{hud: {parallax: [1]}}]", r"layers\[0\]\.hud\.parallax: must be 2 numbers"),
        ("backend: 'null'\nsettings: {frame: {backend: 'null'}}", "is written in `settings: frame:` as well: keep one"),
    ],
)
def test_mistakes_in_them_are_located(text: str, said: str, rish_app: MakeApp) -> None:
    """Mistakes in them are reported with their place and the nearest valid value."""
    with pytest.raises(ManifestError, match=said):
        rish_app(f"rish: 1\n{text}\nplugins: [frame]\nscenes: {{main: []}}\n", installed=["frame"])


# The host


def test_the_null_backend_is_made_anew_for_each_game(rish_app: MakeApp) -> None:
    """Each game gets a null backend of its own."""
    one, two = rish_app({}, backend="null"), rish_app({}, backend="null")
    assert isinstance(one.host.backend, NullBackend)
    assert one.host.backend is not two.host.backend


def test_an_unknown_backend_is_answered_with_a_near_one(rish_app: MakeApp) -> None:
    """An unknown backend is reported with the nearest name; a capture without drawing with the plugin to add."""
    with pytest.raises(UnknownName, match="did you mean 'null'"):
        rish_app({}, backend="nul")
    with pytest.raises(BackendError, match=r"needs a backend with pixels.*render"):
        App(parse_manifest("rish: 1\nscenes: {main: []}"), headless=True, pixels=True, installed=[], extra=FRAME)


def test_the_backend_says_why_it_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is the option, the environment, the manifest, or that it was the first to open."""

    def reason(text: str = "", **options: Any) -> str:
        manifest = parse_manifest(f"rish: 1\nscenes: {{main: []}}\n{text}")
        with App(manifest, installed=[], extra={**FRAME, "two": two}, **options) as app:
            return app.host.reason

    def broken() -> NullBackend:
        raise OSError("no display")

    two = plugin(backends=lambda: {"broken": broken, "mine": NullBackend})
    assert "--backend" in reason(backend="mine")
    assert "the manifest" in reason("backend: mine")
    assert "first that opens" in reason()
    assert "'broken' did not open (OSError: no display)" in reason()
    monkeypatch.setenv("RISH_BACKEND", "mine")
    assert "RISH_BACKEND" in reason()
    assert "nobody looks" in reason(headless=True)
    with pytest.raises(BackendError, match="no display"):
        reason(backend="broken")
