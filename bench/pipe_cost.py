"""A kernel that does nothing, for gradproof_pipe_cost. With an argument: by the module gradproof, else by hand."""
import json
import struct
import sys

if len(sys.argv) > 1:
    import gradproof

    gradproof.kernel("replication_pad2d_backward")(lambda grad_output, grad_input, left, top: None)
    gradproof.serve()
    sys.exit()

incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer


def say(header, data=b""):
    text = json.dumps(header).encode()
    outgoing.write(struct.pack("<Q", len(text)) + text + data)
    outgoing.flush()


say({"gradproof": 1, "kernels": ["replication_pad2d_backward"]})
while first := incoming.read(8):
    call = json.loads(incoming.read(struct.unpack("<Q", first)[0]))
    result = [incoming.read(tensor["bytes"]) for tensor in call["tensors"]][-1]
    say({"bytes": len(result)}, result)
