"""`rish migrate GAME`: convert manifests of older formats to the current one.

Format 1 is the first, so there is nothing to convert yet; the command reports that, and raises an error for later
formats. A later format adds its step to `STEPS`: a function from text to text that keeps comments and layout, as
`rish_authoring.ManifestText` does. All steps run in memory, and the file is replaced atomically.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from rish_cli import add_game
from rish_core import FINE, ManifestError, RishError, parse_manifest, say
from rish_core.manifest import FILE_NAME, FORMAT, MAX_BYTES, read_yaml
from rish_ecs import how_to_update
from rish_ecs.snapshots import read_whole, write_whole

STEPS: dict[int, Callable[[str], str]] = {}
"""By format number, a function that converts the text of a manifest to the next format."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the games, and `--check`, which changes no files."""
    add_game(parser, many=True)
    parser.add_argument("--check", action="store_true", help="only say what would be done; 2 if there is anything")


def run(arguments: argparse.Namespace) -> int:
    """Convert each manifest; nothing is written unless all of them can be converted."""
    outdated: list[tuple[Path, str]] = []
    for game in arguments.games:
        path = Path(game) / FILE_NAME if Path(game).is_dir() else Path(game)
        try:
            text = read_whole(path, MAX_BYTES).decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise RishError(f"{path} can't be read: {reason}") from None
        converted = convert(text, str(path))
        if converted == text:
            say(f"{path}: has the current format {FORMAT}")
        else:
            outdated.append((path, converted))
    if arguments.check and outdated:
        raise RishError(f"{', '.join(str(path) for path, _ in outdated)}: of an older format", hint="Run: rish migrate")
    for path, converted in outdated:
        write_whole(path, converted.encode())
        say(f"{path}: lifted to format {FORMAT}")
    return FINE


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
