"""Helpers of the contract: the choice of a backend, the upload of pages, reports of skipped batches."""

from __future__ import annotations

import numpy as np
import pytest

from rish_ecs import UnknownName
from rish_frame.backend import VERBS, Backend, DrawStats, check_options, missing_needs, open_backend, sync_pages, wish
from rish_frame.errors import BackendError
from rish_frame.frame.frame import Frame, Page
from rish_frame.null import NullBackend


class Broken(NullBackend):
    """A backend that can't open on this machine."""

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Raise an error."""
        raise ImportError("No module named 'arcade.gl'\nmore lines", name="arcade.gl")


def test_the_contract_is_ten_verbs() -> None:
    """The contract has ten methods; a new one needs changes in this test, the docs and every backend."""
    assert list(VERBS) == [
        "open", "poll", "image", "free", "add_drawer", "draw", "pixels", "present", "configure", "close",
    ]  # fmt: skip
    assert VERBS["image"] == ("page", "pixels", "dirty")
    assert isinstance(NullBackend(), Backend)


def test_the_first_backend_that_opens_is_taken_and_the_reason_reported() -> None:
    """The first backend that opens is chosen; the reason has earlier failures, their errors and hints."""
    backend, reason = open_backend({"gl": Broken, "null": NullBackend}, title="x", size=(8, 6))
    assert backend.size == (8, 6)
    assert reason == (
        "the backend is 'null' because it is the first that opens; "
        "'gl' did not open (ImportError: No module named 'arcade.gl'\\nmore lines), "
        "install the package that has the module 'arcade'"
    )


def test_a_backend_without_sprites_is_refused_with_the_reason() -> None:
    """Every backend has the kind `sprites`; one without it is closed again, and the reason names what it has."""

    class Bare(NullBackend):
        kinds = frozenset({"shapes"})  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    backend, reason = open_backend({"bare": Bare, "null": NullBackend}, title="x", size=(8, 6))
    assert backend.name == "null"
    assert "'bare' did not open (its `kinds` lack 'sprites'" in reason
    assert "it has: shapes)" in reason


def test_the_wanted_backend_comes_first() -> None:
    """A requested backend is tried first, and the reason has the origin of the request."""
    name, why = wish("null", "gl", None)
    _, reason = open_backend({"gl": Broken, "null": NullBackend}, name, why)
    assert reason == "the backend is 'null' because --backend selects it"


def test_a_wanted_backend_that_fails_falls_back_unless_that_is_forbidden() -> None:
    """If a requested backend fails, another is chosen with one log line; if that is forbidden, an error is raised."""
    _, reason = open_backend({"null": NullBackend, "gl": Broken}, "gl", "RISH_BACKEND selects it")
    assert reason.startswith("the backend is 'null' because it is the first that opens; 'gl' did not open")
    with pytest.raises(BackendError, match="no backend opens: 'gl' did not open"):
        open_backend({"null": NullBackend, "gl": Broken}, "gl", fallback=False)


def test_a_factorys_own_hint_is_reported() -> None:
    """A hint of the backend's factory is part of the message."""

    def make() -> NullBackend:
        raise OSError("no libGL")

    make.install_hint = "apt install libgl1"
    with pytest.raises(BackendError, match=r"'gl' did not open \(OSError: no libGL\), apt install libgl1"):
        open_backend({"gl": make})


def test_an_unknown_backend_is_reported_with_the_nearest() -> None:
    """An unknown backend is an error with the nearest name, not a choice of another one."""
    with pytest.raises(UnknownName, match=r"no backend is called 'nul' \(did you mean 'null'\?\)"):
        open_backend({"null": NullBackend}, "nul")
    with pytest.raises(BackendError, match="no backend opens: there is none"):
        open_backend({})


def test_a_backend_that_fails_to_open_is_closed() -> None:
    """A backend that fails to open is closed, since it may hold resources."""
    closed = []

    class Half(Broken):
        def close(self) -> None:
            closed.append(True)

    open_backend({"half": Half, "null": NullBackend})
    assert closed == [True]


def test_the_command_line_outweighs_the_environment_and_that_the_manifest() -> None:
    """The command line overrides the environment, which overrides the manifest; an empty value is ignored."""
    assert wish("a", "b", "c") == ("a", "--backend selects it")
    assert wish(None, "b", "c") == ("b", "RISH_BACKEND selects it")
    assert wish("", "", "c") == ("c", "the manifest selects it")
    assert wish(None, None, None)[0] is None


def test_room_for_several_new_pages_is_reserved_before_they_are_handed_over() -> None:
    """A backend with `reserve` gets the sizes of all new pages, width first, before the first of them."""
    backend, frame, known = NullBackend(), Frame(), {}
    backend.open("test", (4, 4))
    frame.pages += [Page(number, np.zeros((2, 3 + number, 4), np.uint8)) for number in (1, 2)]
    sync_pages(backend, frame, known)
    frame.pages[0].version += 1
    sync_pages(backend, frame, known)
    assert [verb for verb, _ in backend.calls] == ["open", "reserve", "image", "image", "image"]
    assert backend.calls[1][1] == {"sizes": {1: (4, 2), 2: (5, 2)}}


def test_pages_are_handed_over_when_they_change_and_freed_when_they_are_gone() -> None:
    """Pages are uploaded when they change and freed when they are removed.

    Only the changed part is uploaded if no version was missed in between.
    """
    backend, frame, known = NullBackend(), Frame(), {}
    backend.open("test", (4, 4))
    page = Page(7, np.zeros((4, 4, 4), np.uint8))
    frame.pages.append(page)
    assert sync_pages(backend, frame, known) == 64
    assert sync_pages(backend, frame, known) == 0
    page.version, page.dirty = 1, (0, 0, 2, 2)
    sync_pages(backend, frame, known)
    page.version = 3
    sync_pages(backend, frame, known)
    frame.pages.clear()
    sync_pages(backend, frame, known)
    assert [arguments["dirty"] for verb, arguments in backend.calls if verb == "image"] == [
        None,
        (0, 0, 2, 2),
        None,
    ]
    assert backend.calls[-1] == ("free", {"page": 7})
    assert known == {}


def test_what_is_skipped_is_a_sentence() -> None:
    """A kind is skipped for the first reason, and a sentence says so."""
    stats = DrawStats()
    stats.skip("lights", "no drawer for this kind")
    stats.skip("lights", "another reason")
    assert stats.sentences == ["'lights' is not drawn: no drawer for this kind"]


def test_a_drawer_says_what_it_needs() -> None:
    """A drawer declares its needs, and missing ones are reported in order."""

    class Fancy:
        needs = frozenset({"depth", "rays", "magic"})

        def draw(self, device, target, batch, pass_) -> None:
            """Do nothing."""

    assert missing_needs(Fancy(), NullBackend()) == "its drawer needs magic, rays, which 'null' does not support"
    Fancy.needs = frozenset()
    assert missing_needs(Fancy(), NullBackend()) is None


def test_unknown_options_are_refused() -> None:
    """Unknown options are rejected with the nearest one that exists."""
    check_options({"title": "x", "vsync": True})
    with pytest.raises(UnknownName, match="did you mean 'fullscreen'"):
        check_options({"fulscreen": True})
