"""The page in a real browser, opened from a folder: Chromium, without a window."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from painted_plays import paint_plays
from rish_page import Download, PageWish, write_page
from tools import REQUIRED, needs

from .conftest import write_game

needs("av", "films")
needs("playwright", "browser")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if CHROMIUM is None and not REQUIRED:
    pytest.skip("there is no chromium: apt-get install chromium", allow_module_level=True)
pytestmark = pytest.mark.slow
SWITCHES = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--autoplay-policy=no-user-gesture-required",
]  # fmt: skip
WIDE, PHONE = {"width": 1440, "height": 900}, {"width": 360, "height": 740}
TEXTS = """page: 1
summary: "Frogs & <b>reeds</b>"
text: "One paragraph.\\n\\nأرجوحة في البركة"
author: Ada
links: {Source: "https://example.invalid/source"}
controls: {debug: null}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a page with everything that a page can have, in a path with spaces and other scripts."""
    root = tmp_path_factory.mktemp("page")
    game = write_game(root / "pond", "夜の <i>池</i>")
    (game / "page.yaml").write_text(TEXTS, encoding="utf-8")
    downloads = []
    for name, label in (("夜 pond.zip", "Windows"), ("pond#1.tar.gz", "Linux")):
        (root / name).write_bytes(b"x")
        downloads.append(Download(root / name, name, label, "archive"))
    page = root / "my page 夜"
    page.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        paint_plays(patch)
        write_page(
            page, PageWish(game, "pond", "1.0", downloads=lambda: downloads), root / "scratch", lambda step: None
        )
    return page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM or "chromium", args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Any, folder: Path) -> Iterator[Any]:
    """Return the opened page. No message of the console and no request to a host is allowed while a test runs."""
    context = browser.new_context(viewport=WIDE, color_scheme="light", reduced_motion="no-preference")
    page = context.new_page()
    messages: list[str] = []
    addresses: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: addresses.append(request.url))
    page.goto((folder / "index.html").as_uri())
    yield page
    context.close()
    assert messages == []
    assert len(addresses) > 5
    assert [each for each in addresses if not each.startswith("file:///")] == []


def test_nobody_is_shut_out_on_any_screen(opened: Any) -> None:
    """axe finds nothing, in both color schemes and two sizes of screens, and nothing is wider than the screen."""
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe()
    for size, scheme in ((WIDE, "light"), (PHONE, "dark"), (PHONE, "light"), (WIDE, "dark")):
        opened.set_viewport_size(size)
        opened.emulate_media(color_scheme=scheme)
        assert axe.run(opened, options={"preload": False}).response["violations"] == []
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert opened.evaluate("getComputedStyle(document.documentElement).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_texts_of_the_author_are_shown_as_texts(opened: Any) -> None:
    """Signs of HTML in a title are no HTML."""
    assert opened.title() == "夜の <i>池</i>"
    assert opened.locator("h1").inner_text() == "夜の <i>池</i>"
    assert opened.locator(".summary").inner_text() == "Frogs & <b>reeds</b>"
    assert opened.locator("#controls dt").all_inner_texts() == ["Left", "Right", "Jump"]


def test_the_recording_plays_with_sound_from_any_moment(opened: Any) -> None:
    """A link below a picture jumps to its moment; frames and sound are decoded from there on."""
    link = opened.locator("a.seek").last
    moment = float(link.get_attribute("data-time"))
    assert moment > 1
    link.click()
    opened.wait_for_function(
        f"""() => {{
            const video = document.querySelector('#recording-1');
            return video.currentTime > {moment} && video.webkitAudioDecodedByteCount > 0
                && video.getVideoPlaybackQuality().totalVideoFrames > 0;
        }}"""
    )
    video = opened.evaluate(
        "(v => [v.videoWidth, v.videoHeight, v.duration, v.muted])(document.querySelector('#recording-1'))"
    )
    assert video == [160, 90, pytest.approx(3, abs=0.15), False]


def test_the_film_plays_by_itself_and_stops_when_asked(opened: Any) -> None:
    """It is silent and repeats; its button is reached by the keyboard."""
    film = "document.querySelector('#film video')"
    opened.wait_for_function(f"{film}.currentTime > 0")
    assert opened.evaluate(f"[{film}.muted, {film}.loop, {film}.controls]") == [True, True, False]
    opened.locator("#film button[aria-label='Pause the film']").press("Enter")
    opened.locator("#film button[aria-label='Play the film']").wait_for()
    assert opened.evaluate(f"{film}.paused")


def test_with_reduced_motion_the_film_waits(browser: Any, folder: Path) -> None:
    """People who want no motion start it themselves."""
    page = browser.new_page(reduced_motion="reduce")
    page.goto((folder / "index.html").as_uri())
    page.locator("#film button.paused").wait_for()
    assert page.evaluate("document.querySelector('#film video').paused")
    page.close()


def test_pictures_open_in_full_size_and_are_left_by_keys(opened: Any) -> None:
    """Arrows show the next one, Escape closes and returns to the picture; all pictures are loaded."""
    opened.evaluate("document.querySelectorAll('img').forEach(image => { image.loading = 'eager' })")
    opened.wait_for_function("[...document.querySelectorAll('img[src]')].every(image => image.naturalWidth === 160)")
    first, second = (opened.locator("a.enlarge").nth(number) for number in (0, 1))
    first.focus()
    opened.keyboard.press("Enter")
    shown = opened.locator("dialog img")
    assert shown.get_attribute("src") == first.evaluate("a => a.href")
    opened.keyboard.press("ArrowRight")
    assert shown.get_attribute("src") == second.evaluate("a => a.href")
    assert shown.get_attribute("alt") == second.locator("img").get_attribute("alt")
    opened.keyboard.press("Escape")
    assert not opened.locator("dialog").is_visible()
    assert first.evaluate("a => a === document.activeElement")


def test_without_scripts_everything_can_be_reached(browser: Any, folder: Path) -> None:
    """The film has controls, pictures and moments are links to files, and no button does nothing."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    assert page.locator("#film video").get_attribute("controls") is not None
    assert not page.locator("button:visible").count()
    assert page.locator("a.enlarge").first.get_attribute("href") == "picture-1.webp"
    assert page.locator("a.seek").first.get_attribute("href").startswith("recording-1.mp4#t=")
    context.close()
