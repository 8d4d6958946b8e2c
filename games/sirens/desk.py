"""The mixing desk: faders of the buses, mixes, and an announcement that lowers the music."""

from __future__ import annotations

from rish_audio import Buses, SoundCommand, play, play_music, set_bus, set_mix
from rish_core import Input, Scenes, Stage, World, spawn_prefab, system
from rish_render import Text
from rish_ui import Label, Screen

from .components import Visit
from .pen import AMBER, CYAN, DIM, GOLD, GRAY, GREEN, RED, WHITE, Pen, faded

STRIPS = ("master", "music", "effects", "city", "voice", "ui")
"""The buses that are shown."""
MIXES = ("", "underwater", "tunnel", "radio")
LEFT, STEP, LOW, HIGH = 84.0, 88.0, 280.0, 560.0
"""Units: the middle of the first fader, their distance, and their lower and upper end."""
LOUDEST = 1.5
"""The gain at the upper end of a fader."""
_MIX_X, _MIX_Y, _MIX_WIDTH, _MIX_HEIGHT, _MIX_STEP = 640.0, 480.0, 200.0, 38.0, 48.0
_CALL_Y = 290.0
"""The middle of the button of the announcement."""
_EVERY = 40
"""Ticks between two effects of the street."""


def in_studio(world: World) -> bool:
    """Whether this exhibit is shown."""
    return world[Scenes].current == "mix"


def build(world: World) -> None:
    """Write the names of the faders and of the mixes, and begin the music."""
    for number, name in enumerate(STRIPS):
        x = LEFT + STEP * number
        spawn_prefab(world, "label", Text(text=name, size=14.0, anchor=(0.5, 0.5), layer="marks"), at=(x, LOW - 34))
    for number, name in enumerate(MIXES):
        _name(world, name or "plain", _MIX_Y - _MIX_STEP * number)
    _name(world, "announcement", _CALL_Y)
    play_music(world, "calm", fade=1.0)


def _name(world: World, key: str, y: float) -> None:
    """Write the name of a button."""
    screen = Screen(pivot=(0, 0.5))
    spawn_prefab(world, "caption", Label(text=f"$mixes.{key}"), screen, at=(_MIX_X + 34, y))


def announce(world: World) -> None:
    """Ring the gong, and speak after it."""
    play(world, "gong", priority=9)
    play(world, "announcement", priority=9, delay=1.2)


def gains(world: World) -> dict[str, tuple[float, bool]]:
    """Return gain and mute of each bus by its name."""
    buses = world[Buses]
    names = [world.text(int(number)) for number in buses.column("name")]
    return dict(zip(names, zip(buses.gain.tolist(), buses.muted.tolist(), strict=True), strict=True))


@system(Stage.STEP, reads=(Input, Buses), writes=(Visit, SoundCommand), run_if=in_studio)
def handle(world: World, dt: float) -> None:
    """Drag faders, mute buses, choose mixes; play the effects of the street."""
    keys, visit = world[Input], world[Visit]
    x, y = keys.pointer
    strip = round((x - LEFT) / STEP)
    on_strip = 0 <= strip < len(STRIPS) and abs(x - LEFT - STEP * strip) < 30
    if keys.pressed("take"):
        if on_strip and LOW - 16 <= y <= HIGH + 16:
            visit.held = strip
        elif on_strip and LOW - 50 < y < LOW - 18:
            _mute(world, STRIPS[strip])
        else:
            _push(world, x, y)
    if not keys.down("take"):
        visit.held = -1
    elif visit.held >= 0:
        share = min(max((y - LOW) / (HIGH - LOW), 0.0), 1.0)
        set_bus(world, STRIPS[visit.held], gain=share * share * LOUDEST)
    turn = keys.pressed("right") - keys.pressed("left")
    if turn:
        _choose(world, (visit.mix + turn) % len(MIXES))
    if visit.beat % _EVERY == 20:
        luck = world.random("desk")
        name = ("coin", "hit", "door", "laser")[visit.beat // _EVERY % 4]
        play(world, name, pan=float(luck.uniform(-0.8, 0.8)), gain=0.6, bus="effects")


def _push(world: World, x: float, y: float) -> None:
    """Push the button at a place, if there is one."""
    if not 0 < x - _MIX_X < _MIX_WIDTH:
        return
    number = round((_MIX_Y - y) / _MIX_STEP)
    if abs(y - _CALL_Y) < _MIX_HEIGHT / 2:
        announce(world)
    elif 0 <= number < len(MIXES) and abs(y - (_MIX_Y - _MIX_STEP * number)) < _MIX_HEIGHT / 2:
        _choose(world, number)


def _mute(world: World, name: str) -> None:
    set_bus(world, name, muted=0.0 if gains(world).get(name, (1.0, False))[1] else 1.0)
    play(world, "click", bus="ui")


def _choose(world: World, number: int) -> None:
    world[Visit].mix = number
    set_mix(world, MIXES[number], 0.6)
    play(world, "click", bus="ui")


@system(Stage.EXTRACT, before="render.extract", reads=(Buses, Visit), run_if=in_studio)
def draw_desk(world: World, dt: float) -> None:
    """Draw the faders and the buttons of the mixes."""
    pen, known, visit = Pen(world, "world", 0), gains(world), world[Visit]
    for number, name in enumerate(STRIPS):
        _strip(pen, LEFT + STEP * number, *known.get(name, (1.0, False)), held=visit.held == number)
    for number in range(len(MIXES)):
        y, chosen = _MIX_Y - _MIX_STEP * number, visit.mix == number
        ink = (44, 58, 98, 255) if chosen else (24, 31, 54, 255)
        pen.box(_MIX_X, y - _MIX_HEIGHT / 2, _MIX_WIDTH, _MIX_HEIGHT, ink, 8)
        pen.disc(_MIX_X + 18, y, 5, GREEN if chosen else DIM)
    pen.box(_MIX_X, _CALL_Y - _MIX_HEIGHT / 2, _MIX_WIDTH, _MIX_HEIGHT, (52, 42, 26, 255), 8)
    pen.disc(_MIX_X + 18, _CALL_Y, 5, GOLD)
    pen.done()


def _strip(pen: Pen, x: float, gain: float, muted: bool, *, held: bool) -> None:
    """Draw one fader. Its way is that of the square root of the gain."""
    pen.box(x - 34, LOW - 54, 68, HIGH - LOW + 90, (20, 26, 46, 255), 8)
    pen.box(x - 3, LOW, 6, HIGH - LOW, (8, 11, 22, 255), 3)
    for decibel in (3, 0, -6, -12, -18, -24, -36):
        y = LOW + (HIGH - LOW) * ((10 ** (decibel / 20)) / LOUDEST) ** 0.5
        pen.lines([[x - 20, y, x - 10, y], [x + 10, y, x + 20, y]], GOLD if decibel == 0 else GRAY, 1.2)
    y = LOW + (HIGH - LOW) * min(max(gain, 0.0) / LOUDEST, 1.0) ** 0.5
    ink = GRAY if muted else AMBER if held else CYAN
    pen.box(x - 2, LOW, 4, y - LOW, faded(ink, 0.7), 2)
    pen.box(x - 19, y - 11, 38, 22, (12, 16, 32, 255), 5)
    pen.box(x - 17, y - 9, 34, 18, (58, 70, 112, 255), 4)
    pen.box(x - 17, y - 1, 34, 2, WHITE if held else ink)
    pen.box(x - 28, LOW - 48, 56, 26, (60, 24, 40, 255) if muted else (28, 36, 62, 255), 5)
    if muted:
        pen.lines([[x - 24, LOW - 34, x + 24, LOW - 34]], RED, 2)
