"""Wheels are unpacked where there is neither pip nor uv, as in a bundle without a network."""

from __future__ import annotations

import os
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

from rish_ecs import UsageError
from rish_packs.plugins import unpacker
from rish_packs.plugins.adding import install
from rish_packs.plugins.unpacker import Unpacker, packages_folder
from small_packs import tree
from small_wheels import write_wheel


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create the folder of packages, on the search path."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(unpacker, "packages_folder", lambda: folder)
    return folder


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """Create a folder with a plugin and what it requires, below a name with spaces and Chinese characters."""
    folder = tmp_path / "wheels of \u904a\u6232"
    folder.mkdir()
    write_wheel(folder, "gusty", requires=["breezy>=0.2", "numpy"])
    write_wheel(folder, "breezy", plugins=())
    return folder


def silent(line: str) -> None:
    """Ignore a line of progress."""


def test_a_plugin_is_found_in_a_folder_with_what_it_requires(wheels: Path, site: Path) -> None:
    """By its name a plugin and the packages that it lacks are unpacked, listed as installed, and removed again."""
    before = tree(wheels)
    added = install("gusty", Unpacker(wheels), silent)
    assert (added.plugin, added.packages) == ("gust", {"gusty": "0.3", "breezy": "0.3"})
    assert tree(wheels) == before
    files = {str(path) for path in metadata.distribution("gusty").files or ()}
    assert {"gusty.py", "gusty-0.3.dist-info/INSTALLER", "gusty-0.3.dist-info/METADATA"} <= files
    assert install("gusty", Unpacker(wheels), silent).packages == {}
    for name in ("gusty", "breezy"):
        Unpacker(None).uninstall(name, silent)
    assert os.listdir(site) == []


def test_what_a_folder_lacks_is_named_before_anything_is_installed(wheels: Path, site: Path) -> None:
    """A missing wheel, also one that another wheel requires, is named with the folder and how to get it."""
    next(wheels.glob("breezy*")).unlink()
    for wish, name in (("gusty", "breezy>=0.2"), ("calm", "calm"), ("gusty>1", "gusty>1")):
        with pytest.raises(UsageError, match=rf"no wheel of {name}.*pip download") as error:
            install(wish, Unpacker(wheels), silent)
        assert wheels.name in str(error.value.where)
    assert os.listdir(site) == []


def test_a_wheel_for_another_python_is_not_taken(wheels: Path, site: Path) -> None:
    """A newer wheel for another version of Python or another system is passed over."""
    path = write_wheel(wheels, "gusty")
    path.rename(wheels / "gusty-0.9-cp27-cp27m-win32.whl")
    with pytest.raises(UsageError, match="no wheel of gusty"):
        Unpacker(wheels).plan(["gusty"], silent)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../out.py", "out"),
        ("/out.py", "absolute"),
        ("gusty-0.3.data/scripts/run", "pip is needed"),
        ("aux.py", "aux"),
    ],
)
def test_a_wheel_with_other_files_is_refused(wheels: Path, site: Path, name: str, why: str) -> None:
    """Paths out of the folder, names of devices and scripts are refused, and nothing is left behind."""
    path = write_wheel(wheels, "gusty")
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, "x = 1")
    with pytest.raises(UsageError, match=why):
        install("gusty", Unpacker(wheels), silent)
    assert os.listdir(site) == []


def test_a_package_is_never_overwritten(wheels: Path, site: Path) -> None:
    """If a file of the wheel is there already, of whatever package, nothing is unpacked."""
    (site / "breezy.py").write_text("mine = 1\n")
    with pytest.raises(UsageError, match=r"breezy\.py is there already"):
        install(str(next(wheels.glob("breezy*"))), Unpacker(None), silent)
    assert os.listdir(site) == ["breezy.py"]


def test_a_folder_that_is_read_only_is_named(wheels: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """If the packages can't be written, the message has the folder and the next step."""
    monkeypatch.setattr(unpacker, "packages_folder", lambda: tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"can't be unpacked into \S*nowhere: .*Copy Rish"):
        install("breezy", Unpacker(wheels), silent)


def test_packages_of_others_are_not_removed() -> None:
    """Only what was unpacked in this way is uninstalled; packages lie where `packaging` is."""
    with pytest.raises(UsageError, match="numpy was not installed by Rish"):
        Unpacker(None).uninstall("numpy", silent)
    assert (packages_folder() / "packaging").is_dir()
