"""Joins the sources of a manifest: its file, included files, and overrides from the command line.

The result is one tree whose marks name the file of each part. The mark of an override is its text, such as `--set
game.seed=3`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_ecs import Problem, shorten_path
from rish_ecs.declarations import show
from rish_system import other_spelling, path_inside, wrong_path

from .nodes import Document, Mark, Spot, YamlList, YamlMap, below, marked, path_text, place_at
from .structure import DEFAULT_LAYERS, INCLUDABLE, SECTIONS
from .validate import OPTION, Report, Steps
from .yaml import read_yaml

MAX_FILES = 200
_ENTRY_STEP = re.compile(r"([a-z][\w-]*\.[A-Z]\w*|[^.\[\]]+)|\[(\d+)\]|\.(\d+)(?=\.|\[|\Z)")
"""Matches a step of a path inside an entry, where `plugin.Component` and `child.Component` are one key."""
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]|\.(\d+)(?=\.|\[|\Z)")


_SHELL_HINT = ". Put the whole option into other quotes as well, because a shell removes them"


class Sources:
    """Joins files and overrides into one tree. root: the game's folder; nothing outside it is read.

    read: reads an included file.
    """

    def __init__(self, root: Path | None, report: Report, read: Callable[[Path], Document] = read_yaml) -> None:
        self.root, self.read = root, read
        self.report = report
        self.files: list[Path] = []

    def join(self, main: YamlMap) -> YamlMap:
        """Return `main` joined with all included files."""
        joined = YamlMap(main.mark)
        for key in main:
            joined.put(key, main[key], main.keys_at[key], main.values_at[key])
        self._include(joined, main)
        return joined

    def _include(self, joined: YamlMap, node: YamlMap) -> None:
        listed = node.get("include")
        if not isinstance(listed, YamlList):
            return
        for index, text in enumerate(listed):
            path = ("include", index)
            file = self._find(text, listed.items_at[index], path)
            if file is None:
                continue
            self.files.append(file)
            document = self.read(file)
            for problem in document.problems:
                self.report.note(problem)
            if isinstance(document.data, YamlMap):
                self._merge(joined, document.data)
                self._include(joined, document.data)
            elif document.data is not None:
                what = f"an included file must be a mapping, not {show(document.data)}"
                self.report.note(Problem(document.place(), "", what))

    def _find(self, text: Any, mark: Mark, path: Steps) -> Path | None:
        """Return the file of an include; for a wrong one, report a problem and return None."""
        if not isinstance(text, str):
            return None
        if self.root is None:
            return self.report.add(mark, path, "a manifest without a folder can't include files")
        if (mistake := wrong_path(text)) is not None:
            return self.report.add(mark, path, f"{show(text)} {mistake}")
        target = path_inside(self.root, text)
        if target is None:
            return self.report.add(mark, path, f"{show(text)} is outside the game's folder")
        if (spelled := other_spelling(self.root, text)) is not None:
            return self.report.add(mark, path, f"there is no file {text!r}; on the disk it is {spelled!r}")
        if not os.path.isfile(target):
            return self.report.add(mark, path, f"there is no file {shorten_path(self.root / text)!r}")
        if target in self.files:
            return self.report.add(mark, path, f"{text!r} is included twice: one line is enough")
        if len(self.files) >= MAX_FILES:
            return self.report.add(mark, path, f"a manifest may include at most {MAX_FILES} files")
        return target

    def _merge(self, joined: YamlMap, extra: YamlMap) -> None:
        """Add the sections of an included file, also those of plugins; a name may be defined only once.

        In a section of a plugin, mappings and lists with the same name are joined to one list, such as rules.
        """
        for section, value in extra.items():
            if section in SECTIONS and section not in INCLUDABLE:
                what = "is not allowed in an included file. Allowed are"
                self.report.unknown(extra, section, (), what, INCLUDABLE)
                continue
            if section == "include" or not isinstance(value, YamlMap):
                if section != "include" and value is not None:
                    self.report.add(extra.values_at[section], (section,), f"must be a mapping, not {show(value)}")
                continue
            old = joined.get(section)
            merged = YamlMap(old.mark if isinstance(old, YamlMap) else value.mark)
            parts = [old, value] if isinstance(old, YamlMap) else [value]
            for part in parts:
                for name in part:
                    self._define(merged, part, name, section)
            if old is None or isinstance(old, YamlMap):
                source = joined if section in joined else extra
                joined.put(section, merged, source.keys_at[section], source.values_at[section])

    def _define(self, merged: YamlMap, part: YamlMap, name: str, section: str) -> None:
        values = (merged.get(name), part[name])
        if name in merged and section not in SECTIONS and all(isinstance(each, YamlMap | YamlList) for each in values):
            merged.put(name, _joined_list(*values), merged.keys_at[name], merged.values_at[name])
            return
        if name in merged:
            first = place_at(merged.keys_at[name])
            self.report.add(part.keys_at[name], (section, name), f"{name!r} is defined twice, first at {first}")
            return
        merged.put(name, part[name], part.keys_at[name], part.values_at[name])

    def override(self, data: YamlMap, text: str) -> None:
        """Set one value: `settings.physics.gravity=[0, -5]`, `hero.Body.mass=3`, `layers.hud.visible=false`."""
        path, equals, value_text = text.partition("=")
        spot = Spot(f"{OPTION}{text}")
        steps = _split(path.strip())
        if not equals or steps is None:
            what = "must look like `settings.physics.gravity=[0, -5]`"
            self.report.note(Problem(place_at(spot), "", what))
            return
        document = read_yaml(value_text if value_text.strip() else "null", spot.name)
        for problem in document.problems:
            if value_text.strip() not in ("null", "~") and value_text.strip():
                quoted = _SHELL_HINT if "quote" in problem.what else ""
                self.report.note(Problem(place_at(spot), path_text(steps), problem.what + quoted))
        steps = self._located(data, steps, spot)
        if steps is None:
            return
        node: Any = data
        for index, step in enumerate(steps[:-1]):
            node = self._enter(node, step, steps[: index + 1], spot)
            if node is None:
                return
        if not isinstance(document.data, YamlMap | YamlList):
            spot = Spot(spot.name, written=value_text.strip())
        self._assign(node, steps, marked(document.data, spot, anew=True), spot)

    def _located(self, data: YamlMap, steps: Steps, spot: Spot) -> Steps | None:
        """Convert `NAME.Component.field` and `layers.NAME.option` to a path of the manifest; None if not found."""
        name, inner = str(steps[0]), list(steps[1:])
        if name == "layers" and len(inner) > 1 and isinstance(inner[0], str):
            line = self._layer(data, inner[0], spot)
            return ("layers", line, *inner) if line is not None else None
        last = next((k for k, step in enumerate(inner) if str(step).rpartition(".")[2][:1].isupper()), None)
        if name in SECTIONS or name in data or last is None:
            return steps
        scenes, prefabs = (
            section if isinstance(section := data.get(key), YamlMap) else YamlMap(spot) for key in ("scenes", "prefabs")
        )
        order = sorted(scenes, key=lambda scene: scene != (data.get("scene") or "main"))
        match = next(filter(None, (_entry_at(scenes[scene], name, ("scenes", scene)) for scene in order)), None)
        if match is None and name not in prefabs:
            return self.report.add(spot, steps, f"no entity of a scene and no prefab is called {name!r}")
        entry, inside = match or (prefabs[name], ("prefabs", name))
        component = ".".join(map(str, inner[: last + 1]))  # `physics.Body`, `barrel.Sprite`, `arm.hand.Sprite`
        inner[: last + 1] = [component]
        joined = ".".join(map(str, inner))  # an entry may have the key `Body.mass`
        return (*inside, joined) if isinstance(entry, YamlMap) and joined in entry else (*inside, *inner)

    def _layer(self, data: YamlMap, name: str, spot: Spot) -> int | None:
        """Return the index of a layer in `layers:` and convert its item to a mapping; report an unknown layer."""
        if not isinstance(data.get("layers"), YamlList):
            data.put("layers", marked(list(DEFAULT_LAYERS), spot), spot, spot)
        lines: YamlList = data["layers"]
        for index, line in enumerate(lines):
            if line == name or line == {name: None}:
                lines[index] = marked({name: {}}, lines.items_at[index])
            if isinstance(lines[index], YamlMap) and name in lines[index]:
                return index
        return self.report.add(spot, ("layers", name), f"no layer is called {name!r}")

    def _enter(self, node: Any, step: str | int, path: Steps, spot: Spot) -> Any:
        """Return the child at a step; a key that is missing in a mapping is added, other mistakes are reported."""
        if isinstance(node, YamlMap):
            if node.get(str(step)) is None:
                node.put(str(step), YamlMap(spot), node.keys_at.get(str(step), spot), spot)
            return node[str(step)]
        if (child := below(node, step)) is not None:
            return child[0]
        what = f"has only {len(node)} items" if isinstance(node, YamlList) else f"{show(node)} has no items or keys"
        return self.report.add(spot, path, what)

    def _assign(self, node: Any, steps: Steps, value: Any, spot: Spot) -> None:
        last = steps[-1]
        if isinstance(node, YamlMap):
            node.put(str(last), value, node.keys_at.get(str(last), spot), spot)
        elif isinstance(node, YamlList) and isinstance(last, int) and last < len(node):
            node[last], node.items_at[last] = value, spot
        else:
            self._enter(node, -1 if isinstance(last, str) else last, steps, spot)


def _entry_at(entries: Any, name: str, path: Steps) -> tuple[YamlMap, Steps] | None:
    """Return the entry with a name and its path, among entries and their children."""
    for index, entry in enumerate(entries if isinstance(entries, YamlList) else ()):
        if isinstance(entry, YamlMap):
            inside = (*path, index)
            if entry.get("name") == name:
                return entry, inside
            if (match := _entry_at(entry.get("children"), name, (*inside, "children"))) is not None:
                return match
    return None


def _joined_list(*parts: Any) -> YamlList:
    """Return one list with all items of the lists, and with the mappings as items."""
    joined = YamlList(parts[0].mark)
    for part in parts:
        is_map = isinstance(part, YamlMap)
        joined.extend([part] if is_map else part)
        joined.items_at.extend([part.mark] if is_map else part.items_at)
    return joined


def _split(path: str) -> Steps | None:
    """Split a path such as `scenes.main[0].count` into its steps; return None if it is not a path."""
    steps: list[str | int] = []
    position = 0
    while position < len(path):
        if steps and path[position] == ".":
            position += 1
        match = (_ENTRY_STEP if len(steps) > 1 else _STEP).match(path, position)
        if match is None:
            return None
        name, index, _ = match.groups()
        steps.append(int(index) if index is not None else int(name) if name.isdigit() and steps else name)
        position = match.end()
    return tuple(steps) or None
