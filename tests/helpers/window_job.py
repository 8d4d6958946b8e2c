"""A whole job in a real window, by mouse and keys of the system alone: a small game from an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from screen_person import Person

ROWS = "editor.hierarchy/rows/"
MANIFEST = """# The content of the game.
rish: 1
game: {title: Star Cave, size: [640, 360]}
plugins: [render, physics, lighting, particles, audio, scripts, rules]

settings:
  audio:
    sounds:
      gust: {synth: {preset: coin, frequency: 660}}

layers:
  - back
  - world
  - front
  - hud: {space: screen}

scenes:
  main:
    - {name: camera, Transform: {position: [320, 180]}, Camera: {}}
    - name: hero
      Transform: {position: [80, 60]}
      Sprite: {image: hero.png}
      Body: {}
      Collider: {size: [24, 32]}
      Walker: {speed: 90}
    - name: star
      Transform: {position: [560, 100]}
      Sprite: {image: star.png}
    - name: ground
      Transform: {position: [320, 20]}
      Shape: {size: [600, 32], color: "#4f5a78"}
      Body: {type: static}
      Collider: {size: [600, 32]}
    - name: lamp
      Transform: {position: [320, 180]}
      Light: {color: "#ffd9a0", radius: 300}
    - name: moon
      Transform: {position: [320, 180]}
      Ambient: {color: "#8090c0"}
    - name: fire
      Transform: {position: [480, 40]}
      Emitter: {preset: fire}
    - name: wind
      Transform: {position: [320, 180]}
      AudioSource: {clip: gust}

variables: {seconds: 0}

on:
  every 1:
    - {add: {seconds: 1}}
"""
"""The manifest as a person would write it."""


def write_pictures(folder: Path) -> None:
    """Write the pictures that the person brings along."""
    folder.mkdir()
    hero = Image.new("RGBA", (24, 32))
    draw = ImageDraw.Draw(hero)
    draw.rounded_rectangle((0, 0, 23, 31), 6, fill="#5aa9e6")
    draw.rectangle((7, 9, 9, 13), fill="white")
    draw.rectangle((14, 9, 16, 13), fill="white")
    hero.save(folder / "hero.png")
    star = Image.new("RGBA", (16, 16))
    ImageDraw.Draw(star).ellipse((0, 0, 15, 15), fill="#ffd24a")
    star.save(folder / "star.png")


class WindowJob:
    """The job. folder: of the game, which does not exist yet, `star-cave` in the
    one in which the editor was started. brought: of the pictures. said: called with what is
    done next.
    """

    def __init__(self, person: Person, folder: Path, brought: Path, said: Callable[[str], Any] = lambda text: None):
        self.person, self.folder, self.brought, self.said = person, folder, brought, said

    def begin(self) -> None:
        """Make an empty game in the first form of the editor."""
        person = self.person
        person.click("welcome/file.new")
        self.said("new game")
        person.key("Ctrl+A")
        person.type("Star Cave")
        person.click("dialog/create")
        person.wait(lambda: person.sees(f"{ROWS}camera"), 30)

    def bring(self) -> None:
        """Bring pictures along, one by the dialogue and one by dropping it, and make sprites of them."""
        person = self.person
        person.palette("Assets")
        person.click("editor.assets/import")
        person.double_click("dialog/path")
        person.key("Ctrl+A")
        person.type(str(self.brought))
        person.key("Enter")
        self.said("import")
        person.click("dialog/entry:hero.png")
        person.click("dialog/ok")
        person.place("editor.assets/files/hero.png")
        person.drop(self.brought / "star.png")
        person.place("editor.assets/files/star.png")
        view = person.place("editor.scene/view")
        person.drag("editor.assets/files/hero.png", (view.left + view.size[0] * 0.3, view.center[1]))
        self.at(80, 60)
        self.said("sprite")

    def body(self) -> None:
        """Give the hero a body in a game without physics, and something to stand on."""
        for component in ("Body", "Collider"):
            self.add(component)
        view = self.person.place("editor.scene/view")
        self.person.drag("editor.assets/files/star.png", (view.left + view.size[0] * 0.7, view.center[1]))
        self.at(560, 100)
        self.create("ground")
        self.at(320, 20)
        self.enter("Shape/size.x", "600")
        self.enter("Shape/color.hex", "4f5a78")
        self.enter("Collider/size.x", "600")
        self.said("body")

    def lights(self) -> None:
        """Add light, particles and a sound, each of a plugin that the game does not have yet."""
        self.create("light", "lamp")
        self.enter("Light/color.hex", "ffd9a0")
        self.enter("Light/radius", "300")
        self.create("ambient", "moon")
        self.enter("Ambient/color.hex", "8090c0")
        self.create("particles", "fire")
        self.at(480, 40)
        self.said("fire")
        self.create("sound", "wind")
        self.new("audio.sound", "gust")
        self.said("sound")

    def script(self) -> None:
        """Make a script for the hero, and edit it in the panel Text."""
        person = self.person
        person.click(f"{ROWS}hero")
        self.new("scripts.script", "Walker")
        person.place("editor.text/code")
        person.key("Ctrl+G")
        person.type("10")
        person.key("Enter")
        person.key("Shift+End")
        person.type('    speed: float = field(60, unit="units/s", low=0)')
        self.said("script")
        person.key("Ctrl+S")
        person.wait(lambda: "field(60," in (self.folder / "scripts" / "walker.py").read_text(), 20)
        person.see(10)
        person.palette("Inspector")
        self.enter("Walker/speed", "90")

    def rule(self) -> None:
        """Make a rule."""
        self.new("rules.rule", "seconds")
        self.said("rule")

    # Parts

    def at(self, x: float, y: float) -> None:
        """Type the position of the selected entity."""
        self.enter("Transform/position.x", str(x))
        self.enter("Transform/position.y", str(y))

    def enter(self, field: str, text: str) -> None:
        """Type a value into a field of the inspector, which the search shows."""
        person, mark = self.person, f"editor.inspector/{field}"
        person.place("editor.inspector/search")
        if not person.in_view(mark, "editor.inspector/components"):
            person.click("editor.inspector/search")
            person.key("Ctrl+A")
            person.type(field.partition("/")[2].partition(".")[0])
            person.wait(lambda: person.in_view(mark, "editor.inspector/components"), 20)
        person.enter(mark, text)

    def add(self, component: str) -> None:
        """Add a component with the button of the inspector."""
        self.person.click("editor.inspector/add")
        self.person.type(component)
        self.person.key("Enter")
        self.person.place(f"editor.inspector/{component}:header")

    def create(self, thing: str, name: str = "") -> None:
        """Create something with the menu of the hierarchy, and name it in the inspector."""
        person, before = self.person, set(self.person.marks(ROWS))
        person.click("editor.hierarchy/create")
        person.place("editor.hierarchy/create/empty")
        if not person.sees(f"editor.hierarchy/create/{thing}"):
            person.click("editor.hierarchy/create/others")
            thing = f"others/{thing}"
        person.click(f"editor.hierarchy/create/{thing}")
        person.wait(lambda: set(person.marks(ROWS)) - before, 30)
        person.see()
        person.click("editor.inspector/name")
        person.key("Ctrl+A")
        person.type(name or thing)
        person.key("Enter")
        person.place(f"{ROWS}{name or thing}")

    def new(self, kind: str, name: str) -> None:
        """Make a new asset of a kind with the button of the panel Assets."""
        person = self.person
        person.click("editor.assets/new")
        person.click(f"dialog/kind:{kind}")
        person.key("Ctrl+A")
        person.type(name)
        person.key("Enter")
        person.wait(lambda: not person.sees("dialog/create"), 20)
