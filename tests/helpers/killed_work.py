"""An editor in a process of its own that does random work and says what it has, to be killed at any moment.

    python killed_work.py FOLDER SEED

Each line of its output is JSON. `do`: an action that begins. `state`: what the editor has, said before the copies look
at it. `seen`: the number of states that the copies have looked at. So what can be recovered was said before.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from random_work import Worker, write_game
from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver
from rish_render import open_window


def state_of(game: Any) -> str:
    """Return a digest of the texts that saving would write: of the files, with the edits of the World."""
    texts = sorted((path.name, text) for path, text in game.project.plan().finish(partial=True).plain.items())
    return hashlib.sha256(repr(texts).encode()).hexdigest()


def texts_of(shell: Any) -> dict[str, str]:
    """Return the unsaved texts of the panel Text, by name of their file."""
    return {text.path.name: text.field.text for text in shell.editor.texts.unsaved}


class Typist(Worker):
    """Does random work, types source text too, and says each action."""

    def work(self) -> None:
        """Do one action."""
        if self.random.random() < 0.25:
            tell(do="type")
            self.write_code()
            self.driver.step(3)
            self.answer()
            return
        super().work()

    def write_code(self) -> None:
        """Type a comment into the code, or save it."""
        texts = self.editor.texts
        path = self.game.path / "plugin.py"
        opened = texts.of(path.resolve()) or texts.open(path)
        assert opened is not None
        texts.open(path)
        self.driver.step(3)
        if opened.dirty and self.random.random() < 0.3:
            texts.save(opened)
            return
        opened.field.go_to(0)
        self.driver.step(2)
        for letter in f"# {self.random.choice(['note', 'todo', 'walk'])} ":
            self.driver.type(letter)

    def save(self) -> None:
        """Save what is in front."""
        tell(do="save")
        self.editor.run("file.save")
        self.driver.step(2)

    def play(self) -> None:
        """Play a while."""
        tell(do="play")
        super().play()


def tell(**what: Any) -> None:
    """Write a line."""
    print(json.dumps(what), flush=True)


def main(folder: Path, seed: int) -> None:
    """Work until the process is killed."""
    write_game(folder)
    window = open_window("Test", (1280, 720), visible=False)
    shell = Shell(Settings(language="en"), window=window, marks=True, drawn=False, saves=False)
    assert shell.open(folder)
    games, look, count, last = shell.games, shell.games.look, 0, None

    def told(now: float) -> None:
        nonlocal count, last
        game = shell.editor.game
        if game is not None and game.editing:
            now_is = state_of(game), texts_of(shell)
            if now_is != last:
                last, count = now_is, count + 1
                tell(state=now_is[0], texts=now_is[1])
        look(now)

    def frame(*arguments: Any) -> None:
        done(*arguments)
        tell(seen=count)

    done, games.look, shell.frame = shell.frame, told, frame  # type: ignore[method-assign]
    driver = UIDriver(shell)
    driver.step(3)
    worker = Typist(driver, seed)
    while True:
        worker.work()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
