"""The text of a run: what scenes that begin in it are spawned from.

The edits of the open scene are only in the World. So a run whose game restarts this scene must not spawn it from the
text that the App was built from. The text with the edits comes into use when the first scene of the run begins: until
then the entities still belong to the numbers of the former one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import App, Manifest, ManifestError
from rish_reload import prepare

from ..saving.losses import Losses
from ..text.partial import parsed_for, parsed_leniently

if TYPE_CHECKING:
    from .project import Project


class RunText:
    """The text of a game with all edits. lost: what it can't describe. Raises ManifestError and UsageError."""

    def __init__(self, project: Project) -> None:
        self._app: App = project.app
        self._edited_from = project.text
        plan = project.plan()
        text = plan.finish(partial=True)
        self.lost: Losses = plan.losses() if plan.wrong else Losses()
        self._manifest: Manifest | None = None
        if text.plain != project.text.plain:
            self._manifest = parsed_for(project.app, text)
        self._former: Manifest | None = None

    def use(self) -> None:
        """Spawn scenes from this text from now on; only between two ticks, when a scene begins.

        Raises ManifestError if code that was loaded meanwhile does not fit it.
        """
        if self._manifest is None or self._former is not None:
            return
        former = self._app.manifest
        prepare(self._app, manifest=self._manifest).apply(entities=False)
        self._former = former

    def put_back(self) -> None:
        """Use the text of before again, without what does not fit code that was loaded meanwhile; the World must be
        restored after that.
        """  # fmt: skip
        if self._former is None:
            return
        try:
            change = prepare(self._app, manifest=self._former)
        except ManifestError:
            change = prepare(self._app, manifest=parsed_leniently(self._app, self._edited_from))
        change.apply(entities=False)
        self._former = None
