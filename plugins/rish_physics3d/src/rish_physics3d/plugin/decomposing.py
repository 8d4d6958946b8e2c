"""`rish decompose MODEL`: cut a model into convex hulls, and write them as a prefab of colliders.

A dynamic body has no mesh as its shape, and one hull fills every hollow. CoACD (Wei, Liu, Ling, Su 2022, "Approximate
convex decomposition for 3D meshes with collision-aware concavity and tree search") cuts a model into parts that are
nearly convex. It takes seconds to minutes, so it runs when a game is written, not when it is played.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import UsageError, say
from rish_jit import Array
from rish_space3d import MODEL_SHAPES, ModelTriangles, check_model_name, load_model, model_triangles

from ..geometry import hull_of

SUFFIX = ".hulls.yaml"
"""The end of the names of written files."""
MAX_POINTS = 64
"""The greatest number of points of a hull."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the model, the file to write, and how exact the hulls are."""
    add = parser.add_argument
    add("model", help="a .glb or .gltf file, or a generated shape such as torus")
    add("--part", default="", metavar="NODE", help="only this node of the file, and those below it")
    add("--out", metavar="FILE", help="the file to write; default: NAME.hulls.yaml beside the model")
    add("--name", help="of the prefab; default: NAME_hulls")
    add("--concavity", type=float, default=0.05, metavar="X", help="0.01 (exact, many hulls) to 1 (one hull); 0.05")
    add("--most", type=int, default=-1, metavar="N", help="at most N hulls; default: any number")


def run(arguments: argparse.Namespace) -> int:
    """Write the hulls of the model."""
    path = Path(arguments.model)
    stem = path.stem if path.suffix else arguments.model
    out = Path(arguments.out) if arguments.out else path.with_name(stem + SUFFIX)
    if not 0.01 <= arguments.concavity <= 1:
        raise UsageError(f"--concavity is {arguments.concavity:g}, and must be from 0.01 to 1")
    hulls = decompose(read_triangles(arguments.model, arguments.part), arguments.concavity, arguments.most)
    name = arguments.name or f"{stem}_hulls"
    out.write_text(prefab_text(name, arguments.model, hulls), encoding="utf-8", newline="\n")
    points = sum(map(len, hulls))
    say(f"wrote {out}: {len(hulls)} hulls with {points} points. In game.yaml: include: [{out.name}], prefab: {name}")
    return 0


def read_triangles(model: str, part: str = "") -> ModelTriangles:
    """Return the triangles of a generated shape or of a file. Raises UsageError and AssetError."""
    check_model_name(model)
    if model in MODEL_SHAPES:
        return model_triangles(model, None, part)
    path = Path(model)
    if not path.is_file():
        raise UsageError(f"there is no file {path}", hint="Give the path of a .glb or .gltf file")
    return model_triangles(model, load_model(path, lambda name: path.parent / name), part)


def decompose(model: ModelTriangles, concavity: float, most: int = -1) -> list[Array]:
    """Return the points of convex hulls that together are about a model, each float64 (k, 3) with 4 <= k <= 64.

    concavity: how much a hull may fill that is not the model, 0.01 to 1, relative to its size. most: the greatest
    number of hulls, -1 for any. Equal arguments give equal hulls. Raises UsageError if coacd is not installed.
    """
    try:
        import coacd
    except ImportError:
        what = "a model is cut into hulls by coacd, which is not installed"
        raise UsageError(what, hint="Run: pip install coacd") from None
    coacd.set_log_level("error")
    # The faces of a drawn model have corners of their own; those of a solid share them.
    corners, places = np.unique(model.positions, axis=0, return_inverse=True)
    indices: Any = places.reshape(-1)[model.triangles].astype(np.int32)
    mesh = coacd.Mesh(corners, indices)
    parts: list[Any] = coacd.run_coacd(
        mesh, threshold=concavity, max_convex_hull=most, decimate=True, max_ch_vertex=MAX_POINTS, seed=1
    )
    hulls: list[Array] = []
    for vertices, _ in parts:
        hull = hull_of(np.asarray(vertices, np.float64))
        hulls.append(hull.points[:, :3].astype(np.float64) + hull.center)
    return hulls


def prefab_text(name: str, model: str, hulls: list[Array]) -> str:
    """Return a file to include, with a prefab whose children are the colliders. hulls: points, float64 (k, 3)."""
    lines = [
        f"# {len(hulls)} convex hulls of {model}, made by `rish decompose`. Use it as the prefab of a body:",
        f"# - {{prefab: {name}, Body3D: {{}}, Model3D: {{asset: {model}}}}}",
        "prefabs:",
        f"  {name}:",
        "    Transform3D: {}",
        "    children:",
    ]
    for points in hulls:
        corners = ", ".join(f"[{', '.join(f'{value:.5g}' for value in (point + 0.0).tolist())}]" for point in points)
        lines.append(f"      - {{Transform3D: {{}}, Collider3D: {{shape: hull, points: [{corners}]}}}}")
    return "\n".join(lines) + "\n"
