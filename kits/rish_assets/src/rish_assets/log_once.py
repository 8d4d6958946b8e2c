"""`LogOnce`: logs each message once, however often its cause occurs."""

from __future__ import annotations

import logging
from collections.abc import Hashable


class LogOnce:
    """Logs messages that were not logged before. Store it in a resource, so that each World logs its own messages.

    name: of the logger, such as `rish.render`. muted: while it is True, nothing is logged and nothing is remembered.
    """

    def __init__(self, name: str) -> None:
        self.muted = False
        self._log = logging.getLogger(name)
        self._keys: set[Hashable] = set()

    def __call__(self, message: str, level: int = logging.WARNING, *, key: Hashable = None) -> bool:
        """Log a message, unless it was logged before; return whether it was logged.

        key: what counts as the same message, if texts differ; None: the text. level: that of `logging`.
        """
        key = message if key is None else key
        if self.muted or key in self._keys:
            return False
        self._keys.add(key)
        self._log.log(level, "%s", message)
        return True

    def error(self, message: str, *, key: Hashable = None) -> bool:
        """Log an error, unless it was logged before; return whether it was logged."""
        return self(message, logging.ERROR, key=key)

    def __contains__(self, key: Hashable) -> bool:
        """Whether a message with this key or text was logged."""
        return key in self._keys

    def forget(self, *keys: Hashable) -> None:
        """Log the messages with these keys or texts again when they occur; without arguments, all messages."""
        if keys:
            self._keys.difference_update(keys)
        else:
            self._keys.clear()
