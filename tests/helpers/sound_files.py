"""Sound files for tests: written here, encoded by PyAV, or those that arcade has."""

from __future__ import annotations

import io
import random
import struct
from pathlib import Path
from typing import Any

import numpy as np

from rish_jit import Array
from tools import needs


def tone(frames: int, channels: int = 1, rate: int = 44_100, hertz: float = 440.0) -> Array:
    """Return a sine with a level of a half, float32 (frames, channels); each channel is a fifth above the last."""
    seconds = np.arange(frames)[:, None] / rate
    return (0.5 * np.sin(2 * np.pi * hertz * seconds * 1.5 ** np.arange(channels))).astype(np.float32)


def chunk(name: bytes, data: bytes) -> bytes:
    """Return a chunk of a RIFF file, padded to an even length."""
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def wav_bytes(samples: Array, rate: int = 44_100, bits: int = 16, extensible: bool = False, more: bytes = b"") -> bytes:
    """Return a WAV file. bits: 8, 16, 24, 32 for integers, -32 for floats. more: chunks after the samples."""
    channels = samples.shape[1]
    if bits == -32:
        data = samples.astype("<f4").tobytes()
    elif bits == 8:
        data = np.clip(np.rint(samples * 128) + 128, 0, 255).astype(np.uint8).tobytes()
    else:
        whole = np.clip(np.rint(samples * 2.0 ** (bits - 1)), -(2 ** (bits - 1)), 2 ** (bits - 1) - 1).astype("<i4")
        data = whole.reshape(-1, 1).view(np.uint8).reshape(-1, 4)[:, : bits // 8].tobytes()
    tag, width = (3, 32) if bits == -32 else (1, bits)
    align = channels * width // 8
    form = struct.pack("<HHIIHH", 0xFFFE if extensible else tag, channels, rate, rate * align, align, width)
    if extensible:
        form += struct.pack("<HHIH", 22, width, 0, tag) + bytes.fromhex("000000001000800000aa00389b71")
    body = b"WAVE" + chunk(b"fmt ", form) + chunk(b"data", data) + more
    return b"RIFF" + struct.pack("<I", len(body)) + body


def loop_chunk(begin: int, last: int) -> bytes:
    """Return the chunk `smpl` with one loop."""
    return chunk(b"smpl", struct.pack("<9I", 0, 0, 0, 60, 0, 0, 0, 1, 0) + struct.pack("<6I", 0, 0, begin, last, 0, 0))


def marker_chunks(markers: dict[str, int]) -> bytes:
    """Return the chunks `cue ` and `LIST` with the frames of markers by name."""
    cues = struct.pack("<I", len(markers))
    labels = b"adtl"
    for number, (name, frame) in enumerate(markers.items(), 1):
        cues += struct.pack("<II4sIII", number, frame, b"data", 0, 0, frame)
        labels += chunk(b"labl", struct.pack("<I", number) + name.encode() + b"\0")
    return chunk(b"cue ", cues) + chunk(b"LIST", labels)


def encoded(samples: Array, form: str, rate: int = 44_100) -> bytes:
    """Return samples as a file that PyAV encodes: `flac`, `mp3` or `ogg` (two channels only)."""
    av = needs("av", "films")

    layout = {1: "mono", 2: "stereo", 6: "5.1"}[samples.shape[1]]
    codec, packing = {"flac": ("flac", "s16"), "mp3": ("libmp3lame", "fltp"), "ogg": ("vorbis", "fltp")}[form]
    buffer = io.BytesIO()
    with av.open(buffer, "w", format=form) as container:
        options = {"strict": "experimental"} if form == "ogg" else {}
        stream: Any = container.add_stream(codec, rate=rate, layout=layout, options=options)
        size = 1024
        for begin in range(0, len(samples), size):
            part = samples[begin : begin + size]
            if packing == "s16":
                data = np.rint(part * 32_767).astype(np.int16).reshape(1, -1)
            else:
                data = np.ascontiguousarray(part.T)
            frame: Any = av.AudioFrame.from_ndarray(data, format=packing, layout=layout)
            frame.rate, frame.pts = rate, begin
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return buffer.getvalue()


def arcade_sound(name: str) -> Path:
    """Return a sound of the package arcade, which are in the public domain (CC0)."""
    import importlib.util

    spec = importlib.util.find_spec("arcade")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "resources" / "assets" / "sounds" / name


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Return a damaged file: bits flipped, cut off, bytes of the header replaced, a piece repeated, or one removed."""
    made = bytearray(data)
    kind = chance.randrange(5)
    if kind == 0:
        for _ in range(chance.randrange(1, 30)):
            made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del made[chance.randrange(len(made)) :]
    elif kind == 2:
        for _ in range(chance.randrange(1, 6)):
            at, size = chance.randrange(min(len(made), 200)), chance.choice([1, 2, 4])
            made[at : at + size] = bytes([chance.choice([0, 1, 127, 128, 255, chance.randrange(256)])]) * size
    elif kind == 3:
        begin, end = sorted(chance.randrange(len(made)) for _ in range(2))
        at = chance.randrange(len(made))
        made[at:at] = made[begin:end]
    else:
        at = chance.randrange(len(made))
        del made[at : at + chance.randrange(1, 2000)]
    return bytes(made)
