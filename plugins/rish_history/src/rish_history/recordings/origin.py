"""The origin of a recording: the game, the plugins and the machine that it was made with.

Inputs have a meaning only together with one particular game. So a recording contains the seed, the additions of the
command line, the versions of all plugins, and a digest of each file of the game's folder that the game can read.
`differences` compares these with the current game and returns sentences for the user.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import rish_jit
from rish_cli import split_names
from rish_core import Scenes
from rish_jit.errors.metadata import metadata_folders, package_in
from rish_system import described

_MAX_HASHED = 64 << 20
"""The maximum size of a file whose content is hashed, in bytes. Of a larger file only the size is hashed."""


@dataclass
class Origin:
    """The game, plugins and machine of a recording.

    title, game: title and path of the manifest. seed: the seed of all random streams. dt: the length of a tick in
    seconds. overrides, more: the additions by `--set` and `--with`. policy: the policy for failing systems, which
    affects the state. plugins: name to `distribution version`. optional: the plugins among them that the game can do
    without. files: path in the game's folder to a digest. machine: for information only.
    """

    title: str = ""
    game: str = ""
    seed: int = 0
    dt: float = 1 / 60
    policy: str = "disable"
    overrides: list[str] = field(default_factory=list[str])
    more: list[str] = field(default_factory=list[str])
    plugins: dict[str, str] = field(default_factory=dict[str, str])
    optional: list[str] = field(default_factory=list[str])
    files: dict[str, str] = field(default_factory=dict[str, str])
    machine: dict[str, str] = field(default_factory=dict[str, str])

    def to_plain(self) -> dict[str, Any]:
        """Return a dict for JSON."""
        return asdict(self)

    @classmethod
    def from_plain(cls, data: Any) -> Origin:
        """Make an origin from the result of `to_plain`. Unknown keys are ignored. Raises TypeError for other data."""
        if not isinstance(data, dict) or "title" not in data:
            raise TypeError("an origin is a mapping with a title")
        origin = cls()
        for name, default in asdict(origin).items():
            value = data.get(name, default)
            if not isinstance(value, type(default)):
                raise TypeError(f"{name} of an origin can't be {value!r:.40}")
            setattr(origin, name, value)
        return origin

    def differences(self, now: Origin) -> list[str]:
        """Return a sentence for each difference between the game of this origin and the current one.

        An optional plugin may be absent on one side: where its state is for drawing only, the hashes are equal.
        """
        sentences: list[str] = []
        if self.title != now.title:
            sentences.append(f"it is of '{self.title}', and this game is '{now.title}'")
        for name in sorted(self.plugins.keys() | now.plugins.keys()):
            before, after = self.plugins.get(name), now.plugins.get(name)
            left_out = name in (*self.optional, *now.optional) and (before is None or after is None)
            if name in ("history",) or before == after or left_out:
                continue
            if before is None:
                sentences.append(f"the plugin '{name}' ({after}) was not loaded in the recorded game")
            elif after is None:
                sentences.append(f"the plugin '{name}' ({before}) is not loaded now")
            else:
                sentences.append(f"the plugin '{name}' was {before}, and is {after}")
        changed = [
            f"{name} {'is new' if name not in self.files else 'is gone' if name not in now.files else 'has changed'}"
            for name in sorted(self.files.keys() | now.files.keys())
            if self.files.get(name) != now.files.get(name)
        ]
        if changed:
            more = f" and {len(changed) - 5} more files differ" if len(changed) > 5 else ""
            sentences.append(", ".join(changed[:5]) + more)
        if self.seed != now.seed:
            sentences.append(f"its seed was {self.seed}, and is {now.seed}")
        return sentences


def origin_of(app: Any, overrides: Iterable[str] = (), more: Iterable[str] = ()) -> Origin:
    """Return the origin of a running game. overrides, more: the additions of the command line to the manifest."""
    manifest, world = app.manifest, app.world
    return Origin(
        title=manifest.title,
        game=str(manifest.path.parent if manifest.path is not None else manifest.root or ""),
        seed=world.seed,
        dt=world.dt,
        policy=app.plugins.policy,
        overrides=list(overrides),
        more=list(more),
        plugins=plugin_versions(app),
        optional=sorted(app.plugins.optional),
        files=digests(manifest.root, app.registry.loaders) if manifest.root is not None else {},
        machine={
            "rish": _version("rish_core"),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "kernels": "compiled" if rish_jit.available() else "plain Python",
            "system": described(),
        },
    )


def _version(module: str) -> str:
    """Return the version of an installed package; "" if it is not installed. Python's own way takes .1 s here."""
    folders = (folder for folder in metadata_folders(sys.path) if folder.name.startswith(f"{module}-"))
    return next((package_in(folder).version for folder in folders), "")


def origin_of_run(app: Any, arguments: Namespace) -> Origin:
    """Return the origin of a game that was started with the options of `rish run`."""
    scene = app.world[Scenes].current
    demo = [f"scene={scene}"] if app.demo and scene else []  # a replay in a window begins there too
    return origin_of(app, [*arguments.overrides, *demo], split_names(arguments.more))


def plugin_versions(app: Any) -> dict[str, str]:
    """Return package and version of each loaded plugin except the kernel's and the game's own.

    The game's own plugin is identified by the digests of its files. Tools such as `debug`, which change only what is
    drawn and which the manifest does not name, are left out.
    """
    named = {wish.name for wish in app.manifest.plugins}
    return {
        plugin.name: f"{plugin.distribution or plugin.name} {plugin.version or ''}".strip()
        for plugin in app.plugins
        if plugin.name not in ("core", "game") and (plugin.name in named or not plugin.about.view)
    }


def digests(root: Path, suffixes: Iterable[str]) -> dict[str, str]:
    """Return digests by path in the folder, for code, manifests and files with a loader; hidden files are left out."""
    hashed_suffixes = {".py", ".yaml", ".yml", *suffixes}
    digest_of: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        inner = path.relative_to(root)
        hidden = any(part.startswith((".", "__pycache__")) for part in inner.parts)
        if path.suffix.lower() in hashed_suffixes and not hidden and path.is_file():
            digest_of[inner.as_posix()] = _digest(path)
    return digest_of


def _digest(path: Path) -> str:
    size = path.stat().st_size
    data = path.read_bytes() if size <= _MAX_HASHED else str(size).encode()
    if b"\0" not in data:  # a text; Git may write it with other line ends on Windows
        data = data.replace(b"\r\n", b"\n")
    return hashlib.blake2b(data, digest_size=8).hexdigest()
