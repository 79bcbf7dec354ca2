"""The messages of docs/pipe.md: a length, a JSON header, and raw bytes behind it."""
from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO, Iterable

Header = dict[str, Any]


def write(stream: BinaryIO, header: Header, storages: Iterable[Any] = ()) -> None:
    """Writes one message; `storages` are the bytes behind the header."""
    text = json.dumps(header).encode()
    stream.write(b"".join([struct.pack("<Q", len(text)), text, *storages]))
    stream.flush()


def read_exactly(stream: BinaryIO, size: int) -> bytearray:
    """So many bytes; an EOFError if there are fewer."""
    data = bytearray(size)
    view, have = memoryview(data), 0
    while have < size:
        got = stream.readinto(view[have:])  # type: ignore[attr-defined]
        if not got:
            raise EOFError(f"the pipe was closed after {have} of {size} bytes")
        have += got
    return data


def read_header(stream: BinaryIO) -> Header | None:
    """The next message's header; nothing at the end."""
    first = stream.read(8)
    if not first:
        return None
    length = struct.unpack("<Q", first + read_exactly(stream, 8 - len(first)))[0]
    return json.loads(read_exactly(stream, length))
