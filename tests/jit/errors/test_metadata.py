"""What is read of installed packages is what Python's `importlib.metadata` reads."""

from __future__ import annotations

import sys
from importlib.metadata import distributions
from pathlib import Path

from rish_jit.errors.metadata import metadata_folders, named_by, package_in, plain_name, read_entry_points, text_in


def test_packages_and_entry_points_are_those_of_importlib() -> None:
    """For all installed packages, names, versions, requirements and entry points are those of importlib.metadata."""
    found = {plain_name((package := package_in(info)).name): (package, info) for info in metadata_folders(sys.path)}
    expected = {plain_name(each.name): each for each in distributions()}
    assert found.keys() == expected.keys()
    for name, (package, info) in found.items():
        assert (package.version, [*package.requires]) == (expected[name].version, expected[name].requires or [])
        points = {
            (point.group, point.name, point.value) for point in read_entry_points(text_in(info, "entry_points.txt"))
        }
        assert points == {
            (point.group, point.name, point.value.partition("[")[0].strip()) for point in expected[name].entry_points
        }


def test_a_folder_without_files_names_its_package(tmp_path: Path) -> None:
    """Without metadata, the name of the folder gives name and version; a file that is missing has no text."""
    (tmp_path / "rish_wind-0.2.1.dist-info").mkdir()
    (info,) = metadata_folders(["/no/such/folder", str(tmp_path)])
    assert text_in(info, "entry_points.txt") == ""
    assert package_in(info) == named_by(info) == ("rish_wind", "0.2.1", ())


def test_comments_and_extras_are_left_out() -> None:
    """Comments and empty lines are no entry points, and the extras behind a value are left out."""
    text = "# comment\n[rish.plugins]\n wind = rish_wind:light [gl]\n\n# a = b\n[other]\nx=y\n"
    assert read_entry_points(text) == [("rish.plugins", "wind", "rish_wind:light"), ("other", "x", "y")]


def test_the_folders_of_one_package_are_found_in_any_spelling(tmp_path: Path) -> None:
    """A plain name finds the folders of that package alone, however their names are spelled."""
    for name in (
        "Two_Words-1.0.dist-info",
        "two.words-0.9.egg-info",
        "two-1.0.dist-info",
        "two_words",
        "words.egg-info",
    ):
        (tmp_path / name).mkdir()
    found = {folder.name for folder in metadata_folders([str(tmp_path)], "two-words")}
    assert found == {"Two_Words-1.0.dist-info", "two.words-0.9.egg-info"}
    assert [folder.name for folder in metadata_folders([str(tmp_path)], "words")] == ["words.egg-info"]
    assert len([*metadata_folders([str(tmp_path)])]) == 4
