"""Hands its stdin and stdout to the process that called `gradproof.check`; started by `gradproof verify --exec`."""
import socket
import sys

if __name__ == "__main__":
    with socket.socket(socket.AF_UNIX) as parent:
        parent.connect(sys.argv[1])
        socket.send_fds(parent, [b"k"], [0, 1])
        parent.recv(1)  # to the end
