"""Makes a program of a game: plans, compiles kernels, collects files, builds, and puts the result in place."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import distribution
from pathlib import Path
from typing import NamedTuple

from rish_core import UsageError

from .building.freezing import Build, Frozen, freeze, python_modules
from .building.version_info import version_info
from .contents import GAMES, File, contents, libraries_of, with_bytecode, write_files
from .distributions import Wanted, needed
from .kernels import Kernels, can_load_kernels, compile_kernels
from .licenses import license_files, license_of, python_license
from .plan import Plan, imports_of, make_plan
from .program import ABOUT, About
from .report import report_lines, sizes_by_part
from .target import archive_name, archived, bytecode_cache, cache_folder, check_target, put, work_folder

_ICONS = (".ico", ".icns", ".png")


@dataclass(frozen=True)
class Wish:
    """What is exported, and how; see `rish export --help`. None: the default."""

    game: str
    to: Path | None = None
    name: str | None = None
    version: str = "1.0"
    icon: Path | None = None
    one_file: bool = False
    archive: bool = False


class Exported(NamedTuple):
    """The result. path: the program, or the archive. lines: a report for people."""

    path: Path
    lines: list[str]


def export(wish: Wish, tell: Callable[[str], object]) -> Exported:
    """Make a program of a game. tell: called with the name of each step.

    Nothing is written to the target if this fails. Raises RishError with the reason, ManifestError with all mistakes of
    the game, and OSError for what can't be read or written.
    """
    if wish.one_file and wish.archive:
        raise UsageError("--one-file and --archive don't go together")
    tell("the game")
    plan = make_plan(wish.game, wish.name, wish.version)
    icon = _icon(wish, plan)
    folder = (wish.to or Path("dist") / plan.name).absolute()
    target = folder / plan.name if wish.one_file else folder / archive_name(plan.name) if wish.archive else folder
    check_target(target, plan.folder)
    with work_folder(target) as work:
        kernels = _kernels(plan, work, tell)
        if kernels.numba_only:
            plan = _with_numba(plan)
        tell("the files of the program")
        site = work / "site"
        sources = [*contents(plan), *_program_modules()]
        files = [*with_bytecode(sources, bytecode_cache(), libraries_of(plan.distributions))]
        modules = python_modules(files)
        parts = write_files([*files, *_more_files(plan, kernels, icon)], site)
        tell("the program")
        build = Build(
            plan.name, site, modules, plan.python_modules,
            console=not plan.windowed, one_file=wish.one_file, icon=icon,
            version_info=version_info(plan),
        )  # fmt: skip
        frozen = freeze(build, work, cache_folder() / "pyinstaller")
        tell("putting it in place")
        put(archived(frozen.path, plan.name, work) if wish.archive else frozen.path, target, work)
    return Exported(target if wish.archive else folder / plan.name, [*_report(plan, kernels, frozen, parts)])


def _icon(wish: Wish, plan: Plan) -> Path | None:
    candidates = [wish.icon] if wish.icon else [plan.folder / f"icon{suffix}" for suffix in _ICONS]
    icon = next((path for path in candidates if path.is_file()), None)
    if wish.icon and (icon is None or icon.suffix.lower() not in _ICONS):
        raise UsageError(f"{wish.icon} is no icon", hint=f"Use a file that ends in {', '.join(_ICONS)}")
    return icon


def _kernels(plan: Plan, work: Path, tell: Callable[[str], object]) -> Kernels:
    """Return the compiled kernels; where none can be loaded, all of them need numba."""
    if not can_load_kernels():
        return Kernels(numba_only=["all kernels, because compiled ones can be loaded on Linux with x86-64 only"])
    return compile_kernels(plan.folder, work / "kernels", cache_folder() / "kernels", tell)


def _with_numba(plan: Plan) -> Plan:
    """Return a plan with numba. Raises RishError if it is not installed."""
    more = needed([Wanted("numba")], {})
    modules = plan.python_modules.union(imports_of(("numba", "llvmlite"))) & sys.stdlib_module_names
    return replace(plan, distributions=dict(sorted((plan.distributions | more).items())), python_modules=modules)


def _program_modules() -> Iterator[File]:
    """Yield the modules of this package that run inside of a program."""
    home = Path(__file__).parent
    for path in (home / "__init__.py", *sorted((home / "program").rglob("*"))):
        if path.is_file() and "__pycache__" not in path.parts:
            yield File(f"{home.name}/{path.relative_to(home).as_posix()}", path, "rish-export")


def _more_files(plan: Plan, kernels: Kernels, icon: Path | None) -> Iterator[File]:
    """Yield the files of the program that are neither Python nor of packages and the game."""
    yield from kernels.files
    if icon is not None:
        yield File(f"icon{icon.suffix}", icon, "the game")
    about = About(
        plan.name, plan.title, plan.version, f"{GAMES}/{plan.folder.name}", plan.windowed, plan.plugins,
        list(plan.others), plan.others_are_optional, plan.identity,
    )  # fmt: skip
    yield File(ABOUT, about.to_bytes(), "the game")
    compiled = [] if kernels.numba_only or not kernels.files else [distribution("numba")]
    packages = [*plan.distributions.values(), *compiled, distribution("pyinstaller")]
    licensed = [python_license(), *map(license_of, packages)]
    title = f"{plan.title} {plan.version} contains these parts, beside the game itself"
    yield from (File(name, content, "licenses") for name, content in license_files(licensed, title))


def _report(plan: Plan, kernels: Kernels, frozen: Frozen, parts: dict[str, str]) -> Iterator[str]:
    plugins = ", ".join(plan.plugins) or "none"
    yield f"{plan.title} {plan.version}: plugins {plugins}"
    counts = ", ".join(f"{count} for {level}" for level, count in kernels.counts.items())
    if counts:
        yield f"  compiled kernels: {counts}"
    if kernels.numba_only:
        yield f"  numba is inside, because it has to run {', '.join(kernels.numba_only)}"
    yield from report_lines(sizes_by_part(frozen.sizes, parts))
    if frozen.size is not None:
        yield f"  {'the file':18}{frozen.size / 1e6:7.1f} MB"
