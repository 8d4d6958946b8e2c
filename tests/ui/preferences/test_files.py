"""The file of preferences: mistakes in it, and what a later version has added."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from preferred import Play, go
from rish_core.loop import KEY_NAMES
from rish_ui.components.settings import UiSettings
from rish_ui.preferences import Preferences
from rish_ui.preferences.files import Content, read_file, write_file

MISTAKES = [
    ("theme: 3", "1:8: theme: must be text, not the number 3"),
    ("language: en\nvolume:\n  music: loud", "3:10: volume.music: must be a number from 0 to 1"),
    ("volume: [1]", "1:9: volume: must be a mapping"),
    ("keys: {jump: SPACE}", "1:14: keys.jump: must be a list of keys such as [SPACE]"),
    ("keys: {jump: [SPCE]}", "keys.jump: has the text 'SPCE', which is no key"),
    ("player_keys: {all: {jump: [A]}}", "must be the number of a player"),
    ("version: new", "1:10: version: must be a number"),
    ("- theme", "must be a mapping of preferences"),
    ("theme: [", "1:"),
]


@pytest.mark.parametrize(("text", "said"), MISTAKES)
def test_a_mistake_is_reported_with_its_place(
    play: Play, folder: Path, caplog: pytest.LogCaptureFixture, text: str, said: str
) -> None:
    """Each mistake is a warning with file and line, the default is used, and the file is kept as .bak."""
    with caplog.at_level(logging.WARNING):
        app = play(file=text)
    assert f"preferences.yaml:{said}" in caplog.text or (said in caplog.text and "preferences.yaml:" in caplog.text)
    assert app.world[UiSettings].theme == "dark"
    assert (folder / "preferences.yaml.bak").read_text() == text


def test_the_valid_part_of_a_file_is_used(play: Play) -> None:
    """A mistake in one value does not affect the others."""
    app = play(file="theme: light\ntext_scale: large\n")
    assert (app.world[UiSettings].theme, app.world[UiSettings].text_scale) == ("light", 1.0)


def test_what_a_later_version_has_added_is_kept(play: Play, folder: Path) -> None:
    """Unknown keys, buses and actions, and the version, are written as they were read."""
    text = "version: 7\ncolors: {a: [1, {b: null}]}\nvolume: {choir: 0.5}\nkeys: {fly: [F]}\n"
    text += "player_keys: {2: {fly: [G]}}\n"
    app = play(file=text)
    app.world[Preferences].set("theme", "light")
    go(app)
    found = yaml.safe_load((folder / "preferences.yaml").read_text(encoding="utf-8"))
    assert found == yaml.safe_load(text) | {"theme": "light"}
    assert not (folder / "preferences.yaml.bak").exists()


NAMES = st.sampled_from(["theme", "language"])
KEYS = st.dictionaries(
    st.tuples(st.integers(0, 3), st.sampled_from(["jump", "go"])), st.lists(st.sampled_from(KEY_NAMES), unique=True)
)


@given(values=st.dictionaries(NAMES, st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]))), keys=KEYS)
def test_what_was_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, values: dict[str, str], keys: object
) -> None:
    """Any texts and keys are the same after writing and reading."""
    path = tmp_path_factory.getbasetemp() / "written.yaml"
    assert isinstance(keys, dict)
    content = Content({**values, "volume.music": 0.5}, keys)
    write_file(path, content)
    assert read_file(path) == (content, [])
