"""A game with files of many formats that name each other, for tests of renaming."""

from __future__ import annotations

import io
import json
import wave
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from rish_core import App

MANIFEST = """\
# A game with many files.
rish: 1
game: {title: Files, size: [64, 64]}
plugins: [render, particles, audio, ui, rules, scene3d, animation, scripts, editor]
include: [parts/more.yaml]
settings:
  render: {icon: images/hero.png}   # of the window
  audio:
    sounds:
      hop: sounds/hop.wav
      step: {clips: [sounds/hop.wav, "sounds/hop.wav"]}
scenes:
  main:
  - {name: camera, Transform: {}, Camera: {height: 64}}
  - {name: hero, Transform: {}, Sprite: {image: images/hero.png, normal: 'images/hero.png'}}
  - name: label
    Transform: {}
    Text: {text: images/hero.png}        # says it
  - {name: fire, Transform: {}, Emitter: {preset: fx/fire.particles.yaml}}
  - {name: map, Transform: {}, TileMap: {map: maps/level.tmx}}
  - {prefab: crate, count: 2, Sprite: {image: {each: [images/hero.png, ./images/box.png]}}}
  - {prefab: crate, Sprite.image: images/hero.png}
"""
MORE = "prefabs:\r\n  crate: {Transform: {}, Sprite: {image: images/box.png}}   # wood\r\n"
PRESET = "# a fire\npicture: images/spark.png\ncapacity: 10\nemit: {rate: 1}\n"
TMX = """<?xml version="1.0" encoding="UTF-8"?>
<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
 <tileset firstgid="1" source="tiles.tsx"/>
 <layer id="1" name="a" width="1" height="1"><data encoding="csv">1</data></layer>
</map>
"""
TSX = """<?xml version="1.0" encoding="UTF-8"?>
<tileset name="t" tilewidth="16" tileheight="16" tilecount="1" columns="1">
 <image source="../images/box.png" width="16" height="16"/>
</tileset>
"""
FNT = 'info face="x" size=8\ncommon lineHeight=8\npage id=0 file="../images/spark.png"\n'
CODE = '''# images/hero.png is the hero
"""images/hero.png"""
HERO = "images/hero.png"
OTHER = r'images/hero.png', b"images/hero.png", ("images/" "hero.png")


def path(name):
    return f"images/{name}.png"
'''


def write_game(folder: Path) -> Path:
    """Write the game into a folder; return it."""
    for name in ("images", "fx", "maps", "parts", "sounds", "fonts", "data"):
        (folder / name).mkdir()
    for number, name in enumerate(("hero", "box", "spark")):
        Image.fromarray(np.full((16, 16, 4), 80 * number + 90, np.uint8)).save(folder / f"images/{name}.png")
    write(folder, "game.yaml", MANIFEST)
    write(folder, "parts/more.yaml", MORE)
    write(folder, "fx/fire.particles.yaml", PRESET)
    write(folder, "maps/level.tmx", TMX)
    write(folder, "maps/tiles.tsx", TSX)
    write(folder, "fonts/small.fnt", FNT)
    write(folder, "paths.py", CODE)
    write(folder, "data/list.json", json.dumps({"first": "images/hero.png"}))
    write(folder, "images/hero.json", json.dumps({"frames": {}, "meta": {"image": "hero.png"}}))
    (folder / "sounds/hop.wav").write_bytes(wav())
    return folder


def write(root: Path, name: str, text: str) -> None:
    """Write a file without changing its newlines."""
    (root / name).write_bytes(text.encode())


def wav() -> bytes:
    """Return a very short sound."""
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setparams((1, 2, 8000, 80, "NONE", ""))
        file.writeframes(bytes(160))
    return made.getvalue()


def declared(app: App) -> list[Any]:
    """Return what the plugins of a game declare of their formats."""
    return list(app.registry.of("rish_editor_references").values())


def contents(root: Path) -> dict[str, bytes]:
    """Return all files with their bytes."""
    found = (path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}
