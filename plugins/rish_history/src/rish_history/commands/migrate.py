"""`rish migrate PATH...`: convert manifests, save games and recordings of older formats to the current ones.

The kind of a file is read from its first bytes. Old save games and recordings are also read as they are; the command
serves files that are to be kept. A later format of manifests adds its step to `STEPS`: a function from text to text
that keeps comments and layout, as `rish_authoring.ManifestText` does; save games and recordings have such steps beside
their readers. All steps run in memory before the first file is replaced, and each file is replaced atomically.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from rish_core import FINE, ManifestError, RishError, parse_manifest, say
from rish_core.manifest import FILE_NAME, FORMAT, MAX_BYTES, read_yaml
from rish_ecs import how_to_update
from rish_system import folder_name, read_whole, write_whole

from ..recordings import blocks
from ..saves import saves

STEPS: dict[int, Callable[[str], str]] = {}
"""By format number, a function that converts the text of a manifest to the next format."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the files, `--saves`, and `--check`, which changes no files."""
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="a game's folder, its game.yaml, a save game or a recording"
    )
    parser.add_argument("--saves", action="store_true", help="also convert the player's save games of these games")
    parser.add_argument("--check", action="store_true", help="only say what would be done; 2 if there is anything")


def run(arguments: argparse.Namespace) -> int:
    """Convert each file; nothing is written unless all of them can be converted."""
    outdated: list[tuple[Path, bytes, str]] = []
    for path in _files(arguments.paths, arguments.saves):
        content, what = _migrated(path)
        if content is None:
            say(f"{path}: has the current {what}")
        else:
            outdated.append((path, content, what))
    if arguments.check and outdated:
        raise RishError(
            f"{', '.join(str(path) for path, *_ in outdated)}: of an older format", hint="Run: rish migrate"
        )
    for path, content, what in outdated:
        try:
            write_whole(path, content)
        except OSError as error:
            raise RishError(f"{path} can't be written: {error.strerror or error}") from None
        say(f"{path}: converted to {what}")
    return FINE


def _files(paths: Iterable[str], with_saves: bool) -> list[Path]:
    """Return the files to convert; a folder stands for its manifest. with_saves: add the save games of each game."""
    files: list[Path] = []
    for path in map(Path, paths):
        file = path / FILE_NAME if path.is_dir() else path
        files.append(file)
        if with_saves and file.suffix in (".yaml", ".yml"):
            text = convert(_text(_read(file), file), str(file))
            identity = parse_manifest(text, file=str(file)).require().identity
            files += sorted((saves.saves_folder() / folder_name(identity)).glob(f"*{saves.SUFFIX}"))
    return list(dict.fromkeys(files))


def _migrated(path: Path) -> tuple[bytes | None, str]:
    """Return the content of a file in the current format, or None if it has it, and the name of that format."""
    data = _read(path)
    if data.startswith(saves.MAGIC):
        content, what = saves.migrate_save(data, f"the save game {path}"), f"format {saves.FORMAT} of save games"
    elif data.startswith(blocks.MAGIC):
        content, what = blocks.migrate_blocks(data, path), f"format {blocks.VERSION} of recordings"
    else:
        content, what = convert(_text(data, path), str(path)).encode(), f"format {FORMAT}"
    return content if content != data else None, what


def _read(path: Path) -> bytes:
    """Return the content of a file. Raises RishError."""
    try:
        return read_whole(path, blocks.MAX_SIZE)
    except OSError as error:
        raise RishError(f"{path} can't be read: {error.strerror or error}") from None


def _text(data: bytes, path: Path) -> str:
    """Return the text of a manifest. Raises RishError for another file."""
    try:
        if len(data) <= MAX_BYTES:
            return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    raise RishError(f"{path} is no manifest, save game or recording of Rish")


def convert(text: str, name: str = FILE_NAME) -> str:
    """Convert a manifest's text to the current format. Raises RishError if its format is missing or unknown."""
    document = read_yaml(text, name)
    if document.problems:
        raise ManifestError(document.problems)
    data = document.data
    format_number = data.get("rish") if isinstance(data, dict) else None
    if not isinstance(format_number, int) or isinstance(format_number, bool):
        raise RishError(f"{name}: it does not say its format", hint=f"Begin with `rish: {FORMAT}`")
    if format_number > FORMAT:
        raise RishError(
            f"{name}: this is format {format_number}, this version reads {FORMAT}", hint=how_to_update("rish-core")
        )
    while format_number < FORMAT:
        step = STEPS.get(format_number)
        if step is None:
            formats = ", ".join(str(number) for number in (*sorted(STEPS), FORMAT))
            raise RishError(f"{name}: there never was a format {format_number}", hint=f"Formats: {formats}")
        text = step(text)
        format_number += 1
    if STEPS:
        parse_manifest(text, file=name).require()
    return text
