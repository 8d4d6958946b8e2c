"""Finds the dialogues that the settings name, checks them with the manifest, and keeps them up to date."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_assets import AssetLibrary, AssetReader
from rish_core import AssetError, Assets, Manifest, Registry
from rish_core.manifest import Report, YamlList, YamlMap
from rish_expressions import Vocabulary

from .reading import SUFFIX, read_dialogue
from .script import Dialogue
from .state import Dialogues, DialogueSettings

if TYPE_CHECKING:
    from rish_core import App


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
    """Read all dialogues of the settings, and read them again when their files change.

    One with mistakes keeps its former version, and the mistakes are logged.
    """
    world = app.world

    def read_file(file: str, read: AssetReader) -> Dialogue:
        dialogue, report = read_dialogue(read(), name_of(file), Vocabulary.of_world(world), world)
        if dialogue is None:
            raise AssetError("\n".join(map(str, report.problems)))
        return dialogue

    library = AssetLibrary[Dialogue | None](
        "dialogue", read_file, placeholder=lambda: None, log="rish.dialogue", on_change=lambda file: library.renew(file)
    )
    files = world[DialogueSettings].files
    world[Dialogues].begin({name_of(file): partial(library.get, world, file) for file in files})
    for file in files:
        library.get(world, file)
