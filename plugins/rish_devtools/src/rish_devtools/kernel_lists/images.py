"""Images of the compiled kernels that packages and games list, which lie beside their modules."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import rish_jit
from rish_ecs import RishError


def write_package_image(package: str, folder: Path) -> tuple[Path, int]:
    """Write the image of a package into a folder, see `write_list_image`. Raises RishError without such a package."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise RishError(f"there is no package {package}")
    source = Path(spec.origin).parent
    if not (source / rish_jit.LIST_FILE).is_file():
        raise RishError(f"{package} has no list of kernels", hint="rish record-kernels GAME writes it")
    return write_list_image(source, folder)


def write_list_image(source: Path, folder: Path) -> tuple[Path, int]:
    """Compile what the cache lacks of a list for the level of this process, and write it into an image.

    source: the folder of a package or a game with a list, whose modules can be imported. Returns the path, and the
    number of kernels. Raises RishError with the names of kernels that Python calls and that have no machine code.
    """
    listed = rish_jit.read_list(source / rish_jit.LIST_FILE)
    rish_jit.compile_ahead(rish_jit.missing(listed))
    entries = {each: rish_jit.stored(each) for each in listed if not each.inner}
    found = [entry for entry in entries.values() if entry is not None and entry.code]
    if len(found) < len(entries):
        names = [f"{each.kernel}{each.types}" for each, entry in entries.items() if entry is None or not entry.code]
        raise RishError(f"no machine code was written for {', '.join(names)}")
    level = rish_jit.default_level()
    image = folder / rish_jit.image_name(level)
    return image, rish_jit.write_image(image, found, level)
