"""Rish's side of the benchmark `long_work`."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from ._editor_rish import _grid, _shell
from ._task import Task, figure

SHORT, LONG, MANY = 3_000, 20_000, 100_000
"""Entries of four lines, and entities."""
_HEAD = "rish: 1\nplugins: [render]\nscenes:\n  main:\n    - {name: camera, Transform: {}, Camera: {height: 720}}\n"
_ENTRY = "    - name: e{0}\n      at: [{0}, 2]\n      Shape: {{size: [9, 9]}}\n      # {0}\n"


def _project(entries: int, edit: str) -> tuple[Callable[[], object], Callable[[], object], Callable[[], None]]:
    """Return functions that edit a game, save it, and remove it. edit: see `_edit`."""
    from rish_authoring import Project
    from rish_core import App, read_manifest

    folder = Path(tempfile.mkdtemp(prefix="rish-long-"))
    path = folder / "game.yaml"
    path.write_text(_HEAD + "".join(_ENTRY.format(k) for k in range(entries)), encoding="utf-8")
    app = App(read_manifest(path), headless=True, warm_up=False)
    project, number = Project(app), count(3)
    every = app.world.table(_transform()).entities.copy()[1:]
    return (
        lambda: _edit(app, every, edit, next(number)),
        lambda: _without_collector(project.save),
        lambda: shutil.rmtree(folder),
    )


def _transform() -> type:
    from rish_core import Transform

    return Transform


def _edit(app: Any, every: Any, edit: str, number: int) -> None:
    """Move one entity, each third or all of them; spawn a hundred; or delete a hundred."""
    from rish_authoring import delete, mark_authored
    from rish_core import Name, Transform

    if edit == "new":
        made = app.world.spawn_many(100, Transform(position=np.full((100, 2), number)), Name(value="new"))
        mark_authored(app.world, *made.tolist())
    elif edit == "deleted":
        delete(app, every[100 * number : 100 * number + 100].tolist())
    else:
        moved = every[:: {"one": len(every), "third": 3, "all": 1}[edit]]
        app.world.set(moved, Transform(position=np.c_[np.full(len(moved), number), np.arange(len(moved))]))
    app.refresh()


def _without_collector(work: Callable[[], object]) -> None:
    """Do work as the editor does long work, with the garbage collector switched off."""
    gc.disable()
    try:
        work()
    finally:
        gc.enable()


def _save(entries: int, edit: str) -> Task:
    change, save, remove = _project(entries, edit)
    return Task(save, before=change, after=remove, once=True)


def _longest(entries: int, edit: str) -> Task:
    """Measure the longest processor time between two reports of progress."""
    from rish_core.manifest import on_progress

    change, save, remove = _project(entries, edit)

    def measure() -> float:
        change()
        times = [time.process_time()]
        stop = on_progress(lambda what, done, total: times.append(time.process_time()))
        save()
        stop()
        return float(np.diff([*times, time.process_time()]).max())

    return figure(measure, remove)


def _editor() -> tuple[Any, Any, list[int]]:
    """Return an editor off screen, its game of a hundred thousand entities, and their handles."""
    os.environ.setdefault("LP_NO_RAST", "1")  # Mesa without a graphics card leaves the pixels out
    shell = _shell(_grid(MANY))
    game = shell.editor.game
    return shell, game, game.world.table(_transform()).entities.tolist()


def _frame(work: Callable[[Any, list[int]], object], *, selected: bool = True) -> Task:
    """Measure a frame with some work, all entities being selected before it."""
    shell, game, every = _editor()

    def before() -> None:
        game.selection.set(every if selected else ())
        shell.frame(1 / 60)

    def run() -> None:
        shell.editor.later(lambda: work(shell.editor, every))
        shell.frame(1 / 60)
        shell.frame(1 / 60)

    return Task(run, before=before, after=shell.close, once=True, parts=2)


def select_all() -> Task:
    """Measure the two frames after Ctrl+A."""
    return _frame(lambda editor, every: editor.run("edit.select_all"), selected=False)


def toggle() -> Task:
    """Measure the two frames after a click with Ctrl on one of the selected entities."""
    return _frame(lambda editor, every: editor.game.selection.toggle(every[7:8]))


def set_field() -> Task:
    """Measure the two frames of setting a field of all."""
    number = count()
    return _frame(
        lambda editor, every: editor.game.set(editor.game.selection.array, _transform(), "rotation", next(number))
    )


def undo_field() -> Task:
    """Measure the two frames of undoing and redoing a field of all."""
    shell, game, every = _editor()
    game.set(every, _transform(), "rotation", 5.0)
    turn = count()

    def run() -> None:
        shell.editor.later(lambda: game.redo() if next(turn) % 2 else game.undo())
        shell.frame(1 / 60)
        shell.frame(1 / 60)

    return Task(run, after=shell.close, once=True, parts=2)


def _taken_back(command: str) -> Task:
    """Measure a command on all entities, which is undone after that."""
    shell, game, every = _editor()
    done = [False]

    def before() -> None:
        if done[0]:
            game.undo()
        game.selection.set(every)
        shell.frame(1 / 60)
        done[0] = True

    return Task(lambda: (shell.editor.run(command), shell.frame(1 / 60)), before=before, after=shell.close, once=True)


def duplicate() -> Task:
    """Measure duplicating all, with the next frame."""
    return _taken_back("edit.duplicate")


def delete() -> Task:
    """Measure deleting all, with the next frame."""
    return _taken_back("edit.delete")


def save_one() -> Task:
    """Measure saving one moved entity."""
    return _save(SHORT, "one")


def save_third() -> Task:
    """Measure saving when each third entity was moved."""
    return _save(SHORT, "third")


def save_all() -> Task:
    """Measure saving when all entities were moved."""
    return _save(SHORT, "all")


def save_new() -> Task:
    """Measure saving a hundred new entities."""
    return _save(SHORT, "new")


def save_deleted() -> Task:
    """Measure saving when a hundred entities were deleted."""
    return _save(SHORT, "deleted")


def save_one_longer() -> Task:
    """Measure saving one moved entity."""
    return _save(LONG, "one")


def save_third_longer() -> Task:
    """Measure saving when each third entity was moved."""
    return _save(LONG, "third")


def save_all_longer() -> Task:
    """Measure saving when all entities were moved."""
    return _save(LONG, "all")


def save_new_longer() -> Task:
    """Measure saving a hundred new entities."""
    return _save(LONG, "new")


def save_deleted_longer() -> Task:
    """Measure saving when a hundred entities were deleted."""
    return _save(LONG, "deleted")


def longest_one_longer() -> Task:
    """Measure the longest time without a report while one moved entity is saved."""
    return _longest(LONG, "one")


def longest_third_longer() -> Task:
    """Measure the longest time without a report while each third entity is saved."""
    return _longest(LONG, "third")


def longest_all_longer() -> Task:
    """Measure the longest time without a report while all entities are saved."""
    return _longest(LONG, "all")


def longest_new_longer() -> Task:
    """Measure the longest time without a report while new entities are saved."""
    return _longest(LONG, "new")


def longest_deleted_longer() -> Task:
    """Measure the longest time without a report while deleted entities are saved."""
    return _longest(LONG, "deleted")
