"""The plan of moving a file or a folder: the uses that change, those that can't be changed, and the change of files."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rish_core import AssetError, UsageError, canonical
from rish_core.manifest import FILE_NAME

from .changing import FileChange
from .find_uses import Source, Tree, Use, uses_of
from .formats import syntax_of
from .modules import imports_of, with_imports
from .moves import Moves
from .strings import rewritten

_CODE = "plugin.py"


@dataclass
class MovePlan:
    """The plan of a move. root: the game's folder.

    changed: the uses that get the new name. unsure: texts that may be equal to a name by chance, because no format
    declares their place; only chosen ones get the new name. unchanged: uses that can't be changed, with the reason.
    change: the change of the files. texts: by name, the new contents of files that have other contents in memory.
    """

    moves: Moves
    root: Path
    changed: list[Use] = field(default_factory=list[Use])
    unsure: list[Use] = field(default_factory=list[Use])
    unchanged: list[Use] = field(default_factory=list[Use])
    change: FileChange = field(default_factory=FileChange)
    texts: dict[str, str] = field(default_factory=dict[str, str])


def find_uses(tree: Tree, name: str) -> list[Use]:
    """Return all uses of a file, or of the files in a folder, by file and line; those within the folder are left out.

    `Use.sure` is False for texts that may be equal by chance.
    """
    moves = Moves(name, f"{name}.moved", tree.files)
    uses = [*uses_of(tree, moves), *imports_of(tree, moves)]
    return [use for use in uses if use.file not in moves.moved]


def plan_move(tree: Tree, old: str, new: str, *, chosen: Iterable[Use] = (), memory: Tree | None = None) -> MovePlan:
    """Return the plan of giving a file or a folder another name. tree: the files as they are on the disk.

    new: its new name relative to the game; missing folders are created. chosen: the unsure uses to rename too. memory:
    the files in memory, whose texts are changed too. Raises UsageError for a name that is not possible.
    """
    new = _possible(tree, old, new)
    moves, chosen = Moves(old, new, tree.files), frozenset(chosen)
    plan = MovePlan(moves, tree.root)
    contents: list[tuple[Path, bytes, bytes]] = []
    for name, uses in _by_file([*uses_of(tree, moves), *imports_of(tree, moves)]).items():
        source = tree.source(name)
        assert source is not None
        data = _sort(plan, source, uses, chosen)
        if data is not None and data != source.data:
            contents.append((tree.root / moves.now(name), source.data, data))
    plan.change = FileChange(((tree.root / old, tree.root / new),), tuple(contents))
    for name, text in memory.texts.items() if memory is not None else ():
        plan.texts[name] = _in_memory(memory, name, text, moves, chosen) if memory is not None else text
    return plan


def _sort(plan: MovePlan, source: Source, uses: list[Use], chosen: Collection[Use]) -> bytes | None:
    """Sort the uses in a file into the lists of a plan; return the new content, or None if it stays."""
    followed = [use for use in uses if not use.why and (use.sure or use in chosen)]
    plan.unchanged += [use for use in uses if use.why]
    plan.unsure += [use for use in uses if not use.why and not use.sure and use not in chosen]
    text = changed_text(source, followed, plan.moves) if followed else None
    if followed and text is None:
        why = "this file can't have the new name"
        plan.unchanged += [Use(u.file, u.line, u.column, u.text, why, u.sure, u.index) for u in followed]
        return None
    plan.changed += followed
    return text.encode(source.encoding) if text is not None else None


def changed_text(source: Source, uses: Iterable[Use], moves: Moves) -> str | None:
    """Return the text of a file in which uses have their new names, None if it can't have them."""
    syntax, text = syntax_of(source.name), source.text
    assert syntax is not None
    assert text is not None
    strings = {use.index: use.new for use in uses if use.index >= 0}
    result = rewritten(syntax, text, strings) if strings else text
    if result is None:
        return None
    result = with_imports(result, source.name, moves) if source.name.endswith(".py") else result
    try:
        result.encode(source.encoding)
    except UnicodeEncodeError:
        return None
    return result


def _in_memory(tree: Tree, name: str, text: str, moves: Moves, chosen: Collection[Use]) -> str:
    """Return the new text in memory of a file."""
    chosen_texts = {(use.file, use.text) for use in chosen}
    uses = [
        use for use in uses_of(tree, moves, [name]) if not use.why and (use.sure or (name, use.text) in chosen_texts)
    ]
    result = changed_text(Source(name, text.encode()), uses, moves) if uses else text
    return text if result is None else result


def _by_file(uses: Iterable[Use]) -> dict[str, list[Use]]:
    """Return the uses by file."""
    grouped: defaultdict[str, list[Use]] = defaultdict(list)
    for use in uses:
        grouped[use.file].append(use)
    return grouped


def _possible(tree: Tree, old: str, new: str) -> str:
    """Return the normalized new name. Raises UsageError."""
    source = tree.root / old
    if old == FILE_NAME:
        raise UsageError(f"{FILE_NAME} is the game itself and keeps its name")
    if old == _CODE:
        raise UsageError(f"{_CODE} is the code of the game, which is found by this name")
    if not old or not source.exists():
        raise UsageError(f"there is no file {old!r}", given=old, choices=tree.files)
    try:
        name = canonical(new)
    except AssetError as error:
        raise UsageError(error.what, hint=error.hint) from None
    if ":" in name:
        raise UsageError(f"{new!r} names a file of a package", hint="Name a file inside the game's folder")
    if any(part.startswith((".", "__")) for part in name.split("/")):
        raise UsageError(f"{name!r} would be hidden", hint="Begin names with a letter")
    if name == old:
        raise UsageError(f"{old!r} has this name already")
    if source.is_dir() and name.startswith(f"{old}/"):
        raise UsageError(f"{old!r} can't be moved into itself")
    target = tree.root / name
    if os.path.lexists(target) and not (target.exists() and source.samefile(target)):
        raise UsageError(f"{name!r} exists already", hint="Choose another name")
    parent_folder = next(parent for parent in target.parents if os.path.lexists(parent))
    if not parent_folder.is_dir():
        raise UsageError(f"{parent_folder.name!r} is no folder")
    return name
