"""Opens a game with mistakes, such as missing plugins, unknown names and wrong values, without the wrong parts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rish_core import App, Manifest, ManifestError, Origin, Problem, Scenes
from rish_core.manifest import FILE_NAME, Spot, Step, YamlMap, read_yaml

from ..saving.foreign import Foreign
from ..text.partial_manifest import PartialManifest, Pruned, leave_out, without_plugins

Raw = dict[int, dict[str, Any]]
"""The data that was left out of entries: by entity, then by component or key."""
_LOADING = ("more", "extra", "installed", "off", "policy")
"""The options of an App that decide which plugins it loads."""


def open_leniently(path: Path | str, overrides: Sequence[str] = (), **options: Any) -> tuple[App, list[Problem], Raw]:
    """Open a game without the plugins, components, fields and sections that have mistakes.

    Return the App, all mistakes with places, and what was left out of the entities of the first scene (`left_out`).
    Saving keeps everything that was left out in the text. options: as for `App`. Raises ManifestError for a file that
    can't be read as YAML and for mistakes that can't be left out, such as another format version.
    """
    file = Path(path)
    file = file / FILE_NAME if file.is_dir() else file
    pruned = Pruned(file, tuple(overrides), read_yaml)
    loading = {name: options[name] for name in _LOADING if name in options}
    while True:
        try:
            probe = App(_without_content(pruned.manifest()), headless=True, warm_up=False, **loading)
            break
        except ManifestError as error:
            if not without_plugins(pruned, error):
                raise
    try:
        manifest = leave_out(pruned, probe.plugins, probe.registry)
    finally:
        probe.close()
    app = App(manifest, **options)
    return app, sorted(manifest.mistakes), left_out(app)


def _without_content(manifest: Manifest) -> Manifest:
    """Return a manifest with the same plugins and nothing else."""
    empty = Manifest(manifest.path, manifest.root, plugins=manifest.plugins, data=YamlMap(Spot(manifest.file)))
    if not manifest.data:
        empty.problems = manifest.problems
    return empty


def left_out(app: App) -> Raw:
    """Return the data that was left out of the entries of living entities, and of the prefabs that they use."""
    manifest, data = app.manifest, Raw()
    if not isinstance(manifest, PartialManifest) or not manifest.left_out:
        return data
    label = app.world[Scenes].current
    table, scene = app.world.table(Origin), app.game.scenes.get(label)
    number = app.world.texts.find(label)
    if scene is None or number < 0:
        return data
    data_of_entry: dict[int, dict[str, Any]] = {}
    steps: list[Step] = scene.steps
    foreign = Foreign(scene)
    rows = table.column("scene") == number
    for handle, entry in zip(table.entities[rows].tolist(), table.column("entry")[rows].tolist(), strict=True):
        if entry not in data_of_entry:
            node = steps[int(entry)].node
            prefab_data = manifest.raw(("prefabs", node.prefab)) if node.prefab else {}
            data_of_entry[entry] = {**prefab_data, **manifest.raw(foreign.in_text(node.path))}
        if data_of_entry[entry]:
            data[handle] = data_of_entry[entry]
    return data
