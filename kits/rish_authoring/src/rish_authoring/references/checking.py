"""Checks a planned move in a copy of the game's folder that consists of hard links.

Only files that the move could break are read: the manifest, and the files that change or move.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path, PurePath

from rish_core import App, AssetError, Assets, ManifestError, read_manifest
from rish_core.manifest import FILE_NAME, compile_manifest
from rish_system import rename

from .formats import syntax_of
from .plan import MovePlan

_PREFIX = ".rish-check-"
_LEFT_OUT = (".git", ".rish", "__pycache__", ".venv", "node_modules")


def check_move(app: App, plan: MovePlan) -> list[str]:
    """Return the mistakes that a game would get by a move. app: an App with the plugins of the game.

    Raises OSError if the folder can't be copied.
    """
    root = plan.root
    origin = {new: old for old, new in plan.moves.moved.items()}
    for leftover in root.glob(f"{_PREFIX}*"):  # of a killed process
        shutil.rmtree(leftover, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, dir=root) as folder:
        copy = Path(folder)
        _link(root, copy)
        _move(copy, plan, root)
        after = _problems(app, copy)
        before = _problems(app, root) if after else {}
        mistakes = [text for path, text in after.items() if path not in before]
        for name in sorted(_touched(plan)):
            mistake = _unreadable(Assets(copy, app.registry.loaders), name)
            if mistake is not None and _unreadable(Assets(root, app.registry.loaders), origin.get(name, name)) is None:
                mistakes.append(mistake)
    return [text.replace(f"{copy}/", "") for text in mistakes]


def _touched(plan: MovePlan) -> set[str]:
    """Return the files that a move may damage: files that change, and moved files that may name others."""
    touched = {path.relative_to(plan.root).as_posix() for path, _, _ in plan.change.contents}
    for old, new in plan.moves.moved.items():
        if syntax_of(new) is not None or new.endswith(".glb") or PurePath(old).suffixes != PurePath(new).suffixes:
            touched.add(new)
    return touched


def _problems(app: App, root: Path) -> dict[str, str]:
    """Return the mistakes of a manifest by their path in it."""
    manifest = read_manifest(root / FILE_NAME, app.manifest.overrides)
    manifest.names = app.registry.names
    problems = list(manifest.problems)
    try:
        with app.plugins.raising():
            app.plugins.gather("rish_manifest", manifest=manifest, plugins=app.plugins, registry=app.registry)
        compile_manifest(manifest, app.registry)
    except ManifestError as error:
        problems += error.problems
    return {problem.path or problem.what: str(problem) for problem in problems}


def _unreadable(assets: Assets, name: str) -> str | None:
    """Return the error for a file that can't be read; None if it can be read or has no loader."""
    if not assets.has_loader(name):
        return None
    try:
        assets.read(name)
    except AssetError as error:
        return str(error)
    return None


def _link(root: Path, copy: Path) -> None:
    """Fill a folder with hard links to the files of another one, or copies where links are not possible."""
    for base, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _LEFT_OUT and not name.startswith(_PREFIX)]
        target = copy / Path(base).relative_to(root)
        for name in folders:
            (target / name).mkdir()
        for name in names:
            try:
                os.link(Path(base, name), target / name, follow_symlinks=False)
            except OSError:
                shutil.copyfile(Path(base, name), target / name)


def _move(copy: Path, plan: MovePlan, root: Path) -> None:
    """Make the change of a plan in the copy."""
    for old, new in plan.change.moves:
        target = copy / new.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        rename(copy / old.relative_to(root), target)
    for path, _, data in plan.change.contents:
        target = copy / path.relative_to(root)
        target.unlink()  # the link; the game's file stays
        target.write_bytes(data)
