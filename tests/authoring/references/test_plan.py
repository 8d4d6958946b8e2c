"""Renaming a file: every use follows, what can't follow is listed, and renaming it back gives the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from renamed_files import contents
from rish_authoring import Tree, check_move, find_uses, plan_move
from rish_core import App, UsageError


def places(uses):
    """Return the files and lines of uses."""
    return [(use.file, use.line) for use in uses]


def test_a_picture_is_followed_in_files_of_all_formats(app: App, tree: Tree) -> None:
    """Fields of type Asset, settings, strings of Python and sheets have the new name; nothing else is touched."""
    before = contents(tree.root)
    plan = plan_move(tree, "images/hero.png", "art/big/hero 2.png")
    assert check_move(app, plan) == []
    plan.change.apply()
    after = contents(tree.root)
    assert after.pop("art/big/hero 2.png") == before.pop("images/hero.png")
    manifest = before["game.yaml"].replace(b"images/hero.png", b"art/big/hero 2.png")
    assert after["game.yaml"] == manifest.replace(b"{text: art/big/hero 2.png}", b"{text: images/hero.png}")
    assert b'"../art/big/hero 2.png"' in after["images/hero.json"]
    code = before["paths.py"].replace(b'HERO = "images/hero.png"', b'HERO = "art/big/hero 2.png"')
    assert after["paths.py"] == code.replace(b"r'images/hero.png'", b"r'art/big/hero 2.png'")
    assert {name for name in before if before[name] != after[name]} == {"game.yaml", "images/hero.json", "paths.py"}


def test_what_can_not_follow_is_listed_with_place_and_reason(tree: Tree) -> None:
    """Computed names and adjacent literals are listed; texts that are equal by chance are listed for a choice."""
    plan = plan_move(tree, "images/hero.png", "images/heroine.png")
    assert [(use.place, use.why) for use in plan.unchanged] == [
        ("paths.py:4", "adjacent literals give this name"),
        ("paths.py:8", "an f-string"),
    ]
    assert places(plan.unsure) == [("game.yaml", 18), ("paths.py", 2), ("data/list.json", 1)]


def test_chosen_texts_follow_too(tree: Tree) -> None:
    """A text that is equal by chance follows if the person has chosen it."""
    plan = plan_move(tree, "images/hero.png", "images/heroine.png")
    plan_move(tree, "images/hero.png", "images/heroine.png", chosen=plan.unsure).change.apply()
    assert (tree.root / "data/list.json").read_text() == '{"first": "images/heroine.png"}'
    assert "Text: {text: images/heroine.png}        # says it" in (tree.root / "game.yaml").read_text()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("images", "art/pictures"), ("maps", "levels"), ("maps/tiles.tsx", "tiles.tsx"), ("parts", "inner/parts"),
        ("fx/fire.particles.yaml", "fire.particles.yaml"), ("images/box.png", "Images/box.png"),
        ("images/spark.png", "images/Spark.png"), ("fonts/small.fnt", "a/b/c/small.fnt"), ("maps/level.tmx", "l.tmx"),
        ("parts/more.yaml", "more.yaml"), ("sounds/hop.wav", "sounds/höp.wav"), ("paths.py", "tools/paths.py"),
    ],
)  # fmt: skip
def test_renaming_back_gives_the_same_bytes(app: App, tree: Tree, old: str, new: str) -> None:
    """After a rename the game has no new mistakes; after renaming back all files are as before."""
    before = contents(tree.root)
    plan = plan_move(tree, old, new)
    assert check_move(app, plan) == []
    plan.change.apply()
    assert contents(tree.root) != before
    again = Tree(tree.root, tree.formats, frozenset(plan.moves.now(name) for name in tree.manifests))
    assert find_uses(again, old) == []
    back = plan_move(again, new, old)
    assert len(back.changed) == len(plan.changed)
    back.change.apply()
    assert contents(tree.root) == before


def test_a_change_that_fails_is_taken_back(tree: Tree) -> None:
    """If a file can't be written in the middle, all files are as before, and the folders that were made are gone."""
    before = contents(tree.root)
    plan = plan_move(tree, "images/hero.png", "new/folder/hero.png")

    def fail(path: Path, data: bytes) -> None:
        if path.name == "paths.py":
            raise OSError(28, "No space left on device", str(path))
        path.write_bytes(data)

    with pytest.raises(UsageError, match="No space left"):
        plan.change.apply(fail)
    assert contents(tree.root) == before
    assert not (tree.root / "new").exists()


def test_a_file_that_another_program_has_changed_meanwhile_is_not_overwritten(tree: Tree) -> None:
    """The plan is refused, and nothing has changed."""
    plan = plan_move(tree, "images/hero.png", "images/x.png")
    (tree.root / "paths.py").write_text("HERO = 'images/hero.png'  # mine\n")
    before = contents(tree.root)
    with pytest.raises(UsageError, match=r"paths\.py was changed by another program"):
        plan.change.apply()
    assert contents(tree.root) == before


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("images/hero.png", "images/box.png", "exists already"), ("images/hero.png", "../hero.png", "leads out"),
        ("images/hero.png", "/hero.png", "absolute"), ("images/hero.png", ".hero.png", "hidden"),
        ("images/hero.png", "images/.x/hero.png", "hidden"), ("images", "images/inner", "into itself"),
        ("game.yaml", "game2.yaml", "keeps its name"), ("images/none.png", "a.png", "no file"),
        ("images/hero.png", "images/hero.png", "this name already"), ("images/hero.png", "paths.py/a.png", "no folder"),
        ("images/hero.png", "NUL.png", "device"), ("images/hero.png", "pkg:hero.png", "package"),
    ],
)  # fmt: skip
def test_names_that_are_not_possible_are_refused(tree: Tree, old: str, new: str, said: str) -> None:
    """Existing targets, places outside of the game and hidden names are refused before anything is read."""
    with pytest.raises(UsageError, match=said):
        plan_move(tree, old, new)


def test_a_rename_that_breaks_the_game_is_found_before_it_is_made(app: App, tree: Tree) -> None:
    """A picture that gets the suffix of a text can't be shown any more, and a preset loses its loader."""
    plan = plan_move(tree, "images/hero.png", "images/hero.txt")
    assert any("images/hero.txt" in said for said in check_move(app, plan))
    assert not (tree.root / "images/hero.txt").exists()
    assert [path.name for path in tree.root.iterdir() if path.name.startswith(".")] == []
