"""The warm-up compiles the kernels that a scene or prefab needs before it is played, without changing the scene."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

import rish_jit
import rish_physics
from fresh_python import run_python
from long_runs import long
from rish_physics import Body, Collider, RevoluteJoint
from rish_physics.components.joints import READERS
from rish_physics.plugin.warm_up import private_world, samples_of, warm_up
from rish_physics.plugin.warm_up_samples import SAMPLES, Sample

needs_numba = pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")
BASIS = {"plain", "crowd"}
MOVING = BASIS | {"sleepers", "continuous"}
_JOINTS = {cls.__name__ for cls in READERS}


@pytest.fixture
def nothing_imported(monkeypatch):
    """Remove lazily imported joints and queries from the package, as if no code had imported them."""
    for name in rish_physics.__all__:
        if name in vars(rish_physics) and (
            name in _JOINTS or any(part in name for part in ("cast", "overlap", "pick"))
        ):
            monkeypatch.delattr(rish_physics, name)


@pytest.mark.usefixtures("nothing_imported")
def test_a_game_without_bodies_warms_up_nothing(yard):
    """A game without bodies warms up nothing."""
    assert samples_of(yard().world) == set()
    assert warm_up(yard().world) == {}


@pytest.mark.usefixtures("nothing_imported")
def test_only_what_is_there_is_warmed_up(yard):
    """Each feature in the scene adds its sample: walls need no sleep, circles no hulls.

    Joints replace the short path through the solver.
    """
    place = yard()
    place.wall(0, 0, 9, 1)
    assert samples_of(place.world) == BASIS
    a, b = place.ball(0, 3), place.box(2, 3)
    assert samples_of(place.world) == MOVING
    place.put(0, 0, RevoluteJoint(a=a, b=b))
    joined = MOVING - {"plain"} | {"bodies"}
    assert samples_of(place.world) == joined | {"RevoluteJoint"}
    place.put(0, 0, RevoluteJoint(a=a, b=b, motor=True))
    place.box(4, 3, radius=0.1)
    place.box(6, 3, sensor=True)
    place.box(8, 3, one_way=(0, 1))
    place.ball(9, 9, restitution=0.5)
    more = {"RevoluteJoint", "RevoluteJoint parts", "hulls", "sensors", "one_way", "cold"}
    assert samples_of(place.world) == joined | more
    place.put(0, 0, Collider(shape="chain", points=[(9, 0), (3, 0), (0, 0), (-9, 0)]))
    assert samples_of(place.world) == joined | more | {"chains", "edges"}


@pytest.mark.usefixtures("nothing_imported")
def test_settings_count(yard):
    """Features that are disabled in the settings are not warmed up."""
    place = yard(sleeping=False, continuous=False)
    place.ball(0, 0)
    assert samples_of(place.world) == BASIS


@pytest.mark.usefixtures("nothing_imported")
def test_prefabs_are_looked_into(yard):
    """Prefabs are searched as well, because a system may spawn them later."""
    prefabs = {
        "shot": {"Transform": {}, "Body": {}, "Collider": {"shape": "polygon", "points": [[0, 0], [9, 0], [0, 9]]}},
        "coin": {"Transform": {}, "Collider": {"shape": "circle", "radius": 4, "sensor": True}},
    }
    assert samples_of(yard(prefabs=prefabs).world) == MOVING | {"hulls", "sensors"}


@pytest.mark.usefixtures("nothing_imported")
def test_what_goes_its_own_way_counts(yard):
    """A kinematic body, in the scene or in a prefab, warms up the kernels for overrun bodies."""
    place = yard()
    place.put(0, 0, Body(type="kinematic"), Collider())
    assert samples_of(place.world) == MOVING | {"overrun"}
    lift = {"lift": {"Transform": {}, "Body": {"type": "kinematic"}, "Collider": {}}}
    assert samples_of(yard(prefabs=lift).world) == MOVING | {"overrun"}


@pytest.mark.usefixtures("nothing_imported")
def test_a_game_that_imports_a_query_means_to_ask_it(yard):
    """Importing a query function warms up its kind of queries."""
    place = yard()
    place.ball(0, 0)
    assert rish_physics.ray_cast
    assert samples_of(place.world) == MOVING | {"casts"}
    assert rish_physics.pick
    assert samples_of(place.world) == MOVING | {"casts", "overlaps"}


@pytest.mark.usefixtures("nothing_imported")
def test_a_game_that_imports_a_joint_means_to_make_it(yard):
    """Importing a joint class warms up its kernels, if there are bodies."""
    assert rish_physics.RevoluteJoint
    assert samples_of(yard().world) == set()
    place = yard()
    place.ball(0, 0)
    assert samples_of(place.world) == MOVING | {"bodies", "RevoluteJoint", "RevoluteJoint parts"}
    assert rish_physics.WeldJoint
    assert samples_of(place.world) == MOVING | {"bodies", "RevoluteJoint", "RevoluteJoint parts", "WeldJoint"}


def test_the_scene_is_only_looked_at(yard):
    """The warm-up runs in another World and does not change the scene's hash or settings."""
    place = yard(sleeping=True)
    place.wall(0, 0, 9, 1)
    place.ball(0, 3)
    place.run(3)
    before, settings = place.world.hash(), vars(place.world[rish_physics.PhysicsSettings]).copy()
    twin = private_world(place.world)
    assert len(twin.query(Body).entities) == 0
    SAMPLES["bodies"](Sample(twin))
    assert len(twin.query(Body).entities) > 0
    assert place.world.hash() == before
    assert vars(place.world[rish_physics.PhysicsSettings]) == settings


@pytest.mark.parametrize("joint", [None, RevoluteJoint])
@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "crowd"])
def test_every_act_can_be_played(yard, name, joint):
    """Every sample runs for any unit and gravity, with a joint and without."""
    sample = Sample(private_world(yard(units_per_meter=64, gravity=(3, -10)).world), joint)
    SAMPLES[name](sample)
    assert np.isfinite(sample.world.query(Body)[Body.velocity]).all()


def run(code: str, folder: Path | None = None, **environment: str) -> str:
    """Run code in a separate process; return its output."""
    given = {**os.environ, **environment}
    if folder is not None:
        given["PYTHONPATH"] = str(folder)
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False, env=given
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
@needs_numba
def test_ticks_without_bodies_call_no_kernel():
    """A game that may get bodies later runs without a compiler until then: numba is not even imported."""
    code = """
    import sys
    from rish_core import App, parse_manifest
    with App(parse_manifest("rish: 1\\nplugins: [physics]\\n"), headless=True, warm_up=False) as app:
        app.run(5)
    print("numba" in sys.modules)
    """
    assert run(code) == "False"


COUNT = """
import rish_jit

def known():
    return {kernel.name: len(kernel.loaded_types) for kernel in rish_jit.kernels() if kernel.compiled}

def fresh(before):
    return {name for name, count in known().items() if count > before.get(name, 0) and "physics" in name}
"""


def counted(code: str) -> str:
    """Run code after `COUNT` in a fork of a process that has imported numba and the plugins; return its output."""
    done = run_python("-c", COUNT + textwrap.dedent(code), cwd=Path.cwd())
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
@needs_numba
@pytest.mark.parametrize("exhibit", long(["pyramid", "joints", "platforms", "vehicle"], ["joints"]))
def test_no_kernel_compiles_while_an_exhibit_is_played(exhibit: str) -> None:
    """Seconds of a gallery scene compile no kernel after the loading phase."""
    gallery = Path(__file__).parents[3] / "games" / "physics"
    code = f"""
    from rish_core import open_game
    app = open_game({str(gallery)!r}, ["scene={exhibit}"], headless=True, policy="raise")
    before = known()
    app.run({long(300, 60)}, draw=False)
    print(len(before) > 30, fresh(before))
    """
    assert counted(code) == "True set()"


MEETING = """
import numpy as np
from rish_core import App, parse_manifest
import rish_physics as physics
from rish_physics import Body, ray_cast, overlap_point
manifest = parse_manifest('''
rish: 1
plugins: [physics]
settings: {physics: {units_per_meter: 1}}
scenes:
  main:
    - {Transform: {position: [0, -0.5]}, Collider: {size: [40, 1]}}
    - {Transform: {position: [0, 0.5]}, Body: {}, Collider: {size: [1, 1]}}
    - {Transform: {position: [3, 0.5]}, Body: {}, Collider: {shape: circle, radius: 0.5}}
    - {Transform: {position: [9, 0.5]}, Collider: {size: [1, 1], sensor: true}}
''')
app = App(manifest, headless=True, policy="raise")
world = app.world
before = known()

def run(ticks):
    for _ in range(ticks):
        app.tick()
        world.end_frame()

run(100)
asleep = bool(world.query(Body)[Body.asleep].all())
ball = int(world.query(Body).entities[1])
world.get(ball, Body).velocity = (300, -300)
run(2)
world.get(int(world.query(Body).entities[0]), Body).velocity = (9, 0)
run(90)
ray_cast(world, (0, 9), (0, -9)), overlap_point(world, (0, -0.5))
run(100)
print(asleep, len(before) > 20, fresh(before))
"""


@pytest.mark.slow
@needs_numba
def test_nothing_compiles_when_they_sleep_wake_and_are_shot() -> None:
    """A small scene in which bodies sleep, wake up, and are shot compiles no kernel after the warm-up."""
    assert counted(MEETING) == "True True set()"


@pytest.mark.slow
@needs_numba
def test_an_edited_helper_of_this_package_is_noticed(tmp_path: Path) -> None:
    """After an edit in a helper its callers in other modules are compiled again."""
    source = Path(rish_physics.__file__).parent
    shutil.copytree(source, tmp_path / "rish_physics", ignore=shutil.ignore_patterns("__pycache__"))
    code = """
    import numpy as np
    import rish_jit
    from rish_physics.solver.ccd import begin
    pose, motion, way = np.array([5, 6, 1, 0], np.float32), np.zeros(8, np.float32), np.zeros(8, np.float32)
    begin(np.zeros(1, np.int32), pose, motion, way, np.zeros(1, np.float32), np.zeros(1, np.int32))
    print(way[2], rish_jit.compilations > 0, rish_jit.cache_folder(begin))
    """
    places = {"RISH_CACHE_DIR": "", "NUMBA_CACHE_DIR": ""}
    result, compiled, folder = run(code, tmp_path, **places).split()
    assert (result, compiled) == ("1.0", "True")
    assert Path(folder).is_relative_to(tmp_path)
    assert run(code, tmp_path, **places).split() == ["1.0", "False", folder]
    helper = tmp_path / "rish_physics" / "geometry" / "toi.py"
    text = helper.read_text()
    edited = text.replace("return c, s\n", "return s, c\n")
    assert edited != text
    helper.write_text(edited)
    assert run(code, tmp_path, **places).split() == ["0.0", "True", folder]


LATER = """
from rish_core import App, Transform, parse_manifest
from rish_physics import Body, Collider, RevoluteJoint, WeldJoint
manifest = parse_manifest('''
rish: 1
plugins: [physics]
scenes:
  main:
    - {Transform: {position: [0, -32]}, Collider: {size: [2000, 64]}}
    - {count: 3, at: [[0, 32], [70, 32], [140, 32]], Transform: {}, Body: {}, Collider: {size: [64, 64]}}
''')
app = App(manifest, headless=True, policy="raise")
app.run(20, draw=False)
before = known()
world = app.world
a, b, c = world.query(Body).entities.tolist()
world.spawn(RevoluteJoint(a=a, b=b, anchor_a=(35, 0), anchor_b=(-35, 0), limited=True, lower=-1, upper=1, motor=True))
world.spawn(WeldJoint(a=b, b=c, anchor_a=(35, 0), anchor_b=(-35, 0)))
world.get(a, Body).velocity = (900, 900)
app.run(300, draw=False)
print(fresh(before))
"""


@pytest.mark.slow
@needs_numba
def test_joints_that_are_made_later_compile_nothing_in_play() -> None:
    """Joints spawned later compile nothing, because the game's code has imported their classes."""
    assert counted(LATER) == "set()"
