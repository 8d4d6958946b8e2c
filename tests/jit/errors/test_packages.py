"""Messages say how a package is really got: from the clone's folders, from wheels, or from where it came."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from rish_ecs import (
    how_to_get,
    how_to_get_module,
    how_to_update,
    is_ours,
    module_docstring,
    module_file,
    quoted,
)
from rish_jit import how_to_get_numba
from rish_jit.errors import packages
from rish_jit.errors.packages import PARTS, source_folder

NAMES = [f"rish-{part}" for part in PARTS]


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Provide a function that installs a package of a name, with the address that it came from."""
    monkeypatch.syspath_prepend(str(tmp_path))
    packages.clone_folder.cache_clear()
    monkeypatch.setattr(packages, "clone_folder", packages.clone_folder.__wrapped__)

    def write(name: str, url: str) -> None:
        info = tmp_path / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "direct_url.json").write_text(json.dumps({"url": url, "dir_info": {}}))

    return write


@pytest.fixture
def elsewhere(plant: Callable[[str, str], None]) -> None:
    """Let the packages of Rish come from wheels, as outside a clone."""
    plant("rish-ecs", "file:///nowhere/rish_ecs-0.1.0-py3-none-any.whl")


@pytest.mark.parametrize("name", NAMES)
def test_in_a_clone_a_part_is_installed_from_its_folder(name: str) -> None:
    """In a clone the message names the folder of the part, which exists, and no name for an index."""
    said = how_to_get(name, ">=0.1")
    start, _, folder = said.rpartition(" ")
    assert start == "Run: uv pip install -e"
    assert name in (Path(folder) / "pyproject.toml").read_text(encoding="utf-8")
    assert "git pull" in how_to_update(name, ">=9")
    assert name not in how_to_update(name, ">=9")


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("name", NAMES)
def test_outside_a_clone_a_part_is_installed_from_wheels_alone(name: str) -> None:
    """Elsewhere a part is never looked up in an index: its wheels are built in a clone, by a list that exists there."""
    for said in (how_to_get(name), how_to_update(name)):
        listed = said.partition("-r ")[2].partition(" ")[0]
        assert (Path(__file__).parents[3] / listed).is_file()
        assert f"pip install --no-index --find-links WHEELS {name}" in said


@pytest.mark.usefixtures("elsewhere")
def test_packages_of_others_are_named_for_an_index_only_if_they_are_libraries() -> None:
    """A library has a command; a package with a name like ours, or one that is installed, comes from where it came."""
    assert how_to_get("shapely", ">=2,<3") == "Run: pip install 'shapely>=2,<3'"
    assert how_to_get("Rish_Storm", ">=2") == "Install Rish_Storm>=2 as its documentation says"
    assert how_to_update("rish-storm") == "Install rish-storm in another version as its documentation says"


def test_an_installed_package_is_updated_from_the_folder_that_it_came_from(
    plant: Callable[[str, str], None], tmp_path: Path
) -> None:
    """A package that was installed from a folder is updated there."""
    plant("storm", tmp_path.as_uri())
    assert source_folder("storm") == tmp_path
    assert how_to_update("storm", ">=2") == f"Install storm>=2 from its folder, {tmp_path}"


@pytest.mark.parametrize("name", ["rish_ecs", "Rish.Render", "rish--ui"])
def test_names_are_compared_as_installers_do(name: str) -> None:
    """Case, dashes, dots and underscores make no difference."""
    assert is_ours(name)
    assert not is_ours(f"{name}-x")


def test_a_module_says_nothing_about_the_name_of_its_package() -> None:
    """The name of a missing module is not taken for that of a package, except for our own."""
    assert how_to_get_module("cv2.gapi") == "Install the package that has the module 'cv2'"
    assert how_to_get_module("rish_render.kinds.text") == how_to_get("rish-render")


def test_modules_are_found_without_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file and the docstring of a module are read from its source; neither it nor its package is imported."""
    sys.modules.pop("wsgiref.simple_server", None)
    assert module_file("wsgiref.simple_server").endswith("simple_server.py")
    assert module_docstring("wsgiref.simple_server").startswith("BaseHTTPServer that implements")
    assert "wsgiref.simple_server" not in sys.modules
    (tmp_path / "bare").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert [module_file(name) for name in ("no.such.module", "bare", "bare.inner", "")] == ["", "", "", ""]


@pytest.mark.parametrize("word", ["rish-ecs", "plugins/rish_ui"])
def test_only_what_a_shell_would_interpret_is_quoted(word: str) -> None:
    """A plain word stays as it is; spaces and comparisons are put into quotes."""
    assert quoted(word) == word
    assert quoted(f"{word}>=1") == f"'{word}>=1'"
    assert quoted(f"my {word}") == f"'my {word}'"


def test_numba_is_got_in_the_versions_that_are_allowed() -> None:
    """The sentence names numba itself, which is on an index, in the range of the extra `jit`."""
    project = tomllib.loads(
        (Path(__file__).parents[3] / "libs" / "rish_jit" / "pyproject.toml").read_text(encoding="utf-8")
    )["project"]
    (wish,) = map(Requirement, project["optional-dependencies"]["jit"])
    said = how_to_get_numba()
    start, _, command = said.partition("pip install ")
    assert start == "Run: "
    assert Requirement(command.strip("'")) == wish
