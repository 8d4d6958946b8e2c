"""Requirements of installed packages that are not met are found as an installer would, without importing anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet

from rish_core import launcher
from rish_core.plugin.discovery import installed_package, installed_plugins
from rish_core.plugin.solving.requirements import unmet
from rish_ecs import how_to_update

Plant = Callable[..., None]


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Provide a function that installs a package with requirements and plugins, each an empty module by its name."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))

    def write(name: str, *requires: str, version: str = "1.0", plugins: tuple[str, ...] = (), code: str = "") -> None:
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        lines = [f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}"]
        lines += [f"Requires-Dist: {one}" for one in requires]
        (info / "METADATA").write_text("\n".join(lines) + "\n\nRequires-Dist: of-the-text\n", encoding="utf-8")
        module = f"planted_{name.replace('-', '_')}"
        (site / f"{module}.py").write_text(code, encoding="utf-8")
        points = "".join(f"{plugin} = {module}\n" for plugin in plugins)
        (info / "entry_points.txt").write_text(f"[rish.plugins]\n{points}", encoding="utf-8")

    return write


def game(folder: Path, plugins: str) -> str:
    """Write a game that names some plugins; return its folder."""
    (folder / "game.yaml").write_text(f"rish: 1\nplugins: [{plugins}]\nscenes: {{main: []}}\n", encoding="utf-8")
    return str(folder)


@pytest.mark.parametrize(
    ("requires", "said"),
    [
        ("rish-core>=99", f"rish-core>=99, but rish-core 0.1.0 is installed. {how_to_update('rish-core', '>=99')}"),
        ("Rish_Core (>=99)", "but Rish_Core 0.1.0 is installed"),
        ("no-such-library>=2", "which is not installed. Run: pip install 'no-such-library>=2'"),
        ("rish-no-such", "which is not installed. Install rish-no-such as its documentation says"),
        ("numpy<1", "numpy<1, but numpy "),
        ("no-such-library @ https://example.org/x.whl", "which is not installed"),
        ("no-such-library; python_version >= '3'", "which is not installed"),
        ("planted-parts[fast]", "planted-nowhere, which is not installed"),
    ],
)
def test_what_is_not_met_is_told_with_the_next_step(plant: Plant, requires: str, said: str) -> None:
    """A missing package, another version, and a missing requirement of an extra that is asked for are reported."""
    plant("planted-parts", "planted-nowhere; extra == 'fast'")
    told = unmet("rish-storm 1.0", ["rish-core>=0.1", requires])
    assert told.startswith("rish-storm 1.0 requires ")
    assert said in told


@pytest.mark.parametrize(
    "requires",
    [
        "rish-core",
        "rish-core>=0.1,<0.2",
        "RISH.core[jit]~=0.1",
        "no-such-library; python_version < '3'",
        "no-such-library; sys_platform == 'amiga'",
        "no-such-library; extra == 'fast'",
        "planted-parts",
        "planted-parts[fast]",
        "not a requirement",
    ],
)
def test_what_is_met_or_does_not_count_is_not_told(plant: Plant, requires: str) -> None:
    """Markers for other machines and unwanted extras don't count; extras may name one another in a circle."""
    plant("planted-parts", "planted-parts[slow]; extra == 'fast'", "planted-parts[fast]; extra == 'slow'")
    assert unmet("rish-storm 1.0", [requires]) == ""


@given(st.from_regex(r"[0-9]\.[0-9](\.dev1|rc1)?", fullmatch=True), st.sampled_from(["<", "<=", "==", "!=", ">=", ">"]))
def test_versions_are_compared_as_an_installer_does(version: str, sign: str) -> None:
    """The installed version fits exactly the ranges that contain it, pre-releases included."""
    there = installed_package("numpy")
    assert there is not None
    fits = SpecifierSet(f"{sign}{version}").contains(there.version, prereleases=True)
    assert (unmet("x 1", [f"numpy{sign}{version}"]) == "") == fits


def test_all_installed_plugins_have_what_they_require() -> None:
    """The plugins that are installed here are met, or this test would not run."""
    assert {one.name: unmet(one.distribution, one.requires) for one in installed_plugins()} == dict.fromkeys(
        [one.name for one in installed_plugins()], ""
    )


def test_a_game_names_the_plugin_the_requirement_and_the_place(
    plant: Plant, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`rish check` and `rish run` end with 2; the plugin is not imported, so it can't fail before."""
    plant("rish-storm", "rish-core>=99", plugins=("storm",), code="raise RuntimeError('imported')")
    folder = game(tmp_path, "storm")
    for command in (["check", folder], ["run", folder, "--headless", "--frames", "1"]):
        assert launcher.main(command) == 2
        said = capsys.readouterr().err
        assert "game.yaml:2:11: plugins: plugin 'storm' 1.0 can't be loaded: rish-storm 1.0 requires rish-c" in said
        assert "imported" not in said


def test_an_optional_plugin_is_left_out_with_the_reason(
    plant: Plant, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A plugin named with `?` is absent, and so is one that requires it; the game is fine."""
    plant("rish-storm", "no-such-library", plugins=("storm",))
    code = "from rish_core import About\ndef rish_about(): return About(requires=['storm'])"
    plant("rish-gale", plugins=("gale",), code=code)
    assert launcher.main(["check", game(tmp_path, "'storm?', 'gale?'")]) == 0
    said = capsys.readouterr().out
    assert "fine (1 scene, 1 plugin, " in said
    assert "without 'storm'" in said
    assert "without 'gale'" in said
    assert launcher.main(["check", game(tmp_path, "gale")]) == 2
    assert "plugin 'storm' 1.0 can't be loaded: rish-storm 1.0 requires no-such-library" in capsys.readouterr().err
