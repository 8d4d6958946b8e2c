"""Opening a game as far as it is understood: with missing plugins, unknown names and wrong values."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rish_core import App, Manifest, ManifestError, Origin, Problem, Scenes
from rish_core.manifest import FILE_NAME, Spot, Step, YamlMap, read_yaml

from ..saving.foreign import Foreign
from ..text.partial import PartialManifest, Pruned, leave_out, without_plugins

Raw = dict[int, dict[str, Any]]
"""By entity: what was left out of its entry; by component or key, the data."""
_LOADING = ("more", "extra", "installed", "policy")
"""The options of an App that decide which plugins it loads."""


def open_leniently(path: Path | str, overrides: Sequence[str] = (), **options: Any) -> tuple[App, list[Problem], Raw]:
    """Open a game without the plugins, components, fields and sections that have mistakes.

    Return the App, all mistakes with places, and for the entities of the first scene what was left out (`left_out`).
    Saving keeps all of that in the text. options: as for `App`. Raises ManifestError for a file that can't be read as
    YAML and for mistakes that can't be left out, such as another format version.
    """
    file = Path(path)
    file = file / FILE_NAME if file.is_dir() else file
    pruned = Pruned(file, tuple(overrides), read_yaml)
    loading = {name: options[name] for name in _LOADING if name in options}
    while True:
        try:
            bare = App(_without_content(pruned.manifest()), headless=True, warm_up=False, **loading)
            break
        except ManifestError as error:
            if not without_plugins(pruned, error):
                raise
    try:
        manifest = leave_out(pruned, bare.plugins, bare.registry)
    finally:
        bare.close()
    app = App(manifest, **options)
    return app, sorted(manifest.mistakes), left_out(app)


def _without_content(manifest: Manifest) -> Manifest:
    """Return a manifest with the same plugins and nothing else."""
    made = Manifest(manifest.path, manifest.root, plugins=manifest.plugins, data=YamlMap(Spot(manifest.file)))
    if not manifest.data:
        made.problems = manifest.problems
    return made


def left_out(app: App) -> Raw:
    """Return what was left out of the entries of the living entities, and of the prefabs that they use."""
    manifest, found = app.manifest, Raw()
    if not isinstance(manifest, PartialManifest) or not manifest.left_out:
        return found
    label = app.world[Scenes].current
    table, scene = app.world.table(Origin), app.game.scenes.get(label)
    number = app.world.texts.find(label)
    if scene is None or number < 0:
        return found
    known: dict[int, dict[str, Any]] = {}
    steps: list[Step] = scene.steps
    foreign = Foreign(scene)
    mine = table.column("scene") == number
    for handle, entry in zip(table.entities[mine].tolist(), table.column("entry")[mine].tolist(), strict=True):
        if entry not in known:
            node = steps[entry].node
            above = manifest.raw(("prefabs", node.prefab)) if node.prefab else {}
            known[entry] = {**above, **manifest.raw(foreign.in_text(node.path))}
        if known[entry]:
            found[handle] = known[entry]
    return found
