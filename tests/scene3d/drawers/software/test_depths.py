"""Shadow maps of which only the part is drawn again where casters moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_scene3d import layout as at
from rish_scene3d.drawers.software import depths
from scene3d import Scene, box, checks, placed, quad, sphere, tube

from .conftest import opened


def scene() -> Scene:
    """Return a scene with a floor, a ball, a bent tube, a cut box, and the maps of a sun and of a lamp."""
    scene = Scene(size=(48, 32))
    cut = scene.material(base_map=scene.page(checks(16, 4)), alpha_mode=at.MASK)
    scene.show(scene.mesh(quad(8)), scene.material(), placed())
    scene.show(scene.mesh(sphere()), scene.material(), placed(-0.5, 0.5, 0), placed(0.6, 0.4, -0.4, 0.5))
    joints = scene.pose(*[placed(turn=0.3 * k) for k in range(4)])
    scene.show(scene.mesh(tube(4)), scene.material(), placed(-0.6, 0, -0.5), palette=joints)
    scene.show(scene.mesh(box()), cut, placed(0.7, 0.4, 0.5, 0.7), flags=at.MASKED)
    scene.cast_sun(scene.sun(), (3.0, 8.0), 64)
    scene.cast_lamp(scene.lamp((0.5, 1.8, 1)), 32)
    return scene


def _shadows(frame: Any) -> list[Any]:
    return [p for p in frame.passes.values() if [b.kind for b in p.batches] == ["scene3d.depths"]]


def _move(number: int, batch: Any) -> None:
    """Change one thing of the casters: a place, a joint, nothing, or the eye."""
    instances = batch.arrays["instances"]
    if number % 4 == 0:
        instances["matrix"][1 + number % 3, 0, 3] += 0.07
    elif number % 4 == 1:
        batch.arrays["palettes"][2, 1, 3] += 0.05
    elif number % 4 == 2:
        batch.arrays["eye"] += np.float32(0.01)
    batch.version = (batch.version or 0) + 1


@pytest.fixture
def boxes(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list to which the boxes that are drawn again are added."""
    seen: list[Any] = []
    found: Callable[..., Any] = depths._changed

    def changed(*arguments: Any) -> Any:
        parts = found(*arguments)
        seen.append([camera.clip for camera, _ in parts])
        return parts

    monkeypatch.setattr(depths, "_changed", changed)
    return seen


@pytest.mark.parametrize("threads", [1, 2])
def test_a_map_in_which_casters_move_is_that_of_a_new_backend(threads: int, boxes: list[Any]) -> None:
    """After each change, all maps have the bits that a backend draws that has not drawn them before."""
    frame = scene().frame()
    kept = opened(threads)
    maps = sorted({p.targets[0] for p in _shadows(frame)})
    kept.draw(frame)
    for number in range(9):
        for shadow in _shadows(frame):
            _move(number, shadow.batches[0])
        kept.draw(frame)
        fresh = opened()
        fresh.draw(frame)
        for name in maps:
            assert np.array_equal(kept.pixels(name), fresh.pixels(name)), (number, name)
        fresh.close()
    kept.close()
    sizes = [sum(int((b[2] - b[0]) * (b[3] - b[1])) for b in parts) for parts in boxes]
    assert 0 in sizes
    assert any(0 < size < 32 * 32 / 2 for size in sizes)


def test_casters_that_come_and_go_leave_nothing_behind() -> None:
    """A map whose casters are other ones, or none for a frame, has no traces of the former."""
    frame = scene().frame()
    kept, fresh = opened(), opened()
    kept.draw(frame)
    shadow = _shadows(frame)[0]
    batch = shadow.batches[0]
    runs = batch.arrays["runs"]
    for some in (runs[:0], runs[1:], runs[:2], runs):
        batch.arrays["runs"], batch.count = np.ascontiguousarray(some), len(some)
        batch.version += 1
        kept.draw(frame)
        fresh = opened()
        fresh.draw(frame)
        assert np.array_equal(kept.pixels(shadow.targets[0]), fresh.pixels(shadow.targets[0]))
        fresh.close()
    kept.close()
