"""`rish warmup` runs every scene for a few frames and reports how much was compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rish_jit
from rish_core.app import App


def test_every_scene_is_run(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every scene runs for the given number of frames, without a window."""
    with open(game / "game.yaml", "a") as file:
        file.write("  other: []\n")
    seen: list[str] = []
    frame = App.frame

    def noting(self: App, **options: Any) -> Any:
        found = frame(self, **options)
        from rish_core import Scenes

        seen.append(self.world[Scenes].current)
        return found

    monkeypatch.setattr(App, "frame", noting)
    monkeypatch.setattr(rish_jit, "available", lambda: True)
    said = rish("warmup", game, "--frames", 2)
    assert said.code == 0
    assert seen == ["main"] * 2 + ["other"] * 2
    assert "compiled" in said.out


def test_without_a_compiler_there_is_nothing_to_do(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a compiler the command reports that and ends with exit code 0."""
    monkeypatch.setattr(rish_jit, "can_compile", lambda: False)
    said = rish("warmup", game)
    assert said.code == 0
    assert "nothing to compile" in said.out


def test_a_game_without_a_renderer_can_be_warmed_up(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game without a renderer can be warmed up."""
    monkeypatch.setattr(rish_jit, "can_compile", lambda: True)
    assert rish("warmup", game).code == 0


@pytest.mark.parametrize("option", [("--frames", "x"), ("--frames", "-3"), ("--backend", "nul")])
def test_wrong_options_are_the_users(option: tuple[str, str], rish: Any, game: Path, monkeypatch: Any) -> None:
    """Wrong options give exit code 2 and no traceback."""
    monkeypatch.setattr(rish_jit, "available", lambda: True)
    said = rish("warmup", game, *option)
    assert said.code == 2
    assert "Traceback" not in said.err


def test_a_bundle_needs_games(rish: Any, tmp_path: Path) -> None:
    """`--out` without a game is a mistake of the caller, with the command to use."""
    said = rish("warmup", "--out", tmp_path / "kernels.image")
    assert said.code == 2
    assert "rish warmup --out FILE GAME" in said.err


def test_a_bundle_needs_a_folder(rish: Any, game: Path, tmp_path: Path) -> None:
    """A folder that does not exist is named before anything is compiled."""
    said = rish("warmup", "--out", tmp_path / "nowhere" / "kernels.image", game)
    assert said.code == 2
    assert f"there is no folder {tmp_path / 'nowhere'}" in said.err


@pytest.mark.parametrize("content", [None, b"", b"PK\x03\x04 no zip"])
def test_a_file_that_is_no_bundle_is_refused(content: bytes | None, rish: Any, tmp_path: Path) -> None:
    """A missing, empty or damaged file is named, and nothing is stored."""
    path = tmp_path / "kernels.image"
    if content is not None:
        path.write_bytes(content)
    said = rish("warmup", "--from", path)
    assert said.code == 2
    assert "kernels.image" in said.err
    assert "Traceback" not in said.err


@pytest.mark.slow
@pytest.mark.skipif(not rish_jit.can_compile(), reason="needs numba")
def test_an_image_of_a_packages_kernels_is_written(rish: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--image` writes the kernels that a package lists for a level of processors, the same bytes each time."""
    monkeypatch.setenv("RISH_CACHE_DIR", str(tmp_path / "cache"))
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        said = rish("warmup", "--image", "rish_frame", tmp_path / name, "--for", "x86-64-v2")
        assert said.code == 0, said.err
    first, second = (tmp_path / name / rish_jit.image_name("x86-64-v2") for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("package", "told"), [("rish_cli", "rish_cli has no list of kernels"), ("rish_nothing", "no package rish_nothing")]
)
def test_an_image_needs_a_list(package: str, told: str, rish: Any, tmp_path: Path) -> None:
    """A package that does not exist or lists no kernels is named, and nothing is written."""
    said = rish("warmup", "--image", package, tmp_path)
    assert said.code == 2
    assert told in said.err
    assert not list(tmp_path.iterdir())


KERNEL = """
import numpy as np
from rish_jit import njit

@njit
def push(x):
    for i in range(len(x)):
        x[i] += 1

def rish_warm_up(world):
    return {"gusts": lambda: push(np.ones(2))}
"""


@pytest.mark.slow
@pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")
def test_kernels_are_carried_to_another_cache(rish: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that `--out` wrote are stored by `--from` in another cache, and then nothing compiles."""
    game = tmp_path / "carried"  # no other test has modules of this name
    game.mkdir()
    (game / "game.yaml").write_text("rish: 1\nscenes: {main: []}\n")
    (game / "plugin.py").write_text(KERNEL)
    bundle = game / "kernels.image"
    said = rish("warmup", "--out", bundle, "--frames", 1, game)
    assert said.code == 0, said.err
    monkeypatch.setenv("RISH_CACHE_DIR", str(game / "cache"))
    said = rish("warmup", "--from", bundle, game)
    assert said.code == 0, said.err
    assert "compiled kernels stored" in said.out
    assert "left out" not in said.out
    assert list((game / "cache").rglob("*.push-*.kernel"))
