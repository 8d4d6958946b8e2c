"""A try of a finished bundle: each game is played for a moment by the Python in it, and draws its picture.

The picture is the one that the start window shows. A game that was tried with the same sources is not tried again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable
from importlib.resources import files
from pathlib import Path

from rish_core import RishError
from rish_export import Plan, cache_folder
from rish_system import run_text

from .interpreter import FOLDER, PROGRAM, SITE

PICTURE = ".rish/picture.png"
"""The picture of a game in its folder, where the editor keeps it too."""
_FRAMES = 120


def try_games(bundle: Path, plans: dict[str, Plan], scratch: Path, tell: Callable[[str], object]) -> list[str]:
    """Play each game of a bundle, and write its picture. Returns a sentence for each that misses compiled kernels.

    scratch: a new folder. Raises RishError for a game that fails.
    """
    scratch.mkdir()
    notes: list[str] = []
    packages = _digest(sorted((bundle / FOLDER / SITE).glob("rish_*/**/*.py")))
    for name, plan in plans.items():
        game = _digest(plan.folder / each for each in plan.files)
        kept = cache_folder() / "pictures" / f"{packages}-{game}.png"
        target = bundle / "games" / name / PICTURE
        target.parent.mkdir(exist_ok=True)
        try:
            target.write_bytes(kept.read_bytes())
            continue
        except OSError:
            tell(f"playing {name}")
        picture = scratch / f"{name}.png"
        plain = _play(bundle, name, picture)
        shutil.copyfile(picture, target)
        if plain:
            notes.append(f"{name}: some of its kernels run as plain Python, slowly; --with numba compiles them")
        else:
            _keep(picture.read_bytes(), kept)
    return notes


def _play(bundle: Path, name: str, picture: Path) -> bool:
    """Play a game for two seconds, and write its picture; return whether kernels ran as plain Python."""
    text = (files("rish_bundle") / "play_once.py").read_text(encoding="utf-8")
    program, game = bundle / FOLDER / PROGRAM, bundle / "games" / name
    home = str(picture.parent)
    environment = {"HOME": home, "USERPROFILE": home, "SYSTEMROOT": os.environ.get("SYSTEMROOT", "")}
    command = [str(program), "-I", "-c", text, str(game), str(picture), str(_FRAMES)]
    done = run_text(command, variables=environment)
    if done.returncode:
        raise RishError(f"the game {name} does not run in the bundle: {done.stderr.strip()[-2000:]}")
    return done.stdout.split()[-1] != "0"


def _digest(paths: Iterable[Path]) -> str:
    """Return a name for the contents of files."""
    digest = hashlib.blake2b(digest_size=12)
    for path in paths:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _keep(picture: bytes, path: Path) -> None:
    unfinished = path.with_suffix(f".unfinished-{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished.write_bytes(picture)
        unfinished.replace(path)
    except OSError:
        unfinished.unlink(missing_ok=True)
