"""Engines that keep one Python object for each sprite, or need one call for each: arcade, pyglet, pygame, raylib.

Each draws as its manual shows for many sprites, without options that only cost time: no antialiased window, no
debugging of OpenGL. The motion is computed with numpy and passed on as lists.
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _engine_clock
from ._screen import virtual_screen
from ._sprites_scene import HEIGHT, PICTURES, WIDTH, Motion, picture
from ._task import Task

ANGLES = 64
"""The number of rotations of each image that pygame caches."""
_BACK = (20, 22, 34)


def arcade(count: int, size: int, clock: str) -> Task:
    """A SpriteList; every sprite's position and angle is set each frame."""
    os.environ["ARCADE_HEADLESS"] = "True"
    import pyglet

    pyglet.options.debug_gl = False
    import arcade
    from PIL import Image

    window = _once("arcade", lambda: arcade.Window(WIDTH, HEIGHT, "bench", antialiasing=False, visible=False))
    motion = Motion(count)
    textures = [arcade.Texture(Image.fromarray(picture(k, size)), hash=f"p{k}-{size}") for k in range(PICTURES)]
    sprites: Any = arcade.SpriteList(capacity=count)
    each = [arcade.Sprite(textures[k]) for k in motion.picture.tolist()]
    sprites.extend(each)
    _engine_clock.set_clock(clock)

    def frame() -> None:
        motion.tick()
        angles = np.degrees(-motion.angle).tolist()
        places = zip(motion.x.tolist(), motion.y.tolist(), strict=True)
        for sprite, place, angle in zip(each, places, angles, strict=True):
            sprite.position = place
            sprite.angle = angle
        window.clear(color=_BACK)
        sprites.draw(pixelated=True)
        window.ctx.finish()

    return Task(frame, clock=clock)


def pyglet(count: int, size: int, clock: str) -> Task:
    """A Batch of Sprites; `update` of each."""
    import pyglet

    pyglet.options.headless = True
    pyglet.options.debug_gl = False
    from pyglet import gl, graphics, image, sprite

    window = _once("pyglet", lambda: pyglet.window.Window(WIDTH, HEIGHT, visible=False))
    motion, batch = Motion(count), graphics.Batch()
    atlas = image.atlas.TextureAtlas(512, 512)
    images = []
    for k in range(PICTURES):
        found = atlas.add(image.ImageData(size, size, "RGBA", picture(k, size).tobytes()))
        found.anchor_x = found.anchor_y = size // 2
        images.append(found)
    each = [sprite.Sprite(images[k], batch=batch) for k in motion.picture.tolist()]
    window.switch_to()
    _engine_clock.set_clock(clock)

    def frame() -> None:
        motion.tick()
        angles = np.degrees(-motion.angle).tolist()
        for one, x, y, angle in zip(each, motion.x.tolist(), motion.y.tolist(), angles, strict=True):
            one.update(x=x, y=y, rotation=angle)
        window.clear()
        batch.draw()
        gl.glFinish()

    return Task(frame, clock=clock)


def pygame(count: int, size: int, clock: str) -> Task:
    """`fblits` of images that were rotated in advance, the fastest method of pygame."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    import pygame

    pygame.display.init()
    screen: Any = pygame.display.set_mode((WIDTH, HEIGHT), depth=32)
    motion = Motion(count)
    turned: list[Any] = []
    for k in range(PICTURES):
        made = pygame.image.frombuffer(picture(k, size).tobytes(), (size, size), "RGBA").convert_alpha()
        turned += [pygame.transform.rotate(made, 360 * a / ANGLES).premul_alpha() for a in range(ANGLES)]
    reach = np.array([surface.get_width() / 2 for surface in turned], np.float32)
    blend = pygame.BLEND_PREMULTIPLIED
    first = motion.picture * ANGLES

    def frame() -> None:
        motion.tick()
        which = first + ((motion.angle * (ANGLES / (2 * np.pi)) + 0.5).astype(np.int32) & (ANGLES - 1))
        half = reach[which]
        x, y = (motion.x - half).tolist(), (HEIGHT - motion.y - half).tolist()
        screen.fill(_BACK)
        screen.fblits([(turned[k], (a, b)) for k, a, b in zip(which.tolist(), x, y, strict=True)], blend)

    return Task(frame, clock=clock)


def raylib(count: int, size: int, clock: str) -> Task:
    """`DrawTexturePro` for each sprite, into a window on a virtual screen; the structs are reused."""
    from raylib import ffi, rl

    virtual_screen()

    def window() -> bool:
        rl.SetTraceLogLevel(rl.LOG_NONE)
        rl.InitWindow(WIDTH, HEIGHT, b"bench")
        return True

    _once("raylib", window)
    motion = Motion(count)
    sheet = np.concatenate([picture(k, size) for k in range(PICTURES)], axis=1)
    pixels = ffi.from_buffer(np.ascontiguousarray(sheet))
    format_ = rl.PIXELFORMAT_UNCOMPRESSED_R8G8B8A8
    image = ffi.new("Image *", [ffi.cast("void *", pixels), sheet.shape[1], size, 1, format_])
    texture = rl.LoadTextureFromImage(image[0])
    sources = [ffi.new("Rectangle *", [k * size, 0, size, size])[0] for k in range(PICTURES)]
    target = ffi.new("Rectangle *", [0, 0, size, size])
    middle = ffi.new("Vector2 *", [size / 2, size / 2])[0]
    white, back = ffi.new("Color *", [255, 255, 255, 255])[0], ffi.new("Color *", [*_BACK, 255])[0]
    which = [sources[k] for k in motion.picture.tolist()]

    def frame() -> None:
        motion.tick()
        draw, place = rl.DrawTexturePro, target
        angles = np.degrees(-motion.angle).tolist()
        rl.BeginDrawing()
        rl.ClearBackground(back)
        for source, x, y, angle in zip(which, motion.x.tolist(), (HEIGHT - motion.y).tolist(), angles, strict=True):
            place.x = x
            place.y = y
            draw(texture, source, place[0], middle, angle, white)
        rl.EndDrawing()

    return Task(frame, after=lambda: rl.UnloadTexture(texture), clock=clock)


_windows: dict[str, Any] = {}


def _once(name: str, make: Any) -> Any:
    """Return a window that all cases of a process share."""
    if name not in _windows:
        _windows[name] = make()
    return _windows[name]


def __getattr__(name: str) -> Any:
    """Return the function for a name like `arcade_cpu_1000_8`: engine, clock, number of sprites, size in pixels."""
    engine, clock, count, size = name.split("_")
    make = {"arcade": arcade, "pyglet": pyglet, "pygame": pygame, "raylib": raylib}[engine]
    return lambda: make(int(count), int(size), "engine" if clock == "cpu" else "frame")
