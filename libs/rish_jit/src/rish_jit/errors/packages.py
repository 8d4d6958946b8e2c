"""Installed packages: which are this project's, where they came from, and how to get one; modules without an import.

The packages of this project are on no index yet, so no message names one of them for an index: there the name may be a
stranger's. In a clone a package is installed from its folder, elsewhere from wheels that are built in a clone. Every
message asks `how_to_get` or `how_to_update`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from . import Place, shorten_path
from .metadata import plain_name

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

PARTS = (
    "animation", "assets", "audio", "authoring", "basics", "bundle", "cli", "core", "devtools", "dynamics", "ecs",
    "editor", "export", "expressions", "frame", "gltf", "history", "jit", "lighting", "net", "packs", "page",
    "particles", "physics", "physics3d", "reload", "render", "rules", "scene3d", "scripts", "space3d", "system",
    "teach", "terminal", "ui",
)  # fmt: skip
"""The parts of this project: packages named `rish-<part>`, with lists of folders `<part>.txt`."""
_SPECIAL = set(" <>!=~*;&'\"()[]$`|")
"""Characters that shells interpret."""


def is_ours(package: str) -> bool:
    """Whether a package is a part of this project, however its name is spelt."""
    return plain_name(package) in {f"rish-{part}" for part in PARTS}


def culprit(error: BaseException, owner: Callable[[str], str | None]) -> tuple[str, Place] | None:
    """Return whose code raised an error, and the line; None if it is that of this project.

    owner: returns the owner of a top-level module, None for one of this project and for libraries. The innermost frame
    of an owner or of this project decides; those of libraries are passed over.
    """
    trace, frames = error.__traceback__, list[tuple[FrameType, int]]()
    while trace is not None:
        frames.append((trace.tb_frame, trace.tb_lineno))
        trace = trace.tb_next
    for frame, line in reversed(frames):
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        whose = owner(package)
        if is_ours(whose or package):
            return None
        if whose is not None:
            return whose, Place(shorten_path(frame.f_code.co_filename), line)
    return None


def how_to_get(package: str, versions: object = "") -> str:
    """Return a sentence on how to install a package. versions: the accepted range, such as `>=0.2,<1`."""
    folder = clone_folder(plain_name(package))
    if folder is not None:
        return f"Run: uv pip install -e {quoted(shorten_path(folder))}"
    if is_ours(package):
        part, wish = plain_name(package).removeprefix("rish-"), quoted(f"{package}{versions}")
        return (
            f"Run in a clone of Rish: pip wheel -r requirements/{part}.txt -w wheels. "
            f"Then here: pip install --no-index --find-links WHEELS {wish}, with the path of that folder as WHEELS"
        )
    if plain_name(package).startswith("rish"):
        return f"Install {package}{versions} as its documentation says"
    return f"Run: pip install {quoted(f'{package}{versions}')}"


def how_to_update(package: str, versions: object = "") -> str:
    """Return a sentence on how to get another version of an installed package. versions: the accepted range."""
    folder = clone_folder(plain_name(package))
    if folder is not None:
        return f"Run in {shorten_path(folder)}: git pull && uv pip install -e ."
    if is_ours(package):
        return how_to_get(package, versions)
    source = source_folder(package)
    where = f"from its folder, {source}" if source is not None else "as its documentation says"
    return f"Install {package}{versions or ' in another version'} {where}"


def how_to_get_module(module: str) -> str:
    """Return a sentence on how to get a module that is not installed; its package may have any other name."""
    top = module.partition(".")[0]
    if is_ours(top):
        return how_to_get(plain_name(top))
    return f"Install the package that has the module '{top}'"


def how_to_get_numba() -> str:
    """Return a sentence on how to get numba, in the versions that the extra `jit` of this package allows.

    It names numba, not the extra, whose package is on no index.
    """
    from importlib import metadata

    try:
        wishes = metadata.requires("rish-jit") or []
    except metadata.PackageNotFoundError:  # the modules alone, in a folder or an archive
        wishes = []
    wish = next((wish for wish in wishes if wish.startswith("numba")), "numba")
    return f"Run: pip install {quoted(wish.partition(';')[0].strip())}"


def source_folder(package: str) -> Path | None:
    """Return the folder that a package was installed from (PEP 610), None if it came from a file or an index."""
    import json
    from importlib import metadata
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    try:
        origin: Any = json.loads(metadata.distribution(package).read_text("direct_url.json") or "{}")
        folder = Path(url2pathname(urlsplit(str(origin["url"])).path))
    except (metadata.PackageNotFoundError, OSError, ValueError, KeyError, TypeError):
        return None
    return folder if folder.is_dir() else None


@lru_cache(maxsize=64)
def clone_folder(package: str) -> Path | None:
    """Return the folder of a package in the clone from which this package was installed; None without a clone."""
    home = source_folder("rish-ecs")
    for root in home.parents if home is not None else ():
        for pattern in _project(root).get("tool", {}).get("uv", {}).get("workspace", {}).get("members", ()):
            for folder in sorted(root.glob(pattern)):
                if _project(folder).get("project", {}).get("name") == package:
                    return folder
    return None


def _project(folder: Path) -> dict[str, Any]:
    """Return what the pyproject.toml of a folder holds; empty if it can't be read."""
    import tomllib

    try:
        return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def quoted(word: str) -> str:
    """Return a word as it is typed in a shell: in quotes if it contains characters that a shell would interpret."""
    return f"'{word}'" if _SPECIAL & set(word) else word


def module_file(module: str) -> str:
    """Return the file of an installed module, "" if there is none; the packages around it are not imported."""
    try:
        spec = _spec(module)
    except (ImportError, AttributeError, ValueError, KeyError):  # KeyError: in a folder without `__init__.py`
        return ""
    return (spec.origin or "") if spec is not None else ""


def module_docstring(module: str) -> str:
    """Return the docstring of a module from its source, "" if it has none; nothing is imported.

    Raises the errors of finding and reading the source.
    """
    import ast
    import io
    import tokenize

    spec = _spec(module)
    loader: Any = spec and spec.loader
    for token in tokenize.generate_tokens(io.StringIO(loader.get_source(module)).readline):
        if token.type not in (tokenize.COMMENT, tokenize.NL):  # parsing the complete file is too slow
            return str(ast.literal_eval(token.string)).strip() if token.type == tokenize.STRING else ""
    return ""


def _spec(module: str) -> ModuleSpec | None:
    """Find a module without importing the packages around it."""
    import importlib.util
    from importlib.machinery import PathFinder

    top, *parts = module.split(".")
    spec, name = importlib.util.find_spec(top), top
    for part in parts:
        name = f"{name}.{part}"
        spec = PathFinder.find_spec(name, spec and spec.submodule_search_locations)
    return spec
