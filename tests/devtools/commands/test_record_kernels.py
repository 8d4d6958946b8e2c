"""`rish record-kernels` writes which kernels the features of games call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rish_jit
from rish_jit import Listed

needs_numba = pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")
PLUGIN = """
import numpy as np
from rish_jit import njit


@njit
def half(x):
    return x / 2


@njit
def push(x):
    for i in range(len(x)):
        x[i] = half(x[i])


def rish_warm_up(world):
    return {"gusts": lambda: push(np.ones(2)), "calm": lambda: half(3.0)}
"""


@pytest.fixture
def windy(tmp_path: Path) -> Path:
    """Return the folder of a game with two features."""
    (tmp_path / "game.yaml").write_text("rish: 1\nscenes: {main: []}\n")
    (tmp_path / "plugin.py").write_text(PLUGIN)
    return tmp_path


@needs_numba
@pytest.mark.slow
def test_it_lists_the_kernels_of_each_feature(rish: Any, windy: Path) -> None:
    """Each kernel is listed with its types and features, callees first; features of other games stay."""
    path = windy / rish_jit.LIST_FILE
    other = Listed("other.kernel", "(f8,)", ("calm", "storm"))
    rish_jit.write_list(path, [other])
    said = rish("record-kernels", windy)
    assert said.code == 0, said.err
    assert f"{path}: 4 kernels" in said.out
    module = f"_rish_game_{windy.name}"
    found = {(each.kernel.removeprefix(f"{module}."), each.types): each.features for each in rish_jit.read_list(path)}
    assert found == {
        ("half", "(f8,)"): ("calm",),
        ("half*", "(f8,)"): ("gusts",),
        ("push", "(f8[::1],)"): ("gusts",),
        ("other.kernel", "(f8,)"): ("storm",),
    }
    names = [name for name, _ in found]
    assert names.index("half*") < names.index("push")


@needs_numba
@pytest.mark.slow
def test_a_feature_is_recorded_in_each_scene(rish: Any, windy: Path) -> None:
    """If a feature calls other kernels in another scene, its list has those of both."""
    (windy / "game.yaml").write_text("rish: 1\nscenes: {main: [], other: []}\n")
    by_scene = "    from rish_core import Scenes\n    number = 1 if world[Scenes].current == 'main' else 1.5\n"
    source = PLUGIN.partition("def rish_warm_up")[0] + "def rish_warm_up(world):\n" + by_scene
    (windy / "plugin.py").write_text(source + "    return {'gusts': lambda: half(number)}\n")
    assert rish("record-kernels", windy).code == 0
    assert {each.types for each in rish_jit.read_list(windy / rish_jit.LIST_FILE)} == {"(i8,)", "(f8,)"}


@needs_numba
@pytest.mark.slow
def test_a_feature_that_fails_is_named(rish: Any, windy: Path) -> None:
    """A feature that raises ends the command with its name and the reason, and no list is written."""
    (windy / "plugin.py").write_text("def rish_warm_up(world):\n    return {'gusts': lambda: 1 / 0}\n")
    said = rish("record-kernels", windy)
    assert said.code == 2
    assert "'gusts' of 'game'" in said.err
    assert "ZeroDivisionError" in said.err
    assert not (windy / rish_jit.LIST_FILE).exists()


def test_without_numba_there_is_nothing_to_record(rish: Any, windy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without numba the command says what to do."""
    monkeypatch.setattr(rish_jit, "available", lambda: False)
    said = rish("record-kernels", windy)
    assert said.code == 2
    assert "pip install 'numba" in said.err
