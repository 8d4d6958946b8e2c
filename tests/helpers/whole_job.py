"""A whole job in the editor by window events alone: a small game from an empty folder. For a test and a film."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from rish_core import Transform, find
from rish_editor.testing import UIDriver

PLUGINS = ("scripts", "lighting", "particles", "physics")
"""The plugins of the whole job."""
ROWS = "editor.hierarchy/rows/"
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
plugins: [render, scripts, lighting, particles, physics]
layers: [back, world, front, {hud: {space: screen}}]

scenes:
  main:
    - name: camera
      Transform: {position: [320, 180]}
      Camera: {}
    - name: cave
      Transform: {}
      TileMap: {map: cave.map.yaml}
    - name: hero
      Transform: {position: [80, 76]}
      Shape: {size: [16, 24], color: "#ffcc33"}
      Player: {speed: 90}
      children:
        - name: lamp
          Transform: {position: [0, 12]}
          Light: {radius: 220, color: "#ffd9a0"}
    - name: camp
      Transform: {position: [300, 64]}
      children:
        - name: fire
          Transform: {}
          Emitter: {preset: fire}
    - name: moon
      Transform: {position: [320, 180]}
      Ambient: {color: "#8090c0"}
    - name: ground
      Transform: {position: [320, 48]}
      Body: {type: static}
      Collider: {size: [608, 32]}
    - name: ball
      Transform: {position: [448, 304]}
      Shape: {shape: circle, radius: 12, color: "#e0554f"}
      Body: {}
      Collider: {shape: circle, radius: 12}
"""

SMALL = """rish: 1
game: {title: Cave, size: [640, 360]}
plugins: [render, scripts]
layers: [back, world, front, {hud: {space: screen}}]

scenes:
  main:
    - name: camera
      Transform: {position: [320, 180]}
      Camera: {}
    - name: camp
      Transform: {position: [144, 76]}
      children:
        - name: hero
          Transform: {}
          Shape: {size: [16, 24], color: "#ffcc33"}
          Player: {speed: 90}
"""
"""What the small job makes."""


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
        self.first = ""
        """The hash of the new game, before its plugins."""

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
        return self.editor.panels["editor.scene"].views["2d"].scene.to_screen((x, y))

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

    def select(self, row: str) -> None:
        """Click a row of the hierarchy."""
        self.driver.click(f"{ROWS}{row}")
        self.driver.step(2)

    def begin(self, *plugins: str) -> None:
        """Make an empty game, bring its files along, and choose plugins of it."""
        self.said("A new game")
        self.driver.key("Ctrl+N")
        self.driver.step(3)
        self.fill("dialog/title", "Cave")
        self.fill("dialog/folder", str(self.folder))
        self.driver.click("dialog/create")
        self.driver.step(4)
        self.first = self.game.world.hash()
        write_assets(self.folder)
        self.said("Its plugins")
        self.menu("File", "file.settings")
        self.driver.scroll("dialog/form", -40)
        for plugin in plugins:
            self._reveal("dialog/form", f"dialog/plugin:{plugin}")
            self.driver.click(f"dialog/plugin:{plugin}")
            self.driver.step(4)
            self.driver.scroll("dialog/form", -40)
        self.driver.click("dialog/close")
        self.driver.step(3)

    def _reveal(self, form: str, widget: str) -> None:
        """Scroll a form up until a widget is in its upper half or at its top."""
        for _ in range(40):
            place, room = self.driver.place(widget), self.driver.place(form)
            if place.top > room.top + room.size[1] / 4:
                return
            self.driver.scroll(form, 1)

    def build_small(self) -> None:
        """Make a hero with a script, in a group that is moved with an arrow."""
        self.create("box", "hero")
        self.enter("Shape/size.x", "16")
        self.enter("Shape/size.y", "24")
        self.enter("Shape/color.hex", "ffcc33")
        self.place(80, 76)
        self._play_hero()
        self.driver.key("Ctrl+G")
        self.driver.step(2)
        self.rename("camp")
        self.driver.click("toolbar/view.snap")
        self.move("move.x", 64, 0)

    def build(self) -> None:
        """Make the scene."""
        self._cave()
        self._hero()
        self._fire()
        self._things()

    def _cave(self) -> None:
        self.said("A tile map, dropped into the scene")
        self.editor.show("editor.assets")
        self.driver.wait(lambda: self.driver.sees("editor.assets/files/cave.map.yaml"), 3000)  # lists live for a second
        self.driver.drag("editor.assets/files/cave.map.yaml", self.at(100, 100))
        self.driver.step(2)
        self.place(0, 0)
        self.rename("cave")

    def _hero(self) -> None:
        self.said("A player with a script")
        self.create("box", "hero")
        self.enter("Shape/size.x", "16")
        self.enter("Shape/size.y", "24")
        self.enter("Shape/color.hex", "ffcc33")
        self.place(80, 76)
        self._play_hero()
        self.said("A light that the player carries")
        self.create("light", "lamp")
        self.enter("Light/radius", "220")
        self.enter("Light/color.hex", "ffd9a0")
        self.driver.drag(f"{ROWS}lamp", f"{ROWS}hero")
        self.driver.step(2)
        self.place(0, 12)

    def _play_hero(self) -> None:
        """Add the script to what is selected."""
        self.find("")
        self.driver.click("editor.inspector/add")
        self.driver.type("Player")
        self.driver.key("Enter")
        self.enter("Player/speed", "90")

    def _fire(self) -> None:
        self.said("A fire, in a group")
        self.create("particles", "fire")
        self.place(300, 64)
        self.driver.key("Ctrl+G")
        self.driver.step(2)
        self.rename("camp")
        self.said("Moonlight")
        self.create("ambient", "moon")
        self.enter("Ambient/color.hex", "8090c0")

    def _things(self) -> None:
        self.said("Ground that bodies stand on")
        self.create("ground", "ground")
        self.place(320, 48)
        self.enter("Collider/size.x", "608")
        self.find("")
        self.driver.click("editor.inspector/Shape:menu")
        self.driver.click("editor.inspector/Shape/menu/remove")
        self.said("A ball, moved with the arrows")
        self.create("body_ball", "ball")
        self.enter("Shape/radius", "12")
        self.enter("Shape/color.hex", "e0554f")
        self.enter("Collider/radius", "12")
        self.place(320, 240)
        self.find("")
        self.driver.click("toolbar/view.snap")
        self.move("move.x", 128, 0)
        self.move("move.y", 0, 64)

    def move(self, handle: str, x: float, y: float) -> None:
        """Drag a handle of the scene view by a way in units, y up."""
        density = self.editor.panels["editor.scene"].views["2d"].camera.density
        self.driver.drag(f"editor.scene/{handle}", by=(x * density, -y * density))

    def undo(self) -> int:
        """Undo all steps with the keyboard; return how many."""
        self.said("Undo all of it")
        count = 0
        while self.game.history.done:
            self.driver.key("Ctrl+Z")
            count += 1
        return count

    def redo(self) -> int:
        """Do all undone steps again with the keyboard; return how many."""
        self.said("And redo it")
        count = 0
        while self.game.history.undone:
            self.driver.key("Ctrl+Y")
            count += 1
        return count

    def save(self) -> None:
        """Save the game, close it, and open it again from the list of recent games."""
        self.said("Save, close, open again")
        self.driver.key("Ctrl+S")
        self.driver.step(2)
        self.driver.key("Ctrl+W")
        self.driver.step(3)
        self.driver.click("menu/File")
        self.driver.move("menu/File/recent")
        self.driver.step(20)
        self.driver.click("menu/File/recent/0")
        self.driver.step(4)

    def play(self, frames: int = 60) -> None:
        """Play for a while; the run goes on."""
        self.said("Play")
        self.driver.click("toolbar/play.start")
        self.driver.step(frames)

    def stop(self) -> None:
        """Stop the run, without keeping changes."""
        self.said("Stop: all is as before")
        self.driver.click("toolbar/play.stop")
        self.driver.step(3)

    def read(self, name: str, cls: type, field: str) -> Any:
        """Return a field of an entity by its name."""
        found = find(self.game.world, name)
        assert found is not None
        return self.game.read(found, cls, field)

    def position(self, name: str) -> tuple[float, float]:
        """Return where an entity is, relative to its parent."""
        x, y = self.read(name, Transform, "position")
        return float(x), float(y)
