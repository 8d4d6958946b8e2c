"""Which games and packages go into a bundle."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rish_bundle.selection import game_folders, installed_parts, select
from rish_core import RishError, UsageError


def test_games_are_named_alone_or_by_the_folder_above(pond: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a name those in the folder `games` are meant."""
    assert game_folders([pond]) == [pond]
    assert game_folders([pond.parent]) == [pond]
    monkeypatch.chdir(pond.parents[1])
    assert game_folders([]) == [Path("games/pond")]


def test_a_place_without_a_game_is_refused(tmp_path: Path) -> None:
    """The message names the place."""
    with pytest.raises(UsageError, match="there is no game in"):
        game_folders([tmp_path])


def test_two_games_of_the_same_name_are_refused(pond: Path, tmp_path: Path) -> None:
    """The stick can't hold both, also if they differ in upper and lower case alone."""
    shutil.copytree(pond, tmp_path / "Pond")
    with pytest.raises(UsageError, match="two games named Pond"):
        select([pond, tmp_path / "Pond"], [])


@pytest.mark.slow
def test_all_packages_of_rish_are_chosen_and_what_they_need(pond: Path) -> None:
    """Those that need an installed Python are left out, and so is what Rish does not use; others are added by name."""
    chosen = select([pond], ["execnet"])
    assert set(chosen.distributions) >= installed_parts() | {"execnet", "numpy", "pyglet"}
    assert not {"rish-bundle", "rish-export", "pyinstaller", "pymunk", "numba", "hypothesis"} & set(
        chosen.distributions
    )
    assert {"en", "zh"} <= chosen.languages
    assert list(chosen.plans) == ["pond"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wish", "message"), [("sea-monster", "sea-monster is needed and is not"), ("?", "no name of")]
)
def test_a_package_that_is_not_installed_is_refused(pond: Path, wish: str, message: str) -> None:
    """Packages are copied from this machine, and never fetched."""
    with pytest.raises(RishError, match=message):
        select([pond], [wish])
