"""Writes the files of a template, with its words replaced."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from rish_core import say
from rish_core.plugin import how_to_get_plugin, installed_plugins
from rish_ecs import UsageError, shorten_path

TEMPLATES = files("rish_devtools") / "new" / "templates"
_CACHES = (".", "__pycache__")
"""The beginnings of names that tools add to the folder of the templates."""
_HIDDEN = "dot_"
"""The beginning of a template's name for a name that begins with a point."""


def write_template(source: Traversable, target: Path, words: Mapping[str, str]) -> None:
    """Copy a file, or a folder with its contents, and replace the words in texts and in names."""
    if source.is_dir():
        for each in sorted(source.iterdir(), key=lambda each: each.name):
            if not each.name.startswith(_CACHES):
                name = re.sub(f"^{_HIDDEN}", ".", each.name)
                write_template(each, target / _replaced(name, words), words)
        return
    write_text(source.read_text(encoding="utf-8"), target, words)


def write_text(text: str, target: Path, words: Mapping[str, str]) -> None:
    """Write a text with its words replaced."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_replaced(text, words), encoding="utf-8", newline="\n")


def _replaced(text: str, words: Mapping[str, str]) -> str:
    for word, value in words.items():
        text = re.sub(rf"\b{word}\b", lambda _, value=value: value, text)
    return text


def require_free(folder: Path) -> None:
    """Raise UsageError if the folder exists and is not empty, or is a file."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{shorten_path(folder)} exists already", hint="Choose another name, or another --into")


def title_of(name: str) -> str:
    """Return a name as a title: `night_garden` is `Night Garden`."""
    return re.sub(r"[_\s-]+", " ", name).strip().title()


def quoted(path: str) -> str:
    """Return a path as it is typed in a shell."""
    return f'"{path}"' if " " in path else path


def say_what_to_install(plugins: list[str]) -> None:
    """Print how to install those of the plugins that are not installed."""
    installed = {candidate.name for candidate in installed_plugins()}
    for name in plugins:
        if name not in installed:
            say(f"It needs the plugin {name}, which is not installed. {how_to_get_plugin(name)}")
