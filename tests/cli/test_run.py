"""`rish run`: every option works as its help says, and every mistake gives a sentence and exit code 2."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest

import rish_jit
from rish_core.app import App
from rish_core.plugin.discovery import Candidate
from rish_ecs import how_to_get

HEADLESS = ("--headless", "--frames", "20", "--hash")
needs_render = pytest.mark.skipif(
    importlib.util.find_spec("rish_render") is None, reason="rish_render is not installed, so nothing draws"
)


def without_trace(said: Any) -> bool:
    """Return True if no Python traceback was printed."""
    return "Traceback" not in said.err + said.out


# Results


@pytest.mark.parametrize("file", ["", "game.yaml"])
def test_a_game_is_named_by_its_folder_or_file(file: str, rish: Any, game: Path) -> None:
    """A game can be named by its folder or its file; two runs print the same hash of 32 digits in the last line."""
    first, second = (rish("run", game / file, *HEADLESS) for _ in range(2))
    assert (first.code, second.code) == (0, 0)
    assert re.fullmatch(r"hash [0-9a-f]{32}", first.lines[-1])
    assert first.lines[-1] == second.lines[-1]


def test_the_hash_is_the_last_line_whatever_plugins_say(rish: Any, game: Path) -> None:
    """The hash is the last line even if a plugin prints at shutdown."""
    with open(game / "plugin.py", "a") as file:
        file.write("def rish_shutdown(): print('goodbye')\n")
    assert rish("run", game, *HEADLESS).lines[-1].startswith("hash ")


def test_kernels_that_ran_as_plain_python_are_named(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run ends with the number of calls for which no compiled kernel was there, and the kernels with their types."""
    calls = {("wind.push", "(f8[::1], i8)"): 1200, ("wind.pull", "(f8,)"): 34}
    monkeypatch.setattr(rish_jit, "plain_calls", lambda: calls)
    said = rish("run", game, *HEADLESS)
    assert said.code == 0
    expected = "rish: 1,234 calls of kernels ran as plain Python, slowly: wind.push(f8[::1], i8), wind.pull(f8,)"
    assert expected in said.err.splitlines()
    monkeypatch.setattr(rish_jit, "plain_calls", dict)
    assert "plain Python" not in rish("run", game, *HEADLESS).err


def test_seed_frames_and_overrides_make_another_game(rish: Any, game: Path) -> None:
    """Other seeds, frames and overrides change the hash; the manifest's own values do not."""
    base = rish("run", game, *HEADLESS).lines[-1]
    assert rish("run", game, *HEADLESS, "--seed", 3).lines[-1] == base
    assert rish("run", game, *HEADLESS, "--set", "game.seed=3").lines[-1] == base
    others = [
        ("--seed", 4), ("--frames", 21), ("--set", "game.seed=5"),
        ("--set", "scenes.main[0].count=6"), ("--set", "settings.game.last=7"), ("--seed", 10**30), ("--seed", -1),
    ]  # fmt: skip
    hashes = [rish("run", game, *HEADLESS, *other).lines[-1] for other in others]
    assert len({base, *hashes}) == 8


@pytest.mark.parametrize("speed", ["max", "1", "0.5", "100"])
def test_speed_changes_nothing_but_the_time(speed: str, rish: Any, game: Path) -> None:
    """The speed does not change the ticks."""
    assert rish("run", game, *HEADLESS, "--speed", speed).lines == rish("run", game, *HEADLESS).lines


@pytest.mark.slow
def test_the_highest_speed_needs_no_window(rish: Any, game: Path) -> None:
    """`--speed max` implies headless."""
    assert rish("run", game, "--speed", "max", *HEADLESS[1:]).lines == rish("run", game, *HEADLESS).lines


def test_zero_frames_are_none(rish: Any, game: Path) -> None:
    """With zero frames the first scene is loaded and no tick runs."""
    said = rish("run", game, "--headless", "--frames", 0, "--hash")
    assert (said.code, len(said.lines)) == (0, 1)


AUDIO = """
from rish_core import About, Str, World, resource


@resource(view=True)
class AudioSettings:
    output: Str = "auto"


def rish_settings():
    return AudioSettings


def rish_ready(app):
    print("output:", app.world[AudioSettings].output)
"""


@pytest.fixture
def audio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a plugin `audio` that prints its setting, in place of another one."""
    (tmp_path / "sounding.py").write_text(AUDIO)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = [Candidate("audio", "sounding", "1.0", "sounding")]
    monkeypatch.setattr("rish_cli.game_app.installed_plugins", lambda: found)


@pytest.mark.usefixtures("audio")
def test_audio_loads_the_plugin_and_sets_its_output(rish: Any, game: Path, tmp_path: Path) -> None:
    """`--audio` loads the plugin audio and sets its output; the result of the game is the same."""
    plain = rish("run", game, *HEADLESS)
    for where in ("card", "none", "null", tmp_path / "a #b.wav", tmp_path / "new" / "c.wav"):
        said = rish("run", game, *HEADLESS, "--audio", where)
        assert said.lines == [f"output: {where}", *plain.lines], said.err


def test_a_place_where_no_sound_can_go_is_named(rish: Any, game: Path, tmp_path: Path) -> None:
    """A place that is none, a folder, and a file in place of a folder are refused with exit code 2."""
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.wav").mkdir()
    for where, sentence in {
        "out.mp3": "expected card, none or a .wav file, not 'out.mp3'",
        tmp_path / "folder.wav": "folder.wav can't be written",
        tmp_path / "file" / "a.wav": "a.wav can't be written",
    }.items():
        said = rish("run", game, *HEADLESS, "--audio", where)
        assert said.code == 2
        assert sentence in said.err
        assert without_trace(said)


def test_audio_without_the_plugin_says_what_to_install(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the plugin audio is not installed, the message names it and the option."""
    monkeypatch.setattr("rish_cli.game_app.installed_plugins", list)
    said = rish("run", game, *HEADLESS, "--audio", "none")
    assert said.code == 2
    assert f"--audio: plugins: plugin 'audio' is not installed. {how_to_get('rish-audio')}" in said.err


def test_strict_lets_a_clean_game_through(rish: Any, game: Path) -> None:
    """In strict mode a correct game has the same result."""
    strict = rish("run", game, *HEADLESS, "--strict")
    assert strict.lines == rish("run", game, *HEADLESS).lines
    assert "strict: each tick runs twice" in strict.err


def test_strict_names_the_culprit(rish: Any, game: Path) -> None:
    """In strict mode an undeclared write is reported with file and line, in one sentence."""
    text = (game / "plugin.py").read_text()
    (game / "plugin.py").write_text(text.replace("writes=(Transform, Session)", "writes=Session"))
    said = rish("run", game, *HEADLESS, "--strict")
    assert said.code == 2
    assert without_trace(said)
    assert re.search(r"plugin.py:\d+: system 'game.wander' wrote Transform, which it does not declare", said.err)


def test_more_plugins_can_be_loaded(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--with a,b` loads both plugins, in this order."""
    seen: list[list[str]] = []
    init = App.__init__

    def noting(self: App, manifest: Any, *, more: Any = (), **options: Any) -> None:
        seen.append([wish.name for wish in more])
        init(self, manifest, **options)

    monkeypatch.setattr(App, "__init__", noting)
    assert rish("run", game, *HEADLESS, "--with", "a, b,").code == 0
    assert seen == [["a", "b"]]


def test_the_profile_names_the_systems(rish: Any, game: Path) -> None:
    """The profile is printed to standard error, so that the output stays clean."""
    said = rish("run", game, *HEADLESS, "--profile")
    assert "game.wander" in said.err
    assert len(said.lines) == 1


def test_verbose_says_what_is_chosen(rish: Any, game: Path) -> None:
    """`-v` reports the chosen backend and the reason."""
    assert "the game runs without output" in rish("run", game, *HEADLESS, "-v").err
    shown = rish("run", game, *HEADLESS, "--with", "frame", "-v").err
    assert "the backend is 'null' because nobody looks" in shown
    assert rish("run", game, *HEADLESS).err == ""


def test_a_game_ends_with_its_own_exit_code(rish: Any, game: Path) -> None:
    """A game that quits ends the run with its own exit code."""
    for code in (0, 7):
        said = rish("run", game, "--headless", "--set", "settings.game.last=5", "--set", f"settings.game.code={code}")
        assert said.code == code


def test_an_interrupt_is_no_mistake(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On an interrupt the game is closed and no traceback is shown."""
    closed: list[App] = []

    def interrupted(self: App, **options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(App, "frame", interrupted)
    monkeypatch.setattr(App, "close", lambda self: closed.append(self))
    said = rish("run", game, *HEADLESS)
    assert (said.code, len(closed)) == (0, 1)
    assert without_trace(said)


# Images


@needs_render
def test_pictures_are_written(rish: Any, tmp_path: Path) -> None:
    """`--capture` writes a PNG of the game's size and a film, and creates missing folders."""
    from PIL import Image

    game = tmp_path / "shapes"
    game.mkdir()
    (game / "game.yaml").write_text(
        "rish: 1\ngame: {size: [64, 48]}\nplugins: [render]\n"
        "scenes: {main: [{Transform: {position: [32, 24]}, Shape: {size: [20, 20], color: '#ff0000'}}]}\n"
    )
    png, gif = tmp_path / "new" / "shot.png", tmp_path / "film.gif"
    said = rish("run", game, "--headless", "--frames", 12, "--capture", png, "--capture", gif, "--hash")
    assert (said.code, len(said.lines)) == (0, 1)
    with Image.open(png) as picture:
        assert picture.size == (64, 48)
        assert picture.convert("RGB").getpixel((32, 24)) == (255, 0, 0)
    with Image.open(gif) as film:
        assert (film.format, film.size) == ("GIF", (64, 48))
    plain = rish("run", game, "--headless", "--frames", 12, "--hash")
    assert plain.lines == said.lines


@needs_render
def test_a_window_of_another_size(rish: Any, tmp_path: Path) -> None:
    """`--size` sets the size of the image and does not affect the game."""
    from PIL import Image

    game = tmp_path / "shapes"
    game.mkdir()
    (game / "game.yaml").write_text(
        "rish: 1\ngame: {size: [64, 48]}\nplugins: [render]\n"
        "scenes: {main: [{Transform: {position: [32, 24]}, Shape: {size: [20, 20], color: '#ff0000'}}]}\n"
    )
    said = rish("run", game, "--headless", "--frames", 2, "--size", "200x96", "--capture", tmp_path / "a.png", "--hash")
    with Image.open(tmp_path / "a.png") as picture:
        assert picture.size == (200, 96)
        assert [picture.convert("RGB").getpixel((x, 48)) for x in (20, 100)] == [(0, 0, 0), (255, 0, 0)]
    assert said.lines == rish("run", game, "--headless", "--frames", 2, "--hash").lines


@pytest.mark.slow
@needs_render
def test_without_a_window_the_game_plays_itself(rish: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a window the game plays itself, writes an image and a video, and prints their paths."""
    game = tmp_path / "shapes"
    game.mkdir()
    (game / "game.yaml").write_text(
        "rish: 1\ngame: {title: Box, size: [64, 48]}\nplugins: [render]\nscenes: {main: []}\n"
    )
    monkeypatch.chdir(tmp_path)
    said = rish("run", game, "--backend", "software", "--frames", 6)
    assert said.code == 0
    assert (tmp_path / "out" / "shapes.png").is_file()
    assert (tmp_path / "out" / "shapes.gif").is_file()
    assert "Box: no window is available" in said.out
    assert "To play it yourself" in said.out


def test_a_picture_of_nothing_is_refused(rish: Any, game: Path, tmp_path: Path) -> None:
    """`--capture` is refused without a renderer and for a backend that draws nothing."""
    for options, culprit in (((), "no plugin that draws"), (("--with", "frame", "--backend", "null"), "null")):
        said = rish("run", game, "--headless", "--capture", tmp_path / "a.png", *options)
        assert said.code == 2
        assert culprit in said.err
        assert without_trace(said)
    assert not (tmp_path / "a.png").exists()


def test_a_game_without_pictures_plays_itself_all_the_same(
    rish: Any, game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game without a renderer plays itself as well, but writes no images."""
    monkeypatch.chdir(tmp_path)
    assert rish("run", game, "--frames", 5).code == 0
    assert not (tmp_path / "out").exists()


def with_title(game: Path) -> None:
    """Give a game a title, which a run without a player leaves out."""
    file = game / "game.yaml"
    file.write_text(file.read_text() + "  title: []\nscene: title\ndemo: main\n")


def test_without_a_window_it_begins_in_play(rish: Any, game: Path) -> None:
    """A run that plays itself begins with the scene of `demo`; a headless one and `--speed max` with the first one."""
    with_title(game)
    play, title = (rish("run", game, *HEADLESS, "--set", f"scene={scene}").lines[-1] for scene in ("main", "title"))
    assert play != title
    assert rish("run", game, *HEADLESS[1:]).lines[-1] == play
    assert rish("run", game, *HEADLESS[1:], "--set", "scene=title").lines[-1] == title
    assert rish("run", game, *HEADLESS).lines[-1] == title
    assert rish("run", game, *HEADLESS[1:], "--speed", "max").lines[-1] == title


@needs_render
def test_a_picture_of_a_game_shows_play(rish: Any, game: Path, tmp_path: Path) -> None:
    """What `--capture` writes without a window begins with the scene of `demo`."""
    with_title(game)
    film = ("--with", "render", "--capture", tmp_path / "a.png")
    play = rish("run", game, *HEADLESS, "--with", "render", "--set", "scene=main").lines[-1]
    assert rish("run", game, *HEADLESS, *film).lines[-1] == play


CLOSED = """
from rish_core import Host


class Closed(Host):
    windowed = True

    def show_progress(self, done, total, what=""):
        return what != "the game"


def rish_host(): return lambda app, options: Closed()
"""


def test_a_window_that_is_closed_while_it_loads_ends_the_run(rish: Any, game: Path) -> None:
    """That is the end of the game, not a mistake."""
    with open(game / "plugin.py", "a") as file:
        file.write(CLOSED)
    said = rish("run", game)
    assert (said.code, said.out, said.err) == (0, "", "")


# Mistakes

MISTAKES: list[tuple[tuple[Any, ...], str]] = [
    (("--frames", "-1"), "--frames: expected a whole number from 0 up, not '-1'"),
    (("--frames", "many"), "--frames: expected a whole number from 0 up, not 'many'"),
    (("--frames", "1" * 5000), "--frames: expected a whole number"),
    (("--speed", "0"), "--speed: expected a number above 0, or max"),
    (("--size", "640"), "--size: expected a width and a height, as in 1280x720, not '640'"),
    (("--size", "0x99999999"), "--size: expected a width and a height"),
    (("--speed", "fast"), "--speed: expected a number above 0, or max, not 'fast'"),
    (("--speed", "nan"), "--speed: expected a number above 0"),
    (("--seed", "x"), "--seed: invalid int value"),
    (("--with", "frame", "--capture", "out.txt"), "--capture out.txt: unknown format. Choices: .gif, .mp4, .png"),
    (("--frams", "3"), "unrecognized arguments: --frams"),
    (("--set", "nonsense"), "--set nonsense: must look like `settings.physics.gravity=[0, -5]`"),
    (("--set", "game.seed=x"), "--set game.seed=x: game.seed: must be a whole number"),
    (("--set", "game.sed=4"), "did you mean 'seed'"),
    (("--set", "scenes.main[0].Dot.speed=99"), "--set scenes.main[0].Dot.speed=99: scenes.main[0].Dot.speed"),
    (("--set", "scenes.main[7].count=1"), "has only 1 items"),
    (("--set", "game.seed=[1"), "--set game.seed=[1"),
    (("--backend", "null"), "backend was asked for, and the game has no plugin that draws"),
    (("--with", "frame", "--backend", "nul"), "no backend is called 'nul' (did you mean 'null'?)"),
    (("--with", "windd"), "--with windd: plugins: plugin 'windd' is not installed"),
    (("--with", "a b"), "--with a b"),
    (("--on-error", "panic"), "invalid choice: 'panic'"),
]


@pytest.mark.parametrize(("options", "sentence"), MISTAKES, ids=[" ".join(o)[:30] for o, _ in MISTAKES])
def test_a_wrong_option_is_answered_with_a_sentence(
    options: tuple[Any, ...], sentence: str, rish: Any, game: Path
) -> None:
    """A wrong option is named in the message; the exit code is 2, without a traceback."""
    said = rish("run", game, "--headless", *options)
    assert said.code == 2
    assert sentence in said.err
    assert without_trace(said)


def test_a_game_that_is_not_there_gets_its_neighbors(rish: Any, game: Path) -> None:
    """A wrong path of a game is reported with the games near it."""
    for wrong in (game.parent / "dts", game.parent / "nowhere" / "game.yaml"):
        said = rish("run", wrong, "--headless")
        assert said.code == 2
        assert "there is no such file. Games found nearby: dots" in said.err
        assert without_trace(said)


def test_a_file_that_can_not_be_written_is_the_users_to_mend(rish: Any, game: Path) -> None:
    """A file that cannot be written is reported as a mistake of the user, with its name."""
    blocked = game / "game.yaml" / "profile.json"
    said = rish("schema", "--out", blocked)
    assert said.code == 2
    assert str(blocked) in said.err
    assert without_trace(said)


def test_a_fault_of_ours_is_reported_as_one(rish: Any, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An internal error is reported as a bug of Rish, with the traceback and exit code 1."""

    def broken(self: App, **options: Any) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(App, "frame", broken)
    said = rish("run", game, *HEADLESS)
    assert said.code == 1
    assert "Traceback" in said.err
    assert "a bug in Rish" in said.err


def test_a_failing_system_is_named_and_set_aside_or_ends_the_run(rish: Any, game: Path) -> None:
    """`--on-error` decides about a failing system; by default the game continues, and the exit code is 2."""
    with open(game / "plugin.py", "a") as file:
        file.write("\n@system(Stage.STEP)\ndef bad(world, dt): 1 / 0\ndef rish_systems(): return [wander, bad]\n")
    said = rish("run", game, *HEADLESS, "--on-error", "disable")
    assert said.code == 0
    assert re.search(r"plugin.py:\d+: system 'game.bad' of plugin 'game' failed in stage STEP", said.err)
    assert said.err.count("game.bad") == 1
    said = rish("run", game, *HEADLESS)
    assert said.code == 2
    assert "rish: system 'game.bad' failed and was disabled: see above" in said.err
    said = rish("run", game, *HEADLESS, "--on-error", "raise")
    assert said.code == 2
    assert without_trace(said)
    assert "ZeroDivisionError" in said.err


@pytest.mark.parametrize(
    ("added", "says"),
    [
        ("import nosuchmodule", r"plugin.py:\d+: plugin 'game' could not be imported: ModuleNotFoundError"),
        ("def rish_components(): 1 / 0", r"plugin.py:\d+: plugin 'game' failed in rish_components: ZeroDivisionError"),
        ("def rish_componets(): return []", r"rish_componets.*did you mean 'rish_components'"),
        ("def rish_systems(): [wander]", r"plugin.py:\d+: plugin 'game' failed in rish_systems: it returned nothing"),
        ("def rish_scene_loaded(world): 1 / 0", r"plugin.py:\d+: plugin 'game' failed in rish_scene_loaded"),
    ],
    ids=["import", "raising", "misspelt", "no return", "moment"],
)
def test_a_game_whose_own_plugin_is_broken_has_failed(rish: Any, game: Path, added: str, says: str) -> None:
    """A game with a broken plugin of its own ends with exit code 2 and the place of the mistake."""
    with open(game / "plugin.py", "a") as file:
        file.write(f"\n{added}\n")
    said = rish("run", game, *HEADLESS)
    assert said.code == 2
    assert re.search(says, said.err), said.err
    assert without_trace(said)


LOADING = """

from rish_core import AssetError, Assets, with_placeholder


@with_placeholder(list)
def load(path): raise AssetError(f"{path.name} is damaged")


@system(Stage.UPDATE)
def look(world, dt): world[Assets].load("level.map")


def rish_loaders(): return {".map": load}
def rish_systems(): return [wander, look]
"""


def test_a_damaged_asset_is_played_on_and_named_at_the_end(rish: Any, game: Path) -> None:
    """A game goes on with a placeholder; the last lines name the file, and the exit code is 2 or the game's own."""
    with open(game / "plugin.py", "a") as file:
        file.write(LOADING)
    (game / "level.map").write_text("")
    said = rish("run", game, *HEADLESS)
    assert said.code == 2
    assert said.err.splitlines()[-3:] == [
        "ERROR rish.assets: level.map: level.map is damaged",
        "rish: level.map could not be loaded: see above",
        "rish: use --on-error disable to exit with the game's own code",
    ]
    said = rish("run", game, *HEADLESS, "--on-error", "disable")
    assert said.code == 0
    assert said.err == "ERROR rish.assets: level.map: level.map is damaged\n"
