"""Write the lists of requirements for people without uv, from the pyproject.toml files of the workspace.

`python requirements/make.py` writes one list for each part of Rish into this folder, and `requirements-dev.txt` and
`requirements-tools.txt` into the root. With `--check` it writes nothing, prints the names of the lists that are out of
date, and returns 1 if there are any.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
KERNEL, COMMANDS = "rish-core", ("rish-cli",)
"""The kernel, and the packages of commands that come with every part that needs it: they play and check games."""
COMPILER, EXTRA = "rish-jit", "jit"
"""The member with the extra that brings numba. Folders of a clone hold no compiled kernels, so the lists name it."""
EXAMPLES = ROOT / "examples"
"""Its packages are members, but no parts of Rish: they get no list of their own."""
PART = """\
# Made by requirements/make.py. For people without uv: pip install -r {path}
# All that it needs of this repository is named here, so that none of these names is looked up on an index.
"""
DEV = """\
# Made by requirements/make.py. For people without uv: pip install -r requirements-dev.txt
# What playing and the tests need. Every member of the workspace in one command, so that no member's name is ever looked
# up in a registry.
"""
TOOLS = """\
# Made by requirements/make.py. For people without uv: pip install -r requirements-tools.txt, after requirements-dev.txt
# The linters, the type checker, and the libraries of the tests that are skipped without them.
"""


def read_pyproject(folder: Path) -> dict[str, Any]:
    """Return the content of a folder's pyproject.toml."""
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


class Workspace:
    """The members of the workspace, and what each of them needs."""

    def __init__(self) -> None:
        self.root = read_pyproject(ROOT)
        patterns = self.root["tool"]["uv"]["workspace"]["members"]
        folders = sorted(path.parent for pattern in patterns for path in ROOT.glob(f"{pattern}/pyproject.toml"))
        projects = {folder: read_pyproject(folder)["project"] for folder in folders}
        self.folders: dict[str, Path] = {project["name"]: folder for folder, project in projects.items()}
        self._projects: dict[str, dict[str, Any]] = {project["name"]: project for project in projects.values()}

    def needed(self, name: str, extras: Iterable[str] = ()) -> Iterator[str]:
        """Yield the members that a member needs, and that member last; a member may come more than once."""
        project = self._projects[name]
        optional = (text for extra in sorted(extras) for text in self._extras(name)[extra])
        texts = [*project.get("dependencies", ()), *optional]
        for requirement in sorted(map(Requirement, texts), key=lambda requirement: requirement.name):
            if requirement.name in self.folders:
                yield from self.needed(requirement.name, requirement.extras)
        yield name

    def lines(self, names: Iterable[str]) -> list[str]:
        """Return the folders of some members and of all that they need, each after those that it needs.

        The compiler comes with parts that have kernels; the kernel alone also works without it.
        """
        found = dict.fromkeys(member for name in names for member in self.needed(name))
        parts = found.keys() - self.needed(KERNEL)
        extras = {COMPILER: f"[{EXTRA}]"} if any(EXTRA in self._extras(part) for part in parts) else {}
        return [f"./{self.folders[name].relative_to(ROOT).as_posix()}{extras.get(name, '')}" for name in found]

    def _extras(self, name: str) -> Mapping[str, list[str]]:
        return self._projects[name].get("optional-dependencies", {})

    def libraries(self, groups: Mapping[str, list[str]]) -> list[str]:
        """Return the requirements of dependency groups that are neither members nor the root, in order."""
        ours = {*self.folders, self.root["project"]["name"]}
        texts = [text for group in groups.values() for text in group if Requirement(text).name not in ours]
        return sorted(texts, key=lambda text: Requirement(text).name)


def lists() -> dict[str, str]:
    """Return the text of every list by its path in the repository."""
    workspace = Workspace()
    groups: dict[str, list[str]] = {
        name: group for name, group in workspace.root["dependency-groups"].items() if name != "bench"
    }
    dev = {"dev": groups.pop("dev")}
    texts: dict[str, str] = {}
    for name, folder in workspace.folders.items():
        if not folder.is_relative_to(EXAMPLES):
            path = f"requirements/{name.removeprefix('rish-')}.txt"
            needed = {*workspace.needed(name)}
            names = [name, *COMMANDS] if needed.isdisjoint(COMMANDS) and KERNEL in needed else [name]
            texts[path] = _text(PART.format(path=path), workspace.lines(names))
    editable = ["-e .", *(f"-e {line}" for line in workspace.lines(workspace.folders))]
    texts["requirements-dev.txt"] = _text(DEV, [*editable, *workspace.libraries(dev)])
    texts["requirements-tools.txt"] = _text(TOOLS, workspace.libraries(groups))
    return texts


def _text(head: str, lines: Iterable[str]) -> str:
    return head + "".join(f"{line}\n" for line in lines)


def stale(texts: Mapping[str, str]) -> list[str]:
    """Return the paths of the lists that differ from these texts, and of those of parts that are gone."""
    there = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("requirements/*.txt")}
    there |= {path for path in texts if (ROOT / path).exists()}
    changed = {path for path in there if (ROOT / path).read_text(encoding="utf-8") != texts.get(path)}
    return sorted(changed | (texts.keys() - there))


def main(arguments: list[str]) -> int:
    """Write the lists that are out of date, and delete those of parts that are gone; with --check only print them."""
    texts, check = lists(), "--check" in arguments
    wrong = stale(texts)
    for path in () if check else wrong:
        if path in texts:
            (ROOT / path).write_text(texts[path], encoding="utf-8")
        else:
            (ROOT / path).unlink()
    print(("out of date: " if check else "written: ") + (", ".join(wrong) or "none"))
    return 1 if wrong and check else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
