"""A kernel's process without NumPy: pads and crops back, and does one thing wrong, named by its argument."""
import json
import os
import signal
import struct
import sys
import time

wrong = sys.argv[1] if len(sys.argv) > 1 else ""
incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer


def say(header: dict, data: bytes = b"") -> None:
    text = json.dumps(header).encode()
    outgoing.write(struct.pack("<Q", len(text)) + text + data)
    outgoing.flush()


def add(header: dict, data: list) -> bytes:
    """The gradient of padding FLOAT; other types are not supported."""
    gradient, result = header["tensors"]
    p = header["parameters"]
    out = bytearray(data[1])
    n, c, height, width = result["shape"]
    sums: dict = {}
    for at in positions(gradient["shape"]):
        value = struct.unpack_from("<f", data[0], 4 * place(gradient, at))[0]
        h = min(max(at[2] - p["top"], 0), height - 1)
        w = min(max(at[3] - p["left"], 0), width - 1)
        sums[at[0], at[1], h, w] = sums.get((at[0], at[1], h, w), 0.0) + value
    for at in positions(result["shape"]):
        try:
            struct.pack_into("<f", out, 4 * place(result, at), sums.get(at, 0.0))
        except OverflowError:
            struct.pack_into("<f", out, 4 * place(result, at), float("inf") if sums[at] > 0 else -float("inf"))
    return bytes(out)


def positions(shape: list):
    if 0 in shape:
        return
    at = [0] * len(shape)
    while True:
        yield tuple(at)
        for d in reversed(range(len(shape))):
            at[d] += 1
            if at[d] < shape[d]:
                break
            at[d] = 0
        else:
            return


def place(tensor: dict, at: tuple) -> int:
    return tensor["offset"] + sum(i * s for i, s in zip(at, tensor["strides"]))


say({"gradproof": 1, "kernels": ["replication_pad2d_backward"]})
calls = 0
while first := incoming.read(8):
    call = json.loads(incoming.read(struct.unpack("<Q", first)[0]))
    storages = [incoming.read(t["bytes"]) for t in call["tensors"]]
    calls += 1
    if call["tensors"][0]["type"] != "FLOAT":
        say({"not_supported": "for FLOAT alone"})
        continue
    result = add(call, storages)
    if wrong == "hangs":
        time.sleep(1000)
    elif wrong == "crashes":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif wrong == "exits":
        print("I have had enough", file=sys.stderr)
        sys.exit(7)
    elif wrong == "short":
        say({"bytes": len(result)}, result[:3])
        sys.exit(0)
    elif wrong == "few":
        say({"bytes": len(result) - 1}, result[:-1])
    elif wrong == "many":
        say({"bytes": len(result) + 1}, result + b"x")
    elif wrong == "extra":
        say({"bytes": len(result)}, result + b"and more")
    elif wrong == "rubbish":
        outgoing.write(b"Loading weights...\n")
        outgoing.flush()
    elif wrong == "no-json":
        outgoing.write(struct.pack("<Q", 4) + b"oops")
        outgoing.flush()
    elif wrong == "nothing-said":
        say({"status": "fine"})
    elif wrong == "fails":
        say({"failed": "out of luck"})
    else:
        say({"bytes": len(result)}, result)
