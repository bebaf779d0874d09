"""Combines screenshots of one size into an animated PNG.

https://www.w3.org/TR/png-3/#animation-information
"""

import struct
import zlib
from collections.abc import Iterator, Sequence

SIGNATURE = b"\x89PNG\r\n\x1a\n"
Chunk = tuple[bytes, bytes]


def animated(frames: Sequence[bytes], seconds: float) -> bytes:
    """Return the frames as an endless animation, showing each frame for the given time.

    Raises ValueError if frames differ in size or format.
    """
    heads = {dict(_chunks(frame))[b"IHDR"] for frame in frames}
    if len(heads) != 1:
        raise ValueError("the frames differ in size or kind")
    [head] = heads
    made = [(b"IHDR", head), (b"acTL", struct.pack(">II", len(frames), 0))]
    number = 0
    for place, frame in enumerate(frames):
        made.append((b"fcTL", _control(number, head, seconds)))
        number += 1
        for data in (data for kind, data in _chunks(frame) if kind == b"IDAT"):
            if place == 0:  # viewers that do not support animation show the first frame
                made.append((b"IDAT", data))
                continue
            made.append((b"fdAT", struct.pack(">I", number) + data))
            number += 1
    return SIGNATURE + b"".join(_written(*each) for each in (*made, (b"IEND", b"")))


def _control(number: int, head: bytes, seconds: float) -> bytes:
    width, height = struct.unpack(">II", head[:8])
    whole = struct.pack(">IIIII", number, width, height, 0, 0)
    return whole + struct.pack(">HHBB", round(seconds * 100), 100, 0, 0)


def _chunks(png: bytes) -> Iterator[Chunk]:
    at = len(SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def _written(kind: bytes, data: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + check
