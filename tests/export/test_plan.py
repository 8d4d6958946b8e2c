"""What a program of a game needs, and games that can't be packed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_core import ManifestError, RishError, UsageError
from rish_export.plan import make_plan


def test_a_game_without_plugins_needs_the_kernel_and_the_commands(pond: Path) -> None:
    """The program has the name of the folder, and no package that the game does not use."""
    (pond / "locale").mkdir()
    (pond / "locale" / "zh-Hant.yaml").write_text("{}", encoding="utf-8")
    plan = make_plan(str(pond / "game.yaml"))
    assert (plan.name, plan.title, plan.windowed, plan.plugins, plan.others) == ("pond", "The Pond", False, {}, ())
    assert {"rish-core", "rish-cli", "rish-ecs", "rish-jit", "numpy", "pydantic-core"} < set(plan.distributions)
    assert not {"rish-render", "arcade", "numba", "pyinstaller", "rish-export"} & set(plan.distributions)
    assert plan.languages == {"en", "zh-Hant"}


def test_modules_that_the_game_imports_are_packed(pond: Path) -> None:
    """The distribution of a module that the game's code imports is needed, with all that it requires."""
    (pond / "plugin.py").write_text("import json, idna.core\nfrom .reeds import x\n", encoding="utf-8")
    (pond / "reeds.py").write_text("x = 1\n", encoding="utf-8")
    plan = make_plan(str(pond))
    assert "idna" in plan.distributions
    assert (plan.imported, plan.python_modules) == ({"idna"}, {"json"})


def test_names_with_spaces_and_of_any_script_are_names_of_programs(pond: Path) -> None:
    """Characters that a file name can't have on some system are refused."""
    assert make_plan(str(pond), "夜の池 2").name == "夜の池 2"
    for name in ("a/b", "..", "a:b", "a ", "tail."):
        with pytest.raises(UsageError, match="can't be the name of a program"):
            make_plan(str(pond), name)


def test_a_missing_file_is_a_mistake_with_its_place(pond: Path) -> None:
    """The game is checked as by `rish check`, with the assets that the manifest names."""
    scene = "scenes: {main: [{Sprite: {image: reed.png}}, {Sprite: {image: /etc/passwd}}]}"
    (pond / "game.yaml").write_text(f"rish: 1\nplugins: [render]\n{scene}\n", encoding="utf-8")
    with pytest.raises(ManifestError) as caught:
        make_plan(str(pond))
    missing, outside = map(str, caught.value.problems)
    assert "game.yaml:3:" in missing
    assert "there is no file 'reed.png'" in missing
    assert "/etc/passwd" in outside


def test_a_path_of_this_machine_in_the_code_is_refused(pond: Path) -> None:
    """The message has the line of a text that is the absolute path of a file."""
    (pond / "plugin.py").write_text(
        f"\nPATH = {str(pond / 'game.yaml')!r}\nOTHER = '/no/such/file'\n", encoding="utf-8"
    )
    with pytest.raises(RishError, match=r"plugin.py:2: .* is the path of a file on this machine"):
        make_plan(str(pond))


def test_files_of_tools_and_links_that_lead_outside_are_not_packed(pond: Path, tmp_path: Path) -> None:
    """Hidden files and earlier results are left out; a link to a file elsewhere is an error."""
    for name in (".git/x", "out/film.gif", "dist/pond/pond", "__pycache__/a.pyc", "a/.hidden", "a/b.png"):
        (pond / name).parent.mkdir(parents=True, exist_ok=True)
        (pond / name).write_bytes(b"")
    assert list(make_plan(str(pond)).files) == ["game.yaml", "a/b.png"]
    (pond / "link.png").symlink_to(tmp_path / "elsewhere.png")
    with pytest.raises(RishError, match=r"link.png is a link that leads out"):
        make_plan(str(pond))
