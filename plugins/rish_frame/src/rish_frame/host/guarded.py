"""Guards: they catch exceptions of drawers and fallbacks, which are called in the middle of a frame."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rish_core import Failures, PluginError, describe_error, place_of_error

if TYPE_CHECKING:
    from rish_core import App

_log = logging.getLogger("rish.frame")


class GuardedDrawer:
    """A wrapper that disables a drawer when it raises: from then on its batches are not drawn.

    on_failure: called once with the exception; it may raise.
    """

    def __init__(self, drawer: Any, on_failure: Callable[[BaseException], object]) -> None:
        self.drawer = drawer
        self.failed = False
        self._on_failure = on_failure

    def __getattr__(self, name: str) -> Any:
        return getattr(self.drawer, name)

    @property
    def needs(self) -> frozenset[str]:
        """The capabilities that the drawer needs."""
        return self.drawer.needs

    def draw(self, device: Any, target: Any, batch: Any, pass_: Any) -> None:
        """Draw a batch with the drawer, see `Drawer.draw`."""
        if self.failed:
            return
        try:
            self.drawer.draw(device, target, batch, pass_)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.failed = True
            self._on_failure(error)


class GuardedFallback:
    """A wrapper that disables a fallback when it raises: from then on it does nothing.

    on_failure: called once with the exception; it may raise.
    """

    def __init__(self, fallback: Callable[..., None], on_failure: Callable[[BaseException], object]) -> None:
        self.fallback = fallback
        self.failed = False
        self._on_failure = on_failure

    def __call__(self, arrays: Any, uniforms: Any) -> None:
        """Call the fallback."""
        if self.failed:
            return
        try:
            self.fallback(arrays, uniforms)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            self.failed = True
            self._on_failure(error)


def report_failure(app: App, plugin: str, what: str, error: BaseException) -> None:
    """Report a part of a plugin that raised an exception; only this part is disabled.

    Raises PluginError if the policy is to raise.
    """
    place = place_of_error(error)
    sentence = f"{what} of plugin '{plugin}' failed: {describe_error(error)}"
    failure = PluginError(sentence, where=place)
    if not app.plugins.failed_on_trial(plugin, failure) and app.plugins.policy == "raise":
        raise failure from error
    _log.error("%s: %s (disabled)", place, sentence)
    app.world[Failures].note(what)
