"""The workspace names each of its members wherever it must, and no file at its root hides a package."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rish_core.plugin.solving.packages import COMMANDS, package_of
from rish_jit.errors.packages import PARTS

ROOT = Path(__file__).parents[2]
PLAIN = {"rish-cli", "rish-core", "rish-ecs", "rish-jit", "rish-system"}
"""The packages that every part needs, so they are not extras."""
VERSIONS = ">=0.1,<0.2"
"""The versions of each other that members accept."""


def project(folder: Path) -> dict[str, Any]:
    """Return the content of a pyproject.toml."""
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


FOLDERS = [ROOT / "rish_core", *sorted(path.parent for path in ROOT.glob("[klp]*s/*/pyproject.toml"))]
MEMBERS = {project(folder)["project"]["name"]: folder for folder in FOLDERS}
WHOLE = project(ROOT)


def needs(texts: list[str]) -> set[str]:
    """Return the names of requirements."""
    return {re.split(r"[^\w-]", text)[0] for text in texts}


def test_numba_comes_with_one_extra_alone() -> None:
    """No package depends on numba; each that has kernels, and the root, bring it with the extra `jit`."""
    everything = {"rish": WHOLE, **{name: project(folder) for name, folder in MEMBERS.items()}}
    for name, said in everything.items():
        extras = dict(said["project"].get("optional-dependencies", {}))
        jit = extras.pop("jit", [])
        texts = [*said["project"].get("dependencies", []), *(text for extra in extras.values() for text in extra)]
        assert not [text for text in texts if "numba" in text or "[jit]" in text]
        wanted = [] if name == "rish-jit" or not has_kernels(name) else [f"rish-jit[jit]{VERSIONS}"]
        assert [text for text in jit if "numba" not in text] == wanted, name
    assert needs(everything["rish-jit"]["project"]["optional-dependencies"]["jit"]) == {"numba"}
    assert "rish[all,jit]" in WHOLE["dependency-groups"]["dev"]


def has_kernels(name: str) -> bool:
    """Whether a member defines kernels; the root stands for all."""
    sources = () if name == "rish" else (MEMBERS[name] / "src").rglob("*.py")
    return name == "rish" or any("\n@njit" in path.read_text(encoding="utf-8") for path in sources)


@pytest.mark.parametrize("name", MEMBERS)
def test_the_root_knows_every_member(name: str) -> None:
    """The root has each member as a source of the workspace, and as an extra included in `all`."""
    assert WHOLE["tool"]["uv"]["sources"][name] == {"workspace": True}
    extras = WHOLE["project"]["optional-dependencies"]
    if name in PLAIN:
        assert name in needs(WHOLE["project"]["dependencies"])
    else:
        short = name.removeprefix("rish-")
        assert needs(extras[short]) == {name}
        assert short in re.findall(r"[\w-]+", extras["all"][0].partition("[")[2])


def test_the_lists_for_people_without_uv_are_up_to_date() -> None:
    """The lists of requirements are exactly those that their script makes now."""
    spec = importlib.util.spec_from_file_location("make_requirements", ROOT / "requirements" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    stale = script.stale(script.lists())
    assert not stale, f"run: python requirements/make.py (out of date: {', '.join(stale)})"


def test_a_list_for_people_without_uv_brings_numba_to_parts_with_kernels() -> None:
    """Kernels of folders are compiled on the machine, so the lists of parts with kernels, and of all, have numba."""
    for path in ("requirements/physics.txt", "requirements/ui.txt", "requirements-dev.txt"):
        assert "./libs/rish_jit[jit]\n" in (ROOT / path).read_text(encoding="utf-8")
    for path in ("requirements/jit.txt", "requirements/core.txt", "requirements/basics.txt"):
        assert "./libs/rish_jit\n" in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MEMBERS)
def test_a_list_for_people_without_uv_looks_up_no_package_of_ours(name: str) -> None:
    """The list of a part has the folder of each package of ours that a package in it needs, and has it earlier."""
    lists = [ROOT / "requirements" / f"{name.removeprefix('rish-')}.txt", ROOT / "requirements-dev.txt"]
    for path in lists:
        lines = path.read_text(encoding="utf-8").splitlines()
        folders = [line.removeprefix("-e ").removesuffix("[jit]") for line in lines]
        here = folders.index(f"./{MEMBERS[name].relative_to(ROOT).as_posix()}")
        needed = needs(project(MEMBERS[name])["project"].get("dependencies", [])) & set(MEMBERS)
        assert {f"./{MEMBERS[need].relative_to(ROOT).as_posix()}" for need in needed} <= set(folders[:here])


def test_the_kernel_names_the_package_of_each_plugin_and_command() -> None:
    """The message about a plugin or command that is not installed names the member that has it, and all are known."""
    plugins: dict[str, str] = {}
    commands: dict[str, str] = {}
    for name, folder in MEMBERS.items():
        points = project(folder)["project"].get("entry-points", {})
        plugins |= dict.fromkeys(points.get("rish.plugins", ()), name)
        commands |= dict.fromkeys(points.get("rish.commands", ()), name)
    assert {plugin: package_of(plugin) for plugin in plugins} == plugins
    assert [f"rish-{part}" for part in PARTS] == sorted(MEMBERS)
    assert commands == COMMANDS


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("uv"), reason="uv is not there")
def test_a_part_is_installed_from_a_clone_with_one_line(tmp_path: Path) -> None:
    """uv finds a part's siblings in the workspace, and looks none of them up in an index."""
    python = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    for command in (
        ["venv", str(tmp_path / "env")],
        ["pip", "install", "--python", str(python), "./plugins/rish_basics"],
    ):
        subprocess.run(["uv", *command, "-q"], cwd=ROOT, check=True, capture_output=True)
    code = "import rish_basics, rish_core, rish_ecs"
    subprocess.run([str(python), "-c", code], cwd=tmp_path, check=True, capture_output=True)


GROUPS = {name: wishes for name, wishes in WHOLE["dependency-groups"].items() if name != "bench"}
"""The dependency groups that are not for measuring, with their requirements."""


def test_playing_and_testing_need_no_tools_of_developers() -> None:
    """The group that every `uv run` installs has the parts of Rish and what `uv run pytest` needs, and no more."""
    theirs = {wish for wish in GROUPS["dev"] if not wish.startswith("rish")}
    assert needs(sorted(theirs)) == {"hypothesis", "pytest", "pytest-xdist"}


def test_the_continuous_integration_installs_every_group() -> None:
    """`.ci/run` names each group, and its tests may not be skipped for want of one."""
    text = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert set(re.findall(r"--group (\w+)", text)) == GROUPS.keys() - {"dev"}
    assert "RISH_REQUIRE_TOOLS=1 uv run pytest" in text


@pytest.mark.parametrize("name", MEMBERS)
def test_a_member_finds_its_siblings_in_the_workspace(name: str) -> None:
    """The members that a member or one of its extras needs have a source."""
    said = project(MEMBERS[name])
    extras = said["project"].get("optional-dependencies", {}).values()
    ours = needs([*said["project"].get("dependencies", []), *(need for extra in extras for need in extra)]) & set(
        MEMBERS
    )
    assert set(said.get("tool", {}).get("uv", {}).get("sources", {})) == ours


@pytest.mark.parametrize("name", MEMBERS)
def test_a_member_has_what_a_package_needs(name: str) -> None:
    """A member has a README, its sources under src/, and the marker py.typed."""
    folder, package = MEMBERS[name], MEMBERS[name] / "src" / name.replace("-", "_")
    assert len((folder / "README.md").read_text(encoding="utf-8").splitlines()) > 5
    assert (package / "__init__.py").is_file()
    assert (package / "py.typed").is_file()


@pytest.mark.parametrize("folder", [ROOT, ROOT / "plugins"], ids=lambda folder: folder.name)
def test_the_folder_at_the_root_does_not_hide_a_package(folder: Path) -> None:
    """From the repository's root the real packages are imported, not namespace packages of the folders' names."""
    homes = {name.replace("-", "_"): MEMBERS[name] / "src" / name.replace("-", "_") for name in MEMBERS}
    code = f"import importlib\nfor name in {[*homes]}: print(importlib.import_module(name).__file__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert [Path(line).parent for line in done.stdout.split()] == [*homes.values()]


def test_the_lock_file_stays_out_of_the_repository() -> None:
    """The lock file is not in the repository, since it names the hosts of an index."""
    assert "uv.lock" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("no repository here")
    done = subprocess.run(["git", "ls-files", "uv.lock"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == ""
