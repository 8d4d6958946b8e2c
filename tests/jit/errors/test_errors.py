"""Errors: every message has the same form, and typing mistakes are answered with the nearest name."""

from __future__ import annotations

import logging
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from rish_core import ManifestError
from rish_jit import errors
from rish_jit.errors import (
    Place,
    Problem,
    RishError,
    UnknownName,
    UsageError,
    did_you_mean,
    nearest,
    place_of,
    place_of_error,
    place_of_record,
    shorten_path,
)


def test_a_place_leaves_out_what_is_unknown() -> None:
    """Line and column are shown only if they are known."""
    assert str(Place("game.yaml")) == "game.yaml"
    assert str(Place("game.yaml", 3)) == "game.yaml:3"
    assert str(Place("game.yaml", 3, 7)) == "game.yaml:3:7"


def test_a_problem_names_place_path_and_what() -> None:
    """A problem is shown with place, path and message; an empty path is left out."""
    place = Place("g.yaml", 2, 1)
    assert str(Problem(place, "game.size", "is wrong")) == "g.yaml:2:1: game.size: is wrong"
    assert str(Problem(place, "", "is wrong")) == "g.yaml:2:1: is wrong"


def test_problems_come_sorted_by_place() -> None:
    """Problems are sorted by place."""
    found = [Problem(Place("g.yaml", line), "", "x") for line in (9, 2, 10)]
    error = ManifestError(found)
    assert [problem.place.line for problem in error.problems] == [2, 9, 10]
    assert str(error).splitlines()[0] == "3 mistakes in the manifest"
    assert str(ManifestError(found[:1])).startswith("1 mistake in")


def test_nearest_forgives_case_and_slips() -> None:
    """`nearest` tolerates typing mistakes and another case, and returns None for anything else."""
    assert nearest("Bdoy", ["Body", "Wind"]) == "Body"
    assert nearest("body", ["Body", "Wind"]) == "Body"
    assert nearest("quaternion", ["Body", "Wind"]) is None
    assert nearest("x", []) is None
    assert did_you_mean("Bdoy", ["Body"]) == " (did you mean 'Body'?)"
    assert did_you_mean("Body", ["Body"]) == ""
    assert did_you_mean("zzz", ["Body"]) == ""


def test_a_sentence_holds_place_culprit_choices_and_next_step() -> None:
    """An error has place, message, suggestion, choices and hint, in the text in that order and as attributes."""
    error = RishError(
        "no component is called 'Bdoy'",
        where=Place("g.yaml", 4, 5),
        given="Bdoy",
        choices=["Wind", "Body"],
        hint="Mend the name",
    )
    sentence = "g.yaml:4:5: no component is called 'Bdoy' (did you mean 'Body'?). Choices: Body, Wind. Mend the name"
    assert str(error) == sentence
    assert (error.what, error.hint, error.choices) == (
        "no component is called 'Bdoy'",
        "Mend the name",
        ["Body", "Wind"],
    )


def test_many_choices_are_cut_short() -> None:
    """Twelve choices are shown, and the others counted."""
    error = RishError("what", choices=[f"n{i:02}" for i in range(20)])
    assert str(error).endswith("n11 and 8 more")


def test_subclasses_are_caught_as_the_builtin_errors_they_stand_for() -> None:
    """Errors can be caught as LookupError, TypeError and ValueError."""
    assert issubclass(UnknownName, LookupError)
    assert issubclass(errors.StaleEntity, LookupError)
    assert issubclass(errors.NotYet, LookupError)
    assert issubclass(errors.DeclarationError, TypeError)
    assert issubclass(UsageError, ValueError)
    assert str(UnknownName("no such thing")) == "no such thing"


def test_place_of_a_function_and_a_class() -> None:
    """`place_of` returns the file and line of a definition."""

    class Here:
        pass

    own = shorten_path(__file__)
    place = place_of(test_place_of_a_function_and_a_class)
    assert (place.file, place.line) == (own, test_place_of_a_function_and_a_class.__code__.co_firstlineno)
    assert place_of(Here).file == own
    assert place_of(Here).line > place.line
    assert place_of(int).file == "builtins"


def test_place_of_an_error_is_its_deepest_frame_outside_the_kernel() -> None:
    """The place of an error is its deepest frame outside of the kernel, so it is a line of the author."""
    with pytest.raises(AttributeError) as caught:
        place_of_error(None)  # pyright: ignore[reportArgumentType]
    assert place_of_error(caught.value).file == shorten_path(__file__)
    assert place_of_error(ValueError("never raised")) == Place("?")


def test_place_of_a_syntax_error_is_in_the_file_that_could_not_be_read(tmp_path: Path) -> None:
    """The place of a syntax error is in the file that contains it."""
    path = tmp_path / "plugin.py"
    path.write_text(textwrap.dedent("x = 1\ndef broken(:\n"))
    with pytest.raises(SyntaxError) as caught:
        compile(path.read_text(), str(path), "exec")
    place = place_of_error(caught.value)
    assert (place.file, place.line) == (str(path), 2)


def test_paths_are_shown_from_the_working_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A path below the working directory is shortened, any other is shown completely."""
    monkeypatch.chdir(tmp_path)
    assert shorten_path(tmp_path / "a" / "b.yaml") == str(Path("a") / "b.yaml")
    assert shorten_path("/elsewhere/b.yaml") == "/elsewhere/b.yaml"


class Kept(logging.Handler):
    """Keeps the records of a log."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.records.append(record)


@pytest.fixture
def log() -> Iterator[tuple[logging.Logger, Kept]]:
    """Provide a logger and the handler that keeps its records."""
    logger, kept = logging.getLogger("rish.errors_test"), Kept()
    logger.addHandler(kept)
    yield logger, kept
    logger.removeHandler(kept)


def failing() -> None:
    """Raise an error at a known line."""
    raise ZeroDivisionError


def test_a_record_names_the_line_that_logged(log: tuple[logging.Logger, Kept]) -> None:
    """Without an error or place in the message, the place of a record is the call that logged it."""
    log[0].warning("%d coins", 3)
    found = place_of_record(log[1].records[0])
    assert found is not None
    assert Path(found.file).name == "test_errors.py"
    assert found.line == test_a_record_names_the_line_that_logged.__code__.co_firstlineno + 2


def test_a_record_names_the_place_of_its_error(log: tuple[logging.Logger, Kept]) -> None:
    """A place in the values of the message counts, then that of an error, of its cause, or of its traceback."""
    line = failing.__code__.co_firstlineno + 2
    there = Place("game.yaml", 7)
    outer = RishError("it failed", where="system 'wind.blow'")
    outer.__cause__ = RishError("inner", where=there)
    try:
        failing()
    except ZeroDivisionError as error:
        raised = RishError("no place")
        raised.__cause__ = error
        log[0].warning("%s: %s", 1, there)
        log[0].warning("%(error)s", {"error": RishError("bad", where=there)})
        log[0].warning("%s", outer)
        log[0].error(outer)
        log[0].error("a sentence", extra={"about": outer})
        log[0].error("%s", ManifestError([Problem(Place("game.yaml", 9), "", "x"), Problem(there, "", "y")]))
        log[0].warning("%s", error)
        log[0].exception("it broke")
        log[0].warning("%s", raised)
    places = [place_of_record(record) for record in log[1].records]
    assert places[:6] == [there] * 6
    assert [place.line for place in places[6:] if place is not None] == [line] * 3


def test_a_record_without_a_file_has_no_place() -> None:
    """A record that was made without a file, as by another program, has no place."""
    assert place_of_record(logging.LogRecord("rish", logging.INFO, "", 0, "said", (), None)) is None
