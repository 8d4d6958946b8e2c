"""Which distributions a program needs, and their files."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_core import RishError
from rish_export.distributions import Wanted, files_of, modules_of, needed, owners


def test_what_is_required_is_needed_with_its_extras_and_on_this_system(install) -> None:
    """Requirements are followed through extras, and those of other systems and of other extras are not."""
    install("lake", {"lake.py": ""}, ("reed[tall]>=1", "ice; sys_platform == 'moon'", "boat; extra == 'oars'"))
    install("reed", {"reed.py": ""}, ("wind; extra == 'tall'", "frog; extra == 'loud'"))
    install("wind", {"wind.py": ""})
    assert list(needed([Wanted("lake")], {})) == ["lake", "reed", "wind"]
    assert list(needed([Wanted("Lake")], {"lake": ["reed"]})) == ["lake"]


def test_a_missing_requirement_is_named(install) -> None:
    """A distribution that is required and not installed is an error."""
    install("lake", {"lake.py": ""}, ("sea-monster",))
    with pytest.raises(RishError, match="sea-monster is needed and is not installed"):
        needed([Wanted("lake")], {})


def test_the_files_of_a_distribution_are_those_of_its_modules(install) -> None:
    """Metadata, scripts and bytecode are left out."""
    files = {"lake/__init__.py": "", "lake/deep.txt": "", "lake/__pycache__/x.pyc": "", "lake.libs/water.so": ""}
    package = install("lake", files)
    assert [name for name, _ in files_of(package)] == ["lake/__init__.py", "lake/deep.txt", "lake.libs/water.so"]
    assert modules_of(package) == {"lake"}
    assert owners()["lake"] == "lake"


def test_the_files_of_an_editable_installation_are_in_its_folder(install, tmp_path: Path) -> None:
    """The packages and modules in the folder of a .pth file count, and its tests do not."""
    clone = tmp_path / "clone"
    for name in ("lake/__init__.py", "lake/deep/data.bin", "lake/__pycache__/y.pyc", "tests/__init__.py", "setup.py"):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text("", encoding="utf-8")
    package = install("lake", {"lake.pth": str(clone)})
    assert dict(files_of(package)) == {
        "lake/__init__.py": clone / "lake/__init__.py",
        "lake/deep/data.bin": clone / "lake/deep/data.bin",
    }
    assert modules_of(package) == {"lake"}
