"""Makes the page of a game: reads what it says, plays the game, writes films, pictures and the page into a folder."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageEnhance, ImageFilter

from rish_core import ManifestError, read_manifest
from rish_frame import load_encoder

from .choosing import choose_pictures
from .colors import css, palette
from .controls import actions_of, controls, names_in
from .description import read_description
from .document import GENERATOR, GLOW, ICON, INDEX, SCRIPT, SOCIAL, STYLE, Clip, Page, Picture
from .downloads import Download
from .filming import Recorded, cut_film, record
from .playing import Pixels, play
from .words import Words

_STATIC = Path(__file__).parent / "static"
_PICTURES = 6
_ICON_SIZE = 192
_GLOW_SIZE = (40, 24)
_FILES = re.compile(
    r"index\.html|style\.css|page\.js|icon\.png|film\.(mp4|jpg)|glow\.jpg|picture(-\d+\.webp|\.jpg)|recording-\d+\.(mp4|jpg)|downloads"
)
"""The names of the files of a page."""
_ICONS = (".png", ".ico", ".icns")


@dataclass(frozen=True)
class PageWish:
    """What a page is made of.

    game: its folder or `game.yaml`. name: of the program. recordings: played instead of the game's demo. downloads:
    called after the game was played, because to make a program takes long.
    """

    game: Path
    name: str
    version: str = ""
    icon: Path | None = None
    recordings: Sequence[Path] = ()
    downloads: Callable[[], Sequence[Download]] = tuple


def write_page(folder: Path, wish: PageWish, scratch: Path, tell: Callable[[str], object]) -> list[str]:
    """Write the page of a game into an empty folder; return a report for people.

    scratch: a folder for other files. tell: called with the name of each step. Raises ManifestError with all mistakes
    of the game or of its `page.yaml`, RecordingError, BackendError without PyAV or for a game that draws nothing, and
    OSError.
    """
    load_encoder()
    manifest = read_manifest(wish.game)
    if manifest.problems:
        raise ManifestError(manifest.problems)
    game = manifest.root or wish.game
    told = read_description(game, actions_of(manifest), manifest.scenes, Words().names)
    recorded: list[Recorded] = []
    for number, source in enumerate(wish.recordings or [None], 1):
        tell("playing the game" if source is None else f"playing {source}")
        with play(wish.game, told.demo, source, scratch / "player") as playing:
            recorded.append(record(playing, folder / f"recording-{number}.mp4", _progress(playing.total, tell)))
    downloads = wish.downloads()
    tell("pictures and the film")
    film, clips, pictures = _write_films(folder, recorded)
    _write_icon(folder / ICON, _icon(wish, game), _main(recorded[0]))
    words, keys = Words(told.language, told.words), controls(manifest, names_in(game, told.language) | told.controls)
    page = Page(manifest.title, wish.name, wish.version, told, words, film, clips, pictures, keys, downloads)
    (folder / INDEX).write_text(page.html(), encoding="utf-8", newline="\n")
    colors = "\n".join(css(palette(recorded[0].moments.thumbs, told.color)))
    style = (_STATIC / STYLE).read_text(encoding="utf-8")
    (folder / STYLE).write_text(f"{colors}\n\n{style}", encoding="utf-8", newline="\n")
    shutil.copyfile(_STATIC / SCRIPT, folder / SCRIPT)
    for each in downloads:
        (folder / "downloads").mkdir(exist_ok=True)
        shutil.copyfile(each.path, folder / "downloads" / each.name)
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [f"  {path.relative_to(folder).as_posix():40} {path.stat().st_size / 1e6:7.2f} MB" for path in files]


def _write_films(folder: Path, recorded: Sequence[Recorded]) -> tuple[Clip, list[Clip], list[Picture]]:
    """Write the short film, the pictures, and what is shown before a film plays; return them for the page."""
    main = _main(recorded[0])
    _write_picture(folder / SOCIAL, main)
    _write_picture(folder / GLOW, _blurred(main))
    first, size = cut_film(recorded[0], folder / "film.mp4")
    _write_picture(folder / "film.jpg", first)
    clips = [_clip(each) for each in recorded]
    return Clip("film.mp4", "film.jpg", size), clips, _write_pictures(folder, recorded)


def is_page(folder: Path) -> bool:
    """Return whether a folder holds a page that was made here, and nothing else."""
    names = os.listdir(folder)
    try:
        head = (folder / INDEX).read_bytes()[:4096]
    except OSError:
        return False
    return GENERATOR.encode() in head and all(_FILES.fullmatch(name) for name in names)


def _progress(total: int, tell: Callable[[str], object]) -> Callable[[int], object]:
    """Return a function that tells how much is done, about ten times."""
    step = max(1, total // 10)
    return lambda count: tell(f"{count} of {total} images") if count % step == 0 else None


def _main(recorded: Recorded) -> Pixels:
    moments = recorded.moments
    return moments.moments[moments.main].pixels()


def _write_pictures(folder: Path, recorded: Sequence[Recorded]) -> list[Picture]:
    """Write pictures of moments that differ, of all recordings together."""
    moments = [(number, moment) for number, each in enumerate(recorded) for moment in each.moments.moments]
    thumbs = np.concatenate([each.moments.thumbs for each in recorded])
    pictures: list[Picture] = []
    for index in choose_pictures(thumbs, _PICTURES, recorded[0].moments.main):
        clip, moment = moments[index]
        file = f"picture-{len(pictures) + 1}.webp"
        Image.fromarray(moment.pixels()).save(folder / file, "WEBP", quality=90, method=6)
        pictures.append(Picture(file, (moment.shape[1], moment.shape[0]), clip, moment.seconds))
    return pictures


def _clip(recorded: Recorded) -> Clip:
    """Return a recording for the page, and write the image that is shown before it plays."""
    poster = recorded.path.with_suffix(".jpg")
    _write_picture(poster, _main(recorded))
    return Clip(recorded.path.name, poster.name, recorded.size, recorded.seconds, recorded.has_sound)


def _write_picture(path: Path, pixels: Pixels) -> None:
    Image.fromarray(pixels).save(path, "JPEG", quality=88, optimize=True, progressive=True)


def _blurred(pixels: Pixels) -> Pixels:
    """Return a picture of few pixels; enlarged by a browser it is a blurred one, which costs no filter."""
    image = Image.fromarray(pixels).resize(_GLOW_SIZE, Image.Resampling.BOX)
    return np.asarray(ImageEnhance.Color(image.filter(ImageFilter.GaussianBlur(2))).enhance(1.6))


def _icon(wish: PageWish, game: Path) -> Path | None:
    return wish.icon or next((path for suffix in _ICONS if (path := game / f"icon{suffix}").is_file()), None)


def _write_icon(path: Path, icon: Path | None, picture: Pixels) -> None:
    """Write the icon of the page: that of the game, or the middle of a picture."""
    if icon is not None:
        with Image.open(icon) as opened:
            image: Any = opened.convert("RGBA")
    else:
        image = Image.fromarray(picture)
        side = min(image.size)
        left, top = (image.width - side) // 2, (image.height - side) // 2
        image = image.crop((left, top, left + side, top + side))
    image.thumbnail((_ICON_SIZE, _ICON_SIZE))
    image.save(path, "PNG", optimize=True)
