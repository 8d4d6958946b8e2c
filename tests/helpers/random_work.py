"""Random work at an editor: edits, saving, runs, undo, other scenes, prefabs, and files that other programs change.

After each action the promises of the editor are checked: the text with the edits gives the World, a game without
unsaved edits is as its files, a run leaves nothing behind, and questions are only asked about files.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from random_person import Person
from rish_authoring import make_prefab, mark_authored
from rish_authoring.saving.omissions import parts_of
from rish_authoring.saving.worlds import Spawned
from rish_core import Prefabs, RishError, Scenes, Transform, open_game, spawn_prefab
from rish_editor.testing import UIDriver
from rish_system import write_whole

GAME = """rish: 1
game: {title: Random, size: [640, 360]}
plugins: [render, scripts]
include: [more.yaml]
scenes:
  main:
    - {name: camera, Transform: {}, Camera: {height: 360}}
    - {name: box, count: 4, at: {grid: [2, 2], step: [60, 60]}, Transform: {}, Shape: {size: [30, 30]}}
    - {prefab: crate, name: crate, at: [-100, 40]}
    - {name: walker, Transform: {position: [5, 5]}, Walker: {pace: 3}}
    - {name: wanderer, Transform: {position: [9, 5]}, Walker: {}}
"""
MORE = """prefabs:
  crate: {Transform: {}, Shape: {size: [20, 20]}, children: [{name: lid, Transform: {}, Shape: {}}]}
scenes:
  attic:
    - {name: lamp, Transform: {position: [1, 2]}, Shape: {size: [12, 12]}}
"""
CODE = """from rish_core import Transform
from rish_scripts import Script


class Walker(Script):
    pace: float = {pace}
    {more}

    def on_update(self, dt):
        self.get(Transform).position += (self.pace, 0)


def rish_scripts():
    return [Walker]
"""
MOST = 40
"""The greatest number of entities."""


def write_game(folder: Path) -> None:
    """Write the game that the work begins with."""
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME)
    (folder / "more.yaml").write_text(MORE)
    (folder / "plugin.py").write_text(CODE.format(pace="1.0", more=""))
    Image.new("RGB", (4, 4), "red").save(folder / "hero.png")


def write(path: Path, text: str) -> None:
    """Write a file as another program does that never leaves half a file."""
    write_whole(path, text.encode())


def said(world: Any) -> str:
    """Return a digest of what the entities of a World are, which does not depend on their handles."""
    side = Spawned(world, world[Scenes].current)
    used = world.entities.used
    alive = np.flatnonzero(world.entities.state[:used] == 1)
    parts = parts_of(side, (world.entities.generation[alive].astype(np.int64) << 32 | alive).tolist())
    listed = sorted(f"{part} x{count}" for part, count in parts.items())
    return hashlib.sha256("\n".join([world[Scenes].current, *listed]).encode()).hexdigest()


class Worker(Person):
    """Does random work. log: the actions so far."""

    def __init__(self, driver: UIDriver, number: int) -> None:
        super().__init__(driver, number)
        self.log: list[str] = []
        self._now = 1e9

    def work(self) -> None:
        """Do one action of any kind, answer what is asked, and check what must hold."""
        kinds = [self.edit] * 8 + [self.save, self.save, self.undo, self.undo, self.redo, self.play, self.play]
        kinds += [self.other_scene, self.prefab, self.use_prefab]
        kinds += [self.outside_manifest, self.outside_include, self.outside_code, self.outside_picture]
        action = self.random.choice(kinds)
        self.log.append(action.__name__)
        action()
        self.driver.step(3)
        self.answer()
        self.check()

    def check(self) -> None:
        """Check that the text gives the World, and that nothing is unsaved without a mark."""
        game, after = self.game, self.log[-12:]
        assert game.editing, after
        plan = game.project.plan()
        text = plan.finish(partial=True)
        assert not plan.wrong, (after, plan.wrong)
        assert game.dirty or not text.changed, (after, "there are edits without a mark")

    def answer(self) -> None:
        """Answer what is asked; only changes from outside and prefabs that exist may ask."""
        for _ in range(4):
            if not self.editor.dialogs.open:
                return
            names = [each.name for each in self.editor.dialogs.shown.choices]
            assert names in (["reload", "keep"], ["close"], ["overwrite", "reload", "cancel"]), (self.log[-12:], names)
            answer = self.random.choice(names)
            self.log.append(answer)
            self.driver.wait(lambda name=f"dialog/{answer}": self.driver.sees(name), 5)
            self.driver.click(f"dialog/{answer}")
            self.driver.step(4)
        raise AssertionError((self.log[-12:], "the questions do not end"))

    def look(self) -> None:
        """Let seconds pass for the editor's looks at files."""
        self._now += 1e4
        if self.editor.games.outside is not None:
            self.editor.games.outside.note(path for path in self.editor.game.path.rglob("*.*") if path.is_file())
        self.editor.games.look(self._now)

    # The person

    def edit(self) -> None:
        """Make an edit, as long as there are not too many entities."""
        try:
            super().edit()
        except RishError as error:
            self.log.append(str(error))
        if self.game.count > MOST:
            self.select()
            self.editor.run("edit.delete")

    def some(self) -> list[int]:
        """Return a few entities; at least one is left after they are deleted."""
        if not len(self.game.world.table(Transform)):
            self.editor.run("entity.create.box")
        return super().some()

    def save(self) -> None:
        """Save; then the files opened anew have the World."""
        self.driver.key("Ctrl+S")
        self.driver.step(2)
        if self.editor.dialogs.open:
            return
        assert not self.game.dirty, self.log[-12:]
        with open_game(self.game.path, headless=True, warm_up=False) as fresh:
            fresh.world[Scenes].go(self.game.scene)
            fresh.border()
            fresh.refresh()
            assert said(fresh.world) == said(self.game.world), self.log[-12:]

    def undo(self) -> None:
        """Undo some steps, and do some again."""
        for _ in range(self.random.randint(1, 4)):
            self.editor.run("edit.undo")

    def redo(self) -> None:
        """Do some steps again."""
        for _ in range(self.random.randint(1, 3)):
            self.editor.run("edit.redo")

    def play(self) -> None:
        """Play a while; the run may begin its scene or another one anew, and files may change meanwhile."""
        game, before = self.game, self.game.world.hash()
        state, manifest, dirty = said(game.world), game.app.manifest, game.dirty
        scene, code = game.scene, False
        self.driver.key("F5")
        self.driver.wait(lambda: game.play.running, 10)
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.randint(0, 5)
            self.log.append(f"run {kind}")
            if kind == 0:
                game.play.pause()
                game.world[Scenes].go(scene)
                game.app.border()
                game.app.refresh()
                assert said(game.world) == state or code, (self.log[-12:], "a restarted scene lacks edits")
                game.play.start()
            elif kind == 1:
                game.world[Scenes].go(self.random.choice(game.scenes))
            elif kind == 2:
                spawn_prefab(game.world, self.random.choice(game.world[Prefabs].names), at=(3, 3))
            elif kind == 3:
                self.outside_code()
                code = True
            elif kind == 4:
                self.outside_manifest()
            self.driver.step(self.random.randint(1, 4))
        self.answer()
        self.driver.key("F8")
        self.driver.wait(lambda: not game.play.running, 10)  # a key waits while the one before settles
        assert self.game is game, self.log[-12:]
        assert code or game.world.hash() == before, (self.log[-12:], "the World is another one after the run")
        assert said(game.world) == state or code, self.log[-12:]
        assert game.app.manifest is manifest, self.log[-12:]
        assert game.dirty == dirty, self.log[-12:]
        self.look()

    def other_scene(self) -> None:
        """Open another scene."""
        self.editor.games.go(self.random.choice(self.game.scenes))

    def prefab(self) -> None:
        """Make a prefab of an entity."""
        [handle, *_] = self.some()
        try:
            with self.game.edit("Make a prefab"):
                make_prefab(self.game.project, handle, f"made{self.random.randint(0, 10**6)}")
        except RishError as error:
            self.log.append(str(error))

    def use_prefab(self) -> None:
        """Put a use of a prefab into the scene, as a drop of it does."""
        with self.game.edit("Use a prefab"):
            name = self.random.choice(self.game.world[Prefabs].names)
            mark_authored(self.game.world, spawn_prefab(self.game.world, name, at=(30, 30)))

    # Other programs

    def outside_manifest(self) -> None:
        """Change a number of the manifest."""
        path = self.game.path / "game.yaml"
        number = self.random.randint(100, 900)
        write(path, re.sub(r"size: \[\d+, 360\]", f"size: [{number}, 360]", path.read_text()))
        self.look()

    def outside_include(self) -> None:
        """Change the prefab and the lamp of the included file."""
        path = self.game.path / "more.yaml"
        begin = "crate: {Transform: {}, Shape: {size: ["
        text = re.sub(re.escape(begin) + r"\d+", f"{begin}{self.random.randint(5, 50)}", path.read_text())
        write(path, text)
        self.look()

    def outside_code(self) -> None:
        """Change the code: another default, or another column."""
        more = self.random.choice(["", "steps: int = 0", "height: float = 2.5"])
        text = CODE.format(pace=f"{self.random.randint(1, 9)}.5", more=more)
        write(self.game.path / "plugin.py", text)
        self.look()
        self.driver.step(2)

    def outside_picture(self) -> None:
        """Paint the picture."""
        Image.new("RGB", (self.random.randint(1, 9), 4), "blue").save(self.game.path / "hero.png")
        self.look()
