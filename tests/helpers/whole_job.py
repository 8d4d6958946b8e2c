"""A whole job in the editor, by window events alone: a small game is made from an empty folder. For a test and a film."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from rish_core import Transform, find
from rish_editor.testing import UIDriver

PLAYER = '''"""The player of the game."""

from rish_core import Transform, field
from rish_scripts import Script


class Player(Script):
    """Walks to the right."""

    speed: float = field(60, unit="units/s", low=0, high=400)

    def on_update(self, dt):
        self.get(Transform).position += (self.speed * dt, 0)
'''
PLUGIN = '''"""The code of the game."""

from rish_scripts import scripts_in

from . import scripts


def rish_scripts():
    return scripts_in(scripts)
'''
MAP = """cell: 16
tilesets: {ground: tiles.png}
legend:
  "#": {tile: 0, solid: true}
  "g": {tile: 1, solid: true}
layers:
  ground: |
    ########################################
    ##..................................####
    #.....................................##
    #......................................#
    #......................................#
    #......................................#
    #.............................ggggg....#
    #.............................#####....#
    #......ggggg...........................#
    #......#####...........................#
    #......................................#
    #......................................#
    #......................................#
    #.................ggggg................#
    #.................#####................#
    #......................................#
    #......................................#
    #ggg................................gggg
    ####gggggggggggggggggggggggggggggggg####
    ########################################
    ########################################
    ########################################
"""
MANIFEST = """rish: 1
game: {title: Cave, size: [640, 360]}
plugins: [render, lighting, particles, physics, scripts]
layers: [back, world, front, {hud: {space: screen}}]
scenes:
  main:
    - {name: camera, Transform: {position: [320, 180]}, Camera: {}}
    - {name: cave, Transform: {position: [320, 184]}, TileMap: {map: cave.map.yaml}}
    - name: hero
      Transform: {position: [80, 64]}
      Shape: {size: [16, 24], color: "#ffcc33"}
      Player: {speed: 90}
      children:
        - {name: lamp, Transform: {position: [0, 12]}, Light: {radius: 200, color: "#ffd9a0"}}
    - name: Group
      Transform: {position: [320, 0]}
      children:
        - {name: fire, Transform: {position: [0, 64]}, Emitter: {preset: fire}}
"""


def write_assets(folder: Path) -> None:
    """Write what a person brings along: pictures, a map and a script."""
    (folder / "scripts").mkdir()
    (folder / "scripts" / "__init__.py").write_text("")
    (folder / "scripts" / "player.py").write_text(PLAYER, encoding="utf-8")
    (folder / "plugin.py").write_text(PLUGIN, encoding="utf-8")
    (folder / "cave.map.yaml").write_text(MAP, encoding="utf-8")
    sheet = Image.new("RGBA", (32, 16))
    draw = ImageDraw.Draw(sheet)
    for number, (face, edge, top) in enumerate((("#4f5a78", "#3c4560", "#5d6a8c"), ("#4d7a4a", "#3c4560", "#7fc06a"))):
        x = 16 * number
        draw.rectangle((x, 0, x + 15, 15), fill="#4f5a78" if number else face)
        draw.rectangle((x, 0, x + 15, 4 if number else 1), fill=top)
        for k in range(4):
            y = 4 * ((3 * k + number) % 4)
            draw.line((x + 4 * k, y + 6, x + 4 * k + 3, y + 6), fill=edge)
    sheet.save(folder / "tiles.png")


class WholeJob:
    """A person who makes a game. folder: of the game, which does not exist yet. said: called with what is done next."""

    def __init__(self, driver: UIDriver, folder: Path, said: Callable[[str], Any] = lambda text: None) -> None:
        self.driver, self.folder, self.said = driver, folder, said
        self.editor = driver.shell.editor

    @property
    def game(self) -> Any:
        """The opened game."""
        assert self.editor.game is not None
        return self.editor.game

    def fill(self, field: str, text: str) -> None:
        """Replace the content of a field, without Enter."""
        self.driver.double_click(field)
        self.driver.key("Ctrl+A")
        self.driver.type(text)

    def menu(self, menu: str, command: str) -> None:
        """Choose an entry of a menu."""
        self.driver.click(f"menu/{menu}")
        self.driver.click(f"menu/{menu}/{command}")
        self.driver.step(3)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the world is in the window."""
        return self.editor.panels["editor.scene"]._scene.to_screen((x, y))

    def create(self, thing: str, name: str) -> None:
        """Create something with the menu of the hierarchy, and name it in the inspector."""
        self.driver.click("editor.hierarchy/create")
        self.driver.click(f"editor.hierarchy/create/{thing}")
        self.driver.step(2)
        self.rename(name)

    def rename(self, name: str) -> None:
        """Name what is selected."""
        self.driver.click("editor.inspector/name")
        self.driver.key("Ctrl+A")
        self.driver.type(name)
        self.driver.key("Enter")

    def enter(self, field: str, text: str) -> None:
        """Type a value into a field of the inspector."""
        self.find(field.partition("/")[2].partition(".")[0])
        self.driver.enter(f"editor.inspector/{field}", text)

    def find(self, text: str) -> None:
        """Let the inspector show properties with this text only; "" shows all."""
        self.driver.click("editor.inspector/search")
        self.driver.key("Ctrl+A")
        self.driver.key("Delete")
        if text:
            self.driver.type(text)
        self.driver.step(2)

    def place(self, x: float, y: float) -> None:
        """Type the position."""
        self.enter("Transform/position.x", str(x))
        self.enter("Transform/position.y", str(y))
