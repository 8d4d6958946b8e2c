"""The manifest lists players with keys of their own, and mistakes in them have a place."""

from __future__ import annotations

from rish_core.manifest.manifest import parse_manifest
from rish_core.manifest.structure import MAX_PLAYERS

TEXT = """rish: 1
input:
  pause: [P, gamepad.start]
  players:
    - {left: A, jump: [W, 1]}
    - {left: [LEFT], jump: [gamepad.a]}
"""


def test_players_have_actions_of_their_own() -> None:
    """Actions beside `players` are shared; a player's keys are written like those."""
    manifest = parse_manifest(TEXT)
    assert manifest.problems == []
    assert manifest.actions() == (
        {"pause": ["P", "gamepad.start"]},
        [{"left": ["A"], "jump": ["W", "1"]}, {"left": ["LEFT"], "jump": ["gamepad.a"]}],
    )


def test_mistakes_in_players_have_places() -> None:
    """A wrong key and a wrong form are reported with line, column and path; valid parts are kept."""
    from rish_core.manifest.structure import manifest_validator

    manifest_validator()
    wrong = parse_manifest("rish: 1\ninput:\n  go: [A]\n  players:\n    - {left: {a: 1}}\n    - [A]\n")
    assert [(p.place.line, p.path.split(".")[1]) for p in wrong.problems] == [(5, "players[0]"), (6, "players[1]")]
    assert "must be a mapping" in wrong.problems[1].what
    several = parse_manifest("rish: 1\ninput: {players: [" + "{}, " * (MAX_PLAYERS + 1) + "]}\n")
    assert "at most 16" in several.problems[0].what
    single = parse_manifest("rish: 1\ninput: {players: {left: A}}\n")
    assert "must be a list" in single.problems[0].what


def test_an_included_file_may_add_shared_actions(tmp_path) -> None:
    """Included actions are shared ones; players in two files are defined twice."""
    (tmp_path / "keys.yaml").write_text("input: {menu: [M]}\n")
    merged = parse_manifest("include: [keys.yaml]\n" + TEXT, root=tmp_path)
    assert merged.problems == []
    assert [*merged.input] == ["pause", "menu"]
    (tmp_path / "keys.yaml").write_text("input: {players: [{}]}\n")
    twice = parse_manifest("include: [keys.yaml]\n" + TEXT, root=tmp_path)
    assert "'players' is defined twice" in twice.problems[0].what
