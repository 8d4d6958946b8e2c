"""The benchmark `scene3d`: its limits are those of the design, and its peers draw and pose what Rish does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks import scene3d

ROOT = Path(__file__).resolve().parents[2]
KEYS = {
    "rays_10k:embree": 1.5,
    "rays_10k:coal": 0.3,
    "rays_10k:limit": 1.0,
    "refit_100k:limit": 1.0,
    "poses_100k:limit": 1.0,
    "characters_1k:numpy": 0.1,
    "characters_1k:panda3d": 0.02,
    "characters_1k:limit": 1.0,
    "characters_still_1k:limit": 1.0,
    "cubes_100k:moderngl": 1.0,
    "cubes_100k:panda3d": 0.02,
    "cubes_100k:limit": 1.0,
    "cubes_still_100k:limit": 1.0,
    "cubes_coming_10k:limit": 1.0,
    "cubes_coming_100_of_10k:limit": 1.0,
    "shadows_12:limit": 1.0,
    "software_48k:llvmpipe_1": 0.6,
    "software_48k:tinydisplay": 1.5,
    "software_48k:limit": 1.0,
    "software_300k:llvmpipe_1": 0.6,
    "software_300k:tinydisplay": 1.5,
    "software_300k:limit": 1.0,
    "software_lit:llvmpipe": 0.8,
    "software_lit:limit": 1.0,
}
"""The keys of a quick run, and their limits."""

OURS = """
from benchmarks import _scene3d_drawing, _scene3d_pictures
from rish_core import App, parse_manifest
from rish_render import make_software
if what == "cubes":
    app = _scene3d_drawing.game(300, backend=make_software())
else:
    made = _scene3d_pictures.flat(12_000) if what == "spheres" else _scene3d_pictures.HALL
    app = App(parse_manifest(_scene3d_pictures.HEAD + made), backend=make_software(), headless=True)
    app.run(frames=2)
pixels = app.host.backend.pixels()
"""
MODERNGL = """
from benchmarks import _scene3d_lit, _scene3d_moderngl
if what == "hall":
    frame, read = _scene3d_lit.hall()
else:
    frame, read = _scene3d_moderngl.cubes(300) if what == "cubes" else _scene3d_moderngl.spheres(12_000)
frame()
pixels = read()
"""
PANDA3D = """
from benchmarks import _scene3d_cubes, _scene3d_panda3d
made = _scene3d_panda3d.cubes(300, _scene3d_cubes.SIZE) if what == "cubes" else _scene3d_panda3d.spheres(12_000)
made[1]()
pixels = made[0].pixels()
"""


def drawn(script: str, what: str, folder: Path) -> Any:
    """Return which pixels a script draws white, (h, w); it runs in a process of its own, as in a benchmark."""
    path = folder / "pixels.npy"
    text = f"import numpy as np\nwhat = {what!r}\n{script}\nnp.save({str(path)!r}, np.asarray(pixels)[..., 1] > 127)\n"
    done = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return np.load(path)


def test_a_quick_run_has_exactly_these_keys() -> None:
    """A quick run has exactly these keys, which are compared from run to run; whole frames need a full run."""
    quick = {key: limit for case in scene3d.CASES if case.limited for key, limit in case.keys(quick=True).items()}
    assert quick == KEYS
    full = {key for case in scene3d.CASES for key in case.keys(quick=False)}
    assert {
        "cubes_drawn_10k:panda3d",
        "software_48k_threads:llvmpipe",
        "software_300k_threads:arcade",
        "software_lit:arcade",
    } <= full


@pytest.mark.slow
@pytest.mark.parametrize(("what", "panda3d"), [("cubes", 0.0), ("spheres", 0.03)])
def test_peers_draw_what_ours_draws(what: str, panda3d: float, tmp_path: Path) -> None:
    """Cubes and spheres cover the same pixels in all engines, but for the edges of panda3d's software renderer."""
    pytest.importorskip("moderngl")
    pytest.importorskip("panda3d")
    ours = drawn(OURS, what, tmp_path)
    assert 1000 < ours.sum() < ours.size / 2
    assert (drawn(MODERNGL, what, tmp_path) != ours).sum() <= 0.001 * ours.sum()
    assert (drawn(PANDA3D, what, tmp_path) != ours).sum() <= max(panda3d, 0.001) * ours.sum()


POSES = """
import numpy as np
from panda3d import core
from benchmarks import _scene3d_actors, _scene3d_numpy
from benchmarks._scene3d_characters import model, moments
of, (rows, share) = model(), moments(3)
wanted = _scene3d_numpy.joints(of, _scene3d_numpy.turns(_scene3d_numpy.tracks(of), rows, share[:, None, None]))
matrix = core.LMatrix4f()
for actor, joints in zip(_scene3d_actors.actors(3), wanted, strict=True):
    part = actor.get_part_bundle("modelRoot")
    part.force_update()
    for name, joint in zip(of.names, joints, strict=True):
        part.find_child(name).get_net_transform(matrix)
        made = np.array([list(matrix.get_row(row)) for row in range(4)]).T
        assert np.abs(made - joint).max() < 0.1, (name, made, joint)
    assert np.abs(joints[:, :3, :3] - np.eye(3)).max() > 0.5
"""


@pytest.mark.slow
def test_the_hall_by_hand_is_lit_as_ours_is(tmp_path: Path) -> None:
    """Dark metal and its highlights are at the same pixels in the hall by hand and in ours, which maps tones."""
    pytest.importorskip("moderngl")
    ours = drawn(OURS, "hall", tmp_path)
    assert 1000 < (~ours).sum() < ours.size / 2
    assert (drawn(MODERNGL, "hall", tmp_path) != ours).sum() <= 0.03 * (~ours).sum()


@pytest.mark.slow
def test_actors_stand_as_numpys_characters_do() -> None:
    """The joints of panda3d's actors are where numpy puts them; between two rows panda3d interpolates other angles."""
    pytest.importorskip("panda3d")
    done = subprocess.run([sys.executable, "-c", POSES], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
