"""Random scenes stay valid: see `random_scenes`. With RISH_LONG=1 there are two hundred of them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from long_runs import long

SCENES = Path(__file__).with_name("random_scenes.py")
SEEDS = long(range(200), (0, 147))
"""Without RISH_LONG, one calm scene and one in which joints overflow."""


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("physics_random_scenes", SCENES)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAY = _load().play


@pytest.mark.slow
def test_a_random_scene_stays_sound_and_is_the_same_in_another_process() -> None:
    """All numbers stay finite, no body is lost, and a second process gives the same hashes."""
    hashes = [PLAY(seed) for seed in SEEDS]
    other = subprocess.run(
        [sys.executable, str(SCENES), *map(str, SEEDS)], capture_output=True, text=True, check=False, timeout=3000
    )
    assert other.returncode == 0, other.stderr
    assert other.stdout.split() == hashes
