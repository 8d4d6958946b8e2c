"""Makes the pictures of the editor and the film of a whole job again; look at them before committing.

python docs/make_editor_pictures.py [NAME ...]       # without names: all pictures
python docs/make_editor_pictures.py --film
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PICTURES = Path(__file__).parent / "pictures" / "editor"
SIZE = (1280, 720)
sys.path.append(str(ROOT / "tests" / "helpers"))
os.environ.setdefault("ARCADE_HEADLESS", "1")

from PIL import Image, ImageDraw  # noqa: E402

from rish_editor import Settings, Shell  # noqa: E402
from rish_editor.testing import LEFT, UIDriver  # noqa: E402
from rish_frame import Capture  # noqa: E402


@contextmanager
def editor(game: str = "", **settings: Any) -> Iterator[UIDriver]:
    """Open an editor off screen, with a game of the folder `games`."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RISH_CONFIG"] = folder
        options: dict[str, Any] = {"language": "en", "autosave": 0.0, **settings}
        shell = Shell(Settings(**options), size=SIZE, headless=True, marks=True)
        driver = UIDriver(shell)
        driver.step(3)
        if game and not shell.open(ROOT / "games" / game):
            raise RuntimeError(shell.log.lines[-1].text)
        driver.step(30)
        shell.editor.notes.clear()
        yield driver
        shell.close()


def whole(driver: UIDriver) -> None:
    """The whole editor, with a selected entity."""
    driver.shell.editor.show("editor.scene")
    driver.step(3)
    rows = "editor.hierarchy/rows/"
    if driver.sees(f"{rows}orchard"):
        place = driver.place(f"{rows}orchard")
        driver.click((place.left + 14, place.center[1]))
    names = [mark for mark in driver.marks(rows) if mark.count("/") == 2 and not mark.endswith("/empty")]
    driver.click(names[7])
    driver.move((640, 690))
    driver.step(30)


def assets(driver: UIDriver) -> None:
    """The files of the game."""
    driver.shell.editor.show("editor.assets")
    driver.step(20)


def space(driver: UIDriver) -> None:
    """The view of space, with a selected character."""
    editor = driver.shell.editor
    editor.games.go("harbour")
    editor.show("editor.scene")
    driver.step(5)
    editor.game.selection.set(editor.game.named(["robot"]))
    editor.run("view.frame")
    editor.run("view.zoom_out")
    driver.move((640, 690))
    driver.step(20)


def playing(driver: UIDriver) -> None:
    """A game that runs in the editor."""
    driver.click("toolbar/play.start")
    driver.move((640, 690))
    driver.step(200)


def palette(driver: UIDriver) -> None:
    """The list of all commands."""
    driver.key("Ctrl+P")
    driver.type("sel")
    driver.step(3)


def dialog(command: str) -> Callable[[UIDriver], None]:
    """Return a function that opens what a command opens."""

    def open_it(driver: UIDriver) -> None:
        driver.shell.editor.run(command)
        driver.move((8, 700))
        driver.step(6)

    return open_it


TAKES: dict[str, tuple[str, dict[str, Any], Callable[[UIDriver], None], str]] = {
    "editor.png": ("lantern", {}, whole, ""),
    "light.png": ("orchard", {"theme": "Light"}, whole, ""),
    "chinese.png": ("orchard", {"language": "zh-TW"}, whole, ""),
    "hierarchy.png": ("orchard", {}, whole, "editor.hierarchy"),
    "inspector.png": ("orchard", {}, whole, "editor.inspector"),
    "scene.png": ("orchard", {}, whole, "editor.scene"),
    "space.png": ("beacon", {}, space, "editor.scene"),
    "assets.png": ("lantern", {}, assets, "editor.assets"),
    "playing.png": ("physics", {}, playing, ""),
    "palette.png": ("orchard", {}, palette, ""),
    "settings.png": ("orchard", {}, dialog("tools.settings"), "editor.settings"),
    "start.png": ("", {}, lambda driver: driver.step(2), ""),
}
"""For each picture the game, settings, what the person does, and the panel that is cut out, "" for all."""


def make(name: str) -> None:
    """Make one picture."""
    game, settings, work, panel = TAKES[name]
    with editor(game, **settings) as driver:
        work(driver)
        driver.shell.log.clear()
        driver.step(2)
        picture = Image.fromarray(driver.picture()).convert("RGB")
        if panel:
            place = driver.place(panel)
            picture = picture.crop((round(place.left), round(place.top), round(place.right), round(place.bottom)))
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture.save(PICTURES / name, optimize=True)
    print(f"wrote {PICTURES / name}")


class FilmDriver(UIDriver):
    """A person whose pointer moves visibly; each second frame is added to a film."""

    def __init__(self, shell: Shell, film: Path) -> None:
        super().__init__(shell)
        self.caption = ""
        self._count = 0
        self._film = Capture([film], 1 / 24, self._drawn)

    def step(self, frames: int = 1) -> None:
        """Run frames, and film them."""
        for _ in range(frames):
            super().step()
            self._count += 1
            if self._count % 3 == 0:
                self._film.take()

    def move(self, to: Any) -> None:
        """Move the pointer in small steps."""
        end = self.place(to).center if isinstance(to, str) else to
        start = self.at
        steps = 1 if self._buttons else max(1, min(9, round(max(abs(end[0] - start[0]), abs(end[1] - start[1])) / 40)))
        for step in range(1, steps + 1):
            part = step / steps
            super().move((start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part))

    def finish(self) -> None:
        """Write the film."""
        self._film.finish()

    def _drawn(self) -> Any:
        import numpy as np

        picture = Image.fromarray(self.picture())
        draw = ImageDraw.Draw(picture)
        x, y = self.at
        points = [
            (x, y),
            (x, y + 17),
            (x + 4, y + 13),
            (x + 7, y + 19),
            (x + 10, y + 18),
            (x + 7, y + 12),
            (x + 12, y + 12),
        ]
        draw.polygon(points, fill="#ffd24a" if self._buttons & LEFT else "white", outline="black")
        if self.caption:
            box = draw.textbbox((0, 0), self.caption, font_size=20)
            left = (SIZE[0] - box[2]) / 2
            draw.rounded_rectangle((left - 16, 660, left + box[2] + 16, 696), 8, fill="#7b61d8")
            draw.text((left, 666), self.caption, fill="white", font_size=20)
        return np.asarray(picture)


def film() -> None:
    """Film how a small game is made from an empty folder."""
    from whole_job import PLUGINS, WholeJob

    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RISH_CONFIG"] = f"{folder}/config"
        shell = Shell(Settings(language="en", autosave=0.0), size=SIZE, headless=True, marks=True)
        driver = FilmDriver(shell, PICTURES / "job.mp4")
        job = WholeJob(driver, Path(folder) / "cave", lambda text: setattr(driver, "caption", text))
        job.begin(*PLUGINS)
        job.build()
        job.undo()
        job.redo()
        job.save()
        job.play(240)
        job.stop()
        driver.step(30)
        driver.finish()
        shell.close()
    print(f"wrote {PICTURES / 'job.mp4'}")


def main(arguments: list[str]) -> int:
    """Make the film, the named pictures, or all pictures."""
    if "--film" in arguments:
        film()
        return 0
    for name in arguments or TAKES:
        make(name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
