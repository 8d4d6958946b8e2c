"""The HTML of a page. All addresses in it are relative, so the folder works at any place, also without a server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urljoin

from .controls import Control
from .description import Description
from .downloads import Download
from .markup import Content, Html, element, joined
from .words import Words

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "img-src 'self' file:",
        "media-src 'self' file:",
        "style-src 'self' file:",
        "script-src 'self' file:",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""What a browser may load: files beside the page. Whether 'self' is the folder of a page that was opened from a disk is
not specified (w3c/webappsec-csp#459), so `file:` is named too; on a web server it allows nothing."""
INDEX, STYLE, SCRIPT = "index.html", "style.css", "page.js"
ICON, SOCIAL, GLOW = "icon.png", "picture.jpg", "glow.jpg"
GENERATOR = "rish export --page"
_BESIDE = 9
"""The most actions that are listed beside the text; more are listed below it."""


@dataclass(frozen=True)
class Clip:
    """A film of the page. file, poster: names of files. size: in pixels. moments: those with pictures, in seconds."""

    file: str
    poster: str
    size: tuple[int, int]
    seconds: float = 0.0
    has_sound: bool = False


@dataclass(frozen=True)
class Picture:
    """A picture of the page. clip: the recording that it is of, and `seconds` its moment there."""

    file: str
    size: tuple[int, int]
    clip: int
    seconds: float


@dataclass(frozen=True)
class Page:
    """What a page shows. name: of the program. system: where the name of a file does not say it."""

    title: str
    name: str
    version: str
    description: Description
    words: Words
    film: Clip
    recordings: Sequence[Clip]
    pictures: Sequence[Picture]
    controls: Sequence[Sequence[Control]]
    downloads: Sequence[Download]

    def html(self) -> str:
        """Return the whole page."""
        told = self.description
        body = element(
            "body",
            joined(
                element("div", _header(self), _film(self), class_="top"),
                element("main", joined(*_sections(self), by="\n")),
                _footer(self),
                _viewer(self) if self.pictures else None,
                by="\n",
            ),
        )
        root = element("html", joined(_head(self), body, by="\n"), lang=told.language, dir=self.words.direction)
        return f"<!DOCTYPE html>\n{root}\n"


def clock(seconds: float) -> str:
    """Return a time as in `1:05`."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _head(page: Page) -> Html:
    told, first = page.description, page.recordings[0]
    summary = told.summary or page.title
    picture = urljoin(told.url, SOCIAL) if told.url else SOCIAL
    properties = {
        "og:type": "website", "og:title": page.title, "og:description": summary, "og:url": told.url or None,
        "og:image": picture, "og:image:width": str(first.size[0]), "og:image:height": str(first.size[1]),
        "og:image:alt": page.words("picture", number=1, count=len(page.pictures), time=clock(0)),
    }  # fmt: skip
    return element(
        "head",
        joined(
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="referrer", content="no-referrer"),
            element("meta", name="generator", content=GENERATOR),
            element("title", page.title),
            element("meta", name="description", content=summary),
            element("meta", name="author", content=told.author) if told.author else None,
            element("meta", name="color-scheme", content="light dark"),
            element("link", rel="canonical", href=told.url) if told.url else None,
            element("link", rel="icon", type="image/png", href=ICON),
            element("link", rel="stylesheet", href=STYLE),
            *(element("meta", property=name, content=value) for name, value in properties.items() if value),
            element("meta", name="twitter:card", content="summary_large_image"),
            element("script", src=SCRIPT, defer=True),
            by="\n",
        ),
    )


def _header(page: Page) -> Html:
    words, told = page.words, page.description
    facts = [page.version and words("version", version=page.version), told.author and words("by", author=told.author)]
    return element(
        "header",
        element(
            "div",
            element("h1", page.title, dir="auto"),
            element("p", told.summary, class_="summary", dir="auto") if told.summary else None,
            class_="titles",
        ),
        element(
            "div",
            element("p", *_buttons(page), class_="buttons"),
            element("p", " · ".join(fact for fact in facts if fact), class_="facts") if any(facts) else None,
            class_="actions",
        ),
    )


def _buttons(page: Page) -> Iterator[Html]:
    words = page.words
    if len(page.downloads) == 1:
        only = page.downloads[0]
        note = element("small", f"{only.label} · {only.size}")
        yield element("a", words("download"), " ", note, class_="button", href=_download_path(only), download=True)
    elif page.downloads:
        yield element("a", words("download"), class_="button", href="#downloads")
    yield element("a", words("watch"), class_="button quiet", href="#recording")


def _film(page: Page) -> Html:
    words, film = page.words, page.film
    width, height = film.size
    video = element(
        "video", src=film.file, poster=film.poster, width=width, height=height, muted=True, loop=True,
        playsinline=True, controls=True, preload="metadata", aria_label=words("film_of", title=page.title),
    )  # fmt: skip
    pause = words("pause")
    button = element(
        "button", type="button", hidden=True, aria_label=pause, data_pause=pause, data_play=words("resume")
    )
    return element("section", video, button, class_="film", id="film", aria_label=words("film"))


def _sections(page: Page) -> Iterator[Html]:
    words, told = page.words, page.description
    about = [_section("about", words("about"), *_paragraphs(told.text))] if told.text else []
    keys = [_section("controls", words("controls"), *_controls(page))] if any(page.controls) else []
    if about or keys:
        beside = about and keys and sum(map(len, page.controls)) <= _BESIDE
        yield element("div", *about, *keys, class_="columns" if beside else "column")
    if len(page.pictures) > 1:
        items = [_picture(page, number, each) for number, each in enumerate(page.pictures, 1)]
        yield _section("pictures", words("pictures"), element("ul", joined(*items, by="\n"), class_="pictures"))
    yield _section("recording", words("recording"), *_recordings(page))
    if page.downloads:
        items = [_download(page, each) for each in page.downloads]
        yield _section("downloads", words("downloads"), element("ul", joined(*items, by="\n"), class_="downloads"))


def _section(name: str, title: str, *children: Content) -> Html:
    return element("section", joined(element("h2", title), *children, by="\n"), id=name, aria_label=title)


def _paragraphs(text: str) -> Iterator[Html]:
    """Yield the paragraphs of a text, which are separated by empty lines."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        yield element("p", " ".join(paragraph.split()), dir="auto")


def _controls(page: Page) -> Iterator[Html]:
    several = len(page.controls) > 2
    for number, player in enumerate(page.controls):
        if player:
            if number and several:
                yield element("h3", page.words("player", number=number))
            rows = [element("div", element("dt", each.name, dir="auto"), element("dd", _keys(each))) for each in player]
            yield element("dl", joined(*rows, by="\n"), class_="controls")


def _keys(control: Control) -> Html:
    keys = [element("kbd", key) for key in control.keys]
    pad = [element("kbd", key, class_="pad") for key in control.pad]
    return joined(*keys, *pad, by=" ")


def _picture(page: Page, number: int, picture: Picture) -> Html:
    words, time = page.words, clock(picture.seconds)
    text = words("picture", number=number, count=len(page.pictures), time=time)
    width, height = picture.size
    image = element("img", src=picture.file, alt=text, width=width, height=height, loading="lazy", decoding="async")
    clip = page.recordings[picture.clip]
    seek = element(
        "a", words("from_here", time=time), href=f"{clip.file}#t={picture.seconds:g}", class_="seek",
        data_video=f"recording-{picture.clip + 1}", data_time=f"{picture.seconds:g}",
    )  # fmt: skip
    return element("li", element("a", image, href=picture.file, class_="enlarge"), seek)


def _recordings(page: Page) -> Iterator[Html]:
    for number, clip in enumerate(page.recordings, 1):
        width, height = clip.size
        text = page.words("recording_of", title=page.title, time=clock(clip.seconds))
        text += f", {page.words('with_sound')}" if clip.has_sound else ""
        video = element(
            "video", src=clip.file, poster=clip.poster, width=width, height=height, controls=True, playsinline=True,
            preload="metadata", id=f"recording-{number}", aria_label=text,
        )  # fmt: skip
        yield element("figure", video, element("figcaption", text, dir="auto"))


def _download(page: Page, each: Download) -> Html:
    how = page.words(each.kind, name=page.name)
    link = element(
        "a", page.words("download"), " ", element("small", each.size), class_="button",
        href=_download_path(each), download=True, aria_label=f"{page.words('download')}: {each.label}, {each.size}",
    )  # fmt: skip
    text = element("div", element("h3", each.label, dir="auto"), element("p", how), element("code", each.name))
    return element("li", text, link)


def _download_path(each: Download) -> str:
    return f"downloads/{quote(each.name)}"


def _footer(page: Page) -> Html:
    words, told = page.words, page.description
    links = [element("a", name, href=address, rel="noopener") for name, address in told.links.items()]
    facts = [
        told.author and words("by", author=told.author),
        told.license and words("license", license=told.license),
        words("made_with"),
    ]
    return element(
        "footer",
        element("nav", joined(*links, by=" "), aria_label=words("links")) if links else None,
        element("p", joined(*(element("span", fact) for fact in facts if fact), by=" ")),
    )


def _viewer(page: Page) -> Html:
    """Return the dialog that shows a picture in full size; it is opened by the script."""
    words = page.words
    buttons = [
        element("button", sign, type="button", class_=name, aria_label=words(name))
        for name, sign in (("before", "‹"), ("next", "›"), ("close", "×"))
    ]
    return element("dialog", element("img", alt="", id="shown"), *buttons, aria_label=words("pictures"))
