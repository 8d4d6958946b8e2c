"""Lists of kernels: they come back from their files, mistakes are located, and what is gone is passed over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import rish_jit
from rish_jit import Listed
from rish_jit.ahead.lists import select
from rish_jit.errors import Place, UsageError

from ..conftest import ADD, CALLER, Workshop

words = st.text("aBé_-19", min_size=1, max_size=6)
kernels = st.lists(words, min_size=2, max_size=4).map(".".join)
types = st.sampled_from(["()", "(i8,)", "(f4[::1], i8)", "(f4![:, ::1], =3, (f8, b1), none)"])
features = st.frozensets(words, min_size=1, max_size=4).map(lambda names: tuple(sorted(names)))
entries = st.lists(st.builds(Listed, kernels, types, features), max_size=8)


@pytest.fixture(scope="module")
def file() -> Iterator[Path]:
    """Return the path of a list in a new folder."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / rish_jit.LIST_FILE


@settings(deadline=None, max_examples=60)
@given(entries)
def test_a_list_comes_back_from_its_file(file: Path, found: list[Listed]) -> None:
    """A list that is written and read again has the same entries in the same order."""
    rish_jit.write_list(file, found)
    assert rish_jit.read_list(file) == found
    text = file.read_text(encoding="utf-8")
    rish_jit.write_list(file, rish_jit.read_list(file))
    assert file.read_text(encoding="utf-8") == text


def test_a_list_may_be_written_by_hand(file: Path) -> None:
    """Comments, empty lines and spaces around the parts of a line do not count."""
    file.write_text("# by hand\n\n  pack.one|(i8,)  |b ,a\n   \npack.two | () | a\n", encoding="utf-8")
    assert rish_jit.read_list(file) == [Listed("pack.one", "(i8,)", ("b", "a")), Listed("pack.two", "()", ("a",))]


@pytest.mark.parametrize(
    "line", ["pack.one", "pack.one | (i8,)", "pack.one | (i8,) | a | b", "| (i8,) | a", "pack.one || a", "a | b |", "|"]
)
def test_a_mistake_is_located(line: str, file: Path) -> None:
    """A line that is no entry raises UsageError with its file, its number, its text and the right form."""
    file.write_text(f"# a comment\npack.one | (i8,) | a\n{line}\npack.two | (i8,) | a\n", encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        rish_jit.read_list(file)
    assert caught.value.where == Place(str(file), 3)
    assert str(caught.value).startswith(f"{file}:3: ")
    assert repr(line) in str(caught.value)
    assert "`module.kernel | (types) | feature, feature`" in str(caught.value)


@settings(deadline=None, max_examples=60)
@given(entries, st.lists(words, max_size=3))
def test_features_select_their_kernels(found: list[Listed], wanted: list[str]) -> None:
    """Exactly the entries that name one of the features are selected, in the order of the list."""
    wanted += [found[0].features[0]] if found else []
    slowly = [each for each in found if any(feature in wanted for feature in each.features)]
    assert select(found, wanted) == slowly


@pytest.mark.parametrize("kernel", ["no_module.add", "parts.gone", "parts.CONSTANT", "parts.make.<locals>.inner"])
def test_what_is_no_kernel_any_more_is_passed_over(kernel: str, workshop: Workshop) -> None:
    """An entry whose module or kernel is gone, or is no kernel, is found nowhere and not missed in the cache."""
    module = workshop.start(ADD.format(1) + "CONSTANT = 5\n")
    gone, there = Listed(kernel, "(i8,)", ("a",)), Listed("parts.add", "(i8,)", ("a",))
    assert gone.find() is None
    assert there.find() is module.add
    assert rish_jit.missing([gone, there]) == [there]
    assert module.add(1) == 2
    assert rish_jit.missing([gone, there]) == []
    assert (rish_jit.stored(gone), rish_jit.stored(there)) == (None, workshop.used[0])


def test_a_star_names_the_form_that_only_kernels_call(workshop: Workshop) -> None:
    """The form of a kernel that Python calls, and the one that other kernels call, are listed and stored separately."""
    outer, inner, caller = Listed("parts.add", "(i8,)"), Listed("parts.add*", "(i8,)"), Listed("parts.work", "(i8, i8)")
    module = workshop.start(CALLER)
    assert outer.find() is inner.find() is module.add
    assert (outer.inner, inner.inner) == (False, True)
    assert module.work(1, 2) == 5
    assert rish_jit.missing([outer, inner, caller]) == [outer]
    assert module.add(1) == 2
    assert rish_jit.missing([outer, inner, caller]) == []


@pytest.mark.parametrize("kernel", ["add", ".add", "..parts.add"])
def test_a_name_without_a_module_is_passed_over(kernel: str) -> None:
    """An entry that names no module is found nowhere."""
    assert Listed(kernel, "(i8,)").find() is None
