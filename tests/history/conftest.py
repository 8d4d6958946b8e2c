"""Provides the small game of `flock.py` as the fixture `birds`; tests can also `import history_flock`."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("history_flock", Path(__file__).parent / "flock.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["history_flock"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_flock = _load()


@pytest.fixture
def birds(rish_app: Any) -> Callable[..., Any]:
    """A function that makes the game, with or without rish_history."""

    def make(*, history: bool = True, settings: dict[str, Any] | None = None, **options: Any) -> Any:
        plugin = _flock.make_plugin(options.pop("break_at", -1), options.pop("drift_at", -1))
        game = {**_flock.GAME, **options.pop("game", {})}
        if history:
            game["settings"] = {"history": settings or {}}
        return rish_app(
            game,
            plugins={"birds": plugin},
            installed=["history"] if history else [],
            strict=options.pop("strict", False),
            **options,
        )

    return make


@pytest.fixture(autouse=True)
def saves_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the tests' save games and capsules into a folder of their own."""
    monkeypatch.setenv("RISH_SAVES", str(tmp_path / "saves"))
    monkeypatch.chdir(tmp_path)
