"""The file of preferences: reading it with the places of mistakes, and writing it.

    version: 1
    volume: {master: 0.8, music: 0.5}
    language: zh-Hant
    text_scale: 1.25
    keys: {jump: [SPACE, gamepad.a]}
    player_keys: {1: {left: [A]}}

Everything is optional. Entries that a later version of the program has added are kept when the file is written again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from rish_assets import Section
from rish_core import Problem
from rish_core.manifest import Report, Spot, YamlList, YamlMap, read_yaml, show
from rish_system import make_folders, read_whole, write_whole

from .bindings import checked_keys, is_key
from .values import VALUES, VOLUME, VOLUMES

VERSION = 1
NAME = "preferences.yaml"
_MAX_COPIED_BYTES = 2**26
"""The largest damaged file that is copied, in bytes."""
_KNOWN = {"version", "volume", "keys", "player_keys", *VALUES}


@dataclass
class Content:
    """The content of a file. values: by name. keys: by player and action. rest: the entries that this version does not
    know."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    keys: dict[tuple[int, str], list[str]] = field(default_factory=dict[tuple[int, str], list[str]])
    rest: dict[str, Any] = field(default_factory=dict[str, Any])
    version: int = VERSION

    def to_plain(self) -> dict[str, Any]:
        """Return the data of a file."""
        data: dict[str, Any] = {"version": self.version}
        volume = {name.removeprefix(VOLUME): self.values[name] for name in self.values if name.startswith(VOLUME)}
        if volume:
            data["volume"] = volume
        data |= {name: self.values[name] for name in VALUES if name in self.values}
        shared = {action: [*keys] for (player, action), keys in self.keys.items() if player == 0}
        if shared:
            data["keys"] = shared
        players: dict[int, dict[str, list[str]]] = {}
        for (player, action), keys in sorted(self.keys.items()):
            if player:
                players.setdefault(player, {})[action] = [*keys]
        if players:
            data["player_keys"] = players
        return data | self.rest


def read_file(path: Path) -> tuple[Content, list[Problem]]:
    """Return the content of a file, and the mistakes; a value with a mistake is left out. Empty if there is no file."""
    if not path.exists():
        return Content(), []
    document = read_yaml(path)
    report, content = Report(document.problems), Content()
    data = document.data
    if isinstance(data, YamlMap):
        _Reader(content).read(Section(data, (), report))
    elif data is not None or not document.problems:
        report.add(Spot(document.file, 0, 0), (), f"must be a mapping of preferences, not {show(data)}")
    return content, report.problems


def write_file(path: Path, content: Content) -> None:
    """Write a file completely or not at all. Raises OSError."""
    make_folders(path.parent)
    text = yaml.safe_dump(content.to_plain(), allow_unicode=True, sort_keys=False, default_flow_style=None)
    write_whole(path, text.encode())


def keep_copy(path: Path) -> Path:
    """Copy a damaged file to one whose name ends in `.bak`, and return that. Raises OSError."""
    copy = path.with_name(path.name + ".bak")
    write_whole(copy, read_whole(path, _MAX_COPIED_BYTES))
    return copy


class _Reader:
    def __init__(self, content: Content) -> None:
        self.content = content

    def read(self, file: Section) -> None:
        """Read the complete file."""
        content = self.content
        for name, value in file.node.items():
            if name not in _KNOWN:
                content.rest[name] = plain(value)
            elif name in VALUES:
                self.value(file, name, name, VALUES[name])
        version = file.node.get("version", VERSION)
        if isinstance(version, int) and not isinstance(version, bool) and version > 0:
            content.version = max(version, VERSION)
        else:
            file.wrong("version", f"must be a number such as {VERSION}, not {show(version)}")
        for bus in (volumes := file.below("volume")).node:
            self.value(volumes, bus, VOLUME + bus, VOLUMES)
        self.actions(file.below("keys"), 0)
        for number in (players := file.below("player_keys")).node:
            if number.isdecimal() and int(number) > 0:
                self.actions(players.below(number), int(number))
            else:
                players.wrong(number, "must be the number of a player, from 1")

    def value(self, section: Section, key: str, name: str, spec: Any) -> None:
        """Read one value."""
        problem = spec.wrong(section.node[key])
        if problem:
            section.wrong(key, problem)
        else:
            self.content.values[name] = float(section.node[key]) if spec.kind is float else section.node[key]

    def actions(self, section: Section, player: int) -> None:
        """Read the keys of actions."""
        for action, keys in section.node.items():
            if not isinstance(keys, YamlList):
                section.wrong(action, f"must be a list of keys such as [SPACE], not {show(keys)}")
            elif invalid := [key for key in map(written, keys) if not is_key(key)]:
                section.wrong(action, f"has {show(invalid[0])}, which is no key")
            else:
                self.content.keys[player, action] = checked_keys(map(written, keys))


def written(key: object) -> Any:
    """Return a key as text; the digit 1 is read as a number."""
    return str(key) if isinstance(key, int) and not isinstance(key, bool) else key


def plain(value: Any) -> Any:
    """Return a value without the places where it was written."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return [plain(inner) for inner in value] if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType]
