"""Previews of the entities that a run spawns from files, such as the objects of a tile map.

The entities are children of the one that names the file, marked as `rish_authoring.Previews`: no text contains them.
They are spawned again in the step of the edit that changes their file or component, so undoing restores them too; edits
of the previews themselves are lost. A run begins without them and spawns its own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_assets import AssetLibrary
from rish_authoring import Previews
from rish_core import Assets, Origin, describe_error, kind_of
from rish_core.manifest import Spot
from rish_ecs.random import RandomStreams
from rish_ecs.storage import links_of

if TYPE_CHECKING:
    from .game import Game
    from .selection import Handles

_log = logging.getLogger("rish.editor")
Spawner = tuple[str, Callable[[Any, int], list[int]]]
"""The field of a component that names the file, and the function that spawns what the file contains."""
_NONE = np.zeros(0, np.int64)


class Spawned:
    """The entities that come from other files than the game's own text: previews of what a run spawns, and entries that
    an importer adds.

    spawners: by component, see the hook `rish_editor_spawners`.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self.spawners: Mapping[type, Spawner] = dict(game.app.registry.of("rish_editor_spawners").values())
        self._failed: set[type] = set()
        self._sources: Any = ()
        self._content: Any = ()
        self._prefabs: tuple[Any, str] = (None, "")
        self._foreign: tuple[Any, dict[tuple[int, int], str]] = (None, {})
        self.reloaded: set[str] = set()
        self._files = AssetLibrary(
            "preview", lambda path, read: read.note(path), placeholder=str, log="rish.editor",
            on_change=self.reloaded.add,
        )  # fmt: skip

    # Which entities they are

    @property
    def handles(self) -> Handles:
        """The shown entities that only a run spawns, int64 n."""
        world = self._game.world
        return world[Previews].handles if Previews in world else _NONE

    def fixed(self, handles: Any) -> Any:
        """Return bool n: which entities come from a file of another program, so that they can't be edited here."""
        entities = np.asarray(handles, np.int64).reshape(-1)
        if not self._game.editing:
            return np.zeros(len(entities), np.bool_)
        is_fixed = np.isin(entities, self.handles)
        foreign = self._by_origin()
        if foreign:
            is_fixed |= np.array([self._file_of_entry(handle) != "" for handle in entities.tolist()], np.bool_)
        return is_fixed

    def file_of(self, handle: int) -> str:
        """Return the asset path of the file that an entity comes from; "" for an entity of the game's own text."""
        if not self._game.editing:
            return ""
        world, every = self._game.world, self.handles
        place = np.flatnonzero(every == handle)
        if not len(place):
            return self._file_of_entry(handle) if self._by_origin() else ""
        owner = int(world[Previews].owners[place[0]])
        for cls, (field, _) in self.spawners.items():
            if world.alive(owner) and world.has(owner, cls):
                return str(self._game.read(owner, cls, field))
        return ""

    def _by_origin(self) -> dict[tuple[int, int], str]:
        """Return the files of the entries that plugins have added, by the index of the scene's name and the index of
        the entry."""
        compiled = self._game.app.game
        if self._foreign[0] is not compiled:
            texts, prefab_names = self._game.world.texts, dict[tuple[int, int], str]()
            for label, plan in compiled.scenes.items():
                for number, step in enumerate(plan.steps):
                    mark = plan.steps[step.root].node.mark
                    if isinstance(mark, Spot) and texts.find(label) >= 0:
                        prefab_names[texts.find(label), number] = mark.name
            self._foreign = compiled, prefab_names
        return self._foreign[1]

    def _file_of_entry(self, handle: int) -> str:
        table = self._game.world.table(Origin)
        row = table.row_of(handle)
        if row < 0:
            return ""
        return self._by_origin().get((int(table.column("scene")[row]), int(table.column("entry")[row])), "")

    # Making them

    def update(self) -> None:
        """Spawn the previews again if their files, their components or they themselves have changed; call it within the
        step of an edit."""
        if not self.spawners or not self._game.editing:
            return
        sources = self._read_sources()
        if not self.reloaded and sources == self._sources and self._read_content() == self._content:
            return
        self.reloaded.clear()
        world, selected = self._game.world, self._game.selection
        before = self.handles
        self.clear()
        handles, owners = [_NONE], [_NONE]
        for cls, owner, *_ in sources:
            spawned = self._spawn(cls, owner)
            handles.append(spawned)
            owners.append(np.full(len(spawned), owner, np.int64))
        spawned = np.concatenate(handles)
        if len(spawned) or len(before):
            world.put(Previews(handles=spawned, owners=np.concatenate(owners)))
            self._game.refresh()
        if len(selected) and len(before) == len(spawned):
            again = dict(zip(before.tolist(), spawned.tolist(), strict=True))
            selected.set([again.get(handle, handle) for handle in selected.handles])
        self.settle()

    def clear(self) -> None:
        """Remove the previews, as before a run."""
        world, handles = self._game.world, self.handles
        alive = handles[world.alive(handles)] if len(handles) else handles
        if len(alive):
            world.despawn(alive)
        if len(handles):
            world.put(Previews())

    def settle(self) -> None:
        """Accept the previews as they are, such as after undoing, which has restored them."""
        if self.spawners:
            self._sources, self._content = self._read_sources(), self._read_content()

    def _spawn(self, cls: type, owner: int) -> Handles:
        """Return the entities that the file of a component brings, with all below them."""
        world = self._game.world
        counters = world[RandomStreams].counters
        counters_before = dict(counters)
        try:
            roots = np.array(self.spawners[cls][1](world, owner), np.int64)
        except Exception as error:
            if cls not in self._failed:
                self._failed.add(cls)
                _log.error("what %s spawns can't be shown: %s", cls.__name__, describe_error(error), exc_info=error)
            return _NONE
        finally:  # a run draws the same numbers
            counters.clear()
            counters.update(counters_before)
        if world.pending:
            world.flush()
        links, levels, last = links_of(world), [roots], roots
        while len(last):
            last = links.children[np.isin(links.parents, last)]
            levels.append(last)
        return np.concatenate(levels)

    def _read_sources(self) -> list[Any]:
        """Return the entities whose components spawn previews, with the values of the components and the content of the
        prefabs."""
        world, sources = self._game.world, list[Any]()
        for cls, (field, _) in self.spawners.items():
            table = world.tables.get(cls)
            if table is None or not len(table):
                continue
            fields = kind_of(cls).fields
            for owner in np.sort(table.entities).tolist():
                values = [repr(self._game.read(owner, cls, name)) for name in fields]
                if Assets in world:
                    self._files.get(world, str(self._game.read(owner, cls, field)))
                sources.append((cls, owner, *values, self._digest))
        return sources

    @property
    def _digest(self) -> str:
        """The digest of all prefabs; computed again after the text was compiled again."""
        compiled = self._game.app.game
        if self._prefabs[0] is not compiled:
            steps = {
                name: [(step.parent, step.parts) for step in plan.steps] for name, plan in compiled.prefabs.items()
            }
            self._prefabs = compiled, repr(steps)
        return self._prefabs[1]

    def _read_content(self) -> list[Any]:
        """Return the values of the previews, to detect whether an edit has changed them."""
        world, handles = self._game.world, self.handles
        if not len(handles):
            return []
        alive = world.alive(handles)
        content: list[Any] = [alive.tobytes()]
        live = handles[alive]
        for cls, table in world.tables.items():
            rows = table.lookup(live)
            live_rows = rows[rows >= 0]
            if not len(live_rows):
                continue
            content.append((cls, (rows >= 0).tobytes()))
            for name, spec in kind_of(cls).fields.items():
                if spec.hidden or spec.transient:
                    continue
                column = table.column(name)[live_rows]
                content.append((table.pool_of(name).gather(column) if spec.type.pooled else column).tobytes())
        return content
