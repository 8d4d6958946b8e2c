"""A script class is a component with methods, and reports early what can't work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core import Disabled, ManifestError, Name, Str, Tags, Transform, Vec2, component, field, kind_of
from rish_ecs import DeclarationError, StaleEntity, UnknownName, UsageError
from rish_scripts import Script


class Door(Script):
    """A door that opens."""

    open: bool = False
    speed: float = field(2.0, unit="units/s", low=0, high=9)
    steps: int = 0
    label: Str = "door"
    LIMITS = [1, 2]

    def on_update(self, dt: float) -> None:
        """Count the call and move."""
        self.steps += 1
        self.get(Transform).position += (self.speed * dt, 0)

    def describe(self) -> str:
        """A method of its own."""
        return f"{self.label} {'open' if self.open else 'shut'}"


class Gate(Door):
    """A door with another default and one more field."""

    speed: float = 5.0
    bars: int = 3


@component
class Lamp:
    """A component of another plugin."""

    light: float = 1.0


def test_a_script_is_a_component() -> None:
    """Its annotated fields are columns with units, ranges and defaults; fields of a base class are inherited."""
    assert list(kind_of(Door).fields) == ["open", "speed", "steps", "label"]
    assert kind_of(Door).fields["speed"].unit == "units/s"
    assert kind_of(Door).doc == "A door that opens."
    assert set(kind_of(Gate).fields) == {*kind_of(Door).fields, "bars"}
    assert Gate().speed == 5
    assert Door(open=True).open


def test_it_is_bound_by_name_in_yaml(play: Any) -> None:
    """A manifest adds scripts by name, several for an entity; a base class and its subclass are two components."""
    stage = play(Door, Gate, scene=[{"Transform": {}, "Door": {"speed": 3}, "Gate": {"bars": 7, "open": True}}])
    stage.tick(6)
    door, gate = stage.only(Door), stage.only(Gate)
    assert (door.speed, door.open, door.steps, gate.bars, gate.steps) == (3, False, 6, 7, 6)
    assert gate.describe() == "door open"
    assert door.get(Transform).position.x == pytest.approx(8 * 6 / 60, abs=1e-5)
    assert isinstance(gate, Door)
    assert type(gate).__name__ == "Gate"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ({"speed": 30}, "out of range: 0 to 9"),
        ({"sped": 3}, "did you mean 'speed'"),
        ({"open": "yes!"}, "true or false"),
    ],
)
def test_mistakes_in_yaml_are_reported_where_they_stand(play: Any, text: dict[str, Any], says: str) -> None:
    """Mistakes in a manifest are reported with their place, as for any component."""
    with pytest.raises(ManifestError, match=rf"game\.yaml:\d+:\d+: .*{says}"):
        play(Door, scene=[{"Door": text}])


def bad_scripts() -> dict[str, tuple[Callable[[], type], str]]:
    """Return classes that can't be declared, with their messages."""

    def with_init() -> type:
        class Bad(Script):
            def __init__(self) -> None: ...

        return Bad

    def with_helper() -> type:
        class Bad(Script):
            def get(self) -> None: ...

        return Bad

    def with_kept_field() -> type:
        class Bad(Script):
            entity: int = 0

        return Bad

    def with_hook_field() -> type:
        class Bad(Script):
            on_update: float = 0

        return Bad

    def with_object() -> type:
        class Bad(Script):
            target: Lamp

        return Bad

    def with_shared_list() -> type:
        class Bad(Script):
            seen = []

        return Bad

    return {
        "init": (with_init, r"test_script\.py:\d+: script Bad defines __init__.*on_create"),
        "helper": (with_helper, "defines get, which every script has"),
        "kept field": (with_kept_field, "defines entity, which every script has"),
        "hook as field": (with_hook_field, r"Bad\.on_update: the name is reserved"),
        "object": (with_object, r"Bad\.target: Lamp is no column type"),
        "shared list": (
            with_shared_list,
            r"Bad\.seen is one list shared by all entities.*Annotate it, as in seen: list\[float\]",
        ),
    }


@pytest.mark.parametrize("case", bad_scripts())
def test_what_can_not_work_is_refused_at_once(case: str) -> None:
    """A class that can't work is rejected at its definition, with a solution."""
    make, says = bad_scripts()[case]
    with pytest.raises(DeclarationError, match=says):
        make()


def test_values_for_a_spawn_are_no_script() -> None:
    """`Door()` belongs to no entity, and its methods say so."""
    with pytest.raises(UsageError, match="only values for a spawn"):
        Door().get(Transform)


def test_assigning_an_unannotated_attribute_shows_the_annotation(play: Any) -> None:
    """Assigning an unknown attribute raises an error with the script's line, the annotation and the class to add."""

    class Careless(Script):
        ready: bool = False

        def on_update(self, dt: float) -> None:
            self.cooldown = 0.25

    stage = play(Careless, scene=[{"Careless": {}}], policy="disable", strict=False)
    stage.app.schedule.on_error = lambda bound, failure: "raise"
    with pytest.raises(Exception, match=r"Write in class Careless:  cooldown: float = 0\.25"):
        stage.only(Careless).cooldown = 0.25


class Finder(Script):
    """A script that looks for entities."""

    def look(self) -> dict[str, Any]:
        """Return everything that it finds."""
        return {
            "name": self.find("lamp"),
            "nobody": self.find("nobody"),
            "tagged": self.find_tagged("hot"),
            "all": [lamp.light for lamp in self.find_all(Lamp)],
            "both": [lamp.entity for lamp in self.find_all(Lamp, Transform)],
            "has": (self.has(Lamp), self.has(Lamp, self.find("lamp")), self.has(Lamp, 12345)),
        }


def test_finding_by_name_tag_and_component(play: Any) -> None:
    """A name gives a handle or None, a tag handles, a component the views of enabled entities in table order."""
    stage = play(Finder, components=[Lamp])
    lamp = stage.spawn(Name(value="lamp"), Lamp(light=3), Tags(values=["hot"]))
    other = stage.spawn(Lamp(light=4), Transform())
    stage.spawn(Lamp(light=5), Disabled())
    finder = stage.script(stage.spawn(Finder()), Finder)
    assert finder.look() == {
        "name": lamp,
        "nobody": None,
        "tagged": [lamp],
        "all": [3, 4],
        "both": [other],
        "has": (False, True, False),
    }


class Animal(Script):
    """A base class that is not registered."""

    legs: int = 4


class Owl(Animal):
    """A subclass."""

    legs: int = 2


class Cat(Animal):
    """Another subclass."""


class Keeper(Script):
    """A script that counts legs."""

    def legs(self) -> tuple[list[int], list[int], list[int]]:
        """Return the legs of all animals, of those with a Transform, and of the owls."""
        found = self.find_all(Animal), self.find_all(Animal, Transform), self.find_all(Owl)
        return tuple([animal.legs for animal in animals] for animals in found)  # pyright: ignore[reportReturnType]


def test_finding_by_a_base(play: Any) -> None:
    """Subclasses of the requested class are found as well, in the order of their declaration."""
    stage = play(Owl, Cat, Keeper)
    stage.spawn(Cat())
    stage.spawn(Owl(), Transform())
    stage.spawn(Cat(legs=3), Transform())
    stage.spawn(Cat(), Disabled())
    keeper = stage.script(stage.spawn(Keeper()), Keeper)
    assert keeper.legs() == ([2, 4, 3], [2, 3], [2])
    with pytest.raises(UnknownName, match="Maker"):
        keeper.find_all(Maker)


class Maker(Script):
    """A script that spawns and despawns."""

    made: int = 0
    plain: int = 0
    child: Vec2 = (0, 0)

    def on_update(self, dt: float) -> None:
        """Spawn a prefab and components, then despawn itself."""
        if self.world.tick == 1:
            self.spawn("lamp", Lamp(light=8), at=(3, 4))
            self.spawn(Lamp(light=9), Transform(position=(5, 6)))
            self.made, self.plain = 1, 1
        if self.world.tick == 2:
            self.add(Lamp(light=1))
        if self.world.tick == 3:
            self.remove(Lamp)
        if self.world.tick == 4:
            self.despawn()


def test_spawning_and_despawning(play: Any) -> None:
    """A script can spawn prefabs and components and despawn itself; all takes effect at the end of the stage."""
    stage = play(Maker, components=[Lamp], manifest={"prefabs": {"lamp": {"Transform": {}, "Lamp": {"light": 2}}}})
    maker = stage.script(stage.spawn(Maker()), Maker)
    stage.tick(2)
    assert stage.world[Lamp].light.tolist() == [8, 9]
    assert stage.world[Transform].position.tolist() == [[3, 4], [5, 6]]
    stage.tick()
    assert maker.has(Lamp)
    stage.tick()
    assert not maker.has(Lamp)
    stage.tick()
    assert not stage.world.alive(maker.entity)
    with pytest.raises(StaleEntity):
        _ = maker.made


def test_at_goes_with_a_prefab(play: Any) -> None:
    """`at` is only allowed with a prefab; components have their own place."""
    stage = play(Maker)
    maker = stage.script(stage.spawn(Maker()), Maker)
    with pytest.raises(UsageError, match="go with a prefab"):
        maker.spawn(Transform(), at=(1, 2))
    with pytest.raises(UnknownName, match="no prefab is called 'lmap'"):
        maker.spawn("lmap")


class Driver(Script):
    """A script that reads the input."""

    turns: int = 0

    def on_update(self, dt: float) -> None:
        """Count presses."""
        self.turns += self.input.pressed("left")


def test_the_input_of_the_tick(play: Any) -> None:
    """`self.input` is the world's input."""
    stage = play(Driver, scene=[{"Driver": {}}], manifest={"input": {"left": ["LEFT"]}})
    driver = stage.only(Driver)
    driver.input.tap("left")
    stage.tick(3)
    assert driver.turns == 1
