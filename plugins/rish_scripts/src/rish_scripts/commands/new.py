"""`rish new game NAME` and `rish new script NAME`: write a small working game or script with tests as a start."""

from __future__ import annotations

import argparse
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from rish_core import read_manifest
from rish_ecs import UsageError, did_you_mean, shorten_path

TEMPLATES = files("rish_scripts") / "templates"
_KINDS = ("game", "script")
_GAME_NAME = re.compile(r"[A-Za-z][\w -]{0,60}", re.ASCII)
_SCRIPT_NAME = re.compile(r"[A-Za-z]\w{0,60}", re.ASCII)
_LEFT_OUT = frozenset({"__pycache__"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the kind, the name, and `--into`, the target folder."""
    parser.description = "begin a game, or a script of a game, with its tests"
    parser.add_argument("kind", metavar="game|script", help="what to begin")
    parser.add_argument("name", metavar="NAME", help="of the game's folder, or of the script's class")
    parser.add_argument(
        "--into", type=Path, default=Path(), metavar="DIR",
        help="the folder to put the game in, or the game that gets the script; by default where you are",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Write the files, and print the next steps. Raises UsageError."""
    if arguments.kind not in _KINDS:
        near = did_you_mean(arguments.kind, _KINDS)
        raise UsageError(f"rish new {arguments.kind}: unknown kind{near}", choices=_KINDS)
    if arguments.kind == "game":
        new_game(arguments.name, arguments.into)
    else:
        new_script(arguments.name, arguments.into)
    return 0


def new_game(name: str, into: Path) -> Path:
    """Write a game into the folder `into/name`; return that folder. Raises UsageError if it exists and is not empty."""
    if not _GAME_NAME.fullmatch(name) or name != name.strip():
        into, own = Path(name).parent, Path(name).name
        hint = "Begin with a letter; then letters, digits, _, - or spaces"
        if _GAME_NAME.fullmatch(own) and own != name:
            hint = f"The folder to put it into is an option: rish new game {_quoted(own)} --into {_quoted(str(into))}"
        raise UsageError(f"{name!r} is no name for a game's folder", hint=hint)
    folder = into / name
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{shorten_path(folder)} exists already", hint="Choose another name, or another --into")
    title = re.sub(r"[_\s-]+", " ", name).strip().title()
    _copy(TEMPLATES / "game", folder, {"TITLE": title})
    shown = shorten_path(folder)
    print(f"{shown}: a game. Play it with: rish run {_quoted(shown)}")
    print(f"Its tests: python -m pytest {_quoted(shown)}")
    return folder


def new_script(name: str, game: Path) -> Path:
    """Write a script and its test into a game's folder; return the script's file. Raises UsageError, ManifestError."""
    if not _SCRIPT_NAME.fullmatch(name):
        raise UsageError(f"{name!r} is no name for a script", hint="Write it like a class: rish new script FireFly")
    if not (game / "game.yaml").is_file():
        hint = "Go to the game's folder, or give it with --into; begin one with: rish new game NAME"
        raise UsageError(f"{shorten_path(game.resolve())} is no game: it has no game.yaml", hint=hint)
    cls = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    module = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls).lower()
    script, test = game / "scripts" / f"{module}.py", game / "tests" / f"test_{module}.py"
    for path in (script, test):
        if path.exists():
            raise UsageError(f"{shorten_path(path)} exists already", hint="Choose another name")
    wished = [wish.name for wish in read_manifest(game / "game.yaml").require().plugins]
    words = {"NAME": cls, "INSTALLED": repr([*wished, *(["scripts"] if "scripts" not in wished else [])])}
    words["INSTALLED"] = words["INSTALLED"].replace("'", '"')
    _copy(TEMPLATES / "script" / "script.py", script, words)
    _copy(TEMPLATES / "script" / "test.py", test, words)
    print(f"{shorten_path(script)}: the script {cls}. Give it to an entity in game.yaml:  {cls}: {{speed: 20}}")
    print(f"{shorten_path(test)}: its test")
    _say_what_is_missing(game, wished)
    return script


def _say_what_is_missing(game: Path, wished: list[str]) -> None:
    if "scripts" not in wished:
        print("game.yaml: add scripts to plugins")
    plugin = game / "plugin.py"
    if not plugin.is_file() or "scripts_in" not in plugin.read_text(encoding="utf-8"):
        print(
            "plugin.py: add\n"
            "    from rish_scripts import scripts_in\n"
            "    from . import scripts\n"
            "    def rish_scripts(): return scripts_in(scripts)"
        )


def _copy(source: Traversable, target: Path, words: dict[str, str]) -> None:
    """Copy a file, or a folder with its contents, and replace the words."""
    if source.is_dir():
        for each in sorted(source.iterdir(), key=lambda each: each.name):
            if each.name not in _LEFT_OUT:
                _copy(each, target / each.name, words)
        return
    text = source.read_text(encoding="utf-8")
    for word, value in words.items():
        text = re.sub(rf"\b{word}\b", lambda _, value=value: value, text)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def _quoted(path: str) -> str:
    return f'"{path}"' if " " in path else path
