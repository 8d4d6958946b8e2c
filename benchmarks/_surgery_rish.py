"""The tasks of the benchmark `surgery`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from rish_core import App, parse_manifest
from rish_reload import disable, enable, reload, replace

from ._task import Task

MANY = 1_000
_PROVIDER = """
from rish_core import About, Stage, Transform, component, system

@component
class Ball:
    speed: float = 1.0

@system(Stage.STEP, reads=Ball, writes=Transform)
def step(world, dt):
    balls = world.query(Ball, Transform)
    with balls.edit(Transform.position) as position:
        position[:, 0] += balls[Ball.speed] * dt

def rish_about():
    return About(provides=["physics2d"], namespace="physics")

def rish_components():
    return [Ball]

def rish_systems():
    return [step]
"""
_TEXT = f"""rish: 1
game: {{title: Surgery, size: [640, 360]}}
plugins: [render]
scenes:
  main:
    - {{count: {MANY}, at: {{grid: [40, 25], step: [16, 14]}}, Transform: {{}}, Ball: {{}}, Shape: {{size: [8, 8]}}}}
"""


def _provider() -> Any:
    """Return a module with a provider of the contract, written into a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="rish-surgery-"))
    (folder / "surgery_provider.py").write_text(_PROVIDER, encoding="utf-8")
    sys.path.insert(0, str(folder))
    import surgery_provider  # pyright: ignore[reportMissingImports]

    return surgery_provider


def _app(backend: str, provider: Any) -> App:
    app = App(parse_manifest(_TEXT), headless=True, backend=backend, extra={"solid": provider})
    app.run(5)
    return app


def switch() -> Task:
    """Disable the plugin that moves all entities, and enable it."""
    app = _app("null", _provider())

    def run() -> None:
        disable(app, "solid")
        enable(app, "solid")

    return Task(run)


def exchange() -> Task:
    """Replace a plugin by another provider with the same components, and that one by the first."""
    provider = _provider()
    app = _app("null", provider)

    def run() -> None:
        replace(app, "solid", "soft", given=provider)
        replace(app, "soft", "solid", given=provider)

    return Task(run)


def renew() -> Task:
    """Load the code of a plugin again."""
    app = _app("null", _provider())
    return Task(lambda: reload(app, "solid"))


def _swap(first: str, second: str) -> Task:
    app = _app(first, _provider())
    host: Any = app.host

    def run() -> None:
        host.swap(second)
        host.swap(first)

    run()
    return Task(run)


def swap_software() -> Task:
    """Swap null for software and back."""
    return _swap("null", "software")


def swap_arcade() -> Task:
    """Swap arcade, off screen, for software and back."""
    return _swap("arcade", "software")
