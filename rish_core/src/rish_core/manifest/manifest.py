"""The manifest: the description of a game in `game.yaml`.

`read_manifest` reads the file, joins included files, applies `--set` overrides and checks the structure. This needs no
plugins, because the manifest says which to load. `check` then checks components, settings and assets with the loaded
plugins. Mistakes are collected in `Manifest.problems` instead of being raised one by one.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rish_ecs import Place, Problem, did_you_mean, how_to_update, shorten_path
from rish_ecs.declarations import show

from ..assets import AssetNames, Assets, Loader, canonical
from ..errors import AssetError, ManifestError
from .data_only import is_data_only
from .nodes import MAX_PROBLEMS, Document, Spot, YamlList, YamlMap, below, mark_of, path_text, place_at
from .sources import Sources
from .structure import FORMAT, SECTIONS, game_schema, keys_of, layer_schema, layer_validator, manifest_validator
from .validate import Report, ReportFull, Steps, check
from .yaml import read_yaml

FILE_NAME = "game.yaml"
_PLUGIN = re.compile(
    r"(?P<name>[A-Za-z][A-Za-z0-9_-]*)\s*(?P<optional>\?)?\s*"
    r"(=\s*(?P<provider>[A-Za-z][A-Za-z0-9_-]*)|(?P<needs>\[\s*[a-z][a-z0-9_.,\s-]*\])?\s*(?P<spec>\S.*)?)\Z"
)
_SPEC = re.compile(
    r"(==|>=|<=|!=|~=|<|>)\s*[0-9][0-9A-Za-z.+!*-]*(\s*,\s*(==|>=|<=|!=|~=|<|>)\s*[0-9][0-9A-Za-z.+!*-]*)*\Z"
)
_NAME = re.compile(r"[^\W\d][\w-]*\Z")


NOWHERE = Place("")


@dataclass(frozen=True)
class PluginWish:
    """A line of `plugins:`: the name of a plugin or contract, the required version, and the place of the line.

    spec: needed capabilities and a version specifier, such as `[joints]>=1`, or "". optional: whether the game can run
    without the plugin, `audio?`. provider: the plugin that is chosen for a contract, `physics2d=teach`.
    """

    name: str
    spec: str = ""
    place: Place = NOWHERE
    optional: bool = False
    provider: str | None = None


@dataclass(frozen=True)
class LayerWish:
    """A line of `layers:`.

    name: of the layer. options: the given options of the kernel (`space`, `overlay`, ...). more: the other keys, which
    may be options of plugins.
    """

    name: str
    options: dict[str, Any]
    place: Place
    more: YamlMap = field(default_factory=lambda: YamlMap(Spot("")))
    path: Steps = ()


@dataclass(frozen=True)
class Binding:
    """One key or button of an action in `input:`. path: where it is written, for messages."""

    key: str
    place: Place
    path: str = ""


Bindings = dict[str, list[Binding]]


@dataclass
class Manifest:
    """A game's manifest as written; raw sections have the marks of their values.

    path: the file, None for a text. root: the game's folder, which contains the assets. start: the first scene, "" if
    there is none. demo: the first scene of a run without a player, "" for the same. input, players: the keys of the
    shared actions, and of each player's own actions. settings, prefabs, scenes: the sections as written, joined over
    all files. overrides: see `read_manifest`. problems: all mistakes that can be found without plugins. main: the
    content of the file itself, for reading it again. loaders: by suffix; the check opens assets with them; None: it
    only checks that assets exist. names: those of the registry. skipped: by plugin, how often its keys use each
    optional plugin that is absent; set in `rish_manifest`.
    """

    path: Path | None
    root: Path | None
    title: str = "Rish"
    id: str = ""
    seed: int = 0
    start: str = ""
    demo: str = ""
    plugins: list[PluginWish] = field(default_factory=list[PluginWish])
    layers: list[LayerWish] = field(default_factory=list[LayerWish])
    input: Bindings = field(default_factory=Bindings)
    players: list[Bindings] = field(default_factory=list[Bindings])
    data: YamlMap = field(default_factory=lambda: YamlMap(Spot("")))
    files: list[Path] = field(default_factory=list[Path])
    overrides: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list[Problem])
    main: Document | None = None
    loaders: Mapping[str, Loader] | None = None
    names: Mapping[str, Any] = field(default_factory=dict[str, Any])
    skipped: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])

    @property
    def identity(self) -> str:
        """What tells the game from all others: its `id`, or its title if it has none."""
        return self.id or self.title

    @property
    def document(self) -> Document:
        """The joined data as a Document, which returns the place of a value by its path."""
        return Document(self.data, self.file)

    @property
    def file(self) -> str:
        """The name of the file for messages."""
        return shorten_path(self.path) if self.path is not None else self.data.mark.name

    @property
    def data_only(self) -> bool:
        """Whether no Python code of the game's folder may run, see `use_data_only`."""
        return self.root is not None and is_data_only(self.root)

    @property
    def plugin_file(self) -> Path | None:
        """The game's own `plugin.py`, or None if there is none or it may not run."""
        file = self.root / "plugin.py" if self.root is not None and not self.data_only else None
        return file if file is not None and file.is_file() else None

    @property
    def optional(self) -> frozenset[str]:
        """The plugins that the game can do without."""
        return frozenset(wish.name for wish in self.plugins if wish.optional)

    def section(self, name: str) -> YamlMap:
        """Return a section that is a mapping; a missing or wrong one is replaced by an empty mapping."""
        section = self.data.get(name)
        if not isinstance(section, YamlMap):
            self.data[name] = section = YamlMap(self.data.values_at.get(name, self.data.mark))
        return section

    @property
    def settings(self) -> YamlMap:
        """The raw settings, by plugin."""
        return self.section("settings")

    @property
    def prefabs(self) -> YamlMap:
        """The raw prefabs, by name."""
        return self.section("prefabs")

    @property
    def scenes(self) -> YamlMap:
        """The raw scenes, by name, each a list of entries."""
        return self.section("scenes")

    def actions(self) -> tuple[dict[str, list[str]], list[dict[str, list[str]]]]:
        """Return the keys of each action that all players share, and for each player those of its own actions."""
        sets = (self.input, *self.players)
        keys = [{action: [b.key for b in bindings] for action, bindings in each.items()} for each in sets]
        return keys[0], keys[1:]

    def asset_problem(self, text: str, also: Sequence[str] = (), names: str = "") -> str | None:
        """Return what is wrong with an asset's path, or None. Without a folder only the form of the path is checked.

        also: words that are allowed besides paths; a message about a missing file lists them. names: the list of names
        that the field refers to; if it is an `AssetNames`, that checks the file as well.
        """
        assets, file_list = Assets(self.root, self.loaders), self.names.get(names)
        also_allowed = [f"Besides files: {', '.join(also)}"] if also else []
        try:
            canonical(text)
            if self.root is None:
                return None
            assets.resolve(text)
        except AssetError as error:
            near = did_you_mean(text, [*error.choices, *also])
            return ". ".join([error.what + near, *([error.hint] if error.hint else []), *also_allowed])
        if isinstance(file_list, AssetNames) and (mistake := file_list.problem(text)):
            return ". ".join([mistake, *also_allowed])
        if self.loaders is None or not assets.has_loader(text):
            return None
        try:
            (file_list if isinstance(file_list, AssetNames) else Assets).read(assets, text)
        except AssetError as error:
            what = error.what if text.rpartition("/")[2] in error.what else f"{text}: {error.what}"
            return ". ".join(filter(None, (what.replace("\n", "; "), error.hint)))  # a file may have several mistakes
        return None

    def foreign_keys(self) -> list[tuple[str, ...]]:
        """Return the paths of top-level keys and keys of `game` that the kernel does not define: plugins' or wrong."""
        top_keys: list[tuple[str, ...]] = [(key,) for key in self.data if key not in SECTIONS]
        return top_keys + [("game", key) for key in self.section("game") if key not in keys_of(game_schema())]

    def value_at(self, path: Steps) -> Any:
        """Return the value at a path of keys and indices, or None."""
        node: Any = self.data
        for step in path:
            node, _ = below(node, step) or (None, None)
        return node

    def add_problem(self, path: Steps, what: str) -> None:
        """Add a mistake at a path of keys and indices; to be called in `rish_manifest`."""
        mark = mark_of(self.data, path, self.data.mark)
        self.problems.append(Problem(place_at(mark), path_text(path), what))

    def require(self) -> Manifest:
        """Return this manifest. Raises ManifestError if there are problems."""
        if self.problems:
            raise ManifestError(self.problems)
        return self


def read_manifest(
    source: Path | str, overrides: Sequence[str] = (), *, read: Callable[[Path], Document] = read_yaml
) -> Manifest:
    """Read a game's folder or its `game.yaml`. overrides: such as `settings.physics.gravity=[0, -5]`, as for `--set`.

    read: the function that reads each file; `rish_reload` gives one that reuses unchanged entries.
    """
    path = Path(source)
    if os.path.isdir(path):
        path = path / FILE_NAME
    if not os.path.isfile(path):
        manifest = Manifest(path, path.parent)
        near = path.parent if path.parent.is_dir() else path.parent.parent
        games = sorted(p.parent.name for p in near.glob(f"*/{FILE_NAME}")) if near.is_dir() else []
        hint = f". Games found nearby: {', '.join(games[:8])}" if games else f". A game is a folder with a {FILE_NAME}"
        manifest.problems.append(Problem(Place(shorten_path(path)), "", f"there is no such file{hint}"))
        return manifest
    document = read(path)
    manifest = _assemble(Manifest(path, path.parent), document, overrides, read)
    manifest.main = document
    return manifest


def parse_manifest(
    text: str, *, root: Path | None = None, file: str = FILE_NAME, overrides: Sequence[str] = ()
) -> Manifest:
    """Read a manifest from a text. root: the folder of its assets and includes."""
    return _assemble(Manifest(None, root), read_yaml(text, file), overrides)


def _assemble(
    manifest: Manifest, document: Document, overrides: Sequence[str], read: Callable[[Path], Document] = read_yaml
) -> Manifest:
    sources = Sources(manifest.root, Report(document.problems, MAX_PROBLEMS), read)
    manifest.overrides = tuple(overrides)
    if isinstance(document.data, YamlMap):
        if manifest.path is not None:
            sources.files.append(manifest.path.resolve())
        with suppress(ReportFull):
            manifest.data = sources.join(document.data)
            for text in overrides:
                sources.override(manifest.data, text)
            _SectionReader(manifest, sources.report).read()
    elif document.data is not None:
        what = f"the file must be a mapping that begins with `rish: {FORMAT}`, not {show(document.data)}"
        sources.report.note(Problem(document.place(), "", what))
    manifest.files = sources.files
    manifest.problems = sources.report.problems
    return manifest


class _SectionReader:
    """Fills the manifest's fields from the joined data."""

    def __init__(self, manifest: Manifest, report: Report) -> None:
        self.manifest, self.report = manifest, report

    def read(self) -> None:
        manifest, data = self.manifest, self.manifest.data
        valid = check(manifest_validator(), data, (), self.report)
        if "rish" not in data:
            self.report.add(data.mark, (), f"the format version is missing: begin with `rish: {FORMAT}`")
        elif valid.get("rish", FORMAT) > FORMAT:
            what = f"this is format {valid['rish']}, this version reads {FORMAT}. {how_to_update('rish-core')}"
            self.report.add(data.values_at["rish"], ("rish",), what)
        game = valid.get("game", {})
        manifest.title = game.get("title", manifest.title)
        manifest.id = game.get("id", manifest.id)
        manifest.seed = game.get("seed", manifest.seed)
        self.plugins(valid.get("plugins", ()))
        self.layers()
        self.input(valid.get("input", {}))
        self.names("prefabs")
        self.names("scenes")
        self.start(valid)

    def plugins(self, texts: Sequence[str]) -> None:
        """Read `plugins:`; split each item such as `wind>=0.2` or `wind? >=0.2`."""
        node = self.manifest.data.get("plugins")
        seen: dict[str, Place] = {}
        for index, text in enumerate(texts):
            mark = node.items_at[index] if isinstance(node, YamlList) else self.manifest.data.mark
            match = _PLUGIN.match(text.strip())
            spec = (match["spec"] or "").strip() if match else ""
            if match is None or (spec and not _SPEC.match(spec)):
                what = (
                    f"{show(text)} names no plugin: write `wind`, with a version `wind>=0.2`, optional `wind?`, or the "
                    "provider of a contract `physics2d=physics`"
                )
                self.report.add(mark, ("plugins", index), what)
                continue
            name = match["name"]
            if name in seen:
                self.report.add(mark, ("plugins", index), f"'{name}' is listed twice, first in line {seen[name].line}")
                continue
            seen[name] = place_at(mark)
            optional, spec = match["optional"] is not None, f"{match['needs'] or ''}{spec}"
            self.manifest.plugins.append(PluginWish(name, spec, seen[name], optional, match["provider"]))

    def layers(self) -> None:
        """Read `layers:`; an item is a name, or a name with options: `{hud: {space: screen}}`."""
        node = self.manifest.data.get("layers")
        for index, item in enumerate(node if isinstance(node, YamlList) else ()):
            assert isinstance(node, YamlList)
            mark, path = node.items_at[index], ("layers", index)
            options: dict[str, Any] = {}
            more = YamlMap(mark)
            name = item
            if isinstance(item, YamlMap) and len(item) == 1:
                name, options_node = next(iter(item.items()))
                if isinstance(options_node, YamlMap):
                    options = check(layer_validator(), options_node, (*path, name), self.report)
                    for key in options_node.keys() - keys_of(layer_schema()):
                        more.put(key, options_node[key], options_node.keys_at[key], options_node.values_at[key])
                        options.pop(key, None)
                elif options_node is not None:
                    what = f"must be a mapping of options such as {{space: screen}}, not {show(options_node)}"
                    self.report.add(item.values_at[name], (*path, name), what)
            if not isinstance(name, str) or not _NAME.match(name):
                self.report.add(mark, path, f"must be the name of a layer, or {{name: {{...}}}}, not {show(name)}")
            elif any(layer.name == name for layer in self.manifest.layers):
                self.report.add(mark, path, f"the layer {name!r} is listed twice")
            else:
                self.manifest.layers.append(LayerWish(name, options, place_at(mark), more, (*path, name)))

    def input(self, actions: dict[str, Any]) -> None:
        """Read the actions with their keys; `check` reports keys that do not exist."""
        node = self.manifest.section("input")
        for number, player_actions in enumerate(actions.pop("players", ())):
            self.manifest.players.append(_bindings(player_actions, node["players"][number], f"input.players[{number}]"))
        self.manifest.input |= _bindings(actions, node, "input")

    def names(self, section: str) -> None:
        """Check names (a letter first, no dots or spaces), and that scenes are lists and prefabs mappings."""
        node = self.manifest.section(section)
        for name, value in node.items():
            if not _NAME.match(name):
                what = f"{name!r} is not a valid name: use letters, digits, '_' and '-'"
                self.report.add(node.keys_at[name], (section, name), what)
            expected_type = YamlList if section == "scenes" else YamlMap
            if value is not None and not isinstance(value, expected_type):
                shape = "a list of entries, `- {...}`" if section == "scenes" else "a mapping of components"
                self.report.add(node.values_at[name], (section, name), f"must be {shape}, not {show(value)}")

    def start(self, valid: dict[str, Any]) -> None:
        """Set the start scene: `scene:`, otherwise `main`, otherwise the first; and the demo scene: `demo:`.

        An override of `scene` replaces the demo scene too.
        """
        manifest, scenes = self.manifest, self.manifest.scenes
        manifest.start = valid.get("scene") or ("main" if "main" in scenes else next(iter(scenes), ""))
        overridden = any(text.partition("=")[0].strip() == "scene" for text in manifest.overrides)
        manifest.demo = manifest.start if overridden else valid.get("demo", "")
        for key in ("scene", "demo"):
            name = valid.get(key, "")
            if name and name not in scenes:
                listed = f". Scenes: {', '.join(scenes)}" if scenes else ""
                what = f"no scene is called {name!r}{did_you_mean(name, scenes)}{listed}"
                self.report.add(manifest.data.values_at[key], (key,), what)


def _bindings(actions: dict[str, list[str]], node: YamlMap, path: str) -> Bindings:
    bindings = Bindings()
    for action, keys in actions.items():
        value, at = node[action], f"{path}.{action}"
        if isinstance(value, YamlList):
            marks = enumerate(zip(keys, value.items_at, strict=False))
            bindings[action] = [Binding(key, place_at(mark), f"{at}[{index}]") for index, (key, mark) in marks]
        else:
            bindings[action] = [Binding(key, place_at(node.values_at[action]), at) for key in keys]
    return bindings
