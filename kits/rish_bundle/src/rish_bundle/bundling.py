"""Makes a bundle: chooses, copies Python and packages, compiles kernels, writes the manual, tries all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from rish_core import RishError, UsageError
from rish_ecs import is_ours
from rish_export import (
    File,
    archive_name,
    archived,
    bytecode_cache,
    can_load_kernels,
    libraries_of,
    library_licenses,
    license_files,
    license_of,
    package_files,
    put,
    python_license,
    report_lines,
    sizes_by_part,
    with_bytecode,
    work_folder,
    write_files,
)
from rish_system import unportable

from .interpreter import FOLDER, PROGRAM, SITE, Interpreter, copy_interpreter
from .kernels import compile_images, runtime
from .manual.pages import write_manual
from .selection import Selection, select
from .starting import start_files
from .trial import try_games

_SITE = f"{FOLDER}/{SITE}"
Tell = Callable[[str], object]


@dataclass(frozen=True)
class Wish:
    """What is bundled, and how; see `rish bundle --help`.

    games: folders; none: those in `games`. more: packages that are added. docs: the folder with the pages of the
    manual, None for no manual.
    """

    games: Sequence[Path] = ()
    to: Path | None = None
    more: Sequence[str] = ()
    docs: Path | None = None
    archive: bool = False


class Bundled(NamedTuple):
    """The result. path: the folder, or the archive. lines: a report for people."""

    path: Path
    lines: list[str]


def bundle(wish: Wish, tell: Tell) -> Bundled:
    """Make a bundle. tell: called with the name of each step.

    Nothing is written to the target if this fails. Raises RishError with the reason, ManifestError with all mistakes of
    a game, and OSError for what can't be read or written.
    """
    folder = (wish.to or Path("dist") / "rish").absolute()
    target = folder.with_name(archive_name(folder.name)) if wish.archive else folder
    _check_target(target)
    tell("the games")
    compiled = can_load_kernels()
    selection = select(wish.games, [*wish.more, *([] if compiled else ["numba"])])
    with work_folder(target) as work:
        made, notes = work / "bundle", list[str]()
        made.mkdir()
        tell("Python")
        interpreter = copy_interpreter(work / "python", bytecode_cache())
        parts = write_files(interpreter.files, made)
        (made / FOLDER / PROGRAM).chmod(0o755)
        if compiled:
            images, notes = _kernels(selection, work / "kernels", tell)
            parts |= write_files(images, made)
        tell("packages and games")
        parts |= write_files(_files(selection, interpreter), made)
        if wish.docs is not None:
            tell("the manual")
            parts |= dict.fromkeys(write_manual(wish.docs, made), "the manual")
        notes += try_games(made, selection.plans, work / "trial", tell)
        lines = [*_report(made, parts, notes)]
        tell("putting it in place")
        put(archived(made, folder.name, work) if wish.archive else made, target, work)
    return Bundled(target, lines)


def _check_target(target: Path) -> None:
    """Raise UsageError if something is there. An earlier bundle is never replaced: it may hold the work of pupils."""
    if target.is_file() or (target.is_dir() and any(target.iterdir())):
        hint = "Choose a new or empty folder with --to; games and saved games in an earlier one are yours to move"
        raise UsageError(f"{target} is there already", hint=hint)


def _kernels(selection: Selection, scratch: Path, tell: Tell) -> tuple[list[File], list[str]]:
    modules = {name.replace("-", "_") for name in selection.distributions if is_ours(name)}
    specs = {name: find_spec(name) for name in sorted(modules)}
    packages = {f"{_SITE}/{name}": Path(spec.origin).parent for name, spec in specs.items() if spec and spec.origin}
    games = {f"games/{name}": plan.folder for name, plan in selection.plans.items()}
    files, notes = compile_images(packages, games, scratch, tell)
    return files + runtime(packages, _SITE), notes


def _files(selection: Selection, interpreter: Interpreter) -> Iterator[File]:
    """Yield the files of packages and games, the licenses, and what starts the bundle. Raises RishError."""
    packages, games = selection.distributions, selection.plans
    sources = package_files(packages, selection.imported, selection.languages)
    for file in with_bytecode(sources, bytecode_cache(), libraries_of(packages)):
        yield file._replace(name=f"{_SITE}/{file.name}")
    yield from _checked(
        File(f"games/{name}/{each}", plan.folder / each, "games") for name, plan in games.items() for each in plan.files
    )
    compiled = [] if "numba" in packages or not can_load_kernels() else [distribution("numba")]
    licensed = [python_license(), *map(license_of, [*packages.values(), *compiled])]
    licensed += library_licenses(interpreter.libraries)
    title = "This folder contains these parts, beside the games themselves"
    yield from (File(name, content, "licenses") for name, content in license_files(licensed, title))
    yield from start_files([*games], interpreter.c_library)


def _checked(files: Iterable[File]) -> list[File]:
    """Return files. Raises RishError for names that a USB stick can't hold."""
    listed = [*files]
    wrong = unportable(file.name for file in listed)
    if wrong:
        raise RishError("; ".join(f"{name} {why}" for name, why in [*wrong.items()][:5]), hint="Rename the files")
    return listed


def _report(made: Path, parts: dict[str, str], notes: Iterable[str]) -> Iterator[str]:
    files = [path for path in made.rglob("*") if path.is_file()]
    sizes = [(path.relative_to(made).as_posix(), path.stat().st_size) for path in files]
    yield from report_lines(sizes_by_part(sizes, parts))
    yield f"  {len(files)} files"
    yield from (f"  {note}" for note in notes)
