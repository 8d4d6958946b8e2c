"""`rish doctor` prints a line for each feature of a machine, whatever is broken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rish_devtools.commands import doctor
from tools import needs

THINGS = ["python", "numpy", "numba", "cache", "images", "display", "opengl", "sound", "plugins"]
"""What the doctor checks itself; the lines of plugins follow."""


def test_there_is_a_line_for_each_thing(rish: Any) -> None:
    """There is a line with a mark for each feature, and exit code 0 whatever the machine lacks."""
    said = rish("doctor")
    assert said.code == 0
    assert [line.split()[1] for line in said.lines][: len(THINGS)] == THINGS
    assert {line.split()[0] for line in said.lines} <= {"ok", "--", "!!"}


@pytest.mark.slow
def test_what_is_broken_stops_nothing(rish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that raises is reported as a finding."""

    def broken() -> Any:
        raise OSError("the driver is gone")

    monkeypatch.setattr(doctor, "_sound", broken)
    lines = rish("doctor").lines
    assert len(lines) >= len(THINGS)
    assert any(line.split()[0] == "!!" and "OSError: the driver is gone" in line for line in lines)


def test_what_is_switched_off_is_said(rish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A RISH_NO_JIT that is still set is reported."""
    monkeypatch.setenv("RISH_NO_JIT", "1")
    assert "RISH_NO_JIT=1" in rish("doctor").out


@pytest.mark.slow
def test_a_display_is_found(rish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A display is found by the environment variables that name it."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":77")
    assert ":77" in rish("doctor").out
    monkeypatch.delenv("DISPLAY")
    assert "DISPLAY and WAYLAND_DISPLAY are not set" in rish("doctor").out


@pytest.fixture
def few_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the CJK extra and the fonts of the system."""
    for module in ("rish_render.kinds.text.faces", "rish_render.plugin.diagnosis"):
        monkeypatch.setattr(f"{module}.CJK", ("no_such_package", ""))
    monkeypatch.setattr("rish_render.kinds.text.faces.font_folders", list)


@pytest.mark.usefixtures("few_fonts")
def test_writings_without_a_font_are_named(rish: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor names the kinds of writing that have a font, those that have none, and what to install."""
    monkeypatch.setattr("sys.platform", "linux")
    lines = [line for line in rish("doctor").lines if line.split()[1] == "fonts"]
    (there,) = [line for line in lines if "Latin" in line]
    assert "Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai" in there
    assert "installed with manimgx-fonts" in there
    assert any(line.split()[0] == "ok" and "menus and editors in Traditional Chinese" in line for line in lines)
    (absent,) = [line for line in lines if line.split()[0] == "--"]
    assert "Traditional Chinese, Simplified Chinese, Japanese, Korean" in absent
    assert "pip install noto-cjk-sans-otc, or apt install fonts-noto-cjk" in absent


@pytest.mark.usefixtures("few_fonts")
def test_characters_of_a_game_without_a_font_are_named(rish: Any, tmp_path: Path) -> None:
    """For a game, the doctor names the characters of its manifest and code that have no font; comments don't count."""
    (tmp_path / "game.yaml").write_text(
        "rish: 1\ngame: {title: 開始}\nplugins: [render]\nsettings: {render: {language: zh-Hant}}\n"
        "scenes: {main: [{Text: {text: 開始鬱}}]}  # 龘\n",
        encoding="utf-8",
    )
    (tmp_path / "plugin.py").write_text('"""龘"""\nTITLE = "籲"\n', encoding="utf-8")
    line = rish("doctor", str(tmp_path)).lines[-1]
    assert line.split()[0] == "--"
    assert "籲 (U+7C72), 鬱 (U+9B31) (Traditional Chinese)" in line


@pytest.mark.usefixtures("few_fonts")
def test_a_font_of_the_game_counts(rish: Any, tmp_path: Path) -> None:
    """Characters that a font in the game's folder has, or a font of a package that the game names, are not missing."""
    (tmp_path / "game.yaml").write_text(
        "rish: 1\nplugins: [render]\n"
        "scenes: {main: [{Text: {text: 鬱, font: 'noto_cjk_sans_otc:NotoSansCJK-Regular.ttc'}}]}\n",
        encoding="utf-8",
    )
    needs("noto_cjk_sans_otc", "fonts")
    assert rish("doctor", str(tmp_path)).lines[-1].split()[0] == "ok"


def test_hook_rish_diagnose(rish: Any, tmp_path: Path) -> None:
    """The lines of a game's own plugin are printed; a result of another form is reported with the plugin's name."""
    (tmp_path / "game.yaml").write_text("rish: 1\n")
    own = tmp_path / "plugin.py"
    head = "from rish_core import hookimpl\n\n\n@hookimpl(optional=True)\ndef rish_diagnose(manifest):\n    return "
    own.write_text(head + "[('--', 'wind', f'no wind for {manifest.title}')]\n")
    assert rish("doctor", str(tmp_path)).lines[-1].split() == ["--", "wind", "no", "wind", "for", "Rish"]
    assert rish("check", str(tmp_path)).code == 0
    own.write_text(head + "[3]\n")
    assert "!!  game       rish_diagnose returned [3]" in rish("doctor", str(tmp_path)).lines[-1]


def test_a_wrong_manifest_is_refused(rish: Any, tmp_path: Path) -> None:
    """A game that can't be read is an error of the user, with its place."""
    (tmp_path / "game.yaml").write_text("rish: 1\ngame: 5\n")
    assert rish("doctor", str(tmp_path)).code == 2


@pytest.mark.slow
def test_the_state_of_each_packages_kernels_is_told(rish: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each package with kernels the doctor says how many are compiled, unless all are switched off."""
    monkeypatch.setenv("RISH_CACHE_DIR", str(tmp_path))
    lines = [line for line in rish("doctor").lines if line.split()[1] == "kernels"]
    assert {line.split()[2] for line in lines} >= {"rish_core:", "rish_physics:", "rish_render:"}
    assert all("0 of" in line and "compile when a game needs them" in line for line in lines)
    monkeypatch.setenv("RISH_NO_JIT", "1")
    assert not [line for line in rish("doctor").lines if line.split()[1] == "kernels"]
