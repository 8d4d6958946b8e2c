"""The same bits on every machine: six scenes still have the hashes that are stored for them."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from long_runs import only_long

HERE = Path(__file__).parent


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("physics_pinned", HERE / "pinned.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PINNED = _load()
KNOWN: dict[str, str] = json.loads((HERE / "pinned.json").read_text())


def test_each_scene_is_pinned():
    """Every scene has a stored hash."""
    assert sorted(KNOWN) == sorted(PINNED.SCENES)
    assert len(KNOWN) == 6


@pytest.mark.parametrize("name", KNOWN)
def test_a_scene_has_the_bits_that_it_had(name: str):
    """A scene has its stored hash. To change it deliberately: `python tests/physics/scenes/pinned.py --pin`."""
    assert PINNED.hash_of(name) == KNOWN[name]


@only_long
@pytest.mark.slow
def test_a_processor_without_features_gives_the_same_bits(tmp_path: Path):
    """Kernels that are compiled for a generic processor give the same hashes."""
    plain = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "RISH_CACHE_DIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, str(HERE / "pinned.py")], capture_output=True, text=True, check=False, timeout=900,
        env={**os.environ, **plain},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == KNOWN
