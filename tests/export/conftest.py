"""Folders of the player and caches that no test shares with this machine, and a site with packages of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

import pytest

Site = Callable[..., Distribution]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the player's files, which is empty."""
    monkeypatch.setenv("RISH_USER_FOLDER", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "home"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Return `install(name, files, requires=())`, which writes a distribution into a folder of the search path."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def write(name: str, files: Mapping[str, str], requires: tuple[str, ...] = (), more: str = "") -> Distribution:
        info = f"{name.replace('-', '_')}-1.0.dist-info"
        head = f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{more}"
        metadata = head + "".join(f"Requires-Dist: {each}\n" for each in requires)
        everything = {**files, f"{info}/METADATA": metadata}
        for path, text in {**everything, f"{info}/RECORD": "".join(f"{each},,\n" for each in everything)}.items():
            file = site / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return PathDistribution(site / info)

    return write


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """Return the folder of a small game without plugins."""
    folder = tmp_path / "pond"
    folder.mkdir()
    (folder / "game.yaml").write_text("rish: 1\ngame: {title: The Pond}\nscenes: {main: []}\n", encoding="utf-8")
    return folder
