"""A whole job in a real window, by mouse and keys of the system, while files are watched."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from long_runs import only_long
from screen_person import HAS_SCREENS, Person, virtual_screen
from window_job import MANIFEST, ROWS, WindowJob, write_pictures

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not HAS_SCREENS, reason="needs Xvfb and xdotool")]
SCREENS = [((1280, 800), ()), ((1280, 720), ()), ((2560, 1440), ("--scale", "2"))]


def rish(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, without a screen."""
    environment = {**os.environ, "ARCADE_HEADLESS": "1"}
    command = [sys.executable, "-m", "rish_core", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)


@only_long
@pytest.mark.parametrize(("size", "options"), SCREENS)
def test_a_game_is_made_in_a_window(tmp_path: Path, size: tuple[int, int], options: tuple[str, ...]) -> None:
    """From an empty folder: a game with sprites, a body, light, particles, a sound, a script and a rule is saved,
    played, edited outside and opened again. Its text is the one that a person would write, and `rish` accepts it.
    """
    folder, brought, pictures = tmp_path / "star-cave", tmp_path / "brought", os.environ.get("RISH_SAVE_JOB")
    manifest = folder / "game.yaml"
    write_pictures(brought)
    with virtual_screen(tmp_path / "own", size) as environment:
        person = Person(environment, tmp_path)

        def said(what: str) -> None:
            if pictures:
                person.picture(Path(pictures, f"{size[1]}-{what}.png"))

        try:
            person.open_editor("--size", f"{size[0]}x{size[1]}", *options, folder=tmp_path)
            job = WindowJob(person, folder, brought, said)
            job.begin()
            job.bring()
            job.body()
            job.lights()
            job.script()
            job.rule()
            person.key("Ctrl+S")
            person.wait(lambda: "• Star Cave" not in person.titles(), 20)
            said("saved")
            assert manifest.read_text() == MANIFEST

            person.key("F5")
            time.sleep(2.0)
            said("played")
            person.key("F8")
            person.see(6)
            assert manifest.read_text() == MANIFEST
            assert "• Star Cave" not in person.titles()

            outside = MANIFEST.replace(
                "    - name: wind\n", "    - {name: box, at: [400, 200], Shape: {}}\n    - name: wind\n"
            )
            manifest.write_text(outside)
            person.place(f"{ROWS}box")
            person.click(f"{ROWS}box")
            person.key("Ctrl+D")
            person.place(f"{ROWS}box 2")
            person.key("Ctrl+S")
            person.wait(lambda: "name: box 2" in manifest.read_text(), 20)
            person.key("Ctrl+W")
            said("closed")
            [card] = [mark for mark in person.marks("welcome/") if mark.endswith("/open") and "/games/" not in mark]
            person.click(card)
            person.place(f"{ROWS}box 2")
            assert len(person.marks(ROWS)) == 11  # ten entities and the empty place below
            said("reopened")
            assert person.close_editor() == 0
        finally:
            said("end")
            person.end()
    checked = rish("check", folder)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    ran = rish("run", folder, "--headless", "--frames", 60)
    assert ran.returncode == 0, ran.stdout + ran.stderr
