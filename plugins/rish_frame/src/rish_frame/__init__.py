"""Drawing: frames made of passes and batches, the contract of a backend, and the host that draws.

Every public name is available here; a module is imported when one of its names is first used::

    from rish_frame import Batch, Frame
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import backend, frame, paint, pictures, poses, testing
    from .backend import Backend, Drawer, DrawStats, DrawTarget, OptionalVerbs, PixelArray, check_options, missing_needs
    from .errors import BackendError
    from .frame.batches import Batch, Material, Patch
    from .frame.billboards import Billboards, BillboardSet
    from .frame.camera_math import look_at, orthographic, perspective, view_2d
    from .frame.compute import Compute, DeviceArray
    from .frame.frame import Frame, Page
    from .frame.instances import INSTANCE, pack_sprites
    from .frame.kinds import ArraySpec, BatchKind
    from .frame.lights import LightPoints
    from .frame.passes import Pass, Target
    from .frame.per_version import PerVersion
    from .frame.picking import Hits, Picked, Region, SurfacePoint, pick
    from .frame.retained import Recorder
    from .frame.shaders import Pixels, Shader, sample
    from .host.guarded import report_failure
    from .host.host import FrameHost
    from .host.per_context import PerContext
    from .host.requests import DeviceRequests, pasted_text
    from .null import NullBackend
    from .paint.painting import BoxItem, ImageItem, LineItem, Painting, Paintings, Part, TextItem
    from .paint.typesetting import Caret, Icon, TextLook, Typeset, Typesetter
    from .pictures.capture import Capture
    from .pictures.masks import ImageMask
    from .pictures.soundtrack import Soundtrack
    from .pictures.video import VideoFile, load_encoder
    from .poses.matrices import WorldMatrices
    from .settings import FrameSettings, LayerLook, layer_look

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "backend": "Backend OptionalVerbs DrawStats DrawTarget Drawer PixelArray check_options missing_needs",
        "errors": "BackendError",
        "frame.batches": "Batch Material Patch",
        "frame.billboards": "Billboards BillboardSet",
        "frame.camera_math": "look_at orthographic perspective view_2d",
        "frame.compute": "Compute DeviceArray",
        "frame.instances": "INSTANCE pack_sprites",
        "frame.kinds": "ArraySpec BatchKind",
        "frame.frame": "Frame Page",
        "frame.passes": "Pass Target",
        "frame.per_version": "PerVersion",
        "frame.picking": "Hits Picked Region SurfacePoint pick",
        "frame.retained": "Recorder",
        "frame.shaders": "Pixels Shader sample",
        "host.guarded": "report_failure",
        "host.host": "FrameHost",
        "host.per_context": "PerContext",
        "host.requests": "DeviceRequests pasted_text",
        "frame.lights": "LightPoints",
        "null": "NullBackend",
        "paint.painting": "BoxItem ImageItem LineItem Painting Paintings Part TextItem",
        "paint.typesetting": "Caret Icon TextLook Typeset Typesetter",
        "pictures.capture": "Capture",
        "pictures.masks": "ImageMask",
        "pictures.soundtrack": "Soundtrack",
        "pictures.video": "VideoFile load_encoder",
        "poses.matrices": "WorldMatrices",
        "settings": "FrameSettings LayerLook layer_look",
    },
    modules=(
        "backend",
        "frame",
        "paint",
        "pictures",
        "poses",
        "testing",
    ),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
