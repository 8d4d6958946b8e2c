"""Pictures of a model: their bytes, decoded on demand within a limit of size."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from .element import Element
from .errors import GltfError
from .files.accessors import Accessors
from .files.uris import Files
from .limits import Limits

_SIGNS = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


@dataclass(frozen=True, eq=False)
class Image:
    """A PNG or JPEG. name: as in the file. mime: detected from the bytes. data: the bytes of the picture."""

    name: str
    mime: str
    data: bytes = field(repr=False)
    file: str
    place: str
    limits: Limits = field(repr=False)

    def decode(self) -> npt.NDArray[np.uint8]:
        """Return the pixels (height, width, 4), red, green, blue and alpha, top row first; read-only.

        Raises GltfError if the picture is damaged, or has more pixels than the `image_pixels` of the limits.
        """
        from PIL import Image as Pictures

        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with Pictures.open(io.BytesIO(self.data), formats=("PNG", "JPEG")) as picture:
                    width, height = picture.size
                    if width * height > self.limits.image_pixels:
                        raise GltfError(
                            self.file,
                            self.place,
                            f"has {width} × {height} pixels, more than {self.limits.image_pixels:,}",
                            "Make it smaller, or raise `image_pixels` of Limits",
                        )
                    pixels = np.asarray(picture.convert("RGBA"), np.uint8)
        except GltfError:
            raise
        except Exception as error:  # Pillow raises many kinds for damaged files
            reason = str(error) or type(error).__name__
            raise GltfError(self.file, self.place, f"is damaged: {reason}", "Save the picture again") from error
        pixels.flags.writeable = False
        return pixels


def read_images(root: Element, files: Files, accessors: Accessors) -> tuple[Image, ...]:
    """Return all pictures of a model."""
    return tuple(_read(each, files, accessors) for each in root.children("images"))


def _read(image: Element, files: Files, accessors: Accessors) -> Image:
    """Return one picture, whose kind is found by its first bytes."""
    if ("uri" in image) == ("bufferView" in image):
        image.fail("must have either `uri` or `bufferView`")
    data = files.read(image) if "uri" in image else accessors.view_bytes(image)
    mime = next((mime for sign, mime in _SIGNS.items() if data.startswith(sign)), "")
    if not mime:
        image.fail("is neither PNG nor JPEG", "Save the picture as PNG or JPEG")
    return Image(image.name, mime, data, image.reading.file, image.path, image.reading.limits)
