"""`rish check` reports every mistake of every game in one run, each as `file:line:column: path: message`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

LINE = re.compile(r"^(?P<place>[^:]+(:\d+:\d+)?): ((?P<path>[\w.\[\]]+): )?(?P<what>.+)$")


def lines(said: Any) -> list[str]:
    """Check the form of the reported lines and return them."""
    found = said.err.splitlines()
    assert "Traceback" not in said.err + said.out
    assert all(LINE.match(line) for line in found), found
    return found


def test_games_without_mistakes_are_fine(rish: Any, game: Path) -> None:
    """Each game without mistakes gets a line."""
    said = rish("check", game, game / "game.yaml")
    assert (said.code, len(said.lines), said.err) == (0, 2, "")
    assert f"{game}: fine (1 scene, 2 plugins)" in said.out


@pytest.mark.slow
def test_nothing_is_compiled(tmp_path: Path) -> None:
    """A game with many kernels is checked without them, so the first check of a new user takes a second."""
    game, cache = Path(__file__).parents[2] / "games" / "physics", tmp_path / "cache"
    environment = {**os.environ, "RISH_CACHE_DIR": str(cache)}
    subprocess.run([sys.executable, "-m", "rish_core", "check", str(game)], env=environment, check=True)
    assert not cache.exists()


def test_several_games_are_all_checked(rish: Any, game: Path) -> None:
    """A game with mistakes does not stop the check of the others."""
    bad = game.parent / "bad.yaml"
    bad.write_text("rish: 1\nscenes: {main: [{Trnsform: {}}]}\n")
    said = rish("check", game, bad, game.parent / "absent", game)
    assert said.code == 2
    assert said.out.count("fine") == 2
    found = lines(said)
    assert any(line.startswith(f"{bad}:2:") and "did you mean 'Transform'" in line for line in found)
    assert any("there is no such file" in line for line in found)


MANY = """\
rish: 1
game: {titel: A, size: [10], seed: x}
plugins: [windd, "9lives"]
layrs: []
settings: {nobody: {a: 1}, game: {last: many}}
input: {jump: [SPACEE]}
prefabs:
  dot: {Transform: {}, Dot: {speed: 99}}
scenes:
  main:
    - {Dott: {}}
    - {Dot: {spede: 1}}
    - {Dot: {speed: fast}}
    - {prefab: dto}
    - {Transform: {rotation: .nan}}
    - {Transform: {position: [1, 2, 3]}}
    - {Transform: {}, conut: 3}
    - {Transform: {parent: nobody}}
scene: mian
"""


def test_many_mistakes_in_one_file_are_all_reported(rish: Any, game: Path) -> None:
    """Mistakes of form, plugins, names, types and ranges are all reported, in the order of the lines."""
    (game / "game.yaml").write_text(MANY)
    said = rish("check", game)
    assert said.code == 2
    found = lines(said)
    culprits = [
        "titel",
        "game.size",
        "game.seed",
        "windd",
        "9lives",
        "layrs",
        "settings.game.last",
        "SPACEE",
        "prefabs.dot.Dot.speed",
        "Dott",
        "spede",
        "main[2].Dot.speed",
        "dto",
        "main[4].Transform.rotation",
        "main[5].Transform.position",
        "conut",
        "main[7].Transform.parent",
        "mian",
    ]
    missing = [culprit for culprit in culprits if not any(culprit in line for line in found)]
    assert not missing
    places = [tuple(int(n) for n in line.split(":")[1:3]) for line in found]
    assert places == sorted(places)
    assert all("game.yaml" in line for line in found)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rish: 1\nscenes: {main: [", "game.yaml:3:1"),
        ("rish: 1\nrish: 1\nscenes: {main: []}", "game.yaml:2:1"),
        ("rish: 1\nscenes: {main: [{Transform: !!python/object:os.system {}}]}", "game.yaml:2"),
        ("rish: 1\ngame: {seed: " + "9" * 5000 + "}\nscenes: {main: []}", "game.yaml:2"),
        ("[" * 200_000, "game.yaml:1"),
        ("rish: 1\na: &a [x, x, x, x, x, x]\n" + "".join(
            f"{chr(98 + k)}: &{chr(98 + k)} [{', '.join(['*' + chr(97 + k)] * 9)}]\n" for k in range(12)), "game.yaml"),
        ("rish: 1\nbase: &b {x: 1}\nscenes: {main: [{<<: *b}]}", "game.yaml:3"),
        ("rish: 99\nscenes: {main: []}", "game.yaml:1"),
        ("- 1", "game.yaml:1"),
        ("", "game.yaml"),
        ("\xff\xfe", "game.yaml"),
    ],
    ids=["syntax", "twice", "tag", "digits", "depth", "aliases", "merge", "format", "list", "empty", "bytes"],
)  # fmt: skip
def test_no_text_is_too_bad_for_a_sentence(text: str, sentence: str, rish: Any, game: Path) -> None:
    """Malformed and hostile files give exit code 2 and the place, and no traceback."""
    (game / "game.yaml").write_bytes(text.encode("latin-1"))
    said = rish("check", game)
    assert said.code == 2
    assert any(sentence in line for line in lines(said))


@pytest.mark.parametrize(
    ("asset", "sentence"),
    [
        ("absent.png", "absent.png"),
        ("../outside.png", "leads out of its folder"),
        ("/etc/passwd", "is an absolute path"),
    ],
)
def test_assets_are_looked_for(asset: str, sentence: str, rish: Any, game: Path) -> None:
    """Missing assets and assets outside the game's folder are reported."""
    text = (game / "plugin.py").read_text()
    text = text.replace("import Input", "import Asset, Input").replace(
        "    speed: float", "    image: Asset = ''\n    speed: float"
    )
    (game / "plugin.py").write_text(text)
    (game.parent / "outside.png").write_bytes(b"")
    (game / "game.yaml").write_text(f"rish: 1\nscenes:\n  main:\n    - {{Dot: {{image: {asset}}}}}\n")
    said = rish("check", game)
    assert said.code == 2
    [line] = lines(said)
    assert "game.yaml:4:21: scenes.main[0].Dot.image: " in line
    assert sentence in line


def test_assets_are_opened(rish: Any, game: Path) -> None:
    """A text file with the name of an image is a mistake; a file that no loader reads is not."""
    text = (game / "plugin.py").read_text()
    text = text.replace("import Input", "import Asset, Input").replace(
        "    speed: float", "    image: Asset = ''\n    speed: float"
    )
    (game / "plugin.py").write_text(text)
    (game / "bad.png").write_text("no picture")
    (game / "level.dat").write_text("read by the game itself")
    (game / "game.yaml").write_text(
        "rish: 1\nscenes:\n  main:\n    - Dot: {image: bad.png}\n    - Dot: {image: level.dat}\n"
    )
    said = rish("check", game, "--with", "frame")
    assert said.code == 2
    [line] = lines(said)
    assert "game.yaml:4:20: scenes.main[0].Dot.image: bad.png " in line


def test_the_mistakes_of_the_text_come_before_those_of_the_plugins(rish: Any, game: Path) -> None:
    """In a truncated file only the syntax error is reported, because plugins may miss the rest of the file."""
    with (game / "plugin.py").open("a") as file:
        file.write("\n\ndef rish_components():\n    raise RuntimeError('one is missing')\n")
    (game / "game.yaml").write_text("rish: 1\nscenes:\n  main:\n    - {Dot: {speed: [1}\n")
    for command in (["check", game], ["run", game, "--headless", "--frames", "1"]):
        said = rish(*command)
        assert said.code == 2
        assert "game.yaml:4:" in said.err
        assert "is not valid YAML" in said.err
        assert "one is missing" not in said.err


def test_a_broken_plugin_is_named(rish: Any, game: Path) -> None:
    """A plugin that fails to import is named with the line of its file."""
    with open(game / "plugin.py", "a") as file:
        file.write("\n1 / 0\n")
    said = rish("check", game)
    assert said.code == 2
    assert re.search(r"plugin.py:\d+: plugin 'game' could not be imported: ZeroDivisionError", said.err)
    assert "Traceback" not in said.err


def test_overrides_are_checked_where_they_stand(rish: Any, game: Path) -> None:
    """A mistake in `--set` is reported with that option as its place."""
    said = rish("check", game, "--set", "scenes.main[0].Dot.speed=fast", "--set", "game.seed=2")
    assert said.code == 2
    [line] = said.err.splitlines()
    assert line.startswith("--set scenes.main[0].Dot.speed=fast: scenes.main[0].Dot.speed: must be")
