"""The test kit finds the faults that it should, and imports nothing that a small test does not need."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_ecs import RishError, UnknownName, UsageError
from rish_frame import NullBackend
from rish_frame.testing import BackendContract, compare_pictures, measure, save_picture

SIZE = (240, 320)
GROUND = (20, 30, 40)


def scene(missing: int = -1, shift: int = 0, noise: int = 0) -> np.ndarray:
    """Return an image of 48 small sprites on a plain ground, uint8 (240, 320, 4)."""
    random = np.random.default_rng(11)
    picture = np.empty((*SIZE, 4), np.uint8)
    picture[...] = (*GROUND, 255)
    for k in range(48):
        x, y = 20 + (k % 8) * 36 + int(random.integers(8)), 20 + (k // 8) * 34 + int(random.integers(8))
        sprite = random.integers(60, 255, (4, 4, 3)).repeat(3, axis=0).repeat(3, axis=1)
        if k != missing:
            picture[y : y + 12, x + shift : x + shift + 12, :3] = sprite
    jitter = np.random.default_rng(5).integers(-noise, noise + 1, (*SIZE, 3))
    picture[..., :3] = np.clip(picture[..., :3].astype(int) + jitter, 0, 255)
    return picture


@pytest.fixture
def reference(tmp_path: Path) -> Path:
    """The scene as a file."""
    return save_picture(scene(), tmp_path / "pictures" / "scene.png")


def test_equal_pictures_pass(reference: Path) -> None:
    """Equal images pass, and the figures are zero."""
    found = compare_pictures(scene(), reference)
    assert (found.mean, found.p99, found.ssim, found.worst) == (0, 0, pytest.approx(1), pytest.approx(1))
    assert 0.3 < found.busy < 0.8


def test_rounding_passes(reference: Path) -> None:
    """Differences by rounding pass, since two backends never agree to the last bit."""
    assert compare_pictures(scene(noise=1), reference).mean > 0.5


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(scene() * np.array([0, 0, 0, 1], np.uint8), id="all black"),
        pytest.param(np.full((*SIZE, 4), (*GROUND, 255), np.uint8), id="nothing drawn"),
        pytest.param(scene(shift=1), id="shifted by a pixel"),
        pytest.param(scene(missing=17), id="one sprite missing"),
        pytest.param(scene()[::-1], id="upside down"),
        pytest.param(scene()[..., [2, 1, 0, 3]], id="red and blue swapped"),
        pytest.param(scene(noise=20), id="noisy"),
    ],
)
def test_what_a_person_would_see_fails(picture: np.ndarray, reference: Path) -> None:
    """Each fault that is visible to a person fails."""
    with pytest.raises(AssertionError, match="allowed at"):
        compare_pictures(picture, reference)


def test_any_single_sprite_is_missed(reference: Path) -> None:
    """A single missing sprite fails, wherever it was in the scene."""
    for k in range(0, 48, 7):
        with pytest.raises(AssertionError):
            compare_pictures(scene(missing=k), reference)


def test_a_failure_writes_both_pictures_and_their_difference(reference: Path) -> None:
    """A failure writes both images and their difference next to the reference, and the message has the path."""
    from PIL import Image

    with pytest.raises(AssertionError, match=r"similarity of tile \(\d+, \d+\) .*: .*scene\.png"):
        compare_pictures(scene(missing=3), reference)
    written = reference.parent / "failed" / "scene.png"
    sheet = np.asarray(Image.open(written))
    assert sheet.shape == (240, 3 * 320 + 16, 3)
    assert (sheet[:, :320] == scene(missing=3)[..., :3]).all()
    assert (sheet[:, 328:648] == scene()[..., :3]).all()
    assert sheet[:, 656:].any()


def test_pictures_of_different_sizes_fail(reference: Path, tmp_path: Path) -> None:
    """Images of different sizes fail, and are written as well."""
    with pytest.raises(AssertionError, match="the sizes differ"):
        compare_pictures(scene()[:100], reference, failures=tmp_path / "out")
    assert (tmp_path / "out" / "scene.png").is_file()


def test_a_scene_must_have_content(reference: Path) -> None:
    """A scene with almost no content is rejected, since its test would prove almost nothing."""
    with pytest.raises(AssertionError, match="share of tiles with content"):
        compare_pictures(scene(), reference, busy=0.95)


def test_pixels_can_be_compared_without_a_file(tmp_path: Path) -> None:
    """Two arrays of pixels can be compared without a file, as of two backends."""
    compare_pictures(scene(noise=1), scene())
    with pytest.raises(AssertionError, match=r"two\.png"):
        compare_pictures(scene(shift=1), scene(), name="two", failures=tmp_path)


def test_references_are_saved_on_request_of_the_environment(tmp_path: Path, monkeypatch: Any) -> None:
    """RISH_SAVE_PICTURES=1 writes the file and its folders; without it a missing file is reported."""
    path = tmp_path / "new" / "picture.png"
    with pytest.raises(UsageError, match="RISH_SAVE_PICTURES=1"):
        compare_pictures(scene(), path)
    monkeypatch.setenv("RISH_SAVE_PICTURES", "1")
    compare_pictures(scene(), path)
    monkeypatch.delenv("RISH_SAVE_PICTURES")
    compare_pictures(scene(), path)


def test_what_is_no_picture_is_refused() -> None:
    """A wrong dtype or shape raises an error of its own, not a difference of images."""
    with pytest.raises(UsageError, match="must be uint8"):
        measure(np.zeros((4, 4, 4)), scene())
    with pytest.raises(UsageError, match="differ in size"):
        measure(scene()[:16], scene())


def test_two_empty_pictures_are_equal() -> None:
    """Two empty images are equal; there is no tile of content to average."""
    empty = np.zeros((33, 17, 4), np.uint8)
    assert measure(empty, empty).busy == 0


def test_importing_the_kit_is_light() -> None:
    """Importing the kit loads little, since pytest loads it in every project with rish-core."""
    heavy = [
        "numba",
        "PIL",
        "pydantic",
        "rich",
        "arcade",
        "pyglet",
        "rish_core.app",
        "rish_core.manifest",
        "rish_core.plugin",
    ]
    code = f"import sys, rish_devtools.testing; print([m for m in {heavy!r} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_a_world_is_made_from_classes(rish_world: Any) -> None:
    """`rish_world` makes a world from components and resources, without a manifest."""
    from rish_ecs import component

    @component
    class Spin:
        """A component with one field."""

        speed: float = 1.0

    world = rish_world(Spin, seed=3)
    entity = world.spawn(Spin(speed=2.0))
    assert world.get(entity, Spin).speed == 2.0


def test_an_app_is_made_from_a_mapping_a_text_or_a_path(rish_app: Any, tmp_path: Path) -> None:
    """`rish_app` takes a mapping, a text or a path; it runs headless, drawn on a null backend that checks frames."""
    text = "rish: 1\ngame: {title: T}\nplugins: []\nscenes: {main: []}\n"
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "game.yaml").write_text(text)
    for manifest in (None, {"game": {"title": "T"}}, text, tmp_path / "own"):
        app = rish_app(manifest)
        app.run(frames=2)
        assert (app.host.name, app.world.tick) == ("unseen", 2)
    for options in ({"backend": "null"}, {"installed": ["frame"]}, {"installed": ["render"]}):
        app = rish_app({}, **options)
        app.run(frames=2)
        assert isinstance(app.host.backend, NullBackend)
        assert app.host.size == (64, 48)


def test_an_app_sees_only_the_plugins_it_is_given(rish_app: Any) -> None:
    """An App has only the given plugins: an installed one that was not named is unknown."""
    seen: list[str] = []
    plugin = SimpleNamespace(__name__="mine", rish_ready=lambda app: seen.append("ready"))
    rish_app(plugins={"mine": plugin})
    assert seen == ["ready"]
    with pytest.raises(RishError, match="render"):
        rish_app({"plugins": ["render"]})
    with pytest.raises(UnknownName, match="'rendr' is installed"):
        rish_app(installed=["rendr"])


def test_an_app_raises_what_a_plugin_raises(rish_app: Any) -> None:
    """An error of a plugin is raised in a test."""

    def fail() -> None:
        raise ZeroDivisionError("planted")

    with pytest.raises(RishError, match="planted"):
        rish_app(plugins={"broken": SimpleNamespace(__name__="broken", rish_systems=fail)})


def test_files_of_the_game_can_be_given(rish_app: Any) -> None:
    """Files of the game can be given: assets, includes, its own plugin."""
    app = rish_app({}, files={"plugin.py": '"""Mine."""\n', "data/notes.txt": "hello"})
    assert (app.manifest.root / "data" / "notes.txt").read_text() == "hello"


FAULTS = {
    "test_no_verb_is_missing": "present = None",
    "test_no_verb_is_too_many": "def paint(self): pass",
    "test_it_says_what_it_is": "capabilities = frozenset({'telepathy'})",
    "test_it_refuses_to_draw_while_it_is_closed": "def draw(self, frame): pass",
    "test_it_can_be_configured": "def configure(self, **options): pass",
    "test_pictures_have_the_screens_size_and_the_clear_color": (
        "def pixels(self, target='screen'): return super().pixels(target).swapaxes(0, 1)"
    ),
    "test_drawing_leaves_the_frame_as_it_was": (
        "def draw(self, frame):\n"
        "        frame.passes['main'].batches.sort(key=lambda batch: batch.kind)\n"
        "        return super().draw(frame)"
    ),
    "test_a_drawer_is_asked_for_its_kind_in_order": "def add_drawer(self, kind, drawer): pass",
}


STRANGER = """
class Wrong_{test}(NullBackend):
    {fault}

class TestWrong_{test}(BackendContract):
    make = Wrong_{test}
    extras = frozenset({{"drawn", "send"}})
"""


@pytest.mark.slow
def test_the_contract_finds_planted_faults(tmp_path: Path) -> None:
    """Backends with one deliberate fault each fail the test for that fault."""
    head = "from rish_frame import NullBackend\nfrom rish_frame.testing import BackendContract\n"
    body = "".join(STRANGER.format(test=test, fault=fault) for test, fault in FAULTS.items())
    path = tmp_path / "test_wrong.py"
    path.write_text(head + body)
    wanted = [f"{path.name}::TestWrong_{test}::{test}" for test in FAULTS]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", "-rf", *wanted]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert f"{len(FAULTS)} failed" in result.stdout, result.stdout


def test_a_skip_that_is_not_pinned_fails() -> None:
    """A test that is skipped because a capability is missing fails, unless that skip is expected."""

    class Strict(BackendContract):
        make = NullBackend
        skips = frozenset({"test_allowed"})

    checks = Strict()
    checks._test = "test_allowed"
    with pytest.raises(pytest.skip.Exception, match="does not have the capability 'pixels'"):
        checks.need(NullBackend(), "pixels")
    checks._test = "test_other"
    with pytest.raises(pytest.fail.Exception, match="test_other is not among the tests that it may skip"):
        checks.need(NullBackend(), "pixels")
