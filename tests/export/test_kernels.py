"""Compiled kernels of a game: images beside its modules, and kernels that only numba can run."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import pytest

import rish_jit
from rish_core import RishError
from rish_export.kernels import compile_kernels

COMPILES = sys.platform == "linux" and platform.machine() == "x86_64" and rish_jit.can_compile()
PLUGIN = """
import numpy as np
from rish_jit import njit
from rish_core import Stage, system


@njit
def double(x):
    for i in range(len(x)):
        x[i] *= 2


@njit
def length(name):
    return len(name)


@system(Stage.UPDATE)
def work(world, dt):
    double(np.ones(3))
    length("pond")


def rish_systems():
    return [work]
"""


@pytest.mark.slow
@pytest.mark.skipif(not COMPILES, reason="needs numba on Linux with x86-64")
def test_kernels_of_a_game_are_packed_and_those_for_numba_are_named(
    pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel with numbers and arrays is in the image beside the game; one with a text needs numba."""
    monkeypatch.setattr("rish_export.kernels.LEVELS", ("x86-64-v2",))
    (pond / "plugin.py").write_text(PLUGIN, encoding="utf-8")
    kernels = compile_kernels(pond, tmp_path / "images", tmp_path / "kept", lambda step: None)
    names = [file.name for file in kernels.files]
    assert f"games/pond/{rish_jit.image_name('x86-64-v2')}" in names
    assert kernels.counts["x86-64-v2"] > 1  # with those of the packages that the game uses
    assert kernels.numba_only == ["_rish_game_pond.length"]
    assert sum(name.startswith("rish_jit/numba_runtime/") for name in names) == 3


@pytest.mark.slow
@pytest.mark.skipif(not COMPILES, reason="needs numba on Linux with x86-64")
def test_kernels_that_were_compiled_for_playing_are_not_compiled_again(
    pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For the level of this processor the kernels of the usual cache are packed."""
    level = rish_jit.default_level()
    monkeypatch.setattr("rish_export.kernels.LEVELS", (level,))
    kernels = compile_kernels(pond, tmp_path / "images", tmp_path / "kept", lambda step: None)
    assert kernels.counts[level] > 1
    assert not (tmp_path / "kept").exists()


@pytest.mark.skipif(not COMPILES, reason="needs numba on Linux with x86-64")
def test_a_game_that_fails_ends_the_export(pond: Path, tmp_path: Path) -> None:
    """The message has the level and the reason; no process goes on."""
    (pond / "plugin.py").write_text("raise ValueError('no water')", encoding="utf-8")
    with pytest.raises(RishError, match=r"for x86-64-v2 can't be compiled.*no water"):
        compile_kernels(pond, tmp_path / "images", tmp_path / "kept", lambda step: None)
