"""The clips that Animators play, by the text numbers of file and name; loaded again after a restore or an edit."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING

from rish_assets import LogOnce
from rish_ecs import Problem, did_you_mean, resource
from rish_expressions import Vocabulary

from ..fields import Field, world_field
from .checks import checked_tracks
from .curves import Curve, curve_of
from .files import clip_files
from .model import Clips, TrackClip
from .timing import Timing, Timings

if TYPE_CHECKING:
    from rish_ecs import World


@dataclass(frozen=True)
class ReadyClip:
    """A clip with its tracks as curves. file: the text number of its file's name."""

    clip: TrackClip
    curves: tuple[Curve, ...]
    file: int


@resource(derived=True)
class ClipLibrary:
    """The clips in use. files: the clips of files, and those from code. log: logs problems, once until a file changes.

    ready: the clips in use. index: the index in `ready`, or -1, by the text numbers of file and clip. version: rises
    whenever a clip changes. timings: the timings of the clips in `ready`. fields: the fields of tracks, by path.
    """

    ready: list[ReadyClip] = dataclass_field(default_factory=list[ReadyClip])
    index: dict[tuple[int, int], int] = dataclass_field(default_factory=dict[tuple[int, int], int])
    fields: dict[str, Field] = dataclass_field(default_factory=dict[str, Field])
    timings: Timings = dataclass_field(default_factory=Timings)
    version: int = 0

    def __post_init__(self) -> None:
        """Make the library of files."""
        self.log = LogOnce("rish.animation")
        self.files = clip_files("rish.animation", self._changed)

    def _changed(self, path: str) -> None:
        self.log.forget()
        self._forget()

    def _forget(self) -> None:
        self.ready, self.index, self.fields, self.timings = [], {}, {}, Timings()
        self.version += 1

    def add(self, world: World, name: str, clips: Clips) -> None:
        """Use clips from code under a name that `Animator.clips` may have; the name is not looked up as a file."""
        self.files.put(name, clips)

    def find(self, world: World, file: int, name: int) -> int:
        """Return the index of a clip in `ready`; -1 if there is none, which is logged once."""
        index = self.index.get((file, name))
        if index is None:
            index = self.index[file, name] = self._load(world, file, name)
        return index

    def field(self, world: World, path: str) -> Field:
        """Return the field that a path names; see `field_of`. Its class is looked up again after it was reloaded."""
        field = self.fields.get(path)
        if field is None or field.cls not in world.tables:
            field = self.fields[path] = world_field(world, path)
        return field

    def _load(self, world: World, file: int, name: int) -> int:
        """Load a clip and append it to `ready`; return its index, or -1 after logging why there is none."""
        path, clip_name = world.text(file), world.text(name)
        clips = self.files.get(world, path).tracks if file else {}
        if not clip_name:
            clip_name = next(iter(clips), "")
        clip = clips.get(clip_name)
        if clip is None:
            if file:
                choices = f". Choices: {', '.join(list(clips)[:12])}" if clips else ", and no other clip of tracks"
                self.log(f"{path} has no clip of tracks called {clip_name!r}{did_you_mean(clip_name, clips)}{choices}")
            return -1
        problems: list[Problem] = []
        curves = [curve_of(world, checked) for checked in checked_tracks(clip, Vocabulary.of_world(world), problems)]
        for problem in problems:
            self.log(f"{problem} (the track is left out)")
        number = world.intern(clip_name)
        markers = tuple((time, world.intern(text)) for time, text in clip.markers)
        next_number = world.intern(clip.next) if clip.next else 0
        self.ready.append(ReadyClip(clip, tuple(curves), file))
        self.index[file, number] = self.timings.add(Timing(clip.seconds, clip.mode, number, next_number, markers))
        return self.index[file, number]


def log_missing(library: ClipLibrary, world: World, entity: int, field: Field, track_place: object) -> None:
    """Log once that an entity lacks the component of a track."""
    from rish_core import Name

    names = world.tables.get(Name)
    row = names.row_of(entity) if names is not None else -1
    label = f"{names.read_row('value', row)!r}" if names is not None and row >= 0 else str(entity)
    where = f"{track_place}: " if track_place else ""
    library.log(f"{where}{field.text}: entity {label} has no {field.cls.__name__}, so the track is left out for it")
