"""Plugins of a running game are switched off and on, loaded, unloaded, replaced and reloaded between two ticks."""

from __future__ import annotations

import gc
import logging
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rish_core import About, Interventions, Layer, LayerStack, UnknownName, UsageError, WindowEvent
from rish_core.app import App
from rish_core.errors import ManifestError, PluginError
from rish_ecs import Stage, component, resource, system
from rish_reload import disable, enable, load, reload, replace, surgery_of, unload


@component
class Ball:
    """What both providers of the contract move."""

    speed: float = 1.0


@component
class Wind:
    """Only the first provider knows it."""

    strength: float = 2.0


@resource
class Count:
    """What the first provider counts, and the hooks that were called."""

    ticks: int = 0


CALLS: list[str] = []


@pytest.fixture(autouse=True)
def _calls() -> None:
    CALLS.clear()


def provider(speed: float, *extra: Any, fails: Any = lambda tick: False, **hooks: Any) -> Any:
    """Return a provider of the contract `physics2d`; its system adds to the speeds of balls."""

    @system(Stage.STEP, writes=Ball)
    def step(world: Any, dt: float) -> None:
        """Add to the speeds."""
        if fails(world.tick):
            raise ValueError("it broke")
        with world.query(Ball).edit(Ball.speed) as speeds:
            speeds += speed

    def tell(what: str) -> Callable[..., None]:
        def say() -> None:
            CALLS.append(f"{what} {speed:g}")

        return say

    components = [Ball, *(each for each in extra if hasattr(each, "__kind__"))]
    resources = [each for each in extra if not hasattr(each, "__kind__")]
    found = {
        "rish_about": lambda: About(provides=["physics2d"], namespace="physics"),
        "rish_components": lambda: components,
        "rish_resources": lambda: resources,
        "rish_systems": lambda: [step],
        "rish_ready": tell("ready"),
        "rish_scene_loaded": tell("scene"),
        "rish_shutdown": tell("shutdown"),
    }
    return SimpleNamespace(**found | hooks)


def user() -> Any:
    """Return a plugin that requires the contract, with a layer that consumes keys."""

    def hear(world: Any, event: WindowEvent) -> bool:
        CALLS.append("heard")
        return True

    return SimpleNamespace(
        rish_about=lambda: About(requires=["physics2d"]),
        rish_layers=lambda: [Layer("keys", on_event=hear)],
        rish_frame_end=lambda: CALLS.append("frame"),
    )


TEXT = {"scenes": {"main": [{"count": 3, "Transform": {}, "Ball": {"speed": 5}}]}}


@pytest.fixture
def app(rish_app: Callable[..., App]) -> App:
    """Build a game with a provider and a plugin that requires it, and run two frames."""
    app = rish_app(TEXT, plugins={"solid": provider(1, Wind, Count), "user": user()})
    for entity in app.world.query(Ball).entities[:2].tolist():
        app.world.add(entity, Wind(strength=7.0))
    app.run(2)
    CALLS.clear()
    return app


def speed(app: App) -> float:
    """Return the speed of the first ball."""
    return float(app.world.query(Ball)[Ball.speed][0])


def names(app: App) -> tuple[str, ...]:
    """Return the running plugins beside those of every test."""
    return tuple(name for name in app.plugins.names if name not in ("core", "strict"))


# Off and on


def test_a_disabled_plugin_rests_and_keeps_its_data(app: App) -> None:
    """No system, hook or handler of it and its dependents is called; the hash is the same; both come back."""
    before = app.world.hash()
    done = disable(app, "solid")
    assert (done.stopped, done.state) == (("solid", "user"), "done")
    assert app.world.hash() == before
    app.run(1)
    assert speed(app) == 7.0
    app.world[LayerStack].route(app.world, WindowEvent("key", "A", True))
    assert CALLS == ["shutdown 1"]
    assert app.set_aside == []

    state = app.world.hash()
    done = enable(app, "solid")
    assert done.started == ("solid", "user")
    assert app.world.hash() == state
    app.run(1)
    app.world[LayerStack].route(app.world, WindowEvent("key", "A", True))
    assert speed(app) == 8.0
    assert CALLS == ["shutdown 1", "ready 1", "scene 1", "frame", "heard"]
    assert [reason for _, reason in app.world[Interventions].reasons] == ["disable solid", "enable solid"]


def test_enabling_keeps_the_state_that_rish_ready_sets(rish_app: Callable[..., App]) -> None:
    """What `rish_ready` and `rish_scene_loaded` write when a plugin is enabled is taken back."""

    def write(world: Any) -> None:
        world[Count].ticks = 0
        world.spawn(Ball)

    plugin = provider(1, Count, rish_ready=lambda app: write(app.world), rish_scene_loaded=lambda world: write(world))
    app = rish_app(TEXT, plugins={"solid": plugin})
    app.run(1)
    app.world[Count].ticks = 9
    before = app.world.hash()
    disable(app, "solid")
    enable(app, "solid")
    assert app.world.hash() == before


def test_a_plugin_that_a_disabled_one_needs_too_stays_off(rish_app: Callable[..., App]) -> None:
    """A plugin returns only when all that it requires run."""
    both = SimpleNamespace(rish_about=lambda: About(requires=["one", "two"]))
    app = rish_app(plugins={"one": SimpleNamespace(), "two": SimpleNamespace(), "both": both})
    disable(app, "one")
    disable(app, "two")
    assert enable(app, "one").started == ("one",)
    with pytest.raises(PluginError, match="it requires 'two', which is disabled"):
        enable(app, "both")
    assert enable(app, "two").started == ("two", "both")


def test_a_plugin_that_failed_is_enabled_again(rish_app: Callable[..., App]) -> None:
    """`enable` also brings back a plugin that was set aside for a failure."""
    fails = [True]

    def end() -> None:
        if fails.pop():
            raise ValueError("once")

    app = rish_app(TEXT, plugins={"solid": provider(1, rish_frame_end=end)}, policy="disable")
    app.run(2)
    assert app.set_aside == ["plugin 'solid'"]
    fails.extend([False] * 2)
    enable(app, "solid")
    app.run(1)
    assert app.set_aside == []
    assert speed(app) == 7.0


def test_a_reload_keeps_the_data_of_disabled_plugins(app: App) -> None:
    """A plugin that is loaded meanwhile changes neither the data of a disabled one nor that it is off."""
    disable(app, "solid")
    load(app, "more", given=SimpleNamespace())
    assert len(app.world.table(Ball)) == 3
    app.run(1)
    assert speed(app) == 7.0
    assert enable(app, "solid").started == ("solid", "user")


# Exchanged


def test_a_second_provider_takes_over_the_rows(app: App) -> None:
    """Shared components keep their rows; others are dropped and reported; the plugins that require it go on."""
    done = replace(app, "solid", "soft", given=provider(10))
    assert (done.started, done.stopped, done.dropped) == (("soft",), ("solid",), {"physics.Wind": 2})
    assert CALLS == ["shutdown 1", "ready 10", "scene 10"]
    app.run(1)
    assert speed(app) == 17.0
    assert names(app) == ("soft", "user")
    assert done.state == "trial"
    app.run(30)
    assert done.state == "done"


def test_a_plugin_is_loaded_and_unloaded(app: App) -> None:
    """A loaded plugin begins with its components; unloading drops their rows and leaves the rest."""
    before = app.world.hash()

    @component
    class Flag:
        """A component of the new plugin."""

    plugin = SimpleNamespace(
        rish_components=lambda: [Flag], rish_ready=lambda app: app.world.add(app.world.query(Ball).entities, Flag)
    )
    assert load(app, "flags", given=plugin).started == ("flags",)
    assert len(app.world.table(Flag)) == 3
    assert unload(app, "flags").dropped == {"flags.Flag": 3}
    assert app.world.hash() == before


def test_code_is_read_again(rish_app: Callable[..., App], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`reload` runs the package's file as it is now; a file that does not run changes nothing."""
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "rish_edited_here.py"
    head = "from rish_core import Interventions, Stage, system\n@system(Stage.UPDATE)\ndef go(world, dt):\n"
    text = f"{head}    world[Interventions].note(str({{}}))\n"
    file.write_text(f"{text.format(1)}def rish_systems():\n    return [go]\n")
    import rish_edited_here  # pyright: ignore[reportMissingImports]

    app = rish_app(plugins={"edited": rish_edited_here})
    file.write_text(f"{text.format(2)}def rish_systems():\n    return [go]\n")
    reload(app, "edited")
    app.run(1)
    assert app.world[Interventions].reasons[-1][1] == "2"
    file.write_text("1 / 0\n")
    with pytest.raises(ZeroDivisionError):
        reload(app, "edited")
    app.run(30)
    file.write_text(f"{text.format('1 / 0')}def rish_systems():\n    return [go]\n")
    done = reload(app, "edited")
    app.run(3)
    assert done.state == "undone"
    assert app.world[Interventions].reasons[-1][1] == "2"


def test_a_package_whose_classes_others_use_is_not_loaded_again(
    rish_app: Callable[..., App], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two versions of a plain class would not fit together, so the reload is refused with the user of the class."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "rish_lender.py").write_text("class Lent: pass\n")
    (tmp_path / "rish_borrower.py").write_text("from rish_lender import Lent\n")
    import rish_borrower  # pyright: ignore[reportMissingImports]
    import rish_lender  # pyright: ignore[reportMissingImports]

    app = rish_app(plugins={"lender": rish_lender, "borrower": rish_borrower})
    with pytest.raises(PluginError, match="'rish_borrower' uses its class Lent"):
        reload(app, "lender")
    reload(app, "borrower")


# Refused


def test_what_a_game_cannot_be_without_is_refused(rish_app: Callable[..., App]) -> None:
    """The kernel, the game, what shows it, and all that these require can't be taken away; nothing changes."""
    game = SimpleNamespace(rish_about=lambda: About(requires=["base"]))
    app = rish_app(plugins={"game": game, "base": SimpleNamespace()})
    for name, why in (("core", "the kernel"), ("game", "the game itself"), ("base", "'game' requires it")):
        for take in (disable, unload):
            if (take, name) != (unload, "base"):
                with pytest.raises(PluginError, match=why):
                    take(app, name)
    with pytest.raises(PluginError, match="requires 'base'"):
        unload(app, "base")
    with pytest.raises(PluginError, match="the kernel can't be reloaded"):
        reload(app, "core")
    with pytest.raises(PluginError, match="given as an object"):
        reload(app, "base")
    with pytest.raises(PluginError, match=r"has no plugin\.py"):
        reload(app, "game")
    assert names(app) == ("base", "game")


def test_wrong_names_and_states_are_refused(app: App) -> None:
    """Unknown names are answered with the choices; a plugin that is on or off already with its state."""
    for call in (disable, enable, unload, reload):
        with pytest.raises(UnknownName, match="no plugin 'solidd' is loaded"):
            call(app, "solidd")
    with pytest.raises(PluginError, match="runs already"):
        enable(app, "solid")
    disable(app, "user")
    with pytest.raises(PluginError, match="does not run: it is left out"):
        disable(app, "user")
    with pytest.raises(PluginError, match="loaded, and disabled"):
        load(app, "user")
    with pytest.raises(PluginError, match="loaded already"):
        load(app, "solid")
    with pytest.raises(PluginError, match="not installed"):
        load(app, "nowhere")
    with pytest.raises(PluginError, match="is optional"):
        load(app, "nowhere?")


def test_a_manifest_that_needs_the_plugin_refuses(rish_app: Callable[..., App]) -> None:
    """A plugin whose component the manifest names can't be unloaded, nor replaced by one without it."""
    app = rish_app(TEXT, plugins={"solid": provider(1)})
    with pytest.raises(ManifestError, match="Ball"):
        unload(app, "solid")
    with pytest.raises(ManifestError, match="Ball"):
        replace(app, "solid", "empty", given=SimpleNamespace())
    app.run(1)
    assert speed(app) == 6.0


def test_plugins_do_not_change_while_systems_run(rish_app: Callable[..., App]) -> None:
    """In a system only the deferred form works; it is applied at the next tick border, or its refusal is logged."""
    made: list[Any] = []

    @system(Stage.UPDATE)
    def cut(world: Any, dt: float) -> None:  # strict mode runs each tick twice
        """Ask for two changes."""
        if world.tick == 0:
            with pytest.raises(UsageError, match="later=True"):
                disable(app, "solid")
            made[:] = [disable(app, "solid", later=True), unload(app, "other", later=True)]

    plugins = {"solid": provider(1), "other": SimpleNamespace(), "cut": SimpleNamespace(rish_systems=lambda: [cut])}
    app = rish_app(TEXT, plugins=plugins)
    app.run(1)
    assert [each.state for each in made] == ["waiting", "waiting"]
    unload(app, "other")
    app.run(1)
    assert [each.state for each in made] == ["done", "refused"]
    assert isinstance(made[1].problem, UnknownName)
    assert speed(app) == 6.0


# Undone


@pytest.mark.parametrize("hook", ["rish_ready", "rish_scene_loaded", "rish_systems"])
def test_a_plugin_that_raises_at_once_changes_nothing(app: App, hook: str) -> None:
    """If a new plugin raises while it begins, the former one and the whole state are back."""
    before = app.world.hash()

    def broken() -> None:
        raise ValueError("not here")

    with pytest.raises(PluginError, match=r"test_plugin_swap\.py:\d+"):
        replace(app, "solid", "soft", given=provider(10, **{hook: broken}))
    assert app.world.hash() == before
    assert names(app) == ("solid", "user")
    app.run(1)
    assert speed(app) == 8.0
    assert app.set_aside == []


def test_a_plugin_that_fails_on_trial_is_taken_back(app: App, caplog: pytest.LogCaptureFixture) -> None:
    """The former plugin returns with the state of now; what the new one did not know comes from before."""
    app.world[Count].ticks = 4
    CALLS.clear()
    done = replace(app, "solid", "soft", given=provider(10, fails=lambda tick: tick > 4))
    app.world.despawn(int(app.world.query(Ball).entities[1]))
    with caplog.at_level(logging.ERROR):
        app.run(5)
    assert done.state == "undone"
    assert ["shutdown 1", "ready 10", "scene 10", *["frame"] * 4, "shutdown 10", "ready 1", "scene 1", "frame"] == CALLS
    assert "replace solid by soft was undone" in caplog.text
    assert "test_plugin_swap.py:" in str(done.problem)
    assert speed(app) == 7 + 3 * 10 + 1
    assert app.world.query(Ball, Wind)[Wind.strength].tolist() == [7.0]
    assert app.world[Count].ticks == 4
    assert app.set_aside == []
    assert names(app) == ("solid", "user")


def test_a_hook_that_fails_on_trial_is_taken_back(app: App) -> None:
    """A failing hook ends a trial too, under the policy that raises; the game goes on."""

    def broken() -> None:
        raise ValueError("not here")

    done = replace(app, "solid", "soft", given=provider(10, rish_frame_end=broken))
    app.run(4)
    assert done.state == "undone"
    assert "failed in rish_frame_end" in str(done.problem)
    disable(app, "solid")
    done = enable(app, "solid")
    app.plugins.fail("solid", "rish_ready", ValueError("late"))
    app.run(2)
    assert done.state == "undone"
    assert "solid" in app.plugins.aside


def test_the_next_change_ends_the_trial(app: App) -> None:
    """Only the last change is on trial; a failure after that is handled by the policy, as always."""
    app.plugins.policy = "disable"
    done = replace(app, "solid", "soft", given=provider(10, fails=lambda tick: tick > 4))
    disable(app, "user")
    assert done.state == "done"
    app.run(5)
    assert names(app) == ("soft",)
    assert app.set_aside == ["system 'physics.step'"]
    assert [each.what for each in surgery_of(app.world).operations] == ["replace solid by soft", "disable user"]


# Many


@pytest.mark.slow
def test_a_hundred_changes_leave_nothing_behind(app: App, caplog: pytest.LogCaptureFixture) -> None:
    """Providers swapped and plugins switched a hundred times: no objects, hooks or threads are left over."""
    caplog.set_level(logging.ERROR, "rish.reload")  # kept log records would count as growth
    one, two = provider(1, Wind), provider(2, Wind)

    def change(count: int) -> None:
        """Replace, disable and enable."""
        names = ["solid", "soft"]
        for _ in range(count):
            replace(app, *names, given={"solid": one, "soft": two}[names[1]], trial=2)
            names.reverse()
            disable(app, names[0])
            enable(app, names[0], trial=1)
            app.run(3)

    replace(app, "solid", "x", given=one)
    replace(app, "x", "solid", given=one)
    change(20)
    gc.collect()
    before, threads = Counter(type(each) for each in gc.get_objects()), threading.active_count()
    change(80)
    gc.collect()
    after = Counter(type(each) for each in gc.get_objects())
    grown = {kind.__name__: count for kind, count in (after - before).items() if count > 40}
    assert grown == {}
    assert threading.active_count() == threads
    assert speed(app) == 7 + 1.5 * 300
