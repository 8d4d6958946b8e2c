"""The contract's tests of the verbs: opening and closing, window, pages, drawers, statistics, and bad input."""

from __future__ import annotations

import inspect
import pickle
from typing import Any, cast

import numpy as np
import pytest

from rish_ecs import UnknownName

from ..backend import CAPABILITIES, OPTIONAL_VERBS, VERBS, Backend
from ..errors import BackendError
from ..frame.batches import Batch, Material
from ..frame.frame import Frame
from ..frame.kinds import STANDARD_KINDS
from ..frame.passes import Pass
from .checks import ContractChecks, RecordingDrawer, assert_color, assert_rectangle
from .samples import (  # fmt: skip
    BLUE,
    GREEN,
    NO_PAGE,
    PAGE,
    RED,
    broken_batches,
    empty_batches,
    quad,
    sample_batches,
    sample_page,
)

BLACK = (0, 0, 0, 255)


class VerbTests(ContractChecks):
    """The tests that need no pixels; some of them check pixels as well if the backend has them."""

    def test_no_verb_is_missing(self, closed: Backend) -> None:
        """Each verb exists and accepts each argument of the contract by name."""
        for verb, parameters in self._verbs(closed).items():
            method = getattr(closed, verb, None)
            assert callable(method), f"the verb '{verb}' is missing"
            have = inspect.signature(method).parameters
            open_ended = any(p.kind is p.VAR_KEYWORD for p in have.values())
            for parameter in parameters:
                assert parameter in have or open_ended, f"{verb}() does not take '{parameter}'"

    def test_no_verb_is_too_many(self, closed: Backend) -> None:
        """The backend has no public methods except verbs and `extras`, and no verb has further required arguments.

        A verb that it may have is among its capabilities, or in `extras` if it is never called.
        """
        public = {name for name, _ in inspect.getmembers(type(closed), inspect.isfunction) if name[0] != "_"}
        allowed = public if self.extras is None else set(self._verbs(closed)) | self.extras
        assert public <= allowed, "name the methods that are no verbs in `extras`"
        for verb, parameters in self._verbs(closed).items():
            for name, p in inspect.signature(getattr(closed, verb)).parameters.items():
                optional = p.default is not p.empty or p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL)
                assert name in parameters or optional, f"{verb}() asks for '{name}', which nobody gives"

    @staticmethod
    def _verbs(backend: Backend) -> dict[str, tuple[str, ...]]:
        """Return the verbs that a backend must have, which includes those that its capabilities name."""
        return VERBS | {name: OPTIONAL_VERBS[name] for name in OPTIONAL_VERBS if name in backend.capabilities}

    def test_room_for_pages_may_be_reserved(self, backend: Backend) -> None:
        """`reserve` accepts new pages of any size; `image` then stores them."""
        if "reserve" not in backend.capabilities:
            return
        sizes = {901: (3, 5), 902: (300, 20), 903: (1, 1)}
        cast("Any", backend).reserve(sizes)
        for page, (width, height) in sizes.items():
            backend.image(page, np.zeros((height, width, 4), np.uint8))
            backend.free(page)

    @pytest.mark.parametrize("device", [0, 1, 250])
    def test_gamepads_may_rumble(self, backend: Backend, device: int) -> None:
        """`rumble` accepts every number of a device, connected or not, and every strength up to 1."""
        if "rumble" not in backend.capabilities:
            return
        for low, high, seconds in ((0.5, 1.0, 0.1), (0.0, 0.0, 0.0)):
            assert cast("Any", backend).rumble(device, low, high, seconds) is None

    @pytest.mark.parametrize("text", ["plain", "ünï ©ode 日本\nline", ""])
    def test_the_clipboard_may_keep_a_text(self, backend: Backend, text: str) -> None:
        """A text that was written to the clipboard is read again, or None if the clipboard is not available."""
        if "write_clipboard" not in backend.capabilities:
            return
        cast("Any", backend).write_clipboard(text)
        if "read_clipboard" in backend.capabilities:
            assert cast("Any", backend).read_clipboard() in (text, None)

    def test_the_screen_may_be_filled(self, backend: Backend) -> None:
        """`fullscreen` says whether a window fills the screen; a backend without a window ignores the wish."""
        if "fullscreen" not in backend.capabilities:
            return
        ask = cast("Any", backend).fullscreen
        assert ask() is False
        assert ask(True) in (True, False)
        assert ask() is ask(None)
        assert ask(False) is False

    def test_it_says_what_it_is(self, backend: Backend) -> None:
        """The backend has a lower-case name, known capabilities or ones of plugins, and the kind `sprites`."""
        assert backend.name
        assert backend.name == backend.name.lower()
        assert isinstance(backend.capabilities, frozenset)
        for name in backend.capabilities:
            assert name in CAPABILITIES or "." in name, f"the capability '{name}' is unknown"
        assert isinstance(backend.kinds, frozenset)
        assert "sprites" in backend.kinds
        assert backend.size == self.size

    def test_it_opens_and_closes_as_often_as_it_is_told(self, closed: Backend) -> None:
        """Closing a closed backend and opening an open one do nothing; a closed backend can be opened again."""
        closed.close()
        assert closed.size == (0, 0)
        closed.open("contract", self.size, False)
        closed.open("contract", self.size, False)
        assert closed.size == self.size
        closed.close()
        closed.close()
        assert closed.size == (0, 0)
        closed.open("again", self.size, False)
        assert closed.size == self.size
        closed.draw(self.scene())

    def test_it_refuses_to_draw_while_it_is_closed(self, closed: Backend) -> None:
        """`draw` raises BackendError while the backend is closed."""
        with pytest.raises(BackendError):
            closed.draw(self.scene())

    def test_poll_gives_a_list_of_window_events(self, backend: Backend) -> None:
        """`poll` returns a list of window events, which may be empty."""
        from rish_core import WindowEvent

        events = backend.poll()
        assert isinstance(events, list)
        assert all(isinstance(event, WindowEvent) for event in events)

    def test_it_can_be_configured(self, backend: Backend) -> None:
        """`configure` accepts every known option and raises UnknownName for an unknown one."""
        icon = np.full((16, 16, 4), 255, np.uint8)
        backend.configure(title="new title", cursor=True, vsync=False, icon=icon)
        with pytest.raises(UnknownName):
            backend.configure(titel="wrong")

    def test_the_pointer_may_be_held(self, backend: Backend) -> None:
        """`configure(lock=...)` holds the pointer and lets it go; a backend without a window ignores it."""
        for is_locked in (True, True, False, False):
            backend.configure(lock=is_locked)
            assert all(event.kind != "mouse_move" for event in (backend.poll() if is_locked else []))

    def test_it_can_be_presented(self, backend: Backend) -> None:
        """`present` works after drawing, with or without a window."""
        backend.draw(self.scene())
        backend.present()

    def test_it_changes_its_size(self, backend: Backend) -> None:
        """After `configure(size=...)` the screen has the new size in the next frame."""
        backend.configure(size=(80, 40))
        backend.poll()
        assert backend.size == (80, 40)
        frame = Frame((80, 40))
        frame.set_clear((1.0, 0.0, 0.0, 1.0))
        backend.draw(frame)
        picture = backend.pixels()
        assert picture.shape == (40, 80, 4)
        assert_color(picture, 79, 39, RED)

    def test_pictures_have_the_screens_size_and_the_clear_color(self, backend: Backend) -> None:
        """An empty frame gives uint8 pixels of the screen's size that equal the clear color exactly."""
        frame = self.scene()
        frame.set_clear((0.2, 0.4, 0.6, 1.0))
        backend.draw(frame)
        picture = backend.pixels()
        assert picture.shape == (self.size[1], self.size[0], 4)
        assert picture.dtype == np.uint8
        assert (picture == [51, 102, 153, 255]).all()

    def test_a_picture_is_a_copy(self, backend: Backend) -> None:
        """Writing to the result of `pixels` does not change the screen."""
        frame = self.scene()
        backend.draw(frame)
        backend.pixels()[...] = 99
        assert (backend.pixels() == BLACK).all()

    def test_a_target_that_does_not_exist_is_told(self, backend: Backend) -> None:
        """`draw` and `pixels` raise UnknownName for a target that does not exist."""
        frame = self.scene()
        frame.add_pass(Pass("lost", targets=("nowhere",)))
        with pytest.raises(UnknownName):
            backend.draw(frame)
        with pytest.raises(UnknownName):
            backend.pixels("nowhere")

    def test_pages_come_change_and_go(self, backend: Backend) -> None:
        """A page can be replaced by one of another size; it can be freed twice, and frames without it draw nothing."""
        frame = self.scene(quad(20, 20, 10, 10))
        backend.draw(frame)
        blue = np.tile(np.array(BLUE, np.uint8), (8, 32, 1))
        backend.image(PAGE, blue)
        backend.draw(frame)
        if "pixels" in backend.capabilities:
            assert_rectangle(backend.pixels(), 15, 15, 10, 10, BLUE, BLACK)
        backend.free(PAGE)
        backend.free(PAGE)
        backend.draw(frame)
        if "pixels" in backend.capabilities:
            assert_color(backend.pixels(), 20, 20, BLACK)

    def test_a_part_of_a_page_changes(self, backend: Backend) -> None:
        """If a page is sent again with a dirty rectangle, the new texels are shown."""
        page = sample_page()
        page[0:4, 0:4] = GREEN
        backend.image(PAGE, page, (0, 0, 4, 4))
        frame = self.scene(quad(20, 20, 10, 10))
        backend.draw(frame)
        if "pixels" in backend.capabilities:
            assert_rectangle(backend.pixels(), 15, 15, 10, 10, GREEN, BLACK)

    def test_a_change_of_the_frame_table_is_seen(self, backend: Backend) -> None:
        """After `set_frames`, sprites are drawn with the new frame table."""
        frame = self.scene(quad(20, 20, 10, 10))
        self.show_frame(backend, frame)
        table = frame.frames.copy()
        table[0] = [PAGE, 4, 0, 6, 2, 0]
        frame.set_frames(table)
        assert_rectangle(self.show_frame(backend, frame), 15, 15, 10, 10, RED, BLACK)

    def test_every_standard_kind_is_drawn_or_reported(self, backend: Backend) -> None:
        """Each standard kind is either drawn or reported."""
        for name, batch in sample_batches().items():
            frame = self.scene(batch)
            stats = backend.draw(frame)
            assert (name in stats.skipped) == (name not in backend.kinds), name

    def test_a_kind_that_it_does_not_know_is_skipped_and_reported(self, backend: Backend) -> None:
        """An unknown kind is skipped with a report, and all other batches are drawn."""
        frame = self.scene(Batch("contract.unheard_of", {"stars": np.zeros((3, 2), np.float32)}))
        frame.add(quad(20, 20, 10, 10, RED))
        stats = backend.draw(frame)
        if "contract.unheard_of" not in backend.kinds:
            assert list(stats.skipped) == ["contract.unheard_of"]
            assert stats.skipped["contract.unheard_of"]
        if "pixels" in backend.capabilities:
            assert_rectangle(backend.pixels(), 15, 15, 10, 10, RED, BLACK)

    def test_an_unknown_material_is_reported_and_the_plain_thing_drawn(self, backend: Backend) -> None:
        """A sprite whose shader is missing is drawn without it, and the material is reported."""
        self.need(backend, "pixels")
        frame = self.scene(quad(20, 20, 10, 10, RED, material=Material("contract.no_such_shader")))
        stats = backend.draw(frame)
        assert list(stats.skipped) == ["material:contract.no_such_shader"]
        assert_rectangle(backend.pixels(), 15, 15, 10, 10, RED, BLACK)

    def test_a_drawer_is_asked_for_its_kind_in_order(self, backend: Backend) -> None:
        """A drawer is called for the batches of its kind in order of layers, with device, target, batch and pass."""
        drawer = RecordingDrawer()
        backend.add_drawer("contract.dots", drawer)
        assert "contract.dots" in backend.kinds
        frame = self.scene()
        late = frame.add(Batch("contract.dots", {"dots": np.zeros(2)}, layer=3))
        frame.add(quad(5, 5, 2, 2, layer=2))
        early = frame.add(Batch("contract.dots", {"dots": np.zeros(1)}, layer=1))
        stats = backend.draw(frame)
        assert not stats.skipped
        assert [arguments[2] for arguments in drawer.asked] == [early, late]
        device, target, _, pass_ = drawer.asked[0]
        assert device is backend.device
        assert target.size == self.size
        assert target.frame is frame
        assert pass_ is frame.passes["main"]

    def test_a_drawer_may_use_the_threads_of_the_backend(self, backend: Backend) -> None:
        """`DrawTarget.run` calls the work once for each band before it returns, and raises the exception of a call."""
        drawer = RecordingDrawer()
        backend.add_drawer("contract.bands", drawer)
        backend.draw(self.scene(Batch("contract.bands", {"bands": np.zeros(1)})))
        run = drawer.asked[0][1].run
        bands = [(first, first + 3) for first in range(0, 60, 3)]
        called_bands: list[tuple[int, int]] = []
        run(bands, lambda first, last: called_bands.append((first, last)))
        assert sorted(called_bands) == bands
        run([], lambda first, last: called_bands.append((first, last)))
        assert len(called_bands) == len(bands)
        with pytest.raises(ZeroDivisionError):
            run(bands, lambda first, last: 1 // (first - 30))

    def test_a_drawer_that_needs_too_much_is_skipped_and_reported(self, backend: Backend) -> None:
        """The report of a drawer that is skipped names the missing capability."""
        drawer = RecordingDrawer("contract.rays")
        backend.add_drawer("contract.rays", drawer)
        frame = self.scene(Batch("contract.rays", {"rays": np.zeros(2)}))
        stats = backend.draw(frame)
        assert "contract.rays" in stats.skipped["contract.rays"]
        assert drawer.asked == []

    def test_drawing_is_counted(self, backend: Backend) -> None:
        """The statistics give the exact number of instances and passes, and at least one draw call."""
        frame = self.scene()
        for x in (10, 20, 30):
            frame.add(quad(x, 20, 4, 4))
        stats = backend.draw(frame)
        assert stats.instances == 3
        assert stats.draw_calls >= 1
        assert stats.passes == 1

    def test_drawing_leaves_the_frame_as_it_was(self, backend: Backend) -> None:
        """Drawing does not change the frame's passes, targets, batches and arrays."""
        frame = self.scene()
        for batch in sample_batches().values():
            frame.add(batch)
        frame.passes["main"].batches.reverse()
        before = _picture_of(frame)
        backend.draw(frame)
        assert _picture_of(frame) == before

    def test_the_same_frame_gives_the_same_picture(self, backend: Backend) -> None:
        """A frame gives the same pixels when it is drawn twice, and after another frame was drawn in between."""
        frame = self.scene()
        for k, batch in enumerate(sample_batches(31.3, 22.7, 21.9, (200, 100, 50, 180)).values()):
            batch.layer, batch.version = k, 1
            frame.add(batch)
        backend.draw(frame)
        first = backend.pixels()
        backend.draw(frame)
        assert (backend.pixels() == first).all()
        backend.draw(self.scene())
        backend.draw(frame)
        assert (backend.pixels() == first).all()

    @pytest.mark.parametrize("kind", sorted(STANDARD_KINDS))
    def test_empty_batches_draw_nothing(self, backend: Backend, kind: str) -> None:
        """A batch without things is valid and draws nothing."""
        frame = self.scene(empty_batches()[kind])
        backend.draw(frame)
        assert (backend.pixels() == BLACK).all()

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30, -1e30, 1e7])
    @pytest.mark.parametrize("kind", sorted(STANDARD_KINDS))
    def test_broken_and_huge_numbers_harm_nobody(self, backend: Backend, kind: str, value: float) -> None:
        """Batches after one with NaN, infinite or huge numbers are drawn."""
        frame = self.scene(broken_batches(value)[kind], quad(20, 20, 10, 10, RED, layer=1))
        backend.draw(frame)
        if "pixels" in backend.capabilities:
            assert_color(backend.pixels(), 20, 20, RED)

    def test_frames_and_pages_that_are_missing_draw_nothing(self, backend: Backend) -> None:
        """A frame number beyond the frame table, and a frame whose page does not exist, draw nothing."""
        frame = self.scene(quad(20, 20, 10, 10, frame=NO_PAGE), quad(40, 20, 10, 10, frame=60000))
        backend.draw(frame)
        assert (backend.pixels() == BLACK).all()


def _picture_of(frame: Frame) -> bytes:
    """Return the contents of a frame in a form that can be compared."""
    return pickle.dumps((frame.passes, frame.targets, frame.frames, frame.frames_version))
