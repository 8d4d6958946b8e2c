"""A package's folder with all that its distributions need of the repository: license, links, classifiers.

What is equal in all packages is written once, in the `pyproject.toml` of the root: classifiers, addresses, the first
keywords. Distributions are built of a copy of the folder with these, so a source distribution is complete too.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any

import tomli_w
from links import Links

ROOT = Path(__file__).resolve().parents[1]
_IGNORED = shutil.ignore_patterns(
    "__pycache__", ".*", "*.image", "*.nbi", "*.nbc", "*.egg-info", "build", "dist", "out", "failed"
)
_LICENSE = "LICENSE"
_SHARED = ("authors", "classifiers")
"""The keys of the root's `[project]` that all packages get as they are."""


def settings_of(folder: Path) -> dict[str, Any]:
    """Return the content of a folder's `pyproject.toml`."""
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


def stage(folder: Path, into: Path, repository: str | None = None) -> Path:
    """Copy a package's folder into another folder, complete it, and return the copy.

    repository: the address that links lead to; by default that of the root's `pyproject.toml`. Raises ValueError for a
    link that leads to nothing.
    """
    settings = complete(folder, repository)
    project = settings["project"]
    copy = into / project["name"]
    if folder == ROOT:
        copy.mkdir()
    else:
        shutil.copytree(folder, copy, ignore=_IGNORED)
    shutil.copy(ROOT / _LICENSE, copy)
    (copy / "pyproject.toml").write_text(tomli_w.dumps(settings), encoding="utf-8", newline="\n")
    page = folder / "README.md"
    links = Links(ROOT, page, project.get("urls", {}).get("Repository"), f"v{project['version']}")
    text = links.absolute(page.read_text(encoding="utf-8"))
    (copy / page.name).write_text(text, encoding="utf-8", newline="\n")
    return copy


def complete(folder: Path, repository: str | None = None) -> dict[str, Any]:
    """Return a package's settings with what the root's say for all, without those of the workspace."""
    settings, shared = settings_of(folder), settings_of(ROOT)["project"]
    project = settings["project"]
    project |= {name: shared[name] for name in _SHARED}
    project["keywords"] = _merged(shared["keywords"], project.get("keywords", []))
    project["license-files"] = _merged([_LICENSE], project.get("license-files", []))
    urls = {**shared.get("urls", {}), **({"Repository": repository} if repository else {})}
    project |= {"urls": urls} if urls else {}
    return {name: settings[name] for name in ("build-system", "project")} | {
        "tool": {"hatch": settings["tool"]["hatch"]}
    }


def _merged(first: list[str], second: list[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))
