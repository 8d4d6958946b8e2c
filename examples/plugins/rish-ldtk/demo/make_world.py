"""Makes the demo's tiles and its world: `tiles.png`, and `world.ldtk` in the format that LDtk 1.5 writes."""

import json
import uuid
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

HERE, CELL = Path(__file__).parent, 16
TILES = {".": 0, ",": 1, "*": 2, "-": 3, "~": 4, "o": 5, "#": 6, "T": 7, "R": 8, "=": 9}
GROUND = {"#": 5, "T": 0, "R": 0, "*": 0, ",": 0, "=": 4}
"""The tile below each tile that does not fill its cell; `#` is a wall of stone, `T` a tree, `R` a rock."""
SOLID = {"#": 1, "T": 1, "R": 1, "~": 2}
LEVELS = {
    "Meadow": ((0, 0), """
        TTTTTTTTTTTTTTTTTTTTTTTT
        T..,....*......T.....,.T
        T.....,.....-----......#
        TH.*.......--...-.*..C.#
        T.....C.,..-....-......#
        T,.........-..R.--------
        T..R...*...-..,..-------
        T.....,....-..........,#
        T..S.......---...C.....#
        T.,......*...-...,.....T
        T....C.......-...*..T..T
        T..*....,....-.........T
        T...........--......,..T
        TTTTTTTTTTTT--TTTTTTTTTT
        """),
    "Cave": ((24, 0), """
        ####################
        #oooo#oooooooo#oooo#
        #oCoo#ooooooooooCoo#
        #oooo#ooo###oo#oooo#
        #o##oooooo##oo######
        oooo###oooooooooooo#
        oooo###ooooooSooooo#
        #oo######oooooooooo#
        #ooooooo##oo###oo#o#
        #oCooooooooo#Cooo#o#
        #oooooo##ooo#oooo#o#
        #######oooooo##oooo#
        #ooooooooooooooooCo#
        ####################
        """),
    "Lake": ((0, 14), """
        TTTTTTTTTTTT--TTTTTTTTTT
        T......,....--....*....T
        T.~~~~~~~~~.-...~~~~...T
        T.~~~~~~~~~.--.~~~~~~..T
        T.~~~~~~~~~~.-~~~~~~~..T
        T..~~~~~C~~~~=~~~~~~~~.T
        T..~~~~~=~~~~=~~~~~~~~.T
        T.C.~~~~======~~~~~~~..T
        T....~~~~~~~~~~~~~~~.C.T
        T.*....~~~~~~~~~~~~....T
        T...,...S.~~~~~~..,....T
        TTTTTTTTTTTTTTTTTTTTTTTT
        """),
}  # fmt: skip
SIGNS = {
    "Meadow": "Four coins lie in the meadow.\nThe path leads to cave and lake.",
    "Cave": "Mind your head.",
    "Lake": "A pier. And a coin that floats.",
}
COLORS = {"Meadow": "#4E8A3E", "Cave": "#2A2733", "Lake": "#3F7FA8"}
NEIGHBORS = (("Meadow", "e", "Cave"), ("Meadow", "s", "Lake"), ("Cave", "w", "Meadow"), ("Lake", "n", "Meadow"))
COINS = ["#FFD43B", "#FF922B", "#FFE066"]


def iid(name: str) -> str:
    """Return an id that is the same each time."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"rish-ldtk/{name}"))


def draw_tiles() -> None:
    """Draw the ten tiles in a row."""
    image = Image.new("RGBA", (CELL * len(TILES), CELL))
    draw = ImageDraw.Draw(image)
    grass, dark = "#5fa14c", "#4b8a3d"
    for k, base in enumerate([grass, grass, None, "#c9a66b", "#3b82b8", "#54505f", "#7d7887", None, None, "#9c6b43"]):
        if base is not None:
            draw.rectangle((k * CELL, 0, k * CELL + 15, 15), fill=base)
    for x, y in ((2, 3), (9, 6), (5, 12), (13, 11)):
        draw.line((x, y, x, y + 1), fill=dark)
        draw.line((3 * CELL + x, y, 3 * CELL + x + 1, y), fill="#b08d55")
        draw.point((5 * CELL + x, y), fill="#625d70")
    for x, y in ((3, 9), (5, 8), (7, 9), (10, 4), (12, 3), (14, 4)):
        draw.line((CELL + x, y, CELL + x, y + 3), fill="#3f7a35")
    for x, y, color in ((4, 4, "#ff8fab"), (10, 9, "#ffe066"), (5, 12, "#e5dbff")):
        draw.ellipse((2 * CELL + x - 1, y - 1, 2 * CELL + x + 1, y + 1), fill=color)
        draw.point((2 * CELL + x, y), fill="#ffffff")
    for y in (4, 11):
        draw.arc((4 * CELL + 2, y - 2, 4 * CELL + 8, y + 2), 180, 360, fill="#74b3dd")
        draw.arc((4 * CELL + 8, y, 4 * CELL + 14, y + 4), 180, 360, fill="#5a9fd0")
    wall = 6 * CELL
    draw.rectangle((wall, 12, wall + 15, 15), fill="#5b5666")
    for y, shift in ((3, 0), (7, 5), (11, 2)):
        draw.line((wall, y, wall + 15, y), fill="#5b5666")
        for x in (3 + shift, 11 + shift):
            draw.line((wall + x % 16, y - 3, wall + x % 16, y), fill="#5b5666")
    tree, rock = 7 * CELL, 8 * CELL
    draw.rectangle((tree + 6, 10, tree + 9, 15), fill="#6b4a2f")
    draw.ellipse((tree, 0, tree + 15, 12), fill="#2f6b36", outline="#234f29")
    draw.ellipse((tree + 3, 1, tree + 10, 7), fill="#3f8346")
    draw.ellipse((rock + 1, 4, rock + 14, 14), fill="#8b8794", outline="#5f5b68")
    draw.ellipse((rock + 4, 5, rock + 9, 9), fill="#a5a1ae")
    for y in (3, 8, 13):
        draw.line((9 * CELL, y, 9 * CELL + 15, y), fill="#7a4f2e")
    image.save(HERE / "tiles.png")


def layer(level: str, name: str, kind: str, uid: int, size: tuple[int, int], **more: object) -> dict[str, Any]:
    """Return a layer of a level."""
    own = {
        "__identifier": name, "__type": kind, "__cWid": size[0], "__cHei": size[1], "__gridSize": CELL,
        "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0,
        "__tilesetDefUid": 10 if kind == "Tiles" else None,
        "__tilesetRelPath": "tiles.png" if kind == "Tiles" else None, "iid": iid(f"{level}/{name}"), "layerDefUid": uid,
        "visible": True, "intGridCsv": [], "autoLayerTiles": [], "gridTiles": [], "entityInstances": [],
    }  # fmt: skip
    return own | more


def tile(x: int, y: int, number: int) -> dict[str, Any]:
    """Return a tile in a cell."""
    return {"px": [x * CELL, y * CELL], "src": [number * CELL, 0], "f": 0, "t": number, "d": [], "a": 1}


def entity(level: str, letter: str, x: int, y: int, count: int) -> dict[str, Any]:
    """Return an entity in the middle of a cell."""
    name = {"H": "Hero", "C": "Coin", "S": "Sign"}[letter]
    fields = []
    if letter == "C":
        fields = [{"__identifier": "color", "__type": "Color", "__value": COINS[count % 3], "defUid": 30}]
    if letter == "S":
        fields = [{"__identifier": "Text_text", "__type": "Multilines", "__value": SIGNS[level], "defUid": 31}]
    return {
        "__identifier": name, "__grid": [x, y], "__pivot": [0.5, 0.5], "__tags": [],
        "iid": iid(f"{level}/{letter}{x},{y}"),
        "width": CELL, "height": CELL, "defUid": 20, "px": [x * CELL + 8, y * CELL + 8], "fieldInstances": fields,
    }  # fmt: skip


def make_level(name: str) -> dict[str, Any]:
    """Return a level from its letters."""
    (left, top), text = LEVELS[name]
    rows = text.split()
    size = len(rows[0]), len(rows)
    blank = "o" if name == "Cave" else "."
    ground, decor, solid, entities = [], [], [], []
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            shown = blank if letter in "HCS" else letter
            if name == "Lake" and letter == "C" and rows[y][x - 1] == "~":
                shown = "="
            ground.append(tile(x, y, GROUND.get(shown, TILES[shown])))
            if shown in GROUND:
                decor.append(tile(x, y, TILES[shown]))
            solid.append(SOLID.get(shown, 0))
            if letter in "HCS":
                entities.append(entity(name, letter, x, y, len(entities)))
    return {
        "identifier": name, "iid": iid(name), "uid": list(LEVELS).index(name), "worldX": left * CELL,
        "worldY": top * CELL, "worldDepth": 0, "pxWid": size[0] * CELL, "pxHei": size[1] * CELL,
        "__bgColor": COLORS[name], "bgRelPath": None,
        "__bgPos": None, "externalRelPath": None, "fieldInstances": [], "__neighbours": [],
        "layerInstances": [
            layer(name, "Entities", "Entities", 4, size, entityInstances=entities),
            layer(name, "Decor", "Tiles", 3, size, gridTiles=decor),
            layer(name, "Ground", "Tiles", 2, size, gridTiles=ground),
            layer(name, "Collision", "IntGrid", 1, size, intGridCsv=solid),
        ],
    }  # fmt: skip


def make_world() -> dict[str, Any]:
    """Return the whole project."""
    levels = {name: make_level(name) for name in LEVELS}
    for one, way, other in (
        ("Meadow", "e", "Cave"),
        ("Meadow", "s", "Lake"),
        ("Cave", "w", "Meadow"),
        ("Lake", "n", "Meadow"),
    ):
        levels[one]["__neighbours"].append({"levelIid": iid(other), "dir": way})
    values = [
        {"value": 1, "identifier": "walls", "color": "#000000"},
        {"value": 2, "identifier": "water", "color": "#4080FF"},
    ]
    kinds = {"Collision": "IntGrid", "Ground": "Tiles", "Decor": "Tiles", "Entities": "Entities"}
    definitions = [
        {"identifier": name, "__type": kind, "type": kind, "uid": k, "gridSize": CELL,
         "intGridValues": values if kind == "IntGrid" else [], "parallaxFactorX": 0, "parallaxFactorY": 0}
        for k, (name, kind) in enumerate(kinds.items(), 1)
    ]  # fmt: skip
    tileset = {
        "identifier": "Tiles", "uid": 10, "relPath": "tiles.png", "embedAtlas": None, "pxWid": CELL * len(TILES),
        "pxHei": CELL, "tileGridSize": CELL, "spacing": 0, "padding": 0, "customData": [], "enumTags": [],
    }  # fmt: skip
    return {
        "__header__": {"fileType": "LDtk Project JSON", "app": "LDtk", "schema": "https://ldtk.io/files/JSON_SCHEMA.json"},
        "iid": iid("world"), "jsonVersion": "1.5.3", "worldLayout": "GridVania", "worldGridWidth": CELL,
        "worldGridHeight": CELL, "externalLevels": False,
        "defs": {"layers": definitions, "entities": [], "tilesets": [tileset], "enums": [], "levelFields": []},
        "levels": list(levels.values()), "worlds": [],
    }  # fmt: skip


def written(value: object, depth: int = 0) -> str:
    """Return JSON in which numbers and small things stay on one line."""
    flat = json.dumps(value, ensure_ascii=False)
    if (
        len(flat) < 110
        or not isinstance(value, dict | list)
        or (isinstance(value, list) and not isinstance(value[0], dict))
    ):
        return flat
    pad, items = "\t" * (depth + 1), []
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {written(each, depth + 1)}" for key, each in value.items()]
    else:
        items = [written(each, depth + 1) for each in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{pad}" + f",\n{pad}".join(items) + "\n" + "\t" * depth + end


if __name__ == "__main__":
    draw_tiles()
    (HERE / "world.ldtk").write_text(written(make_world()) + "\n", encoding="utf-8")
