"""The legend of a hand-written map: the meaning of each character in its rows.

Every character gets tiles of its own, so that two characters may show the same image but have different properties.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import AssetError
from rish_core.manifest import YamlList, YamlMap
from rish_frame.frame import CELL_MIRRORED_X, CELL_MIRRORED_Y, CELL_TRANSPOSED
from rish_frame.pictures import image_size
from rish_jit import Array

from ..autotile import FORMS, PIECES
from ..grid import Grid
from ..model import Animation, Tiles
from .checks import Checks
from .checks import Path as Keys

_TILESET = ("image", "cell", "margin", "spacing", "offset")
_ENTRY = (
    "tile", "frames", "every", "set", "flip_x", "flip_y", "turn", "terrain", "pieces", "joins", "outside", "object",
    "solid", "material", "mask", "one_way", "class", "properties",
)  # fmt: skip
_MEANING: dict[str, Callable[[Checks, Any, Keys], Any]] = {
    "solid": Checks.flag, "one_way": Checks.flag, "material": Checks.text, "mask": Checks.mask, "class": Checks.text,
}  # fmt: skip
_TURNS = {0: 0, 90: CELL_TRANSPOSED | CELL_MIRRORED_X, 180: CELL_MIRRORED_X | CELL_MIRRORED_Y,
          270: CELL_TRANSPOSED | CELL_MIRRORED_Y}  # fmt: skip
EMPTY = ".\u0020"
"""Characters of empty cells, unless the legend defines them."""
_MAX = 4096  # the most cells of an image along a side


@dataclass
class Sheet:
    """A tileset: an image cut into equal cells. image: index in `Tiles.images`. columns, count: of the cells."""

    image: int = -1
    columns: int = 1
    count: int = 0
    cell: tuple[int, int] = (16, 16)
    margin: int = 0
    spacing: int = 0
    offset: tuple[float, float] = (0.0, 0.0)

    def region(self, number: int) -> tuple[int, int, int, int]:
        """Return x y w h of a cell within the image."""
        w, h = self.cell
        column, row = number % self.columns, number // self.columns
        return self.margin + column * (w + self.spacing), self.margin + row * (h + self.spacing), w, h


@dataclass
class Entry:
    """The meaning of a character. cell: of a plain tile. pieces: uint32 cells of a terrain, by the piece's number."""

    cell: int = 0
    pieces: Array | None = None
    form: str = "edges"
    joins: str = ""
    outside: bool = True
    object: str = ""
    properties: dict[str, Any] = field(default_factory=dict[str, Any])


class Legend:
    """Reads tilesets and legend into `tiles` and `entries`; mistakes are recorded in `checks`."""

    def __init__(self, checks: Checks, file: Path, grid: Grid) -> None:
        self.checks, self.file, self.grid = checks, file, grid
        self.tiles = Tiles()
        self.sheets: dict[str, Sheet] = {}
        self.entries: dict[str, Entry] = {letter: Entry() for letter in EMPTY}

    def read(self, tilesets: Any, legend: Any) -> None:
        """Read the tilesets and the legend."""
        checks = self.checks
        if tilesets is not None and checks.mapping(tilesets, ("tilesets",)):
            for name, value in tilesets.items():
                self.sheets[name] = self.sheet(value, ("tilesets", name))
        if not checks.mapping(legend, ("legend",)):
            return
        for letter, value in legend.items():
            if len(letter) != 1 or letter == "\n":
                checks.wrong(("legend", letter), "a key of the legend must be a single character")
                continue
            self.entries[letter] = self.entry(letter, value, ("legend", letter))

    def sheet(self, value: Any, path: Keys) -> Sheet:
        """Read one tileset: the path of its image, or a mapping."""
        checks, sheet = self.checks, Sheet(cell=(self.grid.width, self.grid.height))
        if isinstance(value, YamlMap):
            if not checks.mapping(value, path, _TILESET, needs=("image",)):
                return Sheet()
            if "cell" in value:
                wide, high = checks.pair(value["cell"], (*path, "cell"), 1, 4096)
                sheet.cell = int(wide), int(high)
            sheet.margin = checks.whole(value.get("margin", 0), (*path, "margin"), 0, _MAX)
            sheet.spacing = checks.whole(value.get("spacing", 0), (*path, "spacing"), 0, _MAX)
            sheet.offset = checks.pair(value.get("offset", 0), (*path, "offset"))
            path, value = (*path, "image"), value["image"]
        text = checks.text(value, path)
        if text:
            self.measure(sheet, text, path)
        return sheet

    def measure(self, sheet: Sheet, source: str, path: Keys) -> None:
        """Compute how many cells an image has from the size in its header. Images of packages are not opened."""
        self.tiles.images.append(source)
        sheet.image = len(self.tiles.images) - 1
        if ":" in source:
            sheet.columns, sheet.count = _MAX, _MAX * _MAX
            return
        picture = self.file.parent / source
        if not picture.is_file():
            self.checks.wrong(path, f"there is no image {source!r} in the folder of {self.file.name}")
            return
        try:
            wide, high = image_size(picture)
        except AssetError as error:
            self.checks.wrong(path, error.what)
            return
        w, h = sheet.cell
        sheet.columns = max((wide - 2 * sheet.margin + sheet.spacing) // (w + sheet.spacing), 1)
        sheet.count = sheet.columns * max((high - 2 * sheet.margin + sheet.spacing) // (h + sheet.spacing), 0)
        if not sheet.count:
            self.checks.wrong(path, f"{source!r} is smaller than one cell: {wide}×{high} pixels")

    def entry(self, letter: str, value: Any, path: Keys) -> Entry:
        """Read one line of the legend: empty, a number, or a mapping."""
        if value is None:
            return Entry()
        if isinstance(value, int) and not isinstance(value, bool):
            sheet = self.chosen(None, path)
            return Entry(self.add(sheet, [self.cell_number(value, sheet, path)], letter, {}))
        if not self.checks.mapping(value, path, _ENTRY) or not isinstance(value, YamlMap):
            return Entry()
        return self.whole_entry(letter, value, path)

    def whole_entry(self, letter: str, value: YamlMap, path: Keys) -> Entry:
        """Read an entry that is a mapping."""
        checks = self.checks
        entry = Entry(properties=self.meaning(value, path))
        if "object" in value:
            entry.object = checks.text(value["object"], (*path, "object"))
        if "terrain" in value:
            self.terrain(entry, letter, value, path)
            return entry
        numbers: list[int] = []
        sheet = self.chosen(value.get("set"), path) if "tile" in value or "frames" in value else Sheet()
        if "tile" in value:
            numbers = [self.cell_number(value["tile"], sheet, (*path, "tile"))]
        elif "frames" in value:
            numbers = self.cell_numbers(value["frames"], sheet, (*path, "frames"))
        elif not entry.object and not entry.properties:
            checks.wrong(path, "is empty: it needs a tile, frames, a terrain or an object")
        if numbers:
            entry.cell = self.add(sheet, numbers, letter, entry.properties) | self.flips(value, path)
            if len(numbers) > 1:
                every = checks.number(value.get("every", 0.1), (*path, "every"), low=0.001)
                first = entry.cell & 0x0FFFFFFF
                frames = np.arange(first, first + len(numbers))
                self.tiles.animations[first] = Animation(frames, np.arange(1, len(numbers) + 1) * every)
        elif entry.properties and not entry.object:
            entry.cell = self.add(Sheet(), [0], letter, entry.properties)
        return entry

    def meaning(self, value: YamlMap, path: Keys) -> dict[str, Any]:
        """Read the properties of a tile: those with keys of their own, and the others."""
        checks = self.checks
        properties = checks.properties(value.get("properties"), (*path, "properties"))
        for key, check in _MEANING.items():
            if key in value:
                properties[key] = check(checks, value[key], (*path, key))
        return properties

    def flips(self, value: YamlMap, path: Keys) -> int:
        """Return the flags of a cell: rotated clockwise first, then mirrored."""
        turn = value.get("turn", 0)
        if turn not in _TURNS or isinstance(turn, bool):
            self.checks.wrong((*path, "turn"), f"must be 0, 90, 180 or 270 degrees clockwise, not {turn!r}")
            turn = 0
        flags = _TURNS[turn]
        for key, flag in (("flip_x", CELL_MIRRORED_X), ("flip_y", CELL_MIRRORED_Y)):
            if key in value and self.checks.flag(value[key], (*path, key)):
                flags ^= flag
        return flags

    def terrain(self, entry: Entry, letter: str, value: YamlMap, path: Keys) -> None:
        """Read a terrain: 16 or 47 pieces, starting at `tile` or listed in `pieces`."""
        checks = self.checks
        entry.form = checks.choice(value, path, "terrain", FORMS)
        count = PIECES[entry.form]
        sheet = self.chosen(value.get("set"), path)
        if "pieces" in value:
            numbers = self.cell_numbers(value["pieces"], sheet, (*path, "pieces"))
            if len(numbers) != count:
                checks.wrong((*path, "pieces"), f"must be {count} numbers, not {len(numbers)}")
                return
        elif "tile" in value:
            first = self.cell_number(value["tile"], sheet, (*path, "tile"))
            if first + count > sheet.count:
                what = f"the {count} pieces starting at {first} exceed the image, which has {sheet.count} cells"
                checks.wrong((*path, "tile"), what)
                return
            numbers = list(range(first, first + count))
        else:
            checks.wrong(path, f"needs 'tile', the first of {count} pieces, or the list 'pieces'")
            return
        first = self.add(sheet, numbers, letter, entry.properties)
        entry.pieces = np.arange(first, first + count).astype(np.uint32)
        entry.outside = checks.flag(value.get("outside", True), (*path, "outside"))
        entry.joins = checks.text(value.get("joins", ""), (*path, "joins"))

    def chosen(self, name: Any, path: Keys) -> Sheet:
        """Return the tileset of that name, or the first one if there is no name."""
        if name is None and self.sheets:
            return next(iter(self.sheets.values()))
        if name in self.sheets:
            return self.sheets[name]
        what = f"no tileset is called {name!r}" if name is not None else "there is no tileset"
        self.checks.wrong((*path, "set") if name is not None else path, what)
        return Sheet()

    def cell_number(self, value: Any, sheet: Sheet, path: Keys) -> int:
        """Read the number of a cell, given as a number or as [column, row]."""
        if isinstance(value, YamlList) and len(value) == 2:
            column, row = (self.checks.whole(part, (*path, k), 0, _MAX) for k, part in enumerate(value))
            value = row * sheet.columns + column if column < sheet.columns else sheet.count
        return self.checks.whole(value, path, 0, max(sheet.count - 1, 0)) if sheet.image >= 0 else 0

    def cell_numbers(self, value: Any, sheet: Sheet, path: Keys) -> list[int]:
        """Read a list of cell numbers."""
        if not isinstance(value, YamlList) or not value:
            self.checks.wrong(path, "must be a list of numbers, as in [8, 9, 10]")
            return []
        return [self.cell_number(part, sheet, (*path, index)) for index, part in enumerate(value)]

    def add(self, sheet: Sheet, numbers: list[int], letter: str, properties: dict[str, Any]) -> int:
        """Make tiles from cells of a tileset, all with the same properties, and return the number of the first."""
        first, count = len(self.tiles), len(numbers)
        region = np.array([sheet.region(number) for number in numbers], np.int32)
        size = np.tile(np.array([sheet.cell], np.float32), (count, 1))
        offset = np.tile(np.array([sheet.offset], np.float32), (count, 1))
        self.tiles.extend(first, np.full(count, sheet.image, np.int32), region, size, offset)
        if properties:
            self.tiles.properties |= dict.fromkeys(range(first, first + count), properties)
        self.tiles.names[letter] = first
        return first
