"""A plugin is added to a game, or the game's files are as they were before."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from rish_ecs import UsageError
from rish_packs.plugins import adding, sources
from rish_packs.plugins.adding import add_to_game, install
from rish_packs.plugins.installer import Change, Installer, Tell
from rish_packs.plugins.sources import find_source
from small_packs import tree
from small_wheels import write_wheel

MANIFEST = """\
rish: 1
# what the game uses
plugins: [basics, "audio?"]  # more may follow
scenes:
  main: []   # nothing yet
"""


class Unpacking(Installer):
    """Unpacks wheels into a folder of the search path. changes: what it says besides that it would change."""

    def __init__(self, site: Path, changes: Sequence[Change] = ()) -> None:
        super().__init__("pip", ["none"])
        self.site, self.changes = site, changes

    def plan(self, wish: Sequence[str], tell: Tell) -> list[Change]:
        """Return the wished changes."""
        return [*self.changes]

    def install(self, wish: Sequence[str], tell: Tell) -> None:
        """Unpack the wheel."""
        with zipfile.ZipFile(wish[-1]) as archive:
            archive.extractall(self.site)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Create a folder on the search path, also of new processes."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return folder


@pytest.fixture
def dots(tmp_path: Path) -> Path:
    """Create the folder of a game."""
    folder = tmp_path / "dots"
    folder.mkdir()
    (folder / "game.yaml").write_text(MANIFEST)
    return folder


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Replace the trial of the game in a new process; return the manifests that were tried."""
    tried: list[Path] = []
    monkeypatch.setattr(adding, "lock", lambda manifest, tell, options=(): tried.append(manifest))
    return tried


def silent(line: str) -> None:
    """Ignore a line of progress."""


@pytest.mark.slow
def test_a_wheel_is_installed_added_and_locked(tmp_path: Path, site: Path, dots: Path) -> None:
    """The wheel is installed, its plugin is written before optional ones, comments stay, the versions are locked."""
    added = add_to_game(dots, str(write_wheel(tmp_path, "gusty")), Unpacking(site), silent)
    assert (added.plugin, added.packages) == ("gust", {"gusty": "0.3"})
    assert (dots / "game.yaml").read_text() == MANIFEST.replace('basics, "audio?"', 'basics, gust, "audio?"')
    assert 'gusty: "0.3"' in (dots / "game.lock").read_text()


def test_a_plugin_that_fails_is_taken_out_again(
    tmp_path: Path, site: Path, dots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the game does not run with the plugin, its files are restored, and the installed package is named."""

    def fail(*arguments: Any) -> None:
        raise UsageError("the game does not run so")

    before = tree(dots)
    monkeypatch.setattr(adding, "lock", fail)
    with pytest.raises(UsageError, match=r"does not run.*still there: gusty 0\.3"):
        add_to_game(dots, str(write_wheel(tmp_path, "gusty")), Unpacking(site), silent)
    assert tree(dots) == before


def test_an_optional_plugin_is_marked(tmp_path: Path, site: Path, dots: Path, trial: list[Path]) -> None:
    """With `optional` the plugin is written with a question mark, at the end."""
    add_to_game(dots, str(write_wheel(tmp_path, "gusty")), Unpacking(site), silent, optional=True)
    assert '[basics, "audio?", "gust?"]' in (dots / "game.yaml").read_text()
    assert trial == [dots / "game.yaml"]


def test_an_interrupt_restores_the_files(
    tmp_path: Path, site: Path, dots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C during the trial restores the manifest."""

    def interrupt(*arguments: Any) -> None:
        (dots / "game.lock").write_text("half")
        raise KeyboardInterrupt

    before = tree(dots)
    monkeypatch.setattr(adding, "lock", interrupt)
    with pytest.raises(KeyboardInterrupt):
        add_to_game(dots, str(write_wheel(tmp_path, "gusty")), Unpacking(site), silent)
    assert tree(dots) == before


def test_an_installed_plugin_is_only_added(dots: Path, trial: list[Path]) -> None:
    """A plugin that is installed needs no installer."""
    added = add_to_game(dots, "rules", Installer("none", ["none"]), silent)
    assert (added.plugin, added.packages) == ("rules", {})
    assert 'plugins: [basics, rules, "audio?"]' in (dots / "game.yaml").read_text()


def test_a_plugin_that_the_game_has_is_refused(dots: Path, trial: list[Path]) -> None:
    """A plugin that the manifest names is not added again."""
    with pytest.raises(UsageError, match="has the plugin 'basics' already"):
        add_to_game(dots, "basics", Installer("none", ["none"]), silent)


def test_other_packages_are_not_replaced(tmp_path: Path, site: Path) -> None:
    """If the installation would replace an installed package, nothing is installed."""
    wheel = write_wheel(tmp_path, "num-plugin", requires=["numpy<2"])
    with pytest.raises(UsageError, match=r"would replace numpy 2\.1 by 1\.26"):
        install(str(wheel), Unpacking(site, [Change("numpy", "2.1", "1.26")]), silent)
    assert os.listdir(site) == []


def test_packages_of_rish_are_not_taken_from_an_index(tmp_path: Path, site: Path) -> None:
    """If the installer would get a package of Rish from an index, nothing is installed."""
    wheel = write_wheel(tmp_path, "windy", requires=["something-else"])
    with pytest.raises(UsageError, match="needs rish-frame of Rish"):
        install(str(wheel), Unpacking(site, [Change("rish-frame", None, "7")]), silent)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"requires": ["rish-core>=9"]}, r"requires rish-core>=9, but \S+ is installed"),
        ({"requires": ["rish-nothing>=1", "rish-core"]}, None),
        ({"python": ">=3.99"}, "needs Python >=3.99"),
    ],
)
def test_what_does_not_fit_is_refused_before_it_is_installed(
    tmp_path: Path, more: dict[str, Any], why: str | None
) -> None:
    """The ranges of a wheel for Rish and Python are compared with what runs."""
    wheel = write_wheel(tmp_path, "gale", **more)
    if why is None:
        assert find_source(str(wheel)).words == (str(wheel),)
        return
    with pytest.raises(UsageError, match=why):
        find_source(str(wheel))


def test_a_wheel_whose_requirements_are_met_needs_no_index(tmp_path: Path) -> None:
    """Nothing is looked up for a wheel if all that it requires is installed."""
    wheel = write_wheel(tmp_path, "gusty", requires=["rish-core>=0.1", "numpy", "cow; extra == 'x'"])
    assert find_source(str(wheel)).words == ("--no-deps", str(wheel))


def test_a_folder_is_read_from_its_pyproject(tmp_path: Path) -> None:
    """A folder with a pyproject.toml is installed; another one is refused."""
    folder = tmp_path / "gusty"
    folder.mkdir()
    with pytest.raises(UsageError, match="no folder of a package"):
        find_source(str(folder))
    (folder / "pyproject.toml").write_text("[project]\nname = 'gusty'\ndependencies = ['rish-core']\n")
    assert find_source(str(folder)).package == "gusty"
    (folder / "pyproject.toml").write_text("[project]\nnames = 'gusty'\n")
    with pytest.raises(UsageError, match="names no project"):
        find_source(str(folder))


def test_names_of_this_project_come_from_the_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plugin of Rish that is not installed comes from the clone; without one the message says how to get it."""
    monkeypatch.setattr(sources, "installed_plugins", list)
    monkeypatch.setattr(sources, "installed", dict)
    source = find_source("teach")
    assert source.package == "rish-teach"
    assert source.words[0] == "-e"
    monkeypatch.setattr(sources, "clone_folder", lambda package: None)
    with pytest.raises(UsageError, match="rish-teach is on no index"):
        find_source("teach")


@pytest.mark.parametrize(
    "wish", ["--index-url=https://x.org", "git+https://x.org/y", "https://x.org/y", "a b", "x.whl"]
)
def test_other_words_are_refused(wish: str) -> None:
    """Options, addresses, and files that are no wheels do not reach the installer."""
    with pytest.raises(UsageError):
        find_source(wish)


def test_a_package_without_plugins_is_named(tmp_path: Path, site: Path) -> None:
    """A package that offers no plugin, or several, is refused, and named as installed."""
    with pytest.raises(UsageError, match=r"bare has no plugin of Rish.*still there: bare 0\.3"):
        install(str(write_wheel(tmp_path, "bare", plugins=())), Unpacking(site), silent)
    with pytest.raises(UsageError, match=r"two has several plugins.*Name one of them: one, other"):
        install(str(write_wheel(tmp_path, "two", plugins=("one", "other"))), Unpacking(site), silent)
    assert metadata.version("two") == "0.3"
    assert install("other", Unpacking(site), silent).plugin == "other"
