"""Random renames of a game with files of all kinds: every reference that resolved still does, and all comes back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from long_runs import long
from renamed_files import contents, declared
from rish_authoring import AssetFiles, History, MovePlan, Project, check_move
from rish_core import App, Assets, read_manifest
from rish_render import Sprite

STEMS = ("a", "B", "hero", "höhle", "two words", "x.y", "n#1", "10")
FOLDERS = ("", "art", "Art 2", "deep/er", "maps", "images")


def shown(app: App) -> list[bytes]:
    """Return the pixels of the picture of each sprite, in the order of the entities, and what the other assets give."""
    table, assets = app.world.table(Sprite), app.world[Assets]
    return [assets.load(app.world.text(int(number))).tobytes() for number in table.column("image")]


def renames(files: AssetFiles, seed: int, count: int) -> list[MovePlan]:
    """Make random renames of files and folders that are possible; return their plans."""
    rng, plans = random.Random(seed), list[MovePlan]()
    root = files.root
    while len(plans) < count:
        names = [name for name in contents(root) if name != "game.yaml"]
        old = rng.choice([*names, *{name.partition("/")[0] for name in names if "/" in name}])
        last = old.rpartition("/")[2]
        _, dot, suffix = last.partition(".") if (root / old).is_file() else (last, "", "")
        folder = rng.choice(FOLDERS)
        new = f"{folder}/{rng.choice(STEMS)}{dot}{suffix}".lstrip("/")
        if (root / new).exists() or new.startswith(f"{old}/") or any((root / each).is_file() for each in _above(new)):
            continue
        plans.append(files.plan(old, new))
        files.move(plans[-1])
    return plans


def without_empty_folders(root: Path) -> None:
    """Remove the folders that a rename has made and the opposite one has left empty."""
    for folder in sorted((path for path in root.rglob("*") if path.is_dir()), reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def _above(name: str) -> list[str]:
    parts = name.split("/")
    return ["/".join(parts[:k]) for k in range(1, len(parts))]


@pytest.mark.slow
@pytest.mark.parametrize("seed", long(range(12), range(2)))
def test_random_renames_keep_the_game_and_come_back(root: Path, seed: int) -> None:
    """After each rename the pictures are the same and the game is fine; undo and renaming back give the same bytes."""
    before = contents(root)
    with App(read_manifest(root), headless=True, warm_up=False) as app:
        project, history = Project(app), History(app.world)
        project.follow(history)
        files = AssetFiles(project, declared(app))
        pictures = shown(app)
        with history.group("Renames"):
            plans = renames(files, seed, 8)
        assert shown(app) == pictures
        assert not project.changed_outside()
        with App(read_manifest(root), headless=True, warm_up=False, open_assets=True) as again:
            assert shown(again) == pictures
        history.undo()
        assert contents(root) == before
        history.redo()
        for plan in reversed(plans):
            back = files.plan(plan.moves.new, plan.moves.old)
            assert check_move(app, back) == []
            with history.group("Back"):
                files.move(back)
            without_empty_folders(root)
        assert shown(app) == pictures
        assert contents(root) == before
