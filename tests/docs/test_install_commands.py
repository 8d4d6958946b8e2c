"""No text or message makes an installer look for a package of ours in an index, where the name may be a stranger's."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rish_jit.errors.metadata import plain_name
from rish_jit.errors.packages import is_ours

ROOT = Path(__file__).parents[2]
TEXTS = (".md", ".py", ".toml", ".txt", ".yml", ".yaml", ".cfg", ".html", "")
"""The endings of files that people read, and run is a file without one."""
IN_ONE_PLACE = ROOT / "libs" / "rish_jit" / "src" / "rish_jit" / "errors" / "packages.py"
"""The only source that may build an installer's command from a variable."""
COMMAND = re.compile(
    r"\b(?P<tool>uv pip|pip3?|uv tool|pipx|uv) (?P<verb>install|wheel|download|add|run)\b(?P<words>[^\n`|;]*)"
    r"|\b(?P<runner>uvx) (?P<run>[^\n`|;]*)"
)


def files() -> Iterator[Path]:
    """Yield the texts of the repository."""
    for base, folders, names in os.walk(ROOT):
        folders[:] = [
            name for name in folders if name == ".ci" or (name[0] not in "._" and name not in ("dist", "out"))
        ]
        yield from (path for name in sorted(names) if (path := Path(base, name)).suffix in TEXTS)


def commands(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each command that installs something: the tool, and the words after it, without comments and quotes."""
    for found in COMMAND.finditer(text):
        words = (found["words"] or found["run"] or "").partition("  #")[0].partition(" && ")[0]
        try:
            split = shlex.split(words.rstrip(" \\\"')."))
        except ValueError:  # a quotation mark of the text around it
            split = re.split(r"[\s\"']+", words)
        tool = found["runner"] or f"{found['tool']} {found['verb']}"
        if tool == "uv run":
            split = [split[i + 1] for i, word in enumerate(split[:-1]) if word == "--with"]
        yield tool, [word.strip("\"',.:()") if not word.startswith(".") else word.rstrip("\"',:)") for word in split]


def members() -> dict[str, Path]:
    """Return the folders of this project's packages by name."""
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["uv"]["workspace"][
        "members"
    ]
    folders = [path.parent for pattern in patterns for path in ROOT.glob(f"{pattern}/pyproject.toml")]
    return {project(folder)["name"]: folder for folder in folders}


@cache
def project(folder: Path) -> dict[str, Any]:
    """Return the table `project` of a pyproject.toml."""
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def requirements(name: str, known: dict[str, Path]) -> set[str]:
    """Return the packages of this project that one of them needs, with itself."""
    found, waiting = set[str](), [name]
    while waiting:
        here = waiting.pop()
        if here in known and here not in found:
            found.add(here)
            waiting += [re.split(r"[^\w-]", wish)[0] for wish in project(known[here]).get("dependencies", [])]
    return found


def mistakes(text: str, known: dict[str, Path]) -> list[str]:
    """Return the commands of a text that make an installer look for a package of this project in an index."""
    wrong: list[str] = []
    by_folder = {folder: name for name, folder in known.items()}
    for tool, words in commands(text):
        shown = f"{tool} {' '.join(words)}"
        named = [word for before, word in pairwise(["", *words]) if before not in ("-e", "-r", "--find-links", "-w")]
        names = [word for word in named if re.match(r"rish[-_.\w]*(\[|[<>=!~]|$)", word, re.IGNORECASE)]
        safe = "--no-index" in words or tool == "uv run"
        if not safe and any(plain_name(re.split(r"[\[<>=!~]", name)[0]) != "rish" for name in names):
            wrong.append(shown)
        here = {
            by_folder.get(Path(os.path.normpath(ROOT / word.partition("[")[0]))) for word in words if "/" in word
        } - {None}
        needed = set[str]().union(*(requirements(str(name), known) for name in here))
        if tool.startswith("pip ") and "--no-deps" not in words and needed - here:
            wrong.append(f"{shown} (it would look for {', '.join(sorted(needed - here))})")
    return wrong


@pytest.mark.slow
def test_no_text_names_a_package_of_ours_for_an_index() -> None:
    """Pages, messages, templates and lists install from folders or wheels; pip gets every folder that is needed."""
    known = members()
    wrong: dict[str, list[str]] = {}
    for path in files():
        text = path.read_text(encoding="utf-8", errors="replace")
        if path != Path(__file__) and re.search("install|uv", text) and (found := mistakes(text, known)):
            wrong[str(path.relative_to(ROOT))] = found
    assert wrong == {}


def test_one_module_builds_the_commands_of_messages() -> None:
    """Elsewhere no message tells to install a part by name, or puts a variable behind an installer."""
    built = re.compile(r"(pip|uv|pipx) (install|add)[^\n\"']*\{|\b[Ii]nstall '?rish[-_][^\n]*")
    sources = [path for path in files() if path.suffix == ".py" and "src" in path.parts and path != IN_ONE_PLACE]
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in sources
        for found in built.finditer(path.read_text(encoding="utf-8"))
        if not re.search(r"--no-deps -e \{", found[0])  # a folder that was just written
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "$ pip install rish-render",
        "Run: pip install 'rish-physics>=0.2,<1'",
        'hint="pip install -U rish-core"',
        "uv add rish_ui",
        "`uv pip install rish-render[cjk]`",
        "uvx rish-devtools",
        "pip install ./plugins/rish_frame",
        "pip install ./libs/rish_jit ./libs/rish_ecs ./rish_core ./plugins/rish_frame",
        "uv run --with rish-gym train.py",
    ],
)
def test_mistakes_are_found(text: str) -> None:
    """Names of ours, whatever the installer, and folders without those that they need are found."""
    if text.startswith("uv run"):
        assert list(commands(text)) == [("uv run", ["rish-gym"])]
    else:
        assert mistakes(text, members())


@pytest.mark.parametrize(
    "text",
    [
        "pip install pillow",
        "uv pip install -e plugins/rish_render",
        "pip install -r requirements/render.txt         # the same without uv",
        "pip install --no-index --find-links wheels rish-physics",
        "pip install ./libs/rish_system ./libs/rish_jit ./libs/rish_ecs ./rish_core"
        " ./kits/rish_assets ./kits/rish_expressions ./plugins/rish_frame",
        "pip install --no-deps -e .",
        "pip install uv && uv run rish run games/breakout",
    ],
)
def test_what_is_right_is_left_alone(text: str) -> None:
    """Libraries, folders with uv, lists, and wheels without an index are fine."""
    assert mistakes(text, members()) == []


def test_every_name_of_the_project_is_known() -> None:
    """The packages of this repository count as ours, except for the examples, which are outside plugins."""
    assert {name for name in members() if not is_ours(name)} == {
        name for name, folder in members().items() if "examples" in folder.parts
    }
