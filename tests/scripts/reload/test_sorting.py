"""Selects the saved files that matter to the game."""

from __future__ import annotations

from pathlib import Path

from rish_core import Assets


def test_paths_of_elsewhere_mean_nothing(live, tmp_path: Path) -> None:
    """Files outside the folder, files of tools and unused files are ignored."""
    for path in (
        tmp_path / "x.py",
        live.folder / "notes.txt",
        live.folder / "a:b.png",
        live.folder / "tests" / "test_x.py",
    ):
        path.parent.mkdir(exist_ok=True)
        path.write_text("x = (")
        assert live.take(path) == set()
    assert live.told == []
    assert live.reload.count == 0


def test_a_new_file_of_a_package_that_is_searched(live) -> None:
    """`scripts_in(package)` finds a script in a new file that no code imports."""
    live.write("scripts/__init__.py", "")
    live.edit("plugin.py", ("return [Walker]", "return [Walker, *scripts_in(scripts)]"),
              ("from . import rules", "from . import rules, scripts\nfrom rish_scripts import scripts_in"))  # fmt: skip
    assert live.told == []
    live.save("scripts/gate.py", "from rish_scripts import Script\n\n\nclass Gate(Script):\n    wide: int = 3\n")
    assert live.told == []
    live.world.add(live.entity("hero"), live.kind("Gate")(wide=4))


def test_a_picture_that_is_deleted_stays(live) -> None:
    """A deleted image is still used and not reported, since an editor may be about to write it."""
    live.world[Assets].load("ball.png")
    (live.folder / "ball.png").unlink()
    assert live.take(live.folder / "ball.png") == set()
    assert live.told == []
