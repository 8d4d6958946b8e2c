"""Discovery lists installed plugins, imports nothing, and tolerates broken packages."""

from __future__ import annotations

import logging
import os
import shutil
from pathlib import Path

import pytest

from rish_core.plugin.discovery import Candidate, installed_commands, installed_modules, installed_plugins


def package(folder: Path, name: str, version: str, points: str, metadata: bool = True) -> None:
    """Write the metadata of an installed package."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    if metadata:
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (info / "METADATA").write_text(text, encoding="utf-8")
    (info / "entry_points.txt").write_text(points, encoding="utf-8")


def test_entry_points_are_listed_by_name(tmp_path: Path) -> None:
    """Each candidate has a name, a value, a distribution and its version, and the list is sorted."""
    package(
        tmp_path,
        "rish-wind",
        "0.2",
        "[rish.plugins]\nwind = rish_wind.plugin\nbreeze = rish_wind:light [gl]\n",
    )
    package(tmp_path, "other", "3", "[console_scripts]\nother = other:main\n")
    assert installed_plugins([str(tmp_path)]) == [
        Candidate("breeze", "rish-wind", "0.2", "rish_wind:light"),
        Candidate("wind", "rish-wind", "0.2", "rish_wind.plugin"),
    ]


def test_commands_have_their_own_group(tmp_path: Path) -> None:
    """Sub-commands are listed separately from plugins."""
    package(tmp_path, "rish-wind", "0.2", "[rish.commands]\nblow = rish_wind.command:main\n")
    assert [command.name for command in installed_commands([str(tmp_path)])] == ["blow"]
    assert installed_plugins([str(tmp_path)]) == []


def test_other_groups_of_entry_points_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a package offers in any group of Rish is listed; contracts only belong to plugins."""
    package(tmp_path, "rish-wind", "0.2", "[rish.game_files]\nwindy = rish_wind.files\n[rish.contracts.air]\nw = x\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "windy" in [each.name for each in installed_modules("rish.game_files")]
    assert installed_modules("rish.contracts.air") == []
    assert installed_modules("rish.nothing") == []


def test_a_package_seen_twice_counts_once(tmp_path: Path) -> None:
    """A package that is found twice, editable and built, is one candidate: the first on the path."""
    package(tmp_path / "a", "rish-wind", "0.3", "[rish.plugins]\nwind = rish_wind\n")
    package(tmp_path / "b", "rish_wind", "0.2", "[rish.plugins]\nwind = rish_wind\n")
    found = installed_plugins([str(tmp_path / "a"), str(tmp_path / "b")])
    assert [str(candidate) for candidate in found] == ["rish-wind 0.3 (rish_wind)"]


def test_two_packages_with_one_name_are_both_listed(tmp_path: Path) -> None:
    """Two packages with a plugin of the same name are both listed."""
    package(tmp_path, "rish-wind", "0.2", "[rish.plugins]\nwind = rish_wind\n")
    package(tmp_path, "storm", "1", "[rish.plugins]\nwind = storm\n")
    assert [c.distribution for c in installed_plugins([str(tmp_path)])] == ["rish-wind", "storm"]


def test_packages_that_come_and_go_are_noticed(tmp_path: Path) -> None:
    """A package that is installed or removed while the program runs is found, or no longer found, at once."""
    package(tmp_path, "rish-wind", "0.2", "[rish.plugins]\nwind = rish_wind\n")
    assert [found.name for found in installed_plugins([str(tmp_path)])] == ["wind"]
    package(tmp_path, "rain", "1", "[rish.plugins]\nrain = rain\n")
    os.utime(tmp_path, ns=(1, 1))  # clocks of file systems are too coarse for what a test does
    assert [found.name for found in installed_plugins([str(tmp_path)])] == ["rain", "wind"]
    shutil.rmtree(tmp_path / "rain-1.dist-info")
    assert [found.name for found in installed_plugins([str(tmp_path)])] == ["wind"]


def test_a_broken_package_hides_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A package without metadata is logged and left out."""
    package(tmp_path, "broken", "1", "[rish.plugins]\nx = y\n", metadata=False)
    package(tmp_path, "rish-wind", "0.2", "[rish.plugins]\nwind = rish_wind\n")
    with caplog.at_level(logging.WARNING):
        names = [candidate.name for candidate in installed_plugins([str(tmp_path)])]
    assert "wind" in names


def test_only_the_head_of_the_metadata_names_the_package(tmp_path: Path) -> None:
    """Only the header of the metadata is read; names may have dots, and lines may end in CRLF."""
    text = "Metadata-Version: 2.1\nName: rish.wind\nVersion: 1.0.post1+local \nSummary: x\n\nName: y\nVersion: 7\n"
    for folder, ends in ((tmp_path / "unix", "\n"), (tmp_path / "dos", "\r\n")):
        package(folder, "rish.wind", "1.0.post1+local", "[rish.plugins]\nwind = rish_wind\n", metadata=False)
        (info,) = folder.iterdir()
        (info / "METADATA").write_bytes(text.replace("\n", ends).encode())
        (found,) = installed_plugins([str(folder)])
        assert (found.distribution, found.version) == ("rish.wind", "1.0.post1+local")


def test_a_candidate_loads_a_module_or_a_thing_in_it() -> None:
    """`package.module` loads the module, `package.module:thing` the object in it."""
    assert Candidate("x", "d", "1", "json").load().__name__ == "json"
    assert Candidate("x", "d", "1", "json:decoder.JSONDecoder").load().__name__ == "JSONDecoder"


@pytest.mark.parametrize(
    ("source", "value", "summary"),
    [
        ('"""`rish blow`: move the air."""', "tools_x.blow", "move the air"),
        ('"""`rish blow [GAME]`: move: the air.\n\nMore."""', "tools_x.blow", "move: the air"),
        ('"""Note: moves the air."""\nraise SystemExit', "tools_x.blow", "Note: moves the air"),
        ("x = 1", "tools_x.blow", ""),
        ("def (", "tools_x.blow", ""),
        ("\0", "tools_x.blow", ""),
        ('"""Moves the air."""', "tools_x.blow:main", ""),
        ('"""Moves the air."""', "tools_x.missing", ""),
        ('"""Moves the air."""', "tools_x.blow.inner", ""),
        ('"""Moves the air."""', "", ""),
    ],
)
def test_a_summary_is_read_without_an_import(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, value: str, summary: str
) -> None:
    """The summary is the docstring's first line; neither the module nor its package is executed, or fails the list."""
    (tmp_path / "tools_x").mkdir()
    (tmp_path / "tools_x" / "__init__.py").write_text("raise RuntimeError", encoding="utf-8")
    (tmp_path / "tools_x" / "blow.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert Candidate("blow", "rish-tools", "1", value).summary() == summary


def test_the_contracts_of_a_plugin_are_listed(tmp_path: Path) -> None:
    """A plugin that is listed in the group of a contract provides it."""
    points = "[rish.plugins]\nexact = rish_exact\nother = rish_other\n"
    package(tmp_path, "rish-exact", "1", points + "[rish.contracts.solver]\nexact = rish_exact\n")
    assert {one.name: one.contracts for one in installed_plugins([str(tmp_path)])} == {
        "exact": ("solver",),
        "other": (),
    }
