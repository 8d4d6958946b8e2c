"""An editor for tests of what plugins bring for it: one window off screen for a module, a person, and games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver

SIZE = (1280, 720)


class Desk:
    """An editor with a person at it. driver: the person. folder: for games. games: how many were opened."""

    def __init__(self, folder: Path, size: tuple[int, int] = SIZE) -> None:
        self.folder = folder
        self.shell = Shell(
            Settings(language="en", autosave=0.0), size=size, headless=True, marks=True, drawn=False, saves=False
        )
        self.driver = UIDriver(self.shell)
        self.driver.step(2)
        self.games = 0

    @property
    def editor(self) -> Any:
        """The state of the editor."""
        return self.shell.editor

    @property
    def game(self) -> Any:
        """The opened game."""
        assert self.editor.game is not None
        return self.editor.game

    def open(self, text: str, files: dict[str, str] | None = None) -> Any:
        """Open a game of this text; return it. files: other files by name."""
        self.games += 1
        folder = self.folder / f"game{self.games}"
        for name, content in {"game.yaml": text, **(files or {})}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        assert self.shell.open(folder), [line.text for line in self.shell.log.lines]
        self.editor.settings.options.clear()
        self.editor.memory.clear()
        self.editor.failed_drawers.clear()
        self.editor.view.tool = "select"
        self.editor.show("editor.scene")
        self.driver.step(3)
        return self.game

    def show(self, panel: str) -> None:
        """Open a panel at its usual place."""
        self.editor.show(panel)
        self.driver.step(5)

    def entity(self, name: str) -> int:
        """Return an entity by its name."""
        from rish_core import Name

        table = self.game.world.table(Name)
        return next(
            int(handle) for row, handle in enumerate(table.entities.tolist()) if table.read_row("value", row) == name
        )

    def select(self, *names: str) -> list[int]:
        """Select entities by their names."""
        handles = [self.entity(name) for name in names]
        self.game.selection.set(handles)
        self.driver.step(3)
        return handles

    def drag(self, mark: str, by: tuple[float, float], **options: Any) -> tuple[float, float]:
        """Drag a handle of the scene view by units of the world; return the units that it was dragged."""
        density = self.editor.panels["editor.scene"].views["2d"].camera.density
        self.driver.drag(f"editor.scene/{mark}", by=(by[0] * density, -by[1] * density), **{"steps": 4, **options})
        return by

    @property
    def steps(self) -> list[str]:
        """The names of the steps that can be undone."""
        return [entry.name for entry in self.game.history.done]


@contextmanager
def desk(folder: Path, size: tuple[int, int] = SIZE) -> Iterator[Desk]:
    """Open an editor whose settings are kept in a folder. size: of its window."""
    import os

    before = os.environ.get("RISH_CONFIG")
    os.environ["RISH_CONFIG"] = str(folder / "config")
    made = Desk(folder, size)
    try:
        yield made
    finally:
        made.shell.close()
        if before is None:
            del os.environ["RISH_CONFIG"]
        else:
            os.environ["RISH_CONFIG"] = before
