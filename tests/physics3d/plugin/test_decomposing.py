"""Models that are cut into convex hulls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from rish_core import App, parse_manifest
from rish_core.errors import AssetError
from rish_core.launcher import main
from rish_physics3d import overlap_point_3d
from rish_physics3d.plugin.decomposing import decompose, prefab_text, read_triangles
from rish_space3d import ModelTriangles
from tools import needs

needs("coacd", "hulls")
Hulls = list[np.ndarray]


def angle() -> ModelTriangles:
    """Return a solid with the outline of an L, 2 m wide and high, whose arms are 1 m thick."""
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], np.float64)
    positions = np.array([(x, y, z) for z in (0, 1) for x, y in outline])
    triangles: list[tuple[int, int, int]] = []
    for a, b, c in ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)):
        triangles += [(a, c, b), (a + 6, b + 6, c + 6)]
    for k in range(6):
        after = (k + 1) % 6
        triangles += [(k, after, after + 6), (k, after + 6, k + 6)]
    return ModelTriangles(positions, np.array(triangles))


@pytest.fixture(scope="module")
def hulls() -> Hulls:
    """The hulls of the L."""
    return decompose(angle(), 0.2)


@pytest.mark.slow
def test_hulls_leave_the_hollow_free(hulls: Hulls) -> None:
    """The hulls cover both arms of an L, and not the room between them, which one hull would fill."""
    manifest = parse_manifest(
        f"rish: 1\nplugins: [space3d, physics3d]\n{prefab_text('corner', 'l.glb', hulls)}"
        "scenes: {main: [{prefab: corner, Body3D: {gravity_scale: 0}}]}\n"
    )
    with App(manifest, headless=True) as app:
        app.frame()
        for place in ((0.5, 0.5, 0.5), (1.8, 0.5, 0.5), (0.5, 1.8, 0.5)):
            assert len(overlap_point_3d(app.world, place)), place
        assert not len(overlap_point_3d(app.world, (1.3, 1.3, 0.5)))


@pytest.mark.slow
def test_equal_models_give_equal_hulls(hulls: Hulls) -> None:
    """A second run gives the same hulls, which have 4 to 64 points."""
    again = decompose(angle(), 0.2)
    assert len(again) == len(hulls) == 2
    assert all(np.array_equal(a, b) for a, b in zip(again, hulls, strict=True))
    assert all(4 <= len(hull) <= 64 for hull in hulls)


@pytest.mark.slow
def test_the_command_writes_a_file_that_can_be_included(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The written file has the name of the model, and a game that includes it has the prefab."""
    monkeypatch.chdir(tmp_path)
    assert main(["decompose", "box", "--concavity", "1"]) == 0
    assert "1 hulls with 8 points" in capsys.readouterr().out
    scenes = "scenes: {main: [{prefab: box_hulls, Body3D: {}}]}"
    (tmp_path / "game.yaml").write_text(f"rish: 1\nplugins: [physics3d]\ninclude: [box.hulls.yaml]\n{scenes}\n")
    assert main(["check", "."]) == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.glb"], "no file"),
        (["ship"], "ship"),
        (["cone", "--concavity", "0"], "0.01"),
        (["cone", "--part", "wing"], "wing"),
    ],
)
def test_what_can_not_be_cut(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file, an unknown shape or part and a wrong number are errors with their name; nothing is written."""
    assert main(["decompose", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_other_files_are_no_models() -> None:
    """A file of another kind is refused before it is read."""
    with pytest.raises(AssetError):
        read_triangles("crate.obj")
