"""A person who makes random edits by the functions that panels use."""

from __future__ import annotations

import random
from typing import Any

from rish_authoring import add_component, move_into, remove_component
from rish_core import Name, Transform
from rish_editor.testing import UIDriver
from rish_render import Shape, Sprite


class Person:
    """Makes random edits. number: of the seed."""

    def __init__(self, driver: UIDriver, number: int) -> None:
        self.driver, self.editor = driver, driver.shell.editor
        self.random = random.Random(number)

    @property
    def game(self) -> Any:
        """The opened game."""
        assert self.editor.game is not None
        return self.editor.game

    def some(self) -> list[int]:
        """Return a few entities."""
        known = self.game.world.table(Transform).entities.tolist()
        return self.random.sample(known, min(len(known), self.random.randint(1, 3)))

    def edit(self) -> None:
        """Make one edit of any kind."""
        kinds = [self.select, self.field, self.field, self.nudge, self.rename, self.command, self.component, self.tree,
                 self.gizmo]  # fmt: skip
        self.random.choice(kinds)()
        if len(self.game.world.table(Transform)) > 60:
            self.editor.run("edit.delete")

    def select(self) -> None:
        """Select entities."""
        with self.game.edit("Select"):
            self.game.selection.set(self.some())

    def field(self) -> None:
        """Set a field, as the inspector does."""
        kind, name, value = self.random.choice([
            (Transform, "position", (self.random.uniform(-300, 300), self.random.uniform(-200, 200))),
            (Transform, "rotation", self.random.uniform(-3, 3)),
            (Shape, "color", (self.random.random(), 0.5, 0.5, 1.0)),
            (Shape, "visible", self.random.random() < 0.5),
        ])  # fmt: skip
        self.game.set(self.some(), kind, name, value, merge=self.random.choice([None, ("drag", name)]))

    def nudge(self) -> None:
        """Move entities by a unit."""
        with self.game.edit("Nudge"):
            for handle in self.some():
                x, y = self.game.read(handle, Transform, "position")
                self.game.set([handle], Transform, "position", (x + 1, y))

    def rename(self) -> None:
        """Rename one."""
        self.game.set(self.some()[:1], Name, "value", f"n{self.random.randint(0, 99)}")

    def command(self) -> None:
        """Run a command of the menus."""
        self.select()
        self.editor.run(self.random.choice(
            ["edit.duplicate", "edit.delete", "edit.copy", "edit.paste", "edit.group", "entity.create.box",
             "entity.create.circle", "edit.select_all", "entity.create.text"]
        ))  # fmt: skip

    def component(self) -> None:
        """Add or remove a component."""
        handle = self.some()[0]
        with self.game.edit("Component"):
            change = remove_component if self.game.world.has(handle, Sprite) else add_component
            change(self.game.app, [handle], Sprite)

    def tree(self) -> None:
        """Put an entity below another one."""
        one, other, *_ = [*self.some(), *self.some()]
        parents, above = self.game.world.table(Transform), other
        while above:
            if above == one:
                return
            above = int(parents.read_row("parent", parents.row_of(above)))
        with self.game.edit("Tree"):
            move_into(self.game.app, [one], other)

    def gizmo(self) -> None:
        """Drag the arrow of the scene view."""
        self.select()
        self.editor.run("tool.move")
        self.driver.step(2)
        if self.driver.sees("editor.scene/move.center"):
            by = self.random.uniform(-40, 40), self.random.uniform(-40, 40)
            self.driver.drag("editor.scene/move.center", by=by, steps=2)
