"""A game with files of many formats that name each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from renamed_files import declared, write_game
from rish_authoring import AssetFiles, Formats, History, Project, Tree
from rish_core import App, read_manifest


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of the game."""
    return write_game(tmp_path)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The game in a folder of its own, for its plugins."""
    with App(read_manifest(write_game(tmp_path_factory.mktemp("plugins"))), headless=True, warm_up=False) as app:
        yield app


@pytest.fixture
def project(root: Path) -> Iterator[Project]:
    """The game as a project."""
    with App(read_manifest(root), headless=True, warm_up=False) as app:
        yield Project(app)


@pytest.fixture
def history(project: Project) -> History:
    """The history of the project."""
    made = History(project.app.world)
    project.follow(made)
    return made


@pytest.fixture
def files(project: Project) -> AssetFiles:
    """The files of the project."""
    return AssetFiles(project, declared(project.app))


@pytest.fixture
def tree(app: App, root: Path) -> Tree:
    """The files on the disk."""
    return Tree(root, Formats(app.registry, declared(app)), frozenset({"game.yaml", "parts/more.yaml"}))
