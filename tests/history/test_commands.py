"""The commands: record, replay, migrate, from the command line to the exit code."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rish_core import open_game
from rish_core.launcher import main
from rish_history import Saves, read_recording
from rish_history.recordings import blocks
from rish_history.saves import saves

HELLO = Path(__file__).parents[2] / "games" / "hello"
PLUGIN = """
from rish_core import Input, Stage, resource, system

@resource
class Count:
    ticks: int = 0
    presses: int = 0

@system(Stage.PRE, reads=Input, writes=Count)
def count(world, dt):
    world[Count].ticks += 1
    world[Count].presses += world[Input].pressed("jump")
    if world[Count].ticks == BREAK:
        raise ValueError("it broke")

def rish_resources():
    return [Count]

def rish_systems():
    return [count]
"""
MANIFEST = """rish: 1
game: {title: Counting}
input: {jump: [SPACE], leave: [ESCAPE]}
scenes: {main: [{Transform: {}}]}
"""


@pytest.fixture
def counting(tmp_path: Path) -> Path:
    """Write a game of one manifest and one plugin; return its folder."""
    folder = tmp_path / "counting"
    folder.mkdir()
    (folder / "game.yaml").write_text(MANIFEST)
    (folder / "plugin.py").write_text(PLUGIN.replace("BREAK", "-1"))
    return folder


def test_record_and_replay(counting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A random player's game is recorded, and its replay is the same, also up to a given tick."""
    assert main(["record", "counting", "--out", "run.rish", "--random", "5", "--headless", "--frames", "300"]) == 0
    assert "wrote run.rish: 300 ticks. Play it again: rish replay run.rish" in capsys.readouterr().err
    assert len(read_recording(Path("run.rish")).segments[0].inputs) > 10
    assert main(["replay", "run.rish", "--verify", "--hash"]) == 0
    out = capsys.readouterr().out
    assert "run.rish: the same again (300 ticks, 300 hashes" in out
    assert main(["replay", "run.rish", "--headless", "--hash"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == out.splitlines()[-1]
    assert main(["replay", "run.rish", "--verify", "--until", "100"]) == 0


def test_a_recording_without_a_window_begins_in_play(counting: Path) -> None:
    """It begins with the scene that `demo` names, as a film does, and its replay does too."""
    scenes = "scenes: {title: [], main: [{Transform: {}}]}\nscene: title\ndemo: main\n"
    (counting / "game.yaml").write_text(MANIFEST.partition("scenes:")[0] + scenes)
    hashes: list[dict[int, bytes]] = []
    for options in ((), ("--set", "scene=main"), ("--set", "scene=title")):
        assert main(["record", "counting", "--headless", "--frames", "20", *options]) == 0
        hashes.append(dict(read_recording(Path("run.rish")).segments[0].hashes))
        assert main(["replay", "run.rish", "--verify"]) == 0
    assert hashes[0] == hashes[1] != hashes[2]


def test_the_same_seed_plays_the_same_game(counting: Path) -> None:
    """The random player plays the same game with the same seed, so its finds can be repeated."""
    for name in ("a", "b"):
        assert main(["record", "counting", "--out", name, "--random", "5", "--headless", "--frames", "90"]) == 0
    one, other = (read_recording(Path(name)).segments[0] for name in ("a", "b"))
    assert (one.inputs, one.hashes) == (other.inputs, other.hashes)


def test_a_changed_game_is_refused_and_can_be_tried(counting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A replay with changed code is refused, naming the files; with --anyway it reports the first difference."""
    assert main(["record", "counting", "--random", "5", "--headless", "--frames", "200"]) == 0
    code = (counting / "plugin.py").read_text()
    (counting / "plugin.py").write_text(code.replace(".ticks += 1", ".ticks += 1 + (world.tick == 70)"))
    capsys.readouterr()
    assert main(["replay", "run.rish", "--verify"]) == 2
    said = capsys.readouterr().err
    assert "run.rish was recorded with another game: plugin.py has changed." in said
    assert "--anyway" in said
    assert main(["replay", "run.rish", "--verify", "--anyway"]) == 1
    said = capsys.readouterr().err
    assert "differs from the recording at tick 71; at tick 120 these differ: game.Count:resource" in said


def test_a_game_that_has_moved(counting: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A moved game is searched beside the recording; if it is not there, --game has to name its folder."""
    assert main(["record", "counting", "--headless", "--frames", "20"]) == 0
    (tmp_path / "box").mkdir()
    shutil.move("counting", "box/counting")
    shutil.move("run.rish", "box/run.rish")
    assert main(["replay", "box/run.rish", "--verify"]) == 0
    shutil.move("box/counting", "box/other")
    capsys.readouterr()
    assert main(["replay", "box/run.rish", "--verify"]) == 2
    assert "which is not there. Say where it is: rish replay box/run.rish --game FOLDER" in capsys.readouterr().err
    assert main(["replay", "box/run.rish", "--verify", "--game", "box/other"]) == 0


def test_a_crash_is_recorded(counting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The recording of a crash reproduces it."""
    code = (counting / "plugin.py").read_text()
    (counting / "plugin.py").write_text(code.replace("== -1", "== 40"))
    assert main(["record", "counting", "--headless", "--frames", "200", "--on-error", "raise"]) == 2
    capsys.readouterr()
    assert main(["replay", "run.rish", "--verify"]) == 0
    assert "and the same end: SystemFailed: " in capsys.readouterr().out


def test_a_crash_in_a_picture_is_recorded(counting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A crash outside ticks is reported, and does not count as a difference of the replay."""
    late = (
        "\n\n@system(Stage.LATE)\ndef look(world, dt):\n    if world.tick == 30:\n        raise ValueError('no eyes')\n"
    )
    code = (counting / "plugin.py").read_text()
    (counting / "plugin.py").write_text(code.replace("[count]", "[count, look]") + late)
    assert main(["record", "counting", "--headless", "--frames", "200", "--on-error", "raise"]) == 2
    capsys.readouterr()
    assert main(["replay", "run.rish", "--verify"]) == 0
    said = capsys.readouterr().out
    assert "the same again (30 ticks, 30 hashes" in said
    assert "the recording ends with: SystemFailed: " in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["record", "counting", "--out", "no/run.rish"], "there is no folder no for the recording"),
        (["record", "nothing"], "there is no such file"),
        (["replay", "nothing.rish"], "nothing.rish can't be read"),
        (["replay", "counting/game.yaml"], "is no recording of Rish"),
        (["migrate", "nothing"], "nothing can't be read"),
    ],
)
def test_mistakes_are_sentences(
    counting: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Mistakes of the user are reported in a sentence, with exit code 2."""
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_a_recording_that_is_cut_plays_and_ends_with_2(counting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A recording without its end plays up to there, and the command says so with exit code 2."""
    assert main(["record", "counting", "--headless", "--frames", "200"]) == 0
    file = Path("run.rish")
    file.write_bytes(file.read_bytes()[:-20])
    capsys.readouterr()
    assert main(["replay", "run.rish", "--verify"]) == 2
    said = "".join(capsys.readouterr())
    assert "run.rish" in said
    assert "cut" in said or "incomplete" in said or "damaged" in said


def test_migrate(counting: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A current file is unchanged; newer, unknown and unreadable files are rejected; an older one is converted."""
    from rish_history.commands import migrate

    assert main(["migrate", "counting", str(HELLO)]) == 0
    assert capsys.readouterr().out.count("has the current format 1") == 2
    file = counting / "game.yaml"
    for text, said in (
        ("rish: 7\n", "this is format 7, this version reads 1"),
        ("rish: 0\n", "there never was a format 0"),
        ("game: {}\n", "does not say its format"),
        ("rish: [\n", "game.yaml"),
    ):
        file.write_text(text)
        assert main(["migrate", "counting"]) == 2
        assert said in capsys.readouterr().err
        assert file.read_text() == text
    monkeypatch.setitem(migrate.STEPS, 0, lambda text: text.replace("rish: 0", "rish: 1"))
    file.write_text(MANIFEST.replace("rish: 1", "rish: 0  # old"))
    assert main(["migrate", "counting", "--check"]) == 2
    assert main(["migrate", "counting"]) == 0
    assert file.read_text() == MANIFEST.replace("rish: 1", "rish: 1  # old")


def test_migrate_converts_save_games_and_recordings(
    counting: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are recognized by their content; each older one is converted, and none if one is damaged."""
    assert main(["record", "counting", "--headless", "--frames", "30"]) == 0
    with open_game("counting", headless=True, more=["history"]) as app:
        app.world[Saves].save("slot")
        slot = app.world[Saves].path("slot")
    run, saved = Path("run.rish").read_bytes(), slot.read_bytes()
    assert main(["migrate", "run.rish", "counting", "--saves"]) == 0
    output = capsys.readouterr().out
    assert "run.rish: has the current format 1 of recordings" in output
    assert f"{slot}: has the current format {saves.FORMAT} of save games" in output
    monkeypatch.setattr(blocks, "VERSION", 2)
    monkeypatch.setitem(blocks.STEPS, 1, lambda content: [*content[:1], blocks.Block(b"N", b"new"), *content[1:]])
    monkeypatch.setattr(saves, "FORMAT", saves.FORMAT + 1)
    monkeypatch.setitem(saves.STEPS, saves.FORMAT - 1, lambda head, data: ({**head, "new": 1}, data))
    assert main(["migrate", "run.rish", "counting", "--saves", "--check"]) == 2
    Path("cut.rish").write_bytes(run[:-9])
    Path("notes").write_bytes(b"\xff\xfe")
    for damaged, said in (("cut.rish", "can't be converted: block"), ("notes", "no manifest, save game or recording")):
        assert main(["migrate", "run.rish", damaged]) == 2
        assert said in capsys.readouterr().err
    assert (Path("run.rish").read_bytes(), slot.read_bytes()) == (run, saved)
    assert main(["migrate", "run.rish", "counting", "--saves"]) == 0
    converted = blocks.read_blocks(Path("run.rish"))
    assert (converted.version, converted.blocks[1]) == (2, blocks.Block(b"N", b"new"))
    assert read_recording(Path("run.rish")).ticks == 30
    assert saves.read_save(slot).head["new"] == 1
    assert main(["migrate", "run.rish", "counting", "--saves", "--check"]) == 0


def test_replay_stops_when_an_expression_becomes_true(counting: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--when` stops at the tick and prints it; 1 where it never becomes true, 2 for a wrong expression."""
    out = str(counting.parent / "when.rish")
    assert main(["record", str(counting), "--out", out, "--headless", "--frames", "30", "--speed", "max"]) == 0
    capsys.readouterr()
    assert main(["replay", out, "--headless", "--when", "Count.ticks * 2 >= 24"]) == 0
    assert capsys.readouterr().out == f"{out}: at tick 12, Count.ticks * 2 >= 24 became true\n"
    assert main(["replay", out, "--headless", "--when", "1 / (Count.ticks - Count.ticks) > 0"]) == 1
    assert "never became true. The last failure of the expression: division by zero" in capsys.readouterr().err
    assert main(["replay", out, "--headless", "--when", "Count.tiks > 1"]) == 2
    assert "did you mean 'ticks'" in capsys.readouterr().err
    assert main(["replay", out, "--when", "tick > 1", "--verify"]) == 2
