"""Shared parts of the installation tests: wheels of all members, fresh environments, and a game that draws nothing."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
OURS = ("PYTHON", "RISH_", "UV_COMPILE_BYTECODE", "VIRTUAL_ENV")
QUIET = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
"""The environment without the variables of Python and Rish, as for a new user, except for `kernels`."""

COMMANDS = """
import io, json, sys
from contextlib import redirect_stdout
from rish_core.launcher import main

outputs = []
for arguments in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as said:
        code = main(arguments)
    if code:
        sys.exit(f"rish {arguments} answers {code}: {said.getvalue()}")
    outputs.append(said.getvalue())
print(json.dumps(outputs))
"""


class Environment:
    """A fresh virtual environment with some packages in it. variables: those of the programs that it runs."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.variables = folder, dict(QUIET)
        self.programs = folder / ("Scripts" if sys.platform == "win32" else "bin")
        if shutil.which("uv"):
            call("uv", "venv", "-q", "--python", sys.executable, str(folder))
        else:
            call(sys.executable, "-m", "venv", str(folder))

    def install(self, *packages: Path | str) -> None:
        """Install packages in one command, so that no member is looked up in an index."""
        names = [str(package) for package in packages]
        if shutil.which("uv"):
            call("uv", "pip", "install", "-q", "--python", str(self.programs / "python"), *names)
        else:
            self.run("python", "-m", "pip", "install", "-q", *names)
        self._copy_bytecode()

    def _copy_bytecode(self) -> None:
        """Copy the bytecode that this Python has of the same files, because compiling numba's takes seconds.

        Python compiles a file again if its size or its time is another than that of the bytecode.
        """
        here = Path(sysconfig.get_path("purelib"))
        there = self.folder / here.relative_to(sys.prefix)
        for package in there.iterdir():
            for compiled in (here / package.name).rglob("__pycache__"):
                copy = there / compiled.relative_to(here)
                if copy.parent.is_dir() and not copy.exists():
                    shutil.copytree(compiled, copy)

    def install_ours(self, wheels: Mapping[str, Path], *wishes: str) -> None:
        """Install members, which may have extras, from their wheels; an index has only their other dependencies."""
        every = needed(*wishes)
        self.install(*(wish for wish in every if name_of(wish) not in wheels))
        folders = {str(wheels[name_of(wish)].parent) for wish in every if name_of(wish) in wheels}
        self.install("--no-index", *(part for folder in folders for part in ("--find-links", folder)), *wishes)

    def run(self, program: str, *arguments: str, cwd: Path | None = None) -> str:
        """Run a program of the environment; return its output, and fail if it fails."""
        return call(str(self.programs / program), *arguments, cwd=cwd or self.folder, env=self.variables)

    def rish(self, *commands: tuple[str, ...]) -> list[str]:
        """Run commands `rish ...` in one process; return their outputs, and fail if one fails."""
        outputs: list[str] = json.loads(self.run("python", "-c", COMMANDS, json.dumps(commands)).splitlines()[-1])
        return outputs


def call(*command: str, cwd: Path | None = None, env: Mapping[str, str] = QUIET) -> str:
    """Run a command; fail with its output unless its exit code is 0."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=env, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"
    return done.stdout


def project(folder: Path) -> dict[str, Any]:
    """Return the content of a member's pyproject.toml."""
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


def members() -> dict[str, Path]:
    """Return the workspace's members by the names of their distributions, without the root."""
    folders = [ROOT / "rish_core", *sorted(path.parent for path in ROOT.glob("[klp]*s/*/pyproject.toml"))]
    return {project(folder)["project"]["name"]: folder for folder in folders}


def name_of(wish: str) -> str:
    """Return the distribution that a requirement names."""
    return re.split(r"[^\w-]", wish)[0]


def needed(*wishes: str) -> set[str]:
    """Return requirements and what members among them require in turn, with the extras that are asked for."""
    folders, found, waiting = members(), set[str](), list(wishes)
    while waiting:
        wish = waiting.pop()
        if wish not in found and name_of(wish) in folders:
            said = project(folders[name_of(wish)])["project"]
            extras = re.findall(r"\w+", wish.partition("[")[2].partition("]")[0])
            optional = [need for extra in extras for need in said["optional-dependencies"][extra]]
            waiting += [*said["dependencies"], *optional]
        found.add(wish)
    return found


@pytest.fixture(scope="session", autouse=True)
def kernels(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let installed packages and copied games find the kernels of the workspace, and store others there.

    They are valid wherever the code is the same. First starts without any kernel are tested in
    `tests/history/test_games.py`.
    """
    if cache := os.environ.get("RISH_CACHE_DIR"):
        QUIET["RISH_CACHE_DIR"] = cache
        return
    folder = tmp_path_factory.mktemp("kernels")
    packages = [package for place in members().values() for package in (place / "src").glob("rish_*")]
    for package in [*packages, *(ROOT / "games").iterdir()]:
        compiled = package / "__pycache__" / "rish"
        compiled.mkdir(parents=True, exist_ok=True)
        (folder / package.name).symlink_to(compiled, target_is_directory=True)
    QUIET["RISH_CACHE_DIR"] = str(folder)


class Wheels(Mapping[str, Path]):
    """The wheel of each distribution, the root's as `rish`; each is built once, when it is first asked for.

    shared: a folder for the wheels of all processes of this run of tests.
    """

    def __init__(self, shared: Path) -> None:
        self._shared = shared
        self._builder: Environment | None = None
        self._folders = {"rish": ROOT, **members()}

    def __getitem__(self, name: str) -> Path:
        made = self._shared / name
        if not made.is_dir():
            self._shared.mkdir(exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self._shared) as out:
                self._build(self._folders[name], out)
                with contextlib.suppress(OSError):  # another process was faster
                    shutil.copytree(out, f"{out}.whole")
                    os.rename(f"{out}.whole", made)
        (found,) = made.glob("*.whl")
        return found

    def _build(self, member: Path, out: str) -> None:
        """Build a wheel; with uv in one environment for all, since a new one for each takes most of the time."""
        if not shutil.which("uv"):
            call(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=member)
            return
        if self._builder is None:
            self._builder = Environment(Path(tempfile.mkdtemp(dir=self._shared)) / "builder")
            self._builder.install(*project(member)["build-system"]["requires"])
        self._builder.run("python", "-m", "hatchling", "build", "-t", "wheel", "-d", out, cwd=member)

    def __contains__(self, name: object) -> bool:
        return name in self._folders

    def __iter__(self) -> Iterator[str]:
        return iter(self._folders)

    def __len__(self) -> int:
        return len(self._folders)


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """A wheel of each distribution."""
    base = tmp_path_factory.getbasetemp()
    return Wheels((base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "wheels")


@pytest.fixture(scope="session")
def core_only(wheels: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with only the kernel and its commands."""
    made = Environment(tmp_path_factory.mktemp("core") / "env")
    made.install_ours(wheels, "rish-core", "rish-cli")
    return made


@pytest.fixture(scope="session")
def with_tools(wheels: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the kernel and rish-devtools."""
    made = Environment(tmp_path_factory.mktemp("tools") / "env")
    made.install_ours(wheels, "rish-devtools")
    return made


@pytest.fixture(scope="session")
def with_pictures(wheels: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the kernel and rish-render."""
    made = Environment(tmp_path_factory.mktemp("render") / "env")
    made.install_ours(wheels, "rish-render[jit]", "rish-cli")
    return made


@pytest.fixture(scope="session")
def with_scripts(wheels: Mapping[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment with the packages that an author of a game installs."""
    made = Environment(tmp_path_factory.mktemp("scripts") / "env")
    made.install_ours(wheels, "rish-render[jit]", "rish-scripts", "rish-devtools", "rish-cli")
    made.install("pytest")
    return made


@pytest.fixture
def fresh(tmp_path: Path) -> Environment:
    """An environment without packages."""
    return Environment(tmp_path / "env")


@pytest.fixture
def orbit(tmp_path: Path) -> Path:
    """A game that draws nothing, with a compiled kernel of its own and random numbers."""
    return write(
        tmp_path / "orbit",
        {
            "game.yaml": """
                rish: 1
                game: {title: Orbit, seed: 4}
                prefabs:
                  moon: {Transform: {}, Moon: {}}
                scenes:
                  main:
                    - {prefab: moon, count: 50, at: {random: [-100, -100, 100, 100]}}
                """,
            "plugin.py": """
                import numpy as np
                from rish_core import Stage, Transform, Vec2, component, field, system
                from rish_jit import maths
                from rish_jit import njit


                @component
                class Moon:
                    velocity: Vec2 = field((0, 0), unit="units/s")


                @njit
                def pull(moons, places, velocity, position, dt):
                    step = np.float32(dt)
                    for i in range(len(moons)):
                        x, y = position[places[i], 0], position[places[i], 1]
                        turn = maths.atan2(y, x) + 0.1
                        velocity[moons[i], 0] -= (x + np.float32(maths.cos(turn))) * step
                        velocity[moons[i], 1] -= (y + np.float32(maths.sin(turn))) * step
                        position[places[i], 0] += velocity[moons[i], 0] * step
                        position[places[i], 1] += velocity[moons[i], 1] * step


                @system(Stage.STEP, writes=(Moon, Transform))
                def orbit(world, dt):
                    query = world.query(Moon, Transform)
                    pull(query.rows(Moon), query.rows(Transform), world[Moon].velocity, world[Transform].position, dt)
                    world[Moon].velocity[:] += world.random("dust").normal(0, 1, (len(query), 2))


                def rish_components():
                    return [Moon]


                def rish_systems():
                    return [orbit]
                """,
        },
    )


def write(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder; return the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def readme_block() -> Callable[[str], str]:
    """A function that returns the text of a file that the README shows."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    def block(name: str) -> str:
        _, found, rest = text.partition(f" file={name}\n")
        assert found, f"the README shows no {name}"
        return rest.partition("\n```")[0] + "\n"

    return block
