"""The text from which a run of an edited game spawns scenes.

The edits of the open scene are only in the World. So if the run starts this scene again, it must not be spawned from
the text from which the App was built. The text with the edits is used as soon as a scene begins in the run. Until then
the former text is used, because the entities refer to its entries by number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import App, Manifest, ManifestError
from rish_reload import prepare

from ..saving.omissions import Losses
from ..text.partial_manifest import parsed_for, parsed_leniently

if TYPE_CHECKING:
    from .project import Project


class RunText:
    """The text of a game with all edits.

    lost: the edits that it can't describe. Raises ManifestError and UsageError.
    """

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
        """Spawn scenes from this text from now on. Only between two ticks, when a scene begins.

        Raises ManifestError if the text does not fit code that was loaded meanwhile.
        """
        if self._manifest is None or self._former is not None:
            return
        former = self._app.manifest
        prepare(self._app, manifest=self._manifest).apply(entities=False)
        self._former = former

    def put_back(self) -> None:
        """Use the former text again. After this the caller must restore the World.

        Parts of the text that do not fit code that was loaded meanwhile are left out.
        """
        if self._former is None:
            return
        try:
            change = prepare(self._app, manifest=self._former)
        except ManifestError:
            change = prepare(self._app, manifest=parsed_leniently(self._app, self._edited_from))
        change.apply(entities=False)
        self._former = None
