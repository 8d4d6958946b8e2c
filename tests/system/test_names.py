"""Names that files may have on every system."""

from __future__ import annotations

import ntpath
from pathlib import PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_system import folded, folder_name, new_id, same_names, unportable, wrong_path

LETTERS = st.text(st.sampled_from("aAxXéÉ1.:/\\~% <\x07\u202e\uff0f"), max_size=8)
STEMS = st.sampled_from(["con", "NUL", "Aux", "prn", "com1", "LPT9", "CONIN$", "conout$", "com0", "console", "cat"])
ENDS = st.sampled_from(["", ".yaml", ".tar.gz", ".", " ", " .txt", "x"])


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("aux.yaml", "device"), ("images/Nul.png", "device"), ("com¹.png", "device"), ("con .txt", "device"),
        ("conin$", "device"), ("a./b.png", "ends in a dot"), ("a /b.png", "ends in a dot or a space"),
        ("assets\\ball.png", "backslash"), ("C:/ball.png", "colon"), ("C:ball.png", "colon"),
        ("//server/a", "absolute"), ("\\\\server\\a", "absolute"),
        ("a/../b", "leads out"), ("..", "leads out"), ("a:b", "colon"),
        ("a?.png", "characters"), ("a\nb", "characters"), ("~/a", "~"), ("a%2fb", "% escape"),
        ("a\uff0f..\uff0fb", "leads out"), ("\uff43on", "device"),
    ],
)  # fmt: skip
def test_a_path_that_differs_between_systems_is_refused(path: str, reason: str) -> None:
    """Each spelling that means something else on some system is refused, with the reason."""
    assert reason in (wrong_path(path) or "")


@pytest.mark.parametrize("path", ["ball.png", "./ball.png", "a/b c/d.e.png", "übung/鳥.png", "console.yaml", "com10"])
def test_usual_paths_are_allowed(path: str) -> None:
    """Spaces, dots, other languages, and names that only begin like a device are allowed."""
    assert wrong_path(path) is None


@given(STEMS, ENDS)
def test_what_windows_reserves_is_refused(stem: str, end: str) -> None:
    """Every name that Python knows to be reserved on Windows is refused, and no folder of a game gets one."""
    name = stem + end
    reserved = ntpath.isreserved(name) if hasattr(ntpath, "isreserved") else PureWindowsPath(name).is_reserved()
    assert not reserved or wrong_path(name) is not None
    assert wrong_path(folder_name(name)) is None
    first, second = new_id(name), new_id(name)
    assert wrong_path(first) is None
    assert folder_name(first) == first != second


@given(LETTERS)
def test_an_allowed_path_stays_inside_on_windows_too(path: str) -> None:
    """No allowed path leaves its folder, by the rules of `ntpath`, and none is changed there."""
    if wrong_path(path) is None:
        joined = ntpath.normpath(ntpath.join("C:\\games\\pond", path))
        assert joined == "C:\\games\\pond" or joined.startswith("C:\\games\\pond\\")


@given(st.lists(LETTERS.map(lambda text: text.replace("/", "")).filter(bool), max_size=4))
def test_names_that_some_system_takes_for_the_same_are_found(names: list[str]) -> None:
    """There are two such names if and only if the names are fewer when they are folded, compared with all pairs."""
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if folded(a) == folded(b)]
    assert (same_names(names) is not None) == bool(pairs)


def test_a_folder_and_a_file_of_one_name_are_found() -> None:
    """A file that some systems take for the folder of another is found, and so are two spellings of one folder."""
    assert same_names(["Images", "images/a.png"]) == ("Images", "images/a.png")
    assert same_names(["a/b.png", "A/c.png"]) == ("a", "A/c.png")
    assert same_names(["é.png", "e\u0301.png"]) == ("é.png", "e\u0301.png")
    assert same_names(["a/b.png", "a/c.png", "b/a.png"]) is None


def test_files_that_can_t_be_copied_are_listed() -> None:
    """Each has its reason: a device, a long path, a second spelling. What is only refused in manifests may stay."""
    names = ["ball.png", "Ball.PNG", "aux.yaml", "~a.png", "100%25.png", "x" * 130, "/".join(["folder"] * 40)]
    reasons = unportable(names)
    assert list(reasons) == ["aux.yaml", "x" * 130, names[-1], "Ball.PNG"]
    assert "same file as ball.png" in reasons["Ball.PNG"]
    assert "180 characters" in reasons[names[-1]]
