"""Installs wheels where there is neither uv nor pip, as in a bundle: their files are unpacked beside other packages."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import InvalidWheelFilename, parse_wheel_filename

from rish_ecs import UsageError, shorten_path
from rish_jit.errors.metadata import plain_name
from rish_system import wrong_path

from .installer import Change, Installer, Tell, installed
from .wheels import find_wheel, lacking, read_wheel

_MAX_SIZE = 512 * 2**20


class _Chosen(NamedTuple):
    """A wheel that is unpacked."""

    path: Path
    name: str
    version: str


class Unpacker(Installer):
    """Unpacks wheels. wheels: the folder with those that have no path, None: there is none."""

    def __init__(self, wheels: Path | None) -> None:
        super().__init__("wheels", (), wheels)

    def plan(self, wish: Sequence[str], tell: Tell) -> list[Change]:
        """Return what an installation would change. Raises UsageError if a wheel is missing."""
        present = installed()
        return [
            Change(plain_name(each.name), present.get(plain_name(each.name)), each.version) for each in self._all(wish)
        ]

    def install(self, wish: Sequence[str], tell: Tell) -> None:
        """Unpack the wheels. Raises UsageError, and leaves nothing of a wheel behind that can't be unpacked."""
        site = packages_folder()
        for wheel in self._all(wish):
            tell(f"unpack {wheel.path.name}")
            _unpack(wheel.path, site)

    def uninstall(self, package: str, tell: Tell) -> None:
        """Delete the files that the package lists. Raises UsageError for one that was installed by another program."""
        distribution = metadata.distribution(package)
        if (distribution.read_text("INSTALLER") or "").strip() != "rish" or distribution.files is None:
            raise UsageError(
                f"{package} was not installed by Rish", hint="Remove it with the program that installed it"
            )
        tell(f"remove {package}")
        site = packages_folder()
        tops = {PurePosixPath(each).parts[0] for each in distribution.files}
        for top in sorted(tops - {"..", ".", "/"}):
            path = site / top
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def _all(self, wish: Sequence[str]) -> list[_Chosen]:
        """Return the wheel that is wished, and those that it requires and that are not installed."""
        chosen: dict[str, _Chosen] = {}
        waiting = [wish[-1]]
        while waiting:
            wheel = self._find(waiting.pop())
            if plain_name(wheel.name) not in chosen:
                chosen[plain_name(wheel.name)] = wheel
                waiting += map(str, lacking(read_wheel(wheel.path).requires))
        return [*chosen.values()]

    def _find(self, wish: str) -> _Chosen:
        if wish.endswith(".whl"):
            try:
                name, version, *_ = parse_wheel_filename(Path(wish).name)
            except InvalidWheelFilename as error:
                raise UsageError(str(error), where=shorten_path(Path(wish))) from None
            return _Chosen(Path(wish), name, str(version))
        if Path(wish).is_dir():
            raise UsageError("without pip and uv only wheels can be installed", where=shorten_path(Path(wish)))
        if self.wheels is None:
            hint = "Install uv, or run: python -m ensurepip. Or name a wheel, or a folder of wheels with --wheels"
            raise UsageError(f"neither uv nor pip is there to install {wish}", hint=hint)
        path, version = find_wheel(self.wheels, Requirement(wish))
        return _Chosen(path, Requirement(wish).name, str(version))


def packages_folder() -> Path:
    """Return the folder in which other packages are installed."""
    return Path(str(metadata.distribution("packaging").locate_file("")))


def _unpack(wheel: Path, site: Path) -> None:
    """Unpack a wheel into a folder; its files appear when all of them are written."""
    where = shorten_path(wheel)
    try:
        with zipfile.ZipFile(wheel) as archive, tempfile.TemporaryDirectory(dir=site, prefix=".rish-") as scratch:
            _check(archive, where)
            archive.extractall(scratch)
            tops = sorted(Path(scratch).iterdir())
            present = [top.name for top in tops if (site / top.name).exists()]
            if present:
                raise UsageError(f"{', '.join(present)} is there already, in {shorten_path(site)}", where=where)
            _write_record(Path(scratch), next(top for top in tops if top.name.endswith(".dist-info")))
            for top in tops:
                top.rename(site / top.name)
    except (OSError, zipfile.BadZipFile, StopIteration) as error:
        reason = getattr(error, "strerror", None) or str(error)
        what = f"it can't be unpacked into {shorten_path(site)}: {reason}"
        raise UsageError(what, where=where, hint="Copy Rish to a place that can be written") from None


def _write_record(folder: Path, info: Path) -> None:
    """Write which files a package has and that they were installed by Rish, whatever the wheel says."""
    (info / "INSTALLER").write_text("rish\n", encoding="utf-8", newline="\n")
    record = info / "RECORD"
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    files.add(record.relative_to(folder).as_posix())
    record.write_text("".join(f'"{name}",,\n' for name in sorted(files)), encoding="utf-8", newline="\n")


def _check(archive: zipfile.ZipFile, where: str) -> None:
    """Raise UsageError for a wheel that is no plain list of modules and data."""
    entries = archive.infolist()
    if sum(entry.file_size for entry in entries) > _MAX_SIZE:
        raise UsageError(f"it has more than {_MAX_SIZE >> 20} MiB", where=where)
    for entry in entries:
        why = wrong_path(entry.filename.rstrip("/"))
        if why is not None:
            raise UsageError(f"{entry.filename!r} in it {why}", where=where)
        if ".data/" in entry.filename:
            raise UsageError(f"it has {entry.filename}, for which pip is needed", where=where)
