"""Pictures: maps the image assets of sprites to frames of the atlas.

A sprite names an image by number (its path, interned) and a region. `Pictures` loads each image once, puts it into the
atlas and cuts regions from it. A missing image is reported once and replaced by the checkerboard; an image that is
edited is replaced in the atlas. All data here can be rebuilt from the World, so the resource is derived.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rish_assets import AssetLibrary, AssetReader
from rish_core import AssetError
from rish_ecs import resource
from rish_frame import Frame, PerVersion
from rish_frame.frame import ADDITIVE
from rish_frame.pictures import checkerboard
from rish_jit import Array

from ..components.visible import RenderSettings
from .atlas import Atlas, premultiply
from .maps import CHANNELS, mapped

if TYPE_CHECKING:
    from rish_ecs import World

Region = tuple[int, int, int, int]

CAMERA = "camera:"
"""The prefix of an image name that refers to the picture of a camera."""
FLIPS = 4
"""How many frames an image has: unchanged, mirrored in x, in y, and in both."""


_WHITE = np.full((1, 1, 4), 255, np.uint8)
_MISSING = "\n"
"""The key of the checkerboard among the images that were placed."""
WHOLE: Region = (0, 0, 0, 0)


class Maps(NamedTuple):
    """The maps of a sprite's image, and whether it only adds light. normal, emission: paths, empty for none."""

    normal: str = ""
    emission: str = ""
    additive: bool = False

    def lays(self, channel: str) -> bool:
        """Whether there is a map for a channel; images that only add light have no normals."""
        return bool(self.emission if channel == "emission" else self.normal and not self.additive)


PLAIN = Maps()


@dataclass
class Picture:
    """One image in the atlas: its first frame, its size in texels, and the frames cut from it."""

    frame: int
    size: tuple[int, int]
    cuts: dict[tuple[Region, Maps], int] = dataclass_field(default_factory=dict[tuple[Region, Maps], int])


@resource(derived=True)
class Pictures:
    """The atlas of this world, and the place of each image in it.

    atlas: also holds the glyphs of texts. images: by path. maps: the converted maps of images for a channel (`normal`,
    `emission`), see `maps.mapped`, by `map_key`; none if the sizes differ. seen: the last result of `frames_of`, by
    caller. targets: frames of complete targets, by size. channels: by channel, the map's frame for each image's frame.
    version: rises whenever an image changes.
    """

    atlas: Atlas = dataclass_field(default_factory=Atlas)
    seen: dict[str, Any] = dataclass_field(default_factory=dict[str, Any])
    targets: dict[tuple[int, int], int] = dataclass_field(default_factory=dict[tuple[int, int], int])
    channels: dict[str, dict[int, int]] = dataclass_field(default_factory=dict[str, dict[int, int]])
    version: int = 0

    def __post_init__(self) -> None:
        """Make the libraries of images and maps."""
        self._placed: dict[str, list[Picture]] = {}
        self._published = PerVersion[bool]()  # with the frame table that the channels were published for
        self.images = AssetLibrary(
            "image", self._image, placeholder=self._checkerboard, log="rish.render", on_change=self._renew_image
        )
        self.maps = AssetLibrary(
            "map", self._maps, placeholder=list[Picture], log="rish.render", on_change=self._renew_maps
        )

    def rebuild(self, world: World) -> None:
        """Clear the results by number, which may mean other paths after a restore; data by path stays valid."""
        self.seen.clear()
        if RenderSettings in world and not len(self.images):
            self.atlas.page_size = int(world[RenderSettings].page_size)

    def picture(self, world: World, path: str) -> Picture:
        """Return the picture of an image asset, loaded at the first call; an empty path is a white texel."""
        if not path:
            return self._placed[""][0] if "" in self._placed else self._place("", [_WHITE])[0]
        if path.startswith(CAMERA):  # the camera does not exist, which was already reported
            return self._checkerboard()
        return self.images.get(world, path)

    def frame_of(self, world: World, path: str, region: Region = WHOLE, maps: Maps = PLAIN) -> tuple[int, int, int]:
        """Return the first of a region's four frames (x y w h, texels; w 0: all), and its width and height."""
        picture = self.picture(world, path)
        x, y, w, h = region
        if w <= 0 or h <= 0:
            x, y, w, h = region = WHOLE
            if maps == PLAIN:
                return picture.frame, *picture.size
        page, (px, py, pw, ph) = self.atlas.place_of(picture.frame)
        x0, y0 = min(max(x, 0), pw - 1), min(max(y, 0), ph - 1)
        w, h = (min(w, pw - x0), min(h, ph - y0)) if region != WHOLE else (pw, ph)
        frame = picture.cuts.get((region, maps))
        if frame is None:
            flags = ADDITIVE if maps.additive else 0
            frame = self.atlas.cut(page, (px + x0, py + y0, w, h), flips=True, flags=flags)
            picture.cuts[region, maps] = frame
            for channel, beside in zip(CHANNELS, maps[:2], strict=True):
                if maps.lays(channel):
                    maps_beside = self.maps.get(world, map_key(channel, path, beside))
                    self._lay_beside(channel, maps_beside, (x0, y0, w, h), frame)
        return frame, w, h

    def _lay_beside(self, channel: str, maps: list[Picture], region: Region, frame: int) -> None:
        """Register the map for a part of an image. frame: that of the part."""
        rows = self.channels.setdefault(channel, {})
        if not maps:
            return
        for flip in range(FLIPS):
            picture = maps[flip % len(maps)]
            if (region, PLAIN) not in picture.cuts:
                page, (px, py, _, _) = self.atlas.place_of(picture.frame)
                x, y, w, h = region
                picture.cuts[region, PLAIN] = self.atlas.cut(page, (px + x, py + y, w, h), flips=True)
            rows[frame + flip] = picture.cuts[region, PLAIN] + flip
        self.version += 1

    def prepare(self, world: World, path: str, maps: Maps) -> Iterator[None]:
        """Put an image and its maps into the atlas, where `frame_of` finds them; one of them for each step."""
        self.picture(world, path)
        yield
        for channel, beside in zip(CHANNELS, maps[:2], strict=True):
            if maps.lays(channel):
                self.maps.get(world, map_key(channel, path, beside))
                yield

    def publish(self, frame: Frame) -> None:
        """Pass pages, frame table and channels to the frame, as far as they have changed since the last call."""
        before = frame.frames
        self.atlas.publish(frame)
        if not self.channels or self._published.get(self, frame.frames_version):
            return
        table = self.atlas.table
        for channel, rows in self.channels.items():
            beside = np.zeros_like(table)
            beside[:, 0] = -1
            beside[list(rows)] = table[list(rows.values())]
            frame.channels[channel] = beside
        if frame.frames is before:
            frame.set_frames(frame.frames)
        self._published.put(self, True, frame.frames_version)

    def whole(self, size: tuple[int, int]) -> int:
        """Return the frame that covers a complete target of a size, for batches whose texture is a target."""
        frame = self.targets.get(size)
        if frame is None:
            frame = self.targets[size] = self.atlas.cut(0, (0, 0, *size), flips=True)
        return frame

    def frames_of(self, world: World, images: Array, regions: Array, asker: str = "") -> tuple[Array, Array]:
        """Return for n sprites the first frame of each, int64 n, and its size in texels, float32 (n, 2).

        images: int32 n. regions: float32 (n, 4). asker: the caller's name; if its arguments equal those of its last
        call, the last result is returned.
        """
        last = self.seen.get(asker)
        if last is not None and np.array_equal(last[0], images) and np.array_equal(last[1], regions):
            return last[2], last[3]
        frames, sizes = np.zeros(len(images), np.int64), np.zeros((len(images), 2), np.float32)
        if len(images):
            first, inverse = distinct_rows(images, regions)
            rows = [self.frame_of(world, world.text(int(images[k])), region_of(regions[k])) for k in first]
            distinct = np.array(rows, np.int64)[inverse]
            frames, sizes = distinct[:, 0], distinct[:, 1:].astype(np.float32)
        self.seen[asker] = (images.copy(), regions.copy(), frames, sizes)
        return frames, sizes

    # Files

    def _image(self, path: str, read: AssetReader) -> Picture:
        """Put an image into the atlas, for the library."""
        return self._place(path, [_pixels(path, read)])[0]

    def _maps(self, key: str, read: AssetReader) -> list[Picture]:
        """Put the converted maps of an image into the atlas, for the library. Raises AssetError if the sizes differ."""
        channel, path, beside = key.split("\n")
        own, map_ = _pixels(path, read) if path else _WHITE, _pixels(beside, read)
        if own.shape == map_.shape:
            return self._place(key, mapped(channel, own, map_))
        (height, width), (tall, wide) = map_.shape[:2], own.shape[:2]
        raise AssetError(f"{beside} is {width}x{height}, but as the {channel} map of {path} it must be {wide}x{tall}")

    def _checkerboard(self) -> Picture:
        placed = self._placed.get(_MISSING)
        return (placed or self._place(_MISSING, [checkerboard()]))[0]

    def _place(self, key: str, images: list[npt.NDArray[np.uint8]]) -> list[Picture]:
        """Put images into the atlas, in place of those that were placed for the key before if the sizes are equal."""
        former = self._placed.get(key, [])
        if len(former) == len(images) and all(
            self.atlas.replace(old.frame, new) for old, new in zip(former, images, strict=True)
        ):
            return former
        self.seen.clear()
        placed = [Picture(self.atlas.put(pixels, flips=True), pixels.shape[1::-1]) for pixels in images]
        self._placed[key] = placed
        return placed

    def _renew_image(self, path: str) -> None:
        """Replace an edited image at once, since frames of it may be shown without asking for it again."""
        self.version += 1
        self.images.renew(path)
        self.seen.clear()

    def _renew_maps(self, key: str) -> None:
        self.version += 1
        self.maps.renew(key)


def without_color(path: str, color: tuple[int, int, int]) -> str:
    """Return the name in `Pictures.images` of an image in which one color is transparent, as old tilesets need it."""
    return f"{path}\n{bytes(color).hex()}"


def map_key(channel: str, path: str, beside: str) -> str:
    """Return the key of an image's map in `Pictures.maps`. beside: the path of the map."""
    return f"{channel}\n{path}\n{beside}"


def region_of(row: Array) -> Region:
    """Return a row of a `region` column as whole numbers; NaN becomes 0."""
    x, y, w, h = (int(value) for value in np.clip(np.nan_to_num(row), -(2**15), 2**15 - 1))
    return x, y, w, h


def distinct_rows(images: Array, regions: Array) -> tuple[Array, Array]:
    """Return the index of the first of each distinct (image, region) pair, and for each of n pairs its distinct one."""
    parts = np.clip(np.nan_to_num(regions), -(2**15), 2**15 - 1).astype(np.int64) & 0xFFFF
    region = parts[:, 0] << 48 | parts[:, 1] << 32 | parts[:, 2] << 16 | parts[:, 3]
    order = np.lexsort((region, images))
    fresh = np.ones(len(order), np.bool_)
    fresh[1:] = (region[order[1:]] != region[order[:-1]]) | (images[order[1:]] != images[order[:-1]])
    inverse = np.empty(len(order), np.int64)
    inverse[order] = np.cumsum(fresh) - 1
    return order[fresh], inverse


def _pixels(name: str, read: AssetReader) -> npt.NDArray[np.uint8]:
    """Return the texels of an image, premultiplied. Raises AssetError for a file that is no image.

    name: its path, or the name of `without_color`.
    """
    path, _, color = name.partition("\n")
    pixels = read(path)
    if not isinstance(pixels, np.ndarray) or pixels.ndim != 3 or pixels.shape[2] != 4:
        raise AssetError(f"{path} is not an image, it loads as {type(pixels).__name__}")
    if color:
        pixels = pixels.copy()
        pixels[(pixels[..., :3] == list(bytes.fromhex(color))).all(axis=2)] = 0
    return premultiply(pixels)
