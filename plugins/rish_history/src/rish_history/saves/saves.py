"""Save games: writing a game to a file, and loading it.

    world[Saves].save("slot 1")      # in the folder of the player's save games
    world[Saves].save(Path("here.save"))
    world[Saves].load("slot 1")

A save game is a header followed by a tidied snapshot (`rish_history.saves.canonical`):

    magic (8 bytes, `RISHSAVE`), format (uint32), length of the head (uint32), digest of all that follows (16 bytes),
    head (JSON: title, id, scene, tick, plugins), the bytes of the snapshot, compressed (zlib)

It contains no code and no time of day: equal states give equal files. It is written atomically
(`rish_system.files`). A file of an older format is converted step by step (`STEPS`). A file of an older
version of the game, or of its plugins, is restored as far as names match, by the rules of `World.restore`; unknown
fields are logged. For a file of another game or a later format, or a damaged file, an error with the reason is raised,
and nothing changes.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import logging
import os
import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import Input, Interventions, RishError, Snapshot, SnapshotError, UsageError, resource
from rish_core.loop import KEY_INDEX
from rish_core.plugin import parse_version
from rish_ecs import how_to_update, kind_of
from rish_ecs.declarations import resource_spec
from rish_ecs.snapshots import converted
from rish_system import data_folder, folder_name, make_folders, read_whole, sweep, write_whole

from ..recordings.origin import plugin_versions
from .canonical import tidied

MAGIC = b"RISHSAVE"
FORMAT = 2
SUFFIX = ".save"
_HEAD = struct.Struct("<8sII16s")
MAX_STATE = 1 << 28
"""The maximum size of a snapshot after unpacking, in bytes: a million entities of 250 bytes."""
_PREFIX_SIZE = 4096
"""The number of bytes that are unpacked first, to read the total size."""
_SLOT = re.compile(r"[\w][\w .-]{0,60}")
_UNKNOWN = "which this version does not know"
_log = logging.getLogger("rish.plugins.history")


def _without_edge_versions(head: dict[str, Any], packed: bytes) -> tuple[dict[str, Any], bytes]:
    """Convert format 1 to 2: remove the resource `core.EdgeVersions`, which is no longer state."""
    snapshot = Snapshot.from_bytes(packed)
    snapshot.resources.pop("core.EdgeVersions", None)
    return head, snapshot.to_bytes()


STEPS: dict[int, Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]] = {1: _without_edge_versions}
"""By format number, a function that converts head and snapshot bytes to the next format. The first format is 1."""


class SaveError(RishError):
    """Raised when a save game can't be written, or can't be loaded in this game."""


@dataclass
class SaveGame:
    """A save game that was read. head: title, id, scene, tick and plugins. name: for messages."""

    head: dict[str, Any]
    snapshot: Snapshot
    name: str = "the save game"

    @property
    def title(self) -> str:
        """The title of its game."""
        return str(self.head.get("title", ""))

    @property
    def identity(self) -> str:
        """The identifier of its game: the title for one without an `id`."""
        return str(self.head.get("id", self.title))


@resource(derived=True)
class Saves:
    """Saves and loads games. Within a tick this is done at the next tick border. failed: the last error, or ""."""

    failed: str = ""

    def __post_init__(self) -> None:
        """Start without a game; `attach` sets it."""
        self._app: Any = None
        self.suspended = False

    def suspend(self) -> None:
        """Disable saving and loading, since a recording is played."""
        self.suspended = True

    def attach(self, app: Any) -> None:
        """Set the game, and remove temporary files of killed writers."""
        self._app = app
        sweep(self.folder)

    @property
    def folder(self) -> Path:
        """The folder of this game's saves; it is created with the first save."""
        return saves_folder() / folder_name(self._app.manifest.identity)

    @property
    def slots(self) -> list[str]:
        """The names of the save games in the folder, the latest first."""
        files = [path for path in self.folder.glob(f"*{SUFFIX}") if path.is_file()]
        times_and_names = [(path.stat().st_mtime_ns, path.stem) for path in files]
        return [name for _, name in sorted(times_and_names, reverse=True)]

    def path(self, where: str | Path) -> Path:
        """Return the file of a slot, given by name, or the path itself. Raises UsageError for an invalid name."""
        if isinstance(where, Path):
            return where
        if not _SLOT.fullmatch(where):
            raise UsageError(f"{where!r} is no name for a save game", hint="Use letters, digits, spaces, or a Path")
        return self.folder / f"{where}{SUFFIX}"

    def save(self, where: str | Path) -> None:
        """Write the game to a slot or a file. Raises SaveError; the former file is then unchanged."""
        path = self.path(where)
        if self.suspended:
            return
        if isinstance(where, str):
            _make_folder(self.folder)
        self._deferred(lambda world: write_save(self._app, path))

    def load(self, where: str | Path) -> None:
        """Load the game from a slot or a file. Raises SaveError without changing anything."""
        if self.suspended:
            return
        game = read_save(self.path(where))
        check_game(self._app, game)
        self._deferred(lambda world: restore_save(self._app, game))

    def _deferred(self, work: Callable[[Any], object]) -> None:
        """Call a function now, or at the next tick border if systems run."""
        world = self._app.world
        self.failed = ""
        if world.stage is None:
            work(world)
        else:
            world.defer(lambda world: self._guarded(work))

    def _guarded(self, work: Callable[[Any], object]) -> None:
        """Call a function at the tick border.

        A SaveError has no caller there, so it is logged and stored in `failed`.
        """
        try:
            work(self._app.world)
        except SaveError as error:
            self.failed = str(error)
            _log.error("%s", error)


def save_bytes(app: Any) -> bytes:
    """Return the save game of a running game as bytes; equal states give equal bytes."""
    from rish_core import Scenes

    world = app.world
    head = {
        "title": app.manifest.title,
        **({"id": app.manifest.id} if app.manifest.id else {}),
        "scene": world[Scenes].current,
        "tick": world.tick,
        "plugins": dict(sorted(plugin_versions(app).items())),
    }
    try:
        snapshot = tidied(world.snapshot()).to_bytes()
    except SnapshotError as error:
        raise SaveError(f"the game can't be saved now: {error}") from None
    if len(snapshot) > MAX_STATE:
        raise SaveError(
            f"the game can't be saved: its state has {len(snapshot):,} bytes, and {MAX_STATE:,} are the most"
        )
    return _pack(head, snapshot)


def _pack(head: dict[str, Any], snapshot: bytes) -> bytes:
    """Return the bytes of a save game of the current format. snapshot: the bytes of a tidied snapshot."""
    packed_head = json.dumps(head, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    body = packed_head + zlib.compress(snapshot, 6)
    return _HEAD.pack(MAGIC, FORMAT, len(packed_head), _digest(body)) + body


def write_save(app: Any, path: Path) -> None:
    """Write a running game to a file, at the tick border. Raises SaveError."""
    data = save_bytes(app)
    try:
        write_whole(path, data)
    except OSError as error:
        raise SaveError(f"the game can't be saved to {path}: {error.strerror or error}") from None


def read_save(path: Path) -> SaveGame:
    """Read and check a file. Raises SaveError with the reason."""
    try:
        data = read_whole(path, MAX_STATE)
    except OSError as error:
        raise SaveError(f"the save game {path} can't be read: {error.strerror or error}") from None
    return parse_save(data, f"the save game {path}")


def parse_save(data: bytes, name: str = "the save game") -> SaveGame:
    """Parse the bytes of a save game of any known format. name: for messages. Raises SaveError with the reason."""
    _, head, packed = _converted(data, name)
    try:
        return SaveGame(head, Snapshot.from_bytes(packed), name)
    except SnapshotError as error:
        raise SaveError(f"{name} can't be read: {error}") from None


def migrate_save(data: bytes, name: str = "the save game") -> bytes:
    """Return a save game in the current format; `data` itself if it has it. name: for messages.

    Raises SaveError with the reason if it is damaged, or of a later format.
    """
    format_, head, packed = _converted(data, name)
    return data if format_ == FORMAT else _pack(head, packed)


def _converted(data: bytes, name: str) -> tuple[int, dict[str, Any], bytes]:
    """Return the format of a save game, and its head and snapshot in the current format. Raises SaveError."""
    if len(data) < _HEAD.size or data[:8] != MAGIC:
        raise SaveError(f"{name} is no save game of Rish")
    _, format_, length, digest = _HEAD.unpack_from(data)
    if format_ > FORMAT:
        raise SaveError(
            f"{name} has format {format_}, and this rish-history reads up to {FORMAT}", hint="Update rish-history"
        )
    body = data[_HEAD.size :]
    if _digest(body) != digest or length > len(body):
        raise SaveError(f"{name} is cut or damaged")
    try:
        head: Any = json.loads(body[:length])
        packed = _unpacked(body[length:])
        if not isinstance(head, dict):
            raise ValueError("its parts don't fit")
        for older in range(format_, FORMAT):
            head, packed = STEPS[older](head, packed)
        return format_, head, packed
    except (ValueError, KeyError, zlib.error, RecursionError, SnapshotError) as error:
        raise SaveError(f"{name} can't be read: {error}") from None


def _unpacked(data: bytes) -> bytes:
    """Decompress the snapshot, up to the size that its first bytes give, as a protection against hostile files.

    Raises ValueError, zlib.error and SnapshotError.
    """
    unpacking = zlib.decompressobj()
    prefix = unpacking.decompress(data, _PREFIX_SIZE)
    size = Snapshot.size_of(prefix)
    if size > MAX_STATE:
        raise ValueError(f"it unpacks to {size:,} bytes, and {MAX_STATE:,} are the most")
    remainder = b""
    if size > len(prefix):
        remainder = unpacking.decompress(unpacking.unconsumed_tail, size - len(prefix))
    if len(prefix) + len(remainder) != size or (
        not unpacking.eof and unpacking.decompress(unpacking.unconsumed_tail, 1)
    ):
        raise ValueError("its parts don't fit")
    return prefix + remainder


def check_game(app: Any, game: SaveGame) -> None:
    """Raise SaveError for a save game of another game, or of a later version of its plugins."""
    title, identity = app.manifest.title, app.manifest.identity
    if game.identity != identity:
        same = f", with the id '{game.identity}' and not '{identity}'" if game.title == title else ""
        raise SaveError(f"this is a save game of '{game.title}', and this game is '{title}'{same}")
    now = plugin_versions(app)
    plugins: Any = game.head.get("plugins", {})
    for name, then in plugins.items() if isinstance(plugins, dict) else ():
        if name in now and _newer(str(then), now[name]):
            package, _, version = str(then).partition(" ")
            what = f"it was saved with {then}, and here is {now[name]}"
            raise SaveError(what, hint=how_to_update(package, f">={version}"))


def _newer(then: str, now: str) -> bool:
    """Return whether `then` is a later version than `now`, of the same package. Both are `package version`."""
    (package, _, before), (other, _, after) = then.partition(" "), now.partition(" ")
    try:
        return package == other and parse_version(after) < parse_version(before)
    except UsageError:
        return False


def restore_save(app: Any, game: SaveGame) -> list[str]:
    """Restore the game at the tick border; return the fields of the file that this version does not have.

    Actions that are not in the file, because the game declared them later, keep their current keys. So do actions with
    keys that this version does not know. Raises SaveError without changing anything.
    """
    world = app.world
    inputs: Input = world[Input]
    actions, players = inputs.actions, [player.actions for player in inputs.players if player is not inputs]
    try:
        world.restore(game.snapshot)
    except SnapshotError as error:
        raise SaveError(f"{game.name} does not fit this version of '{app.manifest.title}': {error}") from None
    saved = inputs.actions
    if players and inputs.players[0] is inputs:  # the file is older than the declaration of players
        inputs.set_actions(actions, players)
    inputs.actions = actions | _usable(saved)
    for player, declared in zip(inputs.players, players, strict=False):
        player.actions = declared | _usable(player.actions)
    world[Interventions].note(f"a loaded game, of tick {game.snapshot.tick}")
    world.end_frame()
    lost = lost_fields(world, game.snapshot)
    for field, why in lost.items():
        _log.warning("%s holds %s, %s; it is left out", game.name, field, why)
    return list(lost)


def _usable(actions: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the actions all of whose keys exist."""
    return {name: keys for name, keys in actions.items() if KEY_INDEX.keys() >= set(keys)}


def lost_fields(world: Any, snapshot: Snapshot) -> dict[str, str]:
    """Return the parts and fields of a snapshot that this world can't store, sorted by name, and the reasons.

    Parts of a wrong kind and invalid numbers of texts are not included: a snapshot with these can't be restored.
    """
    numbers = np.array([world.intern(text) for text in snapshot.texts], np.int32)
    kinds = {kind.key: kind for kind in map(kind_of, (*world.tables, *world.columns, *world.queues))}
    lost: dict[str, str] = {}
    for key, state in snapshot.states.items():
        if key not in kinds and state.length:  # for drawing only, of a plugin that does not run here
            lost[key] = _UNKNOWN
        fields = kinds[key].fields if key in kinds else {}
        known = {name: spec for spec in fields.values() for name in (spec.name, *spec.was)}
        for name, type_name in state.schema.items():
            if key in kinds and name not in known:
                lost[f"{key}.{name}"] = _UNKNOWN
            elif name in fields and state.length and converted(fields[name], state, numbers, world.texts) is None:
                lost[f"{key}.{name}"] = f"of type {type_name}, and here it is {fields[name].type.schema}"
    for key, values in snapshot.resources.items():
        spec = resource_spec(world.resource_classes.get(key))
        if spec is None:
            lost[key] = _UNKNOWN
        else:
            known = {f.name for f in dataclasses.fields(spec.cls)} | {n for f in spec.fields.values() for n in f.was}
            lost |= {f"{key}.{name}": _UNKNOWN for name in values if name not in known}
    return dict(sorted(lost.items()))


def saves_folder() -> Path:
    """Return the folder for the user's save games: `RISH_SAVES`, otherwise the system's folder for data."""
    variable = os.environ.get("RISH_SAVES")
    return Path(variable) if variable else data_folder()


def _make_folder(folder: Path) -> None:
    """Create the folder for save games. Raises SaveError."""
    try:
        make_folders(folder)
    except OSError as error:
        raise SaveError(f"there is no folder for save games, {folder}: {error.strerror or error}") from None


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=16).digest()
