"""The check of strict mode that a derived value reads only the sources that it declares."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from rish_jit.errors import UsageError

from ..declarations.component import Disabled, FieldSpec, current
from ..declarations.resource import resource_spec
from .declaration import Compared, Rows

if TYPE_CHECKING:
    from ..storage.store import Store
    from .declaration import DerivedSpec


class Recorder(dict[Any, Any]):
    """A dict that notes each class that is looked up in `reads` of a World, if that is not None.

    The keys are classes, or tuples of classes as those of queries.
    """

    def __init__(self, original: dict[Any, Any], world: Store) -> None:
        super().__init__(original)
        self._world = world

    def _note(self, key: Any) -> None:
        if self._world.reads is not None:
            self._world.reads.update(_classes_in(key))

    def __getitem__(self, key: Any) -> Any:
        self._note(key)
        return super().__getitem__(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the value of a key, and note it."""
        self._note(key)
        return super().get(key, default)


@contextmanager
def recorded_reads(world: Store, spec: DerivedSpec | None) -> Generator[None]:
    """Raise UsageError if the block read a class that the derived value does not declare.

    spec: None for a block that may read anything. Does nothing in a World whose reads are not recorded.
    """
    if not world.checks_derived:
        yield
        return
    before, world.reads = world.reads, None if spec is None else set()
    try:
        yield
        if spec is not None and world.reads:
            _check(world, spec, {*world.reads})
    finally:
        world.reads = before


def _check(world: Store, spec: DerivedSpec, reads: set[type]) -> None:
    declared: set[Any] = set()
    for source in spec.reads:
        if isinstance(source, FieldSpec):
            declared.add(current(source.kind.cls))
        elif isinstance(source, (Rows, Compared)):
            declared.add(current(source.cls))
        elif isinstance(source, type):
            declared.add(current(source))
        elif callable(source):
            declared |= _read_by(world, source)
    others = {current(cls) for cls in reads} - declared - {Disabled}
    undeclared = sorted(cls.__name__ for cls in others if not _is_cache(world, cls))
    if undeclared:
        raise UsageError(
            f"{spec.name}.compute reads {', '.join(undeclared)}, which it does not declare",
            hint=f"Add it to reads= of @derived: otherwise {spec.name} is not computed again when it changes",
        )


def _read_by(world: Store, function: Any) -> set[type]:
    """Return the classes that a function of the World reads."""
    before, world.reads = world.reads, set()
    try:
        function(world)
        return {current(cls) for cls in world.reads}
    finally:
        world.reads = before


def _is_cache(world: Store, cls: type) -> bool:
    """Return whether a class is a derived resource without a version: it changes only with what it is derived from."""
    resource = resource_spec(cls)
    if resource is None or not resource.derived:
        return False
    return not isinstance(getattr(world.resources.get(cls), "version", None), int)


def _classes_in(key: Any) -> Iterable[type]:
    """Return the classes in a key."""
    if isinstance(key, type):
        return [key]
    parts = cast("Iterable[Any]", key) if isinstance(key, (tuple, list, set, frozenset)) else ()
    return [cls for part in parts for cls in _classes_in(part)]
