"""OpenGL and the software backend draw the same effects, and the comparison detects small errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_frame.testing.pictures import compare_pictures
from rish_lighting.post.chain import set_effect, transition
from rish_lighting.post.effects.tone import CURVES

pytestmark = pytest.mark.gl

CHAINS: dict[str, list[Any]] = {
    "nothing": [{"vignette": {"strength": 0}}],
    "bloom": ["bloom"],
    "wide bloom": [{"bloom": {"reach": 300, "strength": 3, "threshold": 0.2, "color": "orange"}}],
    **{curve: [{"tone_map": {"curve": curve, "exposure": 1.5}}] for curve in CURVES},
    "grading": [
        {"grading": {"temperature": 0.5, "tint": -0.3, "contrast": 1.3, "saturation": 1.6, "lift": [0.05, 0, 0.1],
                     "gamma": [1, 1.2, 0.9], "gain": [1.1, 1, 0.9]}}
    ],
    "vignette": [{"vignette": {"strength": 0.9, "color": "navy", "roundness": 1}}],
    "aberration": [{"aberration": {"strength": 12}}],
    "crt": ["crt"],
    "coarse crt": [{"crt": {"lines": 24, "curvature": 0.2, "mask": 0.5}}],
    "pixelate": [{"pixelate": {"size": 7}}],
    "blur": ["blur"],
    "wide blur": [{"blur": {"radius": 40, "strength": 0.7}}],
    "grain": [{"grain": {"strength": 0.3, "size": 2}}],
    "fade": [{"fade": {"amount": 0.6, "color": "teal"}}],
    "many": ["vignette", "bloom", "aberration", "grading", {"tone_map": {"curve": "aces"}}, "grain"],
}  # fmt: skip

FAULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "bloom": ("bloom", {"strength": 2.2}),
    "soft": ("tone_map", {"shoulder": 0.4}),
    "aces": ("tone_map", {"exposure": 1.2}),
    "grading": ("grading", {"saturation": 1.0}),
    "vignette": ("vignette", {"inner": 0.1}),
    "aberration": ("aberration", {"strength": 0}),
    "crt": ("crt", {"curvature": 0.1}),
    "coarse crt": ("crt", {"lines": 25}),
    "pixelate": ("pixelate", {"size": 8}),
    "wide blur": ("blur", {"radius": 20}),
    "grain": ("grain", {"size": 1}),
    "fade": ("fade", {"amount": 0.66}),
}
"""A wrong parameter of one backend, by the chain in which the comparison must detect it."""


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAINS)
def test_every_effect_looks_the_same_on_both(desks: Any, name: str, tmp_path: Path):
    """Every effect agrees to half a level on average, and to one or two levels at rounding."""
    ours, theirs = (desk.show(CHAINS[name]) for desk in desks)
    compare_pictures(ours, theirs, mean=0.5, p99=3, ssim=0.99, busy=0.3, failures=tmp_path)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_seen(desks: Any, name: str, tmp_path: Path):
    """The comparison fails if a parameter of one backend is wrong."""
    for desk in desks:
        desk.show(CHAINS[name])
    effect, wrong = FAULTS[name]
    set_effect(desks[1].world, effect, **wrong)
    with pytest.raises(AssertionError):
        compare_pictures(desks[0].draw(), desks[1].draw(), mean=0.5, p99=3, ssim=0.99, busy=0.3, failures=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("effect", ["dissolve", "crossfade", "wipe", "iris"])
def test_every_crossing_looks_the_same_on_both(desks: Any, effect: str, tmp_path: Path):
    """Every transition agrees in its middle, from the previous image to another."""
    shown: list[np.ndarray] = []
    for desk in desks:
        before = desk.show()
        transition(desk.world, effect=effect, seconds=0.4)
        assert np.array_equal(desk.draw(), before) or effect == "dissolve"
        desk.paint(np.ascontiguousarray(before[::-1, ::-1]))
        desk.draw(0.1)
        shown.append(desk.draw(0.09))
        desk.frame.pages.clear()
    compare_pictures(*shown, mean=0.5, p99=4, ssim=0.99, busy=0.3, failures=tmp_path)
