"""Joins the sources of a manifest: its file, included files, and overrides from the command line.

The result is one tree whose marks name the file of each part. The mark of an override is its text, such as `--set
game.seed=3`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_ecs import Problem, shorten_path
from rish_ecs.declarations import show

from .nodes import Document, Mark, Spot, YamlList, YamlMap, below, marked, path_text, place_at
from .structure import DEFAULT_LAYERS, INCLUDABLE, SECTIONS
from .validate import OPTION, Report, Steps
from .yaml import read_yaml

MAX_FILES = 200
_IN_ENTRY = re.compile(r"([a-z][\w-]*\.[A-Z]\w*|[^.\[\]]+)|\[(\d+)\]|\.(\d+)(?=\.|\[|\Z)")
"""A step in an entry, where `plugin.Component` and `child.Component` are one key."""
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]|\.(\d+)(?=\.|\[|\Z)")


_SHELL = ". Put the whole option into other quotes as well, because a shell removes them"


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
            found = self._find(text, listed.items_at[index], path)
            if found is None:
                continue
            self.files.append(found)
            document = self.read(found)
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
        root = self.root.resolve()
        try:
            target = (root / text).resolve()
            inside = target.is_relative_to(root) and not Path(text).is_absolute() and "\\" not in text
            exists = inside and target.is_file()
        except (OSError, ValueError, RuntimeError):
            inside, exists, target = True, False, root
        if not inside:
            return self.report.add(mark, path, f"{show(text)} is outside the game's folder")
        if not exists:
            return self.report.add(mark, path, f"there is no file {shorten_path(root / text)!r}")
        if target in self.files:
            return self.report.add(mark, path, f"{text!r} is included twice: one line is enough")
        if len(self.files) >= MAX_FILES:
            return self.report.add(mark, path, f"a manifest may include at most {MAX_FILES} files")
        return target

    def _merge(self, joined: YamlMap, extra: YamlMap) -> None:
        """Add the sections of an included file, also those of plugins; a name may be defined only once.

        In a section of a plugin, mappings and lists of one name become one list: rules of several files.
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
            whole = YamlMap(old.mark if isinstance(old, YamlMap) else value.mark)
            parts = [old, value] if isinstance(old, YamlMap) else [value]
            for part in parts:
                for name in part:
                    self._define(whole, part, name, section)
            if old is None or isinstance(old, YamlMap):
                at = joined if section in joined else extra
                joined.put(section, whole, at.keys_at[section], at.values_at[section])

    def _define(self, whole: YamlMap, part: YamlMap, name: str, section: str) -> None:
        both = (whole.get(name), part[name])
        if name in whole and section not in SECTIONS and all(isinstance(each, YamlMap | YamlList) for each in both):
            whole.put(name, _joined(*both), whole.keys_at[name], whole.values_at[name])
            return
        if name in whole:
            first = place_at(whole.keys_at[name])
            self.report.add(part.keys_at[name], (section, name), f"{name!r} is defined twice, first at {first}")
            return
        whole.put(name, part[name], part.keys_at[name], part.values_at[name])

    def override(self, data: YamlMap, text: str) -> None:
        """Set one value: `settings.physics.gravity=[0, -5]`, `hero.Body.mass=3`, `layers.hud.visible=false`."""
        path, equals, given = text.partition("=")
        spot = Spot(f"{OPTION}{text}")
        steps = _split(path.strip())
        if not equals or steps is None:
            what = "must look like `settings.physics.gravity=[0, -5]`"
            self.report.note(Problem(place_at(spot), "", what))
            return
        document = read_yaml(given if given.strip() else "null", spot.name)
        for problem in document.problems:
            if given.strip() not in ("null", "~") and given.strip():
                quoted = _SHELL if "quote" in problem.what else ""
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
            spot = Spot(spot.name, written=given.strip())
        self._assign(node, steps, marked(document.data, spot, anew=True), spot)

    def _located(self, data: YamlMap, steps: Steps, spot: Spot) -> Steps | None:
        """Return the path in the manifest of `NAME.Component.field` and `layers.NAME.option`; others are unchanged."""
        name, rest = str(steps[0]), list(steps[1:])
        if name == "layers" and len(rest) > 1 and isinstance(rest[0], str):
            line = self._layer(data, rest[0], spot)
            return ("layers", line, *rest) if line is not None else None
        last = next((k for k, step in enumerate(rest) if str(step).rpartition(".")[2][:1].isupper()), None)
        if name in SECTIONS or name in data or last is None:
            return steps
        scenes, prefabs = (
            found if isinstance(found := data.get(key), YamlMap) else YamlMap(spot) for key in ("scenes", "prefabs")
        )
        order = sorted(scenes, key=lambda scene: scene != (data.get("scene") or "main"))
        found = next(filter(None, (_entry_at(scenes[scene], name, ("scenes", scene)) for scene in order)), None)
        if found is None and name not in prefabs:
            return self.report.add(spot, steps, f"no entity of a scene and no prefab is called {name!r}")
        entry, inside = found or (prefabs[name], ("prefabs", name))
        rest[: last + 1] = [".".join(map(str, rest[: last + 1]))]  # `physics.Body`, `barrel.Sprite`, `arm.hand.Sprite`
        whole = ".".join(map(str, rest))  # an entry may have the key `Body.mass`
        return (*inside, whole) if isinstance(entry, YamlMap) and whole in entry else (*inside, *rest)

    def _layer(self, data: YamlMap, name: str, spot: Spot) -> int | None:
        """Return the index of a layer's line, and make it a mapping of options."""
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
        """Return the child at a step; a missing one is added to a mapping."""
        if isinstance(node, YamlMap):
            if node.get(str(step)) is None:
                node.put(str(step), YamlMap(spot), node.keys_at.get(str(step), spot), spot)
            return node[str(step)]
        if (found := below(node, step)) is not None:
            return found[0]
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
            if (found := _entry_at(entry.get("children"), name, (*inside, "children"))) is not None:
                return found
    return None


def _joined(*parts: Any) -> YamlList:
    """Return one list of the items of lists, and of mappings as items."""
    made = YamlList(parts[0].mark)
    for part in parts:
        one = isinstance(part, YamlMap)
        made.extend([part] if one else part)
        made.items_at.extend([part.mark] if one else part.items_at)
    return made


def _split(path: str) -> Steps | None:
    """Split a path such as `scenes.main[0].count` into its steps; return None if it is not a path."""
    steps: list[str | int] = []
    position = 0
    while position < len(path):
        if steps and path[position] == ".":
            position += 1
        found = (_IN_ENTRY if len(steps) > 1 else _STEP).match(path, position)
        if found is None:
            return None
        name, index, _ = found.groups()
        steps.append(int(index) if index is not None else int(name) if name.isdigit() and steps else name)
        position = found.end()
    return tuple(steps) or None
