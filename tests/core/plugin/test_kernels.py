"""The kernels of a scene: plugins return functions by feature, which are called once."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import rish_jit
from rish_core import App, Scenes

MakeApp = Callable[..., App]
SCENES = {"scenes": {"main": [], "other": []}}


def plugin(**features: Callable[[], object]) -> SimpleNamespace:
    """Return a plugin with these features."""
    return SimpleNamespace(rish_warm_up=lambda world: features)


def test_each_feature_is_prepared_once(rish_app: MakeApp) -> None:
    """The functions of all plugins are called before the first tick, and not again in the next scene."""
    calls: list[str] = []
    wind = plugin(gusts=lambda: calls.append("gusts"), calm=lambda: calls.append("calm"))
    app = rish_app(SCENES, plugins={"wind": wind, "rain": plugin(gusts=lambda: calls.append("rain"))})
    assert calls == ["gusts", "calm", "rain"]
    app.world[Scenes].go("other")
    app.frame()
    assert calls == ["gusts", "calm", "rain"]
    assert {"gusts", "calm"} <= {name for owner, name in app.features() if owner == "wind"}


def test_a_game_can_be_opened_unprepared(rish_app: MakeApp) -> None:
    """With `warm_up=False` nothing is called, and the features can be looked at."""
    app = rish_app(SCENES, plugins={"wind": plugin(gusts=lambda: pytest.fail("was called"))}, warm_up=False)
    app.frame()
    app.world[Scenes].go("other")
    app.frame()
    assert ("wind", "gusts") in app.features()


def test_a_feature_that_raises_disables_its_plugin(rish_app: MakeApp) -> None:
    """What a function raises is a failure of its plugin; its other features are left out and the game goes on."""
    calls: list[str] = []
    bad = plugin(breaks=lambda: 1 / 0, later=lambda: calls.append("later"))
    good = plugin(gusts=lambda: calls.append("gusts"))
    app = rish_app(SCENES, plugins={"bad": bad, "good": good}, policy="disable", strict=False)
    assert calls == ["gusts"]
    assert "rish_warm_up" in app.plugins.aside["bad"]
    assert "ZeroDivisionError" in app.plugins.aside["bad"]


@pytest.mark.parametrize("answer", [["gusts"], {"gusts": 3}, 7])
def test_an_answer_of_another_kind_disables_its_plugin(answer: Any, rish_app: MakeApp) -> None:
    """An answer that is no dict of functions is shown with what was expected."""
    bad = SimpleNamespace(rish_warm_up=lambda world: answer)
    app = rish_app(SCENES, plugins={"bad": bad}, policy="disable", strict=False)
    app.frame()
    assert "rish_warm_up returned" in app.plugins.aside["bad"]
    assert repr(answer if answer != {"gusts": 3} else 3) in app.plugins.aside["bad"]
    assert "a function for each name" in app.plugins.aside["bad"]


def test_lists_are_searched_beside_the_modules_of_plugins(rish_app: MakeApp) -> None:
    """A plugin's list is in the folder of its package; an object without a file has none."""
    app = rish_app(SCENES, plugins={"wind": plugin()})
    assert (app.kernels.folders["core"] / rish_jit.LIST_FILE).is_file()
    assert "wind" not in app.kernels.folders
