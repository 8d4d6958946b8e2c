"""The list of a pack's files with their hashes, and of the plugins that the game needs: the entry `pack.json`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from rish_system import same_names

from .names import is_code, wrong_name

FORMAT = 1
LIST = "pack.json"
"""The entry with the list; the other entries are the files, below `GAME`."""
GAME = "game/"
MANIFEST = "game.yaml"
MAX_BYTES = 512 * 2**20
"""The most bytes of all files together."""
MAX_FILES = 20_000
MAX_LIST = 8 * 2**20
"""The most bytes of the list."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}")
_PLUGIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}")
_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+!-]{0,59}|")


@dataclass(frozen=True)
class FileHash:
    """The size of a file in bytes, and the SHA-256 of its content in hexadecimal digits."""

    size: int
    sha256: str

    @classmethod
    def of(cls, content: bytes) -> FileHash:
        """Return those of a content."""
        return cls(len(content), hashlib.sha256(content).hexdigest())


@dataclass(frozen=True)
class NeededPlugin:
    """A plugin that the game loaded when it was packed. package, version: where it comes from, for messages."""

    package: str
    version: str
    optional: bool = False


@dataclass(frozen=True)
class Contents:
    """What a pack contains. name: of the folder. files: by path. plugins: by name."""

    name: str
    title: str
    files: Mapping[str, FileHash]
    plugins: Mapping[str, NeededPlugin]

    @property
    def code(self) -> list[str]:
        """The files with Python code."""
        return [path for path in self.files if is_code(path)]

    @property
    def size(self) -> int:
        """The bytes of all files together."""
        return sum(file.size for file in self.files.values())

    def to_bytes(self) -> bytes:
        """Return the entry `pack.json`; equal contents give equal bytes."""
        data = {"rishgame": FORMAT, **asdict(self)}
        return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=True).encode() + b"\n"

    @classmethod
    def from_bytes(cls, text: bytes) -> Contents:
        """Read the entry `pack.json`. Raises ValueError with the reason for one that is not valid."""
        try:
            data: Any = json.loads(text)
        except (ValueError, RecursionError):
            raise ValueError("it is no JSON") from None
        _require(isinstance(data, dict), "it must be a mapping")
        version = data.get("rishgame")
        if isinstance(version, int) and version > FORMAT:
            raise ValueError(f"it has format {version}, this version of rish-packs reads {FORMAT}")
        _require(version == FORMAT, "its format is missing")
        _require(_is(data.get("name"), _NAME), "the name is not valid")
        title = data.get("title")
        _require(isinstance(title, str) and len(title) <= 200, "the title is not valid")
        files = {path: _file(path, value) for path, value in _mapping(data, "files").items()}
        plugins = {name: _plugin(name, value) for name, value in _mapping(data, "plugins").items()}
        check_files(files)
        return cls(data["name"], title, dict(sorted(files.items())), dict(sorted(plugins.items())))


def check_files(files: Mapping[str, FileHash]) -> None:
    """Raise ValueError unless the files of a pack may be unpacked together."""
    _require(MANIFEST in files, f"the game has no {MANIFEST}")
    _require(len(files) <= MAX_FILES, f"it has {len(files):,} files, and {MAX_FILES:,} are the most")
    size = sum(file.size for file in files.values())
    _require(size <= MAX_BYTES, f"its files have {size:,} bytes, and {MAX_BYTES:,} are the most")
    for path in files:
        if mistake := wrong_name(path):
            raise ValueError(f"the name {path!r:.120} {mistake}")
    if (twins := same_names(files)) is not None:
        raise ValueError(f"{twins[0]!r} and {twins[1]!r} are the same file on some systems")


def _file(path: str, value: Any) -> FileHash:
    fields = _fields(value)
    size, digest = fields.get("size"), fields.get("sha256")
    is_size = isinstance(size, int) and not isinstance(size, bool) and 0 <= size <= MAX_BYTES
    _require(is_size, f"the size of {path!r:.60} is not valid")
    _require(_is(digest, _HASH), f"the hash of {path!r:.60} is not valid")
    return FileHash(cast("int", size), cast("str", digest))


def _plugin(name: str, value: Any) -> NeededPlugin:
    fields = _fields(value)
    package, version, optional = (fields.get(key) for key in ("package", "version", "optional"))
    right = _is(name, _PLUGIN) and _is(package, _PACKAGE) and _is(version, _VERSION) and isinstance(optional, bool)
    _require(right, f"the plugin {name!r:.60} is not valid")
    return NeededPlugin(cast("str", package), cast("str", version), cast("bool", optional))


def _fields(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _mapping(data: Any, key: str) -> dict[str, Any]:
    value = data.get(key)
    _require(isinstance(value, dict), f"`{key}` must be a mapping")
    return value


def _is(value: Any, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _require(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(what)
