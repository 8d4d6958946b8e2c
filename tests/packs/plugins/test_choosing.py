"""The way to install plugins is chosen: the program that manages the environment, or unpacking."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from rish_ecs import UsageError
from rish_packs.plugins.choosing import find_installer


@pytest.mark.parametrize(
    ("of_uv", "uv", "pip", "name"),
    [(True, True, True, "uv"), (True, False, True, "pip"), (False, True, True, "pip"), (False, True, False, "uv")],
)
def test_the_program_of_the_environment_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of_uv: bool, uv: bool, pip: bool, name: str
) -> None:
    """An environment that uv has made is managed by uv, others by pip if it is there."""
    (tmp_path / "pyvenv.cfg").write_text("home = /usr\n" + "uv = 0.9\n" * of_uv)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda word: "/bin/uv" if uv else None)
    monkeypatch.setattr("importlib.util.find_spec", lambda word: object() if pip else None)
    assert find_installer().name == name


def test_without_a_program_wheels_are_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there is neither uv nor pip, wheels of a folder are unpacked; without a folder the message names all ways."""
    monkeypatch.setattr(shutil, "which", lambda word: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda word: None)
    monkeypatch.delenv("RISH_WHEELS", raising=False)
    with pytest.raises(UsageError, match=r"neither uv nor pip.*ensurepip.*--wheels"):
        find_installer().plan(["cow"], print)
    monkeypatch.setenv("RISH_WHEELS", str(tmp_path))
    with pytest.raises(UsageError, match=r"no wheel of cow>=2.*pip download -d \S+ 'cow>=2'") as error:
        find_installer().plan(["cow>=2"], print)
    assert str(error.value.where).endswith(tmp_path.name)
    with pytest.raises(UsageError, match="no such folder of wheels"):
        find_installer(tmp_path / "nowhere")
