"""Finds the dialogues that the settings name, checks them with the manifest, and keeps them up to date."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core import AssetError, Assets, Manifest, Registry, World
from rish_core.manifest import Report, YamlList, YamlMap
from rish_expressions import Vocabulary

from .reading import SUFFIX, read_dialogue
from .script import Dialogue
from .state import Dialogues, DialogueSettings

if TYPE_CHECKING:
    from rish_core import App

_log = logging.getLogger("rish.dialogue")


def load_path(path: Path) -> Path:
    """The loader of dialogues: names need the whole game, so the file is read later."""
    return path


def name_of(file: str) -> str:
    """Return the name of the dialogue in a file: `people/inn.dialogue.yaml` is `inn`."""
    return file.rpartition("/")[2].removesuffix(SUFFIX)


def check_files(manifest: Manifest, registry: Registry) -> None:
    """Add the mistakes in all dialogues of a manifest to its problems."""
    section = manifest.settings.get("dialogue")
    files = section.get("files") if isinstance(section, YamlMap) else None
    if not isinstance(files, YamlList):
        return
    variables = manifest.data.get("variables")
    values = dict(variables) if isinstance(variables, YamlMap) else {}
    words = Vocabulary(registry, values, scenes=tuple(manifest.scenes))
    report, assets, names = Report(), Assets(manifest.root), dict[str, str]()
    for k, (file, mark) in enumerate(zip(files, files.items_at, strict=True)):
        where = ("settings", "dialogue", "files", k)
        if not isinstance(file, str):
            continue
        if not file.endswith(SUFFIX):
            report.add(mark, where, f"{file!r} is no dialogue: its file must end in {SUFFIX}")
            continue
        first = names.setdefault(name_of(file), file)
        if first != file:
            report.add(mark, where, f"{first} and {file} are both called {name_of(file)!r}: rename one")
        try:
            dialogue, mistakes = read_dialogue(assets.resolve(file), name_of(file), words)
        except AssetError as error:
            report.add(mark, where, str(error))
            continue
        manifest.problems.extend(mistakes.problems)
        if dialogue is not None:
            _check_portraits(dialogue, assets, report, mark, where)
    manifest.problems.extend(report.problems)


def _check_portraits(dialogue: Dialogue, assets: Assets, report: Report, mark: Any, where: tuple[Any, ...]) -> None:
    for speaker in dialogue.speakers.values():
        if speaker.portrait and not assets.exists(speaker.portrait):
            report.add(mark, where, f"speakers.{speaker.key}.portrait: there is no file {speaker.portrait!r}")


def load_all(app: App) -> None:
    """Read all dialogues of the settings, and read them again when their files change."""
    world = app.world
    _load(world)
    world[Assets].on_reload(lambda path: _load(world) if path.endswith(SUFFIX) else None)


def _load(world: World) -> None:
    """Read the dialogues; one with mistakes keeps its former version, and the mistakes are logged."""
    words, previous = Vocabulary.of_world(world), dict(world[Dialogues].by_name)
    loaded: dict[str, Dialogue] = {}
    for file in world[DialogueSettings].files:
        name = name_of(file)
        dialogue, report = read_dialogue(world[Assets].load(file), name, words, world)
        for problem in report.problems:
            _log.error("%s", problem)
        dialogue = dialogue or previous.get(name)
        if dialogue is not None:
            loaded[name] = dialogue
    world[Dialogues].by_name = loaded
