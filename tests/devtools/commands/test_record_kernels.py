"""`rish record-kernels` writes which kernels games call, and checks that all of them are listed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rish_jit
from rish_jit import Listed

needs_numba = pytest.mark.skipif(not rish_jit.can_compile(), reason="kernels run as plain Python here")
PLUGIN = """
import numpy as np
from rish_core import Stage, World, system
from rish_jit import njit


@njit
def half(x):
    return x / 2


@njit
def push(x):
    for i in range(len(x)):
        x[i] = half(x[i])


@system(Stage.UPDATE)
def blow(world: World, dt: float) -> None:
    if world.tick == 5:
        push(np.ones(2, np.float32))


def rish_systems():
    return [blow]


def rish_warm_up(world):
    return {"gusts": lambda: push(np.ones(2)), "calm": lambda: half(3.0)}
"""


@pytest.fixture
def windy(tmp_path: Path) -> Path:
    """Return the folder of a game with two features, which calls a kernel with other types in its sixth tick."""
    (tmp_path / "game.yaml").write_text("rish: 1\nscenes: {main: []}\n")
    (tmp_path / "plugin.py").write_text(PLUGIN)
    return tmp_path


def listed(windy: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the features of the kernels in the game's list, by their names without the module, and their types."""
    entries = rish_jit.read_list(windy / rish_jit.LIST_FILE)
    return {(each.kernel.removeprefix(f"_rish_game_{windy.name}."), each.types): each.features for each in entries}


@needs_numba
@pytest.mark.slow
def test_it_lists_what_each_feature_and_play_call(rish: Any, windy: Path) -> None:
    """Each kernel is listed after those that it calls; then a check is satisfied.

    Entries of other games stay, unless they can't be compiled.
    """
    path, module = windy / rish_jit.LIST_FILE, f"_rish_game_{windy.name}"
    former = [
        Listed("other.kernel", "(f8,)", ("storm",)),
        Listed(f"{module}.half", "(f8,)", ("storm",)),
        Listed(f"{module}.half", "(f8[::1], f8)", ("storm",)),
        Listed(f"{module}.half*", "(i8,)", ("storm",)),
    ]
    rish_jit.write_list(path, former)
    said = rish("record-kernels", windy, "--frames", "6", "--backend", "null")
    assert said.code == 0, said.err
    assert f"{path}: 5 kernels" in said.out
    assert "other.kernel (f8,) can't be compiled any more" in said.out
    assert f"{module}.half (f8[::1], f8) can't be compiled any more" in said.out
    found = listed(windy)
    assert found == {
        ("half", "(f8,)"): ("calm", "storm"),
        ("half*", "(f8,)"): ("gusts",),
        ("push", "(f8[::1],)"): ("gusts",),
        ("half*", "(f4,)"): ("gusts",),
        ("push", "(f4[::1],)"): ("gusts",),
    }
    names = list(found)
    assert names.index(("half*", "(f8,)")) < names.index(("push", "(f8[::1],)"))
    assert names.index(("half*", "(f4,)")) < names.index(("push", "(f4[::1],)"))
    assert rish("record-kernels", "--check", windy, "--frames", "6", "--backend", "null").code == 0


@needs_numba
@pytest.mark.slow
def test_a_check_names_what_is_not_listed(rish: Any, windy: Path) -> None:
    """A check writes nothing, names kernel, types, game and who called it, and exits with 1."""
    entries = [
        Listed(f"_rish_game_{windy.name}.half", "(f8,)", ("calm",)),
        Listed(f"_rish_game_{windy.name}.push", "(f8[::1],)", ("calm",)),
    ]
    rish_jit.write_list(windy / rish_jit.LIST_FILE, entries)
    said = rish("record-kernels", "--check", windy, "--frames", "6", "--backend", "null")
    assert said.code == 1, said.err
    gaps = [line for line in said.out.splitlines() if line.startswith(f"{windy}: ")]
    assert len(gaps) == 2
    assert "push (f8[::1],): called by the feature 'gusts' of 'game' in the scene 'main'" in gaps[0]
    assert "push (f4[::1],): called by play in the scene 'main'" in gaps[1]
    assert rish_jit.read_list(windy / rish_jit.LIST_FILE) == entries


@needs_numba
@pytest.mark.slow
def test_a_feature_is_recorded_in_each_scene(rish: Any, windy: Path) -> None:
    """If a feature calls other kernels in another scene, its list has those of both."""
    (windy / "game.yaml").write_text("rish: 1\nscenes: {main: [], other: []}\n")
    by_scene = "    from rish_core import Scenes\n    number = 1 if world[Scenes].current == 'main' else 1.5\n"
    source = PLUGIN.partition("def rish_systems")[0] + "def rish_warm_up(world):\n" + by_scene
    (windy / "plugin.py").write_text(source + "    return {'gusts': lambda: half(number)}\n")
    assert rish("record-kernels", windy, "--frames", "0", "--backend", "null").code == 0
    assert {types for _, types in listed(windy)} == {"(i8,)", "(f8,)"}


@needs_numba
@pytest.mark.slow
def test_a_feature_that_fails_is_named(rish: Any, windy: Path) -> None:
    """A feature that raises ends the command with its name and the reason, and no list is written."""
    (windy / "plugin.py").write_text("def rish_warm_up(world):\n    return {'gusts': lambda: 1 / 0}\n")
    said = rish("record-kernels", windy)
    assert said.code == 2
    assert "ZeroDivisionError" in said.err
    assert "'gusts'" in said.err
    assert not (windy / rish_jit.LIST_FILE).exists()


def test_without_numba_there_is_nothing_to_record(rish: Any, windy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without numba the command says what to do."""
    monkeypatch.setattr(rish_jit, "can_compile", lambda: False)
    said = rish("record-kernels", windy)
    assert said.code == 2
    assert "pip install 'numba" in said.err
