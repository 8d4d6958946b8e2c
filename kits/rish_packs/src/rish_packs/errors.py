"""The error of packs."""

from __future__ import annotations

from pathlib import Path

from rish_ecs import RishError, shorten_path


class PackError(RishError):
    """Raised if a pack can't be written, opened or unpacked."""

    @classmethod
    def at(cls, path: Path, what: str, *, entry: str = "", hint: str | None = None) -> PackError:
        """Return an error about a pack, or about one entry of it."""
        return cls(f"{entry}: {what}" if entry else what, where=shorten_path(path), hint=hint)
