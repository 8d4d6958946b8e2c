"""A game in a pack is played like one in a folder; its Python code runs only if a person has agreed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from rish_packs import NeededPlugin, PackError, open_game
from small_packs import CODE, FILES, packed


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Write the pack of a game whose code ends the process with `the code ran`."""
    path = tmp_path / "code.rishgame"
    path.write_bytes(packed(CODE))
    return path


def ran(said: Any) -> bool:
    """Whether the code of the game ran."""
    return "the code ran" in said.err + said.out


def test_a_pack_without_code_runs_at_once(rish: Any, pack: Path) -> None:
    """A pack runs without a question, with the same state as its folder."""
    folder = open_game(pack).folder
    lines = [rish("run", game, "--headless", "--frames", 2, "--hash").lines for game in (pack, folder)]
    assert lines[0] == lines[1]
    assert lines[0][0].startswith("hash ")


def test_code_is_refused_without_a_terminal(rish: Any, code: Path) -> None:
    """Without a terminal a pack with code is refused, with the names of the files and the options."""
    said = rish("run", code, "--headless", "--frames", 1)
    assert said.code == 2
    assert not ran(said)
    assert "plugin.py" in said.err
    assert "--trust" in said.err


def test_code_runs_if_it_is_trusted(rish: Any, code: Path) -> None:
    """With --trust the code runs without a question."""
    assert ran(rish("run", code, "--headless", "--frames", 1, "--trust"))


@pytest.mark.parametrize(
    ("answer", "runs"), [("y\n", True), ("yes\n", True), ("\n", False), ("", False), ("n\n", False)]
)
def test_a_person_is_asked(rish: Any, code: Path, monkeypatch: pytest.MonkeyPatch, answer: str, runs: bool) -> None:
    """On a terminal a person is shown the files and asked; everything but yes leaves the code out."""
    monkeypatch.setattr("rish_cli.game_file.is_terminal", lambda stream: True)
    monkeypatch.setattr(sys.stdin, "readline", lambda: answer)
    said = rish("run", code, "--headless", "--frames", 1)
    assert "plugin.py" in said.err
    assert ran(said) is runs
    assert said.code == 2


@pytest.mark.parametrize("command", ["run", "check"])
def test_no_scripts_leaves_the_code_out(rish: Any, code: Path, command: str) -> None:
    """With --no-scripts a pack is opened as data, also after its code ran."""
    more = ("--headless", "--frames", 1) if command == "run" else ()
    said = rish(command, code, "--no-scripts", *more)
    assert (said.code, ran(said)) == (0, False)


def test_no_scripts_opens_a_folder_as_data(rish: Any, game: Path) -> None:
    """With --no-scripts no code of a folder runs, and what needs it is left out with a line in the log."""
    (game / "plugin.py").write_text("raise SystemExit('the code ran')")
    said = rish("run", game, "--headless", "--frames", 1, "--no-scripts")
    assert (said.code, ran(said)) == (0, False)
    assert "without the game's Python code" in said.err
    assert "Dot" in said.err


@pytest.mark.parametrize("text", ["plugins: [./evil.py]", "plugins: [/evil]", "plugins: ['evil:run']"])
def test_a_manifest_names_no_files_as_plugins(rish: Any, tmp_path: Path, text: str) -> None:
    """A line of `plugins:` is the name of an installed plugin, never a path or a module."""
    pack = tmp_path / "evil.rishgame"
    pack.write_bytes(packed({**FILES, "game.yaml": b"rish: 1\n" + text.encode()}))
    said = rish("run", pack, "--headless", "--frames", 1)
    assert said.code == 2
    assert "names no plugin" in said.err


def test_tags_of_yaml_make_no_objects(rish: Any, tmp_path: Path) -> None:
    """A tag of YAML that names a Python object is a mistake."""
    pack = tmp_path / "evil.rishgame"
    manifest = b"rish: 1\ngame: {title: !!python/object/apply:os.system ['echo the code ran']}\n"
    pack.write_bytes(packed({**FILES, "game.yaml": manifest}))
    said = rish("run", pack, "--headless", "--frames", 1)
    assert (said.code, ran(said)) == (2, False)


def test_a_pack_writes_no_sound_file(rish: Any, tmp_path: Path) -> None:
    """The manifest of a pack without code can't name a file to write."""
    target = tmp_path / "victim.wav"
    pack = tmp_path / "evil.rishgame"
    settings = f"\nplugins: [audio]\nsettings: {{audio: {{output: {target}}}}}\n".encode()
    pack.write_bytes(packed({**FILES, "game.yaml": b"rish: 1" + settings}))
    said = rish("run", pack, "--headless", "--frames", 1)
    assert said.code == 2
    assert "can't write a file" in said.err
    assert not target.exists()
    assert rish("run", pack, "--headless", "--frames", 1, "--audio", target).code == 0
    assert target.exists()


def test_plugins_that_are_missing_are_listed(tmp_path: Path) -> None:
    """Plugins that are not installed are named with their packages and what to do; optional ones are not missing."""
    plugins = {
        "gale": NeededPlugin("rish-gale", "0.3"), "hum": NeededPlugin("hum-tools", "1.0"),
        "ui": NeededPlugin("rish-ui", "0.1.0"), "haze": NeededPlugin("haze", "2", True),
    }  # fmt: skip
    pack = tmp_path / "needy.rishgame"
    pack.write_bytes(packed(plugins=plugins))
    with pytest.raises(PackError) as failure:
        open_game(pack)
    message = str(failure.value)
    assert "'gale' of the package rish-gale 0.3; the plugin 'hum' of the package hum-tools 1.0" in message
    assert "If you trust the package hum-tools: Run: pip install hum-tools" in message
    assert "haze" not in message
    assert "rish-ui" not in message


@pytest.mark.parametrize("command", [["lock"], ["edit", "--headless"], ["pack"]])
def test_commands_that_change_a_game_name_unpack(rish: Any, pack: Path, command: list[str]) -> None:
    """A pack can't be changed; the message names the command that writes its files into a folder."""
    said = rish(*command, pack)
    assert said.code == 2
    assert "rish unpack" in said.err


def test_every_command_takes_a_pack(rish: Any, pack: Path) -> None:
    """Commands that only read a game take a pack."""
    for arguments in (("check", pack), ("plugins", "check", pack), ("schema", "--game", pack)):
        assert rish(*arguments).code == 0, arguments


def test_a_bisection_keeps_the_decision_about_code(code: Path) -> None:
    """The trials of --bisect leave the code out as the run does."""
    from argparse import ArgumentParser

    from rish_cli import run

    parser = ArgumentParser()
    run.add_arguments(parser)
    arguments = parser.parse_args([str(code), "--no-scripts", "--bisect"])
    assert "--no-scripts" in run._trial_options(arguments)
