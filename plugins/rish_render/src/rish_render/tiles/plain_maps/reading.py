"""Reads maps written by hand: an image of tiles, a legend of characters, rows of text.

    cell: 16
    tilesets: {ground: {image: ground.png}}
    legend:
      "#": {tile: 4, solid: true, material: stone}
      "~": {frames: [8, 9, 10], every: 0.2}
      "g": {terrain: edges, tile: 16}
      "o": {object: coin}
    layers:
      ground: |
        ..o....
        ..ggg.~
        #######

A dot and a space are empty. All mistakes are reported together, each with file, line and column.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rish_core import AssetError, ManifestError
from rish_core.manifest import Document, YamlList, YamlMap, load_yaml, place_at
from rish_ecs import Place, Problem
from rish_ecs.declarations import notice_former
from rish_jit import Array

from ..autotile import autotile
from ..grid import AXES, INDICES, ORIENTATIONS, Grid
from ..model import GameMap, MapLayer, MapObject
from ..tile_data import check_size
from .checks import Checks
from .legend import Entry, Legend

_TOP = (
    "cell", "orientation", "axis", "index", "side", "tilesets", "legend", "layers", "objects", "properties",
)  # fmt: skip
_LAYER = ("rows", "z", "layer", "offset", "color", "tint", "opacity", "visible", "parallax", "properties")
_OBJECT = ("name", "class", "at", "size", "rotation", "properties")


def load_yaml_map(path: Path) -> GameMap:
    """Load a .map.yaml file. Image paths are relative to it. Raises AssetError with all mistakes."""
    try:
        document = load_yaml(path, path.name)
    except ManifestError as error:
        raise _failure(path.name, error.problems) from None
    reader = _Reader(document, path)
    map_ = reader.read()
    if reader.checks.problems:
        raise _failure(path.name, reader.checks.problems)
    return map_


def _failure(name: str, problems: list[Problem]) -> AssetError:
    if len(problems) == 1:
        return AssetError(str(problems[0]))
    shown = "\n".join(str(problem) for problem in sorted(problems))
    return AssetError(f"{len(problems)} mistakes in {name}\n{shown}")


class _Reader:
    def __init__(self, document: Document, path: Path) -> None:
        self.document, self.path = document, path
        self.checks = Checks(document)
        self.map = GameMap()

    def read(self) -> GameMap:
        top, checks = self.document.data, self.checks
        if not checks.mapping(top, (), _TOP, needs=("legend", "layers")):
            return self.map
        cell = checks.pair(top.get("cell", 16), ("cell",), low=1, high=4096)
        grid = Grid(
            checks.choice(top, (), "orientation", ORIENTATIONS),
            int(cell[0]),
            int(cell[1]),
            axis=checks.choice(top, (), "axis", AXES),
            index=checks.choice(top, (), "index", INDICES),
            side=int(checks.number(top.get("side", 0), ("side",), low=0, high=4096)),
        )
        legend = Legend(checks, self.path, grid)
        legend.read(top.get("tilesets"), top["legend"])
        self.map.tiles = legend.tiles
        self.map.properties = checks.properties(top.get("properties"), ("properties",))
        self.layers(top["layers"], legend, grid)
        self.objects(top.get("objects"))
        return self.map

    def layers(self, entries: Any, legend: Legend, grid: Grid) -> None:
        """Read all layers, and extend them to the size of the largest."""
        if not self.checks.mapping(entries, ("layers",)):
            return
        letters: list[tuple[str, YamlMap | None, Array]] = []
        for name, value in entries.items():
            options = value if isinstance(value, YamlMap) else None
            path: tuple[str | int, ...] = ("layers", name)
            if options is not None:
                if not self.checks.mapping(options, path, _LAYER, needs=("rows",)):
                    continue
                path, value = (*path, "rows"), options["rows"]
            letters.append((name, options, self.rows(value, path, legend)))
        columns = max((rows.shape[1] for *_, rows in letters), default=0)
        rows = max((rows.shape[0] for *_, rows in letters), default=0)
        try:
            check_size(columns, rows)
        except AssetError as error:
            self.checks.wrong(("layers",), str(error))
            return
        self.map.grid = Grid(
            grid.orientation, grid.width, grid.height, columns, rows, (0, 0), grid.axis, grid.index, grid.side
        )
        for name, options, characters in letters:
            whole = np.full((rows, columns), ord("."), np.uint32)
            whole[: characters.shape[0], : characters.shape[1]] = characters
            self.layer(name, options, whole, legend)

    def rows(self, text: Any, path: tuple[str | int, ...], legend: Legend) -> Array:
        """Return the characters of rows of text, uint32 (h, w). Unknown characters and uneven rows are mistakes."""
        if not isinstance(text, str):
            self.checks.wrong(path, "must be rows of text: put a | after the colon and the rows below it")
            return np.zeros((0, 0), np.uint32)
        lines = text.rstrip("\n").split("\n") if text.strip("\n") else []
        width = len(lines[0]) if lines else 0
        characters = np.full((len(lines), width), ord("."), np.uint32)
        for number, line in enumerate(lines):
            if len(line) != width:
                what = f"row {number + 1} has {len(line)} cells, the first row has {width}"
                self.checks.wrong_at(self.row_place(path, number, line, min(len(line), width)), path, what)
                continue
            characters[number] = np.frombuffer(line.encode("utf-32-le"), "<u4")
        allowed = np.array([ord(letter) for letter in legend.entries], np.uint32)
        for number, column in np.argwhere(~np.isin(characters, allowed))[:20].tolist():
            letter = lines[number][column]
            what = f"the legend has no {letter!r}. Choices: {', '.join(sorted(legend.entries))}"
            self.checks.wrong_at(self.row_place(path, number, lines[number], column), path, what)
        return characters

    def row_place(self, path: tuple[str | int, ...], number: int, line: str, column: int) -> Place:
        """Return the place in the file of a character in a block of rows."""
        start = self.document.place(*path)
        if not hasattr(self, "_lines"):
            self._lines = self.path.read_text(encoding="utf-8").splitlines()
        at = start.line + number
        raw = self._lines[at] if at < len(self._lines) else ""
        indent = len(raw) - len(line) if raw.endswith(line) else 0
        return Place(start.file, at + 1, indent + column + 1)

    def layer(self, name: str, options: YamlMap | None, letters: Array, legend: Legend) -> None:
        """Add a layer made from its characters."""
        cells = np.zeros(letters.shape, np.uint32)
        for letter, entry in legend.entries.items():
            here = letters == ord(letter)
            if not here.any():
                continue
            if entry.pieces is not None:
                same = np.isin(letters, np.array([ord(one) for one in (letter, *entry.joins)], np.uint32))
                piece = autotile(same, entry.form, entry.outside)
                cells[here] = entry.pieces[piece[here]]
            else:
                cells[here] = entry.cell
            if entry.object:
                self.marks(name, np.argwhere(here)[:, ::-1], entry)
        x0, y0, _, _ = self.map.grid.box
        layer = MapLayer(name, cells, origin=(x0, y0))
        if options is not None:
            self.options(layer, options, ("layers", name))
        self.map.layers.append(layer)

    def options(self, layer: MapLayer, entries: YamlMap, path: tuple[str | int, ...]) -> None:
        checks = self.checks
        layer.properties = checks.properties(entries.get("properties"), (*path, "properties"))
        if "z" in entries:
            layer.properties["z"] = checks.number(entries["z"], (*path, "z"))
        if "layer" in entries:
            layer.properties["layer"] = checks.text(entries["layer"], (*path, "layer"))
        layer.offset = checks.pair(entries.get("offset", 0), (*path, "offset"))
        layer.parallax = checks.pair(entries.get("parallax", 1), (*path, "parallax"))
        layer.opacity = checks.number(entries.get("opacity", 1), (*path, "opacity"), low=0, high=1)
        layer.visible = checks.flag(entries.get("visible", True), (*path, "visible"))
        color = "color"
        if "tint" in entries and color not in entries:
            color = "tint"
            notice_former("a layer of a map", "tint", "color", place_at(entries.keys_at["tint"]))
        layer.tint = checks.color(entries.get(color), (*path, color))

    def marks(self, layer: str, cells: Array, entry: Entry) -> None:
        """Add an object of the legend in the middle of each of the cells."""
        for x, y in self.map.grid.centers(cells).tolist():
            number = len(self.map.objects) + 1
            mark = MapObject(number, "", entry.object, layer, "point", x, y, properties=dict(entry.properties))
            self.map.objects.append(mark)

    def objects(self, entries: Any) -> None:
        """Read the list of objects; `at` and `size` are in cells."""
        if entries is None:
            return
        if not isinstance(entries, YamlList):
            self.checks.wrong(("objects",), "must be a list")
            return
        grid, checks = self.map.grid, self.checks
        for index, one in enumerate(entries):
            path: tuple[str | int, ...] = ("objects", index)
            if not checks.mapping(one, path, _OBJECT, needs=("at",)):
                continue
            column, row = checks.pair(one["at"], (*path, "at"))
            x, y = grid.between(column, row)
            thing = MapObject(len(self.map.objects) + 1, "", "", "", "point", x, y)
            thing.name = checks.text(one.get("name", ""), (*path, "name"))
            thing.kind = checks.text(one.get("class", ""), (*path, "class"))
            thing.rotation = float(np.radians(checks.number(one.get("rotation", 0), (*path, "rotation"))))
            if "size" in one:
                wide, high = checks.pair(one["size"], (*path, "size"), low=0)
                thing.form, thing.width, thing.height = "box", wide * grid.width, high * grid.height
            thing.properties = checks.properties(one.get("properties"), (*path, "properties"))
            self.map.objects.append(thing)
